//! Columns as Parquet levels and values.

use std::mem;

use bytes::Bytes;
use parquet::{
    column::writer::{ColumnWriter, ColumnWriterImpl},
    data_type::{ByteArray, DataType},
    errors::ParquetError,
};

use robolog_core::slices::Part as _;

use crate::{
    columns::{Column, Data, Lists, Names, Type},
    runs::Runs,
};

/// Rows written at a time.
const CHUNK: usize = 4096;
/// Names written at a time: as many as the writer looks at before it may end a page.
const NAMES: usize = 1024;

/// Writes a column. Takes its texts, and returns their memory, which the writer uses until it is closed.
pub(super) fn put(
    writer: &mut ColumnWriter<'_>,
    Column { data, valid, kind, .. }: &mut Column,
) -> Result<Bytes, ParquetError> {
    let mut taken = Bytes::new();
    match (writer, data) {
        (ColumnWriter::BoolColumnWriter(w), Data::Bool(values)) => plain(w, values, valid),
        (ColumnWriter::Int64ColumnWriter(w), Data::Int(values) | Data::Micros(values)) => {
            plain(w, values, valid)
        }
        (ColumnWriter::Int32ColumnWriter(w), Data::Small(values)) => plain(w, values, valid),
        (ColumnWriter::DoubleColumnWriter(w), Data::Float(values)) => plain(w, values, valid),
        (ColumnWriter::FloatColumnWriter(w), Data::Single(values)) => plain(w, values, valid),
        (ColumnWriter::FloatColumnWriter(w), Data::Singles(values)) => lists(w, values, valid),
        (ColumnWriter::ByteArrayColumnWriter(w), Data::Name(values)) => names(w, values, valid),
        (ColumnWriter::ByteArrayColumnWriter(w), Data::Text(texts)) => {
            taken = mem::take(&mut texts.values).into();
            let starts = std::iter::once(0).chain(texts.ends.iter().copied());
            let texts = starts.zip(&texts.ends).map(|(start, end)| taken.slice(start..*end).into());
            strings(w, valid, if *kind == Type::Geometry { 1 } else { CHUNK }, texts)
        }
        // One at a time, to keep pages small.
        (ColumnWriter::ByteArrayColumnWriter(w), Data::Bytes(values)) => {
            strings(w, valid, 1, values.drain(..).map(Into::into))
        }
        _ => Err(ParquetError::General("a column of another type".into())),
    }?;
    Ok(taken)
}

/// Gives a column the memory of its texts back, if nothing else uses it.
pub(super) fn give_back(taken: Bytes, data: &mut Data) {
    if let (Data::Text(texts), Ok(mut memory)) = (data, taken.try_into_mut()) {
        memory.clear();
        texts.values = memory.into();
    }
}

fn plain<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    valid: &Runs<bool>,
) -> Result<(), ParquetError> {
    let mut at = 0_usize;
    levels(valid, CHUNK, |levels, count| {
        let end = at + count;
        let part = values.part(at..end);
        at = end;
        writer.write_batch(part, Some(levels), None).map(drop)
    })
}

/// Passes on the definition levels of up to `chunk` rows at a time, with the number of values among them.
fn levels(
    valid: &Runs<bool>,
    chunk: usize,
    mut write: impl FnMut(&[i16], usize) -> Result<(), ParquetError>,
) -> Result<(), ParquetError> {
    let (mut levels, mut count) = (Vec::with_capacity(chunk), 0_usize);
    for (has, rows) in valid.iter() {
        let mut left = rows;
        while left > 0 {
            let n = left.min(chunk - levels.len());
            levels.resize(levels.len() + n, i16::from(has));
            count += if has { n } else { 0 };
            left -= n;
            if levels.len() >= chunk {
                write(&levels, count)?;
                levels.clear();
                count = 0;
            }
        }
    }
    if levels.is_empty() { Ok(()) } else { write(&levels, count) }
}

