//! Copies rows between files column by column, without JSON.

use std::ops::Range;

use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::{ByteArray, DataType},
    file::reader::{FileReader as _, RowGroupReader},
};
use serde_json::Value as Json;

use robolog_core::slices::Part as _;

use super::{LEVEL, Leaf, Levels, Rows, Shred, Values, Writer, failed, refused};
use crate::Result;

/// Rows of a column in memory at a time.
const ROWS: usize = 1 << 12;

/// A row as stored in its file, for [`Writer::copy`].
#[derive(Debug)]
pub struct Row<'a>(&'a [Part]);

impl Row<'_> {
    /// Text in the column of this number, if any.
    pub fn text(&self, column: usize) -> Option<&str> {
        let part = self.0.get(column)?;
        let Values::Bytes(values) = &part.leaf.values else { return None };
        values.get(part.values.clone())?.first()?.as_utf8().ok()
    }
}

impl Rows {
    /// Passes on each row as stored.
    pub fn each_raw(&self, mut take: impl FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        for number in 0..self.file.num_row_groups() {
            let group = self.file.get_row_group(number).map_err(failed)?;
            let columns = 0..group.num_columns();
            let mut parts = columns.map(|i| Part::new(&*group, i)).collect::<Result<Vec<_>>>()?;
            for _ in 0..group.metadata().num_rows() {
                parts.iter_mut().try_for_each(Part::advance)?;
                take(&Row(&parts))?;
            }
        }
        Ok(())
    }
}

impl Writer {
    /// Adds a row of another file with this schema; `changed` replaces the value of a top-level leaf column.
    pub fn copy(&mut self, row: &Row<'_>, changed: Option<(&str, &Json)>) -> Result<()> {
        let columns = self.file.schema_descr().columns();
        let place = |name: &str| columns.iter().position(|column| column.path().parts() == [name]);
        let at = changed.and_then(|(name, _)| place(name));
        let mut bytes = 0;
        for (i, (leaf, part)) in self.leaves.iter_mut().zip(row.0).enumerate() {
            if at != Some(i) {
                bytes += part.copy_to(leaf).ok_or_else(|| refused("a column of another type"))?;
            }
        }
        if let Some((name, value)) = changed {
            let node = self.schema.get_fields().iter().find(|field| field.name() == name);
            let (node, at) = node.zip(at).ok_or_else(|| refused("no such column"))?;
            let mut shred = Shred { leaves: &mut self.leaves, bytes };
            shred.node(node, Some(value), at, Levels::default())?;
            bytes = shred.bytes;
        }
        self.added(bytes)
    }
}

/// A column read some rows at a time.
struct Part {
    reader: ColumnReader,
    leaf: Leaf,
    /// Definition level of a present value.
    full: i16,
    /// Ranges of the row's levels and values.
    levels: Range<usize>,
    values: Range<usize>,
}

impl Part {
    fn new(group: &dyn RowGroupReader, number: usize) -> Result<Self> {
        let column = group.metadata().column(number).column_descr_ptr();
        let reader = group.get_column_reader(number).map_err(failed)?;
        let leaf = Leaf::of(column.physical_type())?;
        Ok(Self { reader, leaf, full: column.max_def_level(), levels: 0..0, values: 0..0 })
    }

    /// Advances to the next row.
    fn advance(&mut self) -> Result<()> {
        if self.levels.end == self.leaf.definition.len() {
            self.fill()?;
        }
        let goes_on = |level: &&i16| **level > 0;
        let rest = self.leaf.repetition.part(self.levels.end..);
        let Some((_, rest)) = rest.split_first() else { return Err(refused("a row is missing")) };
        let levels = rest.iter().take_while(goes_on).count() + 1;
        self.levels = self.levels.end..self.levels.end + levels;
        let definition = self.leaf.definition.part(self.levels.clone());
        let values = definition.iter().filter(|level| **level == self.full).count();
        self.values = self.values.end..self.values.end + values;
        Ok(())
    }

    fn fill(&mut self) -> Result<()> {
        self.leaf.clear();
        (self.levels, self.values) = (0..0, 0..0);
        let Leaf { values, definition, repetition } = &mut self.leaf;
        match (&mut self.reader, values) {
            (ColumnReader::BoolColumnReader(r), Values::Bool(v)) => read(r, v, definition, repetition),
            (ColumnReader::Int64ColumnReader(r), Values::Int(v)) => read(r, v, definition, repetition),
            (ColumnReader::DoubleColumnReader(r), Values::Float(v)) => read(r, v, definition, repetition),
            (ColumnReader::ByteArrayColumnReader(r), Values::Bytes(v)) => read(r, v, definition, repetition),
            _ => Err(refused("a column of another type")),
        }
    }

    /// Appends the row to a column of the same type; returns its bytes.
    fn copy_to(&self, to: &mut Leaf) -> Option<usize> {
        to.definition.extend_from_slice(self.leaf.definition.get(self.levels.clone())?);
        to.repetition.extend_from_slice(self.leaf.repetition.get(self.levels.clone())?);
        let (values, mut bytes) = (self.values.clone(), self.levels.len() * LEVEL);
        match (&self.leaf.values, &mut to.values) {
            (Values::Bool(from), Values::Bool(to)) => to.extend_from_slice(from.get(values)?),
            (Values::Int(from), Values::Int(to)) => to.extend_from_slice(from.get(values)?),
            (Values::Float(from), Values::Float(to)) => to.extend_from_slice(from.get(values)?),
            (Values::Bytes(from), Values::Bytes(to)) => {
                let from = from.get(values)?;
                bytes += from.iter().map(ByteArray::len).sum::<usize>();
                to.extend_from_slice(from);
            }
            _ => return None,
        }
        Some(bytes)
    }
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part")
            .field("levels", &self.levels)
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

/// Reads the next rows of a column. Levels that are always 0 are not stored.
fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    values: &mut Vec<T::T>,
    definition: &mut Vec<i16>,
    repetition: &mut Vec<i16>,
) -> Result<()> {
    let read = reader.read_records(ROWS, Some(&mut *definition), Some(&mut *repetition), values);
    let (_, _, levels) = read.map_err(failed)?;
    definition.resize(levels, 0);
    repetition.resize(levels, 0);
    Ok(())
}
