//! Rows with lists and groups, from JSON to Parquet and back.
//!
//! A schema in Parquet's syntax defines the columns. In JSON, timestamps are RFC 3339 texts in whole microseconds, and
//! bytes are hexadecimal digits. Lists have Parquet's three levels.

mod raw;
mod rows;

use std::{io::Write, sync::Arc};

use parquet::{
    basic::{LogicalType, Type as Physical},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{metadata::KeyValue, writer::SerializedFileWriter},
    schema::{parser::parse_message_type, types::Type},
};
use robolog_core::text::from_hex;
use serde_json::Value as Json;

pub use self::{raw::Row, rows::Rows};
use super::{failed, schema::builder};
use crate::{Error, Result};

/// A row group is written once it holds this many bytes in memory.
const GROUP: usize = 8 << 20;

/// Writes rows of a schema. Holds about 16 MiB.
///
/// ```
/// use robolog_sinks::parquet::nested::{Rows, Writer};
/// use serde_json::json;
/// let schema = "message m { required binary name (STRING);
///     required group parts (LIST) { repeated group list { required int64 element; } } }";
/// # let path = std::env::temp_dir().join(format!("robolog-nested-{}", std::process::id()));
/// let mut writer = Writer::new(std::fs::File::create(&path).unwrap(), schema, &[])?;
/// writer.write(&json!({ "name": "a", "parts": [1, 2] }))?;
/// writer.finish()?;
/// let mut parts = Vec::new();
/// Rows::open(std::fs::File::open(&path).unwrap(), schema)?.each(&["parts"], |row| {
///     parts.push(row);
///     Ok(())
/// })?;
/// assert_eq!(parts, [json!({ "parts": [1, 2] })]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
pub struct Writer {
    file: SerializedFileWriter<Box<dyn Write + Send>>,
    schema: Arc<Type>,
    leaves: Vec<Leaf>,
    bytes: usize,
}

/// Bytes of a value in memory besides its content.
const LEVEL: usize = 16;

/// A leaf column.
struct Leaf {
    values: Values,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

enum Values {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f64>),
    Bytes(Vec<ByteArray>),
}

impl Writer {
    /// Creates a file on `out` with these keys and values as `metadata`.
    pub fn new(out: impl Write + Send + 'static, schema: &str, metadata: &[(&str, &str)]) -> Result<Self> {
        Self::on(Box::new(out), schema, metadata)
    }

    fn on(out: Box<dyn Write + Send>, schema: &str, metadata: &[(&str, &str)]) -> Result<Self> {
        let schema = Arc::new(parse_message_type(schema).map_err(failed)?);
        let metadata =
            metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
        let properties = builder(metadata.collect()).build();
        let file =
            SerializedFileWriter::new(out, Arc::clone(&schema), Arc::new(properties)).map_err(failed)?;
        let columns = file.schema_descr().columns();
        let leaves = columns.iter().map(|column| Leaf::of(column.physical_type())).collect::<Result<_>>()?;
        Ok(Self { file, schema, leaves, bytes: 0 })
    }

    /// Adds a row: an object with the schema's columns. Missing columns are null.
    pub fn write(&mut self, row: &Json) -> Result<()> {
        let mut shred = Shred { leaves: &mut self.leaves, bytes: 0 };
        shred.fields(&self.schema, Some(row), 0, Levels::default())?;
        let bytes = shred.bytes;
        self.added(bytes)
    }

    /// Counts a row of this many bytes in memory.
    fn added(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        if self.bytes >= GROUP { self.group() } else { Ok(()) }
    }

    fn group(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group().map_err(failed)?;
        for leaf in &mut self.leaves {
            let Some(mut column) = group.next_column().map_err(failed)? else { break };
            let levels = (Some(&*leaf.definition), Some(&*leaf.repetition));
            match (column.untyped(), &mut leaf.values) {
                (ColumnWriter::BoolColumnWriter(w), Values::Bool(v)) => w.write_batch(v, levels.0, levels.1),
                (ColumnWriter::Int64ColumnWriter(w), Values::Int(v)) => w.write_batch(v, levels.0, levels.1),
                (ColumnWriter::DoubleColumnWriter(w), Values::Float(v)) => {
                    w.write_batch(v, levels.0, levels.1)
                }
                (ColumnWriter::ByteArrayColumnWriter(w), Values::Bytes(v)) => {
                    w.write_batch(v, levels.0, levels.1)
                }
                _ => return Err(refused("a column of another type")),
            }
            .map_err(failed)?;
            column.close().map_err(failed)?;
            leaf.clear();
        }
        group.close().map_err(failed)?;
        self.bytes = 0;
        Ok(())
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<()> {
        if self.bytes > 0 {
            self.group()?;
        }
        Ok(self.file.into_inner().map_err(failed)?.flush()?)
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("schema", &self.schema.name()).finish_non_exhaustive()
    }
}

impl Leaf {
    fn of(kind: Physical) -> Result<Self> {
        let values = match kind {
            Physical::BOOLEAN => Values::Bool(Vec::new()),
            Physical::INT64 => Values::Int(Vec::new()),
            Physical::DOUBLE => Values::Float(Vec::new()),
            Physical::BYTE_ARRAY => Values::Bytes(Vec::new()),
            _ => return Err(refused("a type that is not supported")),
        };
        Ok(Self { values, definition: Vec::new(), repetition: Vec::new() })
    }

