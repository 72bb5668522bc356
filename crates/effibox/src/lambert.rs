//! Lambert II étendu: the plane coordinates of the data set, and of EPSG:27572.
//!
//! The data set's logger uses the algorithms and printed constants of the French mapping agency (IGN, note NT/G 71): a
//! polar axis of three decimals, a map constant of two, a prime meridian of fourteen, and an iteration that ends at
//! 1e-11 rad. [`Lambert::DATA_SET`] repeats them and reproduces the columns of `GGA_all.txt` to the last digit.
//! [`Lambert::EPSG_27572`] has the exact constants of geodetic software.
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
//! Both shift from WGS 84 to the NTF datum by three translations, which are accurate to 2 m: neither is better than
//! that on the ground. They differ from each other by 4 mm if the height is left out, as in two-dimensional
//! projections, and by 1.4 mm if not.

use robolog_core::geodetic::Ellipsoid;
pub use robolog_core::geodetic::Geodetic;

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

/// Shift from WGS 84 to NTF, metres.
const SHIFT: [f64; 3] = [168.0, 60.0, -320.0];

/// A Lambert conformal conic projection on the NTF datum, with the datum shift from WGS 84.
///
/// ```
/// use effibox::lambert::{Geodetic, Lambert};
/// let place = Geodetic { latitude: 0.798665417515059, longitude: 0.0542784685555518, height: 460.6 };
/// let plane = Lambert::DATA_SET.forward(place);
/// assert!((plane.easting - 660_168.8).abs() < 1.0 && (plane.northing - 2_084_722.8).abs() < 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lambert {
    wgs84: Ellipsoid,
    ntf: Ellipsoid,
    /// Tolerance of iterations, radians.
    tolerance: f64,
    /// Exponent of the cone.
    n: f64,
    /// Metres; `None` to derive it from the scale on the standard parallel.
    c: Option<f64>,
    /// East of Greenwich, radians.
    meridian: f64,
    /// Of the apex, metres; the northing is that of the standard parallel if `c` is `None`.
    origin: [f64; 2],
}

/// The standard parallel, 52 grades north.
const PARALLEL: f64 = 46.8 * (std::f64::consts::PI / 180.0);
/// The scale on it.
const SCALE: f64 = 0.999_877_42;

impl Lambert {
    /// As in the data set's logger. The columns `lat_l2e` and `lng_l2e` of its tables are easting and northing, in this
    /// order; `alt_l2e` is the height above WGS 84, unchanged.
    pub const DATA_SET: Self = Self {
        wgs84: Ellipsoid::from_axes(6_378_137.0, 6_356_752.314),
        ntf: Ellipsoid::from_axes(6_378_249.2, 6_356_515.0),
        tolerance: 1e-11,
        n: 0.728_968_627_4,
        c: Some(11_745_793.39),
        meridian: 0.040_792_344_331_98,
        origin: [600_000.0, 8_199_695.768],
    };

    /// NTF (Paris) / Lambert zone II, as defined in the EPSG registry. Use height 0 to match software that projects in
    /// two dimensions.
    pub const EPSG_27572: Self = Self {
        wgs84: Ellipsoid::WGS_84,
        ntf: Ellipsoid::from_axes(6_378_249.2, 6_356_515.0),
        tolerance: 1e-15,
        n: 0.728_968_627_421_411_4,
        c: None,
        // 2°20'14.025". The registry has it as 2.5969213 grades, rounded, which is 0.26 mm off; PROJ uses this value.
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

    /// From the map to WGS 84. The height is above the ellipsoid of NTF, as [`forward`](Self::forward) returns it.
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

    /// The map's constant and the northing of the apex.
    fn cone(&self) -> [f64; 2] {
        let Some(c) = self.c else {
            let radius = SCALE * self.ntf.prime_vertical(PARALLEL) * PARALLEL.cos() / self.n;
            return [radius * (self.n * self.ntf.isometric(PARALLEL)).exp(), self.origin[1] + radius];
        };
        [c, self.origin[1]]
    }
}
