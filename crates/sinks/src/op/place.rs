//! Places points in the world, each by its own time.

use std::{collections::BTreeMap, sync::Arc};

use nalgebra::{Isometry3, Point3};
use robolog_core::{Clock, PointCloud, Pose, Sample, Timestamp, Value, slices::value_at};

use super::{Poses, Step};
use crate::{Error, Note, Reason, Result};

/// Mounts of sensors on the body of a trajectory.
///
/// The given transforms form a tree of frames. The mount of a sensor is its frame in the frame of the body or, if the
/// trajectory does not name its body, in the root of the sensor's tree.
#[derive(Debug, Clone, Default)]
pub struct Mounts {
    /// Parent frame and pose in it, by name of the frame.
    parents: BTreeMap<String, (Arc<str>, Isometry3<f64>)>,
}

impl Mounts {
    /// Takes static transforms, as `robolog_convert::transforms::from_yaml` reads them.
    pub fn new(transforms: &[Sample]) -> Self {
        let parents = transforms.iter().filter_map(|sample| match &sample.value {
            Value::Transform(transform) => {
                let lies = (Arc::clone(&sample.frame_id), transform.pose.isometry());
                Some((transform.child_frame_id.clone(), lies))
            }
            _ => None,
        });
        Self { parents: parents.collect() }
    }

    /// Transform from coordinates of `frame` to those of the body.
    fn of(&self, frame: &str, body: Option<&str>) -> Result<Isometry3<f64>> {
        let (mut mount, mut at) = (Isometry3::identity(), frame);
        // Frames may form a cycle.
        for _ in 0..=self.parents.len() {
            if self.parents.is_empty() || Some(at) == body {
                return Ok(mount);
            }
            match self.parents.get(at) {
                Some((parent, pose)) => (mount, at) = (pose * mount, parent),
                None if body.is_none() && at != frame => return Ok(mount),
                None => break,
            }
        }
        let known: Vec<_> = self.parents.keys().map(String::as_str).collect();
        let body = body.unwrap_or("the body of the trajectory").to_owned();
        Err(Error::Target(Reason::NoMount { frame: frame.into(), body, known: known.join(", ") }))
    }
}

/// Moves points to where they were measured in the frame of a trajectory, each by its own time. This removes the motion
/// within each cloud (deskewing), and puts all clouds into one frame.
///
/// Between two poses, positions are interpolated linearly and orientations by slerp. Removes points before the first
/// pose, after the last, or between two poses further apart than the gap, and clouds without a time; these are [a
/// loss](Step::loses). A cloud whose points have no times is moved as a whole, by its own time.
///
/// Coordinates are 32-bit floats. If the trajectory leads further than 8 km from the origin of its frame, they count
/// from whole kilometres near its first pose: see [`shift`](Self::shift).
#[derive(Debug)]
pub struct Place {
    poses: Poses,
    mounts: Mounts,
    /// Nanoseconds to add to the times of poses; `None` if they must be of the points' clock.
    offset: Option<i64>,
    gap: i64,
    shift: [f64; 3],
    /// Whether clouds stay in the frames of their sensors; `pose` is that of the last one.
    stays: bool,
    pose: Option<Isometry3<f64>>,
    /// Index of the last pose found.
    at: usize,
}

/// Distance in metres up to which floats resolve half a millimetre.
const NEAR: f64 = 8_000.0;

impl Place {
    /// Default maximum time between two poses, nanoseconds: 1 s.
    pub const GAP: i64 = 1_000_000_000;

    /// Places points by `poses` of the body and the `mounts` of sensors on it.
    pub fn new(poses: Poses, mounts: Mounts) -> Self {
        let far = poses.list.iter().any(|(_, pose)| pose.translation.vector.iter().any(|v| v.abs() > NEAR));
        let first = poses.list.first().map_or([0.0; 3], |(_, pose)| pose.translation.vector.into());
        let shift = if far { first.map(|v: f64| (v / 1000.0).round() * 1000.0) } else { [0.0; 3] };
        Self { poses, mounts, offset: None, gap: Self::GAP, shift, stays: false, pose: None, at: 0 }
    }

    /// Sets nanoseconds to add to the times of poses, which then count as times of the points whatever their clocks.
    #[must_use]
    pub fn with_offset(self, offset: Option<i64>) -> Self {
        Self { offset, ..self }
    }

