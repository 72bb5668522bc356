//! Plane grids around an origin, and the places on Earth of their coordinates.

use std::str::FromStr;

use super::{GeoPoint, mercator::Mercator, utm::Zone};

/// Orientation and scale of a local frame on Earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Grid {
    /// A flat frame at the origin: x true east, y true north, z up (REP-103).
    #[default]
    Enu,
    /// Differences of UTM coordinates in the zone of the origin, as `MOOSGeodesy` of MOOS computes them: x and y are
    /// rotated from true east and north by the meridian convergence, and scaled.
    Utm,
    /// The older local grid of MOOS: arcs on a sphere with the Earth's radius at the origin.
    Local,
}

impl Grid {
    /// All grids.
    pub const ALL: [Self; 3] = [Self::Enu, Self::Utm, Self::Local];

    /// Name, as [`FromStr`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enu => "enu",
            Self::Utm => "utm",
            Self::Local => "local",
        }
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|grid| grid.name() == text);
        found.ok_or_else(|| format!("none of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// A local frame: its origin and its grid.
#[derive(Debug, Clone, Copy)]
pub struct LocalFrame {
    origin: GeoPoint,
    grid: Grid,
    /// Coordinates of the origin in its UTM zone, metres.
    at: [f64; 2],
    plane: Mercator,
}

impl LocalFrame {
    /// The frame of `grid` around `origin`.
    pub fn new(origin: GeoPoint, grid: Grid) -> Self {
        let plane = Zone::of(origin.latitude, origin.longitude).plane();
        let at = plane.forward(origin.latitude, origin.longitude);
        Self { origin, grid, at, plane }
    }

    /// The place of a position, metres in this frame.
    #[must_use]
    pub fn place(&self, [x, y, z]: [f64; 3]) -> GeoPoint {
        let (latitude, longitude) = match self.grid {
            Grid::Enu => return self.origin.of([x, y, z]),
            Grid::Utm => {
                let [easting, northing] = self.at;
                self.plane.inverse([easting + x, northing + y])
            }
            Grid::Local => self.on_sphere(x, y),
        };
        GeoPoint { latitude, longitude, altitude: self.origin.altitude + z }
    }

    /// `LocalGrid2LatLong` of `MOOSGeodesy`.
    fn on_sphere(&self, x: f64, y: f64) -> (f64, f64) {
        let (a, b) = (6_378_137.0, 6_356_752.0);
        let latitude = self.origin.latitude.to_radians();
        let tan2 = latitude.tan().powi(2);
        let radius = b * (1.0 + tan2).sqrt() / ((b / a) * (b / a) + tan2).sqrt();
        let north = (y / radius).asin().to_degrees();
        let east = (x / (radius * latitude.cos())).asin().to_degrees();
        (self.origin.latitude + north, self.origin.longitude + east)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(frame: &LocalFrame, at: [f64; 2], want: [f64; 2], within: f64) {
        let [x, y] = at;
        let place = frame.place([x, y, 2.0]);
        let off = [(place.latitude - want[0]).abs(), (place.longitude - want[1]).abs()];
        assert!(off.iter().all(|off| *off < within), "{at:?}: {place:?} is not {want:?}");
        assert!((place.altitude - 12.0).abs() < 1e-12);
    }

    fn origin(latitude: f64, longitude: f64) -> GeoPoint {
        GeoPoint { latitude, longitude, altitude: 10.0 }
    }

    #[test]
    fn utm_is_that_of_proj() {
        // From pyproj 3.7.2: `+proj=utm +ellps=WGS84`, zone of the origin, differences of its coordinates.
        for (latitude, longitude, at, want) in [
            (43.8253, -70.3304, [0.0, 0.0], [43.8253, -70.3304]),
            (43.8253, -70.3304, [100.0, 0.0], [43.825_314_469_013, -70.329_156_693_287]),
            (43.8253, -70.3304, [163.0, -40.0], [43.824_963_523_058, -70.328_365_424_003]),
            (43.8253, -70.3304, [-1500.0, 2500.0], [43.847_584_511_089, -70.349_556_649_221]),
            (-33.8568, 151.2153, [250.0, -125.0], [-33.857_965_937_055, 151.217_977_905_190]),
            (51.818_496, -1.308_591, [3996.746, -7164.729], [51.753_257_828_297, -1.253_122_793_266]),
            // Across 180 degrees.
            (12.5, 179.9995, [1000.0, 0.0], [12.499_897_423_920, -179.991_309_228_899]),
            // Where maps use zone 32.
            (59.9, 5.0, [1000.0, 1000.0], [59.908_701_493_556, 5.018_408_010_378]),
        ] {
            let frame = LocalFrame::new(origin(latitude, longitude), Grid::Utm);
            assert_near(&frame, at, want, 2e-12);
        }
    }

    /// Expected values from the formula of `MOOSGeodesy`, computed in another language.
    #[test]
    fn the_local_grid_is_that_of_moos() {
        let frame = LocalFrame::new(origin(43.8253, -70.3304), Grid::Local);
        assert_near(&frame, [163.0, -40.0], [43.824_940_093_745, -70.328_367_137_317], 1e-11);
    }

    #[test]
    fn grids_are_called_by_their_names() {
        assert!(Grid::ALL.into_iter().all(|grid| grid.name().parse() == Ok(grid)));
        assert!("gauss".parse::<Grid>().is_err());
    }
}
