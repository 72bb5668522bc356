//! Extracts packets of Livox LiDARs into a recording: SDK 1 to LVX 1.1, SDK 2 to LVX2.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::Ipv4Addr,
    sync::Arc,
};

use lvx::{Device, DeviceId, Header, Model, Version, Writer, layout::PackageHeader2};
use robolog_core::{Error, OnDamage, Result, layout::field};

use super::{NothingToExtract, each_datagram};
use crate::{
    control::Identity,
    decode::livox::FRAME_NS,
    model::Evidence,
    payload::Payload,
    sensors::{Sender, Sensors},
    sequence::Recent,
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
    /// The inertial measurements among [`left_out`](Self::left_out).
    pub left_out_imu: u64,
    /// Packets captured twice, of which one was written.
    pub duplicates: u64,
    /// Devices, by address.
    pub devices: Vec<Ipv4Addr>,
}

/// Writes the Livox packets of a capture as a recording, of the generation of the first packet: SDK 1 as LVX 1.1, SDK 2
/// as LVX2.
///
/// `open` opens the capture: it is read twice, as the devices precede the packages. `model` is the model of all
/// devices; by default it is what they say about themselves, or what the spacing of their packages and their ports tell.
///
/// A capture has no serial numbers: devices are named by their IP address, with `-2` for the second one at an address,
/// whose number in LVX2 is the next free address. Frames are cut every 50 ms of capture time,
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
    let mut told = HashMap::new();
    let seen = sources(open()?, &mut package, &mut told)?;
    let Some(version) = seen.iter().flatten().next().map(|source| source.evidence.version) else {
        return Err(NothingToExtract::Packets("Livox LiDAR").into());
    };
    let devices = devices(&seen, model, &told)?;
    let header = Header::new(version, devices.iter().flatten().cloned().collect());
    let mut writer = Writer::new(out, &header)?;
    let mut report = LvxReport { version: Some(version), ..LvxReport::default() };
    let (mut frames, mut sensors) = (Frames::default(), Sensors::default());
    let mut recent: Vec<Recent> = Vec::new();
    each_datagram(open()?, on_damage, &mut |datagram| {
        report.datagrams += 1;
        let payload = Payload::of(&datagram, &mut package)?;
        let Some(Sender { number, .. }) = sensors.of(&datagram, payload, &package) else { return Ok(()) };
        if matches!(payload, Payload::Velodyne | Payload::Position) {
            return Ok(());
        }
        recent.resize_with(recent.len().max(number + 1), Recent::default);
        if recent.get_mut(number).is_some_and(|recent| recent.repeats_payload(&datagram, payload)) {
            report.duplicates += 1;
            return Ok(());
        }
        let holds = match payload {
            Payload::Imu(version) => version == Version::V1_1,
            payload => payload != Payload::Spread,
        };
        let (Some(Some(device)), true) = (devices.get(number), holds) else {
            report.left_out += 1;
            report.left_out_imu += u64::from(matches!(payload, Payload::Imu(_)));
            return Ok(());
        };
        if frames.begins_with(datagram.time_ns) {
            if report.frames > 0 {
                writer.end_frame()?;
            }
            writer.begin_frame()?;
            report.frames += 1;
        }
        match device.id {
            DeviceId::Index(index) => package.first_mut().into_iter().for_each(|first| *first = index),
            DeviceId::Lidar(id) => {
                let at = field!(PackageHeader2, lidar_id).offset;
                let place = package.iter_mut().skip(at);
                place.zip(id.to_le_bytes()).for_each(|(to, from)| *to = from);
            }
        }
        writer.package(&package)?;
        report.packages += 1;
        Ok(())
    })?;
    if report.frames == 0 {
        return Err(NothingToExtract::Place(version).into());
    }
    writer.end_frame()?;
    report.devices = seen.iter().flatten().map(|source| source.address).collect();
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

/// More LiDARs than any capture has.
const TOLD: usize = 1 << 10;

/// The LiDARs of the same generation as the first one, by their number as sensors.
fn sources<R: Read>(
    capture: R,
    package: &mut Vec<u8>,
    told: &mut HashMap<Ipv4Addr, Model>,
) -> Result<Vec<Option<LvxDevice>>> {
    let (mut sensors, mut seen) = (Sensors::default(), Vec::<Option<LvxDevice>>::new());
    let mut generation = None;
    each_datagram(capture, &mut |_, _| (), &mut |datagram| {
        let payload = Payload::of(&datagram, package)?;
        if payload == Payload::Other
            && let Some(model) = Identity::of(datagram.payload).and_then(|identity| identity.model)
            && told.len() < TOLD
        {
            told.insert(datagram.source, model);
        }
        let Some(Sender { number, name }) = sensors.of(&datagram, payload, package) else { return Ok(()) };
        if number >= seen.len() {
            let name = Arc::clone(name);
            let version = sensors.get(number).and_then(|sensor| sensor.kin.version);
            generation = generation.or(version);
            let address = datagram.source;
            let evidence = version.map(|version| Evidence::new(version, datagram.source_port));
            let source = evidence.map(|evidence| LvxDevice { address, name, evidence });
            seen.push(source.filter(|source| Some(source.evidence.version) == generation));
        }
        if let Some(Some(source)) = seen.get_mut(number) {
            match payload {
                Payload::Points(Version::V1_1) => {
                    source.evidence.add_sdk1(package, datagram.time_ns);
                }
                Payload::Points(_) | Payload::Spread => {
                    source.evidence.add_sdk2(datagram.payload, datagram.time_ns);
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    Ok(seen)
}

#[derive(Debug)]
struct LvxDevice {
    address: Ipv4Addr,
    name: Arc<str>,
    evidence: Evidence,
}

/// The devices, by their number as sensors.
fn devices(
    sources: &[Option<LvxDevice>],
    model: Option<Model>,
    told: &HashMap<Ipv4Addr, Model>,
) -> Result<Vec<Option<Device>>, NothingToExtract> {
    let mut index = 0_u8;
    let mut taken: Vec<u32> = Vec::new();
    let device = |source: &Option<LvxDevice>| {
        let Some(source) = source else { return Ok(None) };
        let id = if source.evidence.version == Version::V1_1 {
            let id = DeviceId::Index(index);
            index = index.checked_add(1).ok_or(NothingToExtract::Devices)?;
            id
        } else {
            let id = free_id(source.address, sources, &taken);
            taken.push(id);
            DeviceId::Lidar(id)
        };
        let model = model.or_else(|| told.get(&source.address).copied());
        let model = model.unwrap_or_else(|| source.evidence.guess().model);
        Ok(Some(Device::new(id, &serial(&source.name), model.device_type())))
    };
    sources.iter().map(device).collect()
}

/// The id of a LiDAR in LVX2: its address, or if another one has it, the next one that none has.
fn free_id(address: Ipv4Addr, sources: &[Option<LvxDevice>], taken: &[u32]) -> u32 {
    let id = |address: Ipv4Addr| u32::from_le_bytes(address.octets());
    let is_free = |other: &Ipv4Addr| {
        !taken.contains(&id(*other))
            && (*other == address || !sources.iter().flatten().any(|source| source.address == *other))
    };
    let next = (0..=u32::MAX).map(|n| Ipv4Addr::from_bits(address.to_bits().wrapping_add(n)));
    next.into_iter().find(is_free).map_or_else(|| id(address), id)
}

/// A name that fits the serial number's 16 bytes.
fn serial(name: &str) -> String {
    if name.len() <= 16 { name.to_owned() } else { name.replace('.', "") }
}
