//! Thinned point clouds.

use robolog_core::PointCloud;

use super::voxels::{CellShape, More, Point, Voxels};
use crate::axis::cell;

/// The clouds of one channel.
#[derive(Debug)]
pub(crate) struct Cloud {
    pub(crate) name: String,
    /// Number of clouds, and of their points.
    pub(crate) samples: u64,
    pub(crate) points: u64,
    /// Points of the first and of the last cloud: of turning LiDARs, they are parts of a turn.
    ends: (u64, u64),
    /// Points at the sensor itself, from shots without a return.
    pub(crate) no_return: u64,
    /// Points with a coordinate that is not finite, or too large to square.
    pub(crate) not_finite: u64,
    /// All points in space.
    pub(crate) space: Voxels,
    /// Azimuth and elevation in degrees, and the nearest range in metres.
    pub(crate) sphere: Voxels,
    /// Points around the middle of the recording, and their time.
    pub(crate) scan: Voxels,
    pub(crate) scan_at: Option<f64>,
    /// Clouds evenly over the recording, for the replay; only for the first channel.
    pub(crate) sweeps: Vec<Sweep>,
    sweeps_wanted: usize,
    pub(crate) has_intensity: bool,
    pub(crate) has_ring: bool,
    /// Number of points by return number, and by tag.
    pub(crate) returns: Box<[u64]>,
    pub(crate) tags: Box<[u64]>,
    /// One in this many clouds is drawn; all are counted.
    pub(crate) stride: u64,
    /// The share of points drawn from a cloud.
    pub(crate) drawn: Share,
    /// Buffered points for `space` and `sphere`.
    waiting: [Vec<Point>; 2],
}

/// Number of points inserted at once.
const AT_ONCE: usize = 64;

/// An evenly spread subset. Items that repeat with a period, such as the lasers of a turn, are all represented equally.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share(u32);

impl Share {
    /// Selects `most` of `all`.
    fn new(most: u64, all: u64) -> Self {
        let part = (u128::from(most) << 32).checked_div(all.into()).unwrap_or(u128::MAX);
        Self(u32::try_from(part).unwrap_or(u32::MAX))
    }

    /// Approximate number of items per selected one.
    pub(crate) fn one_of(self) -> u64 {
        let share = u64::from(self.0).max(1);
        ((1 << 32) + share / 2) / share
    }

    /// The fractional parts of multiples of the golden ratio are evenly spread between 0 and 1.
    #[inline]
    fn takes(self, number: u32) -> bool {
        self.0 == u32::MAX || number.wrapping_mul(0x9e37_79b9) < self.0
    }
}

/// The points around one moment.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Index of its part of the recording.
    part: usize,
    pub(crate) at: f64,
    pub(crate) points: Voxels,
}

/// Space for one channel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Maximum cells for all clouds together, and for one scan.
    pub(crate) space: usize,
    pub(crate) scan: usize,
    /// Maximum clouds of the replay.
    pub(crate) sweeps: usize,
}

/// Maximum number of points drawn: more would take longer and show nothing new.
const DRAWN: u64 = 2_000_000;
/// Number of clouds up to which every one is drawn.
const LEAST_CLOUDS: u64 = 50;
/// Range in metres below which a point is a shot without a return.
const LEAST_RANGE: f32 = 0.05;
/// Assumed duration of a scan in seconds.
pub(crate) const SCAN: f64 = 0.1;
/// Cells per cloud of the replay, and points read for them.
const SWEEP: usize = 5000;
const SWEEP_POINTS: u64 = 40_000;

impl Cloud {
    /// For a channel with this number of clouds and points.
    pub(crate) fn new(name: String, room: Room, (clouds, points): (u64, u64)) -> Self {
        let stride = points.div_ceil(DRAWN).min(clouds / LEAST_CLOUDS).max(1);
        let drawn = Share::new(DRAWN, points / stride);
        Self {
            name,
            samples: 0,
            points: 0,
            ends: (0, 0),
            no_return: 0,
            not_finite: 0,
            space: Voxels::new(room.space, 0.01, CellShape::Cubes),
            sphere: Voxels::new(room.space, 0.02, CellShape::Least),
            scan: Voxels::roomy(room.scan, 0.002, CellShape::Cubes),
            scan_at: None,
            sweeps: Vec::new(),
            sweeps_wanted: room.sweeps,
            has_intensity: false,
            has_ring: false,
            returns: vec![0; 256].into(),
            tags: vec![0; 256].into(),
            stride,
            drawn,
            waiting: Default::default(),
        }
    }

    /// Points of a whole scan: the mean without the first and the last cloud, or the larger of two; `None` for a single
    /// cloud.
    pub(crate) fn points_per_scan(&self) -> Option<u64> {
        let (first, last) = self.ends;
        match self.samples {
            0 | 1 => None,
            2 => Some(first.max(last)),
            samples => (self.points - first - last).checked_div(samples - 2),
        }
    }

