//! What samples hold, as Python's objects.

mod motion;
mod place;
mod sensor;

pub(crate) use motion::{Imu, Odometry, Pose, Transform, Twist};
pub(crate) use place::{GnssFix, Satellite, Satellites};
use pyo3::{prelude::*, types::PyDict};
use robolog_core::{Cell, Clock, Row, Timestamp, Value};
pub(crate) use sensor::{Image, LaserScan, PointCloud};

/// One value of one channel at one moment.
#[pyclass(frozen, get_all, module = "pyrobolog")]
pub(crate) struct Sample {
    /// When it was measured, nanoseconds of `clock`; None where the recording does not say.
    time_ns: Option<i64>,
    /// What `time_ns` counts from: unix, gps, device or relative.
    clock: Option<&'static str>,
    /// The channel it belongs to.
    channel: String,
    /// The coordinate frame of the value.
    frame_id: String,
    /// The kind of the value, such as point_cloud.
    kind: &'static str,
    /// Offset in the recording of the record it comes from, in bytes.
    offset: u64,
    /// The value: a PointCloud, LaserScan, Image and so on; a dict of a row, a float, a str.
    value: Py<PyAny>,
}

#[pymethods]
impl Sample {
    fn __repr__(&self) -> String {
        let time = self.time_ns.map_or_else(|| "no time".to_owned(), |time| format!("{time} ns"));
        format!("<Sample {:?}: {} at {time}>", self.channel, self.kind)
    }
}

impl Sample {
    pub(crate) fn of(py: Python<'_>, sample: robolog_core::Sample) -> PyResult<Self> {
        let robolog_core::Sample { time, offset, channel, frame_id, value } = sample;
        let kind = value.kind();
        Ok(Self {
            time_ns: time.map(Timestamp::nanos),
            clock: time.map(Timestamp::clock).map(Clock::name),
            channel: channel.to_string(),
            frame_id: frame_id.to_string(),
            kind,
            offset,
            value: object(py, value)?,
        })
    }
}

fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::PointCloud(cloud) => Py::new(py, PointCloud::from(cloud))?.into_any(),
        Value::LaserScan(scan) => Py::new(py, LaserScan::from(scan))?.into_any(),
        Value::Image(image) => Py::new(py, Image::from(image))?.into_any(),
        Value::Imu(imu) => Py::new(py, Imu::from(imu))?.into_any(),
        Value::GnssFix(fix) => Py::new(py, GnssFix::from(fix))?.into_any(),
        Value::Satellites(list) => Py::new(py, Satellites::of(py, &list)?)?.into_any(),
        Value::Odometry(odometry) => Py::new(py, Odometry::from(odometry))?.into_any(),
        Value::Pose(pose) => Py::new(py, Pose::from(&pose))?.into_any(),
        Value::Transform(transform) => Py::new(py, Transform::from(transform))?.into_any(),
        Value::Row(row) => dict(py, row)?.into_any().unbind(),
        Value::Scalar(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        // What core may add has no class here yet.
        _ => py.None(),
    })
}

fn dict(py: Python<'_>, row: Row) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (field, cell) in row.fields.iter().zip(row.cells) {
        let name = &*field.name;
        match cell {
            Cell::Null => dict.set_item(name, py.None())?,
            Cell::Bool(value) => dict.set_item(name, value)?,
            Cell::Int(value) => dict.set_item(name, value)?,
            Cell::Float(value) => dict.set_item(name, value)?,
            Cell::Text(value) => dict.set_item(name, value)?,
        }
    }
    Ok(dict)
}
