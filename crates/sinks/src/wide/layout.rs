//! Columns of a wide table, in order of appearance.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{Field, FieldKind, Value, slices::Part as _};

use super::super::flat::{self, Shape};

/// Column of a cell, and its interpolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellColumn {
    /// Column number; `None` for cells without one.
    pub(super) column: Option<usize>,
    pub(super) nature: Nature,
}

/// Kind of interpolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Linear.
    Plain,
    /// Angle in degrees.
    Degrees,
    /// Angle in radians.
    Radians,
    /// First of four cells of a quaternion.
    Quaternion,
}

/// All columns so far, and those of each channel.
#[derive(Debug, Default)]
pub(super) struct WideColumns {
    fields: Vec<Field>,
    /// Rebuilt when a column is added.
    shared: Option<Arc<[Field]>>,
    columns: HashMap<Key, usize>,
    /// Last shape and places of each channel.
    channels: Vec<Known>,
}

/// Identifies a column: channel, name, unit, and number of earlier fields with both in the same value.
type Key = (usize, String, Option<String>, u32);

#[derive(Debug)]
struct Known {
    shape: Shape,
    places: Arc<[CellColumn]>,
}

/// Maximum number of columns; values that need more are left out.
const MOST_COLUMNS: usize = 1 << 14;

/// Columns that would repeat the frames in every row.
const FRAMES: [&str; 2] = ["frame_id", "child_frame_id"];

impl WideColumns {
    /// Returns the columns as fields.
    pub(super) fn fields(&mut self) -> Arc<[Field]> {
        Arc::clone(self.shared.get_or_insert_with(|| self.fields.as_slice().into()))
    }

    /// Returns the places of a value's cells; `number` is its channel's. `None` if there are too many columns.
    pub(super) fn places(
        &mut self,
        number: usize,
        channel: &str,
        value: &Value,
    ) -> Option<Arc<[CellColumn]>> {
        if let Some(known) = self.channels.get(number).filter(|known| known.shape.fits(value)) {
            return Some(Arc::clone(&known.places));
        }
        let fields = flat::fields(value);
        if self.fields.len() + fields.len() > MOST_COLUMNS {
            return None;
        }
        let is_row = matches!(value, Value::Row(_));
        let mut seen: HashMap<(&str, Option<&str>), u32> = HashMap::new();
        let mut places = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            let times = seen.entry((&*field.name, field.unit.as_deref())).or_default();
            let key = (number, field.name.to_string(), field.unit.as_deref().map(str::to_owned), *times);
            *times += 1;
            let is_frame = !is_row && FRAMES.contains(&&*field.name);
            let column = if is_frame { None } else { Some(self.column(key, channel, field, value)) };
            let nature = nature(channel, &fields, i);
            places.push(CellColumn { column, nature });
        }
        let places: Arc<[CellColumn]> = places.into();
        let known = Known { shape: Shape::of(value), places: Arc::clone(&places) };
        match self.channels.get_mut(number) {
            Some(last) => *last = known,
            // Channels are numbered in order of appearance.
            None => self.channels.push(known),
        }
        Some(places)
    }

    fn column(&mut self, key: Key, channel: &str, field: &Field, value: &Value) -> usize {
        if let Some(column) = self.columns.get(&key) {
            return *column;
        }
        let name = match value {
            Value::Scalar(_) | Value::Text(_) => channel.to_owned(),
            _ => format!("{channel}.{}", field.name),
        };
        let column = self.fields.len();
        self.fields.push(Field { name: name.into(), ..field.clone() });
        self.shared = None;
        self.columns.insert(key, column);
        column
    }
}

/// Returns the interpolation of the cell at `i`.
fn nature(channel: &str, fields: &[Field], i: usize) -> Nature {
    let Some(field) = fields.get(i).filter(|field| field.kind == FieldKind::Float) else {
        return Nature::Plain;
    };
    if is_quaternion(fields.part(i..)) {
        return Nature::Quaternion;
    }
    match field.unit.as_deref() {
        Some("rad") => Nature::Radians,
        Some("deg") => Nature::Degrees,
        Some(_) => Nature::Plain,
        // MOOS variables have no units, but all programs agree about two names.
        None => {
            let name = if field.name == "value" { channel } else { &*field.name };
            match name.rsplit(|c: char| !c.is_ascii_alphabetic()).next() {
                Some("HEADING") => Nature::Degrees,
                Some("YAW") => Nature::Radians,
                _ => Nature::Plain,
            }
        }
    }
}

/// Whether four fields are a quaternion, in either order.
fn is_quaternion(fields: &[Field]) -> bool {
    let Some(four) = fields.first_chunk::<4>() else { return false };
    let is = |names: [&str; 4]| {
        four.iter().zip(names).all(|(field, name)| field.name == name && field.kind == FieldKind::Float)
    };
    is(["qx", "qy", "qz", "qw"]) || is(["qw", "qx", "qy", "qz"])
}
