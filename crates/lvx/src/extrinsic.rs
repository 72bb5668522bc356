//! Mountings of devices, and whether points are moved by them.

use robolog_core::Pose;

use crate::{Device, Version, layout::Extrinsic};

/// Which devices have their points moved from their own frame to `base_link`, by the extrinsic in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ApplyExtrinsics {
    /// Devices whose extrinsic the file enables.
    File,
    /// All devices.
    Always,
    /// No device.
    #[default]
    Never,
}

impl ApplyExtrinsics {
    /// Whether to move the points of this device.
    pub(crate) fn moves(self, device: &Device) -> bool {
        match self {
            Self::File => device.is_extrinsic_enabled(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

robolog_core::names!(ApplyExtrinsics, "use of extrinsics", File = "file", Always = "always", Never = "never");

/// The unit of translations in LVX2. The specification says metres; one of Livox's published recordings uses
/// centimetres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "their own names")]
pub enum ExtrinsicUnit {
    #[default]
    Metre,
    Centimetre,
    Millimetre,
}

robolog_core::names!(ExtrinsicUnit, "unit of length", Metre = "m", Centimetre = "cm", Millimetre = "mm");

impl Device {
    /// The mounting of the device: `Rz(yaw) * Ry(pitch) * Rx(roll)` and the translation.
    pub fn pose(&self, unit: ExtrinsicUnit) -> Pose {
        let Extrinsic { roll, pitch, yaw, x, y, z } = self.extrinsic;
        let scale = match unit {
            ExtrinsicUnit::Metre => 1.0,
            ExtrinsicUnit::Centimetre => 0.01,
            ExtrinsicUnit::Millimetre => 0.001,
        };
        let [roll, pitch, yaw] = [roll, pitch, yaw].map(|a| f64::from(a).to_radians());
        Pose::from_euler([x, y, z].map(|v| f64::from(v) * scale), roll, pitch, yaw)
    }

    /// Whether the extrinsic has an effect in recordings of this version: unmeasured devices have zeros, and the points
    /// of 1.0 are already moved.
    pub(crate) fn is_mounted(&self, version: Version) -> bool {
        let Extrinsic { roll, pitch, yaw, x, y, z } = self.extrinsic;
        let numbers = [roll, pitch, yaw, x, y, z];
        version != Version::V1_0 && numbers.iter().all(|v| v.is_finite()) && numbers.iter().any(|v| *v != 0.0)
    }

    /// Whether the file says to move points by the extrinsic.
    pub fn is_extrinsic_enabled(&self) -> bool {
        self.extrinsic_enable.is_some_and(|enable| enable != 0)
    }
}
