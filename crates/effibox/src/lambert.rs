//! Lambert II étendu: the plane coordinates of the data set, and those of EPSG:27572.
//!
//! The data set's logger projects by the algorithms and printed constants of the French mapping agency (IGN, note
//! NT/G 71): a polar axis of three decimals, a map constant of two, a prime meridian of fourteen, and an iteration that
//! ends at 1e-11 rad. [`Lambert::DATA_SET`] repeats them, so that the columns of `GGA_all.txt` come out with the digits
//! that stand in the file. [`Lambert::EPSG_27572`] has the exact constants that geodetic software uses.
//!
//! ```
//! use effibox::{lambert::{Geodetic, Lambert}, number::printf_g};
//! // 45°45.60946' N, 3°6.59563' E, 411.2 m above the sea and 49.4 m of geoid.
//! let latitude = (45.0 + 45.60946 / 60.0_f64).to_radians();
//! let longitude = (3.0 + 6.59563 / 60.0_f64).to_radians();
//! let height = f64::from(411.2_f32) + 49.4;
//! let plane = Lambert::DATA_SET.forward(Geodetic { latitude, longitude, height });
//! assert_eq!(printf_g(plane.easting, 15), "660168.799340458");
//! assert_eq!(printf_g(plane.northing, 15), "2084722.75496854");
//! ```
//!
//! Both shift from WGS 84 to the NTF datum by three translations, which are good to 2 m: neither is better than that
//! on the ground. They differ from each other by 4 mm where the height is left out, as software does that projects in
//! two dimensions, and by 1.4 mm where it is not.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A position on the WGS 84 ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Geodetic {
    /// Radians north of the equator.
    pub latitude: f64,
    /// Radians east of Greenwich.
    pub longitude: f64,
    /// Metres above the ellipsoid.
    pub height: f64,
}

/// The ellipsoid of WGS 84.
const WGS_84: Ellipsoid = Ellipsoid::from_flattening(6_378_137.0, 298.257_223_563);

impl Geodetic {
    /// Metres from the middle of the Earth: towards the equator at Greenwich, the equator at 90 degrees east, and the
    /// north pole.
    pub fn to_cartesian(self) -> [f64; 3] {
        WGS_84.to_cartesian(self)
    }

    /// From metres from the middle of the Earth, in the axes of [`to_cartesian`](Self::to_cartesian). Heights are
    /// meaningless at the poles, and all of it deep in the Earth.
    pub fn from_cartesian(position: [f64; 3]) -> Self {
        WGS_84.to_geodetic(position, 1e-15)
    }
}

/// A position on the map.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Plane {
    /// Metres east, with the false easting of 600 km.
    pub easting: f64,
    /// Metres north, with the false northing of 2200 km.
    pub northing: f64,
    /// Metres above the ellipsoid of NTF (Clarke 1880 IGN).
    pub height: f64,
}

/// An ellipsoid of revolution.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ellipsoid {
    /// Semi-major axis, metres.
    a: f64,
    /// Square of the first eccentricity.
    e2: f64,
}

impl Ellipsoid {
    const fn from_axes(a: f64, b: f64) -> Self {
        Self { a, e2: (a * a - b * b) / (a * a) }
    }

    const fn from_flattening(a: f64, inverse: f64) -> Self {
        let f = 1.0 / inverse;
        Self { a, e2: f * (2.0 - f) }
    }

    /// Radius of curvature in the prime vertical.
    fn prime_vertical(self, latitude: f64) -> f64 {
        let sin = latitude.sin();
        self.a / (1.0 - self.e2 * sin * sin).sqrt()
    }

    fn to_cartesian(self, at: Geodetic) -> [f64; 3] {
        let n = self.prime_vertical(at.latitude);
        let ring = (n + at.height) * at.latitude.cos();
        [
            ring * at.longitude.cos(),
            ring * at.longitude.sin(),
            (n * (1.0 - self.e2) + at.height) * at.latitude.sin(),
        ]
    }

    /// IGN's algorithm 12: repeats until the latitude moves by less than `tolerance`.
    fn to_geodetic(self, [x, y, z]: [f64; 3], tolerance: f64) -> Geodetic {
        let ring = x.hypot(y);
        let norm = (x * x + y * y + z * z).sqrt();
        let mut latitude = (z / (ring * (1.0 - self.a * self.e2 / norm))).atan();
        for _ in 0..ITERATIONS {
            let sin = latitude.sin();
            let bend = self.a * self.e2 * latitude.cos() / (ring * (1.0 - self.e2 * sin * sin).sqrt());
            let next = ((z / ring) / (1.0 - bend)).atan();
            let moved = (next - latitude).abs();
            latitude = next;
            if moved < tolerance {
                break;
            }
        }
        let height = ring / latitude.cos() - self.prime_vertical(latitude);
        Geodetic { latitude, longitude: y.atan2(x), height }
    }

