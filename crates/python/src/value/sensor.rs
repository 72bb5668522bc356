//! Clouds, scans and images: NumPy arrays on the memory of the sample.

use std::sync::Arc;

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{IntoPyDict as _, PyBytes},
};
use robolog_core::{Column, Encoding};

use crate::{
    array,
    batch::{self, Capsules},
    value::{Pickled, pickled, pickled_by},
    view::{Number, View, numpy},
};

/// Points of a scanner as columns. x points forward, y left, z up.
///
/// Columns are read-only NumPy arrays without a copy; None if the sensor does not measure them. For one array of all
/// points: numpy.stack((cloud.x, cloud.y, cloud.z), axis=1).
#[pyclass(frozen, eq, module = "pyrobolog")]
#[derive(PartialEq)]
pub(crate) struct PointCloud(Arc<robolog_core::PointCloud>);

impl From<robolog_core::PointCloud> for PointCloud {
    fn from(cloud: robolog_core::PointCloud) -> Self {
        Self(Arc::new(cloud))
    }
}

impl PointCloud {
    fn column<T: Number>(
        &self,
        py: Python<'_>,
        of: fn(&robolog_core::PointCloud) -> &[T],
    ) -> PyResult<Option<Py<PyAny>>> {
        let column = of(&self.0);
        if column.is_empty() && !self.0.is_empty() {
            return Ok(None);
        }
        View::array(py, &self.0, of).map(Some)
    }
}