fn strings(
    writer: &mut ColumnWriterImpl<'_, parquet::data_type::ByteArrayType>,
    valid: &Runs<bool>,
    chunk: usize,
    mut values: impl Iterator<Item = ByteArray>,
) -> Result<(), ParquetError> {
    let mut part = Vec::with_capacity(chunk);
    levels(valid, chunk, |levels, count| {
        part.clear();
        part.extend(values.by_ref().take(count));
        writer.write_batch(&part, Some(levels), None).map(drop)
    })
}

/// Writes the name of each row.
///
/// Making a shared text takes as long as encoding it. But a frame names the same actors in the same order as the one before,
/// so the texts of two chunks often serve for all that follow.
fn names(
    writer: &mut ColumnWriterImpl<'_, parquet::data_type::ByteArrayType>,
    names: &Names,
    valid: &Runs<bool>,
) -> Result<(), ParquetError> {
    let list: Vec<_> = names.names.list.iter().map(|name| ByteArray::from(&**name)).collect();
    let mut rows = NamesOfRows { runs: names.runs.iter(), name: 0, left: 0 };
    let mut wanted = Vec::with_capacity(NAMES);
    let (mut made, mut texts) = (Vec::with_capacity(2 * NAMES), Vec::with_capacity(2 * NAMES));
    levels(valid, NAMES, |levels, count| {
        wanted.clear();
        rows.next(count, &mut wanted);
        let found = made.windows(wanted.len().max(1)).position(|part| part == wanted);
        if found.is_none() {
            made.clear();
            made.extend_from_slice(&wanted);
            // One name alone serves for as long as it repeats.
            if rows.left == 0 || wanted.first() != wanted.last() {
                rows.clone().next(NAMES, &mut made);
            }
            texts.clear();
            texts.extend(
                made.iter()
                    .map(|place| list.get(*place).map_or_else(|| ByteArray::from(""), ByteArray::clone)),
            );
        }
        let start = found.unwrap_or_default();
        let part = texts.get(start..start + wanted.len()).unwrap_or_default();
        writer.write_batch(part, Some(levels), None).map(drop)
    })
}

/// The numbers of the names that rows have, from runs.
#[derive(Clone)]
struct NamesOfRows<R> {
    runs: R,
    name: usize,
    /// How many rows still repeat it.
    left: usize,
}

impl<R: Iterator<Item = (usize, usize)>> NamesOfRows<R> {
    /// Appends the numbers of the names of the next `count` rows, or of all rows that are left.
    fn next(&mut self, count: usize, out: &mut Vec<usize>) {
        let end = out.len() + count;
        while out.len() < end {
            if self.left == 0 {
                let Some(run) = self.runs.next() else { return };
                (self.name, self.left) = run;
            }
            let rows = self.left.min(end - out.len());
            out.resize(out.len() + rows, self.name);
            self.left -= rows;
        }
    }
}

/// Writes lists. Definition level 0 is no list, 1 an empty list, 3 a value in a list.
fn lists(
    writer: &mut ColumnWriterImpl<'_, parquet::data_type::FloatType>,
    lists: &Lists<f32>,
    valid: &Runs<bool>,
) -> Result<(), ParquetError> {
    let mut ends = lists.ends.iter();
    let mut start = 0_usize;
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    levels(valid, 1, |_, count| {
        definition.clear();
        repetition.clear();
        let end = if count == 0 { None } else { ends.next().copied() };
        let list = lists.values.part(start..end.unwrap_or(start));
        start = end.unwrap_or(start);
        definition.resize(list.len(), 3);
        repetition.resize(list.len(), 1);
        if list.is_empty() {
            definition.push(i16::from(end.is_some()));
            repetition.push(0);
        }
        if let Some(first) = repetition.first_mut() {
            *first = 0;
        }
        writer.write_batch(list, Some(&definition), Some(&repetition)).map(drop)
    })
}
