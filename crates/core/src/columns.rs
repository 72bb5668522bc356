//! Table columns: names, units and contents for each kind of value, declared once.
//!
//! CSV, Parquet, Arrow and MOOS logs are filled from these declarations. Each line that writes a cell names its column.
//!
//! ```
//! use robolog_core::{Value, columns::{self, Datum}};
//! let value = Value::Scalar(0.5);
//! let columns = columns::of(&value);
//! assert_eq!((columns[0].name.as_str(), columns[0].kind), ("value", columns::ColumnKind::Float));
//! columns::cells(&value, "map", 0, &mut |name, unit, datum| {
//!     assert_eq!((name, unit, datum), ("value", "", Datum::Float(Some(0.5))));
//! });
//! ```

#[cfg(feature = "geometry")]
mod geometry;
mod union;

use bytes::Bytes;

pub use self::union::Union;

use crate::{
    Cell, Encoding, Feature, Field, FieldKind, Geometry, GnssFix, Image, LaserScan, PointCloud, Position,
    Row, Satellite, Satellites, Value,
};

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Column {
    /// Name, as written by formats and sinks.
    pub name: String,
    /// Unit of its numbers, such as `m/s`; `None` if there is none or it is unknown.
    pub unit: Option<String>,
    /// Type of its cells.
    pub kind: ColumnKind,
}

/// Type of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ColumnKind {
    /// Boolean.
    Bool,
    /// 64-bit integers.
    Int,
    /// 32-bit integers.
    Int32,
    /// 64-bit floating-point numbers.
    Float,
    /// 32-bit floating-point numbers.
    Float32,
    /// Text.
    Text,
    /// One of a few repeating texts, such as a frame or a fix quality.
    Name,
    /// Bytes, such as an image.
    Bytes,
    /// A list of 32-bit floating-point numbers.
    Float32List,
    /// Shapes on Earth: well-known text, or what a target has for them.
    Geometry,
}

impl ColumnKind {
    /// Name of the cell type, as in NumPy and Arrow.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int64",
            Self::Int32 => "int32",
            Self::Float => "float64",
            Self::Float32 => "float32",
            Self::Text | Self::Name => "string",
            Self::Bytes => "bytes",
            Self::Float32List => "list of float32",
            Self::Geometry => "geometry",
        }
    }
}

