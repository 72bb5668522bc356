//! What lies before the frames: the version and the devices.

use std::fmt;

use robolog_core::{
    Error, ErrorKind, Result, Step,
    layout::{self, c_str},
    text::Escaped,
};

use crate::layout::{
    DeviceInfo10, DeviceInfo11, DeviceInfo20, Extrinsic, MAGIC_CODE, PrivateHeader, PublicHeader, SIGNATURE,
};

/// The header of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    version: Version,
    magic_code: u32,
    frame_duration_ms: Option<u32>,
    devices: Vec<Device>,
}

/// Versions of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// LVX 1.0: float points with the extrinsics already applied.
    V1_0,
    /// LVX 1.1: packages as SDK 1 sends them.
    V1_1,
    /// LVX2: packages of SDK 2.
    V2_0,
    /// LVX3: package headers can be listed; the points are compressed by a closed codec.
    V2_4,
}

impl Version {
    pub(crate) const EXPECTED: &'static str = "1.0, 1.1, 2.0 or 2.4";

    fn from_bytes(bytes: [u8; 4]) -> Option<Self> {
        match bytes {
            [1, 0, ..] => Some(Self::V1_0),
            [1, 1, ..] => Some(Self::V1_1),
            [2, 0, ..] => Some(Self::V2_0),
            [2, 4, ..] => Some(Self::V2_4),
            _ => None,
        }
    }

    /// The four version bytes.
    pub const fn bytes(self) -> [u8; 4] {
        match self {
            Self::V1_0 => [1, 0, 0, 0],
            Self::V1_1 => [1, 1, 0, 0],
            Self::V2_0 => [2, 0, 0, 0],
            Self::V2_4 => [2, 4, 0, 0],
        }
    }

    /// Bytes of a frame header.
    pub const fn frame_header_len(self) -> usize {
        match self {
            Self::V1_0 => 32,
            Self::V1_1 | Self::V2_0 => 24,
            Self::V2_4 => 20,
        }
    }

    /// Bytes of a package header.
    pub const fn package_header_len(self) -> usize {
        match self {
            Self::V1_0 | Self::V1_1 => 19,
            Self::V2_0 | Self::V2_4 => 27,
        }
    }

    const fn device_len(self) -> usize {
        match self {
            Self::V1_0 => 58,
            Self::V1_1 => 59,
            Self::V2_0 | Self::V2_4 => 63,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_0 => "LVX 1.0",
            Self::V1_1 => "LVX 1.1",
            Self::V2_0 => "LVX2 2.0",
            Self::V2_4 => "LVX3 2.4",
        })
    }
}

/// What a package calls its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeviceId {
    /// Index in the device list: 1.x.
    Index(u8),
    /// IPv4 address, octets in file order: LVX2 and LVX3.
    Lidar(u32),
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "device{index}"),
            Self::Lidar(id) => std::net::Ipv4Addr::from(id.to_le_bytes()).fmt(f),
        }
    }
}

/// A device of the header's list.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// What packages call it.
    pub id: DeviceId,
    /// Serial number or broadcast code, raw.
    pub sn: [u8; 16],
    /// The same of the hub, raw; LVX2 recorders leave garbage here.
    pub hub_sn: [u8; 16],
    /// LVX2: 247 Mid-360, 246 HAP.
    pub lidar_type: Option<u8>,
    /// What it is.
    pub device_type: DeviceType,
    /// Whether points should be computed with the extrinsic; `None` in 1.0, where they already are.
    pub extrinsic_enable: Option<u8>,
    /// Where the device is mounted, raw.
    pub extrinsic: Extrinsic,
}

impl Device {
    /// A device for a new recording, mounted at the origin. Serial numbers longer than 16 bytes are cut.
    pub fn new(id: DeviceId, sn: &str, device_type: DeviceType) -> Self {
        let mut raw = [0; 16];
        raw.iter_mut().zip(sn.bytes()).for_each(|(to, from)| *to = from);
        Self {
            id,
            sn: raw,
            hub_sn: [0; 16],
            // What Livox Viewer 2 expects; it drops LiDARs of other types.
            lidar_type: match id {
                DeviceId::Index(_) => None,
                DeviceId::Lidar(_) if matches!(device_type.0, 10 | 15) => Some(246),
                DeviceId::Lidar(_) => Some(247),
            },
            device_type,
            extrinsic_enable: Some(0),
            extrinsic: Extrinsic::default(),
        }
    }