    /// Isometric latitude.
    fn isometric(self, latitude: f64) -> f64 {
        let e = self.e2.sqrt();
        let sin = e * latitude.sin();
        (FRAC_PI_4 + latitude / 2.0).tan().ln() + e / 2.0 * ((1.0 - sin) / (1.0 + sin)).ln()
    }

    /// The latitude of an isometric latitude.
    fn latitude_of(self, isometric: f64, tolerance: f64) -> f64 {
        let e = self.e2.sqrt();
        let growth = isometric.exp();
        let mut latitude = 2.0 * growth.atan() - FRAC_PI_2;
        for _ in 0..ITERATIONS {
            let sin = e * latitude.sin();
            let next = 2.0 * (((1.0 + sin) / (1.0 - sin)).powf(e / 2.0) * growth).atan() - FRAC_PI_2;
            let moved = (next - latitude).abs();
            latitude = next;
            if moved < tolerance {
                break;
            }
        }
        latitude
    }
}

/// Each step of an iteration gains more than two digits.
const ITERATIONS: usize = 20;

/// From WGS 84 to NTF, metres.
const SHIFT: [f64; 3] = [168.0, 60.0, -320.0];

/// A Lambert conformal conic projection on the NTF datum, with the way there from WGS 84.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lambert {
    wgs84: Ellipsoid,
    ntf: Ellipsoid,
    /// Where iterations end, radians.
    tolerance: f64,
    /// Exponent of the cone.
    n: f64,
    /// Metres; `None` where it follows from the scale on the standard parallel.
    c: Option<f64>,
    /// East of Greenwich, radians.
    meridian: f64,
    /// Of the apex, metres; the northing is that of the standard parallel where `c` is `None`.
    origin: [f64; 2],
}

/// The standard parallel, 52 grades north.
const PARALLEL: f64 = 46.8 * (std::f64::consts::PI / 180.0);
/// The scale on it.
const SCALE: f64 = 0.999_877_42;

impl Lambert {
    /// As the data set's logger computes. The columns `lat_l2e` and `lng_l2e` of its tables are easting and northing,
    /// in this order; `alt_l2e` is the height above WGS 84, unchanged.
    pub const DATA_SET: Self = Self {
        wgs84: Ellipsoid::from_axes(6_378_137.0, 6_356_752.314),
        ntf: Ellipsoid::from_axes(6_378_249.2, 6_356_515.0),
        tolerance: 1e-11,
        n: 0.728_968_627_4,
        c: Some(11_745_793.39),
        meridian: 0.040_792_344_331_98,
        origin: [600_000.0, 8_199_695.768],
    };

    /// NTF (Paris) / Lambert zone II, as the EPSG registry defines it. Give the height 0 for what software computes that
    /// projects in two dimensions.
    pub const EPSG_27572: Self = Self {
        wgs84: WGS_84,
        ntf: Ellipsoid::from_axes(6_378_249.2, 6_356_515.0),
        tolerance: 1e-15,
        n: 0.728_968_627_421_411_4,
        c: None,
        // 2°20'14.025". The registry has it as 2.5969213 grades, rounded, which is 0.26 mm off; PROJ does as here.
        meridian: 8414.025 / 3600.0 * (std::f64::consts::PI / 180.0),
        origin: [600_000.0, 2_200_000.0],
    };

    /// From WGS 84 to the map.
    pub fn forward(&self, at: Geodetic) -> Plane {
        let [x, y, z] = self.wgs84.to_cartesian(at);
        let [dx, dy, dz] = SHIFT;
        let ntf = self.ntf.to_geodetic([x + dx, y + dy, z + dz], self.tolerance);
        let [c, north] = self.cone();
        let radius = c * (-self.n * self.ntf.isometric(ntf.latitude)).exp();
        let angle = self.n * (ntf.longitude - self.meridian);
        Plane {
            easting: self.origin[0] + radius * angle.sin(),
            northing: north - radius * angle.cos(),
            height: ntf.height,
        }
    }

    /// From the map to WGS 84. The height is one above the ellipsoid of NTF, as [`forward`](Self::forward) gives it.
    pub fn inverse(&self, at: Plane) -> Geodetic {
        let [c, north] = self.cone();
        let (dx, dy) = (at.easting - self.origin[0], north - at.northing);
        let radius = dx.hypot(dy);
        let longitude = self.meridian + dx.atan2(dy) / self.n;
        let isometric = -(radius / c).ln() / self.n;
        let latitude = self.ntf.latitude_of(isometric, self.tolerance);
        let [x, y, z] = self.ntf.to_cartesian(Geodetic { latitude, longitude, height: at.height });
        let [dx, dy, dz] = SHIFT;
        self.wgs84.to_geodetic([x - dx, y - dy, z - dz], self.tolerance)
    }

    /// The map's constant, and the northing of the apex.
    fn cone(&self) -> [f64; 2] {
        let Some(c) = self.c else {
            let radius = SCALE * self.ntf.prime_vertical(PARALLEL) * PARALLEL.cos() / self.n;
            return [radius * (self.n * self.ntf.isometric(PARALLEL)).exp(), self.origin[1] + radius];
        };
        [c, self.origin[1]]
    }
}
