//! Areas on Earth.

use std::cell::Cell;

/// An area on Earth: rings of latitudes and longitudes in degrees, possibly with holes. Edges are straight in degrees,
/// as in GeoJSON; an area may cross the 180 degree meridian.
///
/// ```
/// use robolog_core::Area;
/// let area = Area::new(vec![vec![[45.0, 3.0], [46.0, 3.0], [46.0, 4.0], [45.0, 4.0]]]);
/// assert!(area.contains(45.5, 3.5) && !area.contains(44.9, 3.5));
/// let across = Area::new(vec![vec![[-1.0, 179.0], [1.0, 179.0], [1.0, -179.0], [-1.0, -179.0]]]);
/// assert!(across.contains(0.0, -179.5) && across.contains(0.5, 180.0) && !across.contains(0.0, 0.0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Area {
    rings: Vec<Vec<[f64; 2]>>,
    /// The last latitude and longitude seen.
    last: Cell<[Option<f64>; 2]>,
}

impl Area {
    /// The area within these rings of `[latitude, longitude]`, which are closed automatically.
    pub fn new(rings: Vec<Vec<[f64; 2]>>) -> Self {
        Self { rings, last: Cell::default() }
    }

    /// Whether the area contains a place.
    pub fn contains(&self, latitude: f64, longitude: f64) -> bool {
        let crossings = self.rings.iter().map(|ring| crossings(ring, latitude, longitude));
        crossings.sum::<usize>() % 2 == 1
    }

    /// Whether data recorded now lies in the area, judged by the last latitude and longitude seen, which these update.
    /// True until both are known.
    pub fn follow(&self, latitude: Option<f64>, longitude: Option<f64>) -> bool {
        let [old_latitude, old_longitude] = self.last.get();
        let now = [latitude.or(old_latitude), longitude.or(old_longitude)];
        self.last.set(now);
        match now {
            [Some(latitude), Some(longitude)] => self.contains(latitude, longitude),
            _ => true,
        }
    }
}

/// How often a line from the place due north crosses the ring.
fn crossings(ring: &[[f64; 2]], latitude: f64, longitude: f64) -> usize {
    let east_of = |east: f64| (east - longitude + 540.0).rem_euclid(360.0) - 180.0;
    let ends = ring.iter().cycle().skip(1);
    let is_crossed = |(from, to): &(&[f64; 2], &[f64; 2])| {
        let ([south, west], [north, east]) = (from, to);
        let west = east_of(*west);
        // The short way round.
        let east = west + (east - from[1] + 540.0).rem_euclid(360.0) - 180.0;
        let is_beside = (west > 0.0) != (east > 0.0);
        is_beside && south + (north - south) * -west / (east - west) > latitude
    };
    ring.iter().zip(ends).filter(is_crossed).count()
}
