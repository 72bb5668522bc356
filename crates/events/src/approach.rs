//! Where two vehicles were nearest to each other.

use std::collections::{BTreeMap, VecDeque};

use nalgebra::Vector2;
use robolog_core::{Sample, Timestamp, Value};

use crate::{Context, Detector, Event, Kind, seconds};

/// Compares the positions of all vehicles, each interpolated to the times of the others.
#[derive(Debug)]
pub(crate) struct Approaches {
    context: Context,
    tracks: BTreeMap<String, VecDeque<(Timestamp, Vector2<f64>)>>,
    nearest: BTreeMap<(String, String), Nearest>,
}

/// The least distance of a pair.
#[derive(Debug)]
struct Nearest {
    time: Timestamp,
    distance: f64,
    /// Sum and number of all distances.
    sum: f64,
    count: f64,
}

/// The frame of the vessel that writes the log: its own reports name it otherwise.
const OWN: &str = "base_link";
/// Mean distance, metres, within which a vessel that reports is the own one: the two are of different moments.
const SAME: f64 = 5.0;
/// Number of positions that are kept of a vehicle: the others may be later than it by their time.
const KEPT: usize = 64;
/// Seconds between two positions that nothing is interpolated across.
const LONGEST: f64 = 30.0;
/// Maximum number of vehicles.
const VEHICLES: usize = 200;

impl Approaches {
    pub(crate) const fn new(context: Context) -> Self {
        Self { context, tracks: BTreeMap::new(), nearest: BTreeMap::new() }
    }

    /// Compares a vehicle's positions from the last but one on with another's.
    fn compare(&mut self, name: &str) {
        let Some(track) = self.tracks.get(name) else { return };
        let newest: Vec<_> = track.iter().rev().take(2).rev().copied().collect();
        let [(then, _), (now, place)] = *newest.as_slice() else { return };
        for (other, positions) in &self.tracks {
            if other == name {
                continue;
            }
            let key = if *name < **other {
                (name.to_owned(), other.clone())
            } else {
                (other.clone(), name.to_owned())
            };
            let mut note = |time: Timestamp, distance: f64| {
                let first = Nearest { time, distance, sum: 0.0, count: 0.0 };
                let nearest = self.nearest.entry(key.clone()).or_insert(first);
                if distance < nearest.distance {
                    (nearest.time, nearest.distance) = (time, distance);
                }
                nearest.sum += distance;
                nearest.count += 1.0;
            };
            // The other one at the time of this position, and this one at the other's times since the position before.
            if let Some(at) = position(positions, now) {
                note(now, (at - place).norm());
            }
            for (time, at) in positions.iter().filter(|(time, _)| *time > then && *time < now) {
                if let Some(here) = position(track, *time) {
                    note(*time, (at - here).norm());
                }
            }
        }
    }
}

impl Detector for Approaches {
    fn push(&mut self, sample: &Sample, _: &mut Vec<Event>) {
        let (Value::Odometry(odometry), Some(time)) = (&sample.value, sample.time) else { return };
        if !self.context.vessels {
            return;
        }
        let name = &odometry.child_frame_id;
        if !self.tracks.contains_key(name) {
            if self.tracks.len() >= VEHICLES {
                return;
            }
            self.tracks.insert(name.clone(), VecDeque::new());
        }
        let Some(track) = self.tracks.get_mut(name) else { return };
        if track.back().is_some_and(|(last, _)| *last >= time) {
            return;
        }
        track.push_back((time, odometry.pose.position.xy()));
        if track.len() > KEPT {
            track.pop_front();
        }
        self.compare(name);
    }

    fn finish(&mut self, found: &mut Vec<Event>) {
        for ((a, b), nearest) in &self.nearest {
            let is_own = [a, b].iter().any(|name| *name == OWN);
            if is_own && nearest.sum / nearest.count < SAME {
                continue;
            }
            let distance = nearest.distance;
            let text = format!("{a} and {b} are {distance:.1} m apart");
            let mut event = Event::at(nearest.time, Kind::ClosestApproach, a, text).with_value(distance);
            event.other = Some(b.clone());
            found.push(event);
        }
    }
}

/// The position at a time, between two that are not far apart in time.
fn position(track: &VecDeque<(Timestamp, Vector2<f64>)>, time: Timestamp) -> Option<Vector2<f64>> {
    let after = track.partition_point(|(other, _)| *other < time);
    let (end, there) = track.get(after)?;
    if *end == time {
        return Some(*there);
    }
    let (start, here) = track.get(after.checked_sub(1)?)?;
    let (length, part) = (seconds(*start, *end), seconds(*start, time));
    (length <= LONGEST).then(|| here + (there - here) * (part / length))
}
