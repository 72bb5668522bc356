//! Positions on Earth, and satellites.

#![allow(clippy::used_underscore_binding, reason = "attributes whose names begin so are private in Python")]

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
        /// What else was measured, as JSON.
        _measured: Option<String>,
    }

    /// What else was measured with the fix, such as heart_rate; a dict, or None.
    #[getter]
    fn measured<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self._measured.as_deref().map(|text| parsed(py, text)).transpose()
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
            _measured: fix.measured.as_ref().map(json),
        }
    }
}

plain! {
    /// A named place, line or area on Earth; None for texts that the recording does not give.
    struct Feature {
        /// Its name.
        name: Option<String>,
        /// What it is, in words; may hold HTML.
        description: Option<String>,
        /// The symbol of a GPX waypoint, or the icon's address in KML.
        symbol: Option<String>,
        /// Its classification: the type of GPX.
        category: Option<String>,
        /// Address of a page about it.
        link: Option<String>,
        /// Its shape, as JSON.
        _geometry: String,
        /// Everything else that the recording says of it, as JSON.
        _properties: String,
    }

    /// Its shape, as a dict of GeoJSON.
    #[getter]
    fn geometry<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self._geometry)
    }

    /// Everything else that the recording says of it, as a dict.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self._properties)
    }

    fn __repr__(&self) -> String {
        format!("<Feature {:?}>", self.name.as_deref().unwrap_or_default())
    }
}

impl From<robolog_core::Feature> for Feature {
    fn from(feature: robolog_core::Feature) -> Self {
        Self {
            _geometry: json(&feature.geometry),
            _properties: feature.properties.as_ref().map_or_else(|| "{}".to_owned(), json),
            name: feature.name,
            description: feature.description,
            symbol: feature.symbol,
            category: feature.kind,
            link: feature.link,
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn parsed<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
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
