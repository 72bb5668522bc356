//! LVX-specific information of a survey.

use std::collections::BTreeMap;

use robolog_core::Clock;

use crate::{Alarm, Device, DeviceId, DeviceType, Header, layout::Extrinsic};

/// LVX-specific information of a survey.
///
/// ```
/// let summary = lvx::survey("examples/room.lvx")?;
/// assert_eq!((summary.details.frames, summary.details.points), (10, 15360));
/// assert_eq!(summary.details.devices[0].model, Some("Horizon"));
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Details {
    /// Frames, including incomplete ones.
    pub frames: u64,
    /// Complete packages.
    pub packages: u64,
    /// Points, counting every return and shots without one.
    pub points: u64,
    /// Inertial measurements.
    pub imu_samples: u64,
    /// Nominal length of a frame.
    pub frame_ms: Option<u32>,
    /// Whether the magic code is right.
    pub has_valid_magic: bool,
    /// The devices of the header's list, then those missing from it.
    pub devices: Vec<DeviceDetails>,
    /// Number of packages by data type number.
    pub data_types: BTreeMap<u8, u64>,
    /// Number of packages by time stamp type number.
    pub timestamp_types: BTreeMap<u8, u64>,
}

/// Counts of one device.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DeviceDetails {
    /// Serial number or broadcast code, escaped.
    pub sn: String,
    /// Serial number or broadcast code of the hub, escaped.
    pub hub_sn: String,
    /// Device index in packages of 1.x.
    pub index: Option<u8>,
    /// Device address in packages of LVX2 and LVX3: IPv4, octets in file order.
    pub lidar_id: Option<u32>,
    /// Model number; `None` if the device is not listed, and no [model](Header::set_model) is set.
    pub device_type: Option<u8>,
    /// Model name, if known.
    pub model: Option<&'static str>,
    /// Whether points should be moved by the extrinsic, 0 or 1; `None` in 1.0, and if the device is not listed.
    pub extrinsic_enable: Option<u8>,
    /// Roll, pitch, yaw in degrees and x, y, z, as in the file.
    pub extrinsic: Option<Extrinsic>,
    /// The states reported by the device: the worst of each over all packages, and its time source at the end, such as
    /// `fan warning`, `synchronised by PTP`. Empty if all is normal, and in LVX2, whose packages have no status.
    pub states: Vec<&'static str>,
    /// The abnormal ones, with their times.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub alarms: Vec<Alarm>,
    /// Complete packages.
    pub packages: u64,
    /// Points, counting every return.
    pub points: u64,
    /// Inertial measurements.
    pub imu_samples: u64,
    /// Earliest stamp in nanoseconds, on the clock of its packages.
    pub start_ns: Option<i64>,
    /// Latest stamp in nanoseconds, on the same clock.
    pub end_ns: Option<i64>,
    /// Packages of points that never arrived, by stamps and counters.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub lost_packages: u64,
    /// Stamp of the last package before the first of them, in nanoseconds.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub first_lost_ns: Option<i64>,
    /// The gaps, at most 1000: stamps of the packages around them, nanoseconds, and the number of packages missing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub lost_gaps: Vec<(i64, i64, u64)>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) clock: Option<Clock>,
}

impl Details {
    /// Details with zero counts.
    pub(crate) fn of(header: &Header) -> Self {
        Self {
            frames: 0,
            packages: 0,
            points: 0,
            imu_samples: 0,
            frame_ms: header.frame_duration_ms(),
            has_valid_magic: header.has_valid_magic(),
            devices: Vec::new(),
            data_types: BTreeMap::new(),
            timestamp_types: BTreeMap::new(),
        }
    }
}

impl DeviceDetails {
    /// The device with this id, with zero counts.
    pub(crate) fn of(id: DeviceId, header: &Header) -> Self {
        let (device, device_type) = (header.device(id), header.device_type(id));
        let (index, lidar_id) = match id {
            DeviceId::Index(index) => (Some(index), None),
            DeviceId::Lidar(id) => (None, Some(id)),
        };
        Self {
            sn: device.map_or_else(String::new, Device::sn_text),
            hub_sn: device.map_or_else(String::new, Device::hub_sn_text),
            index,
            lidar_id,
            device_type: device_type.map(|device_type| device_type.0),
            model: device_type.and_then(DeviceType::name),
            extrinsic_enable: device.and_then(|d| d.extrinsic_enable),
            extrinsic: device.map(|d| d.extrinsic),
            states: Vec::new(),
            alarms: Vec::new(),
            packages: 0,
            points: 0,
            imu_samples: 0,
            start_ns: None,
            end_ns: None,
            lost_packages: 0,
            first_lost_ns: None,
            lost_gaps: Vec::new(),
            clock: None,
        }
    }
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}
