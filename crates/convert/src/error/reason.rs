//! Why a conversion is refused, or writes nothing.

use std::path::PathBuf;

use robolog_core::Clock;

use super::Advice;
use crate::{
    places::Fit,
    report::Note,
    sink::{Epsg, McapSchema},
};

/// Why a conversion cannot be done, or nothing came of it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The target holds one trajectory, and a file would have several.
    #[error("a {target} file holds the trajectory of one channel")]
    OneTrajectory {
        /// The target's name.
        target: &'static str,
    },
    /// Hive's layout is one of Parquet and Arrow files that hold a channel or a kind each.
    #[error("the layout of Hive is for Parquet and Arrow files, one for each channel or kind")]
    Hive,
    /// A wide table is one of rows.
    #[error("{target} holds no wide table: csv, parquet, arrow, jsonl and mcap do")]
    NoWideTable {
        /// The target's name.
        target: &'static str,
    },
    /// Only tables have columns that are derived of poses.
    #[error("yaw, speed and distance are columns of tables (csv, parquet, arrow), not of {target}")]
    NoDerivedColumns {
        /// The target's name.
        target: &'static str,
    },
    /// What lies within the longest gap is held in memory.
    #[error("too many values lie within the longest gap to interpolate them")]
    TooMuchToInterpolate,
    /// A bag of ROS 2 holds no other messages.
    #[error(
        "a bag of ROS 2 holds the messages of ROS 2: the schema {0} goes into an MCAP file without a bag"
    )]
    BagSchema(McapSchema),
    /// By this warp, a MOOS log begins beyond all dates.
    #[error("LOGSTART {logstart} by a time warp of {warp} is no date within 292 years of 1970")]
    TimeWarp {
        /// What entries count from, as the log has it.
        logstart: String,
        /// The warp that was given.
        warp: f64,
    },
    /// Standard output is a file.
    #[error("standard output cannot be a folder: name one")]
    FolderToStandardOutput,
    /// Standard output is a terminal.
    #[error("binary data does not go to a terminal: name a file")]
    Terminal,
    /// The new folder could not take the place of the former one, nor that its own again.
    #[error("the former folder is {} now", .0.display())]
    FormerFolder(PathBuf),
    /// The text holds no transforms.
    #[error("transforms: {0}")]
    Transforms(String),
    /// The input is a data set, where one recording is asked for.
    #[error("a data set of many files: give one of them")]
    DataSet,
    /// More recordings than can be put in order of time at once.
    #[error("more than {most} recordings at a time: merge some first")]
    TooManyRecordings {
        /// As many as can be.
        most: usize,
    },
    /// Times of two recordings do not compare.
    #[error("{} counts {} time and {} {} time", .first.0, .first.1, .second.0, .second.1)]
    Clocks {
        /// A recording and its clock.
        first: (String, Clock),
        /// The other.
        second: (String, Clock),
    },
    /// The other side of a conversion failed first.
    #[error("the conversion was given up")]
    GivenUp,
    /// Each file of this kind needs memory or temporary files of its own.
    #[error("more than {most} {what} files at a time {problem}")]
    TooManyFiles {
        /// What they are.
        what: &'static str,
        /// As many as can be.
        most: usize,
        /// What stands against more.
        problem: &'static str,
        /// What to do about it.
        advice: Advice,
    },
    /// A table with more columns than 32 bits count.
    #[error("a table of too many columns")]
    TooManyColumns,
    /// A value is longer than a cell can be.
    #[error("a table cannot hold a value of {bytes} bytes")]
    LongValue {
        /// Its length.
        bytes: usize,
    },
    /// A row does not fit the columns that were made for it.
    #[error("a row has no place in its own table")]
    StrayRow,
    /// The columns of a point cloud are not all as long as its coordinates.
    #[error("a point cloud has columns of different lengths")]
    UnevenCloud,
    /// Compressed PCD counts its bytes in 32 bits.
    #[error("binary_compressed PCD holds at most 4 GiB, these points take {bytes} bytes")]
    PcdSize {
        /// What they take uncompressed.
        bytes: u64,
    },
    /// LAS 1.2 counts its points in 32 bits.
    #[error("LAS 1.2 holds fewer than 2^32 points")]
    LasPoints,
    /// The register has no system of this number.
    #[error("{0} is not known")]
    UnknownCrs(Epsg),
    /// Points cannot lie in this system.
    #[error("{0} is no projected system in metres, in which points can lie: choose a UTM zone or the like")]
    UnprojectedCrs(Epsg),
    /// Points cannot be moved into this system.
    #[error(
        "{0} is no transverse Mercator of a datum whose place on Earth is known: choose a UTM zone or the like"
    )]
    NoMercator(Epsg),
    /// Points lie around their sensor, and nothing says where that is.
    #[error("points lie around their sensor, and so not in {0} before their origin has a place on Earth")]
    CrsWithoutOrigin(Epsg),
    /// Transforms were given for a target that does not hold them.
    #[error("{target} has no place for transforms, and moves no points by them")]
    NoTransforms {
        /// The target's name.
        target: &'static str,
    },
    /// What writes the file failed before, and the target was lost with it.
    #[error("the {0} file could not be begun")]
    Lost(&'static str),
    /// What writes or reads the file refused.
    #[error("{what}: {message}")]
    Library {
        /// What was written.
        what: &'static str,
        /// What is wrong with it.
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
    /// The target has no place for any of the samples.
    #[error("the target cannot hold {kinds}")]
    NoPlace {
        /// How many of which kinds.
        kinds: String,
        /// What to do about it, if anything.
        advice: Option<Advice>,
    },
    /// No time compares with the limits that were set.
    #[error("{0} samples have no time that compares with the limits")]
    NoTime(u64),
    /// The recording explains it.
    #[error("{0}")]
    Note(Note),
    /// The limits let nothing through.
    #[error("no sample is within the limits")]
    OutsideLimits,
    /// No row of a wide table at this rate, in hertz, lies within the recording.
    #[error("no tick of a table at {0} Hz lies within the recording")]
    NoTick(String),
    /// The recording has no samples.
    #[error("no samples")]
    NoSamples,
    /// No recording comes of a capture.
    #[cfg(feature = "from-pcap")]
    #[error(transparent)]
    Capture(robolog_capture::NothingToExtract),
    /// The log has no packets of a Velodyne.
    #[error("the log holds no packet of a Velodyne within the limits")]
    NoVelodyne,
    /// The steps between recording and target left nothing.
    #[error("no point is left: removed {0}")]
    AllRemoved(String),
    /// A step goes by a column that the points do not have.
    #[error("{step}: the points of {channel} have no {column}")]
    NoColumn {
        /// The step.
        step: &'static str,
        /// The channel of the points.
        channel: String,
        /// The column.
        column: &'static str,
    },
    /// The trajectory cannot be used.
    #[error("trajectory: {0}")]
    Trajectory(String),
    /// The trajectory takes more memory than is allowed.
    #[error("trajectory: more than {most} poses do not fit into memory")]
    TooManyPoses {
        /// As many as are held.
        most: usize,
    },
    /// Times of points and of a trajectory do not compare.
    #[error("the points of {channel} count {points} time, and the trajectory {poses} clock")]
    TrajectoryClock {
        /// The channel of the points.
        channel: String,
        /// Their clock.
        points: Clock,
        /// That of the trajectory.
        poses: &'static str,
    },
    /// Transforms say where sensors are mounted, but not this one.
    #[error(
        "trajectory: no transform leads from the points' frame {frame} to {body}; there are those of {known}"
    )]
    NoMount {
        /// The frame of the points.
        frame: String,
        /// The body.
        body: String,
        /// The frames whose place is known.
        known: String,
    },
    /// Positions in a local frame and on Earth were given for the same moments, but agree with no origin.
    #[error(
        "its local positions and its latitudes and longitudes agree with no origin: {} pairs are {:.1} m apart (root mean square)",
        .0.pairs, .0.rms
    )]
    NoOriginFits(Fit),
    /// Another reason, of a program or a target outside this crate.
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
    /// What to do about it, if anything.
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
            Self::NoPlace { advice, .. } => *advice,
            _ => None,
        }
    }
}
