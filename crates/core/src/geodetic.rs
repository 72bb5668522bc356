//! Geodetic and geocentric positions.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A position on the WGS 84 ellipsoid.
///
/// ```
/// use robolog_core::geodetic::Geodetic;
/// let place = Geodetic { latitude: 45.76_f64.to_radians(), longitude: 3.11_f64.to_radians(), height: 411.0 };
/// let back = Geodetic::from_cartesian(place.to_cartesian());
/// assert!((back.latitude - place.latitude).abs() < 1e-12 && (back.height - 411.0).abs() < 1e-6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Geodetic {
    /// Radians north of the equator.
    pub latitude: f64,
    /// Radians east of Greenwich.
    pub longitude: f64,
    /// Metres above the ellipsoid.
    pub height: f64,
}

/// The smallest box around some positions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounds {
    /// Minimum latitude, degrees.
    pub south: f64,
    /// Minimum longitude, degrees.
    pub west: f64,
    /// Maximum latitude, degrees.
    pub north: f64,
    /// Maximum longitude, degrees.
    pub east: f64,
}

impl Bounds {
    /// Extends `bounds` by one position, in degrees. Ignores positions that are not on Earth.
    ///
    /// ```
    /// use robolog_core::geodetic::Bounds;
    /// let places = [(45.7, 3.1), (45.8, 3.0), (f64::NAN, 7.0)];
    /// let bounds = places.into_iter().fold(None, |bounds, (lat, lon)| Bounds::with(bounds, lat, lon));
    /// assert_eq!(bounds, Some(Bounds { south: 45.7, west: 3.0, north: 45.8, east: 3.1 }));
    /// ```
    pub fn with(bounds: Option<Self>, latitude: f64, longitude: f64) -> Option<Self> {
        let is_on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        if !is_on_earth {
            return bounds;
        }
        let old =
            bounds.unwrap_or(Self { south: latitude, west: longitude, north: latitude, east: longitude });
        Some(Self {
            south: old.south.min(latitude),
            west: old.west.min(longitude),
            north: old.north.max(latitude),
            east: old.east.max(longitude),
        })
    }
}

/// Each iteration gains more than two digits.
const ITERATIONS: usize = 20;

impl Geodetic {
    /// Metres from the Earth's centre: towards the equator at Greenwich, the equator at 90 degrees east, and the north
    /// pole.
    pub fn to_cartesian(self) -> [f64; 3] {
        Ellipsoid::WGS_84.to_cartesian(self)
    }

    /// From metres from the Earth's centre, in the axes of [`to_cartesian`](Self::to_cartesian). The height is
    /// meaningless at the poles, and the whole result deep inside the Earth.
    pub fn from_cartesian(position: [f64; 3]) -> Self {
        Ellipsoid::WGS_84.to_geodetic(position, 1e-15)
    }
}

/// An ellipsoid of revolution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// Semi-major axis, metres.
    a: f64,
    /// Square of the first eccentricity.
    e2: f64,
}

impl Ellipsoid {
    /// The WGS 84 ellipsoid.
    pub const WGS_84: Self = Self::from_flattening(6_378_137.0, 298.257_223_563);

    /// With these semi-axes, metres.
    #[must_use]
    pub const fn from_axes(a: f64, b: f64) -> Self {
        Self { a, e2: (a * a - b * b) / (a * a) }
    }

    /// With this semi-major axis, metres, and inverse flattening.
    #[must_use]
    pub const fn from_flattening(a: f64, inverse: f64) -> Self {
        let f = 1.0 / inverse;
        Self { a, e2: f * (2.0 - f) }
    }

    /// Radius of curvature in the prime vertical, metres; `latitude` in radians.
    #[must_use]
    pub fn prime_vertical(self, latitude: f64) -> f64 {
        let sin = latitude.sin();
        self.a / (1.0 - self.e2 * sin * sin).sqrt()
    }

    /// Metres from the Earth's centre.
    #[must_use]
    pub fn to_cartesian(self, at: Geodetic) -> [f64; 3] {
        let n = self.prime_vertical(at.latitude);
        let ring = (n + at.height) * at.latitude.cos();
        [
            ring * at.longitude.cos(),
            ring * at.longitude.sin(),
            (n * (1.0 - self.e2) + at.height) * at.latitude.sin(),
        ]
    }

