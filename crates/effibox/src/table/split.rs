//! Where a table of satellites can be split: before any row of an epoch.

use std::{mem, ops::Range};

use robolog_core::format::{extend_ranges, push_range};

use super::{Epochs, Gsv};

/// Tracks the rows of the current epoch, and those of the previous one, whose offset is that of its last row.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    epochs: Epochs,
    before: Vec<Range<u64>>,
    rows: Vec<Range<u64>>,
}

impl Sweeps {
    fn begin(&mut self) {
        if !self.rows.is_empty() {
            self.before = mem::take(&mut self.rows);
        }
    }

    /// The rows that a decoder must be shown to continue with the next one.
    pub(super) fn prerequisites(&self) -> Vec<Range<u64>> {
        let mut rows = self.before.clone();
        extend_ranges(&mut rows, &self.rows);
        rows
    }

    pub(super) fn push(&mut self, row: &Gsv, range: Range<u64>) {
        let [ended, completed] = self.epochs.push(row);
        if ended.is_some() {
            self.begin();
        }
        push_range(&mut self.rows, range);
        if completed.is_some() {
            self.begin();
        }
    }
}
