//! A track on a map: its position at a time, and whether another track is the same.

use super::Earth;
use crate::{
    collect::track::{Ground, Track},
    page::{Recording, own},
};

/// A track on a map, in metres.
pub(crate) struct Way<'a> {
    pub(crate) name: String,
    /// Names of tracks with the same positions.
    pub(crate) same: Vec<String>,
    pub(crate) track: &'a Track,
    /// Metres east and north, or in the recording's own frame.
    pub(crate) places: Vec<(f64, f64)>,
    pub(crate) actor: Option<i64>,
    pub(crate) is_hero: bool,
    pub(crate) is_moving: bool,
    /// Drawn length and width, metres.
    pub(crate) body: Option<(f64, f64)>,
}

pub(crate) fn ways<'a>(recording: &Recording<'a>, ground: Ground, earth: Option<Earth>) -> Vec<Way<'a>> {
    let actors = own::actors(recording.kept);
    let mut ways: Vec<Way<'a>> = Vec::new();
    let tracks = recording
        .kept
        .tracks
        .iter()
        .filter(|track| track.ground() == ground && (track.count() > 1 || is_places(track)));
    let mut tracks: Vec<&Track> = tracks.collect();
    // Prefer navigation to copies of it.
    tracks.sort_by_key(|track| !track.name.starts_with("NAV/"));
    for track in tracks {
        let places: Vec<(f64, f64)> = match earth {
            Some(earth) => track.spots.iter().map(|spot| earth.metres((spot.x, spot.y))).collect(),
            None => track.spots.iter().map(|spot| (spot.x, spot.y)).collect(),
        };
        let number = track.name.strip_prefix("actor_").and_then(|rest| rest.split('/').next()?.parse().ok());
        let actor = number.and_then(|number| actors.get(&number));
        if actor.is_some_and(|actor| !actor.moves) {
            continue;
        }
        let (width, height) = size(&places);
        let way = Way {
            name: actor.map_or_else(|| track.name.clone(), |actor| actor.name.clone()),
            same: Vec::new(),
            track,
            places,
            actor: number,
            is_hero: actor.is_some_and(|actor| actor.is_hero),
            is_moving: width.hypot(height) > 1.0 && !is_places(track),
            body: actor.map(|actor| actor.size),
        };
        match ways.iter_mut().find(|known| known.is_moving && known.is_same(&way)) {
            Some(known) => known.same.push(way.name),
            None => ways.push(way),
        }
    }
    ways
}

/// Whether positions are separate places, not a path.
pub(crate) fn is_places(track: &Track) -> bool {
    track.path.is_places(&track.name)
}

/// Width and height of the bounding box.
pub(crate) fn size(places: &[(f64, f64)]) -> (f64, f64) {
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) = places
            .iter()
            .map(pick)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (high - low).max(0.0)
    };
    (range(|p| p.0), range(|p| p.1))
}

impl Way<'_> {
    /// Position at `t` seconds.
    pub(crate) fn at(&self, t: f64) -> Option<(f64, f64)> {
        let spots = &self.track.spots;
        let after = spots.partition_point(|spot| spot.t < t);
        let before = after.saturating_sub(1);
        let (Some(a), Some(b)) = (spots.get(before), spots.get(after)) else {
            return self.places.get(before).copied();
        };
        let (p, q) = (self.places.get(before)?, self.places.get(after)?);
        let part = if b.t > a.t { ((t - a.t) / (b.t - a.t)).clamp(0.0, 1.0) } else { 0.0 };
        Some((p.0 + (q.0 - p.0) * part, p.1 + (q.1 - p.1) * part))
    }

    /// Offset from another track, east and north, at times from the other's start to its end.
    fn away(&self, other: &Self) -> Option<Vec<(f64, f64)>> {
        let (first, last) = (other.track.spots.first()?, other.track.spots.last()?);
        let moments = (0..=20).map(|k| first.t + (last.t - first.t) * f64::from(k) / 20.0);
        moments.map(|t| self.at(t).zip(other.at(t)).map(|(a, b)| (a.0 - b.0, a.1 - b.1))).collect()
    }

    /// Whether another track has the same positions at the same times, to one per cent of its size.
    fn is_same(&self, other: &Self) -> bool {
        let (width, height) = size(&self.places);
        let most = 0.01 * width.hypot(height);
        self.away(other).is_some_and(|away| away.iter().all(|(x, y)| x.hypot(*y) <= most))
    }

    /// Whether another track is of the same vehicle, by name (`NAV/odometry` and `NAV/fix`), and has the same path
    /// from another origin: to five per cent of its size, or two metres. Programs that assume a sphere convert
    /// degrees to metres with an error of two per cent.
    pub(crate) fn is_of_vehicle(&self, other: &Self) -> bool {
        let owner = |way: &Self| way.track.name.rsplit_once('/').map(|(owner, _)| owner.to_owned());
        let (width, height) = size(&self.places);
        let most = (0.05 * width.hypot(height)).max(2.0);
        let keeps = |away: Vec<(f64, f64)>| {
            let from = away.first().copied().unwrap_or_default();
            away.iter().all(|(x, y)| (x - from.0).hypot(y - from.1) <= most)
        };
        owner(self).is_some_and(|name| owner(other) == Some(name)) && self.away(other).is_some_and(keeps)
    }
}

/// Scatter of stationary positions around their mean, metres: the radii that contain 50 % and 95 %.
pub(super) struct Scatter {
    pub(super) middle: (f64, f64),
    pub(super) half: f64,
    pub(super) most: f64,
}

impl Scatter {
    /// `None` for too few positions.
    pub(super) fn new(way: &Way<'_>) -> Option<Self> {
        const LEAST: usize = 5;
        if way.is_moving || is_places(way.track) || way.places.len() < LEAST {
            return None;
        }
        let n = way.places.len() as f64;
        let sum = way.places.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let middle = (sum.0 / n, sum.1 / n);
        let mut far: Vec<f64> = way.places.iter().map(|p| (p.0 - middle.0).hypot(p.1 - middle.1)).collect();
        far.sort_by(f64::total_cmp);
        let at = |q: f64| far.get(crate::axis::cell(q, far.len())).copied().unwrap_or_default();
        Some(Self { middle, half: at(0.5), most: at(0.95) }).filter(|scatter| scatter.most > 1e-6)
    }
}
