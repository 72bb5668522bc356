//! Arrow IPC: the table of Parquet as record batches, which readers can map into memory.

mod arrays;
mod batches;
mod wide;

use std::{io::Write, mem, sync::Arc};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use robolog_core::Sample;

use self::arrays::array;
pub use self::{batches::Batches, wide::WideBatches};
use super::{
    Holds, Lacks, Opening, TargetSpec,
    columns::{Column, Data, Filling, Group, Table},
    gather::{self, Behind, BlockRows, ColumnSink, Gather},
    takes,
};
use crate::{Advice, Error, Outcome, Reason, Result, Sink};

/// Apache Arrow's file of record batches.
pub static ARROW: TargetSpec = TargetSpec {
    name: "arrow",
    extensions: &["arrow"],
    about: "the same table as a file of record batches, Apache Arrow",
    holds: Holds::Columns,
    lacks: Lacks::FURTHER_ATTRIBUTES,
    needs: &[],
    takes: takes::columns,
    instead: takes::no_advice,
    open: |out, opening| {
        gather::check_room(ARROW.name, opening)?;
        Ok(Gather::around(Behind::Columns(Box::new(Arrow::new(out, opening))), ARROW.takes, opening))
    },
};

/// Writes the same table as the Parquet sink, as a file of record batches.
///
/// Batches hold 65 536 rows or 4 MiB, whichever is less, uncompressed. The files of a folder share these 4 MiB: each batch
/// has at least half of an equal share, and 16 KiB. One batch of a file is held in memory. Names such as the channel are
/// repeated in each row: a dictionary would grow as channels appear, which some readers do not support.
///
/// The metadata of a column holds its unit, that of the schema the kind of values (`robolog.kind`), the file footer the
/// clocks (`robolog.clock`).
pub struct Arrow<W: Write> {
    out: Out<W>,
    filling: Filling,
    /// Reused memory for the names of each column.
    spare: Vec<Spelled>,
}

/// End offsets of the names, and the names end to end.
type Spelled = (Vec<i32>, Vec<u8>);

enum Out<W: Write> {
    /// Nothing is written yet.
    Empty(W),
    Begun(Box<FileWriter<W>>),
    /// Creating the writer failed and the target is lost.
    Lost,
}

const GROUP: Group = Group { rows: 1 << 16, bytes: 4 << 20, spells: true };

impl<W: Write> Arrow<W> {
    /// Creates a table on `out`.
    pub fn new(out: W, opening: &Opening) -> Self {
        let filling = Filling::new(GROUP, opening);
        Self { out: Out::Empty(out), filling, spare: Vec::new() }
    }

    /// Completes the file and returns the target. Writes nothing if there was no sample.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(mut table) = self.filling.table {
            let writer = self.out.begun(&table)?;
            if table.rows > 0 {
                batch(writer, &mut table, &mut self.spare)?;
            }
            writer.write_metadata("robolog.clock", table.clocks());
            writer.finish().map_err(failed)?;
        }
        let mut out = match self.out {
            Out::Empty(out) => out,
            Out::Begun(writer) => writer.into_inner().map_err(failed)?,
            Out::Lost => return Err(lost()),
        };
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Sink for Arrow<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.filling.write(sample, |table| batch(self.out.begun(table)?, table, &mut self.spare))
    }

    fn advice(&self) -> Option<Advice> {
        self.filling.advice()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write> ColumnSink for Arrow<W> {
    fn take_rows(&mut self, rows: BlockRows<'_>) -> bool {
        self.filling.take_rows(rows)
    }
}

impl<W: Write> std::fmt::Debug for Arrow<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arrow").field("kind", &self.filling.kind()).finish_non_exhaustive()
    }
}

impl<W: Write> Out<W> {
    /// Returns the writer, created with the first batch.
    fn begun(&mut self, table: &Table) -> Result<&mut FileWriter<W>> {
        if let Self::Empty(_) = self
            && let Self::Empty(out) = mem::replace(self, Self::Lost)
        {
            let writer = FileWriter::try_new(out, &table.arrow());
            *self = Self::Begun(Box::new(writer.map_err(failed)?));
        }
        if let Self::Begun(writer) = self { Ok(writer) } else { Err(lost()) }
    }
}

fn lost() -> Error {
    Error::Target(Reason::Lost("Arrow"))
}

fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => Error::Write(error),
        other => Error::library("Arrow", other),
    }
}

/// Writes the rows of the table and clears it.
fn batch<W: Write>(writer: &mut FileWriter<W>, table: &mut Table, spare: &mut Vec<Spelled>) -> Result<()> {
    let batch = rows_of(table, Arc::clone(writer.schema()), spare)?;
    writer.write(&batch).map_err(failed)?;
    let (_, arrays, _) = batch.into_parts();
    for ((column, spare), array) in table.columns.iter_mut().zip(spare).zip(arrays) {
        take_back(column, spare, array);
    }
    table.clear();
    Ok(())
}

/// Takes the rows out of the table.
fn rows_of(table: &mut Table, schema: SchemaRef, spare: &mut Vec<Spelled>) -> Result<RecordBatch> {
    let rows = table.rows;
    spare.resize_with(table.columns.len(), Default::default);
    let columns = table.columns.iter_mut().zip(&mut *spare).filter(|(column, _)| column.is_kept());
    let columns: Result<Vec<_>, _> = columns.map(|(column, spare)| array(column, rows, spare)).collect();
    // A batch without columns still has rows.
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    columns.and_then(|columns| RecordBatch::try_new_with_options(schema, columns, &options)).map_err(failed)
}

/// Reuses the memory of a column of fixed-size values, texts or names: allocating costs more than filling.
fn take_back(column: &mut Column, spare: &mut Spelled, array: ArrayRef) {
    let mut buffers = array.to_data().buffers().to_vec();
    drop(array);
    let last = buffers.pop();
    match &mut column.data {
        Data::Int(values) | Data::Micros(values) => give(values, last),
        Data::Small(values) => give(values, last),
        Data::Float(values) => give(values, last),
        Data::Single(values) => give(values, last),
        Data::Name(_) => {
            give(&mut spare.0, buffers.pop());
            give(&mut spare.1, last);
        }
        Data::Text(texts) => give(&mut texts.values, last),
        Data::Bool(_) | Data::Bytes(_) | Data::Singles(_) | Data::Nothing => {}
    }
}

fn give<T: ArrowNativeType>(to: &mut Vec<T>, buffer: Option<Buffer>) {
    if let Some(Ok(values)) = buffer.map(Buffer::into_vec) {
        *to = values;
    }
}
