//! Which columns a table has.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, TimeUnit};
use robolog_core::Value;

use super::{Column, Table, Type};

type Columns = &'static [(&'static str, &'static str, Type)];

const POINTS: Columns = &[
    ("x", "m", Type::Single),
    ("y", "m", Type::Single),
    ("z", "m", Type::Single),
    ("intensity", "", Type::Single),
    ("return_number", "", Type::Small),
    ("tag", "", Type::Small),
    ("ring", "", Type::Small),
];

const IMAGE: Columns = &[
    ("frame_id", "", Type::Name),
    ("encoding", "", Type::Name),
    ("width", "px", Type::Int),
    ("height", "px", Type::Int),
    ("data", "", Type::Bytes),
];

const SCAN: Columns = &[
    ("frame_id", "", Type::Name),
    ("angle_min", "rad", Type::Single),
    ("angle_increment", "rad", Type::Single),
    ("time_increment", "s", Type::Single),
    ("scan_time", "s", Type::Single),
    ("range_min", "m", Type::Single),
    ("range_max", "m", Type::Single),
    ("ranges", "m", Type::Singles),
    ("intensities", "", Type::Singles),
];

const IMU: Columns = &[
    ("frame_id", "", Type::Name),
    ("qx", "", Type::Float),
    ("qy", "", Type::Float),
    ("qz", "", Type::Float),
    ("qw", "", Type::Float),
    ("wx", "rad/s", Type::Float),
    ("wy", "rad/s", Type::Float),
    ("wz", "rad/s", Type::Float),
    ("ax", "m/s^2", Type::Float),
    ("ay", "m/s^2", Type::Float),
    ("az", "m/s^2", Type::Float),
];

const FIX: Columns = &[
    ("frame_id", "", Type::Name),
    ("latitude", "deg", Type::Float),
    ("longitude", "deg", Type::Float),
    ("altitude", "m", Type::Float),
    ("altitude_msl", "m", Type::Float),
    ("quality", "", Type::Name),
    ("satellites", "", Type::Int),
    ("hdop", "", Type::Float),
    ("vdop", "", Type::Float),
    ("pdop", "", Type::Float),
    ("speed", "m/s", Type::Float),
    ("course", "rad", Type::Float),
];

const SATELLITES: Columns = &[
    ("constellation", "", Type::Name),
    ("satellite", "", Type::Int),
    ("elevation", "rad", Type::Float),
    ("azimuth", "rad", Type::Float),
    ("snr", "dB-Hz", Type::Float),
];

/// What odometry has; poses and transforms have the beginning of it.
const ODOMETRY: [(&str, &str, Type); 15] = [
    ("frame_id", "", Type::Name),
    ("child_frame_id", "", Type::Name),
    ("x", "m", Type::Float),
    ("y", "m", Type::Float),
    ("z", "m", Type::Float),
    ("qx", "", Type::Float),
    ("qy", "", Type::Float),
    ("qz", "", Type::Float),
    ("qw", "", Type::Float),
    ("vx", "m/s", Type::Float),
    ("vy", "m/s", Type::Float),
    ("vz", "m/s", Type::Float),
    ("wx", "rad/s", Type::Float),
    ("wy", "rad/s", Type::Float),
    ("wz", "rad/s", Type::Float),
];

const POSE: [(&str, &str, Type); 8] = {
    let [frame, _, x, y, z, qx, qy, qz, qw, ..] = ODOMETRY;
    [frame, x, y, z, qx, qy, qz, qw]
};

const TRANSFORM: [(&str, &str, Type); 9] = {
    let [frame, child, x, y, z, qx, qy, qz, qw, ..] = ODOMETRY;
    [frame, child, x, y, z, qx, qy, qz, qw]
};

/// The columns behind time and channel; `None` for rows, which bring their own, and for what is not known here.
pub(super) const fn columns_of(value: &Value) -> Option<Columns> {
    Some(match value {
        Value::PointCloud(_) => POINTS,
        Value::Image(_) => IMAGE,
        Value::LaserScan(_) => SCAN,
        Value::Imu(_) => IMU,
        Value::GnssFix(_) => FIX,
        Value::Satellites(_) => SATELLITES,
        Value::Odometry(_) => &ODOMETRY,
        Value::Pose(_) => &POSE,
        Value::Transform(_) => &TRANSFORM,
        Value::Scalar(_) => &[("value", "", Type::Float)],
        Value::Text(_) => &[("value", "", Type::Text)],
        _ => return None,
    })
}

impl Column {
    /// The column in Arrow's words.
    fn arrow(&self) -> Field {
        let kind = match self.kind() {
            Type::Bool => DataType::Boolean,
            Type::Int => DataType::Int64,
            Type::Small => DataType::Int32,
            Type::Float => DataType::Float64,
            Type::Single => DataType::Float32,
            Type::Micros => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Type::Text | Type::Name => DataType::Utf8,
            Type::Bytes => DataType::Binary,
            Type::Singles => DataType::List(element()),
        };
        let field = Field::new(&self.name, kind, true);
        match &self.unit {
            Some(unit) => field.with_metadata([("unit", unit.as_str())]),
            None => field,
        }
    }
}

/// What is in a list.
pub(in crate::sink) fn element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Float32, true))
}

impl Table {
    /// The table in Arrow's words. The unit of a column is in its metadata, the kind of value in that of the table.
    pub(in crate::sink) fn arrow(&self) -> Schema {
        let fields: Vec<_> = self.columns.iter().map(Column::arrow).collect();
        Schema::new(fields).with_metadata([("robolog.kind", self.kind)])
    }
}