/// A table cell; `None` is null: unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Datum<'a> {
    /// A boolean.
    Bool(Option<bool>),
    /// An integer.
    Int(Option<i64>),
    /// A 32-bit integer.
    Int32(Option<i32>),
    /// A number; NaN and infinities are kept.
    Float(Option<f64>),
    /// A 32-bit number.
    Float32(Option<f32>),
    /// Text.
    Text(Option<&'a str>),
    /// A repeating text.
    Name(&'a str),
    /// Bytes.
    Bytes(&'a Bytes),
    /// A list; an empty one is null.
    Float32List(&'a [f32]),
    /// A shape on Earth.
    Geometry(&'a Geometry),
}

impl Datum<'_> {
    /// The column's type.
    pub const fn kind(&self) -> ColumnKind {
        match self {
            Self::Bool(_) => ColumnKind::Bool,
            Self::Int(_) => ColumnKind::Int,
            Self::Int32(_) => ColumnKind::Int32,
            Self::Float(_) => ColumnKind::Float,
            Self::Float32(_) => ColumnKind::Float32,
            Self::Text(_) => ColumnKind::Text,
            Self::Name(_) => ColumnKind::Name,
            Self::Bytes(_) => ColumnKind::Bytes,
            Self::Float32List(_) => ColumnKind::Float32List,
            Self::Geometry(_) => ColumnKind::Geometry,
        }
    }
}

/// Receives a cell: the column's name, its unit (empty if none), and the content.
pub type Put<'p, 'a> = &'p mut dyn FnMut(&'a str, &'a str, Datum<'a>);

/// The columns of a value's table, after time and channel.
pub fn of(value: &Value) -> Vec<Column> {
    if let Value::Row(row) = value {
        return row.fields.iter().map(Column::from).collect();
    }
    let mut columns = Vec::new();
    cells(value, "", 0, &mut |name, unit, datum| columns.push(column(name, unit, &datum)));
    columns
}

/// The columns of a table of this kind of value, named as in [`Value::kind`]. None for rows, which have their own
/// columns, and for unknown kinds.
pub fn of_kind(kind: &str) -> Vec<Column> {
    let empty = [
        Value::PointCloud(PointCloud::default()),
        Value::Image(Image { width: 0, height: 0, encoding: Encoding::Mono8, data: Bytes::new() }),
        Value::LaserScan(LaserScan::default()),
        Value::GnssFix(GnssFix::default()),
        Value::Satellites(Satellites::default()),
        Value::Feature(Box::new(Feature::new(Geometry::Point(Position::default())))),
        Value::Scalar(0.0),
        Value::Text(String::new()),
    ];
    #[cfg(feature = "geometry")]
    let geometric = geometry::empty();
    #[cfg(not(feature = "geometry"))]
    let geometric = [];
    let mut values = empty.into_iter().chain(geometric);
    values.find(|value| value.kind() == kind).map_or_else(Vec::new, |value| of(&value))
}

/// The columns of a table with one row per beam of a scan: see [`beam`].
pub fn of_beams() -> Vec<Column> {
    let mut columns = Vec::new();
    beam(&LaserScan::default(), "", 0, &mut |name, unit, datum| columns.push(column(name, unit, &datum)));
    columns
}

/// The column of a row's field.
impl From<&Field> for Column {
    fn from(field: &Field) -> Self {
        let kind = match field.kind {
            FieldKind::Bool => ColumnKind::Bool,
            FieldKind::Int => ColumnKind::Int,
            FieldKind::Float => ColumnKind::Float,
            FieldKind::Text => ColumnKind::Text,
        };
        Self { name: field.name.to_string(), unit: field.unit.as_deref().map(str::to_owned), kind }
    }
}

fn column(name: &str, unit: &str, datum: &Datum<'_>) -> Column {
    let unit = (!unit.is_empty()).then(|| unit.to_owned());
    Column { name: name.to_owned(), unit, kind: datum.kind() }
}

/// Number of rows of a value: one per point or satellite, otherwise one.
pub fn rows(value: &Value) -> usize {
    match value {
        Value::PointCloud(cloud) => cloud.len(),
        Value::Satellites(list) => list.satellites.len(),
        _ => 1,
    }
}

/// Writes the cells of one row of the value, in column order. Past the last row all numbers are null or 0.
pub fn cells<'a>(value: &'a Value, frame_id: &'a str, row: usize, put: Put<'_, 'a>) {
    match value {
        Value::PointCloud(cloud) => point(cloud, row, put),
        Value::Image(image) => {
            frame(frame_id, put);
            picture(image, put);
        }
        Value::LaserScan(scan) => {
            frame(frame_id, put);
            ranges(scan, put);
        }
        Value::GnssFix(position) => {
            frame(frame_id, put);
            of_fix(position, put);
        }
        Value::Satellites(list) => satellite(list.satellites.get(row), put),
        Value::Feature(item) => feature(item, put),
        #[cfg(feature = "geometry")]
        Value::Imu(_) | Value::Odometry(_) | Value::Pose(_) | Value::Transform(_) => {
            geometry::cells(value, frame_id, put);
        }
        Value::Row(row) => fields(row, put),
        Value::Scalar(number) => put("value", "", Datum::Float(Some(*number))),
        Value::Text(text) => put("value", "", Datum::Text(Some(text))),
    }
}

/// Writes the cells of one beam of a scan, for tables with one row per beam.
pub fn beam<'a>(scan: &'a LaserScan, frame_id: &'a str, beam: usize, put: Put<'_, 'a>) {
    frame(frame_id, put);
    put("beam", "", Datum::Int(i64::try_from(beam).ok()));
    put("angle", "rad", Datum::Float32(Some(scan.angle(beam))));
    put("range", "m", Datum::Float32(scan.ranges.get(beam).copied()));
    put("intensity", "", Datum::Float32(scan.intensities.get(beam).copied()));
    limits(scan, put);
}

fn frame<'a>(frame_id: &'a str, put: Put<'_, 'a>) {
    put("frame_id", "", Datum::Name(frame_id));
}

fn point<'a>(cloud: &'a PointCloud, row: usize, put: Put<'_, 'a>) {
    // A point's time becomes the time of its row.
    let PointCloud { x, y, z, intensity, time_offset: _, return_number, tag, ring, more: () } = cloud;
    let small = |column: &[u8]| column.get(row).map(|n| i32::from(*n));
    put("x", "m", Datum::Float32(x.get(row).copied()));
    put("y", "m", Datum::Float32(y.get(row).copied()));
    put("z", "m", Datum::Float32(z.get(row).copied()));
    put("intensity", "", Datum::Float32(intensity.get(row).copied()));
    put("return_number", "", Datum::Int32(small(return_number)));
    put("tag", "", Datum::Int32(small(tag)));
    put("ring", "", Datum::Int32(ring.get(row).map(|n| i32::from(*n))));
}

fn picture<'a>(image: &'a Image, put: Put<'_, 'a>) {
    let Image { width, height, encoding, data } = image;
    put("encoding", "", Datum::Name(encoding.name()));
    put("width", "px", Datum::Int(Some((*width).into())));
    put("height", "px", Datum::Int(Some((*height).into())));
    put("data", "", Datum::Bytes(data));
}

fn ranges<'a>(scan: &'a LaserScan, put: Put<'_, 'a>) {
    put("angle_min", "rad", Datum::Float32(Some(scan.angle_min)));
    put("angle_increment", "rad", Datum::Float32(Some(scan.angle_increment)));
    put("time_increment", "s", Datum::Float32(Some(scan.time_increment)));
    limits(scan, put);
    put("ranges", "m", Datum::Float32List(&scan.ranges));
    put("intensities", "", Datum::Float32List(&scan.intensities));
}

