//! Split points of a table: before any row, or for satellites before any row of an epoch. A scan is one split.

use std::{mem, ops::Range};

use robolog_core::{Independent, Splitting, Unsplit, extend_ranges, push_range};

use super::{Epochs, Header, Record, Row, Table, TableKind};

pub(super) fn splitting(header: &Header) -> Box<dyn Splitting<Table> + Send> {
    match header.kind {
        TableKind::Scan => Box::new(Unsplit),
        TableKind::Gsv => Box::new(Sweeps::default()),
        _ => Box::new(Independent),
    }
}

/// Tracks the rows of the current epoch, and those of the previous one, whose offset is that of its last row.
#[derive(Debug, Default)]
struct Sweeps {
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
}

impl Splitting<Table> for Sweeps {
    fn prerequisites(&mut self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let mut carry = self.before.clone();
        extend_ranges(&mut carry, &self.rows);
        Some(carry)
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        let Ok(Some(Row::Gsv(row))) = record.row() else { return };
        let [ended, completed] = self.epochs.push(&row);
        if ended.is_some() {
            self.begin();
        }
        push_range(&mut self.rows, range);
        if completed.is_some() {
            self.begin();
        }
    }
}
