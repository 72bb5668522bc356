//! E57 (ASTM E2807), as read by CloudCompare and scanner vendors' software.

mod pages;
mod poses;
mod scan;

use std::{
    fmt,
    io::{Seek, Write},
};

use ::e57::{E57Writer, Extension, ImageFormat, VisualReferenceImageProperties};
use robolog_core::{Encoding, Image, PointCloud, Sample, Timestamp, Value, slices::Part as _, text::Escaped};

use self::{
    pages::Pages,
    poses::Poses,
    scan::{Fields, NAMESPACE},
};
use super::{Holds, Lacks, Scans, TargetSpec, pixels, takes};
use crate::{Advice, Error, Note, Outcome, Reason, Result, Sink};

/// E57 of ASTM.
pub static E57: TargetSpec = TargetSpec {
    name: "e57",
    extensions: &["e57"],
    about: "scans and images of ASTM, E57",
    holds: Holds::PointsAndPictures,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: |sample, selection| matches!(sample.value, Value::Image(_)) || takes::points(sample, selection),
    instead: takes::no_advice,
    open: |out, opening| {
        let scans = Scans::of(opening);
        Ok(Box::new(E57 { scans, ..E57::new(out) }))
    },
};

/// Writes each cloud as a separate scan, and images beside them.
///
/// - Coordinates stay 32-bit floats in metres in the frame of the sample. A scan has a pose if earlier transforms or
///   odometry placed its frame. These are not stored otherwise and count as left out.
/// - Points that are not finite are stored at 0, marked invalid.
/// - Intensity is the sensor's number; the limits are 0 to 255 unless values exceed them.
/// - Time stamps of points are seconds since the start of the scan, which has a date for the Unix and GPS clocks; the
///   scan's description names the clock. Leap seconds are counted.
/// - Return numbers count from 0 and are below the number of returns. Ring and tag are extension fields, `robolog:ring`
///   and `robolog:tag`, which readers may ignore.
/// - Images are visual references, as JPEG or PNG; raw pixels become PNG.
///
/// Scan descriptions (about 4 kB each) stay in memory because they are written at the end. Beyond 12 000 scans and
/// images the rest is left out, with a warning.
///
/// GUIDs are derived from the content and there is no creation date, so the same samples give the same bytes.
pub struct E57<W: Write + Seek> {
    /// The target, until the first sample.
    out: Option<W>,
    file: Option<OpenFile<W>>,
    poses: Poses,
    entries: u32,
    beyond: u64,
    scans: Scans,
}

struct OpenFile<W: Write + Seek> {
    pages: Pages<W>,
    writer: E57Writer<Pages<W>>,
}

/// Maximum number of scans and images in a file.
const MAX_ENTRIES: u32 = 12_000;

/// URL of the extension's namespace. It need not resolve.
const URL: &str = "https://docs.rs/robolog-convert/e57";

impl<W: Write + Seek> E57<W> {
    /// Creates a file on `out`, which must be at its beginning.
    pub fn new(out: W) -> Self {
        Self {
            out: Some(out),
            file: None,
            poses: Poses::default(),
            entries: 0,
            beyond: 0,
            scans: Scans::default(),
        }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        let mut out = match (self.out, self.file) {
            (Some(out), _) => out,
            (None, Some(OpenFile { pages, mut writer })) => {
                writer.finalize().map_err(failed)?;
                drop(writer);
                pages.into_inner()?
            }
            (None, None) => return Err(Error::Target(Reason::Lost("E57"))),
        };
        out.flush()?;
        Ok(out)
    }

    /// Begins a scan or image and returns its GUID. `None` if the file is full.
    fn begin(&mut self, sample: &Sample) -> Result<Option<(&mut OpenFile<W>, String)>> {
        if self.entries >= MAX_ENTRIES {
            self.beyond += 1;
            return Ok(None);
        }
        if let Some(out) = self.out.take() {
            let pages = Pages::new(out);
            let mut writer = E57Writer::new(pages.share(), &guid("file", 0, sample)).map_err(failed)?;
            writer.register_extension(Extension::new(NAMESPACE, URL)).map_err(failed)?;
            self.file = Some(OpenFile { pages, writer });
        }
        let guid = guid(sample.value.kind(), self.entries, sample);
        self.entries += 1;
        let Some(file) = &mut self.file else {
            return Err(Error::Target(Reason::Lost("E57")));
        };
        file.pages.begin_section()?;
        Ok(Some((file, guid)))
    }

