//! Samples of a Livox LiDAR in a capture.

use std::{net::Ipv4Addr, sync::Arc};

use lvx::{
    Alarms, Device, DeviceId, Header, Lvx, Package, TimestampType, Version,
    layout::{FrameHeader11, ImuData, Sdk2Header},
};
use robolog_core::{
    Attributes, Clock, Error, Imu, Limits, Result, Sample, Severity, Timestamp, Value,
    format::{Decoder as _, Format as _, RawRecord, Wanted},
    layout::{Layout as _, Packed as _},
    slices::Part as _,
};

use super::watch::About;
use crate::{
    Datagram, LateClock,
    control::Identity,
    model::{Evidence, Guess},
    payload::Payload,
};

/// Length of a frame: as in Livox's own recorders.
pub(crate) const FRAME_NS: i64 = 50_000_000;

/// Maximum bytes of a frame, whatever the times.
const FRAME_BYTES: usize = 4 << 20;
/// Maximum difference between a unix time stamp and the capture time to accept the stamp: leap seconds and time zones
/// are not set on all clock masters, but the date is.
const BELIEVED: u64 = 86_400_000_000_000;
/// A larger difference between capture times and stamps means that a clock was set.
const SET: u64 = 100_000_000;
/// Maximum increase of the delay per frame, by the drift between clocks.
const DRIFT: i64 = 10_000;
/// A delay farther from the others than this is an outlier.
const ALONE: u64 = 5_000_000;

/// Collects the packages of one LiDAR in frames, and makes samples from them.
///
/// Each sample has the stamp of its own package, as in LVX. If the zero of that clock is unknown, the stamp is shifted
/// to the capture time by the minimum delay so far: of the last shot of a package, as a package is sent after it.
#[derive(Debug)]
pub(super) struct Livox {
    name: Arc<str>,
    address: Ipv4Addr,
    version: Version,
    options: lvx::Options,
    /// The model, if the user knows it.
    model: Option<lvx::Model>,
    /// Its clock, if it gets the date late.
    late: Option<LateClock>,
    /// What the LiDAR says about itself.
    identity: Identity,
    evidence: Evidence,
    decoder: Option<(Header, lvx::Decoder)>,
    /// The packages of the current frame, and its maximum length in bytes.
    bytes: Vec<u8>,
    most: usize,
    packages: Vec<Held>,
    /// End of the current frame.
    frame_end: i64,
    /// Nanoseconds from stamps to capture times.
    shift: Option<i64>,
    /// Number of points so far, and returns of a shot of the last ones.
    points: u64,
    returns: usize,
    /// Nanoseconds from shot to shot of its model.
    shot_interval_ns: i64,
    dates: Dates,
    alarms: Alarms,
    /// What is said of its channels, once its model is settled.
    attributes: Attributes,
}

/// Whether the clock was set during the capture.
#[derive(Debug, Default)]
struct Dates {
    has_undated: bool,
    is_told: bool,
}

