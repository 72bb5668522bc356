//! Where a document can be split: before any point.

use std::ops::Range;

use robolog_core::{Splitting, push_range};

use super::{Gpx, Header, Record, context::Context};

/// Notes the tags, which show where points stand, and the first point of each run of a channel, by which channels are
/// counted.
#[derive(Debug)]
pub(crate) struct Points {
    context: Context,
    carry: Vec<Range<u64>>,
}

/// A document with more ranges of tags before a point is not split there: each split would hold them all.
const MOST: usize = 1 << 14;

impl Points {
    pub(crate) fn new(header: &Header) -> Self {
        Self { context: Context::new(header), carry: Vec::new() }
    }
}

impl Splitting<Gpx> for Points {
    fn carry(&mut self, record: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let is_point = record.point().is_some();
        (is_point && self.carry.len() <= MOST).then(|| self.carry.clone())
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        // What is wrong with it, the sampler reports.
        drop(self.context.push(record));
        if let Some(point) = record.point() {
            if self.context.is_in_channel_of(point) || record.position().is_err() {
                return;
            }
            self.context.channel(point);
        }
        push_range(&mut self.carry, range);
    }
}
