//! Notes on recordings and targets.

use crate::Advice;

/// Something that users should know of a recording or its output. Not a fault, but it may be a loss.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// A time warp multiplied the date of a MOOS log, and the factor is unknown.
    #[error(
        "LOGSTART is after the year 2096: a time warp of unknown factor multiplied it; times count from the start of \
         the log"
    )]
    UnknownWarp,
    /// A MOOS log begins after today.
    #[error("LOGSTART is after today: a time warp may have multiplied it, or the logger's clock was wrong")]
    Future,
    /// A MOOS log of a mission that ran faster than real time.
    #[error("time warp {factor}: times are real time; the mission's clock ran {factor} times as fast")]
    TimeWarp {
        /// Seconds of the mission in a second.
        factor: f64,
    },
    /// Clocks that got the date after the start of the recording.
    #[error("the clocks of {devices} LiDARs got the date late: earlier stamps continue them backwards")]
    LateClock {
        /// Number of devices.
        devices: usize,
    },
    /// Undamaged records cannot be decoded.
    #[error("{what} cannot be read: {why}")]
    Undecodable {
        /// Kind of the records.
        what: &'static str,
        /// Reason.
        why: &'static str,
    },
    /// Points placed with the calibration of another unit of the sensor.
    #[error(
        "no calibration for this {model}: points use that of another sensor, and may be off by up to some metres"
    )]
    StandIn {
        /// Model of the sensor.
        model: &'static str,
    },
    /// Two halves of an inertial sensor were joined into samples of both.
    #[error("acc and gyro are joined into imu: a sample has both")]
    JoinedImu,
    /// Second returns equal to the first were left out.
    #[error("shots with two equal returns give one point")]
    MergedReturns,
    /// Samples missing from some rows of a wide table.
    #[error(
        "{} came more than a minute out of order, or more than an hour from all others: not in earlier rows",
        counted(*samples, "sample")
    )]
    Late {
        /// Number of them.
        samples: u64,
    },
    /// Size of a wide table.
    #[error("the table has {rows} rows and {columns} columns")]
    WideRows {
        /// Rows; one for each tick.
        rows: u64,
        /// Columns without the time.
        columns: u64,
    },
    /// Long texts are not repeated in each row of a wide table.
    #[error("texts longer than 200 bytes are not repeated: those of {channels} channels are in one row each")]
    LongTexts {
        /// Number of channels with such texts.
        channels: u64,
    },
    /// Longitudes that count from 0 to 360 degrees.
    #[error("{} from 180 to 360 degrees: read as west of Greenwich", counted(*count, "longitude"))]
    Wrapped {
        /// Number of them.
        count: u64,
    },
    /// Filler points in the target that are not in the recordings.
    #[error(
        "{points} points at the origin fill packages up: packages of LVX 1.1 have a fixed size, and such points mean \
         shots without a return"
    )]
    Filled {
        /// Number of them.
        points: u64,
    },
    /// Something that samples say and that the target, by its nature, cannot hold.
    #[error("{} of {}", what.replace('_', " "), counted(*count, of))]
    Lacking {
        /// Number of samples, or of channels, that have it.
        count: u64,
        /// What it is.
        what: &'static str,
        /// The kind of the samples, or `channel`.
        of: &'static str,
    },
    /// Samples or values of a kind that the target holds, but which do not fit.
    #[error("left out {}: {why}", counted(*count, what))]
    Unfit {
        /// Number of them.
        count: u64,
        /// Their kind, or a noun.
        what: &'static str,
        /// Reason.
        why: &'static str,
    },
    /// The cells of a voxel grid over a whole file did not fit into memory.
    #[error(
        "the memory for voxels holds {most} cells and was cleared {times} times: some cells have more than one point"
    )]
    CellsForgotten {
        /// Maximum number of cells.
        most: usize,
        /// Number of times.
        times: u64,
    },
    /// Placed points are relative to another origin than that of their frame.
    #[error(
        "the trajectory goes more than 8 km from its origin: coordinates count from {}, {}, {} m, because 32-bit floats \
         would round them",
        by[0], by[1], by[2]
    )]
    Shifted {
        /// The new origin in the frame of the trajectory, metres.
        by: [i64; 3],
    },
}

impl Note {
    /// Note that `count` were left out; `None` for zero.
    pub fn unfit(count: u64, what: &'static str, why: &'static str) -> Option<Self> {
        (count > 0).then_some(Self::Unfit { count, what, why })
    }

    /// Note on longitudes beyond 180 degrees; `None` for zero.
    pub fn wrapped(count: u64) -> Option<Self> {
        (count > 0).then_some(Self::Wrapped { count })
    }

    /// Merges the notes of several files.
    pub fn sums(notes: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut sums: Vec<Self> = Vec::new();
        for note in notes {
            let sum = sums.iter_mut().find_map(|sum| match (sum, note) {
                (Self::Late { samples: sum }, Self::Late { samples: more })
                | (Self::Filled { points: sum }, Self::Filled { points: more })
                | (Self::Wrapped { count: sum }, Self::Wrapped { count: more }) => Some((sum, more)),
                (
                    Self::Unfit { count: sum, what, why },
                    Self::Unfit { count: more, what: other, why: reason },
                ) if *what == other && *why == reason => Some((sum, more)),
                (
                    Self::Lacking { count: sum, what, of },
                    Self::Lacking { count: more, what: other, of: others },
                ) if *what == other && *of == others => Some((sum, more)),
                _ => None,
            });
            match sum {
                Some((sum, more)) => *sum = sum.saturating_add(more),
                None => sums.push(note),
            }
        }
        sums
    }

    /// What the caller can do about it, if anything.
    pub const fn advice(self) -> Option<Advice> {
        match self {
            Self::UnknownWarp | Self::Future => Some(Advice::TimeWarp),
            Self::TimeWarp { .. } => Some(Advice::MissionTime),
            Self::StandIn { .. } => Some(Advice::Calibration),
            Self::MergedReturns => Some(Advice::DualReturns),
            Self::CellsForgotten { .. } => Some(Advice::MoreMemory),
            Self::Undecodable { .. }
            | Self::LateClock { .. }
            | Self::JoinedImu
            | Self::Late { .. }
            | Self::WideRows { .. }
            | Self::LongTexts { .. }
            | Self::Filled { .. }
            | Self::Wrapped { .. }
            | Self::Shifted { .. }
            | Self::Lacking { .. }
            | Self::Unfit { .. } => None,
        }
    }

    /// Whether it is about points, so that it does not matter for outputs without points.
    pub const fn is_of_points(self) -> bool {
        matches!(self, Self::StandIn { .. } | Self::MergedReturns)
    }

    /// Whether it tells of something that the target cannot hold.
    pub const fn is_lacking(self) -> bool {
        matches!(self, Self::Lacking { .. })
    }

    /// Whether it is a loss of something that the target can hold.
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Late { .. } | Self::Unfit { .. })
    }
}

/// A number of samples of a kind in words: `1 row`, `19 odometry samples`.
///
/// ```
/// assert_eq!(robolog_sinks::counted(3, "gnss_fix"), "3 GNSS fixes");
/// ```
pub fn counted(n: u64, kind: &str) -> String {
    let (name, plural) = match kind {
        "gnss_fix" => ("GNSS fix", "es"),
        "imu" => ("IMU sample", "s"),
        "odometry" => ("odometry sample", "s"),
        "satellites" => ("satellite list", "s"),
        kind => (kind, "s"),
    };
    format!("{n} {}{}", name.replace('_', " "), if n == 1 { "" } else { plural })
}
