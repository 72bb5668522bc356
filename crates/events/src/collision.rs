//! Collisions that a simulator's sensors recorded.

use std::collections::BTreeMap;

use robolog_core::{Row, Timestamp};

use crate::{
    Event, Kind, Thresholds, actors,
    rows::{integer, text},
    seconds,
};

/// Joins what is recorded for each frame of a collision.
#[derive(Debug)]
pub(crate) struct Collisions {
    join: f64,
    open: BTreeMap<(i64, i64), Event>,
}

impl Collisions {
    pub(crate) fn new(limits: &Thresholds) -> Self {
        Self { join: limits.contact_join, open: BTreeMap::new() }
    }

    pub(crate) fn push(&mut self, row: &Row, time: Timestamp, found: &mut Vec<Event>) {
        let (Some(a), Some(b)) = (integer(row, "actor1"), integer(row, "actor2")) else { return };
        let pair = (a.min(b), a.max(b));
        if let Some(open) = self.open.get_mut(&pair).filter(|open| seconds(open.end, time) <= self.join) {
            open.end = time;
            return;
        }
        let type_of = |column| text(row, column).unwrap_or("an unknown actor");
        let words = format!("{} and {}", type_of("type_id1"), type_of("type_id2"));
        let mut event = Event::at(time, Kind::Collision, &actors::name(a), words);
        event.other = Some(actors::name(b));
        found.extend(self.open.insert(pair, event));
    }

    pub(crate) fn finish(&mut self, found: &mut Vec<Event>) {
        found.extend(std::mem::take(&mut self.open).into_values());
    }
}