fn limits<'a>(scan: &'a LaserScan, put: Put<'_, 'a>) {
    put("scan_time", "s", Datum::Float32(Some(scan.scan_time)));
    put("range_min", "m", Datum::Float32(Some(scan.range_min)));
    put("range_max", "m", Datum::Float32(Some(scan.range_max)));
}

/// Writes the cells of a fix, without its frame.
pub fn of_fix<'a>(fix: &'a GnssFix, put: Put<'_, 'a>) {
    let GnssFix {
        latitude,
        longitude,
        altitude,
        altitude_msl,
        quality,
        satellites,
        hdop,
        vdop,
        pdop,
        speed,
        course,
        age_of_corrections_s,
        station_id,
        position_covariance,
        talkers,
        measured,
        more: (),
    } = fix;
    put("latitude", "deg", Datum::Float(Some(*latitude)));
    put("longitude", "deg", Datum::Float(Some(*longitude)));
    put("altitude", "m", Datum::Float(*altitude));
    put("altitude_msl", "m", Datum::Float(*altitude_msl));
    put("quality", "", Datum::Name(quality.name()));
    put("satellites", "", Datum::Int(satellites.map(Into::into)));
    put("hdop", "", Datum::Float(*hdop));
    put("vdop", "", Datum::Float(*vdop));
    put("pdop", "", Datum::Float(*pdop));
    put("speed", "m/s", Datum::Float(*speed));
    put("course", "rad", Datum::Float(*course));
    put("age_of_corrections", "s", Datum::Float(*age_of_corrections_s));
    put("station_id", "", Datum::Int(station_id.map(Into::into)));
    // Symmetric: the upper half suffices.
    let names = ["cov_ee", "cov_en", "cov_eu", "cov_nn", "cov_nu", "cov_uu"];
    let upper = position_covariance.map(|[ee, en, eu, _, nn, nu, _, _, uu]| [ee, en, eu, nn, nu, uu]);
    for (name, value) in names.into_iter().zip(parts(upper)) {
        put(name, "m^2", Datum::Float(value));
    }
    put("talkers", "", Datum::Text(talkers.as_deref()));
    if let Some(row) = measured {
        fields(row, put);
    }
}

fn feature<'a>(feature: &'a Feature, put: Put<'_, 'a>) {
    let Feature { geometry, name, description, symbol, kind, link, properties } = feature;
    let first = geometry.positions().next();
    put("latitude", "deg", Datum::Float(first.map(|position| position.latitude)));
    put("longitude", "deg", Datum::Float(first.map(|position| position.longitude)));
    put("altitude_msl", "m", Datum::Float(first.and_then(|position| position.altitude_msl)));
    put("name", "", Datum::Text(name.as_deref()));
    put("description", "", Datum::Text(description.as_deref()));
    put("symbol", "", Datum::Text(symbol.as_deref()));
    put("type", "", Datum::Text(kind.as_deref()));
    put("link", "", Datum::Text(link.as_deref()));
    put("geometry", "", Datum::Geometry(geometry));
    if let Some(row) = properties {
        fields(row, put);
    }
}

fn satellite(satellite: Option<&Satellite>, put: Put<'_, '_>) {
    put("constellation", "", Datum::Name(satellite.map_or("unknown", |s| s.constellation.name())));
    put("satellite", "", Datum::Int(satellite.map(|s| s.id.into())));
    put("elevation", "rad", Datum::Float(satellite.and_then(|s| s.elevation)));
    put("azimuth", "rad", Datum::Float(satellite.and_then(|s| s.azimuth)));
    put("snr", "dB-Hz", Datum::Float(satellite.and_then(|s| s.snr)));
    put("signal", "", Datum::Int(satellite.and_then(|s| s.signal).map(i64::from)));
}

/// Numbers that are either all known or all unknown.
fn parts<const N: usize>(values: Option<[f64; N]>) -> [Option<f64>; N] {
    values.map_or([None; N], |values| values.map(Some))
}

fn fields<'a>(row: &'a Row, put: Put<'_, 'a>) {
    for (field, cell) in row.iter() {
        let datum = match (cell, field.kind) {
            (Cell::Bool(value), _) => Datum::Bool(Some(*value)),
            (Cell::Int(value), _) => Datum::Int(Some(*value)),
            (Cell::Float(value), _) => Datum::Float(Some(*value)),
            (Cell::Text(text), _) => Datum::Text(Some(text)),
            (Cell::Null, FieldKind::Bool) => Datum::Bool(None),
            (Cell::Null, FieldKind::Int) => Datum::Int(None),
            (Cell::Null, FieldKind::Float) => Datum::Float(None),
            (Cell::Null, FieldKind::Text) => Datum::Text(None),
        };
        put(&field.name, field.unit.as_deref().unwrap_or(""), datum);
    }
}
