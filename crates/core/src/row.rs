//! What is neither a cloud nor a pose: rows of a table that the format lays out.

mod declare;

use std::{borrow::Cow, sync::Arc};

pub use declare::{CellValue, Columns, ReadColumn, WriteColumn, column};

/// Named values measured together: a row of the channel's table, such as the controls of a vehicle.
///
/// ```
/// use robolog_core::{Cell, Field, FieldKind, Row};
/// static FIELDS: [Field; 2] =
///     [Field::new("steer", FieldKind::Float).with_unit("rad"), Field::new("gear", FieldKind::Int)];
/// let row = Row::new(FIELDS.as_slice().into(), vec![0.25.into(), 3_i64.into()]);
/// assert_eq!(row.get("gear"), Some(&Cell::Int(3)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The columns. All rows of a channel should share one list, so that a table can hold them.
    pub fields: Arc<[Field]>,
    /// What stands in them: a cell for each field, in the same order.
    pub cells: Vec<Cell>,
}

/// A column of a channel's table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name, unique within the table.
    pub name: Cow<'static, str>,
    /// What its numbers are measured in, such as `m/s`; `None` where that does not apply or is not known.
    pub unit: Option<Cow<'static, str>>,
    /// What its cells hold when they hold something.
    pub kind: FieldKind,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Yes or no.
    Bool,
    /// Integers.
    Int,
    /// Floating-point numbers.
    Float,
    /// Text.
    Text,
}

/// One value of a [`Row`].
///
/// ```
/// use robolog_core::Cell;
/// assert_eq!(Cell::from(0.25_f32), Cell::Float(0.25));
/// assert_eq!(Cell::from(Some("reverse")), Cell::Text("reverse".into()));
/// assert_eq!(Cell::from(None::<i64>), Cell::Null);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Not known, or not there.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number; may be NaN or infinite.
    Float(f64),
    /// Text.
    Text(String),
}

impl Row {
    /// A row of `cells` below `fields`, in the same order. Cells that are missing at the end are [`Cell::Null`]; those
    /// beyond the last field are dropped.
    pub fn new(fields: Arc<[Field]>, mut cells: Vec<Cell>) -> Self {
        cells.resize(fields.len(), Cell::Null);
        Self { fields, cells }
    }

    /// What stands in the first column that is called `name`; `None` when there is no such column.
    pub fn get(&self, name: &str) -> Option<&Cell> {
        self.iter().find_map(|(field, cell)| (field.name == name).then_some(cell))
    }

    /// The columns with what stands in them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Field, &Cell)> {
        self.fields.iter().zip(&self.cells)
    }
}

impl Field {
    /// A column without a unit.
    pub const fn new(name: &'static str, kind: FieldKind) -> Self {
        Self { name: Cow::Borrowed(name), unit: None, kind }
    }

    /// The same column with its numbers measured in `unit`, such as `m/s`.
    #[must_use]
    pub const fn with_unit(mut self, unit: &'static str) -> Self {
        // A constant cannot run destructors; there is nothing to be freed but in a unit that was made at run time.
        let before = self.unit.replace(Cow::Borrowed(unit));
        std::mem::forget(before);
        self
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! numbers {
    ($variant:ident: $($number:ty),+) => {$(
        impl From<$number> for Cell {
            fn from(value: $number) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}

numbers!(Int: i64, i32, i16, i8, u32, u16, u8);
numbers!(Float: f64, f32);

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// `None` becomes [`Cell::Null`].
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[cfg(feature = "serde")]
mod ser {
    //! A row as a map from names to values.
    use serde::{Serialize, Serializer};

    impl Serialize for super::Row {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.iter().map(|(field, cell)| (&field.name, cell)))
        }
    }

    impl Serialize for super::Cell {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Self::Null => serializer.serialize_none(),
                Self::Bool(value) => serializer.serialize_bool(*value),
                Self::Int(value) => serializer.serialize_i64(*value),
                Self::Float(value) => serializer.serialize_f64(*value),
                Self::Text(value) => serializer.serialize_str(value),
            }
        }
    }
}
