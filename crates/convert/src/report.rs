//! Counts and losses of a conversion.

use std::{collections::BTreeMap, ops::Range};

#[cfg(feature = "from-effibox")]
use effibox::dataset;
use robolog_core::{ErrorKind, Timestamp, Value, slices::length};

use crate::{Advice, Error, Note, Outcome, Reason, Removed, Result, counted};

/// Counts and losses of a conversion.
///
/// ```
/// use robolog_convert::{Feed, Input, PcdData, convert, sink::pcd::Pcd};
/// let input = Input::open("examples/drive.log")?;
/// let mut pcd = Pcd::new(std::io::Cursor::new(Vec::new()), PcdData::Binary);
/// let report = convert(vec![Feed::new(input)], &mut pcd, &mut |_| {})?;
/// assert_eq!((report.records, report.damages), (61, 0));
/// assert!(report.is_complete()); // points of an HDL-64E without its calibration are a note
/// assert_eq!(report.left_out["imu"].samples, 40); // a PCD holds points only
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Records read.
    pub records: u64,
    /// Written samples and values, by kind of value.
    pub written: BTreeMap<&'static str, Count>,
    /// Samples and values that the target cannot hold, by kind of value. Includes values of partly written samples.
    pub left_out: BTreeMap<&'static str, Count>,
    /// Number of samples of each kind that the target cannot hold, by the index of their recording.
    pub left_out_of: BTreeMap<usize, BTreeMap<&'static str, u64>>,
    /// Removals by the steps of the plan, in their order; only of steps that removed something.
    pub removed: Vec<Removed>,
    /// First faults of each recording; at most [`Report::DAMAGE_KEPT`] each.
    pub damage: Vec<Damage>,
    /// First faults of a data set's files; at most as many.
    #[cfg(feature = "from-effibox")]
    pub faults: Vec<dataset::Fault>,
    /// Notes on the recordings; not faults.
    pub notes: Vec<Note>,
    /// Number of faults.
    pub damages: u64,
    /// Bytes that belong to no record.
    pub lost_bytes: u64,
    /// Samples left out because their time cannot be compared with the limits: see
    /// [`Limit::unjudged`](crate::Limit::unjudged).
    pub unjudged: u64,
    /// Start and end of the recordings, as far as found in the chosen channels.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Whether reading ended early, with everything that was asked for.
    pub ended_early: bool,
    /// Files written.
    pub files: u64,
    /// Whether channels were chosen by name.
    pub chosen: bool,
    /// Whether limits by time or channel were set.
    pub limited: bool,
}

/// Number of samples and of their values: points of clouds, ranges of scans.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// Samples.
    pub samples: u64,
    /// Values.
    pub values: u64,
}

/// A fault of a recording that reading skipped.
#[derive(Debug)]
#[non_exhaustive]
pub struct Damage {
    /// Index of the recording.
    pub feed: usize,
    /// The error.
    pub error: robolog_core::Error,
    /// Bytes that belong to no record because of it.
    pub lost: Range<u64>,
}

impl Report {
    /// Maximum number of faults kept.
    pub const DAMAGE_KEPT: usize = 100;

    /// Whether the target has everything that was asked for and that it can hold. Samples of kinds that the target
    /// cannot hold are a loss only if their channels were chosen by name: see [`skipped`](Self::skipped).
    pub fn is_complete(&self) -> bool {
        self.damages == 0
            && self.unjudged == 0
            && self.lost().next().is_none()
            && !self.removed.iter().any(|removed| removed.is_loss)
            && !self.notes.iter().any(|note| note.is_loss())
    }

