//! Samples of a Livox LiDAR in a capture.

use std::{net::Ipv4Addr, sync::Arc};

use lvx::{
    Device, DeviceId, Header, Package, Reader, Version, Writer,
    layout::{ImuData, Sdk2Header},
};
use robolog_core::{
    Clock, Error, Imu, Limits, Out, Result, Sample, Sampling, Timestamp, Value,
    layout::{Layout as _, Packed as _},
};

use crate::payload::{MID_360, data_type, model_of};

/// Length of a frame: as in Livox's own recorders.
pub(crate) const FRAME_NS: i64 = 50_000_000;

/// Maximum bytes of a frame, whatever the times.
const FRAME_BYTES: usize = 4 << 20;
/// Maximum difference between a unix time stamp and the capture time to accept the stamp: leap seconds and time zones
/// are not set on all clock masters, but the date is.
const BELIEVED: u64 = 86_400_000_000_000;
/// A larger difference between capture times and stamps means that a clock was set.
const SET: u64 = 100_000_000;
/// Maximum drift between clocks per frame.
const DRIFT: i64 = 10_000;
/// A delay farther from the others than this is an outlier.
const ALONE: i64 = 5_000_000;

/// Collects the packages of one LiDAR in frames, and makes samples from them.
///
/// Each sample has the stamp of its own package, as in LVX. If the zero of that clock is unknown, the stamp is shifted
/// to the capture time by the minimum delay so far.
#[derive(Debug)]
pub(super) struct Livox {
    name: Arc<str>,
    address: Ipv4Addr,
    version: Version,
    options: lvx::Options,
    /// The model, if the user knows it.
    model: Option<lvx::Model>,
    sampler: Option<(Header, lvx::Sampler)>,
    /// The packages of the current frame, and its maximum length in bytes.
    bytes: Vec<u8>,
    most: usize,
    packages: Vec<Held>,
    /// End of the current frame.
    frame_end: i64,
    /// Nanoseconds from stamps to capture times.
    shift: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    len: usize,
    time_ns: i64,
    offset: u64,
}

impl Livox {
    /// A LiDAR of this name, with frames of 50 ms starting at `start`.
    pub(super) fn new(
        name: Arc<str>,
        address: Ipv4Addr,
        version: Version,
        options: lvx::Options,
        start: i64,
    ) -> Self {
        Self {
            name,
            address,
            version,
            options,
            model: None,
            sampler: None,
            bytes: Vec::new(),
            most: FRAME_BYTES,
            packages: Vec::new(),
            frame_end: start.saturating_add(FRAME_NS),
            shift: None,
        }
    }

    /// Sets the model.
    pub(super) fn set_model(&mut self, model: Option<lvx::Model>) {
        self.model = model;
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
        out: &mut Out<'_>,
    ) -> Result<()> {
        let late = time_ns.saturating_sub(self.frame_end);
        // A package may be late by a frame; an earlier one is from another time.
        let is_over = late >= 0 || late < FRAME_NS.saturating_mul(-2);
        if is_over || self.bytes.len() + package.len() > self.most {
            self.flush(out)?;
        }
        if is_over {
            // The frame grid continues through pauses.
            let start = time_ns.saturating_sub(late.rem_euclid(FRAME_NS));
            self.frame_end = start.saturating_add(FRAME_NS);
        }
        self.bytes.extend_from_slice(package);
        self.packages.push(Held { len: package.len(), time_ns, offset });
        Ok(())
    }

    /// Delivers the measurement of an SDK 2 payload, which LVX2 cannot hold.
    pub(super) fn imu(&self, payload: &[u8], time_ns: i64, offset: u64, out: &mut Out<'_>) -> Result<()> {
        let data = payload.get(Sdk2Header::LEN..).and_then(ImuData::peek);
        let (Some(head), Some(data)) = (Sdk2Header::peek(payload), data) else { return Ok(()) };
        let clock = if matches!(head.timestamp_type, 1 | 2) { Clock::Unix } else { Clock::Device };
        let mut time = Timestamp::from_nanos(head.timestamp, clock);
        if let Some(stamp) = time.filter(|stamp| !is_dated(*stamp, time_ns)) {
            let delay = time_ns.saturating_sub(stamp.nanos());
            let shift = self.shift.filter(|shift| shift.abs_diff(delay) <= SET).unwrap_or(delay);
            time = Some(moved(stamp, shift));
        }
        out.sample(&mut Sample {
            time: time.or(Some(Timestamp::new(time_ns, Clock::Unix))),
            offset,
            channel: format!("{}/imu", self.name).into(),
            frame_id: Arc::clone(&self.name),
            value: Value::Imu(Imu::from_g(data.gyro, data.acc)),
        })
    }

