//! The entries that another decoder needs: the last of each variable that is joined with others, and the first scan of
//! each scanner, which gives its mounting.

use std::ops::Range;

use robolog_core::format::extend_ranges;

use super::{Decoder, Known, Nav, Options, new_college};
use crate::{Kind, Record, time::Seconds};

/// The entries kept so far.
#[derive(Debug)]
pub(super) struct Carried {
    /// By index of the variable.
    last: [Option<Entry>; 7],
    scans: Vec<Range<u64>>,
    has_scans: bool,
    /// Whether samples and entries have the same clock and rate.
    has_same_times: bool,
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

impl Carried {
    pub(super) fn new(options: &Options) -> Self {
        let has_same_times = !options.time.is_of_mission() && options.warp.is_none();
        Self { last: Default::default(), scans: Vec::new(), has_scans: false, has_same_times }
    }

    /// Whether entries are in order of time and samples have the times of their entries.
    pub(super) const fn has_order(&self) -> bool {
        self.has_same_times && !self.has_scans
    }

    /// The ranges; `None` if these entries alone do not lead to the same pending position, because times go backwards.
    pub(super) fn ranges(&self, nav: &Nav) -> Option<Vec<Range<u64>>> {
        let mut last: Vec<_> = self.last.iter().flatten().collect();
        last.sort_unstable_by_key(|entry| entry.range.start);
        let mut shown = Nav::default();
        for entry in &last {
            entry.push_to(&mut shown);
        }
        let mut ranges = Vec::new();
        extend_ranges(&mut ranges, last.into_iter().map(|entry| &entry.range).chain(&self.scans));
        shown.is_like(nav).then_some(ranges)
    }
}

impl Decoder {
    /// Follows a record at `range` without making its samples.
    pub(super) fn carry_to(&mut self, record: &Record<'_>, range: Range<u64>) {
        if record.kind() == Kind::Row {
            let columns = self.header.listed();
            for (name, number) in columns.names().zip(record.numbers()) {
                self.carry_number(name, number, record, &range);
            }
        }
        if record.kind() != Kind::Entry {
            return;
        }
        let name = record.name();
        if Nav::place(&name).is_some() {
            self.carry_number(&name, record.value().number(), record, &range);
        } else if let Known::Scan(side) = Known::of(&name) {
            self.carried.has_scans = true;
            let is_new = !self.mounted.contains(&side) && record.value().number().is_none();
            if is_new && new_college::beams(record.value()).is_some() {
                self.mounted.push(side);
                self.carried.scans.push(range);
            }
        }
    }
    fn carry_number(&mut self, name: &[u8], number: Option<f64>, record: &Record<'_>, range: &Range<u64>) {
        let Some(place) = Nav::place(name) else { return };
        let Some((number, seconds)) = number.zip(record.seconds()) else { return };
        let entry = Entry { range: range.clone(), place, seconds, number };
        entry.push_to(&mut self.nav);
        if let Some(last) = self.carried.last.get_mut(place) {
            *last = Some(entry);
        }
    }
}
