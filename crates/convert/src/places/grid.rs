//! Plane grids about an origin, and the places on Earth of their coordinates.

use std::str::FromStr;

use super::Place;

/// How x and y of a local frame lie on Earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grid {
    /// A flat frame at the origin: x true east, y true north, z up (REP-103).
    #[default]
    Enu,
    /// Differences of UTM coordinates in the zone of the origin, as MOOS's `MOOSGeodesy` makes them: x and y are turned
    /// against true east and north by the meridian convergence, and scaled.
    Utm,
    /// MOOS's older local grid: arcs on a sphere of the Earth's radius at the origin.
    Local,
}

impl Grid {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Enu, Self::Utm, Self::Local];

    /// Its name, as [`FromStr`] reads it.
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

/// A local frame: its origin, and how its axes lie there.
#[derive(Debug, Clone, Copy)]
pub struct LocalFrame {
    origin: Place,
    grid: Grid,
    /// Where the origin lies in its UTM zone, metres.
    plane: [f64; 2],
    meridian: f64,
}

impl LocalFrame {
    /// The frame of `grid` about `origin`.
    pub fn new(origin: Place, grid: Grid) -> Self {
        let meridian = central_meridian(origin.longitude);
        let plane = forward(origin.latitude, origin.longitude - meridian);
        Self { origin, grid, plane, meridian }
    }

    /// The place of a position, metres in this frame.
    #[must_use]
    pub fn place(&self, [x, y, z]: [f64; 3]) -> Place {
        let (latitude, longitude) = match self.grid {
            Grid::Enu => return self.origin.of([x, y, z]),
            Grid::Utm => {
                let [easting, northing] = self.plane;
                let (latitude, longitude) = inverse([easting + x, northing + y]);
                (latitude, longitude + self.meridian)
            }
            Grid::Local => self.on_sphere(x, y),
        };
        Place { latitude, longitude, altitude: self.origin.altitude + z }
    }

