//! Counting clouds without making them.

use robolog_core::{Clock, Error, ErrorKind, Limits, Result, Severity, Timestamp, format::SurveyBuilder};
use velodyne_packet::{
    Calibration, Detection, Generation, Model, Packet, PacketClock, Scan, ScanCounter, StatusStream,
};

use super::waiting::{Held, Message, Waiting};
use crate::layout::PACKET_LEN;

/// A cloud counted by [`CloudCounter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cloud {
    /// Number of points.
    pub points: usize,
    /// Time at which its first packet was sent.
    pub time: Option<Timestamp>,
}

/// Counts the clouds that [`CloudMaker`](super::CloudMaker) makes with default options, without computing points.
/// Returns an error for packets of an unknown sensor.
#[derive(Debug, Default)]
pub struct CloudCounter {
    limits: Limits,
    waiting: Waiting,
    counter: Option<Counter>,
    times: Vec<i64>,
    clock: Option<Clock>,
}

#[derive(Debug)]
struct Counter {
    sensor: Detection,
    clock_inside: PacketClock,
    scans: ScanCounter,
    /// Data that a sensor with its own calibration sends about itself.
    status: Option<Box<StatusStream>>,
    /// Offset of its first packets.
    at: u64,
}

impl CloudCounter {
    /// Sets the model, if the packets do not name it.
    #[must_use]
    pub fn with_model(mut self, model: Option<Model>) -> Self {
        self.waiting = Waiting::new(model);
        self
    }

    /// Sets the limits: see [`set_limits`](Self::set_limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Sets the limits, like [`CloudMaker::set_limits`](super::CloudMaker::set_limits).
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(counter) = &mut self.counter {
            counter.scans.set_limits(limits);
        }
    }

    /// The sensor, once it is known.
    pub fn sensor(&self) -> Option<&Detection> {
        self.counter.as_ref().map(|counter| &counter.sensor)
    }

    /// Notes what a user should know about the default points of the sensor with this name: that they use the
    /// calibration of another head, and that identical second returns are dropped.
    pub fn note(&self, name: &str, notes: &mut SurveyBuilder) {
        let Some(Counter { sensor, scans, status, at, .. }) = &self.counter else { return };
        let calibration = Calibration::built_in(sensor.model);
        let has_own = status.as_ref().is_some_and(|status| status.calibration().is_some());
        if calibration.is_stand_in() && !has_own {
            let (model, label) = (sensor.model, calibration.label);
            let message = format_args!(
                "the {model} {name} does not send its own calibration: without it points are off by up to some metres; in \
                 use: {label}"
            );
            notes.find(Severity::Warning, "calibration", *at, message);
        }
        if let merged @ 1.. = scans.merged() {
            let message = format_args!(
                "the {} {name}: {merged} returns are identical to the other one of their shot, and counted once",
                sensor.model
            );
            notes.find(Severity::Note, "dual-returns", *at, message);
        }
    }

    /// Processes the packets of the message at offset `at`, the last of which arrived at `time`, and calls `each` with
    /// the clouds they complete.
    pub fn push(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        each: impl FnMut(Cloud),
    ) -> Result<()> {
        self.take(Message { packets, arrivals: &[], at, time }, each)
    }

    /// Like [`push`](Self::push), for captured packets, which it empties: see
    /// [`CloudMaker::push_captured`](super::CloudMaker::push_captured).
    pub fn push_captured(
        &mut self,
        packets: &mut Vec<[u8; PACKET_LEN]>,
        arrivals: &mut Vec<i64>,
        at: u64,
        each: impl FnMut(Cloud),
    ) -> Result<()> {
        if self.counter.is_none() {
            return self.wait(Held::take(packets, arrivals, at), each);
        }
        let outcome = self.take(Message::captured(packets, arrivals, at), each);
        packets.clear();
        arrivals.clear();
        outcome
    }

    fn take(&mut self, message: Message<'_>, mut each: impl FnMut(Cloud)) -> Result<()> {
        if self.counter.is_none() {
            return self.wait(message.held(), each);
        }
        self.count(message, &mut each);
        Ok(())
    }

    fn wait(&mut self, message: Held, mut each: impl FnMut(Cloud)) -> Result<()> {
        if self.waiting.push(message, None, self.limits) { self.resolve(&mut each) } else { Ok(()) }
    }

    /// Calls `each` with the unfinished cloud, if any.
    pub fn finish(&mut self, mut each: impl FnMut(Cloud)) -> Result<()> {
        self.resolve(&mut each)?;
        let clock = self.clock;
        if let Some(counter) = &mut self.counter {
            counter.scans.finish(|scan| each(Cloud::of(scan, clock)));
        }
        Ok(())
    }

    fn resolve(&mut self, each: &mut impl FnMut(Cloud)) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(at) = waiting.at() else { return Ok(()) };
        let sensor = waiting.sensor().ok_or_else(|| unknown_sensor(at))?;
        let (clock_inside, messages) = waiting.messages(&sensor);
        let scans = ScanCounter::new(&sensor).with_limits(self.limits);
        let status = (sensor.generation == Generation::Status).then(Box::default);
        self.counter = Some(Counter { sensor, clock_inside, scans, status, at });
        for message in messages {
            self.count(message, each);
        }
        Ok(())
    }

    fn count(&mut self, message: Message<'_>, each: &mut impl FnMut(Cloud)) {
        let Some(Counter { sensor, clock_inside, scans, status, .. }) = &mut self.counter else { return };
        if let Some(status) = status.as_mut().filter(|status| status.calibration().is_none()) {
            for packet in message.packets {
                status.push(Packet::new(packet));
            }
        }
        self.clock = message.time.map(Timestamp::clock);
        message.times(sensor, clock_inside, &mut self.times);
        for (packet, time) in message.packets.iter().zip(&self.times) {
            scans.push(Packet::new(packet), *time, |scan| each(Cloud::of(scan, self.clock)));
        }
    }
}

impl Cloud {
    fn of(scan: Scan, clock: Option<Clock>) -> Self {
        Self { points: scan.points, time: clock.map(|clock| Timestamp::new(scan.start, clock)) }
    }
}

/// The reason why the packets of the message at this offset, and of those held with it, give no points.
fn unknown_sensor(at: u64) -> Error {
    let kind = ErrorKind::Unsupported { what: "packets of a LiDAR", why: "the sensor is unknown" };
    Error::new(kind, at).within("VelodyneRawDataM")
}
