//! What a decoder must be shown that goes on in the middle of a document.

use std::ops::Range;

use robolog_core::push_range;

/// Where the records lie that show a decoder in the middle of a document where it is: the tags before it, and what else the
/// format counts by.
#[derive(Debug, Default)]
pub struct Carried(Vec<Range<u64>>);

/// A document with more ranges before a record is not split there: each split would hold them all.
const MOST: usize = 1 << 14;

impl Carried {
    /// Adds a record, which lies behind those that were added.
    pub fn push(&mut self, range: Range<u64>) {
        if self.0.len() <= MOST {
            push_range(&mut self.0, range);
        }
    }

    /// All of them, those that touch as one; `None` where there are too many.
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
