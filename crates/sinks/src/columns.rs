//! Tables as columns, shared by Parquet and Arrow.
//!
//! A column holds its values end to end, and runs that say which rows have one. A cloud is thus a few copies of slices,
//! and an empty column costs nothing.

mod column;
mod extend;
mod fill;
mod names;
mod room;
#[cfg(feature = "to-arrow")]
mod schema;
mod shapes;

#[cfg(feature = "to-arrow")]
pub(super) use schema::element;

use std::sync::Arc;

use robolog_core::{Cell, Clock, FieldKind, Row, Sample, Value, columns};

use self::room::Held;
pub(super) use self::{
    column::{Column, Data, Lists, Type},
    names::Names,
    room::Room,
    shapes::Shapes,
};
use super::{Channels, Opening, Selection, flat::Shape, gather::BlockRows, naming::named, takes};
use crate::{Advice, Error, Outcome, Reason, Result};

/// Size of a group that is written at once: whichever limit is reached first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) rows: usize,
    /// Bytes in memory, which all tables of a conversion share: see [`Room`].
    pub(super) bytes: usize,
    /// Whether names count with their length in each row.
    pub(super) spells: bool,
}

/// Rows to be written, all of the kind of the first value.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    pub(super) columns: Vec<Column>,
    pub(super) rows: usize,
    /// Approximate memory of the rows.
    held: Held,
    row_size: usize,
    group: Group,
    has_channel: bool,
    clocks: Vec<Clock>,
    /// The shapes in its geometry column, if it has one.
    pub(super) shapes: Shapes,
}

/// Fills the table of a file, whose kind is that of the first value.
#[derive(Debug)]
pub(super) struct Filling {
    group: Group,
    opening: Opening,
    /// Whether something left out would fit a table of its own.
    fits_if_chosen: bool,
    pub(super) table: Option<Table>,
}

impl Filling {
    /// Creates a table written in groups of `group`.
    pub(super) fn new(group: Group, opening: &Opening) -> Self {
        Self { group, opening: opening.clone(), fits_if_chosen: false, table: None }
    }

    /// Adds a sample; calls `full` with each complete group.
    pub(super) fn write(
        &mut self,
        sample: &Sample,
        full: impl FnMut(&mut Table) -> Result<()>,
    ) -> Result<Outcome> {
        if !takes::columns(sample, self.opening.selection) {
            self.fits_if_chosen |= takes::columns(sample, Selection::Channels);
            return Ok(Outcome::LeftOut);
        }
        let (group, opening) = (self.group, &self.opening);
        let table = self.table.get_or_insert_with(|| Table::of(&sample.value, group, opening));
        if !table.holds(&sample.value) {
            return Ok(Outcome::LeftOut);
        }
        table.push(sample, full)?;
        Ok(Outcome::Written)
    }

    /// Adds rows as columns; returns false if the table takes them only one by one.
    pub(super) fn take_rows(&mut self, rows: BlockRows<'_>) -> bool {
        let (group, opening) = (self.group, &self.opening);
        let first = || Table::of(&Value::Row(Row::new(Arc::clone(rows.fields), Vec::new())), group, opening);
        self.table.get_or_insert_with(first).take_rows(rows)
    }

    pub(super) fn advice(&self) -> Option<Advice> {
        self.fits_if_chosen.then_some(Advice::ChooseChannels)
    }

    /// Kind of the values, for `Debug`.
    pub(super) fn kind(&self) -> Option<&'static str> {
        self.table.as_ref().map(|table| table.shape.kind)
    }
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
        self.held.bytes()
    }

    /// Creates an empty table for values like this one.
    pub(super) fn of(value: &Value, group: Group, opening: &Opening) -> Self {
        let mut columns: Vec<_> =
            FIRST.iter().map(|(name, unit, kind)| Column::new(*name, *unit, *kind)).collect();
        for column in named(columns::of(value), &opening.options.tables) {
            columns.push(Column::new(column.name, column.unit.as_deref(), column.kind.into()));
        }
        let has_channel = opening.channels != Channels::Named;
        if !has_channel {
            columns.retain(|column| column.name != super::naming::CHANNEL);
        }
        let row_size = row_size(&columns);
        let (shape, shapes, held) = (Shape::of(value), Shapes::default(), opening.room.table());
        Self { shape, columns, rows: 0, held, row_size, group, has_channel, clocks: Vec::new(), shapes }
    }

    /// Keeps only the values of columns for whose names `is_wanted` returns true.
    #[cfg_attr(not(feature = "to-arrow"), expect(dead_code, reason = "files have all columns"))]
    pub(super) fn keep(&mut self, is_wanted: impl Fn(&str) -> bool) {
        for column in self.columns.iter_mut().filter(|column| !is_wanted(&column.name)) {
            (column.kind, column.data) = (Type::Nothing, Data::Nothing);
        }
        self.row_size = row_size(&self.columns);
    }

    /// Whether the table can hold the value.
    pub(super) fn holds(&self, value: &Value) -> bool {
        let Some(row) = value.row() else { return self.shape.fits(value) };
        self.shape.fits(value) && row.iter().all(|(field, cell)| fits(field.kind, cell))
    }

    /// Adds a sample that it [`holds`](Self::holds); calls `full` with each complete group.
    pub(super) fn push(
        &mut self,
        sample: &Sample,
        mut full: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if let Some(time) = sample.time {
            self.note(time.clock());
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
            let room = self.held.left(self.group.bytes).checked_div(size).unwrap_or(1);
            let room = room.min(self.group.rows.saturating_sub(self.rows)).max(1);
            let last = (first + room).min(cloud.len());
            self.fill_points(sample, cloud, first..last);
            let rows = last - first;
            self.grow(rows, rows * name, &mut full)?;
            first = last;
        }
        Ok(())
    }

    /// Adds a clock of times.
    fn note(&mut self, clock: Clock) {
        if !self.clocks.contains(&clock) {
            self.clocks.push(clock);
        }
    }

    fn grow(
        &mut self,
        rows: usize,
        bytes: usize,
        full: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.rows += rows;
        let fixed = rows * self.row_size;
        self.held.add(fixed + bytes);
        if self.rows >= self.group.rows || !self.held.has_room(self.group.bytes, self.row_size) {
            full(self)?;
        }
        Ok(())
    }

    /// Removes the rows after they were written.
    pub(super) fn clear(&mut self) {
        // Memory grows by doubling.
        let is_kept = self.held.clear(self.group.bytes);
        let most = if is_kept { self.group.bytes.saturating_mul(2) } else { 0 };
        self.columns.iter_mut().for_each(|column| column.clear(most));
        self.rows = 0;
    }

    /// Clocks of the times so far, in order of appearance.
    pub(super) fn clocks(&self) -> String {
        self.clocks.iter().map(|clock| clock.name()).collect::<Vec<_>>().join(",")
    }
}

/// Bytes of a row, without variable-length values.
fn row_size(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.kind.size()).sum::<usize>().max(1)
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
