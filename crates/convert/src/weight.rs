//! How much memory samples take.

use robolog_core::{PointCloud, Value};

/// What a sample weighs beside what its value holds.
const SAMPLE: usize = 256;

/// About how many bytes of memory a sample with this value takes.
pub fn of_value(value: &Value) -> usize {
    let held = match value {
        Value::PointCloud(cloud) => of_cloud(cloud),
        Value::LaserScan(scan) => scan.ranges.len().saturating_add(scan.intensities.len()).saturating_mul(4),
        Value::Image(image) => image.data.len(),
        Value::Text(text) => text.len(),
        Value::Row(row) => row.cells.len().saturating_mul(32),
        _ => 0,
    };
    SAMPLE.saturating_add(held)
}

/// What a cloud holds, be it filled or not: it is filled again.
pub(crate) fn of_cloud(cloud: &PointCloud) -> usize {
    let PointCloud { x, y, z, intensity, time_offset, return_number, tag, ring } = cloud;
    let floats =
        [x, y, z, intensity].iter().fold(0, |sum: usize, column| sum.saturating_add(column.capacity()));
    let words = floats.saturating_add(time_offset.capacity()).saturating_mul(4);
    let bytes = return_number.capacity().saturating_add(tag.capacity());
    words.saturating_add(bytes).saturating_add(ring.capacity().saturating_mul(2))
}
