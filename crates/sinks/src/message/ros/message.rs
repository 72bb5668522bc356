//! Values as messages of standard ROS packages.

use robolog_core::{
    FixQuality, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud, Pose, slices::value_at,
};

use super::{
    super::{
        cloud::{Number, Packing, byte, intensity_byte},
        content,
        encoder::Head,
        scene::{self, Solid},
        stamp::Stamp,
    },
    Ros,
    wire::Wire,
};
use crate::options::{ImuUnit, PointLayout};

/// `sensor_msgs/LaserScan`.
pub(super) fn laser_scan(wire: &mut Wire, stamp: Stamp, frame_id: &str, scan: &LaserScan) {
    wire.header(stamp, frame_id);
    wire.f32(scan.angle_min);
    wire.f32(scan.angle(scan.ranges.len().saturating_sub(1)));
    wire.f32(scan.angle_increment);
    wire.f32(scan.time_increment);
    wire.f32(scan.scan_time);
    wire.f32(scan.range_min);
    wire.f32(scan.range_max);
    wire.f32_sequence(&scan.ranges);
    wire.f32_sequence(&scan.intensities);
}

/// `sensor_msgs/Imu`: missing vectors have -1 as the first element of their covariance; others have all zeros, meaning
/// an unknown covariance. A rate about an axis that is not measured is NaN.
pub(super) fn imu(wire: &mut Wire, stamp: Stamp, frame_id: &str, imu: &Imu, unit: ImuUnit) {
    wire.header(stamp, frame_id);
    let q = imu.orientation.unwrap_or_default();
    wire.f64s([q.i, q.j, q.k, q.w]);
    covariance(wire, 9, imu.orientation.is_some());
    let acceleration = imu.linear_acceleration.map(|acceleration| acceleration / unit.in_si());
    for vector in [imu.angular_velocity, acceleration] {
        wire.f64s(vector.unwrap_or_default().into());
        covariance(wire, 9, vector.is_some());
    }
}

/// An unknown covariance of `count` elements, or that of a missing value.
fn covariance(wire: &mut Wire, count: usize, is_there: bool) {
    wire.f64(if is_there { 0.0 } else { -1.0 });
    wire.f64_zeros(count - 1);
}

/// `sensor_msgs/NavSatFix`. The altitude is above the ellipsoid, NaN if unknown.
pub(super) fn nav_sat_fix(wire: &mut Wire, stamp: Stamp, frame_id: &str, fix: &GnssFix) {
    wire.header(stamp, frame_id);
    wire.i8(status(fix.quality));
    // Satellite systems are unknown.
    wire.u16(0);
    wire.f64s([fix.latitude, fix.longitude, fix.altitude.unwrap_or(f64::NAN)]);
    let (covariance, kind) = content::covariance(fix).unwrap_or_default();
    wire.f64s(covariance);
    wire.u8(kind);
}

/// The status of `sensor_msgs/NavSatStatus`.
fn status(quality: FixQuality) -> i8 {
    match quality {
        FixQuality::None => -1,
        FixQuality::Gps
        | FixQuality::Pps
        | FixQuality::Estimated
        | FixQuality::Manual
        | FixQuality::Simulated => 0,
        FixQuality::Dgps => 1,
        FixQuality::RtkFixed | FixQuality::RtkFloat => 2,
        _ => -2,
    }
}

fn pose(wire: &mut Wire, pose: &Pose) {
    let (p, q) = (pose.position, pose.orientation);
    wire.f64s([p.x, p.y, p.z, q.i, q.j, q.k, q.w]);
}

/// `geometry_msgs/PoseStamped`.
pub(super) fn pose_stamped(wire: &mut Wire, stamp: Stamp, frame_id: &str, value: &Pose) {
    wire.header(stamp, frame_id);
    pose(wire, value);
}

/// `nav_msgs/Odometry`. An unknown twist is zero, with -1 as the first element of its covariance.
pub(super) fn odometry(wire: &mut Wire, stamp: Stamp, frame_id: &str, odometry: &Odometry) {
    wire.header(stamp, frame_id);
    wire.string(&odometry.child_frame_id);
    pose(wire, &odometry.pose);
    covariance(wire, 36, true);
    for vector in [odometry.twist.map(|t| t.linear), odometry.twist.map(|t| t.angular)] {
        wire.f64s(vector.unwrap_or_default().into());
    }
    covariance(wire, 36, odometry.twist.is_some());
}

