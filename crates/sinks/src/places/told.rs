//! Origin of local frames, as given by a recording.

use super::{GeoPoint, Grid, LocalFrame};

/// Origin of the local frames of a recording, and its source.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ToldOrigin {
    /// The origin.
    pub place: GeoPoint,
    /// How the origin was computed, if the recording does not name it.
    pub fit: Option<Fit>,
}

/// The origin that a recording names.
impl From<GeoPoint> for ToldOrigin {
    fn from(place: GeoPoint) -> Self {
        Self { place, fit: None }
    }
}

/// How well an origin fits positions that a recording has in the local frame and as latitude and longitude.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Fit {
    /// Number of pairs of positions.
    pub pairs: usize,
    /// Root mean square of their distances, metres.
    pub rms: f64,
    /// Maximum distance, metres.
    pub worst: f64,
}

/// Positions in a local frame, paired with latitude and longitude.
#[derive(Debug, Default)]
pub struct Pairs {
    list: Vec<[f64; 4]>,
}

/// Maximum number of pairs in memory.
const MOST: usize = 200_000;
/// Maximum RMS distance between two records of the same track, metres: five decimals of a degree are a metre.
const WORST_RMS: f64 = 5.0;
/// Length of a degree of latitude, metres.
const DEGREE: f64 = 111_195.0;

impl Pairs {
    /// Adds x and y in metres, latitude and longitude in degrees. Skips invalid places, and latitude and longitude 0,
    /// which means that there is no position yet.
    pub fn push(&mut self, pair: [f64; 4]) {
        let [x, y, latitude, longitude] = pair;
        let is_place = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        let is_known = latitude != 0.0 || longitude != 0.0;
        if is_place && is_known && x.is_finite() && y.is_finite() && self.list.len() < MOST {
            self.list.push(pair);
        }
    }

    /// The origin for which both sets of positions agree on average; `None` without pairs. Returns how far they are
    /// apart as an error if no origin fits.
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
    pub fn origin(&self, grid: Grid) -> Option<Result<ToldOrigin, Fit>> {
        let [_, _, latitude, longitude] = *self.list.first()?;
        let mut place = GeoPoint { latitude, longitude, altitude: 0.0 };
        let n = self.list.len() as f64;
        // Each step moves the origin by the mean error; the error that remains is the difference of scale over that
        // step.
        for _ in 0..8 {
            let frame = LocalFrame::new(place, grid);
            let (mut north, mut east) = (0.0, 0.0);
            for [x, y, latitude, longitude] in &self.list {
                let got = frame.place([*x, *y, 0.0]);
                north += latitude - got.latitude;
                east += turned(longitude - got.longitude);
            }
            place.latitude = (place.latitude + north / n).clamp(-90.0, 90.0);
            place.longitude = turned(place.longitude + east / n);
        }
        let (frame, (mut sum, mut worst)) = (LocalFrame::new(place, grid), (0.0, 0.0_f64));
        for [x, y, latitude, longitude] in &self.list {
            let got = frame.place([*x, *y, 0.0]);
            let north = (latitude - got.latitude) * DEGREE;
            let east = turned(longitude - got.longitude) * DEGREE * latitude.to_radians().cos();
            let off = north.hypot(east);
            sum += off * off;
            worst = worst.max(off);
        }
        let fit = Fit { pairs: self.list.len(), rms: (sum / n).sqrt(), worst };
        Some(if fit.rms <= WORST_RMS { Ok(ToldOrigin { place, fit: Some(fit) }) } else { Err(fit) })
    }
}

/// Wraps degrees to -180 to 180.
fn turned(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From pyproj 3.7.2, as in the tests of `Grid`: places of positions around 43.8253, -70.3304.
    #[test]
    fn an_origin_is_found_from_places_of_proj() {
        let mut pairs = Pairs::default();
        pairs.push([0.0, 0.0, 0.0, 0.0]);
        pairs.push([100.0, 0.0, 43.825_314_469_013, -70.329_156_693_287]);
        pairs.push([163.0, -40.0, 43.824_963_523_058, -70.328_365_424_003]);
        pairs.push([-1500.0, 2500.0, 43.847_584_511_089, -70.349_556_649_221]);
        let told = pairs.origin(Grid::Utm).unwrap().unwrap();
        let GeoPoint { latitude, longitude, .. } = told.place;
        assert!((latitude - 43.8253).abs() < 1e-10 && (longitude + 70.3304).abs() < 1e-10, "{told:?}");
        let fit = told.fit.unwrap();
        assert!(fit.pairs == 3 && fit.rms < 1e-5 && fit.worst < 2e-5, "{fit:?}");
        // In true east and north the same positions are elsewhere: rotated by the meridian convergence.
        let fit = pairs
            .origin(Grid::Enu)
            .unwrap()
            .unwrap_or_else(|fit| ToldOrigin { place: told.place, fit: Some(fit) })
            .fit;
        assert!(fit.unwrap().rms > 1.0);
        assert!(Pairs::default().origin(Grid::Utm).is_none());
    }

    #[test]
    fn an_origin_beside_180_degrees_is_found_and_one_that_fits_nothing_is_not() {
        let mut pairs = Pairs::default();
        pairs.push([1000.0, 0.0, 12.499_897_423_920, -179.991_309_228_899]);
        let place = pairs.origin(Grid::Utm).unwrap().unwrap().place;
        assert!(
            (place.latitude - 12.5).abs() < 1e-9 && (place.longitude - 179.9995).abs() < 1e-9,
            "{place:?}"
        );
        pairs.push([1000.0, 0.0, 13.5, -179.0]);
        assert!(pairs.origin(Grid::Utm).unwrap().unwrap_err().rms > 10_000.0);
    }
}
