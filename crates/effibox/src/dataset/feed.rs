//! Readers of the files of a data set.

use std::{collections::VecDeque, io::Read, sync::Arc};

use robolog_core::{Clock, Error, Sample, Sampling, Timestamp, Value};

use super::{fault::Fault, numbered::Numbered, source::Lines};
use crate::table::Sampler;

/// A file being read: a table, the `.dates` of images or scans, a track or sentences.
pub(super) struct Feed<'d> {
    pub(super) kind: FeedKind<'d>,
    pub(super) pending: VecDeque<Pending>,
    ended: bool,
    clocks: Clocks,
}

pub(super) enum FeedKind<'d> {
    Table(Box<dyn Steps + 'd>),
    Series(Box<Lines>, Box<Numbered<'d>>),
}

/// What waits for its turn.
pub(super) enum Pending {
    Sample(Box<Sample>),
    Fault(Fault),
    /// Files of this number, acquired at this time.
    Load {
        rtime: i64,
        number: u64,
    },
}

/// A file whose records become samples one after another.
pub(super) trait Steps {
    /// Appends the events of the next record to `pending`; returns false at the end.
    fn step(&mut self, pending: &mut VecDeque<Pending>) -> bool;
}

/// The clock of the samples: one for the whole data set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clocks {
    /// The time of `Rtime` zero from the caller, whose clock the samples use.
    pub(super) start: Option<Timestamp>,
    /// The time of `Rtime` zero from the files, to make absolute times relative.
    pub(super) zero: Option<Timestamp>,
}

impl Clocks {
    /// A time of the files, which may be absolute, on the clock of the data set; `None` if unknown.
    pub(super) fn settle(&self, time: Timestamp) -> Option<Timestamp> {
        let clock = self.start.map_or(Clock::Relative, Timestamp::clock);
        if time.clock() == clock {
            return Some(time);
        }
        match (self.start, self.zero) {
            (None, Some(zero)) => Some(Timestamp::new(time.since(zero)?, Clock::Relative)),
            _ => None,
        }
    }

    /// The time `rtime` microseconds after the start of the acquisition.
    pub(super) fn at(&self, rtime: i64) -> Option<Timestamp> {
        let nanos = rtime.checked_mul(1000)?;
        match self.start {
            Some(start) => start.checked_add(nanos),
            None => Some(Timestamp::new(nanos, Clock::Relative)),
        }
    }

    /// Nanoseconds since the start of the acquisition, the key for sorting samples.
    fn relative(&self, time: Timestamp) -> i64 {
        let start = self.start.filter(|start| start.clock() == time.clock());
        time.nanos().saturating_sub(start.map_or(0, Timestamp::nanos))
    }
}

impl<'d> Feed<'d> {
    pub(super) fn new(kind: FeedKind<'d>, clocks: Clocks) -> Self {
        Self { kind, pending: VecDeque::new(), ended: false, clocks }
    }

    /// Reads until an event is pending and returns its time. `None` at the end.
    pub(super) fn refill(&mut self) -> Option<i64> {
        while self.pending.is_empty() && !self.ended {
            let more = match &mut self.kind {
                FeedKind::Table(steps) => steps.step(&mut self.pending),
                FeedKind::Series(lines, numbered) => numbered.step(lines, &mut self.pending),
            };
            self.ended = !more;
        }
        Some(match self.pending.front()? {
            Pending::Load { rtime, .. } => rtime.saturating_mul(1000),
            Pending::Sample(sample) => sample.time.map_or(i64::MIN, |time| self.clocks.relative(time)),
            Pending::Fault(_) => i64::MIN,
        })
    }
}

/// A table and its sampler.
pub(super) struct Table<R> {
    pub(super) lines: Lines<R>,
    pub(super) sampler: Box<Sampler>,
    /// Whether it is `ntpupdate.log`, whose times stay in their column: it covers hours around a drive of minutes, and
    /// the drive would begin with it.
    pub(super) is_untimed: bool,
}

impl<R: Read> Steps for Table<R> {
    fn step(&mut self, pending: &mut VecDeque<Pending>) -> bool {
        let Self { lines, sampler, is_untimed } = self;
        let mut take = |sample: &mut Sample| {
            sample.time = sample.time.filter(|_| !*is_untimed);
            keep(sample, pending);
            Ok::<(), Error>(())
        };
        let failed = match lines.next() {
            Ok(Some(record)) => match sampler.push(&record, &mut take) {
                Ok(()) => return true,
                Err(e) => Fault::at_line(&lines.path, lines.line, e),
            },
            Ok(None) => match sampler.finish(&mut take) {
                Ok(()) => return false,
                Err(e) => Fault::new(&lines.path, e),
            },
            Err(fault) => fault,
        };
        let more = failed.line() > 0;
        pending.push_back(Pending::Fault(failed));
        more
    }
}

/// Moves a sample to `pending`, leaving an empty value.
pub(super) fn keep(sample: &mut Sample, pending: &mut VecDeque<Pending>) {
    let (channel, frame_id) = (Arc::clone(&sample.channel), Arc::clone(&sample.frame_id));
    let value = std::mem::replace(&mut sample.value, Value::Scalar(0.0));
    let (time, offset) = (sample.time, sample.offset);
    pending.push_back(Pending::Sample(Box::new(Sample { time, offset, channel, frame_id, value })));
}
