//! Records that are not decoded, for nobody wants the channels of their samples.

use robolog_core::{Format, Sampling};

use crate::{ChannelFilter, Limit, Settings};

/// Leaves records out before they are decoded. They are framed and judged as records all the same.
#[derive(Debug)]
pub(super) struct Unwanted {
    /// The channels that are wanted; `None` leaves out nothing.
    channels: Option<ChannelFilter>,
    /// Records before the filter was settled.
    records: u64,
    is_settled: bool,
}

impl Unwanted {
    /// For these channels. Where times are moved nothing is left out: one that 64 bits cannot hold is damage.
    pub(super) fn new(limit: &Limit, settings: &Settings) -> Self {
        let channels = limit.channels().filter(|_| !settings.moves_times()).cloned();
        Self { channels, records: 0, is_settled: false }
    }

    /// Whether to skip the record. Nothing is skipped until the start of the recording is known, which any channel can tell,
    /// and until each pattern has matched a channel: the error for a pattern without a match lists all channels.
    pub(super) fn has<S: Sampling>(
        &mut self,
        record: &<S::Format as Format>::Record<'_>,
        sampler: &mut S,
        is_begun: bool,
    ) -> bool {
        let Some(channels) = self.channels.as_ref().filter(|_| is_begun) else { return false };
        if !self.is_settled {
            // Asked ever more seldom: the answer takes a look at all that was met.
            self.records += 1;
            self.is_settled = self.records.is_power_of_two() && channels.is_settled();
        }
        self.is_settled && sampler.is_unwanted(record, &|channel| channels.matches(channel))
    }
}
