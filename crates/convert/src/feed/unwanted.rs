//! Skips records whose channels nobody asked for.

use robolog_core::format::{Decoder, Format};

use crate::{ChannelFilter, Limit, Settings};

/// Skips records before they are decoded. They are framed and checked nevertheless.
#[derive(Debug)]
pub(super) struct Unwanted {
    /// Channels to keep; `None` skips nothing.
    channels: Option<ChannelFilter>,
    /// Number of records before all patterns matched.
    records: u64,
    is_settled: bool,
}

impl Unwanted {
    /// Skips by the channels of `limit`. Skips nothing if times are moved: a time that exceeds 64 bits is damage.
    pub(super) fn new(limit: &Limit, settings: &Settings) -> Self {
        let channels = limit.channels().filter(|_| !settings.moves_times()).cloned();
        Self { channels, records: 0, is_settled: false }
    }

    /// Whether to skip the record. Skips nothing until the start of the recording is known, which can come from any
    /// channel, and each pattern has matched a channel: the error for a pattern without a match lists all channels.
    pub(super) fn has<D: Decoder>(
        &mut self,
        record: &<D::Format as Format>::Record<'_>,
        decoder: &mut D,
        is_begun: bool,
    ) -> bool {
        let Some(channels) = self.channels.as_ref().filter(|_| is_begun) else { return false };
        if !self.is_settled {
            // Checked at powers of two, because it goes through all channels found.
            self.records += 1;
            self.is_settled = self.records.is_power_of_two() && channels.is_settled();
        }
        self.is_settled && decoder.is_unwanted(record, &|channel| channels.matches(channel))
    }
}
