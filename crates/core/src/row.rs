//! Rows of a table whose columns the format defines.

mod declare;

use std::{borrow::Cow, sync::Arc};

pub use declare::{CellValue, Columns, ReadColumn, WriteColumn, column};

/// Named values measured together, such as the controls of a vehicle: a row of the channel's table.
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
    /// The columns. All rows of a channel should share one list, to fit in one table.
    pub fields: Arc<[Field]>,
    /// One cell for each field, in the same order.
    pub cells: Vec<Cell>,
}

/// A column of a channel's table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Name, unique within the table.
    pub name: Cow<'static, str>,
    /// Unit of its numbers, such as `m/s`; `None` if it does not apply or is unknown.
    pub unit: Option<Cow<'static, str>>,
    /// Type of its non-null cells.
    pub kind: FieldKind,
}

/// Type of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Boolean.
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
    /// Unknown or absent.
    #[default]
    Null,
    /// Boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number; may be NaN or infinite.
    Float(f64),
    /// Text.
    Text(String),
}

impl Row {
    /// A row of `cells` for `fields`, in the same order. Missing cells at the end become [`Cell::Null`]; those beyond
    /// the last field are dropped.
    pub fn new(fields: Arc<[Field]>, mut cells: Vec<Cell>) -> Self {
        cells.resize(fields.len(), Cell::Null);
        Self { fields, cells }
    }

    /// The cell of the first column called `name`; `None` if there is no such column.
    pub fn get(&self, name: &str) -> Option<&Cell> {
        self.iter().find_map(|(field, cell)| (field.name == name).then_some(cell))
    }

    /// The columns with their cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Field, &Cell)> {
        self.fields.iter().zip(&self.cells)
    }
}

impl Cell {
    /// Makes the cell this text, in the same memory if it is one.
    pub fn set_text(&mut self, text: &str) {
        if let Self::Text(own) = self {
            own.clear();
            own.push_str(text);
        } else {
            *self = Self::Text(text.to_owned());
        }
    }
}

impl Field {
    /// A column without a unit.
    pub const fn new(name: &'static str, kind: FieldKind) -> Self {
        Self { name: Cow::Borrowed(name), unit: None, kind }
    }

    /// Sets the unit, such as `m/s`.
    #[must_use]
    pub const fn with_unit(mut self, unit: &'static str) -> Self {
        // A constant cannot run destructors; only a unit made at run time would need one.
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
