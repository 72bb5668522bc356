//! Where a log can be split: before nearly any entry.

use std::ops::Range;

use robolog_core::{Splitting, extend_ranges};

use super::{Known, Mounted, Nav, new_college};
use crate::{Alog, Kind, Record, time::Seconds};

/// Notes the entries that a sampler must be shown: the last of each variable that is joined with others, and the first scan
/// of each scanner, which says where it is mounted.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    nav: Nav,
    /// By the place of the variable.
    last: [Option<Entry>; 7],
    mounted: Mounted,
    scans: Vec<Range<u64>>,
}

/// A number of a variable that is joined with others.
#[derive(Debug, Clone)]
struct Entry {
    range: Range<u64>,
    place: usize,
    seconds: Seconds,
    number: f64,
}

impl Entry {
    fn push_to(&self, nav: &mut Nav) {
        let _ = nav.push(self.place, self.seconds, self.number, (None, self.range.start));
    }
}

impl Splitting<Alog> for Entries {
    fn carry(&mut self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let mut last: Vec<_> = self.last.iter().flatten().collect();
        last.sort_unstable_by_key(|entry| entry.range.start);
        // Times that go back may leave a moment open that the last entries alone do not, or the other way round.
        let mut nav = Nav::default();
        for entry in &last {
            entry.push_to(&mut nav);
        }
        if !nav.is_like(&self.nav) {
            return None;
        }
        let mut carry = Vec::new();
        extend_ranges(&mut carry, last.into_iter().map(|entry| &entry.range).chain(&self.scans));
        Some(carry)
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        if record.kind() != Kind::Entry {
            return;
        }
        if let Some(place) = Nav::place(&record.name()) {
            let Some((number, seconds)) = record.value().number().zip(record.seconds()) else { return };
            let entry = Entry { range, place, seconds, number };
            entry.push_to(&mut self.nav);
            if let Some(last) = self.last.get_mut(place) {
                *last = Some(entry);
            }
        } else if let Known::Scan(side) = Known::of(&record.name())
            && !self.mounted.has(side)
            && record.value().number().is_none()
            && new_college::laser(record.value()).is_some()
        {
            self.mounted.is_new(side);
            self.scans.push(range);
        }
    }
}
