//! Converts Velodyne packets to point clouds. The sensor is inferred from the packets.

mod counter;
mod sensor;
mod waiting;

use robolog_core::{
    Clock, Error, Limits, Result, Sample, Timestamp, Value, format::Lent, slices::InRange as _,
};
use velodyne_packet::{
    Calibration, Decoder, Detection, Generation, Model, Packet, PacketClock, Points, ScanSplitter,
    StatusStream,
};

use self::waiting::{Held, Message, Waiting};
use crate::layout::PACKET_LEN;

pub use counter::{Cloud, CloudCounter};
pub(crate) use sensor::Sensor;
pub use sensor::SensorDetails;
pub(crate) use waiting::LOOK;

/// The channel of the clouds.
pub(crate) const CHANNEL: &str = "velodyne/points";

/// Options for converting Velodyne packets to points.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Formula, axes and other options of points.
    pub points: velodyne_packet::Options,
    /// Calibration of the head. The default is the one sent by the sensor itself, as later HDL-64E S2 and S3 do about
    /// every 1.2 seconds: from the cloud after the first complete one. Before that, and for all other sensors, a
    /// stand-in for the model is used: nominal angles, or for an HDL-64E the calibration of another head, which
    /// misplaces points by a metre or more.
    pub calibration: Option<Calibration>,
    /// Whether the stand-in is intended if there is no calibration: see [`CloudMaker::stand_in`].
    pub accepts_stand_in: bool,
    /// The sensor, if it cannot be inferred from the packets.
    pub sensor: Option<Detection>,
    /// The model, if the packets do not name it, or a wrong one; the rest is inferred.
    pub model: Option<Model>,
    /// Division into clouds.
    pub clouds: Clouds,
}

/// Which packets form a cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Clouds {
    /// The packets of a turn of the head.
    #[default]
    Turns,
    /// The packets of a message.
    Messages,
}

impl Clouds {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Turns, Self::Messages];

    /// The name used to select it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turns => "turn",
            Self::Messages => "message",
        }
    }
}

robolog_core::names!(Clouds, "extent of a cloud");

/// Makes clouds from Velodyne packets, which come in messages.
///
/// A message in a log is assumed to be stamped when its last packet arrived. The packets before it are earlier by their
/// own clock, or without one, by the sensor's rate. In a capture the arrival time of each packet is known: see
/// [`PacketClock`]. Packets of an unknown sensor give no clouds.
#[derive(Debug)]
pub struct CloudMaker {
    options: Options,
    limits: Limits,
    waiting: Waiting,
    maker: Option<Maker>,
    lent: Lent,
    firmware: Option<String>,
}

#[derive(Debug)]
struct Maker {
    sensor: Detection,
    clock_inside: PacketClock,
    points_options: velodyne_packet::Options,
    /// Data the sensor sends about itself, if no calibration was given.
    status: Option<Box<StatusStream>>,
    calibration: Calibration,
    /// The sensor's own calibration, to be used from the next cloud.
    own: Option<Calibration>,
    by_turn: ScanSplitter,
    by_message: Decoder,
    points: Points,
    times: Vec<i64>,
    /// Merged returns of replaced decoders.
    merged: u64,
    /// Offset where the current turn began.
    begun: Option<u64>,
    clock: Option<Clock>,
}

impl CloudMaker {
    /// A converter with these options.
    pub fn new(options: Options) -> Self {
        Self {
            waiting: Waiting::new(options.model),
            options,
            limits: Limits::default(),
            maker: None,
            firmware: None,
            lent: Lent::new(CHANNEL, "velodyne"),
        }
    }

