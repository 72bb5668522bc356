//! The zones of the Universal Transverse Mercator grid on the ellipsoid of WGS 84.
//!
//! The projection is Krüger's series to the sixth power of the third flattening: exact to nanometres within a zone.
//! L. Krüger, Konforme Abbildung des Erdellipsoids in der Ebene (1912); C. Karney, Transverse Mercator with an accuracy
//! of a few nanometers (2011), equations 35 and 36.

/// A zone of one hemisphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zone {
    /// From 1 at 180 degrees west on.
    number: u8,
    is_north: bool,
}

const FALSE_EASTING: f64 = 500_000.0;
/// South of the equator.
const FALSE_NORTHING: f64 = 10_000_000.0;

impl Zone {
    /// The zone of six degrees in which a place lies, without the exceptions of Norway and Svalbard, which MOOS does not
    /// know either.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 59")]
    pub(crate) fn of(latitude: f64, longitude: f64) -> Self {
        let number = ((longitude + 180.0) / 6.0).floor().clamp(0.0, 59.0) as u8;
        Self { number: number.saturating_add(1), is_north: latitude >= 0.0 }
    }

    /// By its number in the EPSG register, where it is such a zone.
    #[cfg(feature = "to-las")]
    pub(crate) fn from_epsg(code: u16) -> Option<Self> {
        let (number, is_north) = match code {
            32_601..=32_660 => (code.checked_sub(32_600)?, true),
            32_701..=32_760 => (code.checked_sub(32_700)?, false),
            _ => return None,
        };
        Some(Self { number: u8::try_from(number).ok()?, is_north })
    }

    /// Its number in the EPSG register.
    #[cfg(feature = "to-las")]
    pub(crate) fn epsg(self) -> u16 {
        let hemisphere: u16 = if self.is_north { 32_600 } else { 32_700 };
        hemisphere + u16::from(self.number)
    }

    /// Easting and northing, metres, of degrees north and east.
    #[expect(clippy::many_single_char_names, reason = "the letters of the formulas")]
    pub(crate) fn forward(self, latitude: f64, longitude: f64) -> [f64; 2] {
        // A zone may reach over 180 degrees.
        let east = within_half_turn(longitude - self.central_meridian()).to_radians();
        let e = eccentricity();
        let sin = latitude.to_radians().sin();
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
        [FALSE_EASTING + RADIUS * x, self.false_northing() + RADIUS * y]
    }

    /// Degrees north and east, of easting and northing, metres.
    pub(crate) fn inverse(self, [easting, northing]: [f64; 2]) -> (f64, f64) {
        let (eta, xi) = ((easting - FALSE_EASTING) / RADIUS, (northing - self.false_northing()) / RADIUS);
        let (mut x, mut y) = (eta, xi);
        for (j, b) in (1_u8..).zip(BETA) {
            let k = 2.0 * f64::from(j);
            y -= b * (k * xi).sin() * (k * eta).cosh();
            x -= b * (k * xi).cos() * (k * eta).sinh();
        }
        let conformal = y.sin() / x.sinh().hypot(y.cos());
        let east = x.sinh().atan2(y.cos()).to_degrees();
        (of_conformal(conformal).atan().to_degrees(), within_half_turn(self.central_meridian() + east))
    }

    /// Degrees east of Greenwich.
    fn central_meridian(self) -> f64 {
        f64::from(self.number) * 6.0 - 183.0
    }

    fn false_northing(self) -> f64 {
        if self.is_north { 0.0 } else { FALSE_NORTHING }
    }
}

/// The same angle between -180 and 180 degrees.
fn within_half_turn(degrees: f64) -> f64 {
    degrees - (degrees / 360.0).round() * 360.0
}

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

/// Radius of a circle as long as a meridian, metres, times the scale on the central meridian.
const RADIUS: f64 = 0.9996 * 6_378_137.0 / (1.0 + N) * (1.0 + N2 / 4.0 + N4 / 64.0 + N6 / 256.0);

/// From the sphere to the ellipsoid.
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

/// From the ellipsoid to the sphere.
const BETA: [f64; 6] = [
    N / 2.0 - N2 * 2.0 / 3.0 + N3 * 37.0 / 96.0 - N4 / 360.0 - N5 * 81.0 / 512.0 + N6 * 96_199.0 / 604_800.0,
    N2 / 48.0 + N3 / 15.0 - N4 * 437.0 / 1440.0 + N5 * 46.0 / 105.0 - N6 * 1_118_711.0 / 3_870_720.0,
    N3 * 17.0 / 480.0 - N4 * 37.0 / 840.0 - N5 * 209.0 / 4480.0 + N6 * 5569.0 / 90_720.0,
    N4 * 4397.0 / 161_280.0 - N5 * 11.0 / 504.0 - N6 * 830_251.0 / 7_257_600.0,
    N5 * 4583.0 / 161_280.0 - N6 * 108_847.0 / 3_991_680.0,
    N6 * 20_648_693.0 / 638_668_800.0,
];

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
    2.0 * N.sqrt() / (1.0 + N)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(epsg: u16) -> Zone {
        Zone { number: u8::try_from(epsg % 100).unwrap(), is_north: epsg < 32_700 }
    }

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
            assert_eq!(zone, self::zone(epsg));
            let [e, n] = zone.forward(latitude, longitude);
            assert!((e - easting).abs() < 1e-6 && (n - northing).abs() < 1e-6, "{epsg}: {e} {n}");
            let (north, east) = zone.inverse([easting, northing]);
            let off = [north - latitude, east - longitude].map(f64::abs);
            assert!(off.iter().all(|off| *off < 2e-11), "{epsg}: {north} {east}");
        }
        // Beside its own zone, and across 180 degrees.
        for (epsg, longitude, easting) in [
            (32_632, 2.9, 62_974.801_177_8),
            (32_660, -179.5, 750_807.760_641_6),
            (32_601, 179.5, 249_192.239_358_4),
        ] {
            let [e, n] = zone(epsg).forward(50.0, longitude);
            assert!((e - easting).abs() < 1e-5, "{epsg} {longitude}: {e}");
            let (north, east) = zone(epsg).inverse([e, n]);
            assert!((north - 50.0).abs() < 1e-12 && (east - longitude).abs() < 1e-12, "{north} {east}");
        }
    }

    #[cfg(feature = "to-las")]
    #[test]
    fn zones_have_numbers_in_the_epsg_register() {
        for code in [32_601, 32_632, 32_660, 32_701, 32_760] {
            assert_eq!((Zone::from_epsg(code), zone(code).epsg()), (Some(zone(code)), code));
        }
        assert_eq!([32_600, 32_661, 32_700, 32_761, 4326].map(Zone::from_epsg), [None; 5]);
    }
}
