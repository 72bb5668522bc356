//! A local grid in metres on Earth.

use crate::collect::{
    Collected,
    track::{Ground, degree},
};

/// Conversion of degrees to metres: the origin, and metres per degree of longitude and latitude.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Earth {
    pub(crate) longitude: f64,
    pub(crate) latitude: f64,
    east: f64,
    north: f64,
}

/// All fixes; without any, all named places and areas. Degrees of longitude and latitude.
fn places(kept: &Collected) -> Vec<(f64, f64)> {
    let tracks = kept.tracks.iter().filter(|track| track.ground() == Ground::Earth);
    let mut all: Vec<(f64, f64)> =
        tracks.flat_map(|track| &track.spots).map(|spot| (spot.x, spot.y)).collect();
    if all.is_empty() {
        all.extend(kept.places.iter().map(|named| named.place));
        all.extend(kept.areas.iter().flat_map(|area| area.corners.iter().copied()));
    }
    all
}

impl Earth {
    /// A grid with its origin at the first position, to scale at the median latitude.
    pub(crate) fn new(kept: &Collected) -> Option<Self> {
        let all = places(kept);
        let (longitude, latitude) = *all.first()?;
        let mut latitudes: Vec<f64> = all.into_iter().map(|place| place.1).collect();
        latitudes.sort_by(f64::total_cmp);
        let (north, east) = degree(latitudes.get(latitudes.len() / 2).copied().unwrap_or(latitude));
        Some(Self { longitude, latitude, east, north })
    }

    /// The same grid with its origin at the first position for which `is_shown` holds, given in metres of this grid.
    pub(crate) fn counting_from_shown(
        &self,
        kept: &Collected,
        is_shown: impl Fn((f64, f64)) -> bool,
    ) -> Option<Self> {
        let shown = places(kept).into_iter().find(|place| is_shown(self.metres(*place)));
        shown.map(|(longitude, latitude)| Self { longitude, latitude, ..*self })
    }

    pub(crate) fn metres(&self, (longitude, latitude): (f64, f64)) -> (f64, f64) {
        let degrees = longitude - self.longitude;
        let degrees = degrees - (degrees / 360.0).round() * 360.0;
        (degrees * self.east, (latitude - self.latitude) * self.north)
    }

    /// The corners of a border in metres; it may cross the date line.
    pub(crate) fn border(&self, corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let first = corners.first().map_or(0.0, |corner| corner.0);
        let turn = 360.0 * self.east;
        let from = self.metres((first, 0.0)).0;
        let place = |corner: &(f64, f64)| {
            let (x, y) = self.metres(*corner);
            (x - ((x - from) / turn).round() * turn, y)
        };
        corners.iter().map(place).collect()
    }

    /// Latitude and longitude of a position in metres.
    pub(crate) fn degrees(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.latitude + y / self.north, self.longitude + x / self.east.max(1e-9))
    }
}
