//! LAS 1.4 and 1.2 and their compressed forms LAZ and COPC, as CloudCompare, PDAL and QGIS read them.

mod copc;
mod crs;
mod header;
mod laz;
mod plane;
mod points;

use std::io::{Seek, SeekFrom, Write};

use robolog_core::{PointCloud, Sample, Value};

use self::{
    copc::Records,
    crs::{Crs, Grid},
    header::Head,
    laz::Chunks,
    points::{Base, Stats, Time},
};
pub use super::options::{Day, Epsg, LasIntensity, LasOptions, LasVersion};
use super::{Holds, Need, Opening, Scans, TargetSpec, WriteSeek, devices::Devices, takes};
use crate::{Advice, Error, Note, Outcome, Reason, Result, Sink, spool::Spools};

/// LAS of the ASPRS.
pub static LAS: TargetSpec = TargetSpec {
    name: "las",
    extensions: &["las"],
    about: "point clouds of ASPRS, LAS 1.4 or 1.2",
    holds: Holds::Points,
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_way,
    open: |out, opening| open(out, LasData::Plain, opening),
};

/// LAS, compressed.
pub static LAZ: TargetSpec = TargetSpec {
    name: "laz",
    extensions: &["laz"],
    about: "LAS, compressed",
    open: |out, opening| open(out, LasData::Compressed, opening),
    ..LAS
};

/// LAZ in an octree.
pub static COPC: TargetSpec = TargetSpec {
    name: "copc",
    extensions: &["copc.laz"],
    about: "cloud-optimized LAZ: an octree that viewers read by place and resolution",
    open: |out, opening| open(out, LasData::Octree, opening),
    ..LAS
};

fn open(out: Box<dyn WriteSeek>, data: LasData, opening: &Opening) -> Result<Box<dyn Sink>> {
    let las = Las::new(out, data, opening.options.las)?;
    Ok(Box::new(Las { scans: Scans::of(opening), spools: opening.options.spools, ..las }))
}

/// Whether the points are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LasData {
    /// Records as they are: LAS.
    Plain,
    /// Chunks of 50 000 points, compressed by several threads: LAZ.
    Compressed,
    /// Chunks that are the nodes of an octree: COPC 1.0.
    Octree,
}

/// Writes all points into one file of point format 6; into one of format 1 as LAS 1.2, see [`LasVersion`].
///
/// - Coordinates are whole tenths of a millimetre. They count from zero, or from the median of the first cloud in whole
///   kilometres where that is beyond 100 km. Whatever lies within 214 km of there fits; points that do not, or are not
///   finite, are left out and counted.
/// - GPS time is adjusted standard GPS time (seconds since 2011-09-14 01:46:25 UTC, leap seconds included) for the
///   unix and GPS clocks. Seconds of a device or since the start of a recording stand as they are, and the header's global
///   encoding then says that they are no adjusted standard time. Without times it is 0. The first cloud decides;
///   clouds whose time is none of that kind are left out.
/// - Return numbers that the sensor does not give are 1. The number of returns is how many the points of one time and
///   ring have, and never below the return number.
/// - [`LasOptions::origin`] moves the points into a plane of transverse Mercator in metres: [`LasOptions::crs`], or a UTM
///   zone of WGS 84. It stands as WKT, in LAS 1.2 as keys of `GeoTIFF`.
/// - Ring and tag are extra bytes `ring` (16 bits) and `tag` (8 bits) where the first cloud has them.
/// - The point source ID is a number for each channel, from 1 on. A text at the end of the file (an extended variable
///   length record, `LASF_Spec` 3) lists their names and says which clock counts. In LAS 1.2 it stands before the points,
///   and ends after 4095 bytes.
///
/// **COPC** (version 1.0) has the same points in an octree over the cube around them. A node holds the first point of each cell of
/// a grid of 128 cells along each axis, 100 000 at most, and its eight children the others; a node with up to 50 000 points has
/// no children. The points wait in temporary files, so memory is that of a node: of as many points as lie in one place. Their
/// order is that of the tree.
///
/// Times on both sides of zero need `laz` 0.13 without overflow checks: its differences of times wrap, as `LASzip`'s do. In
/// a profile with checks, `[profile.NAME.package.laz] overflow-checks = false` takes them off.
///
/// The project ID is zero, and so is the date unless [`LasOptions::created`] gives it: the same points make the same bytes.
#[derive(Debug)]
pub struct Las<W> {
    out: W,
    data: LasData,
    options: LasOptions,
    crs: Option<Crs>,
    grid: Option<Grid>,
    body: Option<Body>,
    devices: Devices,
    unfit: u64,
    other_clock: u64,
    scans: Scans,
    spools: Spools,
}

/// What the first cloud decides, and what has become of it.
#[derive(Debug)]
struct Body {
    head: Head,
    stats: Stats,
    points: Points,
    buffer: Vec<u8>,
}

