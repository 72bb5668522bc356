//! Planar laser scans.

/// One sweep of a planar laser scanner, with the fields of ROS's `sensor_msgs/LaserScan`.
///
/// ```
/// use robolog_core::LaserScan;
/// let scan = LaserScan {
///     angle_min: -0.5,
///     angle_increment: 0.5,
///     ranges: vec![2.0, f32::NAN, 1.0],
///     ..LaserScan::default()
/// };
/// let nearest = (0..scan.ranges.len()).min_by(|a, b| scan.ranges[*a].total_cmp(&scan.ranges[*b]));
/// assert_eq!(nearest.map(|index| scan.angle(index)), Some(0.5));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LaserScan {
    /// Angle of the first range, radians counter-clockwise from forward.
    pub angle_min: f32,
    /// Angle between neighbouring ranges, radians.
    pub angle_increment: f32,
    /// Seconds between neighbouring ranges; 0 when unknown.
    pub time_increment: f32,
    /// Seconds between scans; 0 when unknown.
    pub scan_time: f32,
    /// Minimum valid range, metres: a smaller one is no return, and kept as the sensor gave it.
    pub range_min: f32,
    /// Maximum valid range, metres. One that is not above the minimum means unknown.
    pub range_max: f32,
    /// Metres; NaN if there is none.
    pub ranges: Vec<f32>,
    /// Strength of each return in the sensor's scale; empty if not reported.
    pub intensities: Vec<f32>,
}

impl LaserScan {
    /// Whether a range is a return: a number within the limits, as far as they are known.
    pub fn is_valid(&self, range: f32) -> bool {
        let is_far = self.range_max > self.range_min && range > self.range_max;
        let is_near = range < self.range_min;
        range.is_finite() && !is_near && !is_far
    }

    /// The angle of the range at `index`, radians.
    #[expect(clippy::cast_precision_loss, reason = "scanners have thousands of beams, not millions")]
    pub fn angle(&self, index: usize) -> f32 {
        self.angle_increment.mul_add(index as f32, self.angle_min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_within_the_limits_that_are_known() {
        let of = |range_min, range_max| {
            let scan = LaserScan { range_min, range_max, ..LaserScan::default() };
            [-1.0, 0.0, 0.02, 5.0, 90.0, f32::NAN, f32::INFINITY].map(|range| scan.is_valid(range))
        };
        assert_eq!(of(0.02, 5.6), [false, false, true, true, false, false, false]);
        assert_eq!(of(0.02, f32::INFINITY), [false, false, true, true, true, false, false]);
        assert_eq!(of(0.0, 0.0), [false, true, true, true, true, false, false]);
        assert_eq!(of(f32::NAN, f32::NAN), [true, true, true, true, true, false, false]);
    }

    #[test]
    fn angles_run_from_the_first_by_the_increment() {
        let scan = LaserScan { angle_min: -1.0, angle_increment: 0.25, ..LaserScan::default() };
        assert!((scan.angle(0) + 1.0).abs() < f32::EPSILON && (scan.angle(8) - 1.0).abs() < f32::EPSILON);
    }
}
