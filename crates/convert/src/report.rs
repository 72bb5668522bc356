//! What a conversion took in and gave out.

use std::{collections::BTreeMap, ops::Range};

#[cfg(feature = "from-effibox")]
use effibox::dataset;
use robolog_core::{ErrorKind, Timestamp, Value, slices::length};

use crate::{Advice, Error, Outcome, Reason, Result, op::Removed};

/// What a conversion took in and gave out.
///
/// ```
/// use robolog_convert::{Feed, Input, PcdData, convert, sink::pcd::Pcd};
/// let input = Input::open("examples/drive.log")?;
/// let mut pcd = Pcd::new(std::io::Cursor::new(Vec::new()), PcdData::Binary);
/// let report = convert(vec![Feed::new(input)], &mut pcd, &mut |_| {})?;
/// assert_eq!((report.records, report.damages), (61, 0));
/// assert!(!report.is_complete()); // points of an HDL-64E without its calibration
/// assert_eq!(report.left_out["imu"].samples, 40); // a PCD holds points only
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Records read.
    pub records: u64,
    /// What was written, by kind of value.
    pub written: BTreeMap<&'static str, Count>,
    /// What the target cannot hold, by kind of value: samples, and the values of those and of others, of which a
    /// part is written.
    pub left_out: BTreeMap<&'static str, Count>,
    /// How many samples of each kind the target cannot hold, by the number of the recording that they come from, of
    /// those that were converted together.
    pub left_out_of: BTreeMap<usize, BTreeMap<&'static str, u64>>,
    /// What the steps of the plan removed, in their order: those that removed something.
    pub removed: Vec<Removed>,
    /// The first faults of each recording; at most [`Report::DAMAGE_KEPT`] of one.
    pub damage: Vec<Damage>,
    /// The first faults of a data set's files; at most as many.
    #[cfg(feature = "from-effibox")]
    pub faults: Vec<dataset::Fault>,
    /// What a user should know of the recordings, though nothing is wrong.
    pub notes: Vec<Note>,
    /// How many faults there were.
    pub damages: u64,
    /// Bytes that belong to no record.
    pub lost_bytes: u64,
    /// Samples that were refused because their time does not compare with the limits: see
    /// [`Limit::unjudged`](crate::Limit::unjudged).
    pub unjudged: u64,
    /// When the recordings start and end, as far as was met in the channels that are wanted.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Whether reading ended early, with as many samples as were asked for.
    pub ended_early: bool,
    /// Files written.
    pub files: u64,
    /// Whether channels were asked for by name.
    pub chosen: bool,
    /// Whether limits by time or channel were set.
    pub limited: bool,
}

/// A number of samples and of the values in them: points of clouds, ranges of scans.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// Samples.
    pub samples: u64,
    /// Values.
    pub values: u64,
}

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
    const fn is_of_points(self) -> bool {
        matches!(self, Self::StandIn { .. } | Self::MergedReturns)
    }

    /// Whether something is lost that the target takes.
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Late { .. } | Self::StandIn { .. } | Self::Unfit { .. })
    }
}

/// A fault of a recording, past which reading went on.
#[derive(Debug)]
#[non_exhaustive]
pub struct Damage {
    /// Which recording, of those that were converted together.
    pub feed: usize,
    /// What is wrong.
    pub error: robolog_core::Error,
    /// The bytes that belong to no record because of it.
    pub lost: Range<u64>,
}

impl Report {
    /// How many faults are kept.
    pub const DAMAGE_KEPT: usize = 100;

    /// Whether everything that was asked for and that the target takes is in it. Samples of kinds that the target has no
    /// place for are no loss, unless their channels were asked for by name: see [`skipped`](Self::skipped).
    pub fn is_complete(&self) -> bool {
        self.damages == 0
            && self.unjudged == 0
            && self.lost().next().is_none()
            && !self.removed.iter().any(|removed| removed.is_loss)
            && !self.notes.iter().any(|note| note.is_loss())
    }

