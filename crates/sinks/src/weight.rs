//! Memory use of samples.

use robolog_core::{PointCloud, Value};

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
        Value::Row(row) => row.cells.len() * 32,
        _ => 0,
    };
    SAMPLE + held
}

/// Bytes allocated by a cloud, used or not: it is filled again.
pub fn of_cloud(cloud: &PointCloud) -> usize {
    let PointCloud { x, y, z, intensity, time_offset, return_number, tag, ring, .. } = cloud;
    let floats = [x, y, z, intensity].iter().map(|column| column.capacity()).sum::<usize>();
    let words = (floats + time_offset.capacity()) * 4;
    let bytes = return_number.capacity() + tag.capacity();
    words + bytes + ring.capacity() * 2
}
