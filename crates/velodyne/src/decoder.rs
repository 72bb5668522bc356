//! Packets to points.

use crate::{Calibration, Detection, Options, Packet, Points};

/// Turns the packets of one sensor into points.
#[derive(Debug, Clone)]
pub struct Decoder {
    detection: Detection,
}

impl Decoder {
    /// For packets of this sensor. Lasers that the calibration does not have point straight ahead.
    pub fn new(detection: &Detection, calibration: &Calibration, options: Options) -> Self {
        let _ = (calibration, options);
        Self { detection: detection.clone() }
    }

    /// What the packets are taken for.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// Appends the points of a packet whose first shot was fired at `time`, in nanoseconds of the caller's clock.
    ///
    /// The first packet of empty `points` settles their [`start`](Points::start).
    pub fn decode(&mut self, packet: Packet<'_>, time: i64, points: &mut Points) {
        let _ = (packet, time, points);
    }

    /// Appends the points of the whole packets of `bytes`, the last of which arrived at `time` nanoseconds. The times of
    /// the packets before it follow from the clock inside them, or where they have none from the sensor's rate.
    pub fn decode_message(&mut self, bytes: &[u8], time: i64, points: &mut Points) {
        let _ = (bytes, time, points);
    }
}
