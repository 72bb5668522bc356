//! Readers of the files of a data set.

use std::{collections::VecDeque, io::Read, sync::Arc};

use robolog_core::{Clock, Error, Sample, Timestamp, Value, format::Decoder as _};

use super::{
    Event, Interface, Options, Series, TableFile,
    event::{Pending, Visit},
    fault::Fault,
    numbered::Numbered,
    source::Lines,
};
use crate::table::{self, Decoder, Header, TableKind};

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

/// A table and its decoder.
pub(super) struct Table<R: Read> {
    pub(super) lines: Lines<R>,
    pub(super) decoder: Box<Decoder>,
    /// Whether it is `ntpupdate.log` beside relative times, so that its times stay in their column: it covers hours
    /// around a drive of minutes, and the drive would begin with it.
    pub(super) is_untimed: bool,
}

impl<R: Read> Steps for Table<R> {
    fn step(&mut self, pending: &mut VecDeque<Pending>) -> bool {
        let Self { lines, decoder, is_untimed } = self;
        let mut take = |sample: &mut Sample| {
            sample.time = sample.time.filter(|_| !*is_untimed);
            keep(sample, pending);
            Ok::<(), Error>(())
        };
        let failed = match lines.next() {
            Ok(Some(record)) => match decoder.samples(&record, &mut take) {
                Ok(()) => return true,
                Err(e) => Fault::at_line(&lines.path, lines.line, e),
            },
            Ok(None) => match decoder.last_samples(&mut take) {
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
    pending.push_back(Pending::Sample(Box::new(
        Sample::new(channel, value)
            .with_attributes(sample.attributes.clone())
            .with_time(time)
            .with_offset(offset)
            .with_frame(frame_id),
    )));
}

/// Header of an interface's table.
pub(super) fn header(interface: &Interface, kind: TableKind, options: &Options) -> Header {
    let mut header = Header::new(kind);
    header.interface.clone_from(&interface.label);
    header.start = options.start;
    header.frame = interface.mount().map(|mount| mount.alias.to_owned());
    header
}

/// The images or scans whose times a table holds, and whether they are scans.
pub(super) fn series_of<'d>(interface: &'d Interface, table: &TableFile) -> Option<(&'d Series, bool)> {
    let series = match table.kind {
        TableKind::CameraDates => interface.images.as_ref().map(|s| (s, false)),
        TableKind::RangeDates => interface.scans.as_ref().map(|s| (s, true)),
        _ => None,
    };
    series.filter(|_| interface.dates().is_some_and(|dates| dates.path == table.path))
}

pub(super) fn table_feed<R: Read>(lines: Lines<R>, header: &Header) -> Table<R> {
    let decoder = Box::new(Decoder::new(header, table::Options::default()));
    let is_dated = header.start.is_some_and(|start| start.clock() == Clock::Unix);
    Table { lines, decoder, is_untimed: header.kind == TableKind::Ntp && !is_dated }
}

/// Passes all events of a file to `visit`.
pub(super) fn drain<E: From<Fault>>(steps: &mut dyn Steps, visit: Visit<'_, E>) -> Result<(), E> {
    let mut pending = VecDeque::new();
    loop {
        let more = steps.step(&mut pending);
        for event in pending.drain(..) {
            match event {
                Pending::Sample(mut sample) => visit(Event::Sample(&mut sample))?,
                Pending::Fault(fault) => visit(Event::Fault(fault))?,
                Pending::Load { .. } => {}
            }
        }
        if !more {
            return Ok(());
        }
    }
}
