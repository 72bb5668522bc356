//! JSON with a schema, for values without a Foxglove message. Values that are unknown or not finite are omitted: the
//! schemas use plain types, the only ones viewers support.

use robolog_core::{Cell, Constellation, Field, FieldKind, Imu, Row, Satellites, slices::known};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::super::encoder::{Definition, Head};

pub(super) const NUMBER: &str = r#"{"type":"object","properties":{"data":{"type":"number"}}}"#;

pub(super) const IMU: &str = concat!(
    r#"{"type":"object","properties":{"frame_id":{"type":"string"},"#,
    r#""orientation":{"type":"object","description":"from the sensor's axes to a frame whose z points up","#,
    r#""properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"},"w":{"type":"number"}}},"#,
    r#""angular_velocity":{"type":"object","description":"rad/s","#,
    r#""properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}}},"#,
    r#""linear_acceleration":{"type":"object","description":"m/s^2","#,
    r#""properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}}}}}"#
);

pub(super) const SATELLITES: &str = concat!(
    r#"{"type":"object","properties":{"satellites":{"type":"array","items":{"type":"object","properties":{"#,
    r#""constellation":{"type":"string"},"id":{"type":"integer"},"#,
    r#""elevation":{"type":"number","description":"rad"},"azimuth":{"type":"number","description":"rad"},"#,
    r#""snr":{"type":"number","description":"dB-Hz"},"#,
    r#""signal":{"type":"integer","description":"of NMEA 4.1"}}}}}}"#
);

pub(super) fn defined(name: &str, schema: impl Into<String>) -> Definition {
    Definition {
        name: format!("robolog.{name}"),
        encoding: "jsonschema",
        data: schema.into().into_bytes().into(),
        message_encoding: "json",
    }
}

/// Schema of rows with these columns; units are descriptions.
pub(super) fn schema(fields: &[Field]) -> String {
    #[derive(Serialize)]
    struct Object<'a> {
        r#type: &'static str,
        #[serde(serialize_with = "properties")]
        properties: &'a [Field],
    }
    #[derive(Serialize)]
    struct Property<'a> {
        r#type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
    }
    fn properties<S: Serializer>(fields: &&[Field], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(fields.iter().map(|field| {
            let r#type = match field.kind {
                FieldKind::Bool => "boolean",
                FieldKind::Int => "integer",
                FieldKind::Float => "number",
                FieldKind::Text => "string",
            };
            (&field.name, Property { r#type, description: field.unit.as_deref() })
        }))
    }
    // Serialising string keys cannot fail.
    known(serde_json::to_string(&Object { r#type: "object", properties: fields }).ok())
}

/// A row as an object of the cells that match their column's type.
pub(super) struct JsonRow<'a>(pub(super) &'a Row);

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fits = |kind: FieldKind, cell: &Cell| match (kind, cell) {
            (FieldKind::Float, Cell::Float(value)) => value.is_finite(),
            (FieldKind::Bool, Cell::Bool(_))
            | (FieldKind::Int | FieldKind::Float, Cell::Int(_))
            | (FieldKind::Text, Cell::Text(_)) => true,
            _ => false,
        };
        let cells = self.0.iter().filter(|(field, cell)| fits(field.kind, cell));
        serializer.collect_map(cells.map(|(field, cell)| (&field.name, cell)))
    }
}

/// Numbers by name.
pub(super) struct Numbers<const N: usize>([(&'static str, f64); N]);

impl<const N: usize> Serialize for Numbers<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied().filter(|(_, value)| value.is_finite()))
    }
}

pub(super) fn number(data: f64) -> impl Serialize {
    Numbers([("data", data)])
}

/// The measurement and its frame.
pub(super) fn imu<'a>(head: Head<'a>, imu: &Imu) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct Object<'a> {
        frame_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        orientation: Option<Numbers<4>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        angular_velocity: Option<Numbers<3>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        linear_acceleration: Option<Numbers<3>>,
    }
    let vector = |[x, y, z]: [f64; 3]| Numbers([("x", x), ("y", y), ("z", z)]);
    Object {
        frame_id: head.frame_id,
        orientation: imu.orientation.map(|q| Numbers([("x", q.i), ("y", q.j), ("z", q.k), ("w", q.w)])),
        angular_velocity: imu.angular_velocity.map(Into::into).map(vector),
        linear_acceleration: imu.linear_acceleration.map(Into::into).map(vector),
    }
}

pub(super) fn satellites(satellites: &Satellites) -> impl Serialize + use<'_> {
    struct List<'a>(&'a Satellites);
    #[derive(Serialize)]
    struct Object {
        constellation: Constellation,
        id: u32,
        #[serde(flatten)]
        numbers: Numbers<3>,
        #[serde(skip_serializing_if = "Option::is_none")]
        signal: Option<u8>,
    }
    impl Serialize for List<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
            let list = self.0.satellites.iter().map(|satellite| Object {
                constellation: satellite.constellation,
                id: satellite.id,
                numbers: Numbers([
                    ("elevation", number(satellite.elevation)),
                    ("azimuth", number(satellite.azimuth)),
                    ("snr", number(satellite.snr)),
                ]),
                signal: satellite.signal,
            });
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry("satellites", &list.collect::<Vec<_>>())?;
            map.end()
        }
    }
    List(satellites)
}