    /// The serial number as text, escaped.
    pub fn sn_text(&self) -> String {
        Escaped(c_str(&self.sn)).to_string()
    }

    /// The hub's serial number as text, escaped.
    pub fn hub_sn_text(&self) -> String {
        Escaped(c_str(&self.hub_sn)).to_string()
    }
}

/// The model of a device, by its number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceType(pub u8);

impl DeviceType {
    /// The model's name, for those that Livox has published.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "Hub",
            1 => "Mid-40/100",
            2 => "Tele-15",
            3 => "Horizon",
            6 => "Mid-70",
            7 => "Avia",
            9 => "Mid-360",
            10 | 15 => "HAP",
            16 => "PA",
            35 => "Mid-360S",
            40 => "Avia2",
            _ => return None,
        })
    }

    /// Nanoseconds between two laser shots; `None` where it is not known.
    pub const fn shot_interval_ns(self) -> Option<u32> {
        match self.0 {
            1 | 6 => Some(10_000),
            2 | 3 | 7 => Some(4_167),
            9 | 35 => Some(5_000),
            10 | 15 => Some(2_212),
            _ => None,
        }
    }

    /// How many laser lines a device fires in turn.
    pub const fn lines(self) -> u16 {
        match self.0 {
            2 | 3 | 7 | 10 | 15 => 6,
            9 | 35 => 4,
            _ => 1,
        }
    }
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "device type {}", self.0),
        }
    }
}

impl Header {
    /// A header for a new recording with frames of 50 ms.
    pub fn new(version: Version, devices: Vec<Device>) -> Self {
        let frame_duration_ms = (version != Version::V1_0).then_some(50);
        Self { version, magic_code: MAGIC_CODE, frame_duration_ms, devices }
    }

    /// The version of the format.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Whether the magic code is right. Livox Viewer refuses files where it is not.
    pub fn magic_ok(&self) -> bool {
        self.magic_code == MAGIC_CODE
    }

    /// The nominal length of a frame; 1.0 does not say.
    pub fn frame_duration_ms(&self) -> Option<u32> {
        self.frame_duration_ms
    }

    /// The devices that the recording lists.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The device that packages with this id come from. Of duplicates in the list the first counts.
    pub fn device(&self, id: DeviceId) -> Option<&Device> {
        self.devices.iter().find(|d| d.id == id)
    }

    /// A name for the device that is unique in the recording and safe to print: its serial number, or failing that
    /// its id.
    pub fn device_name(&self, id: DeviceId) -> String {
        let Some(device) = self.device(id) else { return id.to_string() };
        let sn = c_str(&device.sn);
        let plain =
            !sn.is_empty() && sn.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        let unique = self.devices.iter().filter(|d| c_str(&d.sn) == sn && d.id != id).count() == 0;
        if plain && unique { device.sn_text() } else { id.to_string() }
    }

