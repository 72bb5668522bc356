//! Converts Python arrays to Rust numbers through NumPy. Always a copy, as the caller may change them.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};

/// The numbers of an array or a sequence as 32-bit floats.
pub(crate) fn floats(given: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let bytes = contiguous(&as_array(given, Some("<f4"))?)?;
    Ok(chunks(&bytes).map(f32::from_le_bytes).collect())
}

/// The numbers of an array or a sequence as 64-bit floats.
pub(crate) fn doubles(given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let bytes = contiguous(&as_array(given, Some("<f8"))?)?;
    Ok(chunks(&bytes).map(f64::from_le_bytes).collect())
}

/// The same as unsigned integers of 32 bits. Returns an error if a value does not fit.
pub(crate) fn integers(given: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    Ok(chunks(&contiguous(&whole(given, "<u4")?)?).map(u32::from_le_bytes).collect())
}

/// The same with 8 bits.
pub(crate) fn bytes(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    Ok(contiguous(&whole(given, "|u1")?)?.clone())
}

fn whole<'py>(given: &Bound<'py, PyAny>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let before = as_array(given, None)?;
    let after = before.call_method1("astype", (kind,))?;
    let same: bool = after.call_method1("__eq__", (&before,))?.call_method0("all")?.is_truthy()?;
    if same {
        return Ok(after);
    }
    Err(PyValueError::new_err(format!("numbers that do not fit {kind}")))
}

fn as_array<'py>(given: &Bound<'py, PyAny>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    given.py().import("numpy")?.call_method1("asarray", (given, kind))
}

/// In row-major order.
fn contiguous(array: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    Ok(array.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes().to_vec())
}

fn chunks<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}
