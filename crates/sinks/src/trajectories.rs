//! Counts the poses of each channel, to find the trajectories and the longest one.

use std::{collections::BTreeMap, fmt, sync::Arc};

use robolog_core::{Pose, Sample, Value, text::Escaped};

/// Size of the trajectory of a channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Channel.
    pub channel: Arc<str>,
    /// Number of poses.
    pub poses: u64,
    /// Length in metres: the sum of all steps.
    pub length: f64,
}

impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channel = Escaped(self.channel.as_bytes());
        write!(f, "{channel} ({} poses, {:.1} m)", self.poses, self.length)
    }
}

/// Pose of a sample, if any.
pub fn pose(sample: &Sample) -> Option<&Pose> {
    match &sample.value {
        Value::Pose(pose) => Some(pose),
        Value::Odometry(odometry) => Some(&odometry.pose),
        _ => None,
    }
}

/// Counts trajectories by channel.
#[derive(Debug, Default)]
pub struct Counter {
    channels: BTreeMap<Arc<str>, Way>,
}

#[derive(Debug)]
struct Way {
    poses: u64,
    length: f64,
    last: [f64; 3],
}

/// Maximum number of trajectories counted separately.
const MOST: usize = 10_000;
/// Maximum number of trajectories listed in a message.
const LISTED: usize = 20;

impl Counter {
    /// Counts a pose. Channels after the first ten thousand are not counted.
    pub fn push(&mut self, channel: &Arc<str>, pose: &Pose) {
        let position: [f64; 3] = pose.position.into();
        if !self.channels.contains_key(channel) {
            if self.channels.len() >= MOST {
                return;
            }
            self.channels.insert(Arc::clone(channel), Way { poses: 0, length: 0.0, last: position });
        }
        let Some(way) = self.channels.get_mut(channel) else { return };
        way.poses += 1;
        if position.iter().all(|v| v.is_finite()) {
            let step = way.last.iter().zip(position).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
            way.length += if step.is_finite() { step } else { 0.0 };
            way.last = position;
        }
    }

    /// Longest first; then by number of poses, then by name.
    pub fn into_trajectories(self) -> Vec<Trajectory> {
        let trajectory =
            |(channel, way): (_, Way)| Trajectory { channel, poses: way.poses, length: way.length };
        let mut all: Vec<_> = self.channels.into_iter().map(trajectory).collect();
        all.sort_by(|a, b| b.length.total_cmp(&a.length).then(b.poses.cmp(&a.poses)));
        all
    }

    /// Returns all trajectories as an error if there are several: a file of one trajectory cannot choose.
    pub fn single(self) -> Result<(), Vec<Trajectory>> {
        if self.channels.len() > 1 { Err(self.into_trajectories()) } else { Ok(()) }
    }
}

/// One line of text for each of the first few; each begins with a line break.
pub fn list(trajectories: &[Trajectory]) -> String {
    let mut list = String::new();
    for trajectory in trajectories.iter().take(LISTED) {
        list.push_str("\n  ");
        list.push_str(&trajectory.to_string());
    }
    match trajectories.iter().skip(LISTED).len() {
        0 => list,
        more => format!("{list}\n  and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poses(counter: &mut Counter, channel: &str, xs: &[f64]) {
        for x in xs {
            let mut pose = Pose::identity();
            pose.position.x = *x;
            counter.push(&channel.into(), &pose);
        }
    }

    #[test]
    fn the_longest_comes_first_and_gaps_do_not_count() {
        let mut counter = Counter::default();
        poses(&mut counter, "camera", &[5.0; 9]);
        poses(&mut counter, "car", &[0.0, 3.0, f64::NAN, -1.0]);
        poses(&mut counter, "post", &[1.0]);
        let all = counter.into_trajectories();
        let shown: Vec<_> = all.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["car (4 poses, 7.0 m)", "camera (9 poses, 0.0 m)", "post (1 poses, 0.0 m)"]);
    }

    #[test]
    fn several_are_listed_for_a_person() {
        let mut counter = Counter::default();
        poses(&mut counter, "a", &[1.0]);
        for i in 0..25 {
            poses(&mut counter, &format!("b{i:02}"), &[0.0, 2.0]);
        }
        let list = list(&counter.single().unwrap_err());
        assert!(list.contains("\n  b00 (2 poses, 2.0 m)\n") && list.ends_with("\n  and 6 more"), "{list}");
        let mut counter = Counter::default();
        poses(&mut counter, "a", &[1.0, 2.0]);
        assert!(counter.single().is_ok());
    }
}
