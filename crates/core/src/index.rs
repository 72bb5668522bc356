//! Offsets and times of records.

use crate::Timestamp;

/// The records of a file by offset and time, for random access: see [`Reader::index`](crate::Reader::index).
///
/// ```
/// use robolog_core::{Clock, Index, Timestamp};
/// let seconds = |n: i64| Timestamp::new(n * 1_000_000_000, Clock::Relative);
/// let mut index = Index::default();
/// index.push(Some(seconds(0)), 88);
/// index.push(Some(seconds(2)), 4096);
/// let entry = index.at_or_after(seconds(1)).expect("there is a later one");
/// assert_eq!(entry.offset, 4096); // for `Reader::records_from` or `StreamReader::seek`
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    entries: Vec<Entry>,
}

/// Location of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Time of the record, if it has one.
    pub time: Option<Timestamp>,
    /// Offset of its first byte.
    pub offset: u64,
}

impl Index {
    /// Adds the record after those already in the index.
    pub fn push(&mut self, time: Option<Timestamp>, offset: u64) {
        self.entries.push(Entry { time, offset });
    }

    /// All records, in file order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first record, in file order, with a time of `time` or later.
    ///
    /// Recordings are not always in time order, so this checks every entry; it skips records without a time or on
    /// another clock.
    pub fn at_or_after(&self, time: Timestamp) -> Option<Entry> {
        self.entries.iter().find(|e| e.time.is_some_and(|t| t >= time)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    #[test]
    fn finds_the_first_record_at_or_after_a_time() {
        let at = |ns| Some(Timestamp::new(ns, Clock::Device));
        let mut index = Index::default();
        for (time, offset) in
            [(None, 10), (at(5), 20), (Some(Timestamp::new(9, Clock::Unix)), 30), (at(7), 40)]
        {
            index.push(time, offset);
        }
        assert_eq!(index.at_or_after(Timestamp::new(6, Clock::Device)).map(|e| e.offset), Some(40));
        assert_eq!(index.at_or_after(Timestamp::new(0, Clock::Device)).map(|e| e.offset), Some(20));
        assert_eq!(index.at_or_after(Timestamp::new(8, Clock::Device)), None);
    }
}
