//! Cells of rows by name.

use robolog_core::{Cell, Row};

pub(crate) fn number(row: &Row, name: &str) -> Option<f64> {
    match row.get(name)? {
        Cell::Float(value) => Some(*value).filter(|value| value.is_finite()),
        _ => integer(row, name).map(|value| value as f64),
    }
}

pub(crate) fn integer(row: &Row, name: &str) -> Option<i64> {
    if let Cell::Int(value) = row.get(name)? { Some(*value) } else { None }
}

pub(crate) fn text<'r>(row: &'r Row, name: &str) -> Option<&'r str> {
    if let Cell::Text(text) = row.get(name)? { Some(text) } else { None }
}
