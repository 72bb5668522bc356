//! Samples of a Livox LiDAR in a capture.

use std::{net::Ipv4Addr, sync::Arc};

use lvx::{Device, DeviceId, DeviceType, Header, Reader, Version, Writer};
use robolog_core::{Clock, Error, Imu, Result, Sample, Sampling, Timestamp, Value};

/// A frame has packages of this much time of capture, as Livox's own recorders cut them.
const FRAME_NS: i64 = 50_000_000;
/// A frame is cut before it holds more bytes than this, whatever the times say.
const FRAME_BYTES: usize = 4 << 20;
/// Where the measurements of SDK 2 stand in the payload: angular velocity in rad/s, then acceleration in g.
const SDK2_IMU: usize = 36;

/// Gathers the packages of one LiDAR in frames, and makes samples of those.
#[derive(Debug)]
pub(super) struct Livox {
    name: Arc<str>,
    address: Ipv4Addr,
    version: Version,
    options: lvx::Options,
    sampler: Option<(Header, lvx::Sampler)>,
    /// The packages of the frame in the making, one after the other.
    bytes: Vec<u8>,
    packages: Vec<Held>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    len: usize,
    time_ns: i64,
    offset: u64,
}

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

impl Livox {
    pub(super) fn new(name: Arc<str>, address: Ipv4Addr, version: Version, options: lvx::Options) -> Self {
        Self { name, address, version, options, sampler: None, bytes: Vec::new(), packages: Vec::new() }
    }

    /// Takes a package that was captured at `time_ns`, in the record at `offset`.
    pub(super) fn push<E: From<Error>>(
        &mut self,
        package: &[u8],
        time_ns: i64,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let is_over = self.packages.first().is_some_and(|first| {
            !(0..FRAME_NS).contains(&time_ns.saturating_sub(first.time_ns))
                || self.bytes.len() + package.len() > FRAME_BYTES
        });
        if is_over {
            self.flush(sink)?;
        }
        self.bytes.extend_from_slice(package);
        self.packages.push(Held { len: package.len(), time_ns, offset });
        Ok(())
    }

    /// The measurement of an SDK 2 payload, for which LVX2 has no place.
    pub(super) fn imu<E: From<Error>>(
        &self,
        payload: &[u8],
        time_ns: i64,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let Some(numbers) = payload.get(SDK2_IMU..).and_then(|bytes| bytes.first_chunk::<24>()) else {
            return Ok(());
        };
        let mut values =
            numbers.chunks_exact(4).map(|b| b.first_chunk().map_or(0.0, |b| f32::from_le_bytes(*b)));
        let mut three = || [(); 3].map(|()| values.next().unwrap_or_default());
        let (gyro, acc) = (three(), three());
        sink(&mut Sample {
            time: Some(Timestamp::new(time_ns, Clock::Unix)),
            offset,
            channel: format!("{}/imu", self.name).into(),
            frame_id: Arc::clone(&self.name),
            value: Value::Imu(Imu::from_g(gyro, acc)),
        })
    }

    /// Delivers the frame in the making.
    pub(super) fn flush<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        if self.packages.is_empty() {
            return Ok(());
        }
        if self.sampler.is_none() {
            let header = self.header();
            let sampler = lvx::Sampler::new(&header, self.options);
            self.sampler = Some((header, sampler));
        }
        let outcome = self.deliver(sink);
        self.bytes.clear();
        self.packages.clear();
        outcome
    }

    fn deliver<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let Some((header, sampler)) = &mut self.sampler else { return Ok(()) };
        let mut writer = Writer::new(Vec::new(), header)?;
        writer.begin_frame()?;
        let (mut rest, mut places) = (self.bytes.as_slice(), Vec::new());
        for package in &self.packages {
            let (bytes, behind) = rest.split_at_checked(package.len).unwrap_or_default();
            places.push((writer.position(), *package));
            writer.package(bytes)?;
            rest = behind;
        }
        writer.end_frame()?;
        let file = writer.finish()?;
        let reader = Reader::new(&file)?;
        for frame in reader.records() {
            sampler.push::<E>(&frame?, &mut |sample| {
                // A sample lies where its first package does.
                let after = places.partition_point(|(at, _)| *at <= sample.offset);
                let package = after.checked_sub(1).and_then(|at| places.get(at)).or(places.first());
                if let Some((_, package)) = package {
                    sample.time = Some(Timestamp::new(package.time_ns, Clock::Unix));
                    sample.offset = package.offset;
                }
                sink(sample)
            })?;
        }
        Ok(())
    }

    /// A header with this one device, whose model is what its first points suggest.
    fn header(&self) -> Header {
        let packages = self.packages.iter().scan(&*self.bytes, |rest, package| {
            let (bytes, behind) = rest.split_at_checked(package.len)?;
            *rest = behind;
            Some(bytes)
        });
        let (id, model) = if self.version == Version::V1_1 {
            let mut types = packages.filter_map(|package| super::data_type(self.version, package));
            (DeviceId::Index(0), super::model_of(types.next()))
        } else {
            (DeviceId::Lidar(u32::from_le_bytes(self.address.octets())), super::MID_360)
        };
        Header::new(self.version, vec![Device::new(id, &self.name, DeviceType(model))])
    }
}
