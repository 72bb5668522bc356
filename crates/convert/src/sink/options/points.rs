//! The fields of points in messages of ROS.

use std::fmt;

/// The fields of points in messages of ROS: names, types, offsets and units, as the programs that read them have them.
///
/// | layout | fields | bytes | read by |
/// |---|---|---|---|
/// | `robolog` | those that the cloud has of `x y z intensity`, `t` (u32, ns), `time` (f32, s), `ring` (u16), `return_number tag line` (u8) | | LIO-SAM, FAST-LIO, Point-LIO as a Velodyne's, KISS-ICP, viewers |
/// | `velodyne` | `x y z intensity`, `ring` (u16), `time` (f32, s) | 22 | the same, and what reads `velodyne_pointcloud` |
/// | `ouster` | `x y z intensity`, `t` (u32, ns), `reflectivity` (u16), `ring` (u8), `ambient noise` (u16, 0), `range` (u32, mm) | 48 | LIO-SAM, FAST-LIO, Point-LIO as an Ouster's |
/// | `livox` | `x y z intensity`, `tag line` (u8), `timestamp` (f64, ns) | 26 | what reads clouds of `livox_ros_driver2` |
/// | `hesai` | `x y z intensity`, `ring` (u16), `timestamp` (f64, s) | 26 | Point-LIO and others as a Hesai's |
/// | `autoware` | `x y z`, `intensity return_type` (u8), `channel` (u16), `azimuth elevation` (f32, rad), `distance` (f32, m), `time_stamp` (u32, ns) | 32 | Autoware, as `PointXYZIRCAEDT` |
/// | `xyzi` | `x y z intensity` | 16 | whatever reads clouds |
/// | `livox-custom` | none: `livox_ros_driver2/CustomMsg` in the place of `PointCloud2` | | FAST-LIO of ROS 2, FAST-LIVO2, Point-LIO for Livox |
/// | `livox-custom1` | none: `livox_ros_driver/CustomMsg`, of the driver before | | FAST-LIO, Point-LIO, LIO-Livox of ROS 1 |
///
/// Coordinates (m) and intensity are `f32` where nothing else is said. Times count from the message's stamp, and those called
/// `timestamp` are of its clock. What a cloud does not have is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PointLayout {
    /// All that the cloud has.
    #[default]
    Robolog,
    /// `velodyne_pointcloud`'s `PointXYZIRT`.
    Velodyne,
    /// The structure that programs have for Ouster.
    Ouster,
    /// `livox_ros_driver2`'s points.
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
    /// All of them.
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

    /// What people call it.
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