    /// Sets the maximum time between two poses, nanoseconds.
    #[must_use]
    pub fn with_gap(self, gap: i64) -> Self {
        Self { gap, ..self }
    }

    /// Only removes the motion within each cloud: points stay in the frame of the sensor at the time of the cloud,
    /// whose pose [`Step::pose`] returns.
    #[must_use]
    pub fn in_own_frames(self) -> Self {
        Self { stays: true, shift: [0.0; 3], ..self }
    }

    /// Origin of the coordinates in the frame of the trajectory, metres.
    pub fn shift(&self) -> [f64; 3] {
        self.shift
    }

    /// Converts a time of points to one of poses.
    fn time(&self, time: Timestamp, sample: &Sample) -> Result<Option<i64>> {
        match (self.offset, self.poses.clock()) {
            (Some(offset), _) => Ok(time.nanos().checked_sub(offset)),
            (None, Some(clock)) if clock == time.clock() => Ok(Some(time.nanos())),
            (None, poses) => Err(Error::Target(Reason::TrajectoryClock {
                channel: sample.channel.to_string(),
                points: time.clock(),
                poses: poses.map_or("an unknown", clock_name),
            })),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "single precision is what clouds have")]
    fn move_points(&mut self, cloud: &mut PointCloud, start: i64, mount: Isometry3<f64>) {
        let Self { poses, gap, shift, at, .. } = self;
        let [dx, dy, dz] = *shift;
        let back = self.pose.map_or_else(Isometry3::identity, |pose| pose.inverse());
        let mut met: Option<(i64, Option<Isometry3<f64>>)> = None;
        let mut keep = Vec::with_capacity(cloud.len());
        for i in 0..cloud.len() {
            let offset = value_at(&cloud.time_offset, i);
            let time = start.saturating_add(offset.into());
            let pose = match met {
                Some((same, pose)) if same == time => pose,
                _ => poses.at(time, *gap, at).map(|pose| back * pose * mount),
            };
            met = Some((time, pose));
            keep.push(pose.is_some());
            if let (Some(pose), Some(x), Some(y), Some(z)) =
                (pose, cloud.x.get_mut(i), cloud.y.get_mut(i), cloud.z.get_mut(i))
            {
                let moved = pose * Point3::new(f64::from(*x), f64::from(*y), f64::from(*z));
                (*x, *y, *z) = ((moved.x - dx) as f32, (moved.y - dy) as f32, (moved.z - dz) as f32);
            }
        }
        if keep.contains(&false) {
            cloud.retain(|i| value_at(&keep, i));
        }
    }
}

fn clock_name(clock: Clock) -> &'static str {
    match clock {
        Clock::Unix => "Unix",
        Clock::Gps => "GPS",
        Clock::Device => "a device's",
        Clock::Relative => "a recording's own",
    }
}

impl Step for Place {
    fn name(&self) -> &'static str {
        "trajectory"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        self.pose = None;
        let Value::PointCloud(cloud) = &sample.value else { return Ok(true) };
        if cloud.is_empty() {
            return Ok(true);
        }
        if !cloud.is_consistent() {
            return Err(Error::Target(Reason::UnevenCloud));
        }
        let Some(start) = sample.time.map(|time| self.time(time, sample)).transpose()?.flatten() else {
            return Ok(false);
        };
        let mount = self.mounts.of(&sample.frame_id, self.poses.body())?;
        if self.stays {
            let Some(pose) = self.poses.at(start, self.gap, &mut self.at) else { return Ok(false) };
            self.pose = Some(pose * mount);
        } else {
            sample.frame_id = self.poses.frame();
        }
        if let Value::PointCloud(cloud) = &mut sample.value {
            self.move_points(cloud, start, mount);
        }
        Ok(true)
    }

    fn pose(&self) -> Option<Pose> {
        self.pose.map(Pose::from)
    }

    fn loses(&self) -> bool {
        true
    }

    fn note(&self) -> Option<Note> {
        #[expect(clippy::cast_possible_truncation, reason = "whole metres")]
        let whole = self.shift.map(|v| v as i64);
        (whole != [0; 3]).then_some(Note::Shifted { by: whole })
    }
}
