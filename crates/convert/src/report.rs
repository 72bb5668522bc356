//! What a conversion took in and gave out.

mod note;

use std::{collections::BTreeMap, ops::Range};

#[cfg(feature = "from-effibox")]
use effibox::dataset;
use robolog_core::{ErrorKind, Timestamp, Value, slices::length};

pub use self::note::Note;
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
