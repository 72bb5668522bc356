//! Clouds, scans and images: their numbers are NumPy arrays on the memory of the sample.

use std::sync::Arc;

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use robolog_core::{Column, Encoding};

use crate::view::{Number, View};

/// Points of a scanner as columns. x points forward, y left, z up.
///
/// Columns are read-only NumPy arrays without a copy; None for what the sensor does not measure. One array of all points is
/// numpy.stack((cloud.x, cloud.y, cloud.z), axis=1).
#[pyclass(frozen, module = "pyrobolog")]
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

    /// Strength of the return in the sensor's own scale, mostly 0 to 255, float32.
    #[getter]
    fn intensity(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.intensity)
    }

    /// Nanoseconds from the sample's time to the moment the point was measured, uint32.
    #[getter]
    fn time_offset(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, |cloud| &cloud.time_offset)
    }

    /// Which return of the shot this is, from 1 on, uint8; 0 where the sensor does not say.
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

    /// The names of the columns that there are.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.0.columns().map(Column::name).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<PointCloud: {} points, {}>", self.0.len(), self.columns().join(", "))
    }
}

/// One sweep of a planar laser scanner.
#[pyclass(frozen, module = "pyrobolog")]
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

    /// Seconds between neighbouring ranges; 0 when unknown.
    #[getter]
    fn time_increment(&self) -> f32 {
        self.0.time_increment
    }

    /// Seconds between scans; 0 when unknown.
    #[getter]
    fn scan_time(&self) -> f32 {
        self.0.scan_time
    }

    /// Least valid range, metres.
    #[getter]
    fn range_min(&self) -> f32 {
        self.0.range_min
    }

    /// Greatest valid range, metres.
    #[getter]
    fn range_max(&self) -> f32 {
        self.0.range_max
    }

    /// Metres, float32, a read-only NumPy array without a copy; NaN where the sensor gave none.
    #[getter]
    fn ranges(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        View::array(py, &self.0, |scan| &scan.ranges)
    }

    /// Strength of each return in the sensor's scale, float32, likewise; None when it gives none.
    #[getter]
    fn intensities(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.0.intensities.is_empty() {
            return Ok(None);
        }
        View::array(py, &self.0, |scan| &scan.intensities).map(Some)
    }

    fn __len__(&self) -> usize {
        self.0.ranges.len()
    }

    fn __repr__(&self) -> String {
        format!("<LaserScan: {} ranges>", self.0.ranges.len())
    }
}

/// An image, encoded or as pixels.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Image(Arc<robolog_core::Image>);

impl From<robolog_core::Image> for Image {
    fn from(image: robolog_core::Image) -> Self {
        Self(Arc::new(image))
    }
}

#[pymethods]
impl Image {
    /// Columns; 0 where only the encoded data knows.
    #[getter]
    fn width(&self) -> u32 {
        self.0.width
    }

    /// Rows; 0 where only the encoded data knows.
    #[getter]
    fn height(&self) -> u32 {
        self.0.height
    }

    /// What the data is: jpeg, png, mono8, mono16, rgb8 or rgb16.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.0.encoding.name()
    }

    /// The file of an encoded image, else the rows from the top: a copy.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.data)
    }

    /// The pixels as a read-only NumPy array: rows, columns, and colours where there are some. Those of JPEG are decoded
    /// at each call, others are not copied; numbers of two bytes are big-endian.
    ///
    /// Raises ValueError for what cannot be decoded, PNG among it.
    #[getter]
    fn array(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.0.encoding == Encoding::Jpeg {
            let decoded = py.detach(|| robolog_convert::sink::jpeg::decode(&self.0.data));
            let decoded = decoded.ok_or_else(|| PyValueError::new_err("the JPEG file cannot be decoded"))?;
            return pixels(py, &Arc::new(decoded));
        }
        pixels(py, &self.0)
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
