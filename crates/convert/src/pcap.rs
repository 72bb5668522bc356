//! Captured packets of LiDARs as recordings: Livox's SDK 1 as LVX 1.1, SDK 2 as LVX2, those of a Velodyne as Koblenz
//! logs; and packets of logs as captures.
//!
//! A capture is a recording too: [`Capture`] is its format, and its samples are those of its LiDARs. They are stamped with
//! the time of capture.
//!
//! A capture names no models and no serial numbers: devices are called by their IP address, and their model is the
//! caller's word. Frames are cut every 50 ms of capture time, as Livox's own recorders do.

#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod capture;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod file;
mod koblenz;
mod livox;
mod receiver;
mod rewriter;
mod sample;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod sdk2;
mod sensor;
mod survey;
mod velodyne;

use std::{io::Write, net::Ipv4Addr};

use lvx::{
    Device, DeviceId, DeviceType, Header, Version, Writer,
    layout::PackageHeader1,
    wire::{self, Sdk2},
};
use robolog_core::layout::Layout as _;

pub(crate) use capture::Dissector;
pub use capture::{Datagram, datagrams};
pub use file::{Capture, Header as CaptureHeader, Record};
pub use koblenz::{LogReport, from_log, to_log};
pub use rewriter::Rewriter;
pub use sample::{Options, Sampler};
pub use survey::{Details, Survey, survey};

use crate::{Error, Reason, Report, Result, source::Stream};

/// Whether a file with these first bytes is a capture: pcap of either byte order and precision, or pcapng.
pub fn detect(start: &[u8]) -> bool {
    <Capture as robolog_core::Format>::detect(start)
}

/// What a capture became.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PcapReport {
    /// The format written.
    pub version: Option<Version>,
    /// UDP datagrams in the capture.
    pub datagrams: u64,
    /// Packages written.
    pub packages: u64,
    /// Frames written.
    pub frames: u64,
    /// Datagrams of LiDARs for which the format has no place: inertial measurements and uncommon forms of SDK 2, and
    /// those of the other generation.
    pub left_out: u64,
    /// Devices, by address.
    pub devices: Vec<Ipv4Addr>,
    /// What was met in reading the capture: its damage, and the bytes that are lost by it.
    pub reading: Report,
}

const FRAME_NS: i64 = 50_000_000;

/// Writes the Livox packets of a capture as a recording. `open` opens the capture anew: it is read twice, for the
/// devices stand before the packages. `model` is what all devices are; by default what their data suggests: Mid-40,
/// Horizon or Avia by the data type of SDK 1, Mid-360 for SDK 2.
pub fn to_lvx<W: Write>(
    open: &mut dyn FnMut() -> Result<Stream>,
    out: W,
    model: Option<DeviceType>,
) -> Result<(W, PcapReport)> {
    let mut seen: Vec<Source> = Vec::new();
    let mut package = Vec::new();
    datagrams(open()?, &mut |datagram| {
        package.clear();
        let Some(key) = key(datagram, &mut package)? else { return Ok(()) };
        if !seen.iter().any(|s| s.key == key) {
            seen.push(Source { key, data_type: data_type(key.version, &package) });
        } else if let Some(source) = seen.iter_mut().find(|s| s.key == key && s.data_type.is_none()) {
            source.data_type = data_type(key.version, &package);
        }
        Ok(())
    })?;
    let Some(version) = seen.first().map(|s| s.key.version) else {
        return Err(Error::Empty(Reason::NoPackets("Livox LiDAR")));
    };
    seen.retain(|s| s.key.version == version);

    let header = Header::new(version, devices(&seen, model)?);
    let mut writer = Writer::new(out, &header)?;
    let mut report = PcapReport { version: Some(version), ..PcapReport::default() };
    let mut frame_end: Option<i64> = None;
    report.reading = datagrams(open()?, &mut |datagram| {
        report.datagrams += 1;
        package.clear();
        let key = key(datagram, &mut package)?;
        let index = key.and_then(|key| seen.iter().position(|s| s.key == key));
        let (Some(index), false) = (index, package.is_empty()) else {
            let ours = key.is_some();
            report.left_out += u64::from(ours);
            return Ok(());
        };
        if frame_end.is_none_or(|end| datagram.time_ns >= end) {
            if frame_end.is_some() {
                writer.end_frame()?;
            }
            writer.begin_frame()?;
            report.frames += 1;
            // The grid of 50 ms goes on through pauses.
            let start = frame_end.map_or(datagram.time_ns, |end| {
                let late = datagram.time_ns.saturating_sub(end);
                datagram.time_ns.saturating_sub(late.rem_euclid(FRAME_NS))
            });
            frame_end = Some(start.saturating_add(FRAME_NS));
        }
        if let (Version::V1_1, Some(first)) = (version, package.first_mut()) {
            *first = u8::try_from(index).unwrap_or_default();
        }
        writer.package(&package)?;
        report.packages += 1;
        Ok(())
    })?;
    if frame_end.is_none() {
        return Err(Error::Empty(Reason::NothingFor(version.to_string())));
    }
    writer.end_frame()?;
    report.devices = seen.iter().map(|s| s.key.address).collect();
    Ok((writer.finish()?, report))
}

/// What sends packages: of SDK 1 a slot and LiDAR at an address, of SDK 2 the address alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    version: Version,
    address: Ipv4Addr,
    slot_and_lidar: (u8, u8),
}

#[derive(Debug)]
struct Source {
    key: Key,
    data_type: Option<u8>,
}

/// Who sent a datagram, if it is a LiDAR's; the package goes to `out` when the format has a place for it.
fn key(datagram: &Datagram<'_>, out: &mut Vec<u8>) -> Result<Option<Key>> {
    let address = datagram.source;
    if wire::package_from_sdk1(0, datagram.payload, out) {
        let byte = |at: usize| out.get(at).copied().unwrap_or_default();
        return Ok(Some(Key { version: Version::V1_1, address, slot_and_lidar: (byte(2), byte(3)) }));
    }
    let kind = wire::package_from_sdk2(address.octets(), datagram.payload, out)?;
    Ok((kind != Sdk2::Foreign).then_some(Key { version: Version::V2_0, address, slot_and_lidar: (0, 0) }))
}

/// The data type of a package of LVX 1.1. An inertial measurement says nothing of the model.
fn data_type(version: Version, package: &[u8]) -> Option<u8> {
    let head = PackageHeader1::peek(package).filter(|_| version == Version::V1_1)?;
    Some(head.data_type).filter(|number| *number != 6)
}

fn devices(sources: &[Source], model: Option<DeviceType>) -> Result<Vec<Device>> {
    let device = |(i, source): (usize, &Source)| {
        let Key { version, address, .. } = source.key;
        let (id, guess) = if version == Version::V1_1 {
            let index = u8::try_from(i).map_err(|_| Error::Target(Reason::TooManyDevices))?;
            let guess = model_of(source.data_type);
            (DeviceId::Index(index), guess)
        } else {
            (DeviceId::Lidar(u32::from_le_bytes(address.octets())), MID_360)
        };
        Ok(Device::new(id, &address.to_string(), model.unwrap_or(DeviceType(guess))))
    };
    sources.iter().enumerate().map(device).collect()
}

/// The model that sends SDK 2 most.
const MID_360: u8 = 9;

/// The model that the data type of SDK 1 suggests: Mid-40, Avia or Horizon.
fn model_of(data_type: Option<u8>) -> u8 {
    match data_type {
        Some(0 | 1) => 1,
        Some(7 | 8) => 7,
        _ => 3,
    }
}
