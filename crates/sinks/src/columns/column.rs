//! A column of a table.

use bytes::Bytes;
use robolog_core::columns;

use super::Names;
use crate::runs::Runs;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Int,
    /// 32-bit integers.
    Small,
    Float,
    /// 32-bit floating-point numbers.
    Single,
    /// Microseconds of Unix time.
    Micros,
    Text,
    /// A few texts, repeated often.
    Name,
    Bytes,
    /// Shapes on Earth, as well-known binary.
    Geometry,
    /// A list of 32-bit floating-point numbers per row.
    Singles,
    /// Values are not kept because the column was not requested.
    Nothing,
}

/// The values of the rows that have one.
#[derive(Debug)]
pub(crate) enum Data {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Small(Vec<i32>),
    Float(Vec<f64>),
    Single(Vec<f32>),
    Micros(Vec<i64>),
    /// Texts, and the binary of shapes.
    Text(Lists<u8>),
    Name(Names),
    Bytes(Vec<Bytes>),
    Singles(Lists<f32>),
    Nothing,
}

/// A column of a table.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
    pub(crate) kind: Type,
    pub(crate) data: Data,
    /// Which rows have a value.
    pub(crate) valid: Runs<bool>,
}

/// Lists end to end.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    pub(crate) values: Vec<T>,
    /// End of each list.
    pub(crate) ends: Vec<usize>,
}

impl<T: Copy> Lists<T> {
    pub(super) fn push(&mut self, list: &[T]) {
        self.values.extend_from_slice(list);
        self.end();
    }

    /// Ends the current list; the next value begins another.
    pub(super) fn end(&mut self) {
        self.ends.push(self.values.len());
    }

    /// Bytes of memory of the values, used or not.
    fn size(&self) -> usize {
        self.values.capacity().saturating_mul(size_of::<T>())
    }

    fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
    }
}

impl From<columns::ColumnKind> for Type {
    fn from(kind: columns::ColumnKind) -> Self {
        match kind {
            columns::ColumnKind::Bool => Self::Bool,
            columns::ColumnKind::Int => Self::Int,
            columns::ColumnKind::Int32 => Self::Small,
            columns::ColumnKind::Float => Self::Float,
            columns::ColumnKind::Float32 => Self::Single,
            columns::ColumnKind::Name => Self::Name,
            columns::ColumnKind::Bytes => Self::Bytes,
            columns::ColumnKind::Geometry => Self::Geometry,
            columns::ColumnKind::Float32List => Self::Singles,
            // Kinds added to core are text until they have a type here.
            _ => Self::Text,
        }
    }
}

impl Type {
    pub(super) fn data(self) -> Data {
        match self {
            Self::Bool => Data::Bool(Vec::new()),
            Self::Int => Data::Int(Vec::new()),
            Self::Small => Data::Small(Vec::new()),
            Self::Float => Data::Float(Vec::new()),
            Self::Single => Data::Single(Vec::new()),
            Self::Micros => Data::Micros(Vec::new()),
            Self::Text | Self::Geometry => Data::Text(Lists { values: Vec::new(), ends: Vec::new() }),
            Self::Name => Data::Name(Names::default()),
            Self::Bytes => Data::Bytes(Vec::new()),
            Self::Singles => Data::Singles(Lists { values: Vec::new(), ends: Vec::new() }),
            Self::Nothing => Data::Nothing,
        }
    }

    /// Bytes of a row in memory, without variable-length values.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Small | Self::Single => 4,
            Self::Bytes => size_of::<Bytes>(),
            // More than an end, so that groups with shapes are smaller.
            Self::Geometry => 32,
            Self::Nothing => 0,
            _ => 8,
        }
    }
}

impl Column {
    pub(super) fn new(name: impl Into<String>, unit: Option<&str>, kind: Type) -> Self {
        let (name, unit) = (name.into(), unit.map(Into::into));
        Self { name, unit, kind, data: kind.data(), valid: Runs::default() }
    }

    /// Whether values are kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.kind != Type::Nothing
    }

    /// Removes all rows. Keeps the memory of values, because fresh memory for each group costs more than filling it; of texts
    /// and lists up to `most` bytes, because one of them may be far longer than a group. Keeps none if that is 0.
    pub(super) fn clear(&mut self, most: usize) {
        self.valid.clear();
        match &mut self.data {
            data if most == 0 => *data = self.kind.data(),
            Data::Bool(values) => values.clear(),
            Data::Int(values) | Data::Micros(values) => values.clear(),
            Data::Small(values) => values.clear(),
            Data::Float(values) => values.clear(),
            Data::Single(values) => values.clear(),
            Data::Text(texts) if texts.size() <= most => texts.clear(),
            Data::Singles(lists) if lists.size() <= most => lists.clear(),
            data => *data = self.kind.data(),
        }
    }
}