    /// Sets the sensor name, `velodyne` by default: the channel is `NAME/points`, the frame `NAME`.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        self.lent = Lent::new(format!("{name}/points"), name);
        self
    }

    /// Sets the firmware that the packets name, if the sensor sends it in words: an attribute of its clouds.
    pub fn set_firmware(&mut self, firmware: String) {
        self.firmware = Some(firmware);
    }

    /// Sets the limits: see [`set_limits`](Self::set_limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Sets the limits: a turn that never ends is delivered in pieces of the maximum record size.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(maker) = &mut self.maker {
            maker.by_turn.set_limits(limits);
        }
    }

    /// Processes the packets of the message at offset `at`, the last of which arrived at `time`, and passes `sink` the
    /// clouds they complete. A cloud's time is that of its first packet.
    pub fn push<E: From<Error>>(
        &mut self,
        packets: &[[u8; PACKET_LEN]],
        at: u64,
        time: Option<Timestamp>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.take(Message { packets, arrivals: &[], at, time }, sink)
    }

    /// Like [`push`](Self::push), for captured packets with individual `arrivals`, in nanoseconds of unix time; empties
    /// both. The first clouds are held back until a second of packets has arrived.
    pub fn push_captured<E: From<Error>>(
        &mut self,
        packets: &mut Vec<[u8; PACKET_LEN]>,
        arrivals: &mut Vec<i64>,
        at: u64,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.maker.is_none() {
            return self.wait(Held::take(packets, arrivals, at), sink);
        }
        let outcome = self.take(Message::captured(packets, arrivals, at), sink);
        packets.clear();
        arrivals.clear();
        outcome
    }

    /// The sensor whose points use the calibration of another one, unless the caller intended this.
    pub fn stand_in(&self) -> Option<Model> {
        let maker = self.maker.as_ref().filter(|_| !self.options.accepts_stand_in)?;
        maker.calibration.is_stand_in().then_some(maker.sensor.model)
    }

    /// The sensor, once it is known.
    pub fn sensor(&self) -> Option<&Detection> {
        self.maker.as_ref().map(|maker| &maker.sensor)
    }

    /// Number of returns dropped because the other one of their shot is identical.
    pub fn merged(&self) -> u64 {
        let merged = |maker: &Maker| {
            let decoders = [maker.by_turn.decoder(), &maker.by_message];
            maker.merged.plus(decoders.iter().map(|decoder| decoder.merged()).sum())
        };
        self.maker.as_ref().map_or(0, merged)
    }

    fn take<E: From<Error>>(
        &mut self,
        message: Message<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(maker) = &mut self.maker {
            return maker.push(message, self.options.clouds, &mut self.lent, sink);
        }
        self.wait(message.held(), sink)
    }

    fn wait<E: From<Error>>(
        &mut self,
        message: Held,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_enough = self.waiting.push(message, self.options.sensor.as_ref(), self.limits);
        if is_enough { self.resolve(sink) } else { Ok(()) }
    }

    /// Passes `sink` the unfinished cloud, if any.
    pub fn finish<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.resolve(sink)?;
        match &mut self.maker {
            Some(maker) => maker.finish(&mut self.lent, sink),
            None => Ok(()),
        }
    }

    /// Decides which sensor it is, and makes clouds from the held messages.
    fn resolve<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.at().is_none() {
            return Ok(());
        }
        let Some(sensor) = self.options.sensor.clone().or_else(|| waiting.sensor()) else { return Ok(()) };
        let firmware = self.firmware.take().filter(|_| sensor.generation == Generation::SpinTemperature);
        let about = [("model", Some(sensor.model.name().to_owned())), ("firmware", firmware)];
        let attributes = about.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
        self.lent.with_attributes(&attributes);
        let (clock, messages) = waiting.messages(&sensor);
        let maker = self.maker.insert(Maker::new(sensor, clock, &self.options, self.limits));
        for message in messages {
            maker.push(message, self.options.clouds, &mut self.lent, sink)?;
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
        lent: &mut Lent,
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
            return send(&mut self.points, at, self.clock, lent, sink);
        }
        let mut outcome = Ok(());
        let mut begun = *self.begun.get_or_insert(at);
        for (packet, time) in packets.iter().zip(&times) {
            let clock = self.clock;
            let mut has_turned = false;
            self.by_turn.push(Packet::new(packet), *time, |points| {
                if outcome.is_ok() {
                    outcome = send(points, begun, clock, lent, sink);
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

    /// Stores a complete calibration sent by the sensor, if it differs from the one in use.
    fn listen(&mut self, packet: Packet<'_>) {
        let Some(status) = &mut self.status else { return };
        if status.push(packet) {
            self.own = status.calibration().filter(|own| **own != self.calibration).cloned();
        }
    }

    /// Switches to the stored calibration.
    fn calibrate(&mut self) {
        let Some(own) = self.own.take() else { return };
        let merged = self.by_turn.decoder().merged().plus(self.by_message.merged());
        self.merged = self.merged.plus(merged);
        self.by_message = Decoder::new(&self.sensor, &own, self.points_options);
        self.by_turn.set_decoder(self.by_message.clone());
        self.calibration = own;
    }

    fn finish<E: From<Error>>(
        &mut self,
        lent: &mut Lent,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut outcome = Ok(());
        let (begun, clock) = (self.begun.take().unwrap_or_default(), self.clock);
        self.by_turn.finish(|points| outcome = send(points, begun, clock, lent, sink));
        outcome
    }
}

fn send<E: From<Error>>(
    points: &mut Points,
    at: u64,
    clock: Option<Clock>,
    lent: &mut Lent,
    sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
) -> Result<(), E> {
    if points.is_empty() {
        return Ok(());
    }
    let sample = lent.at(clock.map(|clock| Timestamp::new(points.start(), clock)), at);
    sample.value = Value::PointCloud(points.take_cloud());
    sink(sample)
}

/// Returns an error if no block of any packet starts like a Velodyne's.
pub(crate) fn check(packets: &[[u8; PACKET_LEN]], at: u64) -> Result<()> {
    let is_block =
        |packet: &[u8; PACKET_LEN]| Packet::new(packet).blocks().any(|block| block.bank().is_some());
    if packets.is_empty() || packets.iter().any(is_block) {
        return Ok(());
    }
    Err(Error::missing("Velodyne packet", at).within("VelodyneRawDataM"))
}
