//! Samples in order: a head in JSON, and the numbers of clouds, scans and images as they are in memory.

use robolog_convert::{
    Error, Feed, Pull, Result,
    robolog_core::{Clock, LaserScan, Sample, Timestamp, Value},
};
use serde_json::json;

use crate::{Recording, copy};

/// The samples of a recording. Damage is skipped and counted.
#[derive(Debug)]
pub struct Samples(Pull);

/// The numbers of one column of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Column<'a> {
    /// 32-bit floating point numbers.
    F32(&'a [f32]),
    /// 32-bit unsigned integers.
    U32(&'a [u32]),
    /// 16-bit unsigned integers.
    U16(&'a [u16]),
    /// Bytes.
    U8(&'a [u8]),
}

impl Samples {
    /// The samples of a time range with the syntax of `--start` and `--end`; times count from 1970.
    pub fn new(recording: &Recording, start: Option<&str>, end: Option<&str>) -> Result<Self> {
        let feed = Feed::new(recording.input()?).with_format(recording.format());
        feed.with_limit(copy::limit(start, end)?).pull().map(Self)
    }

    /// Number of faults, after the last sample.
    #[must_use]
    pub fn damages(&self) -> u64 {
        self.0.report().map_or(0, |report| report.damages)
    }

    /// Position in the recording, in bytes.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.0.position()
    }
}

impl Iterator for Samples {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// `{"offset", "time_ns", "clock", "channel", "kind", "frame_id", "value"}`: as `robolog cat` prints it, except that
/// the time in nanoseconds is text and the value has no columns. `"attributes"` of the channel are in each, if it has any.
pub fn head(sample: &Sample) -> Result<String> {
    let value = match &sample.value {
        Value::PointCloud(cloud) => json!({"points": cloud.len()}),
        Value::LaserScan(scan) => of_scan(scan),
        Value::Image(image) => {
            json!({"width": image.width, "height": image.height, "encoding": image.encoding.name()})
        }
        Value::Scalar(_) | Value::Text(_) => json!({"data": sample.value}),
        value => serde_json::to_value(value).map_err(|error| Error::Write(error.into()))?,
    };
    let mut object = json!({
        "offset": sample.offset,
        "time_ns": sample.time.map(|time| time.nanos().to_string()),
        "clock": sample.time.map(Timestamp::clock).map(Clock::name),
        "channel": &*sample.channel,
        "kind": sample.value.kind(),
        "frame_id": &*sample.frame_id,
        "value": value,
    });
    if let (false, Some(fields)) = (sample.attributes.is_empty(), object.as_object_mut()) {
        fields.insert("attributes".to_owned(), json!(sample.attributes));
    }
    Ok(object.to_string())
}

fn of_scan(scan: &LaserScan) -> serde_json::Value {
    json!({
        "angle_min": scan.angle_min,
        "angle_increment": scan.angle_increment,
        "time_increment": scan.time_increment,
        "scan_time": scan.scan_time,
        "range_min": scan.range_min,
        "range_max": scan.range_max,
    })
}

/// Passes the non-empty columns to `take`, by name.
pub fn columns<'a>(sample: &'a Sample, mut take: impl FnMut(&'static str, Column<'a>)) {
    match &sample.value {
        Value::PointCloud(cloud) => {
            take("x", Column::F32(&cloud.x));
            take("y", Column::F32(&cloud.y));
            take("z", Column::F32(&cloud.z));
            let others = [
                ("intensity", Column::F32(&cloud.intensity)),
                ("time_offset", Column::U32(&cloud.time_offset)),
                ("ring", Column::U16(&cloud.ring)),
                ("return_number", Column::U8(&cloud.return_number)),
                ("tag", Column::U8(&cloud.tag)),
            ];
            for (name, column) in others.into_iter().filter(|(_, column)| !column.is_empty()) {
                take(name, column);
            }
        }
        Value::LaserScan(scan) => {
            take("ranges", Column::F32(&scan.ranges));
            take("intensities", Column::F32(&scan.intensities));
        }
        Value::Image(image) => take("data", Column::U8(&image.data)),
        _ => {}
    }
}

impl Column<'_> {
    /// Number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(numbers) => numbers.len(),
            Self::U32(numbers) => numbers.len(),
            Self::U16(numbers) => numbers.len(),
            Self::U8(numbers) => numbers.len(),
        }
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
