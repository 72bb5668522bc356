//! Packets of a Velodyne to point clouds. The sensor is found from the packets.

use std::sync::Arc;

use robolog_core::{Clock, Error, ErrorKind, Notes, PointCloud, Result, Sample, Severity, Timestamp, Value};
use velodyne_packet::{
    Calibration, Decoder, Detection, Detector, Generation, Packet, Points, ScanCounter, ScanSplitter,
    StatusStream, message_times,
};

use crate::layout::PACKET_LEN;

/// The channel of the clouds.
pub(crate) const CHANNEL: &str = "velodyne/points";

/// What can be chosen when packets of a Velodyne become points.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Formula, axes and the like.
    pub points: velodyne_packet::Options,
    /// The head's calibration. By default that which the sensor itself sends, as later HDL-64E S2 and S3 do once in some
    /// 1.2 seconds: from the cloud behind the first whole one on. Before that, and for all others, a stand-in for its
    /// model, which is good to some centimetres.
    pub calibration: Option<Calibration>,
    /// The sensor, where it is not to be found from the packets.
    pub sensor: Option<Detection>,
    /// What a cloud is.
    pub clouds: Clouds,
}

/// What packets make a cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Clouds {
    /// Those of a turn of the head.
    #[default]
    Turns,
    /// Those of a message.
    Messages,
}

impl Clouds {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Turns, Self::Messages];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turns => "turn",
            Self::Messages => "message",
        }
    }
}

robolog_core::names!(Clouds, "extent of a cloud");

/// Packets that decide which sensor it is.
pub(crate) const LOOK: usize = 16;

/// Turns of the head in the making.
///
/// A message is taken to be stamped when its last packet arrived. The packets before it are as much earlier as their
/// own clock says; where they have none, as the sensor's rate says.
#[derive(Debug)]
pub(crate) struct Turns {
    options: Options,
    detector: Detector,
    /// Messages that wait until the sensor is known.
    waiting: Vec<Message>,
    maker: Option<Maker>,
    sample: Sample,
}

#[derive(Debug)]
struct Message {
    packets: Vec<[u8; PACKET_LEN]>,
    at: u64,
    time: Option<Timestamp>,
}

#[derive(Debug)]
struct Maker {
    sensor: Detection,
    points_options: velodyne_packet::Options,
    /// What the sensor says of itself, where no calibration was given.
    status: Option<Box<StatusStream>>,
    calibration: Calibration,
    /// The sensor's own, which waits for the next cloud.
    own: Option<Calibration>,
    by_turn: ScanSplitter,
    by_message: Decoder,
    points: Points,
    times: Vec<i64>,
    /// Where the turn at hand began.
    begun: u64,
    clock: Option<Clock>,
}

impl Turns {
    pub(crate) fn new(options: Options) -> Self {
        let mut turns = Self {
            options,
            detector: Detector::default(),
            waiting: Vec::new(),
            maker: None,
            sample: Sample {
                time: None,
                offset: 0,
                channel: Arc::from(CHANNEL),
                frame_id: Arc::from("velodyne"),
                value: Value::PointCloud(PointCloud::default()),
            },
        };
        if let Some(sensor) = turns.options.sensor.clone() {
            turns.maker = Some(Maker::new(sensor, &turns.options));
        }
        turns
    }

    pub(crate) fn push<E: From<Error>>(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(maker) = &mut self.maker {
            return maker.push(packets, at, time, self.options.clouds, &mut self.sample, sink);
        }
        packets.iter().take(LOOK).for_each(|packet| self.detector.push(Packet::new(packet)));
        self.waiting.push(Message { packets: packets.to_vec(), at, time });
        let seen: usize = self.waiting.iter().map(|message| message.packets.len()).sum();
        if seen < LOOK { Ok(()) } else { self.resolve(sink) }
    }

    pub(crate) fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.resolve(sink)?;
        match &mut self.maker {
            Some(maker) => maker.finish(&mut self.sample, sink),
            None => Ok(()),
        }
    }

    /// Decides which sensor it is, and gives it what was waiting. Packets of an unknown one give no clouds: the survey
    /// tells of them.
    fn resolve<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.iter().all(|message| message.packets.is_empty()) {
            return Ok(());
        }
        let Some(sensor) = std::mem::take(&mut self.detector).verdict() else { return Ok(()) };
        let maker = self.maker.insert(Maker::new(sensor, &self.options));
        for message in &waiting {
            maker.push(
                &message.packets,
                message.at,
                message.time,
                self.options.clouds,
                &mut self.sample,
                sink,
            )?;
        }
        Ok(())
    }
}

