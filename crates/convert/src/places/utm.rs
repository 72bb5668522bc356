//! The zones of the Universal Transverse Mercator grid on the ellipsoid of WGS 84.

use std::f64::consts::TAU;

/// A zone of one hemisphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zone {
    /// From 1 at 180 degrees west on.
    number: u8,
    is_north: bool,
}

/// Semi-major axis of WGS 84, metres.
const A: f64 = 6_378_137.0;
/// Third flattening of WGS 84.
const N: f64 = {
    let f = 1.0 / 298.257_223_563;
    f / (2.0 - f)
};
/// Scale on the central meridian.
const SCALE: f64 = 0.9996;
const FALSE_EASTING: f64 = 500_000.0;
/// South of the equator.
const FALSE_NORTHING: f64 = 10_000_000.0;

/// Radius of a circle that is as long as a meridian.
const RECTIFYING: f64 = A / (1.0 + N) * (1.0 + N * N / 4.0 + N * N * N * N / 64.0);

/// Krüger's series to the fourth power of `N`: to a micrometre within a zone.
const SERIES: [f64; 4] = {
    let (n2, n3, n4) = (N * N, N * N * N, N * N * N * N);
    [
        N / 2.0 - n2 * 2.0 / 3.0 + n3 * 5.0 / 16.0 + n4 * 41.0 / 180.0,
        n2 * 13.0 / 48.0 - n3 * 3.0 / 5.0 + n4 * 557.0 / 1440.0,
        n3 * 61.0 / 240.0 - n4 * 103.0 / 140.0,
        n4 * 49_561.0 / 161_280.0,
    ]
};

impl Zone {
    /// The zone of six degrees in which a place lies, without the exceptions of Norway and Svalbard.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 59")]
    pub(crate) fn of(latitude: f64, longitude: f64) -> Self {
        let number = ((longitude + 180.0) / 6.0).floor().clamp(0.0, 59.0) as u8;
        Self { number: number.saturating_add(1), is_north: latitude >= 0.0 }
    }

    /// By its number in the EPSG register, where it is such a zone.
    pub(crate) fn from_epsg(code: u16) -> Option<Self> {
        let (number, is_north) = match code {
            32_601..=32_660 => (code.checked_sub(32_600)?, true),
            32_701..=32_760 => (code.checked_sub(32_700)?, false),
            _ => return None,
        };
        Some(Self { number: u8::try_from(number).ok()?, is_north })
    }

    /// Its number in the EPSG register.
    pub(crate) fn epsg(self) -> u16 {
        let hemisphere: u16 = if self.is_north { 32_600 } else { 32_700 };
        hemisphere.saturating_add(self.number.into())
    }

    /// Easting and northing, metres, of degrees north and east.
    pub(crate) fn forward(self, latitude: f64, longitude: f64) -> (f64, f64) {
        let meridian = f64::from(self.number) * 6.0 - 183.0;
        let (sin_latitude, from_meridian) =
            (latitude.to_radians().sin(), (longitude - meridian).to_radians());
        // A zone may reach over 180 degrees.
        let from_meridian = from_meridian - (from_meridian / TAU).round() * TAU;
        let e = 2.0 * N.sqrt() / (1.0 + N);
        let conformal = (sin_latitude.atanh() - e * (e * sin_latitude).atanh()).sinh();
        let xi = conformal.atan2(from_meridian.cos());
        let eta = (from_meridian.sin() / conformal.hypot(1.0)).atanh();
        let (mut north, mut east) = (xi, eta);
        for (k, factor) in [2.0, 4.0, 6.0, 8.0].into_iter().zip(SERIES) {
            north += factor * (k * xi).sin() * (k * eta).cosh();
            east += factor * (k * xi).cos() * (k * eta).sinh();
        }
        let false_northing = if self.is_north { 0.0 } else { FALSE_NORTHING };
        (FALSE_EASTING + SCALE * RECTIFYING * east, false_northing + SCALE * RECTIFYING * north)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_those_of_proj() {
        // By PROJ 9, from EPSG:4326 to the zone.
        for (latitude, longitude, epsg, easting, northing) in [
            (50.35, 7.6, 32_632, 400_398.212_437_3, 5_578_483.500_998_4),
            (42.3588, -71.0873, 32_619, 328_105.704_915_3, 4_691_724.748_591_7),
            (-33.86, 151.21, 32_756, 334_416.393_989_7, 6_251_925.360_352_4),
            (0.0, 9.0, 32_632, 500_000.000_000_0, 0.000_000_0),
            (83.9, -179.9, 32_601, 465_609.168_730_0, 9_317_795.753_332_4),
            (-79.5, 179.99, 32_760, 560_803.361_967_4, 1_172_660.633_653_9),
            (45.76, 3.11, 32_631, 508_554.305_165_0, 5_067_388.291_565_6),
        ] {
            let zone = Zone::of(latitude, longitude);
            assert_eq!((zone.epsg(), Zone::from_epsg(epsg)), (epsg, Some(zone)));
            let (e, n) = zone.forward(latitude, longitude);
            assert!((e - easting).abs() < 1e-6 && (n - northing).abs() < 1e-6, "{epsg}: {e} {n}");
        }
        // Beside its own zone, and across 180 degrees.
        for (epsg, longitude, easting) in [
            (32_632, 2.9, 62_974.801_177_8),
            (32_660, -179.5, 750_807.760_641_6),
            (32_601, 179.5, 249_192.239_358_4),
        ] {
            let (e, _) = Zone::from_epsg(epsg).unwrap().forward(50.0, longitude);
            assert!((e - easting).abs() < 1e-5, "{epsg} {longitude}: {e}");
        }
        assert_eq!([32_600, 32_661, 32_700, 32_761, 4326].map(Zone::from_epsg), [None; 5]);
    }
}
