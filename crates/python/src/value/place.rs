//! Positions on Earth, and satellites.

use pyo3::prelude::*;

use super::pickle::plain;

plain! {
    /// A position fix; None for values that the receiver does not give.
    struct GnssFix {
        /// Degrees north of the equator, WGS 84.
        latitude: f64,
        /// Degrees east of Greenwich, WGS 84.
        longitude: f64,
        /// Metres above the WGS 84 ellipsoid.
        altitude: Option<f64>,
        /// Metres above mean sea level.
        altitude_msl: Option<f64>,
        /// Quality of the fix: unknown, none, gps, dgps, rtk_fixed, rtk_float and so on.
        quality: String,
        /// Number of satellites used.
        satellites: Option<u32>,
        /// Horizontal dilution of precision.
        hdop: Option<f64>,
        /// Vertical dilution of precision.
        vdop: Option<f64>,
        /// Positional dilution of precision.
        pdop: Option<f64>,
        /// Speed over ground, m/s.
        speed: Option<f64>,
        /// Course over ground, radians clockwise from true north.
        course: Option<f64>,
        /// Covariance of the position, m²: rows of east, north and up.
        position_covariance: Option<[f64; 9]>,
    }

    fn __repr__(&self) -> String {
        format!("<GnssFix {}, {} ({})>", self.latitude, self.longitude, self.quality)
    }
}

impl From<robolog_core::GnssFix> for GnssFix {
    fn from(fix: robolog_core::GnssFix) -> Self {
        Self {
            latitude: fix.latitude,
            longitude: fix.longitude,
            altitude: fix.altitude,
            altitude_msl: fix.altitude_msl,
            quality: fix.quality.name().to_owned(),
            satellites: fix.satellites,
            hdop: fix.hdop,
            vdop: fix.vdop,
            pdop: fix.pdop,
            speed: fix.speed,
            course: fix.course,
            position_covariance: fix.position_covariance,
        }
    }
}

plain! {
    /// A satellite in view; None for values that the receiver does not give.
    struct Satellite {
        /// Its constellation, such as gps.
        constellation: String,
        /// Its number, as given by the receiver.
        id: i64,
        /// Above the horizon, radians.
        elevation: Option<f64>,
        /// Clockwise from true north, radians.
        azimuth: Option<f64>,
        /// Signal to noise ratio, dB-Hz.
        snr: Option<f64>,
        /// The number of the signal in NMEA 4.1.
        signal: Option<u8>,
    }
}

plain! {
    /// The satellites in view of a receiver.
    struct Satellites {
        /// Each of them.
        satellites: Vec<Satellite>,
    }

    fn __len__(&self) -> usize {
        self.satellites.len()
    }

    fn __repr__(&self) -> String {
        format!("<Satellites: {}>", self.satellites.len())
    }
}

impl From<&robolog_core::Satellites> for Satellites {
    fn from(list: &robolog_core::Satellites) -> Self {
        let satellite = |one: &robolog_core::Satellite| Satellite {
            constellation: one.constellation.name().to_owned(),
            id: one.id.into(),
            elevation: one.elevation,
            azimuth: one.azimuth,
            snr: one.snr,
            signal: one.signal,
        };
        Self { satellites: list.satellites.iter().map(satellite).collect() }
    }
}
