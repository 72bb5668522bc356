//! Rows of a table in memory, and the iterator over them.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{
    Array as _, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray, UInt32Array, ffi::to_ffi,
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyCapsule};
use robolog_convert::sink::arrow::Batches as Making;
use robolog_core::{PointCloud, Sample, Value};

use crate::{error::of_arrow, reading::Reading};

/// Rows of a table, in memory: pyarrow.record_batch, polars.DataFrame and others take it.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Batch(RecordBatch);

/// A schema and an array, as Arrow exchanges them.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

#[pymethods]
impl Batch {
    /// The rows as a struct array, in Arrow capsules.
    #[pyo3(signature = (requested_schema=None))]
    pub(crate) fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        // The consumer casts to the requested schema itself; the interface allows that.
        drop(requested_schema);
        let (array, _) = to_ffi(&StructArray::from(self.0.clone()).to_data()).map_err(failed)?;
        let schema = arrow_schema::ffi::FFI_ArrowSchema::try_from(&*self.0.schema()).map_err(failed)?;
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<Batch: {} rows, {}>", self.0.num_rows(), self.columns().join(", "))
    }
}

/// The rows of a table in memory, as a stream.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Whole {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Whole {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        stream(py, RecordBatchIterator::new(batches, Arc::clone(&self.schema)))
    }
}

/// A stream of batches in an Arrow capsule.
pub(crate) fn stream(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

/// Iterator over the rows of a table.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Batches {
    reading: Mutex<Reading>,
    name: String,
}

impl Batches {
    pub(crate) fn new(reading: Reading) -> Self {
        Self { name: reading.name.clone(), reading: Mutex::new(reading) }
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let next = py.detach(|| self.reading.lock().unwrap_or_else(PoisonError::into_inner).next());
        next.transpose().map(|batch| batch.map(Batch)).map_err(|error| of_arrow(py, &self.name, &error))
    }
}

/// The points of a cloud, with all its columns.
pub(crate) fn of_cloud(cloud: &PointCloud) -> PyResult<Batch> {
    /// Not a column of tables, whose rows have the time of the point.
    const OFFSET: &str = "time_offset";
    let mut names: Vec<String> = cloud.columns().map(|column| column.name().to_owned()).collect();
    let place = names.iter().position(|name| name == OFFSET);
    names.retain(|name| name != OFFSET);
    let Batch(batch) = of_value(Value::PointCloud(cloud.clone()), names)?;
    let Some(place) = place else { return Ok(Batch(batch)) };
    let (mut fields, mut columns) = (batch.schema().fields().to_vec(), batch.columns().to_vec());
    fields.insert(place, Arc::new(Field::new(OFFSET, DataType::UInt32, true)));
    columns.insert(place, Arc::new(UInt32Array::from(cloud.time_offset.clone())));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map(Batch).map_err(failed)
}

/// A value without its time and channel, as rows of these columns.
pub(crate) fn of_value(value: Value, names: Vec<String>) -> PyResult<Batch> {
    let wrong = |error: robolog_convert::Error| PyValueError::new_err(error.to_string());
    let mut making = Making::default().with_columns(Some(names));
    let sample = Sample::new("", value);
    making.observe(&sample);
    making.push(&sample).map_err(wrong)?;
    making.finish().map_err(wrong)?;
    let Some(schema) = making.schema() else { return Err(PyValueError::new_err("no rows")) };
    let parts: Vec<_> = std::iter::from_fn(|| making.pop()).collect();
    arrow_select::concat::concat_batches(&schema, &parts).map(Batch).map_err(failed)
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
