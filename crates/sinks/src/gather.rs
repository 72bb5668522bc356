//! Spools the rows of a table until all columns are known.
//!
//! Messages of a log may gain fields over time, and channels with different fields may share a table. The columns are
//! the union of all fields in order of appearance. Rows are kept in memory, then in a temporary file, and written after
//! the last one, [as columns](block) if the sink takes them; so are [fixes and features](places). The columns of other kinds of values are known in advance; their
//! samples pass through.

mod block;
mod places;
mod spool;

use std::{mem, sync::Arc};

use robolog_core::{
    Cell, Field, FieldKind, Row, Sample, Timestamp, Value,
    columns::{Column, Union},
};

#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
pub(crate) use self::block::{Cells, NULL, clock_of};
#[cfg(feature = "to-arrow")]
pub(crate) use self::places::{Columns, Whole};
use self::{
    block::Cursor,
    places::Places,
    spool::{Blocks, changed},
};
pub(crate) use self::{
    block::{Block, BlockRows},
    places::is_place,
    spool::Shared,
};
use super::{Opening, Selection, naming::named, numbered::Numbered, options::TableOptions};
use crate::{Advice, Error, Note, Origin, Outcome, Reason, Result, Sink};

/// A table with the union of all columns.
pub(super) struct Gather {
    sink: Behind,
    takes: fn(&Sample, Selection) -> bool,
    opening: Opening,
    /// Kind of the first value; [`PLACE`] for fixes and features.
    kind: Option<&'static str>,
    /// Spooled rows, if the table holds rows.
    rows: Option<Box<Waiting>>,
    /// Spooled fixes and features, if the table holds those.
    places: Option<Box<Places>>,
}

/// Spooled rows.
struct Waiting {
    columns: Union,
    channels: Numbered,
    blocks: Blocks,
    /// The rows behind those of the blocks.
    block: Block,
}

/// A sink that takes rows as columns.
pub(super) trait ColumnSink: Sink {
    /// Takes rows, or returns false and takes none: they are then written one by one.
    fn take_rows(&mut self, rows: BlockRows<'_>) -> bool;
}

/// The sink behind.
pub(super) enum Behind {
    Rows(Box<dyn Sink>),
    #[cfg_attr(
        not(any(feature = "to-arrow", feature = "to-parquet")),
        expect(dead_code, reason = "only these have columns")
    )]
    Columns(Box<dyn ColumnSink>),
}

