//! A part of a recording: its times by topic, and reading its messages again.

use std::{collections::BTreeMap, ops::Range};

use robolog_convert::{
    Pull, Report, Result,
    robolog_core::{Split, slices::InRange as _},
    sink::mcap::{Message, MessagePlace, MessageStream},
};

use crate::{Index, Recording};

/// A run of splits that can be read independently.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) splits: Range<usize>,
    pub(crate) from: MessagePlace,
    /// Earliest and latest log time.
    pub(crate) span: (u64, u64),
    /// Whether the messages are in time order.
    pub(crate) is_sorted: bool,
    /// Earliest and latest log time by topic, sorted by topic.
    pub(crate) topics: Box<[(u16, (u64, u64))]>,
}

impl Part {
    /// Earliest and latest log time of a topic, if it has messages here.
    pub(crate) fn of(&self, topic: u16) -> Option<(u64, u64)> {
        let place = self.topics.binary_search_by_key(&topic, |(topic, _)| *topic).ok()?;
        self.topics.get(place).map(|(_, span)| *span)
    }
}

/// A part while it is being indexed.
pub(crate) struct Meeting {
    splits: Range<usize>,
    from: MessagePlace,
    is_sorted: bool,
    last: u64,
    topics: BTreeMap<u16, (u64, u64)>,
}

impl Meeting {
    /// A part that starts at split number `first`.
    pub(crate) fn new(first: usize, from: MessagePlace) -> Self {
        Self { splits: first..first, from, is_sorted: true, last: 0, topics: BTreeMap::new() }
    }

    /// Adds one more split.
    pub(crate) fn extend(&mut self) {
        self.splits.end = self.splits.end.plus(1);
    }

    pub(crate) fn meet(&mut self, message: &Message<'_>) {
        let time = message.log_time;
        self.is_sorted &= time >= self.last;
        self.last = time;
        let span = self.topics.entry(message.topic).or_insert((time, time));
        *span = (span.0.min(time), span.1.max(time));
    }

    /// Approximate memory use, as a number of small values.
    pub(crate) fn weight(&self) -> usize {
        self.topics.len().plus(self.from.weight())
    }

    /// `None` without messages.
    pub(crate) fn done(self) -> Option<Part> {
        let Self { splits, from, is_sorted, topics, last: _ } = self;
        let spans = || topics.values().copied();
        let span = spans().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))?;
        Some(Part { splits, from, span, is_sorted, topics: topics.into_iter().collect() })
    }
}

/// Reader of the messages of a run of splits.
#[derive(Debug)]
pub(crate) struct Reading {
    recording: Recording,
    splits: Vec<Split>,
    next: usize,
    pull: Option<Pull>,
    /// Whether these are the last splits, whose messages may be pending until the end.
    is_last: bool,
    pub(crate) stream: MessageStream,
}

impl Reading {
    pub(crate) fn new(recording: &Recording, splits: &[Split], is_last: bool, stream: MessageStream) -> Self {
        let splits = splits.to_vec();
        Self { recording: recording.clone(), splits, next: 0, pull: None, is_last, stream }
    }

    /// Reads a part of an index.
    pub(crate) fn of(index: &Index, part: &Part) -> Result<Self> {
        let splits = index.splits.get(part.splits.clone()).unwrap_or_default();
        let is_last = part.splits.end == index.splits.len();
        let stream = index.stream.from_place(&part.from)?;
        Ok(Self::new(&index.recording, splits, is_last, stream))
    }

    /// Encodes the messages of the next sample into `stream`; returns false after the last. `observer` gets the report
    /// of each split, and samples without messages.
    pub(crate) fn step(&mut self, observer: &mut dyn Observer) -> Result<bool> {
        loop {
            if let Some(pull) = &mut self.pull {
                if let Some(sample) = pull.next() {
                    let sample = sample?;
                    let outcome = self.stream.write(&sample)?;
                    if outcome != robolog_convert::Outcome::Written {
                        observer.left_out(sample.value.kind());
                    }
                    return Ok(true);
                }
                if let Some(report) = pull.report() {
                    observer.report(report);
                }
                self.pull = None;
            }
            let Some(split) = self.splits.get(self.next) else {
                if std::mem::take(&mut self.is_last) {
                    for note in self.stream.finish()? {
                        observer.note(&note.to_string());
                    }
                    return Ok(true);
                }
                return Ok(false);
            };
            self.next = self.next.plus(1);
            self.pull = Some(self.recording.feed()?.with_split(split.clone()).pull()?);
        }
    }
}

/// Receives everything other than messages.
pub(crate) trait Observer {
    fn left_out(&mut self, _: &'static str) {}
    fn report(&mut self, _: &Report) {}
    fn note(&mut self, _: &str) {}
}

/// Ignores reports that the index already contains.
pub(crate) struct Ignore;

impl Observer for Ignore {}
