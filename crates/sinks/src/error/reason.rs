//! Why a conversion is refused, or writes nothing.

use std::path::PathBuf;

use robolog_core::Clock;

use super::Advice;
use crate::{Epsg, McapSchema, Note, places::Fit};

/// Why a conversion is refused, or writes nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The target holds one trajectory, but a file would get several.
    #[error("a {target} file holds the trajectory of one channel")]
    OneTrajectory {
        /// Name of the target.
        target: &'static str,
    },
    /// Hive's layout needs Parquet or Arrow files with one channel or kind each.
    #[error("Hive's layout has Parquet or Arrow files, one for each channel or kind")]
    Hive,
    /// The target is not a table, so it cannot be wide.
    #[error("{target} cannot hold a wide table: csv, parquet, arrow, jsonl and mcap can")]
    NoWideTable {
        /// Name of the target.
        target: &'static str,
    },
    /// Only tables have columns derived from poses.
    #[error("yaw, speed and distance are columns of tables (csv, parquet, arrow), not of {target}")]
    NoDerivedColumns {
        /// Name of the target.
        target: &'static str,
    },
    /// Samples within the longest gap exceed the memory for interpolation.
    #[error("too many values within the longest gap to interpolate")]
    TooMuchToInterpolate,
    /// A ROS 2 bag holds ROS 2 messages only.
    #[error("a ROS 2 bag holds ROS 2 messages only: write schema {0} into a plain MCAP file")]
    BagSchema(McapSchema),
    /// With this warp, a MOOS log begins at a date out of range.
    #[error("LOGSTART {logstart} at a time warp of {warp} is not within 292 years of 1970")]
    TimeWarp {
        /// LOGSTART, as written in the log.
        logstart: String,
        /// The given warp.
        warp: f64,
    },
    /// A folder cannot go to standard output.
    #[error("standard output cannot be a folder: name one")]
    FolderToStandardOutput,
    /// Binary data does not go to a terminal.
    #[error("binary data is not written to a terminal: name a file")]
    Terminal,
    /// The new folder could not replace the former one, nor could that be restored.
    #[error("the old folder is now {}", .0.display())]
    FormerFolder(PathBuf),
    /// The text is not a list of transforms.
    #[error("transforms: {0}")]
    Transforms(String),
    /// The input is a data set, not one recording.
    #[error("a data set has many files: give one of them")]
    DataSet,
    /// Too many recordings to merge by time.
    #[error("more than {most} recordings at a time: merge some first")]
    TooManyRecordings {
        /// Maximum number.
        most: usize,
    },
    /// The clocks of two recordings cannot be compared.
    #[error("{} has {} time, and {} has {} time", .first.0, .first.1, .second.0, .second.1)]
    Clocks {
        /// One recording and its clock.
        first: (String, Clock),
        /// The other recording and its clock.
        second: (String, Clock),
    },
    /// The other thread of the conversion failed first.
    #[error("the conversion was stopped")]
    GivenUp,
    /// Each file of this kind needs memory or temporary files of its own.
    #[error("more than {most} {what} files at a time {problem}")]
    TooManyFiles {
        /// Their kind.
        what: &'static str,
        /// Maximum number.
        most: usize,
        /// The problem with more.
        problem: &'static str,
        /// Advice.
        advice: Advice,
    },
    /// The table has more columns than 32 bits can count.
    #[error("too many columns for a table")]
    TooManyColumns,
    /// A value is too long for a cell.
    #[error("a table cannot hold a value of {bytes} bytes")]
    LongValue {
        /// Its length in bytes.
        bytes: usize,
    },
    /// A row does not match the columns of its table.
    #[error("a row does not fit the columns of its table")]
    StrayRow,
    /// The columns of a point cloud differ in length.
    #[error("a point cloud has columns of different lengths")]
    UnevenCloud,
    /// Compressed PCD counts its bytes in 32 bits.
    #[error("binary_compressed PCD holds at most 4 GiB, these points take {bytes} bytes")]
    PcdSize {
        /// Their uncompressed size.
        bytes: u64,
    },
    /// LAS 1.2 counts its points in 32 bits.
    #[error("LAS 1.2 holds fewer than 2^32 points")]
    LasPoints,
    /// EPSG has no system with this code.
    #[error("{0} is unknown")]
    UnknownCrs(Epsg),
    /// The system is not projected.
    #[error("{0} is not a projected system in metres: choose a UTM zone, for example")]
    UnprojectedCrs(Epsg),
    /// Points cannot be converted to this system.
    #[error("{0} is not a transverse Mercator projection of a known datum: choose a UTM zone, for example")]
    NoMercator(Epsg),
    /// Points are relative to their sensor, whose place is unknown.
    #[error("points are relative to their sensor: {0} needs the position of their origin on Earth")]
    CrsWithoutOrigin(Epsg),
    /// Transforms were given, but the target cannot hold them.
    #[error("{target} cannot hold transforms, and moves no points by them")]
    NoTransforms {
        /// Name of the target.
        target: &'static str,
    },
    /// The writer failed earlier, and the target was lost with it.
    #[error("the {0} file could not be started")]
    Lost(&'static str),
    /// The library that writes or reads the file refused.
    #[error("{what}: {message}")]
    Library {
        /// The kind of file.
        what: &'static str,
        /// The message of the library.
        message: String,
    },
    /// The writer of the target's format refused.
    #[error("{0}")]
    Writer(String),
    /// The recording is damaged before its first sample.
    #[error("{0}")]
    Damage(String),
    /// All clouds and scans are empty.
    #[error("{0} without a point")]
    NoPoints(String),
    /// The target cannot hold any of the samples.
    #[error("the target cannot hold {kinds}")]
    NoPlace {
        /// Counts of samples by kind.
        kinds: String,
        /// Advice, if any.
        advice: Option<Advice>,
    },
    /// No time is comparable with the limits.
    #[error("the times of {0} samples cannot be compared with the limits")]
    NoTime(u64),
    /// A note about the recording explains it.
    #[error("{0}")]
    Note(Note),
    /// No sample is within the limits.
    #[error("no sample is within the limits")]
    OutsideLimits,
    /// The recording contains no tick of a wide table at this rate, in hertz.
    #[error("no row of a table at {0} Hz falls within the recording")]
    NoTick(String),
    /// The chosen channels have one sample at most each: no row can be made of them.
    #[error("the chosen channels have one sample each, too few for rows at {0} Hz")]
    OneSampleEach(String),
    /// The recording has no samples.
    #[error("no samples")]
    NoSamples,
    /// The capture holds no recording.
    #[error("{0}")]
    Capture(String),
    /// The log has no Velodyne packets.
    #[error("no Velodyne packet within the limits")]
    NoVelodyne,
    /// The steps of the plan removed everything.
    #[error("no point is left: removed {0}")]
    AllRemoved(String),
    /// A step needs a column that the points lack.
    #[error("{step}: the points of {channel} have no {column}")]
    NoColumn {
        /// Name of the step.
        step: &'static str,
        /// Channel of the points.
        channel: String,
        /// Name of the column.
        column: &'static str,
    },
    /// The trajectory cannot be used.
    #[error("trajectory: {0}")]
    Trajectory(String),
    /// The trajectory exceeds its memory.
    #[error("trajectory: more than {most} poses do not fit into memory")]
    TooManyPoses {
        /// Maximum number of poses.
        most: usize,
    },
    /// The clocks of points and trajectory cannot be compared.
    #[error("the points of {channel} have {points} time, and the trajectory has {poses} clock")]
    TrajectoryClock {
        /// Channel of the points.
        channel: String,
        /// Clock of the points.
        points: Clock,
        /// Clock of the trajectory.
        poses: &'static str,
    },
    /// The given transforms lack the mount of this sensor.
    #[error("trajectory: no transform from the points' frame {frame} to {body}; known frames: {known}")]
    NoMount {
        /// Frame of the points.
        frame: String,
        /// The body.
        body: String,
        /// Frames with a known mount.
        known: String,
    },
    /// Local and global positions of the same moments fit no origin.
    #[error(
        "no origin fits both its local positions and its latitudes and longitudes: {} pairs are {:.1} m apart (root mean square)",
        .0.pairs, .0.rms
    )]
    NoOriginFits(Fit),
    /// The user must choose something, or choose otherwise.
    #[error("{0}")]
    Choose(String),
    /// A reason of a program or target outside this crate.
    #[error("{0}")]
    Other(String),
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        Self::Other(text.to_owned())
    }
}

impl Reason {
    /// Advice, if any.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::OneTrajectory { .. } => Some(Advice::FilePerChannel),
            Self::Hive => Some(Advice::FilePerGroup),
            Self::TooMuchToInterpolate => Some(Advice::ShorterGap),
            Self::TooManyPoses { .. } => Some(Advice::MemoryForPoses),
            Self::TrajectoryClock { .. } => Some(Advice::ClockOffset),
            Self::Clocks { .. } => Some(Advice::SayClock),
            Self::TooManyFiles { advice, .. } => Some(*advice),
            Self::TimeWarp { .. } => Some(Advice::TimeWarp),
            Self::PcdSize { .. } => Some(Advice::PlainPcdOrFrames),
            Self::LasPoints => Some(Advice::Las14),
            Self::CrsWithoutOrigin(_) => Some(Advice::PlaceOrigin),
            Self::NoTransforms { .. } => Some(Advice::WriteAs("mcap")),
            Self::NoTick(_) | Self::OneSampleEach(_) => Some(Advice::NarrowTable),
            Self::NoPlace { advice, .. } => *advice,
            _ => None,
        }
    }
}
