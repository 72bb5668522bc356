//! Whether reading can go on at a later frame: where the first frames have shown all devices.

use robolog_core::{Sampling as _, Seeking, Slack, Timestamp};

use crate::{Header, Lvx, Options, Package, Record, Result, Sampler, Version, sample::News};

/// Longer than some frames: the shots of a device are as far apart as its last frame shows.
const SLACK: Slack = Slack { order: 1_000_000_000, reach: 1_000_000_000 };

/// Takes in the first frames.
#[derive(Debug)]
pub(crate) struct FirstFrames {
    sampler: Sampler,
    header: Header,
    has_pulses: bool,
}

impl FirstFrames {
    pub(crate) fn new(header: &Header) -> Self {
        Self { sampler: Sampler::new(header, Options::default()), header: header.clone(), has_pulses: false }
    }
}

impl Seeking<Lvx> for FirstFrames {
    fn push(&mut self, record: &Record<'_>) {
        let Self { sampler, has_pulses, .. } = self;
        sampler.learn(record, &mut |news, _| *has_pulses |= news == News::Pulse);
    }

    fn slack(&self) -> Option<Slack> {
        let has_all = self.header.devices().iter().all(|device| self.sampler.has(device.id));
        let is_closed = self.header.version() == Version::V2_4;
        (has_all && !self.has_pulses && !is_closed).then_some(SLACK)
    }

    /// Devices may each count from their own start.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        let times = record.packages().map_while(Result::ok).filter_map(|package| Package::time(&package));
        times.map(|time| (time, time)).reduce(|a, b| (a.0.earlier(b.0), a.1.later(b.1)))
    }
}
