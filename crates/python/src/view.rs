//! Numbers of a sample as NumPy arrays, without a copy.
//!
//! The array interface, a dictionary with an address, serves CPython 3.10 with the stable interface, which has no buffers
//! before 3.11, and needs no unsafe code here.

use std::{any::Any, sync::Arc};

use pyo3::{
    exceptions::PyImportError,
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyTuple},
};

/// Numbers that lie in memory one after another, which this object keeps alive and nobody changes.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct View {
    /// What owns the memory.
    _owner: Arc<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    /// As NumPy spells it.
    kind: &'static str,
}

/// A number, as NumPy spells its type.
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

/// NumPy, or what to do where it is not installed.
pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy").map_err(|error| {
        let wanted = PyImportError::new_err("columns and times are NumPy's: pip install numpy");
        wanted.set_cause(py, Some(error));
        wanted
    })
}

#[pymethods]
impl View {
    /// How NumPy finds the numbers.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Each column of each sample passes here: the names are made once.
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
    /// A read-only array of the numbers in memory that `owner` owns.
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

    /// The same of bytes that hold numbers of type `kind` in an array of this shape.
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
