//! Laser scans as points.

use robolog_core::{LaserScan, PointCloud};

/// Points of a scan in its own frame, metres: x = r cos a forward, y = r sin a to the left, z = 0.
///
/// Omits ranges that are not [valid](LaserScan::is_valid), and all ranges if the angles are unknown. Has intensities if
/// every range has one. Time offsets are nanoseconds since the first range, up to 4.29 s, if the scan gives the time
/// between ranges.
pub fn cloud_of(scan: &LaserScan) -> PointCloud {
    let mut cloud = PointCloud::default();
    append(scan, &mut cloud);
    if !scan.time_increment.is_finite() {
        cloud.time_offset.clear();
    }
    cloud
}

/// Appends the points of the valid ranges to `cloud`.
pub fn append(scan: &LaserScan, cloud: &mut PointCloud) {
    let has_intensity = scan.intensities.len() == scan.ranges.len();
    if !has_angles(scan) {
        return;
    }
    for (i, range) in scan.ranges.iter().enumerate().filter(|(_, range)| scan.is_valid(**range)) {
        let (sin, cos) = scan.angle(i).sin_cos();
        cloud.x.push(range * cos);
        cloud.y.push(range * sin);
        cloud.z.push(0.0);
        if has_intensity {
            cloud.intensity.extend(scan.intensities.get(i));
        }
        if scan.time_increment > 0.0 {
            cloud.time_offset.push(offset(i, scan.time_increment));
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, rounded to nanoseconds, and casts stop at the greatest number"
)]
fn offset(index: usize, increment: f32) -> u32 {
    (index as f64 * f64::from(increment) * 1e9).round() as u32
}

/// Whether the directions of the ranges are known.
pub fn has_angles(scan: &LaserScan) -> bool {
    scan.angle_min.is_finite() && scan.angle_increment.is_finite()
}
