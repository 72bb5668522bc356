//! Where two vehicles were nearest to each other.

use std::collections::{BTreeMap, VecDeque};

use nalgebra::Vector2;
use robolog_core::Timestamp;

use crate::{
    Context, Event, Kind,
    bodies::{OWN, Placed},
    names::Names,
    seconds,
};

/// Compares the positions of all vehicles, each interpolated to the times of the others.
#[derive(Debug)]
pub(crate) struct Approaches {
    context: Context,
    /// By the vehicles' numbers.
    tracks: BTreeMap<usize, VecDeque<(Timestamp, Vector2<f64>)>>,
    nearest: BTreeMap<(usize, usize), Nearest>,
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
    fn compare(&mut self, vehicle: usize) {
        let Some(track) = self.tracks.get(&vehicle) else { return };
        let mut newest = track.iter().rev();
        let Some(((now, place), (then, _))) = newest.next().zip(newest.next()) else { return };
        for (other, positions) in self.tracks.iter().filter(|(other, _)| **other != vehicle) {
            let key = (vehicle.min(*other), vehicle.max(*other));
            let mut note = |time: Timestamp, distance: f64| {
                let first = Nearest { time, distance, sum: 0.0, count: 0.0 };
                let nearest = self.nearest.entry(key).or_insert(first);
                if distance < nearest.distance {
                    (nearest.time, nearest.distance) = (time, distance);
                }
                nearest.sum += distance;
                nearest.count += 1.0;
            };
            // The other one at the time of this position, and this one at the other's times since the position before.
            if let Some(at) = position(positions, *now) {
                note(*now, (at - place).norm());
            }
            let since = positions.partition_point(|(time, _)| time <= then);
            for (time, at) in positions.range(since..).take_while(|(time, _)| time < now) {
                if let Some(here) = position(track, *time) {
                    note(*time, (at - here).norm());
                }
            }
        }
    }

    pub(crate) fn push(&mut self, placed: Placed, time: Timestamp) {
        if !self.context.vessels {
            return;
        }
        if !self.tracks.contains_key(&placed.body) && self.tracks.len() >= VEHICLES {
            return;
        }
        let track = self.tracks.entry(placed.body).or_default();
        if track.back().is_some_and(|(last, _)| *last >= time) {
            return;
        }
        track.push_back((time, placed.position.xy()));
        if track.len() > KEPT {
            track.pop_front();
        }
        self.compare(placed.body);
    }

    pub(crate) fn finish(&mut self, names: &Names, found: &mut Vec<Event>) {
        // Of several logs, each may report the vessel of another one: the own positions count.
        let known = |number: usize| {
            let name = names.get(number);
            name.strip_suffix(OWN)
                .and_then(|owner| owner.strip_suffix('/'))
                .map_or((name, 1), |owner| (owner, 0))
        };
        let pair = |(a, b): &(usize, usize)| {
            let ((a, x), (b, y)) = (known(*a), known(*b));
            if a <= b { ((a, b), x + y) } else { ((b, a), x + y) }
        };
        let mut all: Vec<_> = self.nearest.iter().map(|(key, nearest)| (pair(key), nearest)).collect();
        all.sort_by_key(|(pair, _)| *pair);
        all.dedup_by_key(|((pair, _), _)| *pair);
        for (((a, b), _), nearest) in all {
            let is_own = [a, b].contains(&OWN);
            if a == b || is_own && nearest.sum / nearest.count < SAME {
                continue;
            }
            let distance = nearest.distance;
            let text = format!("{a} and {b} are {distance:.1} m apart");
            let mut event = Event::at(nearest.time, Kind::ClosestApproach, a, text).with_value(distance);
            event.other = Some(b.to_owned());
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