impl Maker {
    fn new(sensor: Detection, options: &Options) -> Self {
        let stand_in = || Calibration::built_in(sensor.model);
        let calibration = options.calibration.clone().unwrap_or_else(stand_in);
        let decoder = Decoder::new(&sensor, &calibration, options.points);
        let is_listening = options.calibration.is_none() && sensor.generation == Generation::Status;
        Self {
            sensor,
            points_options: options.points,
            status: is_listening.then(Box::default),
            calibration,
            own: None,
            by_turn: ScanSplitter::new(decoder.clone()),
            by_message: decoder,
            points: Points::new(),
            times: Vec::new(),
            begun: 0,
            clock: None,
        }
    }

    fn push<E: From<Error>>(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        clouds: Clouds,
        sample: &mut Sample,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let nanos = time.map_or(0, Timestamp::nanos);
        self.clock = time.map(Timestamp::clock);
        if clouds == Clouds::Messages {
            self.points.clear();
            self.calibrate();
            for packet in packets {
                self.listen(Packet::new(packet));
            }
            self.by_message.decode_message(packets.as_flattened(), nanos, &mut self.points);
            self.begun = at;
            return send(&mut self.points, at, self.clock, sample, sink);
        }
        let mut outcome = Ok(());
        let mut times = std::mem::take(&mut self.times);
        message_times(&self.sensor, packets.as_flattened(), nanos, &mut times);
        for (packet, time) in packets.iter().zip(&times) {
            let (begun, clock) = (&mut self.begun, self.clock);
            let mut has_turned = false;
            self.by_turn.push(Packet::new(packet), *time, |points| {
                if outcome.is_ok() {
                    outcome = send(points, *begun, clock, sample, sink);
                }
                *begun = at;
                has_turned = true;
            });
            if has_turned {
                self.calibrate();
            }
            self.listen(Packet::new(packet));
        }
        self.times = times;
        outcome
    }

    /// Notes the calibration that the sensor sends, when it is whole and another than the one in use.
    fn listen(&mut self, packet: Packet<'_>) {
        let Some(status) = &mut self.status else { return };
        if status.push(packet) {
            self.own = status.calibration().filter(|own| **own != self.calibration).cloned();
        }
    }

    /// Goes over to the calibration that was noted.
    fn calibrate(&mut self) {
        let Some(own) = self.own.take() else { return };
        self.by_message = Decoder::new(&self.sensor, &own, self.points_options);
        self.by_turn.set_decoder(self.by_message.clone());
        self.calibration = own;
    }

    fn finish<E: From<Error>>(
        &mut self,
        sample: &mut Sample,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut outcome = Ok(());
        let (begun, clock) = (self.begun, self.clock);
        self.by_turn.finish(|points| outcome = send(points, begun, clock, sample, sink));
        outcome
    }
}

fn send<E: From<Error>>(
    points: &mut Points,
    at: u64,
    clock: Option<Clock>,
    sample: &mut Sample,
    sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
) -> Result<(), E> {
    if points.is_empty() {
        return Ok(());
    }
    sample.time = clock.map(|clock| Timestamp::new(points.start(), clock));
    sample.offset = at;
    sample.value = Value::PointCloud(points.take_cloud());
    sink(sample)
}

/// Fails where no block of any packet begins as those of a Velodyne do.
pub(crate) fn check(packets: &[[u8; PACKET_LEN]], at: u64) -> Result<()> {
    let is_block =
        |packet: &[u8; PACKET_LEN]| Packet::new(packet).blocks().any(|block| block.bank().is_some());
    if packets.is_empty() || packets.iter().any(is_block) {
        return Ok(());
    }
    let expected = "blocks that begin with ff and ee, dd, cc or bb";
    Err(Error::invalid("packets", "none of a Velodyne", expected, at).within("VelodyneRawDataM"))
}

