//! Samples of a Velodyne in a capture.

use std::sync::Arc;

use koblenz_log::{
    Cloud, CloudCounter, CloudMaker, VelodyneOptions,
    layout::PACKET_LEN,
    velodyne_packet::{Generation, Model, Packet, Trailer},
};
use robolog_core::{
    Attributes, Limits, Result, Severity,
    format::{SurveyBuilder, Wanted},
};

use super::{receiver::Receiver, watch::About};

/// More packets than any head sends per turn.
pub(crate) const MOST_PACKETS: usize = 4096;

/// Its channels.
const CHANNELS: [&str; 5] = ["points", "gps/fix", "gps/time", "imu", "imu/boards"];

/// Collects the packets of one head by turns, and makes or counts their clouds.
#[derive(Debug)]
pub(crate) struct Velodyne {
    name: Arc<str>,
    clouds: Clouds,
    packets: Vec<[u8; PACKET_LEN]>,
    /// Capture time of each packet.
    arrivals: Vec<i64>,
    /// Maximum packets per turn, even if the head has not turned.
    most: usize,
    /// Rotation of the last packet, and offset of the first.
    last: Option<u16>,
    offset: u64,
    receiver: Receiver,
    has_position: bool,
    /// Points counted.
    points: u64,
    /// Firmware of a head that sends it in words.
    firmware: Option<[u8; 4]>,
    /// What is said of its channels, once the model is known.
    attributes: Attributes,
}

#[derive(Debug)]
enum Clouds {
    Made(Box<CloudMaker>),
    Counted { counter: Box<CloudCounter>, channel: Arc<str> },
}

impl Velodyne {
    /// Makes the clouds of the head with this name.
    pub(super) fn new(name: Arc<str>, options: VelodyneOptions) -> Self {
        let maker = CloudMaker::new(options).with_name(&name);
        Self::with(name, Clouds::Made(Box::new(maker)))
    }

    /// Counts the clouds of the head with this name.
    pub(super) fn counting(name: Arc<str>, model: Option<Model>) -> Self {
        let channel = format!("{name}/points").into();
        let counter = Box::new(CloudCounter::default().with_model(model));
        Self::with(name, Clouds::Counted { counter, channel })
    }

    fn with(name: Arc<str>, clouds: Clouds) -> Self {
        Self {
            name,
            clouds,
            packets: Vec::new(),
            arrivals: Vec::new(),
            most: MOST_PACKETS,
            last: None,
            offset: 0,
            receiver: Receiver::default(),
            has_position: false,
            points: 0,
            firmware: None,
            attributes: Attributes::default(),
        }
    }

