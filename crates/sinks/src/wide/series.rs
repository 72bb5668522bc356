//! Values of a channel around the next row.

use std::collections::VecDeque;

use robolog_core::Cell;

use super::{
    super::options::{Fill, Wide},
    blend::{self, Held},
};

/// The last value up to the previous row, and later ones in order of time.
#[derive(Debug, Default)]
pub(super) struct Series {
    before: Option<Held>,
    ahead: VecDeque<Held>,
    /// Whether no row has the value `before` yet.
    is_new: bool,
    /// Whether there was a long text.
    pub(super) has_long_text: bool,
}

/// A longer text, in bytes, is in one row only: repeated files and reports of programs would fill the table.
const LONG: usize = 200;

impl Series {
    /// Adds a value; of values at the same time, the last one counts. Drops a value between the same two ticks as its
    /// neighbours, because no row needs it. Returns the number of cells added and dropped.
    pub(super) fn insert(&mut self, held: Held, tick: impl Fn(i64) -> i128) -> (usize, usize) {
        let at = self.ahead.partition_point(|other| other.time <= held.time);
        let added = held.weight();
        let this = tick(held.time);
        let near = |at: Option<usize>| {
            at.and_then(|at| self.ahead.get(at)).is_some_and(|other| tick(other.time) == this)
        };
        // Of three between two ticks, the first ends a gap and the last begins one.
        let needless = if near(at.checked_sub(1)) && near(at.checked_sub(2)) {
            at.checked_sub(1)
        } else if near(at.checked_sub(1)) && near(Some(at)) {
            return (0, 0);
        } else if near(Some(at)) && near(at.checked_add(1)) {
            Some(at)
        } else {
            None
        };
        if let Some(slot) = needless.and_then(|at| self.ahead.get_mut(at)) {
            let dropped = std::mem::replace(slot, held).weight();
            return (added, dropped);
        }
        self.ahead.insert(at, held);
        (added, 0)
    }

    /// Whether a row already has a value newer than this time.
    pub(super) fn is_beyond(&self, time: i64) -> bool {
        self.before.as_ref().is_some_and(|before| before.time > time)
    }

    /// Advances to a row. Returns the number of cells dropped.
    pub(super) fn advance(&mut self, time: i64) -> usize {
        let mut dropped = 0_usize;
        while self.ahead.front().is_some_and(|next| next.time <= time) {
            let Some(next) = self.ahead.pop_front() else { break };
            if let Some(before) = self.before.replace(next) {
                dropped += before.weight();
            }
            self.is_new = true;
        }
        dropped
    }

    /// Drops everything. Returns the number of cells dropped.
    pub(super) fn clear(&mut self) -> usize {
        let all = self.before.take().into_iter().chain(self.ahead.drain(..));
        all.map(|held| held.weight()).sum()
    }

    /// Puts the cells of the row at this time, after [`advance`](Self::advance).
    pub(super) fn cells(&mut self, time: i64, wide: &Wide, put: &mut dyn FnMut(usize, Cell)) {
        let Some(before) = &self.before else { return };
        let (is_new, has_long_text) = (std::mem::take(&mut self.is_new), &mut self.has_long_text);
        let put = &mut |column: usize, cell: Cell| {
            let is_long = matches!(&cell, Cell::Text(text) if text.len() > LONG);
            *has_long_text |= is_long;
            if is_new || !is_long {
                put(column, cell);
            }
        };
        let age = time.saturating_sub(before.time);
        if wide.fill == Fill::Hold || age == 0 {
            if wide.max_gap.is_none_or(|most| age <= most) {
                hold(before, put);
            }
            return;
        }
        let Some(after) = self.ahead.front() else { return };
        let gap = after.time.saturating_sub(before.time);
        if gap <= wide.max_gap.unwrap_or(Wide::GAP) {
            #[expect(clippy::cast_precision_loss, reason = "a part of a gap")]
            blend::between(before, after, age as f64 / gap as f64, put);
        }
    }
}

fn hold(held: &Held, put: &mut dyn FnMut(usize, Cell)) {
    for (place, cell) in held.places.iter().zip(&held.cells) {
        if let Some(column) = place.column {
            put(column, cell.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_values_between_two_ticks_the_first_and_the_last_stay() {
        let tick = |time: i64| i128::from(time / 1000);
        let held = |time: i64| Held { time, places: [].into(), cells: vec![Cell::Int(time)] };
        let times = |series: &Series| series.ahead.iter().map(|held| held.time).collect::<Vec<_>>();
        for order in [[1, 2, 3, 4], [4, 3, 2, 1], [1, 4, 2, 3], [3, 1, 4, 2]] {
            let (mut series, mut weight) = (Series::default(), 0_usize);
            for time in order {
                let (added, dropped) = series.insert(held(time), tick);
                weight = weight + added - dropped;
            }
            assert_eq!((times(&series), weight), (vec![1, 4], 4), "{order:?}");
            series.insert(held(1000), tick);
            assert_eq!(times(&series), [1, 4, 1000]);
            assert_eq!((series.advance(999), series.clear()), (2, 4));
        }
    }
}
