//! Counts by variable.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{
    Attributes, Timestamp,
    format::{Rhythm, SurveyBuilder},
};

use super::{Known, rows::MessageFields};
use crate::time::Seconds;

/// Counts of a channel's samples.
#[derive(Debug, Default)]
pub(super) struct SampleCount {
    kind: &'static str,
    count: u64,
    /// Ranges for scans, otherwise samples.
    values: u64,
    span: Option<(Timestamp, Timestamp)>,
    rhythm: Rhythm,
}

impl SampleCount {
    pub(super) fn add(&mut self, kind: &'static str, values: u64, time: Option<Timestamp>) {
        // Nearly all samples of a channel are of one kind.
        if !std::ptr::eq(self.kind, kind) {
            self.see(kind);
        }
        self.count += 1;
        if let Some(time) = time {
            self.rhythm.add(time);
        }
        self.values = self.values.saturating_add(values);
        self.span = match (self.span, time) {
            (Some((first, last)), Some(time)) => Some((first.earlier(time), last.later(time))),
            (None, time) => time.zip(time),
            (span, None) => span,
        };
    }

    /// A channel has the first kind other than text and number; numbers and texts of one variable are text.
    fn see(&mut self, kind: &'static str) {
        let text_or_number = |kind| matches!(kind, "" | "text" | "scalar");
        if self.kind.is_empty() || (text_or_number(self.kind) && !text_or_number(kind)) {
            self.kind = kind;
        } else if self.kind == "scalar" && kind == "text" {
            self.kind = "text";
        }
    }

    /// Adds the channel to the notes, if it has anything.
    pub(super) fn report(&self, name: &[u8], attributes: &Attributes, notes: &mut SurveyBuilder) {
        if self.count > 0 {
            let name = String::from_utf8_lossy(name);
            notes.tally(&name, self.kind, self.count, self.values, self.span);
            notes.rhythm(&name, self.rhythm.clone());
            notes.attributes(&name, attributes);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) entries: u64,
    pub(super) numbers: u64,
    pub(super) bytes: u64,
    /// In seconds of the log, by the column.
    pub(super) span: Option<(Seconds, Seconds)>,
    /// Numbers of its applications, sorted.
    pub(super) sources: Vec<u32>,
    /// The last application.
    source: u32,
    pub(super) known: Known,
    /// The variable's own channel.
    pub(super) own: SampleCount,
    /// The channel beside it; few variables have one.
    pub(super) beside: Option<Box<SampleCount>>,
    /// The columns of its messages; few variables have any.
    pub(super) rows: Option<Box<MessageFields>>,
    /// The first entry whose time does not fit into a timestamp.
    pub(super) timeless: Option<Box<(u64, Seconds)>>,
}

/// The names of applications by number, each stored once.
#[derive(Debug, Default)]
pub(super) struct Applications {
    names: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
}

impl Applications {
    pub(super) fn count(&self) -> u64 {
        self.names.len() as u64
    }

    pub(super) fn name(&self, number: u32) -> Option<&[u8]> {
        self.names.get(usize::try_from(number).ok()?).map(|name| &**name)
    }

    fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let (shared, number) = (Arc::from(name), u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(Arc::clone(&shared));
        self.numbers.insert(shared, number);
        number
    }
}

impl Tally {
    fn new(name: &[u8]) -> Self {
        Self { known: Known::of(name), ..Self::default() }
    }

    pub(super) fn add(&mut self, bytes: usize, seconds: Option<Seconds>, is_number: bool) {
        self.entries += 1;
        self.numbers += u64::from(is_number);
        self.bytes += bytes as u64;
        if let Some(seconds) = seconds {
            let (first, last) = self.span.unwrap_or((seconds, seconds));
            self.span = Some((first.min(seconds), last.max(seconds)));
        }
    }

    pub(super) fn add_source(&mut self, application: &[u8], applications: &mut Applications) {
        let is_last = !self.sources.is_empty() && applications.name(self.source) == Some(application);
        if is_last || self.sources.len() >= SOURCES {
            return;
        }
        self.source = applications.number(application);
        if let Err(place) = self.sources.binary_search(&self.source) {
            self.sources.insert(place, self.source);
        }
    }
}

/// Maximum number of sources counted per variable.
const SOURCES: usize = 256;
/// Maximum number of variables counted separately; logs have hundreds.
pub(super) const VARIABLES: usize = 1 << 16;

/// Counts by variable.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    list: Vec<(Arc<[u8]>, Tally)>,
    places: HashMap<Arc<[u8]>, usize>,
    /// Last index of variables, by a few of their bytes, so most entries need no hash.
    recent: Vec<usize>,
}

impl Tallies {
    /// The counts of a variable; `None` if there are too many.
    pub(super) fn of(&mut self, name: &[u8]) -> Option<&mut Tally> {
        let byte = |at: usize| name.get(at).copied().map_or(0, usize::from);
        let last = name.len().saturating_sub(1);
        let sum =
            byte(0).wrapping_add(byte(last).wrapping_mul(31)).wrapping_add(byte(last / 2).wrapping_mul(7));
        let slot = sum.wrapping_add(name.len().wrapping_mul(61)) % 1024;
        if self.recent.is_empty() {
            self.recent = vec![usize::MAX; 1024];
        }
        let guess = self.recent.get(slot).copied().unwrap_or(usize::MAX);
        let place = if self.list.get(guess).is_some_and(|(other, _)| **other == *name) {
            guess
        } else {
            let found = self.places.get(name).copied();
            let place = match found {
                Some(place) => place,
                None if self.list.len() >= VARIABLES => return None,
                None => {
                    let (shared, place) = (Arc::<[u8]>::from(name), self.list.len());
                    self.places.insert(Arc::clone(&shared), place);
                    self.list.push((shared, Tally::new(name)));
                    place
                }
            };
            if let Some(recent) = self.recent.get_mut(slot) {
                *recent = place;
            }
            place
        };
        self.list.get_mut(place).map(|(_, tally)| tally)
    }

    /// All counts, by name.
    pub(super) fn sorted(&mut self) -> Vec<(Arc<[u8]>, Tally)> {
        self.list.sort_by(|a, b| a.0.cmp(&b.0));
        std::mem::take(&mut self.list)
    }
}