    /// Sets the limits.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.most = limits.record.wrapping_div(PACKET_LEN).clamp(1, MOST_PACKETS);
        match &mut self.clouds {
            Clouds::Made(maker) => maker.set_limits(limits),
            Clouds::Counted { counter, .. } => counter.set_limits(limits),
        }
    }

    /// The converter to clouds.
    pub(super) fn maker(&self) -> Option<&CloudMaker> {
        match &self.clouds {
            Clouds::Made(maker) => Some(maker),
            Clouds::Counted { .. } => None,
        }
    }

    /// Whether anything was delivered: packets may not name the model.
    pub(super) fn gives_samples(&self) -> bool {
        let is_known = match &self.clouds {
            Clouds::Made(maker) => maker.sensor().is_some(),
            Clouds::Counted { counter, .. } => counter.sensor().is_some(),
        };
        is_known || self.has_position
    }

    /// What its packets say about it.
    pub(super) fn about(&self) -> About {
        let sensor = match &self.clouds {
            Clouds::Made(maker) => maker.sensor(),
            Clouds::Counted { counter, .. } => counter.sensor(),
        };
        let about = About { points: self.points, ..About::default() };
        let Some(sensor) = sensor else { return about };
        // A clock may look like words by chance.
        let firmware = self.firmware.filter(|_| sensor.generation == Generation::SpinTemperature);
        let firmware = firmware.map(|text| String::from_utf8_lossy(&text).into_owned());
        About {
            firmware,
            model: Some(sensor.model.name().to_owned()),
            evidence: sensor.evidence.first().cloned(),
            return_mode: Some(sensor.return_mode.name().to_owned()),
            ..about
        }
    }

    /// Notes what a user should know about its points, once they are counted.
    pub(crate) fn note(&self, notes: &mut SurveyBuilder) {
        if let Clouds::Counted { counter, .. } = &self.clouds {
            counter.note(&self.name, notes);
        }
    }

    /// Processes a packet captured at `time_ns`, in the record at `offset`.
    pub(super) fn push(
        &mut self,
        payload: &[u8],
        (time_ns, offset): (i64, u64),
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let Ok(packet) = <&[u8; PACKET_LEN]>::try_from(payload) else { return Ok(()) };
        let rotation = Packet::new(packet).blocks().next().map_or(0, |block| block.rotation());
        let has_turned = self.last.is_some_and(|before| rotation < before);
        if has_turned || self.packets.len() >= self.most {
            self.turn(out)?;
        }
        if self.packets.is_empty() {
            self.offset = offset;
        }
        if self.firmware.is_none()
            && let Trailer::Spin { firmware, .. } = Packet::new(packet).trailer(Generation::SpinTemperature)
        {
            self.firmware = firmware.iter().all(u8::is_ascii_graphic).then_some(firmware);
            if let (Clouds::Made(maker), Some(text)) = (&mut self.clouds, self.firmware) {
                maker.set_firmware(String::from_utf8_lossy(&text).into_owned());
            }
        }
        // `push` would copy it twice.
        self.packets.extend_from_slice(std::slice::from_ref(packet));
        self.arrivals.push(time_ns);
        self.last = Some(rotation);
        Ok(())
    }

    /// Processes a position packet.
    pub(super) fn position(
        &mut self,
        payload: &[u8],
        time_ns: i64,
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        self.introduce();
        self.receiver.take(payload, &self.name, (time_ns, offset), &mut |sample| {
            self.has_position = true;
            sample.attributes.clone_from(&self.attributes);
            out.sample(sample)
        })
    }

    /// Learns what is said of its channels, if its model is known by now.
    fn introduce(&mut self) {
        if self.attributes.is_empty() {
            self.attributes = self.about().attributes();
        }
    }

    /// Delivers everything pending.
    pub(super) fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        self.turn(out)?;
        match &mut self.clouds {
            Clouds::Made(maker) => maker.finish(&mut |sample| out.sample(sample))?,
            Clouds::Counted { counter, channel } => {
                self.points += count(out, channel, |each| counter.finish(each));
            }
        }
        self.introduce();
        if let Some(notes) = out.notes() {
            for channel in CHANNELS {
                notes.attributes(&format!("{}/{channel}", self.name), &self.attributes);
            }
        }
        Ok(())
    }

    /// Passes on the packets of a turn.
    fn turn(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let (packets, arrivals) = (&mut self.packets, &mut self.arrivals);
        match &mut self.clouds {
            Clouds::Made(maker) => {
                maker.push_captured(packets, arrivals, self.offset, &mut |sample| out.sample(sample))
            }
            Clouds::Counted { counter, channel } => {
                self.points +=
                    count(out, channel, |each| counter.push_captured(packets, arrivals, self.offset, each));
                Ok(())
            }
        }
    }
}

/// Notes the clouds that `run` counts, or that there are none because the sensor is unknown. Returns their points.
fn count(out: &mut Wanted<'_>, channel: &str, run: impl FnOnce(&mut dyn FnMut(Cloud)) -> Result<()>) -> u64 {
    let Some(notes) = out.notes() else { return 0 };
    let mut points = 0;
    let outcome = run(&mut |cloud| {
        points += cloud.points as u64;
        notes.count(channel, "point_cloud", cloud.points as u64, cloud.time);
    });
    if let Err(error) = outcome {
        notes.find(Severity::Warning, "velodyne", error.offset(), error);
    }
    points
}