impl Dates {
    /// Processes a dated stamp: tells once that earlier ones had no date.
    fn is_dated(&mut self, name: &str, offset: u64, out: &mut Wanted<'_>) {
        if !self.has_undated || std::mem::replace(&mut self.is_told, true) {
            return;
        }
        if let Some(notes) = out.notes() {
            let message = format_args!(
                "{name}: its clock gets the date here; earlier stamps are dated by the capture, so that both are one clock"
            );
            notes.find(Severity::Note, "clock-acquired", offset, message);
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Held {
    time_ns: i64,
    offset: u64,
}

impl Livox {
    /// A LiDAR of this name, with frames of 50 ms starting at `start`.
    pub(super) fn new(
        name: Arc<str>,
        datagram: &Datagram<'_>,
        version: Version,
        options: lvx::Options,
        start: i64,
    ) -> Self {
        Self {
            name,
            address: datagram.source,
            version,
            options,
            model: None,
            late: None,
            identity: Identity::default(),
            evidence: Evidence::new(version, datagram.source_port),
            decoder: None,
            bytes: Vec::new(),
            most: FRAME_BYTES,
            packages: Vec::new(),
            frame_end: start.saturating_add(FRAME_NS),
            shift: None,
            points: 0,
            returns: 0,
            shot_interval_ns: 0,
            dates: Dates::default(),
            alarms: Alarms::default(),
            attributes: Attributes::default(),
        }
    }

    /// Sets the model.
    pub(super) fn set_model(&mut self, model: Option<lvx::Model>) {
        self.model = model;
    }

    /// Sets its clock, if it is one of those that get the date late.
    pub(super) fn set_late(&mut self, all: &[LateClock]) {
        self.late = all.iter().find(|late| *late.name == *self.name).cloned();
    }

    pub(super) fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// Registers what the LiDAR says about itself.
    pub(super) fn tell(&mut self, identity: Identity) {
        self.identity.join(identity);
        if self.decoder.is_some() {
            self.attributes = self.about().attributes();
        }
    }

    /// Registers what a packet of points tells about its sender, while the model is open.
    pub(super) fn see(&mut self, datagram: &Datagram<'_>, payload: Payload, package: &[u8]) {
        if self.decoder.is_some() {
            return;
        }
        match payload {
            Payload::Points(Version::V1_1) => {
                self.evidence.add_sdk1(package, datagram.time_ns);
            }
            Payload::Points(_) | Payload::Spread => {
                self.evidence.add_sdk2(datagram.payload, datagram.time_ns);
            }
            _ => {}
        }
    }

    /// The model: as the user says, as the LiDAR says, or by the evidence.
    fn guess(&self) -> Guess {
        let known = |model, why: &str| Guess { model, assumed: false, why: why.to_owned(), others: &[] };
        match (self.model, self.identity.model) {
            (Some(model), _) => known(model, "as given"),
            (None, Some(model)) => known(model, "a message of the LiDAR"),
            (None, None) => self.evidence.guess(),
        }
    }

    /// What its packets say about it.
    pub(super) fn about(&self) -> About {
        let return_mode = match self.returns {
            0 => None,
            1 => Some("single"),
            2 => Some("dual"),
            _ => Some("triple"),
        };
        let Guess { model, assumed, why, others } = self.guess();
        About {
            model: model.device_type().name().map(str::to_owned),
            assumed,
            others: others.iter().filter_map(|other| other.device_type().name()).collect(),
            evidence: Some(why),
            return_mode: return_mode.map(str::to_owned),
            firmware: self.identity.firmware.clone(),
            serial: self.identity.serial.clone(),
            points: self.points,
            alarms: self.alarms.clone().into_list(),
        }
    }

    /// Sets the limits.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.most = limits.record.min(FRAME_BYTES);
    }

    /// Processes a package captured at `time_ns`, in the record at `offset`.
    pub(super) fn push(
        &mut self,
        package: &[u8],
        time_ns: i64,
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let late = time_ns.saturating_sub(self.frame_end);
        // A package may be late by a frame; an earlier one is from another time.
        let is_over = !(-2 * FRAME_NS..0).contains(&late);
        if is_over || self.bytes.len() + package.len() > self.most + FrameHeader11::LEN {
            self.flush(out)?;
        }
        if is_over {
            // The frame grid continues through pauses.
            let start = time_ns.saturating_sub(late.rem_euclid(FRAME_NS));
            self.frame_end = start.saturating_add(FRAME_NS);
        }
        if self.bytes.is_empty() {
            self.bytes.resize(FrameHeader11::LEN, 0);
        }
        self.bytes.extend_from_slice(package);
        self.packages.push(Held { time_ns, offset });
        Ok(())
    }

    /// Delivers the measurement of an SDK 2 payload, which LVX2 cannot hold.
    pub(super) fn imu(&self, payload: &[u8], time_ns: i64, offset: u64, out: &mut Wanted<'_>) -> Result<()> {
        let data = payload.get(Sdk2Header::LEN..).and_then(ImuData::peek);
        let (Some(head), Some(data)) = (Sdk2Header::peek(payload), data) else { return Ok(()) };
        let clock = if matches!(head.timestamp_type, 1 | 2) { Clock::Unix } else { Clock::Device };
        let stamp = Timestamp::from_nanos(head.timestamp, clock);
        let mut time = match &self.late {
            Some(late) if clock == Clock::Device => stamp.map(|stamp| moved(stamp, late.power_on_ns)),
            _ => stamp,
        };
        if let Some(stamp) = time.filter(|stamp| !is_dated(*stamp, time_ns)) {
            let delay = time_ns.saturating_sub(stamp.nanos());
            let shift = self.shift.filter(|shift| shift.abs_diff(delay) <= SET).unwrap_or(delay).min(delay);
            time = Some(moved(stamp, shift));
        }
        out.sample(
            &mut Sample::new(format!("{}/imu", self.name), Value::Imu(Imu::from_g(data.gyro, data.acc)))
                .with_attributes(self.attributes.clone())
                .with_time(time.or(Some(Timestamp::new(time_ns, Clock::Unix))))
                .with_offset(offset)
                .with_frame(Arc::clone(&self.name)),
        )
    }

    /// Delivers the current frame.
    pub(super) fn flush(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        if self.packages.is_empty() {
            return Ok(());
        }
        if self.decoder.is_none() {
            let header = self.header();
            let shot = self.model.unwrap_or_else(|| self.guess().model).shot_interval_ns();
            self.shot_interval_ns = shot.map_or(0, i64::from);
            self.attributes = self.about().attributes();
            let decoder = lvx::Decoder::new(&header, self.options);
            self.decoder = Some((header, decoder));
        }
        let outcome = self.deliver(out);
        self.bytes.clear();
        self.packages.clear();
        outcome
    }

    fn deliver(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let Some((header, decoder)) = &mut self.decoder else { return Ok(()) };
        // Headers of a frame are the same in LVX 1.1 and LVX2.
        let mut head = Vec::with_capacity(FrameHeader11::LEN);
        let next_offset = self.bytes.len() as u64;
        FrameHeader11 { current_offset: 0, next_offset, frame_index: 0 }.encode(&mut head)?;
        self.bytes.iter_mut().zip(head).for_each(|(to, from)| *to = from);
        let frame = Lvx::record(header, RawRecord { offset: 0, bytes: &self.bytes })?;
        // Samples held until the frame's delay is known, with the capture time of the first package of each.
        let mut waiting = Vec::new();
        let places: Vec<_> = frame.packages().map_while(Result::ok).zip(&self.packages).collect();
        if out.notes().is_some() {
            for (package, held) in &places {
                if let Some(status) = package.status() {
                    // By the capture's clock, as its losses are.
                    self.alarms.add(status, Timestamp::new(held.time_ns, Clock::Unix));
                }
                let points = package.points();
                if !points.is_empty() {
                    self.points += points.len() as u64;
                    self.returns = points.returns();
                }
            }
        }
        let interval = self.shot_interval_ns;
        decoder.samples::<Error>(&frame, &mut |sample| {
            sample.attributes.clone_from(&self.attributes);
            // A sample's offset is that of its first package.
            let after = places.partition_point(|(place, _)| place.offset() <= sample.offset);
            let own = after.checked_sub(1).and_then(|first| Some((first, places.get(first)?)));
            let Some((first, (place, package))) = own else {
                return out.sample(sample);
            };
            sample.offset = package.offset;
            match sample.time {
                Some(stamp) if is_dated(stamp, package.time_ns) => {
                    self.dates.is_dated(&self.name, package.offset, out);
                    return out.sample(sample);
                }
                Some(stamp) => {
                    self.dates.has_undated = true;
                    // A cloud begins with this package; a measurement is one.
                    let is_cloud = matches!(sample.value, Value::PointCloud(_));
                    let others = if is_cloud { places.part_or_empty(first..) } else { &[] };
                    let delay = package.time_ns.saturating_sub(stamp.nanos());
                    let least = others.iter().filter_map(|(other, held)| {
                        let ahead = end_of(other, place, interval)?;
                        Some(held.time_ns.saturating_sub(stamp.nanos().saturating_add(ahead)))
                    });
                    waiting.push((least.min().unwrap_or(delay), sample.take()));
                }
                None => {
                    sample.time = Some(Timestamp::new(package.time_ns, Clock::Unix));
                    return out.sample(sample);
                }
            }
            Ok(())
        })?;
        let mut delays: Vec<_> = waiting.iter().map(|(delay, _)| *delay).collect();
        self.follow(&mut delays);
        for (delay, mut sample) in waiting {
            let shift = self.shift.unwrap_or(delay);
            sample.time = sample.time.map(|stamp| moved(stamp, shift));
            out.sample(&mut sample)?;
        }
        Ok(())
    }

    /// Processes the delays of a frame: the minimum counts, unless it is far from all others.
    fn follow(&mut self, delays: &mut [i64]) {
        delays.sort_unstable();
        let least = match *delays {
            [wild, least, _, ..] if least.abs_diff(wild) > ALONE => least,
            [least, ..] => least,
            [] => return,
        };
        self.shift = Some(match self.shift {
            Some(shift) if shift.abs_diff(least) <= SET => {
                // Nothing arrives before it is sent, so a shorter delay counts at once.
                shift.saturating_add(least.saturating_sub(shift).min(DRIFT))
            }
            _ => least,
        });
    }

    /// A header with this device.
    fn header(&self) -> Header {
        let id = if self.version == Version::V1_1 {
            DeviceId::Index(0)
        } else {
            DeviceId::Lidar(u32::from_le_bytes(self.address.octets()))
        };
        let model = self.guess().model.device_type();
        let mut header = Header::new(self.version, vec![Device::new(id, &self.name, model)]);
        header.set_model(self.model);
        let late = self.late.iter().map(|late| lvx::LateClock::new(id, late.after_ns, late.power_on_ns));
        header.set_late_clocks(late.collect());
        header
    }
}

/// Nanoseconds from the first shot of a cloud's first package to the end of the last shot of another one.
fn end_of(package: &Package<'_>, first: &Package<'_>, shot_interval_ns: i64) -> Option<i64> {
    /// After a second, stamps of pulses begin again.
    const SECOND: i64 = 1_000_000_000;
    let shots = package.point_count().checked_div(package.points().returns()).filter(|shots| *shots > 0)?;
    let mut ahead = package.time()?.since(first.time()?)?;
    if package.timestamp_type() == TimestampType::Pps && ahead < SECOND / -2 {
        ahead += SECOND;
    }
    // Stamps that jump do not belong to the cloud's time.
    let is_near = (-2 * FRAME_NS..=2 * FRAME_NS).contains(&ahead);
    let lasts = i64::try_from(shots).ok()?.saturating_mul(shot_interval_ns);
    is_near.then_some(ahead.saturating_add(lasts))
}

/// Whether a stamp is an actual date: unix time close to the capture time.
pub(crate) fn is_dated(stamp: Timestamp, captured: i64) -> bool {
    stamp.clock() == Clock::Unix && stamp.nanos().abs_diff(captured) < BELIEVED
}

/// Converts a stamp to unix time.
fn moved(stamp: Timestamp, shift: i64) -> Timestamp {
    Timestamp::new(stamp.nanos().saturating_add(shift), Clock::Unix)
}
