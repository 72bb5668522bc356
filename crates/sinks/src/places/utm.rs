//! The zones of the Universal Transverse Mercator grid on the ellipsoid of WGS 84.

use super::mercator::{Mercator, Parameters};

/// A zone in one hemisphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zone {
    /// Counted eastward from 1 at 180 degrees west.
    number: u8,
    is_north: bool,
}

impl Zone {
    /// The six-degree zone of a place, without the exceptions of Norway and Svalbard, which MOOS ignores too.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 59")]
    pub(crate) fn of(latitude: f64, longitude: f64) -> Self {
        let number = ((longitude + 180.0) / 6.0).floor().clamp(0.0, 59.0) as u8;
        Self { number: number + 1, is_north: latitude >= 0.0 }
    }

    /// EPSG code.
    #[cfg(feature = "to-las")]
    pub(crate) fn epsg(self) -> u16 {
        let hemisphere: u16 = if self.is_north { 32_600 } else { 32_700 };
        hemisphere + u16::from(self.number)
    }

    /// Projection plane of the zone.
    pub(crate) fn plane(self) -> Mercator {
        Mercator::new(Parameters {
            semi_major: 6_378_137.0,
            flattening: 1.0 / 298.257_223_563,
            central_meridian: f64::from(self.number) * 6.0 - 183.0,
            scale: 0.9996,
            false_easting: 500_000.0,
            false_northing: if self.is_north { 0.0 } else { 10_000_000.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(epsg: u16) -> Zone {
        Zone { number: u8::try_from(epsg % 100).unwrap(), is_north: epsg < 32_700 }
    }

    #[test]
    fn coordinates_are_those_of_proj() {
        // From PROJ 9: EPSG:4326 to the zone.
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
            let [e, n] = zone.plane().forward(latitude, longitude);
            assert!((e - easting).abs() < 1e-6 && (n - northing).abs() < 1e-6, "{epsg}: {e} {n}");
            let (north, east) = zone.plane().inverse([easting, northing]);
            let off = [north - latitude, east - longitude].map(f64::abs);
            assert!(off.iter().all(|off| *off < 2e-11), "{epsg}: {north} {east}");
        }
        // Outside the zone, and across 180 degrees.
        for (epsg, longitude, easting) in [
            (32_632, 2.9, 62_974.801_177_8),
            (32_660, -179.5, 750_807.760_641_6),
            (32_601, 179.5, 249_192.239_358_4),
        ] {
            let [e, n] = zone(epsg).plane().forward(50.0, longitude);
            assert!((e - easting).abs() < 1e-5, "{epsg} {longitude}: {e}");
            let (north, east) = zone(epsg).plane().inverse([e, n]);
            assert!((north - 50.0).abs() < 1e-12 && (east - longitude).abs() < 1e-12, "{north} {east}");
        }
    }

    #[cfg(feature = "to-las")]
    #[test]
    fn zones_have_numbers_in_the_epsg_register() {
        assert_eq!(
            [32_601, 32_632, 32_660, 32_701, 32_760].map(|code| zone(code).epsg()),
            [32_601, 32_632, 32_660, 32_701, 32_760]
        );
    }
}
