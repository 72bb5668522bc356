//! Whether reading can go on at a later frame: where the first frames have shown all devices.

use robolog_core::{Sampling as _, Seeking, Slack, Timestamp};

use crate::{Header, Lvx, Options, Package, Record, Result, Sampler, Version, sample::News};

/// Two frames, of which each holds its own times: the shots of a device are as far apart as its last frame shows. The least
/// is two frames of a Livox, the most is for devices that each count from their own start.
const FRAMES: i64 = 2;
const LEAST: i64 = 100_000_000;
const MOST: i64 = 1_000_000_000;

/// Takes in the first frames.
#[derive(Debug)]
pub(crate) struct FirstFrames {
    sampler: Sampler,
    header: Header,
    has_pulses: bool,
    /// The longest frame, in nanoseconds.
    longest: i64,
}

impl FirstFrames {
    pub(crate) fn new(header: &Header) -> Self {
        let sampler = Sampler::new(header, Options::default());
        Self { sampler, header: header.clone(), has_pulses: false, longest: 0 }
    }
}

impl Seeking<Lvx> for FirstFrames {
    fn push(&mut self, record: &Record<'_>) {
        if let Some((first, last)) = self.span(record) {
            self.longest = self.longest.max(last.since(first).unwrap_or(MOST));
        }
        let Self { sampler, has_pulses, .. } = self;
        sampler.learn(record, &mut |news, _| *has_pulses |= news == News::Pulse);
    }

    fn slack(&self) -> Option<Slack> {
        let has_all = self.header.devices().iter().all(|device| self.sampler.has(device.id));
        let is_closed = self.header.version() == Version::V2_4;
        (has_all && !self.has_pulses && !is_closed).then(|| {
            let slack = self.longest.saturating_mul(FRAMES).clamp(LEAST, MOST);
            Slack { order: slack, reach: slack }
        })
    }

    /// Devices may each count from their own start. Reading does not go on inside a frame.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        if record.is_fragment() {
            return None;
        }
        let times = record.packages().map_while(Result::ok).filter_map(|package| Package::time(&package));
        times.map(|time| (time, time)).reduce(|a, b| (a.0.earlier(b.0), a.1.later(b.1)))
    }
}