    /// Adds a cloud at `t` seconds of a recording of `seconds`.
    pub(crate) fn add(&mut self, t: Option<f64>, seconds: f64, cloud: &PointCloud) {
        let points = cloud.len() as u64;
        self.ends = (if self.samples == 0 { points } else { self.ends.0 }, points);
        self.samples += 1;
        self.has_intensity |= !cloud.intensity.is_empty();
        self.has_ring |= !cloud.ring.is_empty();
        // The scan begins half its duration before the middle.
        let is_middle = t.is_none_or(|t| t >= (seconds - SCAN) / 2.0) && !cloud.is_empty();
        if self.scan_at.is_none() && is_middle {
            self.scan_at = Some(t.unwrap_or(0.0));
        }
        let in_scan = self.scan_at.is_some_and(|at| t.is_some_and(|t| (at..at + SCAN).contains(&t)));
        let in_scan = in_scan || (t.is_none() && self.samples == 1);
        let sweep = t.filter(|_| !cloud.is_empty()).and_then(|t| self.sweep(t, seconds));
        let is_drawn = in_scan || sweep.is_some() || (self.samples - 1).is_multiple_of(self.stride);
        tally(&mut self.returns, &cloud.return_number);
        tally(&mut self.tags, &cloud.tag);
        self.count(cloud);
        if is_drawn {
            self.draw(cloud, (t, seconds), in_scan, sweep);
        }
    }

    /// The sweep for time `t`: each begins with the first cloud of its part of the recording.
    fn sweep(&mut self, t: f64, seconds: f64) -> Option<usize> {
        // A replay needs at least two.
        let most = cell(seconds / SCAN / 1e3, 1000).min(self.sweeps_wanted);
        if most < 2 {
            return None;
        }
        let part = cell(t / seconds, most);
        if self.sweeps.last().is_none_or(|last| last.part < part) {
            self.sweeps.push(Sweep { part, at: t, points: Voxels::new(SWEEP, 0.02, CellShape::Cubes) });
        }
        let last = self.sweeps.last().filter(|last| (last.at..last.at + SCAN).contains(&t));
        last.map(|_| self.sweeps.len() - 1)
    }

    /// Counts the points without reading their coordinates.
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

    fn draw(
        &mut self,
        cloud: &PointCloud,
        (t, seconds): (Option<f64>, f64),
        in_scan: bool,
        sweep: Option<usize>,
    ) {
        let mut intensities = cloud.intensity.iter();
        let mut rings = cloud.ring.iter();
        let mut offsets = cloud.time_offset.iter();
        let scan_at = self.scan_at.unwrap_or(0.0);
        let in_sweep = Share::new(SWEEP_POINTS, cloud.len() as u64);
        for (number, ((x, y), z)) in (0_u32..).zip(cloud.x.iter().zip(&cloud.y).zip(&cloud.z)) {
            let intensity = intensities.next().map_or(0.0, |intensity| *intensity);
            let ring = rings.next().map_or(0, |ring| u8::try_from(*ring).unwrap_or(u8::MAX));
            let offset = offsets.next().map_or(0, |offset| *offset);
            let is_drawn = self.drawn.takes(number);
            let sweep = sweep.filter(|_| in_sweep.takes(number));
            if !(is_drawn || in_scan || sweep.is_some()) {
                continue;
            }
            let square = x * x + y * y + z * z;
            if !square.is_finite() || square <= LEAST_RANGE * LEAST_RANGE {
                continue;
            }
            let at = [*x, *y, *z];
            let time = t.unwrap_or(0.0) + f64::from(offset) / 1e9;
            let of = |from: f64, long: f64| More { intensity, ring, time: byte((time - from) / long) };
            if in_scan {
                self.scan.add(at, of(scan_at, SCAN));
            }
            if let Some(sweep) = sweep.and_then(|at| self.sweeps.get_mut(at)) {
                let from = sweep.at;
                sweep.points.add(at, of(from, SCAN));
            }
            if is_drawn {
                let range = square.sqrt();
                let azimuth = y.atan2(*x).to_degrees();
                let elevation = (z / range).asin().to_degrees();
                let [space, sphere] = &mut self.waiting;
                space.push((at, of(0.0, seconds)));
                sphere.push(([azimuth, elevation, range], More::default()));
                if space.len() == AT_ONCE {
                    self.put_waiting();
                }
            }
        }
        self.put_waiting();
    }

    fn put_waiting(&mut self) {
        let [space, sphere] = &mut self.waiting;
        self.space.add_all(space);
        self.sphere.add_all(sphere);
    }
}

/// Maps 0 to 1 to 0 to 255.
fn byte(fraction: f64) -> u8 {
    u8::try_from(cell(fraction, 256)).unwrap_or(u8::MAX)
}

fn tally(counts: &mut [u64], values: &[u8]) {
    for value in values {
        if let Some(count) = counts.get_mut(usize::from(*value)) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_as_many_of_each_laser() {
        let share = Share::new(30_000, 128_000);
        let mut of_laser = [0_u32; 128];
        for number in (0..128_000_u32).filter(|number| share.takes(*number)) {
            of_laser[number as usize % 128] += 1;
        }
        assert!(of_laser.iter().all(|points| (230..=240).contains(points)), "{of_laser:?}");
        assert!((0..1000).all(|number| Share::new(5, 4).takes(number) && Share::new(0, 0).takes(number)));
    }
}
