//! A point for each fix.

use robolog_core::{FixQuality, GnssFix, Row, Sample, Timestamp};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::feature::{own, unix};

#[derive(Serialize)]
pub(super) struct Point<'a> {
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
    #[serde(flatten)]
    measured: Measured<'a>,
}

/// What else was measured.
struct Measured<'a>(Option<&'a Row>);

impl Serialize for Measured<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        own(self.0, &TAKEN, &mut map)?;
        map.end()
    }
}

/// Names of properties that are taken.
const TAKEN: [&str; 9] =
    ["channel", "time", "time_ns", "clock", "quality", "satellites", "hdop", "vdop", "pdop"];

/// A fix as a point.
pub(super) fn point<'a>(sample: &'a Sample, fix: &'a GnssFix) -> Point<'a> {
    let known = |number: Option<f64>| number.filter(|n| n.is_finite());
    let (x, y) = (fix.longitude, fix.latitude);
    let coordinates = known(fix.altitude).map_or(Coordinates::Flat([x, y]), |z| Coordinates::High([x, y, z]));
    let unix = unix(sample.time);
    Point {
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
            measured: Measured(fix.measured.as_deref()),
        },
    }
}
