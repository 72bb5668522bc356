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
    /// Points with a coordinate that is no number, or too great to square.
    pub(crate) not_finite: u64,
    /// All points in space.
    pub(crate) space: Voxels,
    /// Azimuth and elevation in degrees, and the nearest range in metres.
    pub(crate) sphere: Voxels,
    /// The points around the middle of the recording, and when.
    pub(crate) scan: Voxels,
    pub(crate) scan_at: Option<f64>,
    pub(crate) has_intensity: bool,
    /// Points of each number of return, and with each tag of the sensor.
    pub(crate) returns: Box<[u64]>,
    pub(crate) tags: Box<[u64]>,
    /// One of this many clouds is drawn; all are counted.
    pub(crate) stride: u64,
}

/// Points that are looked at one by one: more would take longer and show no more.
const DRAWN: u64 = 2_000_000;
/// Clouds of which every one is drawn.
const LEAST_CLOUDS: u64 = 50;
/// Nearer points are shots without a return, metres.
const LEAST_RANGE: f32 = 0.05;
/// One scan takes so long, seconds.
const SCAN: f64 = 0.1;

impl Cloud {
    /// For at most `most` cells of space, of a channel with this number of clouds and points.
    pub(crate) fn new(name: String, most: usize, (clouds, points): (u64, u64)) -> Self {
        let stride = points.div_ceil(DRAWN).min(clouds / LEAST_CLOUDS).max(1);
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
            returns: vec![0; 256].into(),
            tags: vec![0; 256].into(),
            stride,
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
        let is_drawn = in_scan || (self.samples - 1).is_multiple_of(self.stride);
        tally(&mut self.returns, &cloud.return_number);
        tally(&mut self.tags, &cloud.tag);
        if is_drawn {
            self.draw(cloud, in_scan);
        } else {
            self.count(cloud);
        }
    }

    /// Counts the points without looking where they are.
    fn count(&mut self, cloud: &PointCloud) {
        let mut left = [0; 2];
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            let square = x * x + y * y + z * z;
            let [no_return, not_finite] = &mut left;
            *no_return += u64::from(square <= LEAST_RANGE * LEAST_RANGE);
            *not_finite += u64::from(!square.is_finite());
        }
        let [no_return, not_finite] = left;
        self.no_return += no_return;
        self.not_finite += not_finite;
        self.points += cloud.len() as u64;
    }

    fn draw(&mut self, cloud: &PointCloud, in_scan: bool) {
        self.count(cloud);
        let mut intensities = cloud.intensity.iter();
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            let intensity = intensities.next().copied().unwrap_or_default();
            let square = x * x + y * y + z * z;
            if !square.is_finite() || square <= LEAST_RANGE * LEAST_RANGE {
                continue;
            }
            let range = square.sqrt();
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

fn tally(counts: &mut [u64], values: &[u8]) {
    for value in values {
        if let Some(count) = counts.get_mut(usize::from(*value)) {
            *count += 1;
        }
    }
}
