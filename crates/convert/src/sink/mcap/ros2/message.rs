//! Values as messages of ROS 2's standard packages.

use robolog_core::{Column, FixQuality, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud, Pose};

use super::{
    super::{
        cloud::Packing,
        content,
        scene::{self, Solid},
        stamp::Stamp,
    },
    cdr::Cdr,
};

/// `std_msgs/Header`.
pub(super) fn header(cdr: &mut Cdr, stamp: Stamp, frame_id: &str) {
    cdr.i32(stamp.sec);
    cdr.u32(stamp.nanosec);
    cdr.string(frame_id);
}

/// `sensor_msgs/LaserScan`.
pub(super) fn laser_scan(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, scan: &LaserScan) {
    header(cdr, stamp, frame_id);
    cdr.f32(scan.angle_min);
    cdr.f32(scan.angle(scan.ranges.len().saturating_sub(1)));
    cdr.f32(scan.angle_increment);
    cdr.f32(scan.time_increment);
    cdr.f32(scan.scan_time);
    cdr.f32(scan.range_min);
    cdr.f32(scan.range_max);
    cdr.f32_sequence(&scan.ranges);
    cdr.f32_sequence(&scan.intensities);
}

/// `sensor_msgs/Imu`: what is not there has -1 as the first element of its covariance, what is there has all zeros,
/// which means that the covariance is not known. A rate about an axis that is not measured is NaN.
pub(super) fn imu(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, imu: &Imu) {
    header(cdr, stamp, frame_id);
    let q = imu.orientation.unwrap_or_default();
    cdr.f64s([q.i, q.j, q.k, q.w]);
    covariance::<9>(cdr, imu.orientation.is_some());
    for vector in [imu.angular_velocity, imu.linear_acceleration] {
        cdr.f64s(vector.unwrap_or_default().iter().copied());
        covariance::<9>(cdr, vector.is_some());
    }
}

/// Not known, or that of a value which is not there at all.
fn covariance<const N: usize>(cdr: &mut Cdr, is_there: bool) {
    let mut elements = [0.0; N];
    if let Some(first) = elements.first_mut()
        && !is_there
    {
        *first = -1.0;
    }
    cdr.f64s(elements);
}

/// `sensor_msgs/NavSatFix`. The altitude is that above the ellipsoid, NaN when it is not known.
pub(super) fn nav_sat_fix(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, fix: &GnssFix) {
    header(cdr, stamp, frame_id);
    cdr.i8(status(fix.quality));
    // Which satellites were used is not said.
    cdr.u16(0);
    cdr.f64s([fix.latitude, fix.longitude, fix.altitude.unwrap_or(f64::NAN)]);
    cdr.f64s(fix.position_covariance.unwrap_or_default());
    cdr.u8(content::covariance_type(fix));
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

fn pose(cdr: &mut Cdr, pose: &Pose) {
    let (p, q) = (pose.position, pose.orientation);
    cdr.f64s([p.x, p.y, p.z, q.i, q.j, q.k, q.w]);
}

/// `geometry_msgs/PoseStamped`.
pub(super) fn pose_stamped(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, value: &Pose) {
    header(cdr, stamp, frame_id);
    pose(cdr, value);
}

/// `nav_msgs/Odometry`. A twist that is not known is zero, with -1 as the first element of its covariance.
pub(super) fn odometry(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, odometry: &Odometry) {
    header(cdr, stamp, frame_id);
    cdr.string(&odometry.child_frame_id);
    pose(cdr, &odometry.pose);
    covariance::<36>(cdr, true);
    for vector in [odometry.twist.map(|t| t.linear), odometry.twist.map(|t| t.angular)] {
        cdr.f64s(vector.unwrap_or_default().iter().copied());
    }
    covariance::<36>(cdr, odometry.twist.is_some());
}

/// `tf2_msgs/TFMessage` with one transform.
pub(super) fn transform(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, child_frame_id: &str, placed: &Pose) {
    cdr.u32(1);
    header(cdr, stamp, frame_id);
    cdr.string(child_frame_id);
    pose(cdr, placed);
}

/// `sensor_msgs/CompressedImage` for a file, else `sensor_msgs/Image`, whose rows take `step` bytes.
pub(super) fn image(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, image: &Image, step: Option<usize>) {
    header(cdr, stamp, frame_id);
    if let Some(step) = step {
        cdr.u32(image.height);
        cdr.u32(image.width);
        cdr.string(image.encoding.name());
        cdr.u8(u8::from(image.encoding.is_big_endian()));
        cdr.count(step);
    } else {
        cdr.string(image.encoding.name());
    }
    cdr.bytes(&image.data);
}

/// `sensor_msgs/PointCloud2`.
pub(super) fn cloud(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, cloud: &PointCloud) {
    header(cdr, stamp, frame_id);
    let packing = Packing::of(cloud);
    cdr.u32(1);
    cdr.count(cloud.len());
    cdr.count(packing.fields().count());
    for field in packing.fields() {
        cdr.string(field.name);
        cdr.count(field.offset);
        cdr.u8(datatype(field.column));
        cdr.u32(1);
    }
    cdr.bool(false);
    cdr.count(packing.width());
    cdr.count(packing.len());
    cdr.bytes_with(packing.len(), |data| packing.fill(data));
    let finite = |column: &[f32]| column.iter().all(|v| v.is_finite());
    cdr.bool(finite(&cloud.x) && finite(&cloud.y) && finite(&cloud.z));
}

/// The number of a column's type in `sensor_msgs/PointField`.
const fn datatype(column: Column) -> u8 {
    match column {
        Column::X | Column::Y | Column::Z | Column::Intensity => 7,
        Column::TimeOffset => 6,
        Column::Ring => 4,
        Column::ReturnNumber | Column::Tag => 2,
    }
}

/// `visualization_msgs/MarkerArray` with one cube that stays where its frame goes, or the removal of one.
pub(super) fn solid(cdr: &mut Cdr, stamp: Stamp, frame_id: &str, name: &str, solid: Option<&Solid>) {
    const CUBE: i32 = 1;
    const ADD: i32 = 0;
    const DELETE: i32 = 2;
    cdr.u32(1);
    header(cdr, stamp, frame_id);
    // A name space of its own for each, as numbers would have to be kept.
    cdr.string(name);
    cdr.i32(0);
    cdr.i32(CUBE);
    cdr.i32(if solid.is_some() { ADD } else { DELETE });
    pose(cdr, &solid.map_or_else(Pose::identity, |solid| solid.pose));
    cdr.f64s(solid.map_or([0.0; 3], |solid| solid.size));
    for part in scene::COLOR {
        cdr.f32(part);
    }
    // Until it is removed.
    cdr.i32(0);
    cdr.u32(0);
    cdr.bool(true);
    // Points, their colours, the name of a texture.
    cdr.u32(0);
    cdr.u32(0);
    cdr.string("");
    // A texture: header, format, data; and where it lies.
    header(cdr, Stamp::ZERO, "");
    cdr.string("");
    cdr.u32(0);
    cdr.u32(0);
    // A text, the name of a mesh, the mesh's file and data, whether it has materials.
    cdr.string("");
    cdr.string("");
    cdr.string("");
    cdr.u32(0);
    cdr.bool(false);
}
