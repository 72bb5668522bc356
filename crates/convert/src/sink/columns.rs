//! Tables as columns, shared by Parquet and Arrow.
//!
//! A column holds its values end to end, and runs that say which rows have one. A cloud is thus a few copies of slices,
//! and an empty column costs nothing.

mod fill;
mod names;
#[cfg(feature = "to-arrow")]
mod schema;

#[cfg(feature = "to-arrow")]
pub(super) use schema::element;

use std::sync::Arc;

use bytes::Bytes;
use robolog_core::{Cell, Clock, Field, FieldKind, Sample, Timestamp, Value, columns};

pub(super) use self::names::Names;
use super::{Channels, Opening, naming::named};
use crate::{Error, Reason, Result};

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
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
    /// A list of 32-bit floating-point numbers per row.
    Singles,
    /// Values are not kept because the column was not requested.
    Nothing,
}

/// The values of the rows that have one.
#[derive(Debug)]
pub(super) enum Data {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Small(Vec<i32>),
    Float(Vec<f64>),
    Single(Vec<f32>),
    Micros(Vec<i64>),
    Text(Lists<u8>),
    Name(Names),
    Bytes(Vec<Bytes>),
    Singles(Lists<f32>),
    Nothing,
}

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    pub(super) data: Data,
    pub(super) valid: Valid,
}

/// Which rows have a value, in runs.
#[derive(Debug, Default)]
pub(super) struct Valid(Vec<(bool, usize)>);

impl Valid {
    /// Adds `count` rows that all have a value, or all have none.
    fn push(&mut self, has: bool, count: usize) {
        match self.0.last_mut() {
            Some((last, n)) if *last == has => *n += count,
            _ => self.0.push((has, count)),
        }
    }

    pub(super) fn runs(&self) -> &[(bool, usize)] {
        &self.0
    }
}

/// Lists end to end.
#[derive(Debug)]
pub(super) struct Lists<T> {
    pub(super) values: Vec<T>,
    /// End of each list.
    pub(super) ends: Vec<usize>,
}

impl<T: Copy> Lists<T> {
    fn push(&mut self, list: &[T]) {
        self.values.extend_from_slice(list);
        self.ends.push(self.values.len());
    }
}

impl From<columns::Kind> for Type {
    fn from(kind: columns::Kind) -> Self {
        match kind {
            columns::Kind::Bool => Self::Bool,
            columns::Kind::Int => Self::Int,
            columns::Kind::Int32 => Self::Small,
            columns::Kind::Float => Self::Float,
            columns::Kind::Float32 => Self::Single,
            columns::Kind::Name => Self::Name,
            columns::Kind::Bytes => Self::Bytes,
            columns::Kind::Float32List => Self::Singles,
            // Kinds added to core are text until they have a type here.
            _ => Self::Text,
        }
    }
}

impl Type {
    fn data(self) -> Data {
        match self {
            Self::Bool => Data::Bool(Vec::new()),
            Self::Int => Data::Int(Vec::new()),
            Self::Small => Data::Small(Vec::new()),
            Self::Float => Data::Float(Vec::new()),
            Self::Single => Data::Single(Vec::new()),
            Self::Micros => Data::Micros(Vec::new()),
            Self::Text => Data::Text(Lists { values: Vec::new(), ends: Vec::new() }),
            Self::Name => Data::Name(Names::default()),
            Self::Bytes => Data::Bytes(Vec::new()),
            Self::Singles => Data::Singles(Lists { values: Vec::new(), ends: Vec::new() }),
            Self::Nothing => Data::Nothing,
        }
    }

    /// Bytes of a row in memory, without variable-length values.
    const fn size(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Small | Self::Single => 4,
            Self::Bytes => size_of::<Bytes>(),
            Self::Nothing => 0,
            _ => 8,
        }
    }
}

impl Column {
    fn new(name: impl Into<String>, unit: Option<&str>, kind: Type) -> Self {
        Self { name: name.into(), unit: unit.map(Into::into), data: kind.data(), valid: Valid::default() }
    }

    pub(super) fn kind(&self) -> Type {
        match self.data {
            Data::Bool(_) => Type::Bool,
            Data::Int(_) => Type::Int,
            Data::Small(_) => Type::Small,
            Data::Float(_) => Type::Float,
            Data::Single(_) => Type::Single,
            Data::Micros(_) => Type::Micros,
            Data::Text(_) => Type::Text,
            Data::Name(_) => Type::Name,
            Data::Bytes(_) => Type::Bytes,
            Data::Singles(_) => Type::Singles,
            Data::Nothing => Type::Nothing,
        }
    }

    /// Whether values are kept.
    pub(super) fn is_kept(&self) -> bool {
        !matches!(self.data, Data::Nothing)
    }

    /// Removes all rows; keeps the memory of fixed-size values.
    fn clear(&mut self) {
        self.valid.0.clear();
        match &mut self.data {
            Data::Bool(values) => values.clear(),
            Data::Int(values) | Data::Micros(values) => values.clear(),
            Data::Small(values) => values.clear(),
            Data::Float(values) => values.clear(),
            Data::Single(values) => values.clear(),
            Data::Nothing => {}
            data @ (Data::Text(_) | Data::Name(_) | Data::Bytes(_) | Data::Singles(_)) => {
                let kind = match data {
                    Data::Text(_) => Type::Text,
                    Data::Name(_) => Type::Name,
                    Data::Bytes(_) => Type::Bytes,
                    _ => Type::Singles,
                };
                *data = kind.data();
            }
        }
    }
}

