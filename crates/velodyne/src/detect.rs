//! Which sensor wrote the packets, found from their bytes.

use std::fmt;

use crate::{Generation, Model, Packet, ReturnMode};

/// What a [`Detector`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Detection {
    /// The sensor.
    pub model: Model,
    /// Which returns it reports.
    pub return_mode: ReturnMode,
    /// What the last six bytes hold.
    pub generation: Generation,
    /// Packets that were looked at.
    pub packets: usize,
    /// What decided, in words, each for one of the above.
    pub evidence: Vec<String>,
}

impl Detection {
    /// What a caller who knows the sensor says, without looking at packets.
    pub fn assume(model: Model, return_mode: ReturnMode, generation: Generation) -> Self {
        Self { model, return_mode, generation, packets: 0, evidence: vec!["as the caller says".to_owned()] }
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} returns, {}", self.model, self.return_mode, self.generation)
    }
}

/// Finds out which sensor wrote the packets. Eight packets are mostly enough, hundreds tell an HDL-64E S2 from an S3.
#[derive(Debug, Clone, Default)]
pub struct Detector {
    packets: usize,
}

impl Detector {
    /// Looks at the packets of `input`.
    pub fn detect<'a>(packets: impl IntoIterator<Item = Packet<'a>>) -> Option<Detection> {
        let mut detector = Self::default();
        packets.into_iter().for_each(|packet| detector.push(packet));
        detector.verdict()
    }

    /// Looks at a packet; they come in the order in which the sensor sent them.
    pub fn push(&mut self, packet: Packet<'_>) {
        let _ = packet;
        self.packets = self.packets.saturating_add(1);
    }

    /// What the packets so far say; `None` where they are not of a sensor that is understood.
    pub fn verdict(&self) -> Option<Detection> {
        None
    }
}
