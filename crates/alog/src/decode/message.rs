//! Messages of keys and values, as rows.

use std::{borrow::Cow, sync::Arc};

use robolog_core::{Cell, Field, FieldKind};

use super::{known, new_college};
use crate::{Matrix, RawText};

/// A key, its text, and the number if the text is one.
type Entry = (String, String, Option<f64>);

/// The items of a message. Items without a key belong to the key before them.
pub(super) struct Message<'a> {
    variable: &'a [u8],
    entries: Vec<Entry>,
}

impl<'a> Message<'a> {
    /// `None` if the value is empty or its first item has no key.
    pub(super) fn parse(variable: &'a [u8], value: RawText<'_>) -> Option<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        for item in value.items() {
            let text = item.value.to_text();
            match (item.key, entries.last_mut()) {
                (Some(key), _) => {
                    let key = String::from_utf8_lossy(key).into_owned();
                    match matrix(variable, item.value) {
                        Some(matrix) => entries.extend(elements(&key, matrix)),
                        None => entries.push((key, text, item.value.number())),
                    }
                }
                (None, Some((_, list, number))) => {
                    if !list.is_empty() {
                        list.push(',');
                    }
                    list.push_str(&text);
                    *number = None;
                }
                (None, None) => return None,
            }
        }
        (!entries.is_empty()).then_some(Self { variable, entries })
    }

    /// A field for each key.
    pub(super) fn fields(&self) -> Arc<[Field]> {
        let field = |(key, _, number): &Entry| Field {
            name: Cow::Owned(key.clone()),
            unit: new_college::unit(self.variable, key).filter(|_| number.is_some()).map(Cow::Borrowed),
            kind: if number.is_some() { FieldKind::Float } else { FieldKind::Text },
        };
        self.entries.iter().map(field).collect()
    }

    /// Whether its fields are the same.
    pub(super) fn has(&self, fields: &[Field]) -> bool {
        fields.len() == self.entries.len()
            && fields.iter().zip(&self.entries).all(|(field, (key, _, number))| {
                field.name == *key && (field.kind == FieldKind::Float) == number.is_some()
            })
    }

    pub(super) fn into_cells(self) -> impl Iterator<Item = Cell> {
        self.entries.into_iter().map(|(_, text, number)| number.map_or(Cell::Text(text), Cell::Float))
    }
}

/// Maximum number of elements of a matrix that are columns; those of New College have 16.
const ELEMENTS: usize = 64;

/// The matrix in an item of New College's geometry, if it has as many numbers as it says.
fn matrix<'a>(variable: &[u8], value: RawText<'a>) -> Option<Matrix<'a>> {
    let matrix = value.matrix().filter(|_| variable == known::GEOMETRY)?;
    let is_whole = matrix.len() == Some(matrix.count()) && (1..=ELEMENTS).contains(&matrix.count());
    is_whole.then_some(matrix)
}

/// The elements of a matrix: `KEY_ROW_COLUMN`, or `KEY_ROW` with one column, from 0.
fn elements(key: &str, matrix: Matrix<'_>) -> impl Iterator<Item = Entry> {
    let columns = matrix.columns.max(1);
    matrix.values().enumerate().map(move |(i, number)| {
        let (row, column) = (i.checked_div(columns).unwrap_or(i), i.checked_rem(columns).unwrap_or(0));
        let name = if columns == 1 { format!("{key}_{row}") } else { format!("{key}_{row}_{column}") };
        (name, String::new(), Some(number))
    })
}

/// The cells of a message that has exactly these fields, as most messages have those of the one before; `None` for others.
pub(super) fn cells(value: RawText<'_>, fields: &[Field]) -> Option<Vec<Cell>> {
    let mut cells = Vec::with_capacity(fields.len());
    let mut last = RawText(b"");
    for item in value.items() {
        if let Some(key) = item.key {
            fields.get(cells.len()).filter(|field| field.name.as_bytes() == key)?;
            cells.push(item.value.number().map_or_else(|| Cell::Text(item.value.to_text()), Cell::Float));
        } else {
            // It belongs to the key before it, which is a list then.
            let cell = cells.last_mut()?;
            if let Cell::Float(_) = cell {
                *cell = Cell::Text(last.to_text());
            }
            let Cell::Text(text) = cell else { return None };
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(&item.value.to_text());
        }
        last = item.value;
    }
    let fits =
        |(field, cell): (&Field, &Cell)| (field.kind == FieldKind::Float) == matches!(cell, Cell::Float(_));
    (cells.len() == fields.len() && fields.iter().zip(&cells).all(fits)).then_some(cells)
}

/// Whether a message has exactly these fields, without parsing it into parts.
pub(super) fn has_fields(value: RawText<'_>, fields: &[Field]) -> bool {
    let mut rest = fields.iter();
    let fits = |(field, is_number): (&Field, bool)| (field.kind == FieldKind::Float) == is_number;
    let mut last = None;
    for item in value.items() {
        match (item.key, &mut last) {
            (Some(key), before) => {
                let Some(field) = rest.next().filter(|field| field.name.as_bytes() == key) else {
                    return false;
                };
                if before.replace((field, item.value.number().is_some())).is_some_and(|before| !fits(before))
                {
                    return false;
                }
            }
            (None, Some((_, is_number))) => *is_number = false,
            (None, None) => return false,
        }
    }
    rest.next().is_none() && last.is_some_and(fits)
}
