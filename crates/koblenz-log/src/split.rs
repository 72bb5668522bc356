//! Where a log can be split: before any message, unless a Velodyne sends its own calibration.

use std::ops::Range;

use robolog_core::{Splitting, extend_ranges, push_range};
use velodyne_packet::{Detector, Generation, Packet, ScanCounter};

use crate::{
    Header, KoblenzLog, Options, Payload, Record, Registry, TypeId, layout::PACKET_LEN, sample::payload,
    velodyne::LOOK,
};

/// Notes the messages of a Velodyne that a sampler must be shown: the first ones, which show what sensor it is, and those
/// since the head began its last turn.
#[derive(Debug)]
pub(crate) struct Messages {
    registry: Registry,
    detector: Detector,
    /// Packets that showed what sensor it is.
    looked_at: usize,
    sensor: Sensor,
    first: Vec<Range<u64>>,
    /// Since the message before the one in which the turn at hand began.
    turn: Vec<Range<u64>>,
}

#[derive(Debug)]
enum Sensor {
    /// Not known so far.
    Open,
    Known(ScanCounter),
    /// It is unknown, or sends its own calibration, which a split in the middle of the log does not know.
    Unsplit,
}

/// A head that does not turn within this many messages is not one of a working Velodyne.
const MOST: usize = 1 << 12;
/// A turn has some 200 000 points. What has more is a piece of one that never ends.
const TURN: usize = 1 << 20;

impl Messages {
    pub(crate) fn new(header: &Header, options: &Options) -> Self {
        let sensor = match &options.velodyne.sensor {
            Some(sensor) => Sensor::of(Some(sensor)),
            None => Sensor::Open,
        };
        let registry = header.registry().clone();
        let (detector, first, turn) = (Detector::default(), Vec::new(), Vec::new());
        Self { registry, detector, looked_at: 0, sensor, first, turn }
    }

    fn packets(&mut self, packets: &[[u8; PACKET_LEN]], range: Range<u64>) {
        if let Sensor::Open = self.sensor {
            for packet in packets.iter().take(LOOK) {
                self.detector.push(Packet::new(packet));
            }
            self.looked_at = self.looked_at.saturating_add(packets.len());
            push_range(&mut self.first, range.clone());
            if self.looked_at >= LOOK {
                self.sensor = Sensor::of(std::mem::take(&mut self.detector).verdict().as_ref());
            }
        }
        let mut most_points = 0;
        if let Sensor::Known(counter) = &mut self.sensor {
            for packet in packets {
                counter.push(Packet::new(packet), 0, |scan| most_points = scan.points.max(most_points));
            }
        }
        if most_points > 0 {
            // In the message before it, the head is still ahead of where the turn begins.
            let before = self.turn.pop();
            self.turn.clear();
            self.turn.extend(before);
        }
        self.turn.push(range);
        if self.turn.len() > MOST || most_points > TURN {
            self.sensor = Sensor::Unsplit;
        }
    }
}

impl Sensor {
    fn of(sensor: Option<&velodyne_packet::Detection>) -> Self {
        match sensor {
            Some(sensor) if sensor.generation != Generation::Status => Self::Known(ScanCounter::new(sensor)),
            _ => Self::Unsplit,
        }
    }
}

impl Splitting<KoblenzLog> for Messages {
    fn carry(&mut self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        match &self.sensor {
            Sensor::Unsplit => None,
            Sensor::Open => Some(self.first.clone()),
            Sensor::Known(_) => {
                let mut carry = self.first.clone();
                extend_ranges(&mut carry, &self.turn);
                Some(carry)
            }
        }
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        if record.type_id() != TypeId::VELODYNE
            || !record.is_valid()
            || !self.registry.knows(record.type_id())
        {
            return;
        }
        if let Ok(Payload::Velodyne(velodyne)) = payload(record) {
            self.packets(velodyne.packets(), range);
        }
    }
}