    /// The position at these coordinates from the Earth's centre, metres, by IGN's algorithm 12: iterates until the
    /// latitude changes by less than `tolerance`, radians.
    #[must_use]
    pub fn to_geodetic(self, [x, y, z]: [f64; 3], tolerance: f64) -> Geodetic {
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

    /// The isometric latitude of a latitude in radians.
    #[must_use]
    pub fn isometric(self, latitude: f64) -> f64 {
        let e = self.e2.sqrt();
        let sin = e * latitude.sin();
        (FRAC_PI_4 + latitude / 2.0).tan().ln() + e / 2.0 * ((1.0 - sin) / (1.0 + sin)).ln()
    }

    /// The latitude of an isometric latitude, radians, within `tolerance`.
    #[must_use]
    pub fn latitude_of(self, isometric: f64, tolerance: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    const NTF: Ellipsoid = Ellipsoid::from_axes(6_378_249.2, 6_356_515.0);

    fn assert_close<const N: usize>(got: [f64; N], wanted: [f64; N], tolerance: f64) {
        let is_close = got.iter().zip(&wanted).all(|(got, wanted)| (got - wanted).abs() <= tolerance);
        assert!(is_close, "{got:?} are not {wanted:?}");
    }

    /// The example of EPSG's Guidance Note 7-2 for its method 9602.
    #[test]
    fn positions_are_those_that_epsg_publishes() {
        let degrees = |d: f64, m: f64, s: f64| (d + m / 60.0 + s / 3600.0).to_radians();
        let at = Geodetic {
            latitude: degrees(53.0, 48.0, 33.820),
            longitude: degrees(2.0, 7.0, 46.380),
            height: 73.0,
        };
        let published = [3_771_793.968, 140_253.342, 5_124_304.349];
        assert_close(at.to_cartesian(), published, 0.001);
        let back = Geodetic::from_cartesian(published);
        assert_close([back.latitude, back.longitude], [at.latitude, at.longitude], 2e-10);
        assert_close([back.height], [at.height], 0.001);
        let exact = Geodetic::from_cartesian(at.to_cartesian());
        assert_close([exact.latitude, exact.longitude], [at.latitude, at.longitude], 1e-15);
    }

    /// The examples of IGN's notes NT/G 71, algorithms 1 and 2, and NT/G 80, algorithm 9, for the Clarke 1880 IGN
    /// ellipsoid.
    #[test]
    fn latitudes_are_those_that_ign_publishes() {
        let at = Geodetic { latitude: 0.020_362_174_57, longitude: 0.017_453_292_48, height: 100.0 };
        let published = [6_376_064.695, 111_294.623, 128_984.725];
        assert_close(NTF.to_cartesian(at), published, 0.001);
        assert_close([NTF.to_geodetic(published, 1e-15).height], [at.height], 0.001);

        // The notes give the eccentricity of GRS 80 to ten digits.
        let grs80 = Ellipsoid { a: 1.0, e2: 0.081_991_889_98_f64.powi(2) };
        for (latitude, isometric) in [
            (0.872_664_626_00, 1.005_526_536_49),
            (-0.299_999_999_97, -0.302_616_900_60),
            (0.199_989_033_69, 0.200_000_000_00),
        ] {
            assert_close([grs80.isometric(latitude)], [isometric], 5e-11);
            assert_close([grs80.latitude_of(isometric, 1e-15)], [latitude], 5e-11);
        }
    }

    #[test]
    fn bounds_hold_the_poles_and_the_date_line_and_nothing_that_is_not_on_earth() {
        let corners = [(-90.0, -180.0), (90.0, 180.0)];
        let all = corners.into_iter().fold(None, |bounds, (lat, lon)| Bounds::with(bounds, lat, lon));
        assert_eq!(all, Some(Bounds { south: -90.0, west: -180.0, north: 90.0, east: 180.0 }));
        assert_eq!(Bounds::with(None, 90.5, 0.0), None);
        assert_eq!(Bounds::with(None, 0.0, 180.5), None);
    }
}
