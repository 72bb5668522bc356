//! Fields of points in ROS messages.

use std::fmt;

/// Fields of points in ROS messages: names, types, offsets and units that programs expect.
///
/// | layout | fields | bytes | read by |
/// |---|---|---|---|
/// | `robolog` | those present in the cloud of `x y z intensity`, `t` (u32, ns), `time` (f32, s), `ring` (u16), `return_number tag line` (u8) | | LIO-SAM, FAST-LIO, Point-LIO as Velodyne, KISS-ICP, viewers |
/// | `velodyne` | `x y z intensity`, `ring` (u16), `time` (f32, s) | 22 | the same, and readers of `velodyne_pointcloud` |
/// | `ouster` | `x y z intensity`, `t` (u32, ns), `reflectivity` (u16), `ring` (u8), `ambient noise` (u16, 0), `range` (u32, mm) | 48 | LIO-SAM, FAST-LIO, Point-LIO as Ouster |
/// | `livox` | `x y z intensity`, `tag line` (u8), `timestamp` (f64, ns) | 26 | readers of `livox_ros_driver2` clouds |
/// | `hesai` | `x y z intensity`, `ring` (u16), `timestamp` (f64, s) | 26 | Point-LIO and others as Hesai |
/// | `autoware` | `x y z`, `intensity return_type` (u8), `channel` (u16), `azimuth elevation` (f32, rad), `distance` (f32, m), `time_stamp` (u32, ns) | 32 | Autoware, as `PointXYZIRCAEDT` |
/// | `xyzi` | `x y z intensity` | 16 | all readers of clouds |
/// | `livox-custom` | none: `livox_ros_driver2/CustomMsg` instead of `PointCloud2` | | FAST-LIO of ROS 2, FAST-LIVO2, Point-LIO for Livox |
/// | `livox-custom1` | none: `livox_ros_driver/CustomMsg`, of the older driver | | FAST-LIO, Point-LIO, LIO-Livox of ROS 1 |
///
/// Coordinates (m) and intensity are `f32` unless stated otherwise. Times count from the message's stamp, except
/// `timestamp`, which is on the stamp's clock. Missing values are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PointLayout {
    /// All columns of the cloud.
    #[default]
    Robolog,
    /// `velodyne_pointcloud`'s `PointXYZIRT`.
    Velodyne,
    /// Ouster structure of SLAM programs.
    Ouster,
    /// Points of `livox_ros_driver2`.
    Livox,
    /// Hesai's driver 2.0.
    Hesai,
    /// Autoware's `PointXYZIRCAEDT`.
    Autoware,
    /// Coordinates and intensity.
    Xyzi,
    /// `livox_ros_driver2/CustomMsg`.
    LivoxCustom,
    /// `livox_ros_driver/CustomMsg`.
    LivoxCustom1,
}

impl PointLayout {
    /// All values.
    pub const ALL: [Self; 9] = [
        Self::Robolog,
        Self::Velodyne,
        Self::Ouster,
        Self::Livox,
        Self::Hesai,
        Self::Autoware,
        Self::Xyzi,
        Self::LivoxCustom,
        Self::LivoxCustom1,
    ];

    /// Name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Robolog => "robolog",
            Self::Velodyne => "velodyne",
            Self::Ouster => "ouster",
            Self::Livox => "livox",
            Self::Hesai => "hesai",
            Self::Autoware => "autoware",
            Self::Xyzi => "xyzi",
            Self::LivoxCustom => "livox-custom",
            Self::LivoxCustom1 => "livox-custom1",
        }
    }
}

impl fmt::Display for PointLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
