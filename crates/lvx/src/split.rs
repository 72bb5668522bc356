//! Where a recording can be split: before any frame, unless stamps start anew with a pulse every second.

use std::ops::Range;

use robolog_core::{Sampling as _, Splitting, extend_ranges, push_range};

use crate::{Header, Lvx, Options, Record, Sampler, sample::News};

/// Notes the frames that a sampler must be shown: those that introduce a device, and the last one of each that shows how
/// far its shots are apart.
#[derive(Debug)]
pub(crate) struct Frames {
    sampler: Sampler,
    introductions: Vec<Range<u64>>,
    intervals: Vec<Option<Range<u64>>>,
    has_pulses: bool,
}

impl Frames {
    pub(crate) fn new(header: &Header) -> Self {
        let sampler = Sampler::new(header, Options::default());
        Self { sampler, introductions: Vec::new(), intervals: Vec::new(), has_pulses: false }
    }
}

impl Splitting<Lvx> for Frames {
    fn carry(&mut self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        if self.has_pulses {
            return None;
        }
        let mut carry = Vec::new();
        extend_ranges(&mut carry, self.introductions.iter().chain(self.intervals.iter().flatten()));
        Some(carry)
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        let Self { sampler, introductions, intervals, has_pulses } = self;
        sampler.learn(record, &mut |news, device| match news {
            News::Device => {
                push_range(introductions, range.clone());
                intervals.push(None);
            }
            News::Interval => {
                if let Some(last) = intervals.get_mut(device) {
                    *last = Some(range.clone());
                }
            }
            News::Pulse => *has_pulses = true,
        });
    }
}
