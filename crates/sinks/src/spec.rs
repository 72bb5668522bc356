//! Description of a target, from which the rest of the program works.

use std::{
    fmt,
    io::{Seek, Write},
};

use robolog_core::{Encoding, Sample, Value};

use super::{
    api::Sink,
    derive::Derive,
    fidelity::{Fidelity, Lacks},
    gather::{Behind, Gather},
    opening::{Channels, Opening},
    options::TableOptions,
    selection::Selection,
    wide::Wide,
};
use crate::{Advice, Error, Reason, Result};

/// An output format.
///
/// Each sink has its own `static`; `robolog_convert::targets::ALL` lists them. A program can define its own target in
/// the same way.
///
/// ```
/// use robolog_core::{Clock, Sample, Timestamp, Value};
/// use robolog_sinks::{Opening, Selection, csv::CSV, spool::MemoryFile};
/// let time = Some(Timestamp::new(500_000_000, Clock::Relative));
/// let mut sample = Sample::new("DEPTH", Value::Scalar(12.5)).with_time(time);
/// let file = MemoryFile::default();
/// let mut sink = CSV.open(file.clone(), &Opening::from(Selection::Channels))?;
/// sink.write(&mut sample)?;
/// sink.finish()?;
/// let text = String::from_utf8(file.into_bytes()).unwrap();
/// assert_eq!(text, "time_ns,channel,value\n500000000,DEPTH,12.5\n");
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TargetSpec {
    /// Name: the usual extension unless several formats share it.
    pub name: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Description in half a line.
    pub about: &'static str,
    /// Content of a file.
    pub holds: Holds,
    /// What it cannot hold of the samples that it takes.
    pub lacks: Lacks,
    /// Requirements for recordings and for the code that writes files.
    pub needs: &'static [Need],
    /// Whether a file can hold a sample.
    pub takes: fn(&Sample, Selection) -> bool,
    /// Advice for a sample that does not fit, if [`TargetSpec::advice`] has none.
    pub instead: fn(&Sample) -> Option<Advice>,
    /// Creates a sink on an empty file.
    pub open: Open,
}

/// Makes a sink on an empty file.
pub type Open = fn(Box<dyn WriteSeek>, &Opening) -> Result<Box<dyn Sink>>;

/// An output that a target is written to.
pub trait WriteSeek: Write + Seek {}

impl<W: Write + Seek> WriteSeek for W {}

/// Content of a target's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// All kinds of values.
    Anything,
    /// Values that the format has messages for.
    Messages,
    /// Point clouds.
    Points,
    /// Point clouds and images.
    PointsAndPictures,
    /// Point clouds and inertial measurements.
    PointsAndImu,
    /// Rows of text.
    Table,
    /// Binary columns with types and units. The file is complete only once its end is written.
    Columns,
    /// The poses of one channel.
    Trajectory,
    /// Poses of many channels.
    Trajectories,
    /// GNSS fixes, and places, lines and areas on Earth.
    Places,
    /// A picture.
    Pictures,
}

/// Requirements of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Dates: the format cannot store times relative to a start.
    Dates,
    /// All points in one frame, because the file mixes several devices.
    OneFrame,
    /// The start of the recording, before the first sample.
    Start,
    /// A document with the units of the columns beside the file.
    Units,
    /// Clouds without points, too.
    EmptyClouds,
    /// Times and poses beside the files, in a folder with a file per frame.
    Poses,
}

impl TargetSpec {
    /// The usual file extension.
    pub fn extension(&self) -> &'static str {
        self.extensions.first().copied().unwrap_or(self.name)
    }

    /// The extension of a file that begins with `sample`: for a picture, that of its encoding.
    pub fn extension_of(&self, sample: &Sample) -> &'static str {
        let picture = match &sample.value {
            Value::Image(image) if image.encoding == Encoding::Jpeg => "jpg",
            Value::Image(_) => "png",
            _ => return self.extension(),
        };
        if self.extensions.contains(&picture) { picture } else { self.extension() }
    }

    /// Whether the target has this requirement.
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// Advice for keeping `sample`, which the target does not take.
    pub fn advice(&self, sample: &Sample) -> Option<Advice> {
        match sample.value {
            Value::LaserScan(_) if self.holds.points() => Some(Advice::ScanPoints),
            _ if (self.takes)(sample, Selection::Channels) => Some(Advice::ChooseChannels),
            _ => (self.instead)(sample),
        }
    }

    /// Creates a sink on `out`, which must be empty and at its beginning.
    ///
    /// Returns an error if a wide table or derived columns are requested and the target does not support them.
    pub fn open(&self, out: impl Write + Seek + 'static, opening: &Opening) -> Result<Box<dyn Sink>> {
        self.open_as(Box::new(out), opening).map(|sink| Fidelity::around(sink, self.lacks))
    }

    fn open_as(&self, out: Box<dyn WriteSeek>, opening: &Opening) -> Result<Box<dyn Sink>> {
        let TableOptions { wide, derived, .. } = &opening.options.tables;
        let is_table = matches!(self.holds, Holds::Table | Holds::Columns);
        if let Some(wide) = wide {
            if !is_table && self.holds != Holds::Anything {
                return Err(Error::Target(Reason::NoWideTable { target: self.name }));
            }
            let (selection, channels) = (Selection::Channels, Channels::Named);
            let opening = Opening { selection, channels, ..opening.clone() };
            let sink = (self.open)(out, &opening)?;
            let sink = if is_table { sink } else { Gather::around(Behind::Rows(sink), self.takes, &opening) };
            return Ok(Derive::around_wide(Box::new(Wide::around(sink, *wide)), derived));
        }
        let sink = (self.open)(out, opening)?;
        match derived.as_slice() {
            [] => Ok(sink),
            _ if is_table => Ok(Derive::around(sink, derived)),
            _ => Err(Error::Target(Reason::NoDerivedColumns { target: self.name })),
        }
    }
}

impl PartialEq for TargetSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TargetSpec {}

impl Holds {
    /// Whether it holds point clouds, and thus laser scans as points.
    pub const fn points(self) -> bool {
        matches!(self, Self::Points | Self::PointsAndPictures | Self::PointsAndImu)
    }
}

/// The reason why a target cannot hold something else.
impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anything | Self::Messages => "has no place for them",
            Self::Points => "holds points only",
            Self::PointsAndPictures => "holds points and pictures only",
            Self::PointsAndImu => "holds points and IMU samples only",
            Self::Table | Self::Columns => "is a table of one kind",
            Self::Trajectory => "holds one trajectory",
            Self::Trajectories => "holds trajectories only",
            Self::Places => "holds GNSS fixes and features only",
            Self::Pictures => "holds pictures only",
        })
    }
}