    /// Samples of kinds that the target cannot hold and that were not chosen by name; none of these kinds was written.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.left_out.iter().filter(|(kind, _)| !self.is_loss(kind)).map(|(kind, count)| (*kind, *count))
    }

    /// Like [`skipped`](Self::skipped), by the index of the recording.
    pub fn skipped_of(&self) -> impl Iterator<Item = (usize, Vec<(&'static str, u64)>)> {
        let of = |(feed, kinds): (&usize, &BTreeMap<&'static str, u64>)| {
            let kinds = kinds.iter().filter(|(kind, _)| !self.is_loss(kind));
            (*feed, kinds.map(|(kind, samples)| (*kind, *samples)).collect::<Vec<_>>())
        };
        self.left_out_of.iter().map(of).filter(|(_, kinds)| !kinds.is_empty())
    }

    /// Samples and values that the target should have, but lacks.
    pub fn lost(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.left_out.iter().filter(|(kind, _)| self.is_loss(kind)).map(|(kind, count)| (*kind, *count))
    }

    fn is_loss(&self, kind: &str) -> bool {
        self.chosen || self.written.contains_key(kind)
    }

    /// Adds a fault.
    pub fn damage(&mut self, error: robolog_core::Error, lost: Range<u64>) {
        self.damages += 1;
        self.lost_bytes = self.lost_bytes.saturating_add(length(&lost));
        if self.damage.len() < Self::DAMAGE_KEPT {
            self.damage.push(Damage { feed: 0, error, lost });
        }
    }

    /// Adds a note that the content of a whole record cannot be decoded, once for each reason.
    pub(crate) fn undecodable(&mut self, error: &robolog_core::Error) {
        let ErrorKind::Unsupported { what, why } = error.kind() else { return };
        self.note(Note::Undecodable { what, why });
    }

    /// Adds a note, once.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) && self.notes.len() < Self::DAMAGE_KEPT {
            self.notes.push(note);
        }
    }

    /// Adds a fault of a data set's file.
    #[cfg(feature = "from-effibox")]
    pub(crate) fn fault(&mut self, fault: dataset::Fault) {
        self.damages += 1;
        if self.faults.len() < Self::DAMAGE_KEPT {
            self.faults.push(fault);
        }
    }

    /// Adds the report of reading the recording `feed`.
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

    /// Adds the counts of samples.
    pub(crate) fn with(self, counts: Counts) -> Self {
        let (mut counts, mut notes) = (counts, self.notes);
        counts.end_run();
        if !counts.written.contains_key("point_cloud") {
            notes.retain(|note| !note.is_of_points());
        }
        let Counts { written, left_out, left_out_of, .. } = counts;
        Self { written, left_out, left_out_of, notes, ..self }
    }

    /// Returns an error if no value was written. `advice` tells how to keep what was left out.
    pub(crate) fn check_not_empty(&self, advice: Option<Advice>) -> Result<()> {
        if self.written.values().any(|n| n.values > 0) {
            return Ok(());
        }
        let list = |counts: &BTreeMap<&str, Count>| {
            counts.iter().map(|(kind, n)| counted(n.samples, kind)).collect::<Vec<_>>().join(", ")
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

/// Counts of samples by kind of value and outcome.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    written: BTreeMap<&'static str, Count>,
    left_out: BTreeMap<&'static str, Count>,
    left_out_of: BTreeMap<usize, BTreeMap<&'static str, u64>>,
    /// Samples of one kind written since the last of another, which are not in `written` yet.
    run: (&'static str, Count),
    /// Index of the recording of the next sample.
    pub(crate) feed: usize,
}

impl Counts {
    /// Counts a sample.
    pub(crate) fn add(&mut self, took: Outcome, value: &Value) {
        let (kind, count) = (value.kind(), Count { samples: 1, values: values(value) });
        if took == Outcome::LeftOut {
            *self.left_out_of.entry(self.feed).or_default().entry(kind).or_default() += 1;
            self.left_out.entry(kind).or_default().add(count);
            return;
        }
        if self.run.0 != kind {
            self.end_run();
            self.run.0 = kind;
        }
        self.run.1.add(count);
        if let Outcome::Partly { left_out } = took {
            self.left_out.entry(kind).or_default().values += left_out;
        }
    }

    fn end_run(&mut self) {
        let (kind, count) = std::mem::take(&mut self.run);
        if count.samples > 0 {
            self.written.entry(kind).or_default().add(count);
        }
    }
}

impl Count {
    const fn add(&mut self, other: Self) {
        self.samples += other.samples;
        self.values += other.values;
    }
}

fn values(value: &Value) -> u64 {
    match value {
        Value::PointCloud(cloud) => cloud.len() as u64,
        Value::LaserScan(scan) => scan.ranges.len() as u64,
        _ => 1,
    }
}
