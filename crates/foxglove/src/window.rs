//! Messages of some topics between two times, in time order.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::RangeInclusive,
    rc::Rc,
};

use robolog_convert::{Result, robolog_core::slices::InRange as _};

use crate::{
    Index,
    part::{Ignore, Reading},
};

/// A message that owns its data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Owned {
    /// Number of its topic.
    pub topic: u16,
    /// Log time, nanoseconds of the recording's clock.
    pub log_time: u64,
    /// Its bytes.
    pub data: Vec<u8>,
}

impl Owned {
    /// Memory of a buffered message in bytes.
    fn weight(&self) -> usize {
        self.data.capacity().plus(ENTRY)
    }
}

/// Bytes per buffered message in addition to its data, including the map entry.
const ENTRY: usize = 128;

/// Iterator over messages in order of log time; messages of equal time are in file order. It ends after an error.
///
/// Up to 64 MiB of messages are buffered while earlier ones may follow in the file; messages later than that are out
/// of order.
#[derive(Debug)]
pub struct Window {
    index: Rc<Index>,
    wanted: Vec<bool>,
    times: RangeInclusive<u64>,
    /// Unread parts, by earliest time.
    parts: VecDeque<usize>,
    reading: Option<(usize, Reading)>,
    /// Latest time seen in the current part.
    met: u64,
    /// By time, part, and position in the part.
    waiting: BTreeMap<(u64, usize, u64), Owned>,
    weight: usize,
    serial: u64,
}

/// Maximum bytes of buffered messages.
const MOST: usize = 64 << 20;

impl Index {
    /// The messages of these topics within `times`, both ends inclusive. Reads only parts that contain some.
    pub fn window(self: &Rc<Self>, topics: &[u16], times: RangeInclusive<u64>) -> Window {
        let mut wanted = vec![false; self.topics().count()];
        for topic in topics {
            if let Some(wanted) = wanted.get_mut(usize::from(*topic)) {
                *wanted = true;
            }
        }
        let meets = |(_, (first, last)): &(u16, (u64, u64))| first <= times.end() && last >= times.start();
        let is_wanted = |topic: u16| wanted.get(usize::from(topic)) == Some(&true);
        let mut parts: Vec<_> = (0..self.parts.len()).collect();
        parts.retain(|part| {
            let part = self.parts.get(*part);
            part.is_some_and(|part| part.topics.iter().any(|it| is_wanted(it.0) && meets(it)))
        });
        parts.sort_by_key(|part| self.parts.get(*part).map(|part| part.span.0));
        Window {
            index: Rc::clone(self),
            wanted,
            times,
            parts: parts.into(),
            reading: None,
            met: 0,
            waiting: BTreeMap::new(),
            weight: 0,
            serial: 0,
        }
    }
}

impl Window {
    /// Earliest possible time of an unread message; `None` when all are read.
    fn floor(&self) -> Option<u64> {
        let begins = |part: usize| self.index.parts.get(part).map(|part| part.span.0);
        let next = self.parts.front().and_then(|part| begins(*part));
        let Some((part, _)) = &self.reading else { return next };
        let is_sorted = self.index.parts.get(*part).is_some_and(|part| part.is_sorted);
        let at_hand = if is_sorted { Some(self.met) } else { begins(*part) };
        next.into_iter().chain(at_hand).min()
    }

    /// Reads more; returns false at the end.
    fn read(&mut self) -> Result<bool> {
        let Some((part, reading)) = &mut self.reading else {
            let Some(number) = self.parts.pop_front() else { return Ok(false) };
            let Some(part) = self.index.parts.get(number) else { return Ok(true) };
            self.met = part.span.0;
            self.serial = 0;
            self.reading = Some((number, Reading::of(&self.index, part)?));
            return Ok(true);
        };
        let is_sorted = self.index.parts.get(*part).is_some_and(|part| part.is_sorted);
        let has_more = reading.step(&mut Ignore)?;
        let mut is_over = !has_more;
        for message in reading.stream.messages().take_while(|_| has_more) {
            self.met = self.met.max(message.log_time);
            is_over |= is_sorted && message.log_time > *self.times.end();
            let is_wanted = self.wanted.get(usize::from(message.topic)) == Some(&true);
            if !is_wanted || !self.times.contains(&message.log_time) {
                continue;
            }
            let owned =
                Owned { topic: message.topic, log_time: message.log_time, data: message.data.to_vec() };
            self.weight = self.weight.plus(owned.weight());
            self.waiting.insert((owned.log_time, *part, self.serial), owned);
            self.serial = self.serial.plus(1);
        }
        if is_over {
            self.reading = None;
        }
        Ok(true)
    }
}

impl Iterator for Window {
    type Item = Result<Owned>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = self.waiting.first_key_value().map(|((time, ..), _)| *time);
            let is_next = |time| self.weight > MOST || self.floor().is_none_or(|floor| time < floor);
            if first.is_some_and(is_next) {
                let (_, message) = self.waiting.pop_first()?;
                self.weight = self.weight.minus(message.weight());
                return Some(Ok(message));
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.parts.clear();
                    self.reading = None;
                    self.waiting.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
