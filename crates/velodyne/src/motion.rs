//! Motion compensation: removes the sensor's motion during a scan from the points.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use robolog_core::Pose;

use crate::{Axes, Points};

/// The vehicle's motion: poses with increasing times, interpolated between them.
///
/// ```
/// use robolog_core::Pose;
/// use velodyne_packet::Trajectory;
/// let ahead = |x| Pose::from_euler([x, 0.0, 0.0], 0.0, 0.0, 0.0);
/// let trajectory = Trajectory::new([(0, ahead(0.0)), (1_000_000_000, ahead(10.0))]);
/// let half = trajectory.at(500_000_000).expect("it has poses");
/// assert!((half.translation.x - 5.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trajectory {
    poses: Vec<(i64, Pose)>,
}

impl Trajectory {
    /// From poses with times in nanoseconds, on the clock of the points. They are sorted; of several with the same time
    /// the first counts, and non-finite ones are dropped.
    pub fn new(poses: impl IntoIterator<Item = (i64, Pose)>) -> Self {
        let finite = |pose: &Pose| {
            pose.position.iter().chain(pose.orientation.coords.iter()).all(|value| value.is_finite())
        };
        let mut poses: Vec<_> = poses.into_iter().filter(|(_, pose)| finite(pose)).collect();
        poses.sort_by_key(|(time, _)| *time);
        poses.dedup_by_key(|(time, _)| *time);
        Self { poses }
    }

    /// From orientations alone: compensates rotation, but not translation.
    pub fn from_rotations(rotations: impl IntoIterator<Item = (i64, UnitQuaternion<f64>)>) -> Self {
        let still = |(time, orientation)| (time, Pose { position: Vector3::zeros(), orientation });
        Self::new(rotations.into_iter().map(still))
    }

    /// From orientations and the vehicle's speed along its x axis in metres per second, as from an odometer. The speed
    /// is that of the latest reading.
    #[expect(clippy::arithmetic_side_effects, reason = "floating point")]
    pub fn from_rotations_and_speeds(
        rotations: impl IntoIterator<Item = (i64, UnitQuaternion<f64>)>,
        speeds: impl IntoIterator<Item = (i64, f64)>,
    ) -> Self {
        let turning = Self::from_rotations(rotations);
        let mut speeds: Vec<_> = speeds.into_iter().filter(|(_, speed)| speed.is_finite()).collect();
        speeds.sort_by_key(|(time, _)| *time);
        let mut times: Vec<i64> = turning.poses.iter().map(|(time, _)| *time).collect();
        let (first, last) = (times.first().copied(), times.last().copied());
        times.extend(
            speeds.iter().map(|(time, _)| *time).filter(|time| Some(*time) > first && Some(*time) < last),
        );
        times.sort_unstable();
        times.dedup();
        let (mut position, mut before) = (Vector3::zeros(), None);
        let mut poses = Vec::with_capacity(times.len());
        for time in times {
            let Some(orientation) = turning.at(time).map(|pose| pose.rotation) else { break };
            if let Some((earlier, heading)) = before.replace((time, orientation)) {
                let known = speeds.partition_point(|(at, _)| *at <= earlier);
                let speed = known.checked_sub(1).and_then(|i| speeds.get(i)).map_or(0.0, |(_, speed)| *speed);
                let seconds = elapsed(earlier, time) / 1e9;
                position += heading.slerp(&orientation, 0.5) * Vector3::new(speed * seconds, 0.0, 0.0);
            }
            poses.push((time, Pose { position, orientation }));
        }
        Self::new(poses)
    }

    /// First and last time.
    pub fn range(&self) -> Option<(i64, i64)> {
        Some((self.poses.first()?.0, self.poses.last()?.0))
    }

    /// The pose at a time: spherical interpolation of the orientation, linear of the position; outside the trajectory
    /// the nearest pose. `None` if there are no poses.
    pub fn at(&self, time: i64) -> Option<Isometry3<f64>> {
        let next = self.poses.partition_point(|(at, _)| *at <= time);
        let after = self.poses.get(next);
        let before = next.checked_sub(1).and_then(|i| self.poses.get(i));
        let (Some((t0, from)), Some((t1, to))) = (before, after) else {
            return before.or(after).map(|(_, pose)| pose.isometry());
        };
        let part = elapsed(*t0, time) / elapsed(*t0, *t1);
        let position = from.position.lerp(&to.position, part);
        // Between opposite orientations there is no shortest rotation.
        let orientation = from.orientation.try_slerp(&to.orientation, part, 1e-12).unwrap_or(if part < 0.5 {
            from.orientation
        } else {
            to.orientation
        });
        Some(Isometry3::from_parts(Translation3::from(position), orientation))
    }
}

