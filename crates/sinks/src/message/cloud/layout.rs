//! Fields of points in drivers and other programs.

use robolog_core::{Column, PointCloud};

use Number::{F32, F64, U8, U16, U32};

use crate::options::PointLayout;

/// A number in each row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointField {
    pub(crate) name: &'static str,
    /// Byte offset in the row.
    pub(crate) offset: usize,
    pub(crate) number: Number,
    pub(super) source: FieldSource,
}

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    U16,
    U32,
    F32,
    F64,
}

/// Source of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum FieldSource {
    Column(Column),
    /// Seconds from the stamp to the point, `F32`.
    Seconds,
    /// Time of the point, nanoseconds in `F64`.
    StampNanos,
    /// Time of the point, seconds in `F64`.
    StampSeconds,
    RingByte,
    IntensityByte,
    IntensityWord,
    ReturnType,
    /// Radians, from x to y.
    Azimuth,
    Elevation,
    /// Metres.
    Distance,
    /// Distance in whole millimetres, `U32`.
    Millimetres,
    /// Unknown in all recordings.
    Zero,
}

impl Number {
    const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A field at its offset.
const fn at(offset: usize, name: &'static str, number: Number, source: FieldSource) -> PointField {
    PointField { name, offset, number, source }
}

const X: PointField = at(0, "x", F32, FieldSource::Column(Column::X));
const Y: PointField = at(4, "y", F32, FieldSource::Column(Column::Y));
const Z: PointField = at(8, "z", F32, FieldSource::Column(Column::Z));
const INTENSITY: PointField = at(12, "intensity", F32, FieldSource::Column(Column::Intensity));
const RING: PointField = at(16, "ring", U16, FieldSource::Column(Column::Ring));

/// `velodyne_pointcloud`'s `PointXYZIRT`.
const VELODYNE: [PointField; 6] = [X, Y, Z, INTENSITY, RING, at(18, "time", F32, FieldSource::Seconds)];

/// The Ouster structure of LIO-SAM, FAST-LIO and Point-LIO, at PCL's offsets. `noise` of the first is `ambient` in the
/// others.
const OUSTER: [PointField; 10] = [
    X,
    Y,
    Z,
    at(16, "intensity", F32, FieldSource::Column(Column::Intensity)),
    at(20, "t", U32, FieldSource::Column(Column::TimeOffset)),
    at(24, "reflectivity", U16, FieldSource::IntensityWord),
    at(26, "ring", U8, FieldSource::RingByte),
    at(28, "ambient", U16, FieldSource::Zero),
    at(30, "noise", U16, FieldSource::Zero),
    at(32, "range", U32, FieldSource::Millimetres),
];

/// `livox_ros_driver2`'s `LivoxPointXyzrtlt`, packed.
const LIVOX: [PointField; 7] = [
    X,
    Y,
    Z,
    INTENSITY,
    at(16, "tag", U8, FieldSource::Column(Column::Tag)),
    at(17, "line", U8, FieldSource::RingByte),
    at(18, "timestamp", F64, FieldSource::StampNanos),
];

/// Hesai's ROS driver 2.0.
const HESAI: [PointField; 6] =
    [X, Y, Z, INTENSITY, RING, at(18, "timestamp", F64, FieldSource::StampSeconds)];

/// Autoware's `PointXYZIRCAEDT`.
const AUTOWARE: [PointField; 10] = [
    X,
    Y,
    Z,
    at(12, "intensity", U8, FieldSource::IntensityByte),
    at(13, "return_type", U8, FieldSource::ReturnType),
    at(14, "channel", U16, FieldSource::Column(Column::Ring)),
    at(16, "azimuth", F32, FieldSource::Azimuth),
    at(20, "elevation", F32, FieldSource::Elevation),
    at(24, "distance", F32, FieldSource::Distance),
    at(28, "time_stamp", U32, FieldSource::Column(Column::TimeOffset)),
];

const XYZI: [PointField; 4] = [X, Y, Z, INTENSITY];

/// Fields and bytes per row of a fixed layout; `None` if they depend on the cloud's columns.
pub(super) const fn fixed(layout: PointLayout) -> Option<(&'static [PointField], usize)> {
    match layout {
        PointLayout::Velodyne => Some((&VELODYNE, 22)),
        PointLayout::Ouster => Some((&OUSTER, 48)),
        PointLayout::Livox => Some((&LIVOX, 26)),
        PointLayout::Hesai => Some((&HESAI, 26)),
        PointLayout::Autoware => Some((&AUTOWARE, 32)),
        PointLayout::Xyzi => Some((&XYZI, 16)),
        // `CustomMsg` has its own fields.
        PointLayout::Robolog | PointLayout::LivoxCustom | PointLayout::LivoxCustom1 => None,
    }
}

/// Columns that hold values, ordered so that each number is aligned. ROS programs get times twice, in nanoseconds and
/// in seconds, and Livox clouds, whose points have a tag, the ring as `ring` and `line`.
pub(super) fn plain(cloud: &PointCloud, is_for_ros: bool) -> (Vec<PointField>, usize) {
    let has = |column| cloud.column_len(column) > 0;
    let has_seconds = is_for_ros && has(Column::TimeOffset);
    let has_line = is_for_ros && has(Column::Tag) && has(Column::Ring);
    let fields = [
        (true, "x", F32, FieldSource::Column(Column::X)),
        (true, "y", F32, FieldSource::Column(Column::Y)),
        (true, "z", F32, FieldSource::Column(Column::Z)),
        (has(Column::Intensity), "intensity", F32, FieldSource::Column(Column::Intensity)),
        (has(Column::TimeOffset), "t", U32, FieldSource::Column(Column::TimeOffset)),
        (has_seconds, "time", F32, FieldSource::Seconds),
        (has(Column::Ring), "ring", U16, FieldSource::Column(Column::Ring)),
        (has(Column::ReturnNumber), "return_number", U8, FieldSource::Column(Column::ReturnNumber)),
        (has(Column::Tag), "tag", U8, FieldSource::Column(Column::Tag)),
        (has_line, "line", U8, FieldSource::RingByte),
    ];
    let (mut there, mut end) = (Vec::new(), 0_usize);
    for (_, name, number, source) in fields.into_iter().filter(|(is_there, ..)| *is_there) {
        there.push(at(end, name, number, source));
        end += number.size();
    }
    (there, end.next_multiple_of(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap_and_end_within_their_row() {
        for layout in PointLayout::ALL {
            let Some((fields, width)) = fixed(layout) else { continue };
            let mut end = 0;
            for field in fields {
                assert!(field.offset >= end, "{} of {layout}", field.name);
                end = field.offset + field.number.size();
            }
            assert!(end <= width, "{layout}");
        }
    }
}
