//! Values of samples as Python objects.

mod motion;
mod pickle;
mod place;
mod sensor;

use std::{borrow::Cow, collections::BTreeMap};

pub(crate) use motion::{Imu, Odometry, Pose, Transform, Twist};
pub(crate) use pickle::{Pickled, pickled, pickled_by, plain, shown};
pub(crate) use place::{Feature, GnssFix, Satellite, Satellites};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use robolog_core::{Cell, Clock, Row, Timestamp, Value};
pub(crate) use sensor::{Image, LaserScan, PointCloud};

use crate::view::numpy_time;

/// One value of one channel at one time.
#[pyclass(frozen, subclass, module = "pyrobolog")]
pub(crate) struct Sample {
    stamp: Option<Timestamp>,
    /// Time of measurement, nanoseconds of `clock`; None if the recording does not give it.
    #[pyo3(get)]
    time_ns: Option<i64>,
    /// Clock of `time_ns`: unix, gps, device or relative.
    #[pyo3(get)]
    clock: Option<Cow<'static, str>>,
    /// Its channel.
    #[pyo3(get)]
    channel: String,
    /// The coordinate frame of the value.
    #[pyo3(get)]
    frame_id: String,
    /// The kind of the value, such as point_cloud.
    #[pyo3(get)]
    kind: Cow<'static, str>,
    /// Offset of its record in the recording, in bytes.
    #[pyo3(get)]
    offset: u64,
    /// What the recording says of the channel as a whole, such as the name of a track.
    #[pyo3(get)]
    attributes: BTreeMap<String, String>,
    /// The value: a PointCloud, LaserScan, Image and so on; a dict for a row, a float, a str.
    #[pyo3(get)]
    value: Py<PyAny>,
}

#[pymethods]
impl Sample {
    /// Time of measurement: a numpy.datetime64 of unix time, a numpy.timedelta64 from time 0 of other clocks; None if
    /// the recording does not give it.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.stamp.map(|stamp| numpy_time(py, stamp)).transpose()
    }

    #[staticmethod]
    fn _of(py: Python<'_>, parts: Parts) -> PyResult<Py<Self>> {
        let (time_ns, clock, channel, frame_id, kind, offset, attributes, value) = parts;
        let known = clock.as_deref().map(str::parse::<Clock>).transpose();
        let known = known.map_err(|e| PyValueError::new_err(e.to_string()))?;
        let stamp = time_ns.zip(known).map(|(nanos, clock)| Timestamp::new(nanos, clock));
        let (clock, kind) = (clock.map(Cow::Owned), kind.into());
        Self { stamp, time_ns, clock, channel, frame_id, kind, offset, attributes, value }.of_its_kind(py)
    }

    /// A summary for notebooks: with a picture of a cloud, a scan or an image.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyrobolog._html")?.call_method1("sample", (slf,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        pickled_by(
            slf.as_any(),
            &["time_ns", "clock", "channel", "frame_id", "kind", "offset", "attributes", "value"],
        )
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let head = |sample: &Self| (sample.stamp, sample.offset, sample.kind.clone());
        let is_alike = head(self) == head(other)
            && (&self.channel, &self.frame_id, &self.attributes)
                == (&other.channel, &other.frame_id, &other.attributes);
        Ok(is_alike && self.value.bind(py).eq(other.value.bind(py))?)
    }

    fn __repr__(&self) -> String {
        let time = self.time_ns.map_or_else(|| "no time".to_owned(), |time| format!("{time} ns"));
        format!("<Sample {:?}: {} at {time}>", self.channel, self.kind)
    }
}

/// The parts to recreate a sample.
type Parts = (Option<i64>, Option<String>, String, String, String, u64, BTreeMap<String, String>, Py<PyAny>);

impl Sample {
    pub(crate) fn of(py: Python<'_>, sample: robolog_core::Sample) -> PyResult<Py<Self>> {
        let robolog_core::Sample { attributes, time, offset, channel, frame_id, value, .. } = sample;
        let kind = value.kind();
        let made = Self {
            stamp: time,
            time_ns: time.map(Timestamp::nanos),
            clock: time.map(|time| time.clock().name().into()),
            channel: channel.to_string(),
            frame_id: frame_id.to_string(),
            kind: kind.into(),
            offset,
            attributes: attributes.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            value: object(py, value)?,
        };
        made.of_its_kind(py)
    }
}

/// Classes of samples by the kind of their value, for `isinstance`, `match` and type checkers.
macro_rules! kinds {
    ($($class:ident $kind:literal),+ $(,)?) => {
        $(
            #[doc = concat!("A sample of kind ", $kind, ".")]
            #[pyclass(frozen, extends = Sample, module = "pyrobolog")]
            pub(crate) struct $class;
        )+

        impl Sample {
            fn of_its_kind(self, py: Python<'_>) -> PyResult<Py<Self>> {
                Ok(match &*self.kind {
                    $($kind => {
                        let made = PyClassInitializer::from(self).add_subclass($class);
                        Bound::new(py, made)?.into_super().unbind()
                    })+
                    // Kinds that core adds later have no class here yet.
                    _ => Py::new(py, self)?,
                })
            }
        }
    };
}

kinds! {
    PointCloudSample "point_cloud",
    LaserScanSample "laser_scan",
    ImageSample "image",
    ImuSample "imu",
    GnssFixSample "gnss_fix",
    SatellitesSample "satellites",
    FeatureSample "feature",
    OdometrySample "odometry",
    PoseSample "pose",
    TransformSample "transform",
    RowSample "row",
    ScalarSample "scalar",
    TextSample "text",
}

fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::PointCloud(cloud) => Py::new(py, PointCloud::from(cloud))?.into_any(),
        Value::LaserScan(scan) => Py::new(py, LaserScan::from(scan))?.into_any(),
        Value::Image(image) => Py::new(py, Image::from(image))?.into_any(),
        Value::Imu(imu) => Py::new(py, Imu::from(imu))?.into_any(),
        Value::GnssFix(fix) => Py::new(py, GnssFix::from(fix))?.into_any(),
        Value::Satellites(list) => Py::new(py, Satellites::from(&list))?.into_any(),
        Value::Feature(feature) => Py::new(py, Feature::from(*feature))?.into_any(),
        Value::Odometry(odometry) => Py::new(py, Odometry::from(odometry))?.into_any(),
        Value::Pose(pose) => Py::new(py, Pose::from(&pose))?.into_any(),
        Value::Transform(transform) => Py::new(py, Transform::from(transform))?.into_any(),
        Value::Row(row) => dict(py, row)?.into_any().unbind(),
        Value::Scalar(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        // Kinds that core adds later have no class here yet.
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