    fn scan(&mut self, sample: &Sample, cloud: &PointCloud) -> Result<Outcome> {
        if cloud.is_empty() {
            return Ok(Outcome::Written);
        }
        if !cloud.is_consistent() {
            return Err(Error::Target(Reason::UnevenCloud));
        }
        let pose = self.poses.of(&sample.frame_id);
        let Some((file, guid)) = self.begin(sample)? else { return Ok(Outcome::LeftOut) };
        let fields = Fields::of(cloud);
        let mut scan = file.writer.add_pointcloud(&guid, fields.prototype(cloud)).map_err(failed)?;
        scan.set_name(Some(text(&sample.channel)));
        scan.set_description(Some(description(sample)));
        scan.set_transform(pose);
        if let Some((start, end)) = scan::dates(cloud, sample.time) {
            scan.set_acquisition_start(Some(start));
            scan.set_acquisition_end(Some(end));
        }
        for i in 0..cloud.len() {
            scan.add_point(fields.values(cloud, i)).map_err(failed)?;
        }
        scan.finalize().map_err(failed)?;
        Ok(Outcome::Written)
    }

    fn image(&mut self, sample: &Sample, image: &Image) -> Result<Outcome> {
        let packed;
        let (format, mut data) = match image.encoding {
            Encoding::Jpeg => (ImageFormat::Jpeg, &*image.data),
            Encoding::Png => (ImageFormat::Png, &*image.data),
            _ => match png(image) {
                Some(bytes) => {
                    packed = bytes;
                    (ImageFormat::Png, &*packed)
                }
                None => return Ok(Outcome::LeftOut),
            },
        };
        let pose = self.poses.of(&sample.frame_id);
        let Some((file, guid)) = self.begin(sample)? else { return Ok(Outcome::LeftOut) };
        let mut entry = file.writer.add_image(&guid).map_err(failed)?;
        entry.set_name(&text(&sample.channel));
        entry.set_description(&description(sample));
        if let Some(pose) = pose {
            entry.set_transform(pose);
        }
        if let Some((date, _)) = scan::dates(&PointCloud::default(), sample.time) {
            entry.set_acquisition(date);
        }
        let size = VisualReferenceImageProperties { width: image.width, height: image.height };
        entry.add_visual_reference(format, &mut data, size, None).map_err(failed)?;
        entry.finalize().map_err(failed)?;
        Ok(Outcome::Written)
    }
}

impl<W: Write + Seek> Sink for E57<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        match &sample.value {
            Value::PointCloud(cloud) => self.scan(sample, cloud),
            Value::Image(image) => self.image(sample, image),
            _ => {
                self.poses.note(sample);
                Ok(Outcome::LeftOut)
            }
        }
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        let why = "an E57 file here has 12000 scans and images";
        Ok(Vec::from_iter(Note::unfit(self.beyond, "sample", why)))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write + Seek> fmt::Debug for E57<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("E57").field("entries", &self.entries).finish_non_exhaustive()
    }
}

fn failed(error: ::e57::Error) -> Error {
    Error::Write(std::io::Error::other(error))
}

/// Text that is safe inside XML's CDATA brackets.
fn text(text: &str) -> String {
    let text = Escaped(text.as_bytes()).to_string().replace("]]>", "]] >");
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn description(sample: &Sample) -> String {
    let frame = text(&sample.frame_id);
    match sample.time {
        Some(time) => format!("frame {frame}, {} clock, {time}", time.clock()),
        None => format!("frame {frame}, without a time"),
    }
}

/// Encodes raw pixels as PNG; `None` if their number is wrong.
fn png(image: &Image) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    pixels::write(image, &mut bytes).ok()?.then_some(bytes)
}

/// Derives a GUID from the content: version 8 of RFC 9562, by 128-bit FNV-1a.
fn guid(kind: &str, number: u32, sample: &Sample) -> String {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    };
    add(kind.as_bytes());
    add(&number.to_le_bytes());
    add(&sample.offset.to_le_bytes());
    add(sample.channel.as_bytes());
    add(sample.time.map_or(0, Timestamp::nanos).to_le_bytes().as_slice());
    match &sample.value {
        Value::PointCloud(cloud) => {
            add(&(cloud.len() as u64).to_le_bytes());
            if let Some((low, high)) = cloud.bounds() {
                low.into_iter().chain(high).for_each(|v| add(&v.to_le_bytes()));
            }
        }
        Value::Image(image) => add(image.data.get(..4096).unwrap_or(&image.data)),
        _ => {}
    }
    let version = hash & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let hex = format!("{version:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| hex.part(range));
    format!("{{{}}}", parts.join("-"))
}
