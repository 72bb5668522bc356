//! Arrow IPC: the table of Parquet as record batches, which readers can map into memory.

mod batches;
mod wide;

use std::{io::Write, mem, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, ListArray, NullArray, PrimitiveArray,
    RecordBatch, RecordBatchOptions, StringArray,
    types::{Float32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use robolog_core::Sample;

pub use self::{batches::Batches, wide::WideBatches};
use super::{
    Holds, Opening, Selection, TargetSpec,
    columns::{Column, Data, Group, Lists, Names, Table, Valid, element},
    gather::{self, Gather},
    takes,
};
use crate::{Advice, Error, Outcome, Reason, Result, Sink};

/// Apache Arrow's file of record batches.
pub static ARROW: TargetSpec = TargetSpec {
    name: "arrow",
    extensions: &["arrow"],
    about: "the same table as a file of record batches, Apache Arrow",
    holds: Holds::Columns,
    needs: &[],
    takes: takes::columns,
    instead: takes::no_way,
    open: |out, opening| {
        gather::check_room(ARROW.name, opening)?;
        Ok(Gather::around(Box::new(Arrow::new(out, opening)), ARROW.takes, opening))
    },
};

/// Writes the same table as the Parquet sink, as a file of record batches.
///
/// Batches hold 65 536 rows or 4 MiB, whichever is less, uncompressed; with many files open they shrink, down to 16
/// KiB. One batch is held in memory. Names such as the channel are repeated in each row: a dictionary would grow as
/// channels appear, which some readers do not support.
///
/// The metadata of a column holds its unit, that of the schema the kind of values (`robolog.kind`), the file footer the
/// clocks (`robolog.clock`).
pub struct Arrow<W: Write> {
    out: Out<W>,
    group: Group,
    opening: Opening,
    /// Something was left out that would have had a place in a table of its own.
    could_choose: bool,
    table: Option<Table>,
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

/// Total size of the batches of all open files.
const SHARED: usize = 4 << 20;

impl<W: Write> Arrow<W> {
    /// Creates a table on `out`.
    pub fn new(out: W, opening: &Opening) -> Self {
        let group = GROUP.beside(opening.others, SHARED);
        let out = Out::Empty(out);
        Self { out, group, opening: opening.clone(), could_choose: false, table: None, spare: Vec::new() }
    }

    /// Completes the file and returns the target. Writes nothing if there was no sample.
    pub fn into_inner(mut self) -> Result<W> {
        if let Some(mut table) = self.table {
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
        if !takes::columns(sample, self.opening.selection) {
            self.could_choose |= takes::columns(sample, Selection::Channels);
            return Ok(Outcome::LeftOut);
        }
        let (group, opening) = (self.group, &self.opening);
        let table = self.table.get_or_insert_with(|| Table::of(&sample.value, group, opening));
        if !table.holds(&sample.value) {
            return Ok(Outcome::LeftOut);
        }
        table.push(sample, |table| batch(self.out.begun(table)?, table, &mut self.spare))?;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.could_choose.then_some(Advice::ChooseChannels)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write> std::fmt::Debug for Arrow<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.table.as_ref().map(|table| table.kind);
        f.debug_struct("Arrow").field("kind", &kind).finish_non_exhaustive()
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

/// Reuses the memory of a column of fixed-size values or names: allocating costs more than filling.
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
        Data::Bool(_) | Data::Text(_) | Data::Bytes(_) | Data::Singles(_) | Data::Nothing => {}
    }
}

fn give<T: ArrowNativeType>(to: &mut Vec<T>, buffer: Option<Buffer>) {
    if let Some(Ok(values)) = buffer.map(Buffer::into_vec) {
        *to = values;
    }
}

/// Takes the values out of a column.
fn array(column: &mut Column, rows: usize, spare: &mut Spelled) -> Result<ArrayRef, ArrowError> {
    let valid = &column.valid;
    let nulls = nulls(valid, rows);
    Ok(match &mut column.data {
        Data::Bool(values) => {
            let values = BooleanBuffer::from(spread(mem::take(values), valid));
            Arc::new(BooleanArray::new(values, nulls))
        }
        Data::Int(values) => numbers::<Int64Type>(values, valid, nulls)?,
        Data::Small(values) => numbers::<Int32Type>(values, valid, nulls)?,
        Data::Float(values) => numbers::<Float64Type>(values, valid, nulls)?,
        Data::Single(values) => numbers::<Float32Type>(values, valid, nulls)?,
        Data::Micros(values) => {
            let values = ScalarBuffer::from(spread(mem::take(values), valid));
            Arc::new(PrimitiveArray::<TimestampMicrosecondType>::try_new(values, nulls)?.with_timezone("UTC"))
        }
        Data::Text(Lists { values, ends }) => {
            Arc::new(StringArray::try_new(offsets(ends, valid)?, mem::take(values).into(), nulls)?)
        }
        Data::Name(names) => spelled(names, valid, nulls, mem::take(spare))?,
        Data::Bytes(values) => {
            let ends: Vec<_> = values
                .iter()
                .scan(0_usize, |end, bytes| {
                    *end += bytes.len();
                    Some(*end)
                })
                .collect();
            let all = mem::take(values).concat();
            Arc::new(BinaryArray::try_new(offsets(&ends, valid)?, all.into(), nulls)?)
        }
        Data::Nothing => Arc::new(NullArray::new(rows)),
        Data::Singles(Lists { values, ends }) => {
            let values = PrimitiveArray::<Float32Type>::try_new(mem::take(values).into(), None)?;
            Arc::new(ListArray::try_new(element(), offsets(ends, valid)?, Arc::new(values), nulls)?)
        }
    })
}

fn numbers<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    valid: &Valid,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let values = ScalarBuffer::from(spread(mem::take(values), valid));
    Ok(Arc::new(PrimitiveArray::<T>::try_new(values, nulls)?))
}

/// `None` when all rows have a value.
fn nulls(valid: &Valid, rows: usize) -> Option<NullBuffer> {
    if valid.runs().iter().all(|(has, _)| *has) {
        return None;
    }
    let mut bits = BooleanBufferBuilder::new(rows);
    for (has, count) in valid.runs() {
        bits.append_n(*count, *has);
    }
    Some(NullBuffer::new(bits.finish()))
}

/// One value per row; the default where a row has none.
fn spread<T: Copy + Default>(values: Vec<T>, valid: &Valid) -> Vec<T> {
    if valid.runs().iter().all(|(has, _)| *has) {
        return values;
    }
    let (mut all, mut at) = (Vec::new(), 0_usize);
    for (has, count) in valid.runs() {
        if *has {
            let end = at + *count;
            all.extend_from_slice(values.get(at..end).unwrap_or_default());
            at = end;
        } else {
            all.resize(all.len() + *count, T::default());
        }
    }
    all
}

/// List offsets of the rows; rows without a value have empty lists.
fn offsets(ends: &[usize], valid: &Valid) -> Result<OffsetBuffer<i32>, ArrowError> {
    let mut ends = ends.iter();
    let mut last = 0_i32;
    let mut all = vec![last];
    for (has, count) in valid.runs() {
        for _ in 0..*count {
            if *has && let Some(end) = ends.next() {
                last = i32::from_usize(*end)
                    .ok_or_else(|| ArrowError::InvalidArgumentError("more than 2 GiB in a batch".into()))?;
            }
            all.push(last);
        }
    }
    Ok(OffsetBuffer::new(all.into()))
}

/// The name of each row.
fn spelled(
    names: &Names,
    valid: &Valid,
    nulls: Option<NullBuffer>,
    (mut ends, mut values): Spelled,
) -> Result<ArrayRef, ArrowError> {
    values.clear();
    ends.clear();
    ends.push(0);
    let mut runs = names.runs.iter().copied();
    let mut run = (0_usize, 0_usize);
    for (has, rows) in valid.runs() {
        let mut left = *rows;
        while left > 0 {
            if *has && run.1 == 0 {
                run = runs.next().unwrap_or((usize::MAX, left));
            }
            let count = if *has { left.min(run.1) } else { left };
            let name =
                if *has { names.names.list.get(run.0).map_or(&[][..], |name| name.as_bytes()) } else { &[] };
            repeat(name, count, &mut ends, &mut values)?;
            run.1 -= if *has { count } else { 0 };
            left -= count;
        }
    }
    Ok(Arc::new(StringArray::try_new(OffsetBuffer::new(ends.into()), values.into(), nulls)?))
}

/// Appends a name `count` times.
fn repeat(name: &[u8], count: usize, ends: &mut Vec<i32>, values: &mut Vec<u8>) -> Result<(), ArrowError> {
    let first = values.len();
    let end = name.len().saturating_mul(count).saturating_add(first);
    let too_long = || ArrowError::InvalidArgumentError("more than 2 GiB in a batch".into());
    i32::from_usize(end).ok_or_else(too_long)?;
    let (len, start) = (i32::usize_as(name.len()), i32::usize_as(first));
    values.extend_from_slice(if count > 0 { name } else { &[] });
    while values.len() < end {
        let there = (values.len() - first).min(end - values.len());
        values.extend_from_within(first..first + there);
    }
    let mut last = start;
    ends.extend(
        std::iter::repeat_with(|| {
            last += len;
            last
        })
        .take(count),
    );
    Ok(())
}