#[pymethods]
impl PointCloud {
    /// Forward, metres, float32.
    #[getter]
    fn x(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.x)
    }

    /// Left, metres, float32.
    #[getter]
    fn y(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.y)
    }

    /// Up, metres, float32.
    #[getter]
    fn z(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.z)
    }

    /// All points: a NumPy array of shape (points, 3), x, y, z in metres, float32. A copy.
    #[getter]
    fn xyz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = [self.x(py)?, self.y(py)?, self.z(py)?];
        numpy(py)?.call_method("stack", (Vec::from(columns),), Some(&[("axis", 1)].into_py_dict(py)?))
    }

    /// The same, for numpy.asarray.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err(
                "x, y and z lie apart in memory: an array of points is a copy",
            ));
        }
        let xyz = self.xyz(py)?;
        dtype.map_or(Ok(xyz.clone()), |dtype| xyz.call_method1("astype", (dtype,)))
    }

    /// The existing columns, a row per point, as an Arrow struct array: polars.DataFrame(cloud) takes it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        batch::of_cloud(&self.0)?.__arrow_c_array__(py, requested_schema)
    }

    /// Strength of the return in the sensor's own scale, usually 0 to 255, float32.
    #[getter]
    fn intensity(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.intensity)
    }

    /// Nanoseconds from the sample's time to the point's measurement, uint32.
    #[getter]
    fn time_offset(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.time_offset)
    }

    /// Number of the return in its shot, from 1, uint8; 0 if the sensor does not give it.
    #[getter]
    fn return_number(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.return_number)
    }

    /// The sensor's own classification of the return, uint8.
    #[getter]
    fn tag(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.tag)
    }

    /// Number of the laser, counted upwards from 0, uint16.
    #[getter]
    fn ring(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.ring)
    }

    /// The names of the existing columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.0.columns().map(Column::name).collect()
    }

    #[staticmethod]
    fn _of(parts: [Option<Bound<'_, PyAny>>; 8]) -> PyResult<Self> {
        let [x, y, z, intensity, time_offset, return_number, tag, ring] = &parts;
        let floats = |given: &Option<_>| given.as_ref().map_or(Ok(Vec::new()), array::floats);
        let bytes = |given: &Option<_>| given.as_ref().map_or(Ok(Vec::new()), array::bytes);
        let integers = |given: &Option<_>| given.as_ref().map_or(Ok(Vec::new()), array::integers);
        let ring = integers(ring)?.into_iter().map(u16::try_from).collect::<Result<_, _>>();
        let cloud = robolog_core::PointCloud {
            x: floats(x)?,
            y: floats(y)?,
            z: floats(z)?,
            intensity: floats(intensity)?,
            time_offset: integers(time_offset)?,
            return_number: bytes(return_number)?,
            tag: bytes(tag)?,
            ring: ring.map_err(|_| PyValueError::new_err("a ring has 16 bits"))?,
            ..robolog_core::PointCloud::default()
        };
        if cloud.is_consistent() {
            Ok(cloud.into())
        } else {
            Err(PyValueError::new_err("columns of two lengths"))
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        pickled_by(slf.as_any(), &["x", "y", "z", "intensity", "time_offset", "return_number", "tag", "ring"])
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<PointCloud: {} points, {}>", self.0.len(), self.columns().join(", "))
    }
}

/// One sweep of a planar laser scanner.
#[pyclass(frozen, eq, module = "pyrobolog")]
#[derive(PartialEq)]
pub(crate) struct LaserScan(Arc<robolog_core::LaserScan>);

impl From<robolog_core::LaserScan> for LaserScan {
    fn from(scan: robolog_core::LaserScan) -> Self {
        Self(Arc::new(scan))
    }
}

#[pymethods]
impl LaserScan {
    /// Angle of the first range, radians counter-clockwise from forward.
    #[getter]
    fn angle_min(&self) -> f32 {
        self.0.angle_min
    }

    /// Angle between neighbouring ranges, radians.
    #[getter]
    fn angle_increment(&self) -> f32 {
        self.0.angle_increment
    }

    /// Seconds between neighbouring ranges; 0 if unknown.
    #[getter]
    fn time_increment(&self) -> f32 {
        self.0.time_increment
    }

    /// Seconds between scans; 0 if unknown.
    #[getter]
    fn scan_time(&self) -> f32 {
        self.0.scan_time
    }

    /// Minimum valid range, metres.
    #[getter]
    fn range_min(&self) -> f32 {
        self.0.range_min
    }

    /// Maximum valid range, metres.
    #[getter]
    fn range_max(&self) -> f32 {
        self.0.range_max
    }

    /// Metres, float32, a read-only NumPy array without a copy; NaN if the sensor gave none.
    #[getter]
    fn ranges(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        View::array(py, &self.0, |scan| &scan.ranges)
    }

    /// Strength of each return in the sensor's scale, float32, likewise; None if the sensor gives none.
    #[getter]
    fn intensities(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.0.intensities.is_empty() {
            return Ok(None);
        }
        View::array(py, &self.0, |scan| &scan.intensities).map(Some)
    }

    #[staticmethod]
    fn _of(
        angles: [f32; 6],
        ranges: Bound<'_, PyAny>,
        intensities: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let [angle_min, angle_increment, time_increment, scan_time, range_min, range_max] = angles;
        let ranges = array::floats(&ranges)?;
        let intensities = intensities.as_ref().map_or(Ok(Vec::new()), array::floats)?;
        Ok(Self::from(robolog_core::LaserScan {
            angle_min,
            angle_increment,
            time_increment,
            scan_time,
            range_min,
            range_max,
            ranges,
            intensities,
        }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let scan = slf.get();
        let angles = [scan.angle_min(), scan.angle_increment(), scan.time_increment(), scan.scan_time()];
        let angles = [&angles[..], &[scan.range_min(), scan.range_max()]].concat();
        let (py, class) = (slf.py(), slf.get_type());
        pickled(class, (angles, scan.ranges(py)?, scan.intensities(py)?).into_pyobject(py)?)
    }

    fn __len__(&self) -> usize {
        self.0.ranges.len()
    }

    fn __repr__(&self) -> String {
        format!("<LaserScan: {} ranges>", self.0.ranges.len())
    }
}

/// An image, encoded or as pixels.
#[pyclass(frozen, eq, module = "pyrobolog")]
#[derive(PartialEq)]
pub(crate) struct Image(Arc<robolog_core::Image>);

impl From<robolog_core::Image> for Image {
    fn from(image: robolog_core::Image) -> Self {
        Self(Arc::new(image))
    }
}

#[pymethods]
impl Image {
    /// Columns; 0 if only the encoded data has them.
    #[getter]
    fn width(&self) -> u32 {
        self.0.width
    }

    /// Rows; 0 if only the encoded data has them.
    #[getter]
    fn height(&self) -> u32 {
        self.0.height
    }

    /// Encoding of the data: jpeg, png, mono8, mono16, rgb8 or rgb16.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.0.encoding.name()
    }

    /// The file of an encoded image, else the rows from the top: a copy.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.data)
    }

    /// The pixels as a read-only NumPy array: rows, columns, and colours if any. JPEG is decoded at each call, others
    /// are not copied; two-byte numbers are big-endian.
    ///
    /// Raises ValueError for data that cannot be decoded, including PNG.
    #[getter]
    fn array(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.0.encoding == Encoding::Jpeg {
            let decoded = py.detach(|| robolog_convert::sink::jpeg::decode(&self.0.data));
            let decoded = decoded.ok_or_else(|| PyValueError::new_err("the JPEG file cannot be decoded"))?;
            return pixels(py, &Arc::new(decoded));
        }
        pixels(py, &self.0)
    }

    #[staticmethod]
    fn _of(width: u32, height: u32, encoding: &str, data: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let mut known = [
            Encoding::Jpeg,
            Encoding::Png,
            Encoding::Mono8,
            Encoding::Mono16,
            Encoding::Rgb8,
            Encoding::Rgb16,
        ]
        .into_iter();
        let encoding = known.find(|known| known.name() == encoding);
        let encoding = encoding.ok_or_else(|| PyValueError::new_err("an unknown encoding"))?;
        let data = data.as_bytes().to_vec().into();
        Ok(Self::from(robolog_core::Image { width, height, encoding, data }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let (py, class, image) = (slf.py(), slf.get_type(), slf.get());
        let parts = (image.width(), image.height(), image.encoding(), image.data(py));
        pickled(class, parts.into_pyobject(py)?)
    }

    fn __repr__(&self) -> String {
        let robolog_core::Image { width, height, .. } = *self.0;
        format!("<Image: {}, {width} x {height}, {} bytes>", self.encoding(), self.0.data.len())
    }
}

fn pixels(py: Python<'_>, image: &Arc<robolog_core::Image>) -> PyResult<Py<PyAny>> {
    let (kind, colours) = match image.encoding {
        Encoding::Mono8 => ("|u1", 1),
        Encoding::Mono16 => (">u2", 1),
        Encoding::Rgb8 => ("|u1", 3),
        Encoding::Rgb16 => (">u2", 3),
        other => {
            let message = format!("{} is not decoded here: data is its file", other.name());
            return Err(PyValueError::new_err(message));
        }
    };
    let side = |n: u32| usize::try_from(n).ok();
    let len = |h: usize, w: usize| h.checked_mul(w)?.checked_mul(image.encoding.bytes_per_pixel()?);
    let shape = side(image.height).zip(side(image.width));
    let Some((height, width)) = shape.filter(|(h, w)| len(*h, *w) == Some(image.data.len())) else {
        let robolog_core::Image { width, height, .. } = **image;
        let message = format!("{} bytes are not {width} x {height} pixels", image.data.len());
        return Err(PyValueError::new_err(message));
    };
    let shape = if colours == 1 { vec![height, width] } else { vec![height, width, colours] };
    View::shaped(py, image, |image| &image.data, (kind, shape))
}