    /// What the target cannot hold and nobody asked for by name: kinds of samples, of which none was written.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.left_out.iter().filter(|(kind, _)| !self.is_loss(kind)).map(|(kind, count)| (*kind, *count))
    }

    /// The same samples, of the recordings that they come from, by their numbers.
    pub fn skipped_of(&self) -> impl Iterator<Item = (usize, Vec<(&'static str, u64)>)> {
        let of = |(feed, kinds): (&usize, &BTreeMap<&'static str, u64>)| {
            let kinds = kinds.iter().filter(|(kind, _)| !self.is_loss(kind));
            (*feed, kinds.map(|(kind, samples)| (*kind, *samples)).collect::<Vec<_>>())
        };
        self.left_out_of.iter().map(of).filter(|(_, kinds)| !kinds.is_empty())
    }

    /// What the target takes or was asked to take, and has not: samples, and values of samples that it has.
    pub fn lost(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.left_out.iter().filter(|(kind, _)| self.is_loss(kind)).map(|(kind, count)| (*kind, *count))
    }

    fn is_loss(&self, kind: &str) -> bool {
        self.chosen || self.written.contains_key(kind)
    }

    /// Notes a fault.
    pub fn damage(&mut self, error: robolog_core::Error, lost: Range<u64>) {
        self.damages += 1;
        self.lost_bytes = self.lost_bytes.saturating_add(length(&lost));
        if self.damage.len() < Self::DAMAGE_KEPT {
            self.damage.push(Damage { feed: 0, error, lost });
        }
    }

    /// Notes that the content of a whole record cannot be decoded; the same reason is noted once.
    pub(crate) fn undecodable(&mut self, error: &robolog_core::Error) {
        let ErrorKind::Unsupported { what, why } = error.kind() else { return };
        self.note(Note::Undecodable { what, why });
    }

    /// Notes what a user should know, once.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) && self.notes.len() < Self::DAMAGE_KEPT {
            self.notes.push(note);
        }
    }

    /// Notes a fault of a data set's file.
    #[cfg(feature = "from-effibox")]
    pub(crate) fn fault(&mut self, fault: dataset::Fault) {
        self.damages += 1;
        if self.faults.len() < Self::DAMAGE_KEPT {
            self.faults.push(fault);
        }
    }

    /// Adds what was met in reading the recording `feed`.
    pub(crate) fn add(&mut self, feed: usize, read: Self) {
        self.records += read.records;
        self.damages += read.damages;
        self.lost_bytes = self.lost_bytes.saturating_add(read.lost_bytes);
        self.unjudged += read.unjudged;
        self.ended_early |= read.ended_early;
        self.span = match (self.span, read.span) {
            (Some(a), Some(b)) => Some((a.0.earlier(b.0), a.1.later(b.1))),
            (a, b) => a.or(b),
        };
        self.damage.extend(read.damage.into_iter().map(|damage| Damage { feed, ..damage }));
        #[cfg(feature = "from-effibox")]
        self.faults.extend(read.faults);
        for note in read.notes {
            self.note(note);
        }
    }

    /// The same where a stand-in for a calibration is no loss: for who shows points as the recording's records.
    #[must_use]
    pub fn without_stand_ins(mut self) -> Self {
        self.notes.retain(|note| !matches!(note, Note::StandIn { .. }));
        self
    }

    /// The same with what became of the samples.
    pub(crate) fn with(self, counts: Counts) -> Self {
        let mut notes = self.notes;
        if !counts.written.contains_key("point_cloud") {
            notes.retain(|note| !note.is_of_points());
        }
        let Counts { written, left_out, left_out_of, .. } = counts;
        Self { written, left_out, left_out_of, notes, ..self }
    }

    /// A file without a value in it is no success. `advice` says how what was left out would have had a place.
    pub(crate) fn check_not_empty(&self, advice: Option<Advice>) -> Result<()> {
        if self.written.values().any(|n| n.values > 0) {
            return Ok(());
        }
        let list = |counts: &BTreeMap<&str, Count>| {
            counts.iter().map(|(kind, n)| format!("{} {kind}", n.samples)).collect::<Vec<_>>().join(", ")
        };
        let is_sound = self.damage.is_empty() && self.unjudged == 0;
        if let (true, true, Some((start, end))) =
            (is_sound && self.left_out.is_empty(), self.limited, self.span)
        {
            return Err(Error::OutsideRange { start, end });
        }
        let removed = self.removed.iter().map(|removed| format!("{} by {}", removed.points, removed.step));
        let removed: Vec<_> = removed.collect();
        if is_sound && !removed.is_empty() {
            return Err(Error::Empty(Reason::AllRemoved(removed.join(", "))));
        }
        Err(Error::Empty(if let Some(damage) = self.damage.first() {
            Reason::Damage(damage.error.to_string())
        } else if !self.written.is_empty() {
            Reason::NoPoints(list(&self.written))
        } else if !self.left_out.is_empty() {
            Reason::NoPlace { kinds: list(&self.left_out), advice }
        } else if self.unjudged > 0 {
            Reason::NoTime(self.unjudged)
        } else if let Some(note) = self.notes.first() {
            Reason::Note(*note)
        } else if self.limited {
            Reason::OutsideLimits
        } else {
            Reason::NoSamples
        }))
    }
}

/// What became of samples, by kind of value.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    written: BTreeMap<&'static str, Count>,
    left_out: BTreeMap<&'static str, Count>,
    left_out_of: BTreeMap<usize, BTreeMap<&'static str, u64>>,
    /// The recording that samples come from.
    pub(crate) feed: usize,
}

impl Counts {
    /// Counts a sample.
    pub(crate) fn add(&mut self, took: Outcome, value: &Value) {
        let counts = if took == Outcome::LeftOut { &mut self.left_out } else { &mut self.written };
        if took == Outcome::LeftOut {
            *self.left_out_of.entry(self.feed).or_default().entry(value.kind()).or_default() += 1;
        }
        let count = counts.entry(value.kind()).or_default();
        count.samples += 1;
        let values = match value {
            Value::PointCloud(cloud) => cloud.len() as u64,
            Value::LaserScan(scan) => scan.ranges.len() as u64,
            _ => 1,
        };
        count.values += values;
        if let Outcome::Partly { left_out } = took {
            let count = self.left_out.entry(value.kind()).or_default();
            count.values += left_out;
        }
    }
}
