//! Distance between two vehicles over time, and their closest approach.

use std::{collections::BTreeMap, sync::Arc};

use crate::collect::track::degree;

/// Nanoseconds from the start of the axis, and metres east and north.
type Moment = (i64, f64, f64);

/// Paths of a recording by channel.
pub(super) type Paths = BTreeMap<Arc<str>, Vec<Moment>>;

/// Distances between two vehicles.
pub(super) struct Apart {
    /// The channels.
    pub(super) names: [String; 2],
    /// Seconds and metres, at each position of one of them.
    pub(super) distances: Vec<(f64, f64)>,
    /// Seconds and metres of the closest approach. Between positions, both move evenly.
    pub(super) closest: (f64, f64),
}

/// Degrees of longitude and latitude as metres around the first position of A.
pub(super) fn in_metres(a: &Paths, b: &Paths) -> [Paths; 2] {
    let origin = a.values().chain(b.values()).find_map(|path| path.first()).copied().unwrap_or_default();
    let (north, east) = degree(origin.2);
    let place = |(t, x, y): &Moment| {
        let turn = x - origin.1;
        (*t, (turn - (turn / 360.0).round() * 360.0) * east, (y - origin.2) * north)
    };
    let all = |paths: &Paths| -> Paths {
        let moved = |path: &Vec<Moment>| path.iter().map(place).collect();
        paths.iter().map(|(name, path)| (Arc::clone(name), moved(path))).collect()
    };
    [all(a), all(b)]
}

impl Apart {
    /// Between the same channel of both, navigation first, or between the longest of each; `None` if their times do not
    /// overlap.
    pub(super) fn new(a: &Paths, b: &Paths) -> Option<Self> {
        let longest =
            |paths: &Paths| paths.iter().max_by_key(|(_, path)| path.len()).map(|(name, _)| Arc::clone(name));
        let mut shared: Vec<&Arc<str>> = a.keys().filter(|name| b.contains_key(&***name)).collect();
        shared.sort_by_key(|name| !name.starts_with("NAV/"));
        let names = match shared.first() {
            Some(name) => [Arc::clone(name), Arc::clone(name)],
            None => [longest(a)?, longest(b)?],
        };
        let [ours, theirs] = [ordered(a.get(&names[0])?), ordered(b.get(&names[1])?)];
        let mut times: Vec<i64> = ours.iter().chain(&theirs).map(|moment| moment.0).collect();
        times.sort_unstable();
        times.dedup();
        let offset = |t: i64| Some((t, at(&ours, t)?, at(&theirs, t)?));
        let offsets: Vec<Moment> =
            times.into_iter().filter_map(offset).map(|(t, p, q)| (t, q.0 - p.0, q.1 - p.1)).collect();
        let steps = offsets.iter().zip(offsets.iter().skip(1)).map(|(from, to)| nearest(from, to));
        let ends = offsets.iter().map(|(t, x, y)| (*t as f64 / 1e9, x.hypot(*y)));
        let closest = steps.chain(ends.clone()).min_by(|p, q| p.1.total_cmp(&q.1))?;
        let names = names.map(|name| name.to_string());
        Some(Self { names, distances: ends.collect(), closest })
    }
}

fn ordered(path: &[Moment]) -> Vec<Moment> {
    let mut path = path.to_vec();
    path.sort_by_key(|moment| moment.0);
    path.dedup_by_key(|moment| moment.0);
    path
}

/// The position at a time; `None` before the first and after the last.
fn at(path: &[Moment], t: i64) -> Option<(f64, f64)> {
    let after = path.partition_point(|moment| moment.0 < t);
    let to = path.get(after)?;
    if to.0 == t {
        return Some((to.1, to.2));
    }
    let from = path.get(after.checked_sub(1)?)?;
    let part = (t - from.0) as f64 / (to.0 - from.0) as f64;
    Some(((to.1 - from.1).mul_add(part, from.1), (to.2 - from.2).mul_add(part, from.2)))
}

/// Seconds and metres of the least distance between two moments of an even motion.
fn nearest(from: &Moment, to: &Moment) -> (f64, f64) {
    let (dx, dy) = (to.1 - from.1, to.2 - from.2);
    let square = dx * dx + dy * dy;
    let part = if square > 0.0 { (-(from.1 * dx + from.2 * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    let t = (to.0 - from.0) as f64 * part + from.0 as f64;
    (t / 1e9, dx.mul_add(part, from.1).hypot(dy.mul_add(part, from.2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_cross_are_closest_between_their_positions() {
        let second = 1_000_000_000;
        let path = |of: fn(f64) -> (f64, f64), from: i64| {
            let places = (from..8).step_by(2).map(|t| (t * second, of(t as f64).0, of(t as f64).1)).collect();
            Paths::from([(Arc::from("NAV/odometry"), places)])
        };
        // At 3 s one is at 3, 0 and the other at 3, 2.
        let apart = Apart::new(&path(|t| (t, 0.0), 0), &path(|t| (6.0 - t, 2.0), 1)).unwrap();
        assert!((apart.closest.0 - 3.0).abs() < 1e-9 && (apart.closest.1 - 2.0).abs() < 1e-9);
        assert_eq!(apart.distances.first().map(|first| first.0), Some(1.0));
        assert!(Apart::new(&path(|t| (t, 0.0), 0), &Paths::new()).is_none());
    }
}
