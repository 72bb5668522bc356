//! Numbers of a sample as NumPy arrays, without a copy.
//!
//! The array interface, a dictionary with an address, supports CPython 3.10 with the stable ABI, which has no buffers
//! before 3.11, and needs no unsafe code here.

use std::{any::Any, sync::Arc};

use pyo3::{
    exceptions::PyImportError,
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyTuple},
};
use robolog_core::{Clock, Timestamp};

/// Contiguous, immutable numbers, kept alive by this object.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct View {
    /// The owner of the memory.
    _owner: Arc<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    /// The type in NumPy's notation.
    kind: &'static str,
}

/// A number type, with its NumPy notation.
pub(crate) trait Number {
    const KIND: &'static str;
}

macro_rules! numbers {
    ($($number:ty: $little:literal $big:literal),+) => {$(
        impl Number for $number {
            const KIND: &'static str = if cfg!(target_endian = "big") { $big } else { $little };
        }
    )+};
}

numbers!(u8: "|u1" "|u1", u16: "<u2" ">u2", u32: "<u4" ">u4", f32: "<f4" ">f4", f64: "<f8" ">f8");

/// NumPy, or an error with advice if it is not installed.
pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy").map_err(|error| {
        let wanted = PyImportError::new_err("columns and times are NumPy's: pip install numpy");
        wanted.set_cause(py, Some(error));
        wanted
    })
}

#[pymethods]
impl View {
    /// The array interface of NumPy.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Called for each column of each sample: the names are made once.
        let interface = PyDict::new(py);
        interface.set_item(intern!(py, "version"), 3)?;
        interface.set_item(intern!(py, "typestr"), PyString::intern(py, self.kind))?;
        interface.set_item(intern!(py, "shape"), PyTuple::new(py, &self.shape)?)?;
        // Read-only.
        interface.set_item(intern!(py, "data"), (self.address, true))?;
        Ok(interface)
    }
}

impl View {
    /// A read-only array of numbers in memory that `owner` owns.
    pub(crate) fn array<T: Number, O: Any + Send + Sync>(
        py: Python<'_>,
        owner: &Arc<O>,
        numbers: impl FnOnce(&O) -> &[T],
    ) -> PyResult<Py<PyAny>> {
        let numbers = numbers(owner);
        let owner: Arc<dyn Any + Send + Sync> = Arc::<O>::clone(owner);
        let address = numbers.as_ptr().expose_provenance();
        Self { _owner: owner, address, shape: vec![numbers.len()], kind: T::KIND }.into_array(py)
    }

    /// The same for bytes with numbers of type `kind`, as an array of this shape.
    pub(crate) fn shaped<O: Any + Send + Sync>(
        py: Python<'_>,
        owner: &Arc<O>,
        bytes: impl FnOnce(&O) -> &[u8],
        (kind, shape): (&'static str, Vec<usize>),
    ) -> PyResult<Py<PyAny>> {
        let address = bytes(owner).as_ptr().expose_provenance();
        let owner: Arc<dyn Any + Send + Sync> = Arc::<O>::clone(owner);
        Self { _owner: owner, address, shape, kind }.into_array(py)
    }

    fn into_array(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let as_array = AS_ARRAY.get_or_try_init(py, || numpy(py)?.getattr("asarray").map(Bound::unbind))?;
        as_array.call1(py, (Bound::new(py, self)?,))
    }
}

/// A NumPy time: a datetime64 on the unix clock, else a timedelta64 since time 0.
pub(crate) fn numpy_time(py: Python<'_>, time: Timestamp) -> PyResult<Bound<'_, PyAny>> {
    let class = if time.clock() == Clock::Unix { "datetime64" } else { "timedelta64" };
    numpy_nanos(py, class, time.nanos())
}

pub(crate) fn numpy_nanos<'py>(py: Python<'py>, class: &str, nanos: i64) -> PyResult<Bound<'py, PyAny>> {
    numpy(py)?.getattr(class)?.call1((nanos, "ns"))
}