/// Where records go.
#[derive(Debug)]
enum Points {
    File,
    Chunks(Chunks),
    /// Aside, until the tree is known.
    Tree(Records),
}

impl<W: Write + Seek> Las<W> {
    /// A file on `out`, which must be at its beginning. Fails for a coordinate reference system in which points cannot
    /// lie.
    pub fn new(out: W, data: LasData, options: LasOptions) -> Result<Self> {
        if data == LasData::Octree && options.version == LasVersion::V1_2 {
            return Err(Error::Target("COPC is LAS 1.4: leave out --las-version 1.2".into()));
        }
        let (crs, grid) = crs::of(&options)?;
        let (devices, scans, spools) = (Devices::default(), Scans::default(), Spools::default());
        Ok(Self {
            out,
            data,
            options,
            crs,
            grid,
            body: None,
            devices,
            unfit: 0,
            other_clock: 0,
            scans,
            spools,
        })
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(Body { mut head, stats, points, .. }) = self.body.take() {
            let tree = match points {
                Points::File => None,
                Points::Chunks(mut chunks) => {
                    chunks.finish(&mut self.out)?;
                    None
                }
                Points::Tree(records) => Some(records.finish(&head.laz()?, &stats, &mut self.out)?),
            };
            let evlr = self.out.stream_position()?;
            self.out.write_all(&head.tail(&self.devices, tree.as_ref())?)?;
            if let Some(tree) = tree {
                head.set_tree(&tree, evlr);
            }
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&head.header(&stats, Some(evlr))?)?;
            self.out.write_all(&head.records(&self.devices)?)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn begin(&mut self, cloud: &PointCloud, time: Time) -> Result<()> {
        let offset = self.grid.map_or(self.options.shift.unwrap_or_default(), |grid| grid.offset);
        let head = Head::of(cloud, time, self.data, (&self.options, self.crs, offset))?;
        let stats = Stats::default();
        self.out.write_all(&head.header(&stats, None)?)?;
        self.out.write_all(&head.records(&self.devices)?)?;
        let points = match self.data {
            LasData::Plain => Points::File,
            LasData::Compressed => Points::Chunks(Chunks::new(head.laz()?, &mut self.out)?),
            LasData::Octree => Points::Tree(Records::new(self.spools)?),
        };
        self.body = Some(Body { head, stats, points, buffer: Vec::new() });
        Ok(())
    }
}

impl<W: Write + Seek> Sink for Las<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let Value::PointCloud(cloud) = &mut sample.value else { return Ok(Outcome::LeftOut) };
        if cloud.is_empty() {
            return Ok(Outcome::Written);
        }
        if !cloud.is_consistent() {
            return Err(Error::Target(Reason::UnevenCloud));
        }
        if let Some(grid) = self.grid {
            grid.place(cloud);
        }
        let base = Base::of(sample.time);
        if self.body.is_none() {
            self.begin(cloud, base.kind())?;
        }
        let Some(rows) = self.body.as_ref().map(|body| body.head.rows()) else { return Ok(Outcome::LeftOut) };
        if rows.time != base.kind() {
            self.other_clock += 1;
            return Ok(Outcome::LeftOut);
        }
        let unfit = rows.unfit(cloud);
        if unfit == cloud.len() {
            self.unfit += unfit as u64;
            return Ok(Outcome::LeftOut);
        }
        let Some(source) = self.devices.number(&sample.channel) else { return Ok(Outcome::LeftOut) };
        if unfit > 0 {
            self.unfit += unfit as u64;
            rows.retain_fit(cloud);
        }
        let Some(body) = &mut self.body else { return Ok(Outcome::LeftOut) };
        let total = body.stats.points + cloud.len() as u64;
        if rows.version == LasVersion::V1_2 && u32::try_from(total).is_err() {
            return Err(Error::Target(Reason::LasPoints));
        }
        let counts = points::counts(cloud);
        for first in (0..cloud.len()).step_by(points::BLOCK) {
            let what = (&*cloud, &*counts, first, base);
            rows.encode(what, (source, self.options.intensity), &mut body.stats, &mut body.buffer);
            match &mut body.points {
                Points::File => self.out.write_all(&body.buffer)?,
                Points::Chunks(chunks) => chunks.push(&body.buffer, &mut self.out)?,
                Points::Tree(records) => records.push(&body.buffer, rows.width())?,
            }
        }
        Ok(if unfit > 0 { Outcome::Partly { left_out: unfit as u64 } } else { Outcome::Written })
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice().or((self.other_clock > 0).then_some(Advice::Epoch))
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        let unfit = Note::unfit(self.unfit, "points", "not finite, or beyond the 214 km that LAS holds");
        let of_other_clock =
            Note::unfit(self.other_clock, "clouds", "their times are of another clock than the first");
        Ok(unfit.into_iter().chain(of_other_clock).collect())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
