//! Identifies the sensor of a log.

use robolog_core::slices::InRange as _;
use velodyne_packet::{Calibration, Detector, Generation, Model, Packet, StatusStream};

use crate::layout::PACKET_LEN;

/// The sensor, as inferred from its packets.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SensorDetails {
    /// The sensor's name.
    pub model: &'static str,
    /// The returns it reports.
    pub return_mode: &'static str,
    /// Content of the last six bytes of packets.
    pub trailer: &'static str,
    /// The default calibration: the sensor's own if it sends one.
    pub calibration: String,
    /// The evidence for the decision.
    pub evidence: Vec<String>,
}

/// Identifies the sensor from the first packets of a log.
#[derive(Debug, Default)]
pub(crate) struct Sensor {
    detector: Detector,
    status: StatusStream,
    packets: usize,
}

impl Sensor {
    /// Of this model, if the user knows it.
    pub(crate) fn new(model: Option<Model>) -> Self {
        Self { detector: Detector::default().with_model(model), ..Self::default() }
    }

    /// One second of packets distinguishes an HDL-64E S2 from an S3.
    const PACKETS: usize = 4160;

    pub(crate) fn push(&mut self, packets: &[[u8; PACKET_LEN]]) {
        let more = Self::PACKETS.minus(self.packets);
        packets.iter().take(more).for_each(|packet| self.detector.push(Packet::new(packet)));
        self.packets = self.packets.plus(packets.len().min(more));
        // Lost packets may leave the first cycle incomplete.
        for packet in packets {
            if self.status.calibration().is_some() {
                break;
            }
            self.status.push(Packet::new(packet));
        }
    }

    pub(crate) fn finish(self) -> Option<SensorDetails> {
        if self.packets == 0 {
            return None;
        }
        let sensor = self.detector.verdict()?;
        let own = self.status.calibration().filter(|_| sensor.generation == Generation::Status);
        let calibration = own.cloned().unwrap_or_else(|| Calibration::built_in(sensor.model));
        Some(SensorDetails {
            model: sensor.model.name(),
            return_mode: sensor.return_mode.name(),
            trailer: sensor.generation.name(),
            calibration: calibration.label,
            evidence: sensor.evidence,
        })
    }
}