    fn clear(&mut self) {
        self.definition.clear();
        self.repetition.clear();
        match &mut self.values {
            Values::Bool(values) => values.clear(),
            Values::Int(values) => values.clear(),
            Values::Float(values) => values.clear(),
            Values::Bytes(values) => values.clear(),
        }
    }
}

impl Values {
    /// Bytes of the last value, if variable.
    fn last_len(&self) -> usize {
        match self {
            Self::Bytes(values) => values.last().map_or(0, ByteArray::len),
            _ => 0,
        }
    }
}

/// Definition and repetition level of a value, and the number of lists around it.
#[derive(Debug, Clone, Copy, Default)]
struct Levels {
    definition: i16,
    repetition: i16,
    lists: i16,
}

/// Splits a row's values into columns.
struct Shred<'a> {
    leaves: &'a mut [Leaf],
    bytes: usize,
}

impl Shred<'_> {
    /// Adds the fields of a group whose first column has the number `at`; returns the number after its last. `None` has
    /// no values.
    fn fields(&mut self, group: &Type, value: Option<&Json>, mut at: usize, levels: Levels) -> Result<usize> {
        for field in group.get_fields() {
            let value = value.map(|value| value.get(field.name()).unwrap_or(&Json::Null));
            at = self.node(field, value, at, levels)?;
        }
        Ok(at)
    }

    fn node(&mut self, node: &Type, value: Option<&Json>, at: usize, mut levels: Levels) -> Result<usize> {
        let value = match value {
            Some(Json::Null) if node.is_optional() => None,
            Some(Json::Null) => return Err(refused(&format!("{} is null", node.name()))),
            Some(value) => {
                levels.definition += i16::from(node.is_optional());
                Some(value)
            }
            None => None,
        };
        if node.is_primitive() {
            self.leaf(node, value, at, levels)?;
            return Ok(at + 1);
        }
        let is_list = node.get_basic_info().logical_type_ref() == Some(&LogicalType::List);
        let Some(element) = node.get_fields().first().filter(|_| is_list) else {
            return self.fields(node, value, at, levels);
        };
        let items = value.and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        if items.is_empty() {
            return self.fields(element, None, at, levels);
        }
        let mut end = at;
        levels.definition += 1;
        levels.lists += 1;
        for (i, item) in items.iter().enumerate() {
            let repetition = if i == 0 { levels.repetition } else { levels.lists };
            let levels = Levels { repetition, ..levels };
            for part in element.get_fields() {
                end = self.node(part, Some(item), at, levels)?;
            }
        }
        Ok(end)
    }

    fn leaf(&mut self, node: &Type, value: Option<&Json>, at: usize, levels: Levels) -> Result<()> {
        let leaf = self.leaves.get_mut(at).ok_or_else(|| refused("a column too many"))?;
        leaf.definition.push(levels.definition);
        leaf.repetition.push(levels.repetition);
        self.bytes += LEVEL;
        let Some(value) = value else { return Ok(()) };
        let is_text = node.get_basic_info().logical_type_ref().is_some();
        push(&mut leaf.values, value, is_text)
            .ok_or_else(|| refused(&format!("{}: {value} is of another type", node.name())))?;
        self.bytes += leaf.values.last_len();
        Ok(())
    }
}

fn push(values: &mut Values, value: &Json, is_text: bool) -> Option<()> {
    match values {
        Values::Bool(all) => all.push(value.as_bool()?),
        Values::Int(all) => all.push(value.as_i64().or_else(|| micros(value.as_str()?))?),
        Values::Float(all) => all.push(value.as_f64()?),
        Values::Bytes(all) if is_text => all.push(value.as_str()?.into()),
        Values::Bytes(all) => all.push(from_hex(value.as_str()?)?.into()),
    }
    Some(())
}

fn micros(text: &str) -> Option<i64> {
    Some(text.parse::<jiff::Timestamp>().ok()?.as_microsecond())
}

fn refused(why: &str) -> Error {
    Error::library("Parquet", why)
}
