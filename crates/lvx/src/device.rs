//! The devices of a recording.

use std::fmt;

use robolog_core::{
    Error, Result,
    layout::{Layout as _, c_str},
    text::Escaped,
};

use crate::{
    Version,
    layout::{DeviceInfo10, DeviceInfo11, DeviceInfo20, Extrinsic},
};

/// How a package identifies its device.
///
/// ```
/// use lvx::DeviceId;
/// let reader = lvx::open("examples/room.lvx")?;
/// let device = reader.header().device(DeviceId::Index(0)).expect("it is listed");
/// assert_eq!(reader.header().device_name(device.id), "HORIZONROOM0001");
/// # Ok::<(), lvx::Error>(())
/// ```
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
///
/// ```
/// use lvx::{Device, DeviceId, DeviceType, ExtrinsicUnit};
/// let mut device = Device::new(DeviceId::Index(0), "3WEDH7600101501", DeviceType(3));
/// device.extrinsic.yaw = 90.0; // degrees
/// let mount = device.pose(ExtrinsicUnit::Metre);
/// assert!((mount.orientation.euler_angles().2 - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// Its id in packages.
    pub id: DeviceId,
    /// Serial number or broadcast code, raw.
    pub sn: [u8; 16],
    /// Serial number or broadcast code of the hub, raw; LVX2 recorders leave garbage here.
    pub hub_sn: [u8; 16],
    /// LVX2: 247 Mid-360, 246 HAP.
    pub lidar_type: Option<u8>,
    /// Its model.
    pub device_type: DeviceType,
    /// Whether points should be moved by the extrinsic; `None` in 1.0, where they already are.
    pub extrinsic_enable: Option<u8>,
    /// Mounting of the device, raw.
    pub extrinsic: Extrinsic,
}

impl Device {
    /// A device for a new recording, mounted at the origin. Serial numbers are truncated to 16 bytes.
    pub fn new(id: DeviceId, sn: &str, device_type: DeviceType) -> Self {
        let mut raw = [0; 16];
        raw.iter_mut().zip(sn.bytes()).for_each(|(to, from)| *to = from);
        Self {
            id,
            sn: raw,
            hub_sn: [0; 16],
            // Livox Viewer 2 drops LiDARs of other types.
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
///
/// ```
/// use lvx::DeviceType;
/// assert_eq!((DeviceType(3).name(), DeviceType(3).lines()), (Some("Horizon"), 6));
/// assert_eq!(DeviceType(200).name(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceType(pub u8);

/// The models published by Livox: number, name, nanoseconds between two laser shots if known, and number of laser lines
/// fired in turn.
const MODELS: [(u8, &str, Option<u32>, u16); 12] = [
    (0, "Hub", None, 1),
    (1, "Mid-40/100", Some(10_000), 1),
    (2, "Tele-15", Some(4_167), 6),
    (3, "Horizon", Some(4_167), 6),
    (6, "Mid-70", Some(10_000), 1),
    (7, "Avia", Some(4_167), 6),
    (9, "Mid-360", Some(5_000), 4),
    (10, "HAP", Some(2_212), 6),
    (15, "HAP", Some(2_212), 6),
    (16, "PA", None, 1),
    (35, "Mid-360S", Some(5_000), 4),
    (40, "Avia2", None, 1),
];

impl DeviceType {
    fn model(self) -> Option<&'static (u8, &'static str, Option<u32>, u16)> {
        MODELS.iter().find(|(number, ..)| *number == self.0)
    }

    /// The model's name, for models published by Livox.
    pub fn name(self) -> Option<&'static str> {
        self.model().map(|(_, name, ..)| *name)
    }

    /// Nanoseconds between two laser shots; `None` if unknown.
    pub fn shot_interval_ns(self) -> Option<u32> {
        self.model().and_then(|(_, _, interval, _)| *interval)
    }

    /// Number of laser lines fired in turn.
    pub fn lines(self) -> u16 {
        self.model().map_or(1, |(.., lines)| *lines)
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

pub(crate) fn parse(version: Version, info: &[u8], at: u64) -> Result<Device> {
    Ok(match version {
        Version::V1_0 => {
            let d = DeviceInfo10::decode(info, at)?;
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
            let d = DeviceInfo11::decode(info, at)?;
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
            let d = DeviceInfo20::decode(info, at)?;
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

pub(crate) fn write(version: Version, device: &Device, out: &mut Vec<u8>) -> Result<()> {
    let Device { id, sn, hub_sn, lidar_type, device_type, extrinsic_enable, extrinsic } = *device;
    let extrinsic_enable = extrinsic_enable.unwrap_or(0);
    match (version, id) {
        (Version::V1_0, DeviceId::Index(device_index)) => {
            DeviceInfo10 { lidar_sn: sn, hub_sn, device_index, device_type: device_type.0, extrinsic }
                .encode(out)
        }
        (Version::V1_1, DeviceId::Index(device_index)) => DeviceInfo11 {
            lidar_sn: sn,
            hub_sn,
            device_index,
            device_type: device_type.0,
            extrinsic_enable,
            extrinsic,
        }
        .encode(out),
        (Version::V2_0 | Version::V2_4, DeviceId::Lidar(lidar_id)) => DeviceInfo20 {
            lidar_sn: sn,
            hub_sn,
            lidar_id,
            lidar_type: lidar_type.unwrap_or(247),
            device_type: device_type.0,
            extrinsic_enable,
            extrinsic,
        }
        .encode(out),
        (_, id) => {
            let what = format!("{id} in {version}");
            Err(Error::invalid("device id", what, "an index in 1.x, an address in LVX2", out.len() as u64))
        }
    }
}
