//! What a user should know of a recording.

use crate::Advice;

/// What a user should know of a recording, though nothing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// A time warp multiplied the date of a MOOS log, and nothing says which.
    #[error(
        "LOGSTART lies beyond the year 2096: a time warp multiplied it, and nothing says which; times count from the \
         start of the log"
    )]
    UnknownWarp,
    /// The content of whole records cannot be decoded.
    #[error("{what} cannot be read: {why}")]
    Undecodable {
        /// Of which records.
        what: &'static str,
        /// Why.
        why: &'static str,
    },
    /// Points of a sensor that has a calibration of its own, placed by another one's.
    #[error(
        "the {model}'s own calibration is not at hand: points are placed by that of another one, and off by up to some metres"
    )]
    StandIn {
        /// The sensor.
        model: &'static str,
    },
    /// Returns that were left out.
    #[error("where both returns of a shot are the same, one is written")]
    MergedReturns,
    /// Samples that are not in all rows of a wide table to which they belong.
    #[error(
        "{samples} samples came more than a minute after later ones, or lie alone more than an hour from all others: \
         the rows before are without them"
    )]
    Late {
        /// How many.
        samples: u64,
    },
    /// The size of a wide table.
    #[error("the table has {rows} rows and {columns} columns")]
    WideRows {
        /// Rows, of which each is a tick.
        rows: u64,
        /// Columns beside the time.
        columns: u64,
    },
    /// Texts that are not repeated in each row of a wide table.
    #[error(
        "texts of more than 200 bytes are not repeated: those of {channels} channels stand in one row each"
    )]
    LongTexts {
        /// Of how many channels.
        channels: u64,
    },
    /// Points that the target has beyond those of the recordings.
    #[error(
        "{points} points at the origin fill up packages: LVX 1.1 has packages of a fixed size, and such points stand for \
         shots without a return"
    )]
    Filled {
        /// How many.
        points: u64,
    },
    /// What the target takes as a kind, and could not take all the same.
    #[error("left out {count} {what}: {why}")]
    Unfit {
        /// How many.
        count: u64,
        /// Samples or values of which kind, in the plural.
        what: &'static str,
        /// Why.
        why: &'static str,
    },
    /// The cells of a voxel grid over a whole file did not fit into memory.
    #[error(
        "more than {most} cells do not fit into the memory for voxels and were forgotten {times} times: cells that were met \
         again have more than one point"
    )]
    CellsForgotten {
        /// As many as are held.
        most: usize,
        /// How often.
        times: u64,
    },
    /// Placed points count from elsewhere than the origin of their frame.
    #[error(
        "the trajectory leads further than 8 km from its origin: coordinates count from {}, {}, {} m, for 32-bit floats \
         would round them",
        by[0], by[1], by[2]
    )]
    Shifted {
        /// From where in the frame of the trajectory, metres.
        by: [i64; 3],
    },
}

impl Note {
    /// That so many were left out; none of no samples.
    pub(crate) fn unfit(count: u64, what: &'static str, why: &'static str) -> Option<Self> {
        (count > 0).then_some(Self::Unfit { count, what, why })
    }

    /// Those of several files as of one.
    pub(crate) fn sums(notes: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut sums: Vec<Self> = Vec::new();
        for note in notes {
            let sum = sums.iter_mut().find_map(|sum| match (sum, note) {
                (Self::Late { samples: sum }, Self::Late { samples: more })
                | (Self::Filled { points: sum }, Self::Filled { points: more }) => Some((sum, more)),
                (
                    Self::Unfit { count: sum, what, why },
                    Self::Unfit { count: more, what: other, why: reason },
                ) if *what == other && *why == reason => Some((sum, more)),
                _ => None,
            });
            match sum {
                Some((sum, more)) => *sum = sum.saturating_add(more),
                None => sums.push(note),
            }
        }
        sums
    }

    /// What a caller could do about it, if anything.
    pub const fn advice(self) -> Option<Advice> {
        match self {
            Self::UnknownWarp => Some(Advice::TimeWarp),
            Self::StandIn { .. } => Some(Advice::Calibration),
            Self::MergedReturns => Some(Advice::DualReturns),
            Self::CellsForgotten { .. } => Some(Advice::MoreMemory),
            Self::Undecodable { .. }
            | Self::Late { .. }
            | Self::WideRows { .. }
            | Self::LongTexts { .. }
            | Self::Filled { .. }
            | Self::Shifted { .. }
            | Self::Unfit { .. } => None,
        }
    }

    /// Whether it is about points, and nothing to who takes none.
    pub(super) const fn is_of_points(self) -> bool {
        matches!(self, Self::StandIn { .. } | Self::MergedReturns)
    }

    /// Whether something is lost that the target takes.
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Late { .. } | Self::StandIn { .. } | Self::Unfit { .. })
    }
}
