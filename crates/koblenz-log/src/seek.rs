//! Whether reading can go on at a later message: where the first ones have shown what Velodyne there is.

use robolog_core::{ReorderBound, Seeking, Timestamp};
use velodyne_packet::{Detector, Generation, Packet};

use crate::{
    Header, KoblenzLog, Options, Payload, Record, Registry, TypeId, sample::payload, velodyne::LOOK,
};

/// Devices send side by side, and a turn of a head takes less than a second.
const SLACK: ReorderBound = ReorderBound { order: 10 * SECOND, reach: 10 * SECOND };
const SECOND: i64 = 1_000_000_000;
/// A Velodyne sends ten messages in this time.
const LONG_ENOUGH: i64 = 2 * SECOND;

/// Takes in the first messages.
#[derive(Debug)]
pub(crate) struct FirstMessages {
    registry: Registry,
    options: Options,
    detector: Detector,
    /// Packets that showed what sensor it is.
    packets: usize,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl FirstMessages {
    pub(crate) fn new(header: &Header, options: &Options) -> Self {
        Self {
            registry: header.registry().clone(),
            options: options.clone(),
            detector: Detector::default(),
            packets: 0,
            first: None,
            last: None,
        }
    }

    /// Whether points are the same wherever reading begins: not those of a sensor that sends its own calibration.
    fn has_same_points(&self) -> bool {
        let velodyne = &self.options.velodyne;
        let sensor = match &velodyne.sensor {
            Some(sensor) => Some(sensor.generation),
            None if self.packets >= LOOK => self.detector.clone().verdict().map(|sensor| sensor.generation),
            // No packet in the first seconds: probably no Velodyne.
            None if self.packets == 0 => {
                let span = self.first.zip(self.last).and_then(|(first, last)| last.since(first));
                return span.is_some_and(|span| span >= LONG_ENOUGH);
            }
            None => return false,
        };
        sensor != Some(Generation::Status) || velodyne.calibration.is_some()
    }
}

impl Seeking<KoblenzLog> for FirstMessages {
    fn push(&mut self, record: &Record<'_>) {
        self.first = self.first.or(record.time());
        self.last = record.time().or(self.last);
        let is_velodyne = record.type_id() == TypeId::VELODYNE && record.is_valid();
        if !is_velodyne || !self.registry.knows(record.type_id()) || self.packets >= LOOK {
            return;
        }
        if let Ok(Payload::Velodyne(velodyne)) = payload(record) {
            let packets = velodyne.packets();
            packets.iter().take(LOOK).for_each(|packet| self.detector.push(Packet::new(packet)));
            self.packets = self.packets.saturating_add(packets.len());
        }
    }

    fn slack(&self) -> Option<ReorderBound> {
        self.has_same_points().then_some(SLACK)
    }

    /// On the clock of the samples.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        let time = Record::time(record).filter(|_| record.is_valid())?;
        let time = match self.options.epoch {
            Some(epoch) => epoch.checked_add(time.nanos())?,
            None => time,
        };
        Some((time, time))
    }

    /// Clouds of a Velodyne begin before the messages that bring them.
    fn knows_start(&self) -> bool {
        self.packets == 0
    }

    fn untimed_follow(&self) -> bool {
        false
    }

    fn has_end_mark(&self) -> bool {
        true
    }
}
