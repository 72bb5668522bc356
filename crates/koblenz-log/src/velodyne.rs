//! Packets of a Velodyne to point clouds. The sensor is found from the packets.

mod counter;
mod sensor;
mod waiting;

use std::sync::Arc;

use robolog_core::{Clock, Error, Limits, PointCloud, Result, Sample, Timestamp, Value};
use velodyne_packet::{
    Calibration, Decoder, Detection, Generation, Model, Packet, PacketClock, Points, ScanSplitter,
    StatusStream,
};

use self::waiting::{Message, Waiting};
use crate::layout::PACKET_LEN;

pub use counter::{Cloud, CloudCounter};
pub(crate) use sensor::Sensor;
pub use sensor::SensorDetails;
pub(crate) use waiting::LOOK;

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
    /// model: nominal angles, or of an HDL-64E the calibration of another one, with which points are off by a metre or more.
    pub calibration: Option<Calibration>,
    /// Whether the stand-in is meant, where there is no calibration: see [`CloudMaker::stand_in`].
    pub accepts_stand_in: bool,
    /// The sensor, where it is not to be found from the packets.
    pub sensor: Option<Detection>,
    /// What a cloud is.
    pub clouds: Clouds,
}

/// What packets make a cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
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

/// Makes clouds of the packets of a Velodyne, which come in messages.
///
/// A message of a log is taken to be stamped when its last packet arrived. The packets before it are as much earlier as
/// their own clock says; where they have none, as the sensor's rate says. Of a capture the arrival of each packet is known:
/// see [`PacketClock`]. Packets of an unknown sensor give no clouds.
#[derive(Debug)]
pub struct CloudMaker {
    options: Options,
    limits: Limits,
    waiting: Waiting,
    maker: Option<Maker>,
    sample: Sample,
}

#[derive(Debug)]
struct Maker {
    sensor: Detection,
    clock_inside: PacketClock,
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
    /// Of decoders that were replaced.
    merged: u64,
    /// Where the turn at hand began.
    begun: Option<u64>,
    clock: Option<Clock>,
}

impl CloudMaker {
    /// A maker with these options.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            limits: Limits::default(),
            waiting: Waiting::default(),
            maker: None,
            sample: Sample {
                time: None,
                offset: 0,
                channel: Arc::from(CHANNEL),
                frame_id: Arc::from("velodyne"),
                value: Value::PointCloud(PointCloud::default()),
            },
        }
    }

    /// The same for a sensor of another name than `velodyne`: its channel is `NAME/points`, its frame `NAME`.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        self.sample.channel = format!("{name}/points").into();
        self.sample.frame_id = name.into();
        self
    }

    /// The same within these limits: see [`set_limits`](Self::set_limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Goes on within these limits: a turn that never ends is given in pieces as large as a record may be.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(maker) = &mut self.maker {
            maker.by_turn.set_limits(limits);
        }
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
        self.take(Message { packets, arrivals: &[], at, time }, sink)
    }

    /// The same for captured packets, each of which arrived at a time of its own: `arrivals`, in nanoseconds of unix time.
    /// The first clouds wait for the packets of a second.
    pub fn push_captured<E: From<Error>>(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        arrivals: &[i64],
        at: u64,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let time = arrivals.last().map(|nanos| Timestamp::new(*nanos, Clock::Unix));
        self.take(Message { packets, arrivals, at, time }, sink)
    }

    /// The sensor whose points are placed by the calibration of another one, where nobody said that this is meant.
    pub fn stand_in(&self) -> Option<Model> {
        let maker = self.maker.as_ref().filter(|_| !self.options.accepts_stand_in)?;
        maker.calibration.is_stand_in().then_some(maker.sensor.model)
    }

    /// How many returns were left out because the other one of their shot is the same.
    pub fn merged(&self) -> u64 {
        let merged = |maker: &Maker| {
            let decoders = [maker.by_turn.decoder(), &maker.by_message];
            decoders.iter().fold(maker.merged, |sum, decoder| sum.saturating_add(decoder.merged()))
        };
        self.maker.as_ref().map_or(0, merged)
    }

    fn take<E: From<Error>>(
        &mut self,
        message: Message<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(maker) = &mut self.maker {
            return maker.push(message, self.options.clouds, &mut self.sample, sink);
        }
        let is_enough = self.waiting.push(message, self.options.sensor.as_ref(), self.limits);
        if is_enough { self.resolve(sink) } else { Ok(()) }
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
        if waiting.at().is_none() {
            return Ok(());
        }
        let Some(sensor) = self.options.sensor.clone().or_else(|| waiting.sensor()) else { return Ok(()) };
        let (clock, messages) = waiting.messages(&sensor);
        let maker = self.maker.insert(Maker::new(sensor, clock, &self.options, self.limits));
        for message in messages {
            maker.push(message, self.options.clouds, &mut self.sample, sink)?;
        }
        Ok(())
    }
}

impl Maker {
    fn new(sensor: Detection, clock_inside: PacketClock, options: &Options, limits: Limits) -> Self {
        let stand_in = || Calibration::built_in(sensor.model);
        let calibration = options.calibration.clone().unwrap_or_else(stand_in);
        let decoder = Decoder::new(&sensor, &calibration, options.points);
        let is_listening = options.calibration.is_none() && sensor.generation == Generation::Status;
        Self {
            sensor,
            clock_inside,
            points_options: options.points,
            status: is_listening.then(Box::default),
            calibration,
            own: None,
            by_turn: ScanSplitter::new(decoder.clone()).with_limits(limits),
            by_message: decoder,
            points: Points::new(),
            times: Vec::new(),
            merged: 0,
            begun: None,
            clock: None,
        }
    }

    fn push<E: From<Error>>(
        &mut self,
        message: Message<'_>,
        clouds: Clouds,
        sample: &mut Sample,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Message { packets, at, .. } = message;
        self.clock = message.time.map(Timestamp::clock);
        let mut times = std::mem::take(&mut self.times);
        message.times(&self.sensor, &mut self.clock_inside, &mut times);
        if clouds == Clouds::Messages {
            self.points.clear();
            self.calibrate();
            for (packet, time) in packets.iter().zip(&times) {
                self.listen(Packet::new(packet));
                self.by_message.decode(Packet::new(packet), *time, &mut self.points);
            }
            self.times = times;
            return send(&mut self.points, at, self.clock, sample, sink);
        }
        let mut outcome = Ok(());
        let mut begun = *self.begun.get_or_insert(at);
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
        let merged = self.by_turn.decoder().merged().saturating_add(self.by_message.merged());
        self.merged = self.merged.saturating_add(merged);
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
