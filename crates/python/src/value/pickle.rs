//! Pickled values: the class, and its parts.

use pyo3::{
    prelude::*,
    types::{PyTuple, PyType},
};

/// The function that is called with the class.
pub(crate) type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>,));

/// A class whose `_of` takes these arguments.
pub(crate) fn pickled<'py>(class: Bound<'py, PyType>, parts: Bound<'py, PyTuple>) -> PyResult<Pickled<'py>> {
    let caller = class.py().import("operator")?.getattr("methodcaller")?;
    let arguments = std::iter::once("_of".into_pyobject(class.py())?.into_any()).chain(parts.iter());
    let arguments = PyTuple::new(class.py(), arguments.collect::<Vec<_>>())?;
    Ok((caller.call1(arguments)?, (class,)))
}

/// A class whose `_of` takes a tuple of these attributes.
pub(crate) fn pickled_by<'py>(of: &Bound<'py, PyAny>, names: &[&str]) -> PyResult<Pickled<'py>> {
    let parts = names.iter().map(|name| of.getattr(*name)).collect::<PyResult<Vec<_>>>()?;
    pickled(of.get_type(), PyTuple::new(of.py(), [PyTuple::new(of.py(), parts)?])?)
}

/// An object as its class and these attributes.
pub(crate) fn shown(of: &Bound<'_, PyAny>, names: &[&str]) -> PyResult<String> {
    let part = |name: &&str| Ok(format!("{name}={}", of.getattr(*name)?.repr()?));
    let parts = names.iter().map(part).collect::<PyResult<Vec<_>>>()?;
    Ok(format!("<{} {}>", of.get_type().name()?, parts.join(", ")))
}

/// A class defined by its attributes; without methods of its own, they are its representation.
macro_rules! plain {
    (
        $(#[$of_class:meta])*
        struct $class:ident { $($(#[$of_field:meta])* $field:ident: $kind:ty,)+ }
    ) => {
        $crate::value::plain! {
            $(#[$of_class])*
            struct $class { $($(#[$of_field])* $field: $kind,)+ }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                $crate::value::shown(slf.as_any(), &[$(stringify!($field)),+])
            }
        }
    };
    (
        $(#[$of_class:meta])*
        struct $class:ident { $($(#[$of_field:meta])* $field:ident: $kind:ty,)+ }
        $($rest:tt)+
    ) => {
        $(#[$of_class])*
        #[pyclass(frozen, eq, get_all, from_py_object, module = "pyrobolog")]
        #[derive(Clone, PartialEq)]
        pub(crate) struct $class {
            $($(#[$of_field])* $field: $kind,)+
        }

        #[pymethods]
        impl $class {
            #[staticmethod]
            fn _of(parts: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<Self> {
                let mut places = 0..;
                $(let $field: $kind = parts.get_item(places.next().unwrap_or_default())?.extract()?;)+
                Ok(Self { $($field),+ })
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<$crate::value::Pickled<'py>> {
                $crate::value::pickled_by(slf.as_any(), &[$(stringify!($field)),+])
            }

            $($rest)+
        }
    };
}

pub(crate) use plain;
