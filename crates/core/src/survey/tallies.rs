//! Tallies of channels, which are found at least once a sample.

use std::{collections::BTreeMap, sync::Arc};

use super::rows::RowColumns;
use crate::{
    Attributes, Timestamp,
    channels::{RECENT, slot},
    clock_runs::ClockRuns,
    format::Rhythm,
};

/// Counts of one channel.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) kind: &'static str,
    pub(super) records: u64,
    pub(super) values: u64,
    pub(super) stamps: ClockRuns,
    pub(super) rhythm: Rhythm,
    pub(super) rows: RowColumns,
    pub(super) attributes: Attributes,
}

impl Tally {
    /// Adds records and their values; `span` is the earliest and latest stamp of the records at `offset`.
    pub(super) fn add(
        &mut self,
        (records, values): (u64, u64),
        span: Option<(Timestamp, Timestamp)>,
        offset: u64,
    ) {
        self.records += records;
        self.values = self.values.saturating_add(values);
        if let Some(span) = span {
            self.stamps.add(span, records, offset);
            if records == 1 {
                self.rhythm.add(span.0);
            }
        }
    }

    pub(super) fn set(&mut self, attributes: &Attributes) {
        if !self.attributes.is_same(attributes) {
            self.attributes = attributes.clone();
        }
    }
}

/// Tallies by the name of their channel. One of the names seen last is found without a search.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    /// In order of appearance.
    all: Vec<(Arc<str>, Tally)>,
    places: BTreeMap<Arc<str>, usize>,
    /// Places in `all` of the names seen last, each by some of its bytes.
    recent: Vec<usize>,
}

impl Tallies {
    /// The tally of a channel; a new one has this kind. There always is one.
    pub(super) fn of(&mut self, name: &str, kind: &'static str) -> Option<&mut Tally> {
        let place = match self.find(name) {
            Some(place) => place,
            None => self.add(name, kind),
        };
        self.all.get_mut(place).map(|(_, tally)| tally)
    }

    /// The tally of a channel that was counted.
    pub(super) fn get(&mut self, name: &str) -> Option<&mut Tally> {
        let place = self.find(name)?;
        self.all.get_mut(place).map(|(_, tally)| tally)
    }

    /// In order of appearance.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Tally> {
        self.all.iter().map(|(_, tally)| tally)
    }

    /// By name.
    pub(super) fn sorted(mut self) -> impl Iterator<Item = (String, Tally)> {
        self.all.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        self.all.into_iter().map(|(name, tally)| ((*name).to_owned(), tally))
    }

    fn add(&mut self, name: &str, kind: &'static str) -> usize {
        let (name, place): (Arc<str>, _) = (name.into(), self.all.len());
        self.places.insert(Arc::clone(&name), place);
        self.all.push((name, Tally { kind, ..Tally::default() }));
        place
    }

    #[inline]
    fn find(&mut self, name: &str) -> Option<usize> {
        let slot = slot(name.as_bytes());
        let recent = self.recent.get(slot).copied();
        let is = |place: &usize| self.all.get(*place).is_some_and(|(known, _)| **known == *name);
        recent.filter(is).or_else(|| self.search(name, slot))
    }

    fn search(&mut self, name: &str, slot: usize) -> Option<usize> {
        let place = *self.places.get(name)?;
        self.recent.resize(RECENT, 0);
        *self.recent.get_mut(slot)? = place;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_many_channels_keeps_its_own_tally() {
        let mut tallies = Tallies::default();
        let names: Vec<String> = (0..1000).map(|n| format!("actor_{}/poses", n * 7919 % 1000)).collect();
        for name in ["", "x", "xy"].into_iter().chain(names.iter().map(String::as_str)).chain([""]) {
            for _ in 0..2 {
                tallies.of(name, "row").unwrap().records += 1;
            }
        }
        assert_eq!(tallies.get("x").map(|tally| (tally.kind, tally.records)), Some(("row", 2)));
        assert!(tallies.get("actor_1000/poses").is_none());
        let sorted: Vec<_> = tallies.sorted().map(|(name, tally)| (name, tally.records)).collect();
        assert_eq!((sorted.len(), &sorted[0]), (1003, &(String::new(), 4)));
        assert!(sorted.is_sorted() && sorted[1..].iter().all(|(_, records)| *records == 2));
    }
}