impl Behind {
    fn get(&self) -> &dyn Sink {
        match self {
            Self::Rows(sink) => &**sink,
            Self::Columns(sink) => &**sink,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Sink {
        match self {
            Self::Rows(sink) => &mut **sink,
            Self::Columns(sink) => &mut **sink,
        }
    }
}

/// Maximum number of columnar tables at a time: each keeps about 64 KiB of rows and metadata in memory.
#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
const MOST_TABLES: usize = 2048;

/// Returns an error if too many columnar tables are open.
#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
pub(super) fn check_room(target: &'static str, opening: &Opening) -> Result<()> {
    if opening.others < MOST_TABLES {
        return Ok(());
    }
    Err(Error::Target(Reason::TooManyFiles {
        what: target,
        most: MOST_TABLES,
        problem: "take too much memory",
        advice: Advice::FilePerKind,
    }))
}

impl Gather {
    pub(super) fn around(
        sink: Behind,
        takes: fn(&Sample, Selection) -> bool,
        opening: &Opening,
    ) -> Box<dyn Sink> {
        Box::new(Self { sink, takes, opening: opening.clone(), kind: None, rows: None, places: None })
    }

    fn gather(&mut self, sample: &Sample, row: &Row) -> Result<Outcome> {
        let opening = &self.opening;
        let rows = self.rows.get_or_insert_with(|| Box::new(Waiting::new(opening)));
        rows.push(sample, row)
    }

    /// Passes the rows to the sink.
    fn deliver(&mut self) -> Result<()> {
        if let Some(mut rows) = self.rows.take() {
            rows.deliver(&self.opening.options.tables, &mut self.sink)?;
        }
        if let Some(mut places) = self.places.take() {
            places.deliver(self.sink.get_mut())?;
        }
        Ok(())
    }
}

impl Waiting {
    fn new(opening: &Opening) -> Self {
        let (columns, channels, block) = (Union::default(), Numbered::default(), Block::default());
        Self { columns, channels, blocks: Blocks::new(opening), block }
    }

    fn push(&mut self, sample: &Sample, row: &Row) -> Result<Outcome> {
        // The row has too many fields for a table.
        if !self.columns.add(&row.fields) {
            return Ok(Outcome::LeftOut);
        }
        let number = self.channels.number(&sample.channel, || Arc::clone(&sample.channel));
        self.block.begin(sample.time, number);
        for (i, cell) in row.cells.iter().enumerate().filter(|(_, cell)| **cell != Cell::Null) {
            if let Some(place) = self.columns.place(i, cell) {
                self.block.cell(place, cell)?;
            }
        }
        if self.block.size() >= self.blocks.size {
            self.block.end();
            self.blocks.append(&self.block.to_bytes())?;
            self.block.clear();
        }
        Ok(Outcome::Written)
    }

    fn deliver(&mut self, options: &TableOptions, sink: &mut Behind) -> Result<()> {
        let fields = named_fields(&self.columns, options);
        let mut last = mem::take(&mut self.block);
        let (mut block, mut bytes) = (Block::default(), Vec::new());
        for number in 0..self.blocks.len() {
            self.blocks.read(number, &mut bytes)?;
            block.read(&bytes).ok_or_else(changed)?;
            deliver(BlockRows { block: &block, fields: &fields, channels: &self.channels.list }, sink)?;
        }
        last.end();
        deliver(BlockRows { block: &last, fields: &fields, channels: &self.channels.list }, sink)
    }
}

/// Passes rows to a sink: as columns if it takes them, otherwise one by one.
fn deliver(rows: BlockRows<'_>, sink: &mut Behind) -> Result<()> {
    if rows.block.rows() == 0 {
        return Ok(());
    }
    if let Behind::Columns(sink) = sink
        && sink.take_rows(rows)
    {
        return Ok(());
    }
    let sink = sink.get_mut();
    let BlockRows { block, fields, channels } = rows;
    let (mut cursor, mut sample) = (Cursor::new(block), Sample::new("", Value::Scalar(0.0)));
    loop {
        // Cells are reused if the sink leaves them.
        let mut cells = if let Value::Row(row) = sample.value.take() { row.cells } else { Vec::new() };
        cells.clear();
        cells.resize(fields.len(), Cell::Null);
        let put = |place: usize, cell| {
            if let (Some(to), Some(field)) = (cells.get_mut(place), fields.get(place)) {
                *to = converted(cell, field.kind);
            }
        };
        let Some((time, channel)) = cursor.next_row(put) else { return Ok(()) };
        (sample.time, sample.channel) = (time, channels.get(channel).map_or_else(|| "".into(), Arc::clone));
        sample.value = Value::Row(Row { fields: Arc::clone(fields), cells });
        if sink.write(&mut sample)? != Outcome::Written {
            return Err(Error::Target(Reason::StrayRow));
        }
    }
}

impl Sink for Gather {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.sink.get_mut().origin(origin)
    }

    fn warn(&mut self, warning: &str) {
        self.sink.get_mut().warn(warning);
    }

    fn begin_at(&mut self, start: Timestamp) {
        self.sink.get_mut().begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let kind = match &sample.value {
            Value::Row(_) => ROW,
            value if is_place(value) => PLACE,
            value => value.kind(),
        };
        let is_gathered = |kind| kind == ROW || kind == PLACE;
        if !(self.takes)(sample, self.opening.selection)
            || !is_gathered(kind) && !self.kind.is_some_and(is_gathered)
        {
            let took = self.sink.get_mut().write(sample)?;
            if took != Outcome::LeftOut {
                self.kind = self.kind.or(Some(kind));
            }
            return Ok(took);
        }
        match &sample.value {
            _ if *self.kind.get_or_insert(kind) != kind => Ok(Outcome::LeftOut),
            Value::Row(row) => self.gather(sample, row),
            _ => {
                let opening = &self.opening;
                self.places.get_or_insert_with(|| Box::new(Places::new(opening))).push(sample)
            }
        }
    }

    fn advice(&self) -> Option<Advice> {
        self.sink.get().advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.deliver()?;
        self.sink.get_mut().notes()
    }

    fn columns(&mut self) -> Result<Vec<Column>> {
        self.deliver()?;
        self.sink.get_mut().columns()
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.deliver()?;
        match self.sink {
            Behind::Rows(sink) => sink.finish(),
            Behind::Columns(sink) => sink.finish(),
        }
    }
}

/// [`Value::kind`] of rows.
const ROW: &str = "row";
/// Fixes and features, which share a table.
const PLACE: &str = "place";

/// The columns as fields with unique names.
pub(super) fn named_fields(union: &Union, options: &TableOptions) -> Arc<[Field]> {
    let named = named(union.fields().iter().map(Column::from).collect(), options);
    let field = |(column, of): (Column, &Field)| Field {
        name: column.name.into(),
        unit: column.unit.map(Into::into),
        kind: of.kind,
    };
    named.into_iter().zip(union.fields()).map(field).collect()
}

/// Converts a cell to its column's type.
#[expect(clippy::cast_precision_loss, reason = "as reading the integer as a floating-point number does")]
pub(super) fn converted(cell: Cell, kind: FieldKind) -> Cell {
    match (cell, kind) {
        (Cell::Int(value), FieldKind::Float) => Cell::Float(value as f64),
        (cell @ (Cell::Bool(_) | Cell::Int(_) | Cell::Float(_)), FieldKind::Text) => {
            let mut text = Vec::new();
            super::text::Put::put(&cell, &mut text);
            Cell::Text(String::from_utf8_lossy(&text).into_owned())
        }
        (cell, _) => cell,
    }
}
