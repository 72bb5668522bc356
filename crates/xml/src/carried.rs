//! The records that a decoder needs to start in the middle of a document.

use std::ops::Range;

use robolog_core::format::push_range;

/// Ranges of the records that a decoder needs to start in the middle of a document: the tags around it, and those that
/// its format counts by.
#[derive(Debug, Default)]
pub struct Carried(Vec<Range<u64>>);

/// Maximum number of ranges before a record; beyond it a document is not split there, because each split would hold
/// them all.
const MOST: usize = 1 << 14;

impl Carried {
    /// Adds a record, which must lie after those already added.
    pub fn push(&mut self, range: Range<u64>) {
        if self.0.len() <= MOST {
            push_range(&mut self.0, range);
        }
    }

    /// All ranges, adjacent ones joined; `None` if there are too many.
    pub fn ranges(&self) -> Option<Vec<Range<u64>>> {
        (self.0.len() <= MOST).then(|| self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_where_they_touch_and_none_beyond_the_limit() {
        let mut carried = Carried::default();
        assert_eq!(carried.ranges(), Some(vec![]));
        for range in [0..3, 3..5, 7..9] {
            carried.push(range);
        }
        assert_eq!(carried.ranges(), Some(vec![0..5, 7..9]));
        for at in (10..).step_by(2).take(MOST - 2) {
            carried.push(at..at + 1);
        }
        assert_eq!(carried.ranges().map(|ranges| ranges.len()), Some(MOST));
        for at in [1 << 20, 1 << 21] {
            carried.push(at..at + 1);
            assert_eq!((carried.ranges(), carried.0.len()), (None, MOST + 1));
        }
    }
}
