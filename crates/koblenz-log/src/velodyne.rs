//! Packets of a Velodyne to point clouds. The sensor is found from the packets.

use std::sync::Arc;

use robolog_core::{Clock, Error, ErrorKind, Notes, PointCloud, Result, Sample, Severity, Timestamp, Value};
use velodyne_packet::{
    Calibration, Decoder, Detection, Detector, Generation, Packet, Points, Scan, ScanCounter, ScanSplitter,
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

/// Makes clouds of the packets of a Velodyne, which come in messages.
///
/// A message is taken to be stamped when its last packet arrived. The packets before it are as much earlier as their
/// own clock says; where they have none, as the sensor's rate says. Packets of an unknown sensor give no clouds.
#[derive(Debug)]
pub struct CloudMaker {
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
    begun: Option<u64>,
    clock: Option<Clock>,
}

impl CloudMaker {
    /// A maker with these options.
    pub fn new(options: Options) -> Self {
        let mut maker = Self {
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
        if let Some(sensor) = maker.options.sensor.clone() {
            maker.maker = Some(Maker::new(sensor, &maker.options));
        }
        maker
    }

    /// The same for a sensor of another name than `velodyne`: its channel is `NAME/points`, its frame `NAME`.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        self.sample.channel = format!("{name}/points").into();
        self.sample.frame_id = name.into();
        self
    }

    /// Takes the packets of the message at offset `at`, the last of which arrived at `time`, and gives `sink` the clouds that
    /// they end. A cloud's time is that of its first packet.
    pub fn push<E: From<Error>>(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(maker) = &mut self.maker {
            return maker.push(packets, at, time, self.options.clouds, &mut self.sample, sink);
        }
        let seen = wait(&mut self.waiting, &mut self.detector, packets, at, time);
        if seen < LOOK { Ok(()) } else { self.resolve(sink) }
    }

    /// Gives `sink` the cloud that was not ended, where there is one.
    pub fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.resolve(sink)?;
        match &mut self.maker {
            Some(maker) => maker.finish(&mut self.sample, sink),
            None => Ok(()),
        }
    }

    /// Decides which sensor it is, and makes clouds of the messages that waited.
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
            begun: None,
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
            return send(&mut self.points, at, self.clock, sample, sink);
        }
        let mut outcome = Ok(());
        let mut begun = *self.begun.get_or_insert(at);
        let mut times = std::mem::take(&mut self.times);
        message_times(&self.sensor, packets.as_flattened(), nanos, &mut times);
        for (packet, time) in packets.iter().zip(&times) {
            let clock = self.clock;
            let mut has_turned = false;
            self.by_turn.push(Packet::new(packet), *time, |points| {
                if outcome.is_ok() {
                    outcome = send(points, begun, clock, sample, sink);
                }
                begun = at;
                has_turned = true;
            });
            if has_turned {
                self.calibrate();
            }
            self.listen(Packet::new(packet));
        }
        self.times = times;
        self.begun = Some(begun);
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
        let (begun, clock) = (self.begun.take().unwrap_or_default(), self.clock);
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

/// A cloud that was counted: what [`CloudCounter`] gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cloud {
    /// Its points.
    pub points: usize,
    /// When its first packet was sent.
    pub time: Option<Timestamp>,
}

/// Counts the clouds that [`CloudMaker`] makes with default options, without computing a point. Fails for packets of an
/// unknown sensor.
#[derive(Debug, Default)]
pub struct CloudCounter {
    detector: Detector,
    /// Messages that wait until the sensor is known.
    waiting: Vec<Message>,
    counter: Option<(Detection, ScanCounter)>,
    times: Vec<i64>,
    clock: Option<Clock>,
}

impl CloudCounter {
    /// Takes the packets of the message at offset `at`, the last of which arrived at `time`, and calls `each` with the
    /// clouds that they end.
    pub fn push(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        mut each: impl FnMut(Cloud),
    ) -> Result<()> {
        if self.counter.is_some() {
            self.count(packets, time, &mut each);
            return Ok(());
        }
        if wait(&mut self.waiting, &mut self.detector, packets, at, time) < LOOK {
            return Ok(());
        }
        self.resolve(&mut each)
    }

    /// Calls `each` with the cloud that was not ended, where there is one.
    pub fn finish(&mut self, mut each: impl FnMut(Cloud)) -> Result<()> {
        self.resolve(&mut each)?;
        let clock = self.clock;
        if let Some((_, counter)) = &mut self.counter {
            counter.finish(|scan| each(Cloud::of(scan, clock)));
        }
        Ok(())
    }

    fn resolve(&mut self, each: &mut impl FnMut(Cloud)) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(first) = waiting.iter().find(|message| !message.packets.is_empty()) else { return Ok(()) };
        let sensor = std::mem::take(&mut self.detector).verdict().ok_or_else(|| unknown_sensor(first.at))?;
        let counter = ScanCounter::new(&sensor);
        self.counter = Some((sensor, counter));
        for message in &waiting {
            self.count(&message.packets, message.time, each);
        }
        Ok(())
    }

    fn count(&mut self, packets: &[[u8; PACKET_LEN]], time: Option<Timestamp>, each: &mut impl FnMut(Cloud)) {
        let Some((sensor, counter)) = &mut self.counter else { return };
        self.clock = time.map(Timestamp::clock);
        message_times(sensor, packets.as_flattened(), time.map_or(0, Timestamp::nanos), &mut self.times);
        for (packet, time) in packets.iter().zip(&self.times) {
            counter.push(Packet::new(packet), *time, |scan| each(Cloud::of(scan, self.clock)));
        }
    }
}

impl Cloud {
    fn of(scan: Scan, clock: Option<Clock>) -> Self {
        Self { points: scan.points, time: clock.map(|clock| Timestamp::new(scan.start, clock)) }
    }
}

/// Lets a message wait until the sensor is known. Gives the packets that wait.
fn wait(
    waiting: &mut Vec<Message>,
    detector: &mut Detector,
    packets: &[[u8; PACKET_LEN]],
    at: u64,
    time: Option<Timestamp>,
) -> usize {
    packets.iter().take(LOOK).for_each(|packet| detector.push(Packet::new(packet)));
    waiting.push(Message { packets: packets.to_vec(), at, time });
    waiting.iter().map(|message| message.packets.len()).sum()
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
            let message = format_args!("the {model}'s own calibration is not in the log; in use: {label}");
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
