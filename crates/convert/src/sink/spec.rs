//! What a target says of itself. Everything else about targets is read from here.

use std::{
    fmt,
    io::{Seek, Write},
};

use robolog_core::{Encoding, Sample, Value};

use super::{
    api::Sink,
    derive::Derive,
    gather::Gather,
    opening::{Channels, Opening},
    options::TableOptions,
    selection::Selection,
    wide::Wide,
};
use crate::{Advice, Error, Reason, Result};

/// A format that samples can be written in.
///
/// Each sink has a `static` of its own, and [`targets::ALL`](crate::targets::ALL) lists them. A program can convert into
/// a target of its own in the same way.
///
/// ```
/// use robolog_convert::{Feed, Input, Opening, convert, targets};
/// # let out = std::io::Cursor::new(Vec::new());
/// let target = targets::by_name("csv")?;
/// let mut sink = target.open(out, &Opening::default())?;
/// convert(vec![Feed::new(Input::open("examples/room.lvx")?)], &mut *sink, &mut |_| {})?;
/// sink.finish()?;
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TargetSpec {
    /// What people call it: its usual extension unless several formats share that.
    pub name: &'static str,
    /// The extensions of its files, without the dot; the usual one first.
    pub extensions: &'static [&'static str],
    /// What it is, in half a line.
    pub about: &'static str,
    /// What a file of it holds.
    pub holds: Holds,
    /// What it asks of a recording, and of what writes its files.
    pub needs: &'static [Need],
    /// Whether a file has a place for a sample.
    pub takes: fn(&Sample, Selection) -> bool,
    /// What to do about a sample that it does not take, where [`TargetSpec::advice`] knows nothing.
    pub instead: fn(&Sample) -> Option<Advice>,
    /// Makes a sink on an empty file.
    pub open: Open,
}

/// Makes a sink on an empty file.
pub type Open = fn(Box<dyn WriteSeek>, &Opening) -> Result<Box<dyn Sink>>;

/// What a target is written to.
pub trait WriteSeek: Write + Seek {}

impl<W: Write + Seek> WriteSeek for W {}

/// What a file of a target holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// All kinds of values.
    Anything,
    /// What messages of the format have a place for.
    Messages,
    /// Point clouds.
    Points,
    /// Point clouds and images.
    PointsAndPictures,
    /// Point clouds and inertial measurements.
    PointsAndImu,
    /// Rows of text.
    Table,
    /// Columns in binary, which name types and units. The file is complete only when its end is written.
    Columns,
    /// The poses of one channel.
    Trajectory,
    /// Poses of many channels.
    Trajectories,
    /// GNSS fixes.
    Fixes,
    /// A picture.
    Pictures,
}

/// What a target asks of a recording, and of what writes its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Dates: the file has no place for times that count from a start.
    Dates,
    /// All points in one frame, for the file mixes those of several devices.
    OneFrame,
    /// When the recording begins, before the first sample.
    Start,
    /// A document with the units of its columns beside the file.
    Units,
    /// Clouds without a point too.
    EmptyClouds,
    /// In a folder with a file a frame, the times and poses of the frames beside them.
    Poses,
}

impl TargetSpec {
    /// The extension that its files usually have.
    pub fn extension(&self) -> &'static str {
        self.extensions.first().copied().unwrap_or(self.name)
    }

    /// The extension of a file that begins with `sample`: of a picture, that of its encoding.
    pub fn extension_of(&self, sample: &Sample) -> &'static str {
        let picture = match &sample.value {
            Value::Image(image) if image.encoding == Encoding::Jpeg => "jpg",
            Value::Image(_) => "png",
            _ => return self.extension(),
        };
        if self.extensions.contains(&picture) { picture } else { self.extension() }
    }

    /// Whether it needs this.
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// What a caller could do so that `sample`, which it does not take, has a place.
    pub fn advice(&self, sample: &Sample) -> Option<Advice> {
        match sample.value {
            Value::LaserScan(_) if self.holds.points() => Some(Advice::ScanPoints),
            _ if (self.takes)(sample, Selection::Channels) => Some(Advice::ChooseChannels),
            _ => (self.instead)(sample),
        }
    }

    /// A sink on `out`, which must be empty and at its beginning.
    ///
    /// Fails when a wide table or derived columns are asked for, and the target cannot hold such.
    pub fn open(&self, out: impl Write + Seek + 'static, opening: &Opening) -> Result<Box<dyn Sink>> {
        let TableOptions { wide, derived, .. } = &opening.options.tables;
        let is_table = matches!(self.holds, Holds::Table | Holds::Columns);
        if let Some(wide) = wide {
            if !is_table && self.holds != Holds::Anything {
                return Err(Error::Target(Reason::NoWideTable { target: self.name }));
            }
            let (selection, channels) = (Selection::Channels, Channels::Named);
            let opening = Opening { selection, channels, ..opening.clone() };
            let sink = (self.open)(Box::new(out), &opening)?;
            let sink = if is_table { sink } else { Gather::around(sink, self.takes, &opening) };
            return Ok(Derive::around_wide(Box::new(Wide::around(sink, *wide)), derived));
        }
        let sink = (self.open)(Box::new(out), opening)?;
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
    /// Whether it holds point clouds, and so laser scans as points.
    pub const fn points(self) -> bool {
        matches!(self, Self::Points | Self::PointsAndPictures | Self::PointsAndImu)
    }
}

/// As a reason why a target does not hold something else.
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
            Self::Fixes => "holds GNSS fixes only",
            Self::Pictures => "holds pictures only",
        })
    }
}
