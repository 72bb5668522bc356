//! Extracts packets of Livox LiDARs into a recording: SDK 1 to LVX 1.1, SDK 2 to LVX2.

use std::{
    io::{Read, Write},
    net::Ipv4Addr,
};

use lvx::{
    Device, DeviceId, Header, Model, Version, Writer,
    wire::{self, Sdk2},
};
use robolog_core::{Error, Result};

use super::{NothingToExtract, OnDamage, each_datagram};
use crate::{
    Datagram,
    decode::livox::FRAME_NS,
    payload::{MID_360, data_type, model_of},
};

/// The result of an extraction to LVX.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LvxReport {
    /// The format written.
    pub version: Option<Version>,
    /// UDP datagrams in the capture.
    pub datagrams: u64,
    /// Packages written.
    pub packages: u64,
    /// Frames written.
    pub frames: u64,
    /// LiDAR datagrams that the format cannot hold: inertial measurements and uncommon forms of SDK 2, and those of the
    /// other generation.
    pub left_out: u64,
    /// Devices, by address.
    pub devices: Vec<Ipv4Addr>,
}

/// Writes the Livox packets of a capture as a recording, of the generation of the first packet: SDK 1 as LVX 1.1, SDK 2
/// as LVX2.
///
/// `open` opens the capture: it is read twice, as the devices precede the packages. `model` is the model of all
/// devices; by default it is guessed from their data: Mid-40, Horizon or Avia from the data type of SDK 1, Mid-360 for
/// SDK 2.
///
/// A capture has no serial numbers: devices are named by their IP address. Frames are cut every 50 ms of capture time,
/// as in Livox's own recorders.
///
/// ```
/// use std::{error::Error, fs::File};
/// # let path = "examples/livox_sdk2.pcapng";
/// let open = &mut || Ok::<_, Box<dyn Error>>(File::open(path)?);
/// let (file, report) = robolog_capture::to_lvx(open, Vec::new(), None, &mut |error, _| println!("{error}"))?;
/// assert_eq!(lvx::Reader::new(&file)?.records().count() as u64, report.frames);
/// # Ok::<(), Box<dyn Error>>(())
/// ```
pub fn to_lvx<R: Read, W: Write, E: From<Error> + From<NothingToExtract>>(
    open: &mut dyn FnMut() -> Result<R, E>,
    out: W,
    model: Option<Model>,
    on_damage: OnDamage<'_>,
) -> Result<(W, LvxReport), E> {
    let mut package = Vec::new();
    let seen = sources(open()?, &mut package)?;
    let Some(version) = seen.first().map(|source| source.key.version) else {
        return Err(NothingToExtract::Packets("Livox LiDAR").into());
    };
    let header = Header::new(version, devices(&seen, model)?);
    let mut writer = Writer::new(out, &header)?;
    let mut report = LvxReport { version: Some(version), ..LvxReport::default() };
    let mut frames = Frames::default();
    each_datagram(open()?, on_damage, &mut |datagram| {
        report.datagrams += 1;
        package.clear();
        let key = key(&datagram, &mut package)?;
        let index = key.and_then(|key| seen.iter().position(|source| source.key == key));
        let (Some(index), false) = (index, package.is_empty()) else {
            report.left_out += u64::from(key.is_some());
            return Ok(());
        };
        if frames.begins_with(datagram.time_ns) {
            if report.frames > 0 {
                writer.end_frame()?;
            }
            writer.begin_frame()?;
            report.frames += 1;
        }
        if let (Version::V1_1, Some(first)) = (version, package.first_mut()) {
            *first = u8::try_from(index).unwrap_or(u8::MAX); // `devices` limited their number
        }
        writer.package(&package)?;
        report.packages += 1;
        Ok(())
    })?;
    if report.frames == 0 {
        return Err(NothingToExtract::Place(version).into());
    }
    writer.end_frame()?;
    report.devices = seen.iter().map(|source| source.key.address).collect();
    Ok((writer.finish()?, report))
}

/// The frame grid, which continues through pauses.
#[derive(Debug, Default)]
struct Frames {
    end: Option<i64>,
}

impl Frames {
    /// Whether a package captured at this time is the first of a frame.
    fn begins_with(&mut self, time_ns: i64) -> bool {
        let start = match self.end {
            Some(end) if time_ns < end => return false,
            Some(end) => {
                let late = time_ns.saturating_sub(end);
                time_ns.saturating_sub(late.rem_euclid(FRAME_NS))
            }
            None => time_ns,
        };
        self.end = Some(start.saturating_add(FRAME_NS));
        true
    }
}

/// The sources of packages of the same generation as the first one, in order of appearance.
fn sources<R: Read>(capture: R, package: &mut Vec<u8>) -> Result<Vec<Source>> {
    let mut seen: Vec<Source> = Vec::new();
    each_datagram(capture, &mut |_, _| (), &mut |datagram| {
        package.clear();
        let Some(key) = key(&datagram, package)? else { return Ok(()) };
        if seen.first().is_some_and(|first| first.key.version != key.version) {
            return Ok(());
        }
        let of_package = || data_type(package).filter(|_| key.version == Version::V1_1);
        match seen.iter_mut().find(|source| source.key == key) {
            Some(source) => source.data_type = source.data_type.or_else(of_package),
            None => seen.push(Source { key, data_type: of_package() }),
        }
        Ok(())
    })?;
    Ok(seen)
}

/// Identifies a source of packages: for SDK 1 a slot and LiDAR at an address, for SDK 2 the address alone.
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

/// The source of a datagram, if it is a LiDAR's; its package is appended to `out` if the format can hold it.
fn key(datagram: &Datagram<'_>, out: &mut Vec<u8>) -> Result<Option<Key>> {
    let address = datagram.source;
    if wire::package_from_sdk1(0, datagram.payload, out) {
        let byte = |at: usize| out.get(at).copied().unwrap_or_default();
        return Ok(Some(Key { version: Version::V1_1, address, slot_and_lidar: (byte(2), byte(3)) }));
    }
    let kind = wire::package_from_sdk2(address.octets(), datagram.payload, out)?;
    Ok((kind != Sdk2::Foreign).then_some(Key { version: Version::V2_0, address, slot_and_lidar: (0, 0) }))
}

fn devices(sources: &[Source], model: Option<Model>) -> Result<Vec<Device>, NothingToExtract> {
    let device = |(i, source): (usize, &Source)| {
        let Key { version, address, .. } = source.key;
        let (id, guess) = if version == Version::V1_1 {
            let index = u8::try_from(i).map_err(|_| NothingToExtract::Devices)?;
            let guess = model_of(source.data_type);
            (DeviceId::Index(index), guess)
        } else {
            (DeviceId::Lidar(u32::from_le_bytes(address.octets())), MID_360)
        };
        Ok(Device::new(id, &address.to_string(), model.map_or(guess, Model::device_type)))
    };
    sources.iter().enumerate().map(device).collect()
}