    /// Delivers the current frame.
    pub(super) fn flush(&mut self, out: &mut Out<'_>) -> Result<()> {
        if self.packages.is_empty() {
            return Ok(());
        }
        if self.sampler.is_none() {
            let header = self.header();
            let sampler = lvx::Sampler::new(&header, self.options);
            self.sampler = Some((header, sampler));
        }
        let outcome = self.deliver(out);
        self.bytes.clear();
        self.packages.clear();
        outcome
    }

    fn deliver(&mut self, out: &mut Out<'_>) -> Result<()> {
        let Some((header, sampler)) = &mut self.sampler else { return Ok(()) };
        let mut writer = Writer::new(Vec::new(), header)?;
        writer.begin_frame()?;
        let mut rest = self.bytes.as_slice();
        for package in &self.packages {
            let (bytes, behind) = rest.split_at_checked(package.len).unwrap_or_default();
            writer.package(bytes)?;
            rest = behind;
        }
        writer.end_frame()?;
        let file = writer.finish()?;
        let reader = Reader::new(&file)?;
        // Samples held until the frame's delay is known, with the capture time of the first package of each.
        let mut waiting = Vec::new();
        for frame in reader.records() {
            let frame = frame?;
            let packages = frame.packages().map_while(Result::ok);
            let places: Vec<_> = packages.map(|p| Package::offset(&p)).zip(&self.packages).collect();
            sampler.push::<Error>(&frame, &mut |sample| {
                // A sample's offset is that of its first package.
                let after = places.partition_point(|(at, _)| *at <= sample.offset);
                let Some((_, package)) = after.checked_sub(1).and_then(|at| places.get(at)) else {
                    return out.sample(sample);
                };
                sample.offset = package.offset;
                match sample.time {
                    Some(stamp) if is_dated(stamp, package.time_ns) => return out.sample(sample),
                    Some(stamp) => {
                        let delay = package.time_ns.saturating_sub(stamp.nanos());
                        waiting.push((delay, sample.take()));
                    }
                    None => {
                        sample.time = Some(Timestamp::new(package.time_ns, Clock::Unix));
                        return out.sample(sample);
                    }
                }
                Ok(())
            })?;
        }
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
            [wild, least, _, ..] if least.saturating_sub(wild) > ALONE => least,
            [least, ..] => least,
            [] => return,
        };
        self.shift = Some(match self.shift {
            Some(shift) if shift.abs_diff(least) <= SET => {
                shift.saturating_add(least.saturating_sub(shift).clamp(-DRIFT, DRIFT))
            }
            _ => least,
        });
    }

    /// A header with this device, whose model is guessed from its first points.
    fn header(&self) -> Header {
        let packages = self.packages.iter().scan(&*self.bytes, |rest, package| {
            let (bytes, behind) = rest.split_at_checked(package.len)?;
            *rest = behind;
            Some(bytes)
        });
        let (id, model) = if self.version == Version::V1_1 {
            let mut types = packages.filter_map(data_type);
            (DeviceId::Index(0), model_of(types.next()))
        } else {
            (DeviceId::Lidar(u32::from_le_bytes(self.address.octets())), MID_360)
        };
        let mut header = Header::new(self.version, vec![Device::new(id, &self.name, model)]);
        header.set_model(self.model);
        header
    }
}

/// Whether a stamp is an actual date: unix time close to the capture time.
fn is_dated(stamp: Timestamp, captured: i64) -> bool {
    stamp.clock() == Clock::Unix && stamp.nanos().abs_diff(captured) < BELIEVED
}

/// Converts a stamp to unix time.
fn moved(stamp: Timestamp, shift: i64) -> Timestamp {
    Timestamp::new(stamp.nanos().saturating_add(shift), Clock::Unix)
}
