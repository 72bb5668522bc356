//! Selects the Velodyne messages that another decoder must be shown: the first ones, which identify the sensor, and
//! those since the head began its last turn.

use std::ops::Range;

use robolog_core::{
    Timestamp,
    format::{extend_ranges, push_range},
    slices::InRange as _,
};
use velodyne_packet::{Detection, Detector, Generation, Packet, ScanCounter};

use super::payload;
use crate::{
    Payload, Record, Registry, TypeId,
    layout::PACKET_LEN,
    velodyne::{LOOK, Options},
};

/// The messages noted so far.
#[derive(Debug)]
pub(super) struct Carried {
    detector: Detector,
    packets: usize,
    sensor: Sensor,
    generation: Option<Generation>,
    first: Vec<Range<u64>>,
    /// Messages of the current turn, from the one before its start.
    turn: Vec<Range<u64>>,
    /// Times of the first and the last message.
    span: Option<(Timestamp, Timestamp)>,
}

#[derive(Debug)]
enum Sensor {
    /// Not known yet.
    Open,
    Known(ScanCounter),
    /// It is unknown, or sends its own calibration, which a decoder starting in the middle would lack.
    Unsplit,
}

/// The head of a working Velodyne turns within this many messages.
const MOST: usize = 1 << 12;
/// A turn has some 200 000 points. One with more is a piece of a turn that never ends.
const TURN: usize = 1 << 20;
/// A Velodyne sends ten messages in this time.
const LONG_ENOUGH: i64 = 2_000_000_000;

impl Carried {
    pub(super) fn new(options: &Options) -> Self {
        let sensor = options.sensor.as_ref();
        Self {
            detector: Detector::default().with_model(options.model),
            packets: 0,
            sensor: sensor.map_or(Sensor::Open, |sensor| Sensor::of(Some(sensor))),
            generation: sensor.map(|sensor| sensor.generation),
            first: Vec::new(),
            turn: Vec::new(),
            span: None,
        }
    }

    pub(super) fn push(&mut self, record: &Record<'_>, range: Range<u64>, registry: &Registry) {
        if let Some(time) = record.time() {
            self.span = Some((self.span.map_or(time, |(first, _)| first), time));
        }
        let is_velodyne = record.type_id() == TypeId::VELODYNE && record.is_valid();
        if is_velodyne
            && registry.knows(record.type_id())
            && let Ok(Payload::Velodyne(velodyne)) = payload(record)
        {
            self.packets(velodyne.packets(), range);
        }
    }

    fn packets(&mut self, packets: &[[u8; PACKET_LEN]], range: Range<u64>) {
        self.packets = self.packets.plus(packets.len());
        if let Sensor::Open = self.sensor {
            packets.iter().take(LOOK).for_each(|packet| self.detector.push(Packet::new(packet)));
            push_range(&mut self.first, range.clone());
            if self.packets >= LOOK {
                let sensor = std::mem::take(&mut self.detector).verdict();
                self.generation = sensor.as_ref().map(|sensor| sensor.generation);
                self.sensor = Sensor::of(sensor.as_ref());
            }
        }
        let mut most_points = 0;
        if let Sensor::Known(counter) = &mut self.sensor {
            for packet in packets {
                counter.push(Packet::new(packet), 0, |scan| most_points = scan.points.max(most_points));
            }
        }
        if most_points > 0 {
            // In the message before it, the head has not reached the start of the turn.
            let before = self.turn.pop();
            self.turn.clear();
            self.turn.extend(before);
        }
        if self.turn.len() <= MOST {
            self.turn.push(range);
        }
        if self.turn.len() > MOST || most_points > TURN {
            self.sensor = Sensor::Unsplit;
        }
    }

    /// Their locations; `None` if no decoder can continue from here.
    pub(super) fn ranges(&self) -> Option<Vec<Range<u64>>> {
        let mut carry = self.first.clone();
        match &self.sensor {
            Sensor::Unsplit => return None,
            Sensor::Open => {}
            Sensor::Known(_) => extend_ranges(&mut carry, &self.turn),
        }
        Some(carry)
    }

    /// Whether points are the same wherever reading begins: false for a sensor that uses its own calibration.
    pub(super) fn has_same_points(&self, has_calibration: bool) -> bool {
        if self.generation.is_none() && self.packets < LOOK {
            // No packet in the first seconds: probably no Velodyne.
            let span = self.span.and_then(|(first, last)| last.since(first));
            return self.packets == 0 && span.is_some_and(|span| span >= LONG_ENOUGH);
        }
        self.generation != Some(Generation::Status) || has_calibration
    }

    pub(super) const fn has_packets(&self) -> bool {
        self.packets > 0
    }
}

impl Sensor {
    fn of(sensor: Option<&Detection>) -> Self {
        match sensor {
            Some(sensor) if sensor.generation != Generation::Status => Self::Known(ScanCounter::new(sensor)),
            _ => Self::Unsplit,
        }
    }
}