    /// `LocalGrid2LatLong` of MOOSGeodesy.
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

/// The middle of the UTM zone of a longitude, degrees; without the exceptions of Norway and Svalbard, which MOOS does
/// not know.
fn central_meridian(longitude: f64) -> f64 {
    ((longitude + 180.0) / 6.0).floor().mul_add(6.0, -177.0)
}

// The transverse Mercator projection by Krüger's series to the sixth power of the third flattening: exact to
// nanometres within a zone. L. Krüger, Konforme Abbildung des Erdellipsoids in der Ebene (1912); C. Karney, Transverse
// Mercator with an accuracy of a few nanometers (2011), equations 35 and 36.

/// Third flattening of WGS 84.
const N: f64 = {
    let f = 1.0 / 298.257_223_563;
    f / (2.0 - f)
};
const N2: f64 = N * N;
const N3: f64 = N2 * N;
const N4: f64 = N3 * N;
const N5: f64 = N4 * N;
const N6: f64 = N5 * N;

/// Radius of the meridian's rectifying circle, metres, times UTM's scale.
const RADIUS: f64 = 0.9996 * 6_378_137.0 / (1.0 + N) * (1.0 + N2 / 4.0 + N4 / 64.0 + N6 / 256.0);

const ALPHA: [f64; 6] = [
    N / 2.0 - N2 * 2.0 / 3.0 + N3 * 5.0 / 16.0 + N4 * 41.0 / 180.0 - N5 * 127.0 / 288.0
        + N6 * 7891.0 / 37_800.0,
    N2 * 13.0 / 48.0 - N3 * 3.0 / 5.0 + N4 * 557.0 / 1440.0 + N5 * 281.0 / 630.0
        - N6 * 1_983_433.0 / 1_935_360.0,
    N3 * 61.0 / 240.0 - N4 * 103.0 / 140.0 + N5 * 15_061.0 / 26_880.0 + N6 * 167_603.0 / 181_440.0,
    N4 * 49_561.0 / 161_280.0 - N5 * 179.0 / 168.0 + N6 * 6_601_661.0 / 7_257_600.0,
    N5 * 34_729.0 / 80_640.0 - N6 * 3_418_889.0 / 1_995_840.0,
    N6 * 212_378_941.0 / 319_334_400.0,
];

const BETA: [f64; 6] = [
    N / 2.0 - N2 * 2.0 / 3.0 + N3 * 37.0 / 96.0 - N4 / 360.0 - N5 * 81.0 / 512.0 + N6 * 96_199.0 / 604_800.0,
    N2 / 48.0 + N3 / 15.0 - N4 * 437.0 / 1440.0 + N5 * 46.0 / 105.0 - N6 * 1_118_711.0 / 3_870_720.0,
    N3 * 17.0 / 480.0 - N4 * 37.0 / 840.0 - N5 * 209.0 / 4480.0 + N6 * 5569.0 / 90_720.0,
    N4 * 4397.0 / 161_280.0 - N5 * 11.0 / 504.0 - N6 * 830_251.0 / 7_257_600.0,
    N5 * 4583.0 / 161_280.0 - N6 * 108_847.0 / 3_991_680.0,
    N6 * 20_648_693.0 / 638_668_800.0,
];

/// Metres east of a meridian and north of the equator, of degrees north and east of that meridian.
fn forward(latitude: f64, east: f64) -> [f64; 2] {
    let (latitude, east) = (latitude.to_radians(), east.to_radians());
    let e = eccentricity();
    let sin = latitude.sin();
    // Tangent of the conformal latitude.
    let t = (sin.atanh() - e * (e * sin).atanh()).sinh();
    let xi = t.atan2(east.cos());
    let eta = (east.sin() / t.hypot(east.cos())).asinh();
    let (mut x, mut y) = (eta, xi);
    for (j, a) in (1_u8..).zip(ALPHA) {
        let k = 2.0 * f64::from(j);
        y += a * (k * xi).sin() * (k * eta).cosh();
        x += a * (k * xi).cos() * (k * eta).sinh();
    }
    [RADIUS * x, RADIUS * y]
}

/// Degrees north and east of a meridian, of metres east of it and north of the equator.
fn inverse([x, y]: [f64; 2]) -> (f64, f64) {
    let (eta, xi) = (x / RADIUS, y / RADIUS);
    let (mut eta1, mut xi1) = (eta, xi);
    for (j, b) in (1_u8..).zip(BETA) {
        let k = 2.0 * f64::from(j);
        xi1 -= b * (k * xi).sin() * (k * eta).cosh();
        eta1 -= b * (k * xi).cos() * (k * eta).sinh();
    }
    let conformal = xi1.sin() / eta1.sinh().hypot(xi1.cos());
    (of_conformal(conformal).atan().to_degrees(), eta1.sinh().atan2(xi1.cos()).to_degrees())
}

/// The tangent of the latitude whose conformal latitude has this tangent: Karney's equations 19 to 21.
fn of_conformal(target: f64) -> f64 {
    let e = eccentricity();
    let rest = 1.0 - e * e;
    let mut tan = target / rest.sqrt();
    // Two steps are enough for doubles.
    for _ in 0..4 {
        let root = tan.hypot(1.0);
        let sigma = (e * (e * tan / root).atanh()).sinh();
        let conformal = tan * sigma.hypot(1.0) - sigma * root;
        tan += (target - conformal) / conformal.hypot(1.0) * (1.0 + rest * tan * tan) / (rest * root);
    }
    tan
}

/// First eccentricity of WGS 84.
fn eccentricity() -> f64 {
    let f = 1.0 / 298.257_223_563;
    let square: f64 = f * (2.0 - f);
    square.sqrt()
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

    fn origin(latitude: f64, longitude: f64) -> Place {
        Place { latitude, longitude, altitude: 10.0 }
    }

    #[test]
    fn utm_is_that_of_proj() {
        // By pyproj 3.7.2: `+proj=utm +ellps=WGS84`, zone of the origin, differences of its coordinates.
        for (latitude, longitude, at, want) in [
            (43.8253, -70.3304, [0.0, 0.0], [43.8253, -70.3304]),
            (43.8253, -70.3304, [100.0, 0.0], [43.825_314_469_013, -70.329_156_693_287]),
            (43.8253, -70.3304, [163.0, -40.0], [43.824_963_523_058, -70.328_365_424_003]),
            (43.8253, -70.3304, [-1500.0, 2500.0], [43.847_584_511_089, -70.349_556_649_221]),
            (-33.8568, 151.2153, [250.0, -125.0], [-33.857_965_937_055, 151.217_977_905_190]),
            (51.818_496, -1.308_591, [3996.746, -7164.729], [51.753_257_828_297, -1.253_122_793_266]),
            // Where maps use zone 32.
            (59.9, 5.0, [1000.0, 1000.0], [59.908_701_493_556, 5.018_408_010_378]),
        ] {
            let frame = LocalFrame::new(origin(latitude, longitude), Grid::Utm);
            assert_near(&frame, at, want, 2e-12);
        }
    }

    /// By the formula of MOOSGeodesy in another language.
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