/// Why the packets of the message at this offset, and of those that waited with it, give no points.
fn unknown_sensor(at: u64) -> Error {
    let kind =
        ErrorKind::Unsupported { what: "packets of a LiDAR", why: "they are not of a sensor that is known" };
    Error::new(kind, at).within("VelodyneRawDataM")
}

/// Counts the clouds that [`Turns`] makes with default options, without computing a point. Fails for packets of an unknown
/// sensor.
#[derive(Debug, Default)]
pub(crate) struct CloudCounter {
    detector: Detector,
    /// Packets that wait until the sensor is known.
    waiting: Vec<[u8; PACKET_LEN]>,
    /// The message of the first of them.
    at: u64,
    counter: Option<ScanCounter>,
}

impl CloudCounter {
    /// Takes the packets of the message at offset `at`, and calls `each` with the number of points of each cloud that they end.
    pub(crate) fn push(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        mut each: impl FnMut(usize),
    ) -> Result<()> {
        if let Some(counter) = &mut self.counter {
            for packet in packets {
                counter.push(Packet::new(packet), &mut each);
            }
            return Ok(());
        }
        if self.waiting.is_empty() {
            self.at = at;
        }
        packets.iter().take(LOOK).for_each(|packet| self.detector.push(Packet::new(packet)));
        self.waiting.extend_from_slice(packets);
        if self.waiting.len() < LOOK { Ok(()) } else { self.resolve(each) }
    }

    pub(crate) fn finish(&mut self, mut each: impl FnMut(usize)) -> Result<()> {
        self.resolve(&mut each)?;
        if let Some(counter) = &mut self.counter {
            counter.finish(each);
        }
        Ok(())
    }

    fn resolve(&mut self, mut each: impl FnMut(usize)) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let sensor = std::mem::take(&mut self.detector).verdict().ok_or_else(|| unknown_sensor(self.at))?;
        let counter = self.counter.insert(ScanCounter::new(&sensor));
        for packet in &waiting {
            counter.push(Packet::new(packet), &mut each);
        }
        Ok(())
    }
}

/// What the packets say about the sensor.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SensorDetails {
    /// The sensor's name.
    pub model: &'static str,
    /// Which returns it reports.
    pub return_mode: &'static str,
    /// What the packets' last six bytes hold.
    pub trailer: &'static str,
    /// The calibration that is used unless another is given: the sensor's own where it sends it.
    pub calibration: String,
    /// What decided.
    pub evidence: Vec<String>,
}

/// Finds out about the sensor from the first packets of a log.
#[derive(Debug, Default)]
pub(crate) struct Sensor {
    detector: Detector,
    status: StatusStream,
    packets: usize,
    at: u64,
}

impl Sensor {
    /// A second of packets distinguishes an HDL-64E S2 from an S3.
    const PACKETS: usize = 4160;

    pub(crate) fn push(&mut self, packets: &[[u8; PACKET_LEN]], at: u64) {
        if self.packets == 0 {
            self.at = at;
        }
        let more = Self::PACKETS.saturating_sub(self.packets);
        packets.iter().take(more).for_each(|packet| self.detector.push(Packet::new(packet)));
        self.packets = self.packets.saturating_add(packets.len().min(more));
        // Lost packets may keep the first cycle from being whole.
        for packet in packets {
            if self.status.calibration().is_some() {
                break;
            }
            self.status.push(Packet::new(packet));
        }
    }

    pub(crate) fn finish(self, notes: &mut Notes) -> Option<SensorDetails> {
        if self.packets == 0 {
            return None;
        }
        let sensor = self.detector.verdict()?;
        let own = self.status.calibration().filter(|_| sensor.generation == Generation::Status);
        let calibration = own.cloned().unwrap_or_else(|| Calibration::built_in(sensor.model));
        if calibration.is_stand_in() {
            let (model, label) = (sensor.model, &calibration.label);
            let message = format!("the {model}'s own calibration is not in the log; in use: {label}");
            notes.find(Severity::Note, "calibration", self.at, message);
        }
        Some(SensorDetails {
            model: sensor.model.name(),
            return_mode: sensor.return_mode.name(),
            trailer: sensor.generation.name(),
            calibration: calibration.label,
            evidence: sensor.evidence,
        })
    }
}
