//! Point clouds: what the sensor saw, thinned.

use robolog_core::PointCloud;

use super::voxels::{Kind, Voxels};

/// The clouds of one channel.
#[derive(Debug)]
pub(crate) struct Cloud {
    pub(crate) name: String,
    /// Clouds, and points in them.
    pub(crate) samples: u64,
    pub(crate) points: u64,
    /// Points at the sensor itself: shots without a return.
    pub(crate) no_return: u64,
    /// Points with a coordinate that is no number.
    pub(crate) not_finite: u64,
    /// All points in space.
    pub(crate) space: Voxels,
    /// Azimuth and elevation in degrees, and the nearest range in metres.
    pub(crate) sphere: Voxels,
    /// The points around the middle of the recording, and when.
    pub(crate) scan: Voxels,
    pub(crate) scan_at: Option<f64>,
    pub(crate) has_intensity: bool,
}

/// Nearer points are shots without a return, metres.
const LEAST_RANGE: f32 = 0.05;
/// One scan takes so long, seconds.
const SCAN: f64 = 0.1;

impl Cloud {
    /// For at most so many cells of space.
    pub(crate) fn new(name: String, most: usize) -> Self {
        Self {
            name,
            samples: 0,
            points: 0,
            no_return: 0,
            not_finite: 0,
            space: Voxels::new(most, 0.01, Kind::Cubes),
            sphere: Voxels::new(most, 0.02, Kind::Least),
            scan: Voxels::new(most / 3, 0.01, Kind::Cubes),
            scan_at: None,
            has_intensity: false,
        }
    }

    /// Adds a cloud at `t` seconds of a recording of `seconds`.
    pub(crate) fn add(&mut self, t: Option<f64>, seconds: f64, cloud: &PointCloud) {
        self.samples += 1;
        self.has_intensity |= !cloud.intensity.is_empty();
        let is_middle = t.is_none_or(|t| t >= seconds / 2.0) && !cloud.is_empty();
        if self.scan_at.is_none() && is_middle {
            self.scan_at = Some(t.unwrap_or_default());
        }
        let in_scan = self.scan_at.is_some_and(|at| t.is_some_and(|t| (at..at + SCAN).contains(&t)));
        let in_scan = in_scan || (t.is_none() && self.samples == 1);
        let mut intensities = cloud.intensity.iter();
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            let intensity = intensities.next().copied().unwrap_or_default();
            self.points += 1;
            let range = x.hypot(*y).hypot(*z);
            if !range.is_finite() {
                self.not_finite += 1;
                continue;
            }
            if range <= LEAST_RANGE {
                self.no_return += 1;
                continue;
            }
            let at = [*x, *y, *z];
            self.space.add(at, intensity);
            if in_scan {
                self.scan.add(at, intensity);
            }
            let azimuth = y.atan2(*x).to_degrees();
            let elevation = (z / range).asin().to_degrees();
            self.sphere.add([azimuth, elevation, range], intensity);
        }
    }
}
