//! `GeoJSON` (RFC 7946), as read by QGIS, GDAL, Leaflet and databases.

use std::io::{BufWriter, Write};

use robolog_core::{Clock, FixQuality, Sample, Timestamp, Value};
use serde::Serialize;

use super::{Holds, Need, TargetSpec, map_points::MapPoints, takes};
use crate::{Advice, Note, Outcome, Result, Sink};

/// `GeoJSON` of RFC 7946.
pub static GEOJSON: TargetSpec = TargetSpec {
    name: "geojson",
    extensions: &["geojson"],
    about: "a point for each fix, GeoJSON",
    holds: Holds::Fixes,
    needs: &[Need::Dates],
    takes: takes::fixes,
    instead: takes::no_advice,
    open: |out, _| Ok(Box::new(GeoJson::new(BufWriter::new(out)))),
};

/// Writes a feature collection with a point per fix, of all channels in order of arrival.
///
/// Coordinates are longitude and latitude in degrees, WGS 84, and the height above the ellipsoid in metres if known.
/// The properties are `channel`; `time` in UTC for Unix time; `time_ns`, nanoseconds of `clock`; `altitude_msl_m`;
/// `quality`, `satellites`, `hdop`, `vdop`, `pdop`; `speed_m_s`; `course_deg`, degrees clockwise from true north;
/// `age_of_corrections_s` and `station_id`. Unknown properties are omitted. Fixes outside the range of latitude or
/// longitude, fixes of quality 0, poses in local frames and all other values are left out.
#[derive(Debug)]
pub struct GeoJson<W> {
    out: W,
    is_begun: bool,
    points: MapPoints,
}

#[derive(Serialize)]
struct Feature<'a> {
    r#type: &'static str,
    geometry: Geometry,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Geometry {
    r#type: &'static str,
    coordinates: Coordinates,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Coordinates {
    Flat([f64; 2]),
    High([f64; 3]),
}

#[derive(Serialize)]
struct Properties<'a> {
    channel: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    altitude_msl_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<FixQuality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    satellites: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hdop: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vdop: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pdop: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_m_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    course_deg: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_of_corrections_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    station_id: Option<u16>,
}

impl<W: Write> GeoJson<W> {
    /// Creates a collection on `out`.
    pub fn new(out: W) -> Self {
        Self { out, is_begun: false, points: MapPoints::default() }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(mut self) -> Result<W> {
        self.begin()?;
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the start of the collection once. Returns whether this call did.
    fn begin(&mut self) -> Result<bool> {
        let is_first = !self.is_begun;
        if is_first {
            self.is_begun = true;
            self.out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[")?;
        }
        Ok(is_first)
    }
}

impl<W: Write> Sink for GeoJson<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Value::GnssFix(fix) = &sample.value else { return Ok(Outcome::LeftOut) };
        if !self.points.takes(fix) {
            return Ok(Outcome::LeftOut);
        }
        let known = |number: Option<f64>| number.filter(|n| n.is_finite());
        let (x, y) = (fix.longitude, fix.latitude);
        let coordinates =
            known(fix.altitude).map_or(Coordinates::Flat([x, y]), |z| Coordinates::High([x, y, z]));
        let unix = sample.time.filter(|time| time.clock() == Clock::Unix);
        let feature = Feature {
            r#type: "Feature",
            geometry: Geometry { r#type: "Point", coordinates },
            properties: Properties {
                channel: &sample.channel,
                time: unix.map(|time| time.to_string()),
                time_ns: sample.time.map(Timestamp::nanos),
                clock: sample.time.map(|time| time.clock().name()),
                altitude_msl_m: known(fix.altitude_msl),
                quality: Some(fix.quality).filter(|quality| *quality != FixQuality::Unknown),
                satellites: fix.satellites,
                hdop: known(fix.hdop),
                vdop: known(fix.vdop),
                pdop: known(fix.pdop),
                speed_m_s: known(fix.speed),
                course_deg: known(fix.course.map(f64::to_degrees)),
                age_of_corrections_s: known(fix.age_of_corrections_s),
                station_id: fix.station_id,
            },
        };
        let before: &[u8] = if self.begin()? { b"\n" } else { b",\n" };
        self.out.write_all(before)?;
        serde_json::to_writer(&mut self.out, &feature).map_err(std::io::Error::from)?;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        Some(self.points.advice())
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(self.points.notes())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