    pub(crate) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        let start = input.get(..10).unwrap_or(input);
        if !SIGNATURE.starts_with(start) {
            // The error shows the first 16 bytes: they must be there.
            return match 16_usize.checked_sub(input.len()) {
                Some(n @ 1..) if !eof => Ok(Step::Need(n)),
                _ => Err(Error::magic(input, "Livox LVX")),
            };
        }
        let Some((public, rest)) = input.split_at_checked(24) else {
            return Ok(Step::Need(24_usize.saturating_sub(input.len())));
        };
        let public: PublicHeader = layout::layout_within(public, 0, "lvx public header")?;
        let Some(version) = Version::from_bytes(public.version) else {
            let [a, b, c, d] = public.version;
            let kind = ErrorKind::Version { found: format!("{a}.{b}.{c}.{d}"), expected: Version::EXPECTED };
            return Err(Error::new(kind, 16).within("lvx public header"));
        };
        let (frame_duration_ms, count, rest) = if version == Version::V1_0 {
            let Some((count, rest)) = rest.split_first() else { return Ok(Step::Need(1)) };
            (None, *count, rest)
        } else {
            let Some((private, rest)) = rest.split_at_checked(5) else {
                return Ok(Step::Need(5_usize.saturating_sub(rest.len())));
            };
            let private: PrivateHeader = layout::layout_within(private, 24, "lvx private header")?;
            (Some(private.frame_duration), private.device_count, rest)
        };
        let size = version.device_len();
        let len = usize::from(count).saturating_mul(size);
        let Some(infos) = rest.get(..len) else { return Ok(Step::Need(len.saturating_sub(rest.len()))) };
        let start = input.len().saturating_sub(rest.len());
        let mut devices = Vec::with_capacity(usize::from(count));
        for (i, info) in infos.chunks_exact(size).enumerate() {
            devices.push(parse_device(version, info, start.saturating_add(i.saturating_mul(size)) as u64)?);
        }
        let header = Self { version, magic_code: public.magic_code, frame_duration_ms, devices };
        Ok(Step::Ready(header, start.saturating_add(len)))
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let Ok(device_count) = u8::try_from(self.devices.len()) else {
            return Err(Error::invalid("device count", self.devices.len(), "at most 255", 28).within("lvx"));
        };
        let public =
            PublicHeader { signature: SIGNATURE, version: self.version.bytes(), magic_code: self.magic_code };
        layout::write_layout(&public, &mut out)?;
        match self.frame_duration_ms {
            Some(frame_duration) if self.version != Version::V1_0 => {
                layout::write_layout(&PrivateHeader { frame_duration, device_count }, &mut out)?;
            }
            _ => out.push(device_count),
        }
        for device in &self.devices {
            write_device(self.version, device, &mut out)?;
        }
        Ok(out)
    }
}

fn parse_device(version: Version, info: &[u8], at: u64) -> Result<Device> {
    const WITHIN: &str = "lvx device info";
    Ok(match version {
        Version::V1_0 => {
            let d: DeviceInfo10 = layout::layout_within(info, at, WITHIN)?;
            Device {
                id: DeviceId::Index(d.device_index),
                sn: d.lidar_sn,
                hub_sn: d.hub_sn,
                lidar_type: None,
                device_type: DeviceType(d.device_type),
                extrinsic_enable: None,
                extrinsic: d.extrinsic,
            }
        }
        Version::V1_1 => {
            let d: DeviceInfo11 = layout::layout_within(info, at, WITHIN)?;
            Device {
                id: DeviceId::Index(d.device_index),
                sn: d.lidar_sn,
                hub_sn: d.hub_sn,
                lidar_type: None,
                device_type: DeviceType(d.device_type),
                extrinsic_enable: Some(d.extrinsic_enable),
                extrinsic: d.extrinsic,
            }
        }
        Version::V2_0 | Version::V2_4 => {
            let d: DeviceInfo20 = layout::layout_within(info, at, WITHIN)?;
            Device {
                id: DeviceId::Lidar(d.lidar_id),
                sn: d.lidar_sn,
                hub_sn: d.hub_sn,
                lidar_type: Some(d.lidar_type),
                device_type: DeviceType(d.device_type),
                extrinsic_enable: Some(d.extrinsic_enable),
                extrinsic: d.extrinsic,
            }
        }
    })
}

fn write_device(version: Version, device: &Device, out: &mut Vec<u8>) -> Result<()> {
    let Device { id, sn, hub_sn, lidar_type, device_type, extrinsic_enable, extrinsic } = *device;
    let extrinsic_enable = extrinsic_enable.unwrap_or(0);
    match (version, id) {
        (Version::V1_0, DeviceId::Index(device_index)) => layout::write_layout(
            &DeviceInfo10 { lidar_sn: sn, hub_sn, device_index, device_type: device_type.0, extrinsic },
            out,
        ),
        (Version::V1_1, DeviceId::Index(device_index)) => layout::write_layout(
            &DeviceInfo11 {
                lidar_sn: sn,
                hub_sn,
                device_index,
                device_type: device_type.0,
                extrinsic_enable,
                extrinsic,
            },
            out,
        ),
        (Version::V2_0 | Version::V2_4, DeviceId::Lidar(lidar_id)) => layout::write_layout(
            &DeviceInfo20 {
                lidar_sn: sn,
                hub_sn,
                lidar_id,
                lidar_type: lidar_type.unwrap_or(247),
                device_type: device_type.0,
                extrinsic_enable,
                extrinsic,
            },
            out,
        ),
        (_, id) => {
            let what = format!("{id} in {version}");
            Err(Error::invalid("device id", what, "an index in 1.x, an address in LVX2", out.len() as u64))
        }
    }
}
