//! LAS 1.4 and 1.2, and their compressed forms LAZ and COPC, as read by CloudCompare, PDAL and QGIS.

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
use super::{
    Holds, Lacks, Need, Opening, Scans, TargetSpec, WriteSeek, devices::Devices, records::BLOCK, takes,
};
use crate::{Advice, Error, Note, Outcome, Reason, Result, Sink, spool::Spools};

/// ASPRS LAS.
pub static LAS: TargetSpec = TargetSpec {
    name: "las",
    extensions: &["las"],
    about: "point clouds of ASPRS, LAS 1.4 or 1.2",
    holds: Holds::Points,
    lacks: Lacks::NOTHING,
    needs: &[Need::OneFrame],
    takes: takes::points,
    instead: takes::no_advice,
    open: |out, opening| open(out, LasData::Plain, opening),
};

/// Compressed LAS.
pub static LAZ: TargetSpec = TargetSpec {
    name: "laz",
    extensions: &["laz"],
    about: "LAS, compressed",
    open: |out, opening| open(out, LasData::Compressed, opening),
    ..LAS
};

/// LAZ as an octree.
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

/// Storage of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LasData {
    /// Uncompressed records: LAS.
    Plain,
    /// Chunks of 50 000 points, compressed on several threads: LAZ.
    Compressed,
    /// One chunk per octree node: COPC 1.0.
    Octree,
}

/// Writes all points to one file, in point format 6, or in format 1 for LAS 1.2: see [`LasVersion`].
///
/// - Coordinates are multiples of 0.1 mm. They count from zero, or, if the first cloud's median lies beyond 100 km,
///   from that median in whole kilometres. Points up to 214 km from there fit; others, and points that are not finite,
///   are left out and counted.
/// - GPS time is adjusted standard GPS time (seconds since 2011-09-14 01:46:25 UTC, with leap seconds) for the Unix and
///   GPS clocks. Seconds of a device clock, or since the start of a recording, are written unchanged, and the global
///   encoding in the header does not claim adjusted standard time. Without times it is 0. The first cloud decides;
///   clouds with another kind of time are left out.
/// - Return numbers that the sensor does not give are 1. The number of returns is the number of points with the same
///   time and ring, and at least the return number.
/// - [`LasOptions::origin`] projects the points to transverse Mercator in metres: [`LasOptions::crs`], or a UTM zone of
///   WGS 84. The system is stored as WKT, in LAS 1.2 as `GeoTIFF` keys.
/// - Ring and tag are extra bytes, `ring` (16 bits) and `tag` (8 bits), if the first cloud has them.
/// - The point source ID is the channel's number, from 1. A text at the end of the file (extended variable length
///   record `LASF_Spec` 3) lists the channel names and the clock. In LAS 1.2 it precedes the points and is cut at 4095
///   bytes.
///
/// **COPC** (version 1.0) stores the same points in an octree over their bounding cube. A node holds the first point of
/// each cell of a grid of 128 cells per axis, at most 100 000, and its eight children the others; a node with up to 50
/// 000 points has no children. Points are kept in temporary files, so memory holds one node: as many points as lie in
/// one place. Points are in tree order.
///
/// Times on both sides of zero need `laz` 0.13 without overflow checks: its time differences wrap, as in `LASzip`. In a
/// profile with checks, set `[profile.NAME.package.laz] overflow-checks = false`.
///
/// The project ID is zero, and so is the date unless [`LasOptions::created`] sets it: the same points give the same
/// bytes.
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
    /// Number of clouds later than LAS can hold.
    too_late: u64,
    scans: Scans,
    spools: Spools,
}

/// State set by the first cloud and updated with each one.
#[derive(Debug)]
struct Body {
    head: Head,
    stats: Stats,
    points: Points,
    buffer: Vec<u8>,
}

/// Destination of the records.
#[derive(Debug)]
enum Points {
    File,
    Chunks(Chunks),
    /// Spooled until the tree is built.
    Tree(Records),
}

impl<W: Write + Seek> Las<W> {
    /// Creates a file on `out`, which must be at its beginning. Returns an error for a coordinate reference system that
    /// cannot hold points.
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
            too_late: 0,
            scans,
            spools,
        })
    }

    /// Completes the file and returns the target.
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
        if !base.is_exact() {
            self.too_late += 1;
            return Ok(Outcome::LeftOut);
        }
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
        for first in (0..cloud.len()).step_by(BLOCK) {
            let what = (&*cloud, &*counts, first, base);
            rows.encode(what, (source, self.options.intensity), &mut body.stats, &mut body.buffer);
            if self.options.withhold {
                rows.withhold(cloud, first, &mut body.buffer);
            }
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
        let unfit = Note::unfit(self.unfit, "point", "not finite, or beyond the 214 km that LAS holds");
        let of_other_clock = Note::unfit(self.other_clock, "cloud", "times of another clock than the first");
        let why = "times beyond 4294967295 s, which LAS cannot hold to a microsecond";
        let too_late = Note::unfit(self.too_late, "cloud", why);
        Ok(unfit.into_iter().chain(of_other_clock).chain(too_late).collect())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
