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

/// A frame of a Livox: as long as those of its own recorders.
pub(crate) const FRAME_NS: i64 = 50_000_000;

/// A frame is cut before it holds more bytes than this, whatever the times say.
const FRAME_BYTES: usize = 4 << 20;
/// A stamp of unix time is believed when it lies this near to the time of capture: leap seconds and time zones are not set
/// on all masters of a clock, but the date is.
const BELIEVED: u64 = 86_400_000_000_000;
/// Captures further away than this from what the stamps say mean that a clock was set.
const SET: u64 = 100_000_000;
/// What drifting clocks may be apart after a frame.
const DRIFT: i64 = 10_000;
/// Further away than this from the others is an accident.
const ALONE: i64 = 5_000_000;

/// Gathers the packages of one LiDAR in frames, and makes samples of those.
///
/// Each sample has the stamp of its own package, as in LVX. Where that counts from an unknown moment, it is moved to the
/// time of capture by the least delay of the packages so far.
#[derive(Debug)]
pub(super) struct Livox {
    name: Arc<str>,
    address: Ipv4Addr,
    version: Version,
    options: lvx::Options,
    sampler: Option<(Header, lvx::Sampler)>,
    /// The packages of the frame in the making, one after the other, and how many bytes it may have.
    bytes: Vec<u8>,
    most: usize,
    packages: Vec<Held>,
    /// When the frame in the making ends.
    frame_end: i64,
    /// Nanoseconds from stamps to times of capture.
    shift: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    len: usize,
    time_ns: i64,
    offset: u64,
}

impl Livox {
    /// For a LiDAR of this name, whose frames begin every 50 ms from `start` on.
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
            sampler: None,
            bytes: Vec::new(),
            most: FRAME_BYTES,
            packages: Vec::new(),
            frame_end: start.saturating_add(FRAME_NS),
            shift: None,
        }
    }

    /// Goes on within these limits.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.most = limits.record.min(FRAME_BYTES);
    }

    /// Takes a package that was captured at `time_ns`, in the record at `offset`.
    pub(super) fn push(
        &mut self,
        package: &[u8],
        time_ns: i64,
        offset: u64,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let late = time_ns.saturating_sub(self.frame_end);
        // A package may be late by a frame; one before that is of another time.
        let is_over = late >= 0 || late < FRAME_NS.saturating_mul(-2);
        if is_over || self.bytes.len() + package.len() > self.most {
            self.flush(out)?;
        }
        if is_over {
            // The grid goes on through pauses.
            let start = time_ns.saturating_sub(late.rem_euclid(FRAME_NS));
            self.frame_end = start.saturating_add(FRAME_NS);
        }
        self.bytes.extend_from_slice(package);
        self.packages.push(Held { len: package.len(), time_ns, offset });
        Ok(())
    }

    /// The measurement of an SDK 2 payload, for which LVX2 has no place.
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

    /// Delivers the frame in the making.
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
        // Samples that wait for the frame's delay, and the time of capture of each one's first package.
        let mut waiting = Vec::new();
        for frame in reader.records() {
            let frame = frame?;
            let packages = frame.packages().map_while(Result::ok);
            let places: Vec<_> = packages.map(|p| Package::offset(&p)).zip(&self.packages).collect();
            sampler.push::<Error>(&frame, &mut |sample| {
                // A sample lies where its first package does.
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

    /// Takes in the delays of a frame: the least counts, unless it is far from all others.
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

    /// A header with this one device, whose model is what its first points suggest.
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
        Header::new(self.version, vec![Device::new(id, &self.name, model)])
    }
}

/// Whether a stamp says when it was: near to the time of capture, in unix time.
fn is_dated(stamp: Timestamp, captured: i64) -> bool {
    stamp.clock() == Clock::Unix && stamp.nanos().abs_diff(captured) < BELIEVED
}

/// A stamp as unix time.
fn moved(stamp: Timestamp, shift: i64) -> Timestamp {
    Timestamp::new(stamp.nanos().saturating_add(shift), Clock::Unix)
}
