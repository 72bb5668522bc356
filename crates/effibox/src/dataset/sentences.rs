//! Reception times of NMEA sentences: the rows of a receiver's `.dates`.

use std::{
    collections::{BTreeSet, VecDeque},
    iter::Peekable,
};

use crate::{
    nmea::Record,
    table::{NmeaDate, TableRow as _},
};

/// Finds the row of each sentence.
///
/// A row gives the type of a sentence and the number of characters before it in the file. The documentation does not
/// say whether line ends count: bytes, bytes without carriage returns, and bytes without line ends are tried until only
/// one fits, which is used from there on.
///
/// A receiver sends the sentences of a fix in one burst. Samples from a sentence of a type that `.dates` does not list
/// have the time of the next sentence of a listed type, if that is read already, and else of the last one. A sentence
/// of a listed type without a row has no time. A row without a sentence is that of a lost one, which was in the burst all
/// the same: a copy has blanks in its place.
pub(super) struct Dates {
    rows: Peekable<DateRows>,
    /// Number of rows so far.
    count: u64,
    /// Bytes of line ends so far: carriage returns, and both.
    ends: [u64; 2],
    /// The way of counting, once known.
    counted: Option<usize>,
    /// Offsets and times of the last sentences of listed types: samples come some sentences later.
    recent: VecDeque<(u64, Option<i64>)>,
    /// Types in rows: GGA and GSV by the documentation, and others found in rows.
    types: BTreeSet<String>,
}

/// Rows of `.dates`, in order.
pub(super) type DateRows = Box<dyn Iterator<Item = NmeaDate> + Send>;

/// Maximum number of types with a name of their own.
const TYPES: usize = 64;
/// Maximum number of sentences remembered. A group of sentences about satellites has 9 at most.
const RECENT: usize = 64;

impl Dates {
    pub(super) fn new(rows: DateRows) -> Self {
        Self {
            rows: rows.peekable(),
            count: 0,
            ends: [0; 2],
            counted: None,
            recent: VecDeque::new(),
            types: ["GGA", "GSV"].map(str::to_owned).into(),
        }
    }

    /// Reads the next record of the file. Returns the index of its row, counted from 0, if it has one.
    pub(super) fn sentence(&mut self, record: &Record<'_>) -> Option<u64> {
        let at = record.offset();
        let mut number = None;
        if let Some(sentence) = record.sentence() {
            let row = self.row(sentence.kind(), at);
            number = row.as_ref().and(self.count.checked_sub(1));
            let time = row.and_then(|row| row.rtime());
            if self.types.contains(sentence.kind()) {
                self.remember(at, time);
            }
        }
        for byte in record.bytes() {
            let [returns, all] = &mut self.ends;
            *returns += u64::from(*byte == b'\r');
            *all += u64::from(matches!(byte, b'\r' | b'\n'));
        }
        number
    }

    /// Ends the file: the next row is that of a sentence which it has lost.
    pub(super) fn end(&mut self) {
        if let Some(row) = self.rows.next() {
            self.remember(u64::MAX, row.rtime());
        }
    }

    fn remember(&mut self, at: u64, time: Option<i64>) {
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((at, time));
    }

    /// Characters before byte `at`, where the last record ends, in each way of counting.
    pub(super) fn counted(&self, at: u64) -> [u64; 3] {
        let [returns, all] = self.ends;
        [at, at.saturating_sub(returns), at.saturating_sub(all)]
    }

    /// The way of counting, if known.
    pub(super) fn way(&self) -> Option<usize> {
        self.counted
    }

    /// Acquisition time of the recent sentence at `offset`, microseconds.
    pub(super) fn rtime(&self, offset: u64) -> Option<i64> {
        let next = self.recent.iter().find(|(at, _)| *at >= offset);
        next.or(self.recent.back()).and_then(|(_, time)| *time)
    }

    /// The row of a sentence of this type at byte `at`.
    fn row(&mut self, kind: &str, at: u64) -> Option<NmeaDate> {
        let [returns, all] = self.ends;
        let ways = self.counted(at);
        let fits = |way: usize, offset: i64| ways.get(way).is_some_and(|at| i64::try_from(*at) == Ok(offset));
        let least = self.counted.and_then(|way| ways.get(way)).or(ways.last()).map_or(0, |least| *least);
        // Rows without a sentence.
        let is_before = |row: &NmeaDate| u64::try_from(row.offset).is_ok_and(|offset| offset < least);
        while let Some(row) = self.rows.next_if(is_before) {
            self.count += 1;
            self.remember(at.saturating_sub(1), row.rtime());
        }
        let counted = self.counted;
        let row = self.rows.next_if(|row| {
            let is_type = row.sentence.trim_start_matches('$').ends_with(kind);
            is_type
                && counted
                    .map_or_else(|| (0..3).any(|way| fits(way, row.offset)), |way| fits(way, row.offset))
        })?;
        self.count += 1;
        if self.counted.is_none() && all > 0 {
            let mut fitting = (0..3).filter(|way| fits(*way, row.offset));
            // Without carriage returns two ways are the same.
            self.counted = fitting.next().filter(|_| fitting.next().is_none() || returns == 0);
        }
        if self.types.len() < TYPES && !self.types.contains(kind) {
            self.types.insert(kind.to_owned());
        }
        Some(row)
    }
}
