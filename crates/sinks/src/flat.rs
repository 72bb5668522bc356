//! Values as one row of named cells.

use std::sync::Arc;

use robolog_core::{
    Cell, Field, FieldKind, Row, Value,
    columns::{self, Column, ColumnKind, Datum},
};

/// What a table holds: a kind of value, and the fields that differ among values of the kind.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: &'static str,
    fields: Option<Arc<[Field]>>,
}

impl Shape {
    pub(super) fn of(value: &Value) -> Self {
        let fields = value.row().map(|row| Arc::clone(&row.fields));
        Self { kind: value.kind(), fields }
    }

    /// Whether the value has this shape.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.kind == value.kind()
            && match (value.row(), &self.fields) {
                (Some(row), Some(fields)) => Arc::ptr_eq(&row.fields, fields) || row.fields == *fields,
                (row, fields) => row.is_none() && fields.is_none(),
            }
    }
}

/// Whether a value is one row of numbers, booleans and texts.
pub(super) const fn is_flat(value: &Value) -> bool {
    !matches!(value, Value::PointCloud(_) | Value::Image(_) | Value::LaserScan(_) | Value::Satellites(_))
}

/// Columns of a [flat](is_flat) value.
pub(super) fn fields(value: &Value) -> Arc<[Field]> {
    match value {
        Value::Row(row) => Arc::clone(&row.fields),
        value => columns::of(value).into_iter().map(field).collect(),
    }
}

/// Cells of a [flat](is_flat) value, in column order.
pub(super) fn cells(value: &Value, frame_id: &str) -> Vec<Cell> {
    if let Value::Row(Row { fields, cells }) = value {
        let mut cells = cells.clone();
        cells.resize(fields.len(), Cell::Null);
        return cells;
    }
    let mut cells = Vec::new();
    columns::cells(value, frame_id, 0, &mut |_, _, datum| cells.push(cell(&datum)));
    cells
}

fn field(column: Column) -> Field {
    let kind = match column.kind {
        ColumnKind::Bool => FieldKind::Bool,
        ColumnKind::Int | ColumnKind::Int32 => FieldKind::Int,
        ColumnKind::Float | ColumnKind::Float32 => FieldKind::Float,
        _ => FieldKind::Text,
    };
    Field { name: column.name.into(), unit: column.unit.map(Into::into), kind }
}

fn cell(datum: &Datum<'_>) -> Cell {
    match *datum {
        Datum::Bool(value) => value.into(),
        Datum::Int(value) => value.into(),
        Datum::Int32(value) => value.into(),
        Datum::Float(value) => value.into(),
        Datum::Float32(value) => value.into(),
        Datum::Text(text) => text.into(),
        Datum::Name(name) => name.into(),
        Datum::Geometry(geometry) => geometry.to_string().into(),
        // Bytes and lists do not fit one cell.
        _ => Cell::Null,
    }
}