/// Size of a group that is written at once: whichever limit is reached first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) rows: usize,
    /// Bytes in memory.
    pub(super) bytes: usize,
    /// Whether names count with their length in each row.
    pub(super) spells: bool,
}

impl Group {
    /// Minimum size, however many files are open.
    const LEAST: usize = 16 << 10;

    /// Shrinks the group for a file with `others` open: a thousand files together hold eight times `shared`.
    pub(super) fn beside(self, others: usize, shared: usize) -> Self {
        let bytes = shared.checked_div(others).map_or(self.bytes, |part| part.clamp(Self::LEAST, self.bytes));
        Self { bytes, ..self }
    }
}

/// Rows to be written, all of the kind of the first value.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) kind: &'static str,
    pub(super) columns: Vec<Column>,
    pub(super) rows: usize,
    /// Approximate memory of the rows, bytes.
    bytes: usize,
    row_size: usize,
    group: Group,
    has_channel: bool,
    /// Those of rows.
    fields: Arc<[Field]>,
    clocks: Vec<Clock>,
}

/// First columns of all tables.
const FIRST: [(&str, Option<&str>, Type); 3] = [
    (super::naming::TIME_NS, Some("ns"), Type::Int),
    (super::naming::TIME, None, Type::Micros),
    (super::naming::CHANNEL, None, Type::Name),
];

impl Table {
    /// Approximate memory of the rows, bytes.
    #[cfg(feature = "to-parquet")]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Creates an empty table for values like this one.
    pub(super) fn of(value: &Value, group: Group, opening: &Opening) -> Self {
        let mut columns: Vec<_> =
            FIRST.iter().map(|(name, unit, kind)| Column::new(*name, *unit, *kind)).collect();
        let mut fields: Arc<[Field]> = [].into();
        if let Value::Row(row) = value {
            fields = Arc::clone(&row.fields);
        }
        for column in named(columns::of(value), &opening.options.tables) {
            columns.push(Column::new(column.name, column.unit.as_deref(), column.kind.into()));
        }
        let has_channel = opening.channels != Channels::Named;
        if !has_channel {
            columns.retain(|column| column.name != super::naming::CHANNEL);
        }
        let row_size = row_size(&columns);
        let kind = value.kind();
        Self { kind, columns, rows: 0, bytes: 0, row_size, group, has_channel, fields, clocks: Vec::new() }
    }

    /// Keeps only the values of columns for whose names `is_wanted` returns true.
    #[cfg_attr(not(feature = "to-arrow"), expect(dead_code, reason = "files have all columns"))]
    pub(super) fn keep(&mut self, is_wanted: impl Fn(&str) -> bool) {
        for column in self.columns.iter_mut().filter(|column| !is_wanted(&column.name)) {
            column.data = Data::Nothing;
        }
        self.row_size = row_size(&self.columns);
    }

    /// Whether the table can hold the value.
    pub(super) fn holds(&self, value: &Value) -> bool {
        let Value::Row(row) = value else { return self.kind == value.kind() };
        let same =
            self.kind == "row" && (Arc::ptr_eq(&row.fields, &self.fields) || row.fields == self.fields);
        same && row.iter().all(|(field, cell)| fits(field.kind, cell))
    }

    /// Adds a sample that it [`holds`](Self::holds); calls `full` with each complete group.
    pub(super) fn push(
        &mut self,
        sample: &Sample,
        mut full: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if let Some(clock) = sample.time.map(Timestamp::clock)
            && !self.clocks.contains(&clock)
        {
            self.clocks.push(clock);
        }
        let Value::PointCloud(cloud) = &sample.value else {
            let (rows, bytes) = self.fill(sample)?;
            return self.grow(rows, bytes, &mut full);
        };
        if !cloud.is_consistent() {
            return Err(Error::Target(Reason::UnevenCloud));
        }
        let name = if self.group.spells && self.has_channel { sample.channel.len() } else { 0 };
        let size = self.row_size + name;
        let mut first = 0_usize;
        while first < cloud.len() {
            let room = self.group.bytes.saturating_sub(self.bytes).checked_div(size).unwrap_or(1);
            let room = room.min(self.group.rows.saturating_sub(self.rows)).max(1);
            let last = (first + room).min(cloud.len());
            self.fill_points(sample, cloud, first..last);
            let rows = last - first;
            self.grow(rows, rows * name, &mut full)?;
            first = last;
        }
        Ok(())
    }

    fn grow(
        &mut self,
        rows: usize,
        bytes: usize,
        full: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.rows += rows;
        let fixed = rows * self.row_size;
        self.bytes += fixed + bytes;
        let next = self.bytes + self.row_size;
        if self.rows >= self.group.rows || next > self.group.bytes {
            full(self)?;
        }
        Ok(())
    }

    /// Removes the rows after they were written.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.rows = 0;
        self.bytes = 0;
    }

    /// Clocks of the times so far, in order of appearance.
    pub(super) fn clocks(&self) -> String {
        self.clocks.iter().map(|clock| clock.name()).collect::<Vec<_>>().join(",")
    }
}

/// Bytes of a row, without variable-length values.
fn row_size(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.kind().size()).sum::<usize>().max(1)
}

/// Whether a cell has its column's type.
fn fits(kind: FieldKind, cell: &Cell) -> bool {
    match cell {
        Cell::Null => true,
        Cell::Bool(_) => kind == FieldKind::Bool,
        Cell::Int(_) => kind == FieldKind::Int,
        Cell::Float(_) => kind == FieldKind::Float,
        Cell::Text(_) => kind == FieldKind::Text,
    }
}
