//! Holds messages until the sensor is known, and measures the delay of its packets.

use robolog_core::{Clock, Limits, Timestamp, slices::InRange as _};
use velodyne_packet::{Detection, Detector, Model, Packet, PacketClock, message_times};

use crate::layout::PACKET_LEN;

/// Number of packets used to identify the sensor.
pub(crate) const LOOK: usize = 16;

/// Packets, and what is known about their arrival.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message<'a> {
    pub(super) packets: &'a [[u8; PACKET_LEN]],
    /// Arrival of each packet, on the clock of `time`; empty if only `time`, the arrival of the last one, is known.
    pub(super) arrivals: &'a [i64],
    pub(super) at: u64,
    pub(super) time: Option<Timestamp>,
}

impl<'a> Message<'a> {
    /// Of captured packets.
    pub(super) fn captured(packets: &'a [[u8; PACKET_LEN]], arrivals: &'a [i64], at: u64) -> Self {
        let time = arrivals.last().map(|nanos| Timestamp::new(*nanos, Clock::Unix));
        Self { packets, arrivals, at, time }
    }

    pub(super) fn held(self) -> Held {
        let Self { packets, arrivals, at, time } = self;
        Held { packets: packets.to_vec(), arrivals: arrivals.to_vec(), at, time }
    }

    /// The time at which each packet was sent.
    pub(super) fn times(self, sensor: &Detection, clock: &mut PacketClock, times: &mut Vec<i64>) {
        if self.arrivals.is_empty() {
            let nanos = self.time.map_or(0, Timestamp::nanos);
            message_times(sensor, self.packets.as_flattened(), nanos, times);
        } else {
            clock.times(self.packets, self.arrivals, times);
        }
    }
}

/// The same, kept.
#[derive(Debug)]
pub(super) struct Held {
    packets: Vec<[u8; PACKET_LEN]>,
    arrivals: Vec<i64>,
    at: u64,
    time: Option<Timestamp>,
}

impl Held {
    /// Takes captured packets and their arrivals, and leaves room for as many.
    pub(super) fn take(packets: &mut Vec<[u8; PACKET_LEN]>, arrivals: &mut Vec<i64>, at: u64) -> Self {
        let time = Message::captured(packets, arrivals, at).time;
        let room = packets.len();
        let packets = std::mem::replace(packets, Vec::with_capacity(room));
        Self { packets, arrivals: std::mem::take(arrivals), at, time }
    }

    fn message(&self) -> Message<'_> {
        Message { packets: &self.packets, arrivals: &self.arrivals, at: self.at, time: self.time }
    }
}

/// The first messages.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    detector: Detector,
    held: Vec<Held>,
    packets: usize,
}

impl Waiting {
    /// For packets of this model, if it is known.
    pub(super) fn new(model: Option<Model>) -> Self {
        Self { detector: Detector::default().with_model(model), ..Self::default() }
    }

    /// Holds a message. Returns whether enough is known now: the sensor and, if packets have arrival times, the delay
    /// of one second of packets.
    pub(super) fn push(&mut self, message: Held, sensor: Option<&Detection>, limits: Limits) -> bool {
        // A message without packets adds no information, and a log may have any number of them.
        if message.packets.is_empty() {
            return false;
        }
        message.packets.iter().take(LOOK).for_each(|packet| self.detector.push(Packet::new(packet)));
        self.packets = self.packets.plus(message.packets.len());
        let has_arrivals = !message.arrivals.is_empty();
        self.held.push(message);
        if !has_arrivals {
            return sensor.is_some() || self.packets >= LOOK;
        }
        let sensor = || sensor.cloned().or_else(|| self.detector.clone().verdict());
        let ahead = || sensor().map_or(0, |sensor| PacketClock::new(&sensor).ahead());
        self.packets >= LOOK
            && (self.packets >= limits.record.wrapping_div(PACKET_LEN) || self.packets >= ahead())
    }

    /// Offset of the first packets.
    pub(super) fn at(&self) -> Option<u64> {
        self.held.first().map(|held| held.at)
    }

    /// The sensor of the packets.
    pub(super) fn sensor(&self) -> Option<Detection> {
        self.detector.clone().verdict()
    }

    /// A clock initialised with these messages, and the messages.
    pub(super) fn messages(
        &self,
        sensor: &Detection,
    ) -> (PacketClock, impl Iterator<Item = Message<'_>> + use<'_>) {
        let mut clock = PacketClock::new(sensor);
        clock.look_ahead(self.held.iter().map(|held| (&*held.packets, &*held.arrivals)));
        (clock, self.held.iter().map(Held::message))
    }
}