/// The time to whose viewpoint the points are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reference {
    /// The start of the points.
    Start,
    /// The last of the points.
    #[default]
    End,
    /// This time, in nanoseconds.
    At(i64),
}

/// Removes motion from points.
///
/// ```
/// use nalgebra::{UnitQuaternion, Vector3};
/// use velodyne_packet::*;
/// # let mut bytes = [0; PACKET_LEN];
/// # bytes[..7].copy_from_slice(&[0xff, 0xee, 0, 0, 0xe8, 0x03, 77]);
/// # let sensor = Detection::assume(Model::Hdl32e, ReturnMode::Strongest, Generation::Factory);
/// # let mut decoder = Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default());
/// # let mut points = Points::new();
/// # decoder.decode(Packet::new(&bytes), 0, &mut points);
/// // The vehicle turns left by a right angle in one second.
/// let left = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2);
/// let trajectory = Trajectory::from_rotations([(0, UnitQuaternion::identity()), (1_000_000_000, left)]);
/// // In its final orientation, what was ahead is on the right.
/// let outside = Deskew::new(trajectory).apply(&mut points, Reference::At(1_000_000_000));
/// assert!(points.x()[0].abs() < 1e-6 && points.y()[0] < -1.7);
/// assert_eq!(outside, 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Deskew {
    trajectory: Trajectory,
    mounting: Isometry3<f64>,
    axes: Axes,
}

impl Deskew {
    /// For a sensor at the vehicle's origin whose points are x forward, y left, z up.
    pub fn new(trajectory: Trajectory) -> Self {
        Self { trajectory, mounting: Isometry3::identity(), axes: Axes::Ros }
    }

    /// Sets the sensor's pose on the vehicle.
    #[must_use]
    pub fn with_mounting(mut self, mounting: Pose) -> Self {
        self.mounting = mounting.isometry();
        self
    }

    /// Sets the axes of the points.
    #[must_use]
    pub fn with_axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// Moves each point to where it would have been seen at the reference time: `p' = T(reference)⁻¹ T(t) p`. Returns
    /// the number of points measured outside the trajectory's times, for which its nearest pose is used; without poses
    /// that is all of them, and none is moved.
    #[expect(clippy::arithmetic_side_effects, reason = "floating point")]
    pub fn apply(&self, points: &mut Points, reference: Reference) -> usize {
        let start = points.start();
        let moment = |offset: u32| start.saturating_add(i64::from(offset));
        let reference = match reference {
            Reference::Start => start,
            Reference::End => moment(points.time_offset().iter().copied().max().unwrap_or(0)),
            Reference::At(time) => time,
        };
        let Some((first, last)) = self.trajectory.range() else { return points.len() };
        let Some(view) = self.trajectory.at(reference) else { return points.len() };
        let back = (view * self.mounting).inverse();
        let mut outside = 0_usize;
        let mut step: Option<(u32, Isometry3<f64>)> = None;
        let Points { x, y, z, time_offset, .. } = points;
        for (((x, y), z), offset) in x.iter_mut().zip(y).zip(z).zip(time_offset) {
            let time = moment(*offset);
            outside += usize::from(!(first..=last).contains(&time));
            let transform = match step {
                Some((at, transform)) if at == *offset => transform,
                _ => self.trajectory.at(time).map_or(back, |pose| back * pose * self.mounting),
            };
            step = Some((*offset, transform));
            let from = match self.axes {
                Axes::Ros => Point3::new(*x, *y, *z),
                Axes::Sensor => Point3::new(*y, -*x, *z),
            };
            let to = transform * from.cast::<f64>();
            #[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
            let [to_x, to_y, to_z] = [to.x as f32, to.y as f32, to.z as f32];
            (*x, *y, *z) = match self.axes {
                Axes::Ros => (to_x, to_y, to_z),
                Axes::Sensor => (-to_y, to_x, to_z),
            };
        }
        outside
    }
}

/// Nanoseconds from one time to another.
#[expect(clippy::cast_precision_loss, reason = "spans of hours have room in a double")]
fn elapsed(from: i64, to: i64) -> f64 {
    to.saturating_sub(from) as f64
}
