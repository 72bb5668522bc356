//! Whether reading can go on at a later entry: unless there are scanners, whose mounts come before their first scans.

use robolog_core::{ReorderBound, Seeking};

use super::{Known, Options};
use crate::{Alog, Record};

/// Applications stamp entries, which come a little out of order; the time inside a value lies within an hour of its column's.
const SLACK: ReorderBound = ReorderBound { order: 60 * SECOND, reach: 3600 * SECOND };
const SECOND: i64 = 1_000_000_000;

/// Takes in the first entries.
#[derive(Debug)]
pub(crate) struct FirstEntries {
    has_scans: bool,
    /// Whether times of samples count as those of entries do.
    has_same_times: bool,
}

impl FirstEntries {
    pub(crate) fn new(options: &Options) -> Self {
        Self { has_scans: false, has_same_times: !options.time.is_of_mission() && options.warp.is_none() }
    }
}

impl Seeking<Alog> for FirstEntries {
    fn push(&mut self, record: &Record<'_>) {
        self.has_scans |= matches!(Known::of(&record.name()), Known::Scan(_));
    }

    fn slack(&self) -> Option<ReorderBound> {
        (self.has_same_times && !self.has_scans).then_some(SLACK)
    }

    /// Values hold earlier times.
    fn knows_start(&self) -> bool {
        false
    }
}
