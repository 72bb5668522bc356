//! The models that Livox sells, under the names people call them by.

use crate::DeviceType;

/// A model of Livox. Recordings number it as a [`DeviceType`]; packets on the wire do not name it.
///
/// ```
/// use lvx::{DeviceType, Model};
/// assert_eq!("mid-70".parse(), Ok(Model::Mid70));
/// assert_eq!((Model::Mid70.shot_interval_ns(), Model::Mid70.lines()), (Some(10_000), 1));
/// assert_eq!(Model::of(DeviceType(15)), Some(Model::Hap));
/// assert!("mid-71".parse::<Model>().unwrap_err().to_string().contains("mid-70"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Model {
    /// SDK 1.
    Mid40,
    /// SDK 1.
    Mid70,
    /// SDK 1: three Mid-40 in one housing, each a device of its own.
    Mid100,
    /// SDK 1.
    Tele15,
    /// SDK 1.
    Horizon,
    /// SDK 1; up to three returns.
    Avia,
    /// SDK 2.
    Mid360,
    /// SDK 2.
    Mid360S,
    /// SDK 2; sold for industry and for vehicles.
    Hap,
    /// SDK 2.
    Pa,
    /// SDK 2.
    Avia2,
}

robolog_core::names!(
    Model,
    "model of Livox",
    Mid40 = "mid-40",
    Mid70 = "mid-70",
    Mid100 = "mid-100",
    Tele15 = "tele-15",
    Horizon = "horizon",
    Avia = "avia",
    Mid360 = "mid-360",
    Mid360S = "mid-360s",
    Hap = "hap",
    Pa = "pa",
    Avia2 = "avia2",
);

impl Model {
    /// The numbers that recordings and messages of the SDKs give it; the first is the one to write.
    pub const fn device_types(self) -> &'static [DeviceType] {
        match self {
            Self::Mid40 | Self::Mid100 => &[DeviceType(1)],
            Self::Tele15 => &[DeviceType(2)],
            Self::Horizon => &[DeviceType(3)],
            Self::Mid70 => &[DeviceType(6)],
            Self::Avia => &[DeviceType(7)],
            Self::Mid360 => &[DeviceType(9)],
            Self::Hap => &[DeviceType(10), DeviceType(15)],
            Self::Pa => &[DeviceType(16)],
            Self::Mid360S => &[DeviceType(35)],
            Self::Avia2 => &[DeviceType(40)],
        }
    }

    /// The number to write into recordings.
    pub fn device_type(self) -> DeviceType {
        self.device_types().first().copied().unwrap_or(DeviceType(u8::MAX))
    }

    /// The model of a number; for 1, which Mid-40 and Mid-100 share, the Mid-40.
    pub fn of(device_type: DeviceType) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.device_types().contains(&device_type))
    }

    /// Nanoseconds between two laser shots; `None` if Livox does not publish it.
    pub fn shot_interval_ns(self) -> Option<u32> {
        self.device_type().shot_interval_ns()
    }

    /// Number of laser lines fired in turn.
    pub fn lines(self) -> u16 {
        self.device_type().lines()
    }

    /// Whether it speaks the protocol of SDK 2, as in LVX2.
    pub const fn is_of_sdk2(self) -> bool {
        matches!(self, Self::Mid360 | Self::Mid360S | Self::Hap | Self::Pa | Self::Avia2)
    }

    /// UDP ports from which it sends points and inertial measurements by default, as configured by the SDK; empty if
    /// unknown, and for models of SDK 1, which all send from the same.
    pub const fn source_ports(self) -> &'static [u16] {
        match self {
            Self::Hap => &[57_000, 58_000],
            Self::Mid360 => &[56_300, 56_400],
            _ => &[],
        }
    }
}
