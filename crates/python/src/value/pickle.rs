//! Values, pickled: the class, and the parts that it is made of again.

use pyo3::{
    prelude::*,
    types::{PyTuple, PyType},
};

/// What is called with the class.
pub(crate) type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>,));

/// A class whose `_of` takes these arguments.
pub(crate) fn pickled<'py>(class: Bound<'py, PyType>, parts: Bound<'py, PyTuple>) -> PyResult<Pickled<'py>> {
    let caller = class.py().import("operator")?.getattr("methodcaller")?;
    let arguments = std::iter::once("_of".into_pyobject(class.py())?.into_any()).chain(parts.iter());
    let arguments = PyTuple::new(class.py(), arguments.collect::<Vec<_>>())?;
    Ok((caller.call1(arguments)?, (class,)))
}

/// The methods of a class whose attributes are all that it holds.
macro_rules! plain {
    ($class:ident { $($field:ident: $kind:ty),+ $(,)? } $($rest:tt)*) => {
        #[pymethods]
        impl $class {
            #[staticmethod]
            fn _of(parts: ($($kind,)+)) -> Self {
                let ($($field,)+) = parts;
                Self { $($field),+ }
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<$crate::value::Pickled<'py>> {
                let parts = [$(slf.getattr(stringify!($field))?),+];
                let parts = pyo3::types::PyTuple::new(slf.py(), parts)?;
                $crate::value::pickled(slf.get_type(), pyo3::types::PyTuple::new(slf.py(), [parts])?)
            }

            $($rest)*
        }
    };
}

pub(crate) use plain;
