//! Memory use of samples.

use robolog_core::{Feature, Geometry, PointCloud, Position, Row, Value};

/// Bytes of a sample without the heap memory of its value.
const SAMPLE: usize = 256;

/// Approximate bytes of memory of a sample with this value.
#[inline]
pub fn of_value(value: &Value) -> usize {
    let held = match value {
        Value::PointCloud(cloud) => of_cloud(cloud),
        Value::LaserScan(scan) => (scan.ranges.len() + scan.intensities.len()) * 4,
        Value::Image(image) => image.data.len(),
        Value::Text(text) => text.len(),
        Value::Row(row) => of_row(row),
        Value::Feature(feature) => of_feature(feature),
        Value::GnssFix(fix) => fix.measured.as_deref().map_or(0, of_row),
        Value::Satellites(sky) => size_of_val(sky.satellites.as_slice()),
        _ => 0,
    };
    SAMPLE + held
}

fn of_row(row: &Row) -> usize {
    row.cells.len() * 32
}

fn of_feature(feature: &Feature) -> usize {
    let Feature { geometry, name, description, symbol, kind, link, properties, .. } = feature;
    let texts = [name, description, symbol, kind, link].into_iter().flatten();
    let texts: usize = texts.map(String::len).sum();
    size_of::<Feature>() + of_shape(geometry) + texts + properties.as_ref().map_or(0, of_row)
}

fn of_shape(geometry: &Geometry) -> usize {
    match geometry {
        Geometry::LineString(line) => of_line(line),
        Geometry::Polygon(rings) => rings.iter().map(|ring| of_line(ring)).sum(),
        Geometry::Collection(parts) => parts.iter().map(|part| size_of::<Geometry>() + of_shape(part)).sum(),
        _ => 0,
    }
}

fn of_line(line: &[Position]) -> usize {
    size_of_val(line)
}

/// Bytes allocated by a cloud, used or not: it is filled again.
pub fn of_cloud(cloud: &PointCloud) -> usize {
    let PointCloud { x, y, z, intensity, time_offset, return_number, tag, ring, .. } = cloud;
    let floats = [x, y, z, intensity].iter().map(|column| column.capacity()).sum::<usize>();
    let words = (floats + time_offset.capacity()) * 4;
    let bytes = return_number.capacity() + tag.capacity();
    words + bytes + ring.capacity() * 2
}