/// `tf2_msgs/TFMessage` with one transform.
pub(super) fn transform(wire: &mut Wire, stamp: Stamp, frame_id: &str, child_frame_id: &str, placed: &Pose) {
    wire.u32(1);
    wire.header(stamp, frame_id);
    wire.string(child_frame_id);
    pose(wire, placed);
}

/// `sensor_msgs/CompressedImage` for a file, otherwise `sensor_msgs/Image` with `step` bytes per row.
pub(super) fn image(wire: &mut Wire, stamp: Stamp, frame_id: &str, image: &Image, step: Option<usize>) {
    wire.header(stamp, frame_id);
    if let Some(step) = step {
        wire.u32(image.height);
        wire.u32(image.width);
        wire.string(image.encoding.name());
        wire.u8(u8::from(image.encoding.is_big_endian()));
        wire.count(step);
    } else {
        wire.string(image.encoding.name());
    }
    wire.bytes(&image.data);
}

/// `sensor_msgs/PointCloud2`.
pub(super) fn cloud(wire: &mut Wire, head: Head<'_>, cloud: &PointCloud, layout: PointLayout) {
    wire.header(head.stamp, head.frame_id);
    let packing = Packing::with_layout(cloud, layout, head.stamp);
    wire.u32(1);
    wire.count(cloud.len());
    wire.count(packing.fields().len());
    for field in packing.fields() {
        wire.string(field.name);
        wire.count(field.offset);
        wire.u8(datatype(field.number));
        wire.u32(1);
    }
    wire.bool(false);
    wire.count(packing.width());
    wire.count(packing.len());
    wire.bytes_with(packing.len(), |data| packing.fill(data));
    let finite = |column: &[f32]| column.iter().all(|v| v.is_finite());
    wire.bool(finite(&cloud.x) && finite(&cloud.y) && finite(&cloud.z));
}

/// The number of a type in `sensor_msgs/PointField`.
const fn datatype(number: Number) -> u8 {
    match number {
        Number::U8 => 2,
        Number::U16 => 4,
        Number::U32 => 6,
        Number::F32 => 7,
        Number::F64 => 8,
    }
}

/// `CustomMsg` of Livox drivers: times count from the stamp, the time base.
pub(super) fn livox(wire: &mut Wire, head: Head<'_>, lidar_id: u8, cloud: &PointCloud) {
    wire.header(head.stamp, head.frame_id);
    wire.u64(head.stamp.log_time);
    wire.count(cloud.len());
    wire.u8(lidar_id);
    // Reserved.
    for _ in 0..3 {
        wire.u8(0);
    }
    wire.count(cloud.len());
    let of = |column: &[f32], i| value_at(column, i);
    for i in 0..cloud.len() {
        wire.u32(value_at(&cloud.time_offset, i));
        wire.f32(of(&cloud.x, i));
        wire.f32(of(&cloud.y, i));
        wire.f32(of(&cloud.z, i));
        wire.u8(intensity_byte(of(&cloud.intensity, i)));
        wire.u8(value_at(&cloud.tag, i));
        wire.u8(byte(value_at(&cloud.ring, i)));
    }
}

/// `visualization_msgs/MarkerArray` with one cube fixed to its frame, or its removal.
pub(super) fn solid(wire: &mut Wire, stamp: Stamp, frame_id: &str, name: &str, solid: Option<&Solid>) {
    const CUBE: i32 = 1;
    const ADD: i32 = 0;
    const DELETE: i32 = 2;
    wire.u32(1);
    wire.header(stamp, frame_id);
    // Each marker has its own namespace; numbers would need a table.
    wire.string(name);
    wire.i32(0);
    wire.i32(CUBE);
    wire.i32(if solid.is_some() { ADD } else { DELETE });
    pose(wire, &solid.map_or_else(Pose::identity, |solid| solid.pose));
    wire.f64s(solid.map_or([0.0; 3], |solid| solid.size));
    for part in scene::COLOR {
        wire.f32(part);
    }
    // Until removed.
    wire.i32(0);
    wire.u32(0);
    wire.bool(true);
    // Points and their colours.
    wire.u32(0);
    wire.u32(0);
    if wire.ros() == Ros::Two {
        texture(wire);
    }
    // A text, the mesh's name, in ROS 2 the mesh's file and data, and whether the mesh has materials.
    wire.string("");
    wire.string("");
    if wire.ros() == Ros::Two {
        wire.string("");
        wire.u32(0);
    }
    wire.bool(false);
}

/// No texture: its name, the image's header, format and data, and coordinates.
fn texture(wire: &mut Wire) {
    wire.string("");
    wire.header(Stamp::ZERO, "");
    wire.string("");
    wire.u32(0);
    wire.u32(0);
}
