//! The columns of rows whose fields change during a recording.

use std::{collections::HashMap, sync::Arc};

use crate::{Cell, Field, FieldKind, slices::InRange as _};

/// The combined columns of many rows: all fields of any row, in order of first appearance.
///
/// A field that is a number in one row and text in another becomes text; integers mixed with floating-point numbers
/// become floating-point numbers.
///
/// ```
/// use robolog_core::{Field, FieldKind, columns::Union};
/// let (x, mode) = (Field::new("x", FieldKind::Int), Field::new("mode", FieldKind::Text));
/// let mut union = Union::default();
/// assert!(union.add(&[x.clone()].into()));
/// assert!(union.add(&[mode, Field::new("x", FieldKind::Float)].into()));
/// let names: Vec<_> = union.fields().iter().map(|field| (&*field.name, field.kind)).collect();
/// assert_eq!(names, [("x", FieldKind::Float), ("mode", FieldKind::Text)]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Union {
    fields: Vec<Field>,
    by_key: HashMap<Key, usize>,
    /// The fields of the last row, and the column of each of its cells.
    last: Option<Arc<[Field]>>,
    places: Vec<usize>,
}

/// What identifies a column: name, unit, and how often both occurred earlier in the row.
type Key = (String, Option<String>, u32);

impl Union {
    /// Maximum number of columns: a table with more cells than its recording has bytes is useless.
    pub const MOST: usize = 1 << 14;

    /// Adds the fields of a row, and finds the columns of its cells. Returns false and adds nothing if there would be
    /// more than [`MOST`](Self::MOST) columns.
    pub fn add(&mut self, row: &Arc<[Field]>) -> bool {
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, row)) {
            return true;
        }
        let mut seen: HashMap<(&str, Option<&str>), u32> = HashMap::new();
        let keys: Vec<Key> = row
            .iter()
            .map(|field| {
                let times = seen.entry((&*field.name, field.unit.as_deref())).or_default();
                let key = (field.name.to_string(), field.unit.as_deref().map(str::to_owned), *times);
                *times = times.plus(1);
                key
            })
            .collect();
        let more = keys.iter().filter(|key| !self.by_key.contains_key(*key)).count();
        if self.fields.len().plus(more) > Self::MOST {
            return false;
        }
        self.places.clear();
        for (field, key) in row.iter().zip(keys) {
            let next = self.fields.len();
            let place = *self.by_key.entry(key).or_insert(next);
            if place == next {
                self.fields.push(field.clone());
            }
            self.join(place, field.kind);
            self.places.push(place);
        }
        self.last = Some(Arc::clone(row));
        true
    }

    /// The column of cell `i` of the last row, whose kind may differ from its field's.
    pub fn place(&mut self, i: usize, cell: &Cell) -> Option<usize> {
        let place = *self.places.get(i)?;
        let kind = match cell {
            Cell::Null => return Some(place),
            Cell::Bool(_) => FieldKind::Bool,
            Cell::Int(_) => FieldKind::Int,
            Cell::Float(_) => FieldKind::Float,
            Cell::Text(_) => FieldKind::Text,
        };
        self.join(place, kind);
        Some(place)
    }

    /// The columns so far. Two may share a name: if their units differ, or a row has the name twice.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn join(&mut self, place: usize, kind: FieldKind) {
        let Some(field) = self.fields.get_mut(place) else { return };
        field.kind = match (field.kind, kind) {
            (a, b) if a == b => a,
            (FieldKind::Int | FieldKind::Float, FieldKind::Int | FieldKind::Float) => FieldKind::Float,
            _ => FieldKind::Text,
        };
    }
}
