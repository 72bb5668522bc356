//! Rows read from Parquet.

use std::{fs::File, sync::Arc};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::{Field, reader::RowIter},
    schema::{parser::parse_message_type, types::Type},
};
use robolog_core::text::hex;
use serde_json::Value as Json;

use super::{super::failed, refused};
use crate::Result;

/// Rows of a file written by [`Writer`](super::Writer).
pub struct Rows {
    pub(super) file: SerializedFileReader<File>,
    schema: Type,
}

impl Rows {
    /// Opens a file. Returns an error if it is not Parquet or has other columns.
    pub fn open(file: File, schema: &str) -> Result<Self> {
        let file = SerializedFileReader::new(file).map_err(failed)?;
        let schema = parse_message_type(schema).map_err(failed)?;
        if file.metadata().file_metadata().schema() != &schema {
            return Err(refused("it has other columns"));
        }
        Ok(Self { file, schema })
    }

    /// Passes on each row with only these columns, or all if none are named.
    pub fn each(&self, columns: &[&str], mut take: impl FnMut(Json) -> Result<()>) -> Result<()> {
        let is_wanted = |field: &&Arc<Type>| columns.is_empty() || columns.contains(&field.name());
        let fields = self.schema.get_fields().iter().filter(is_wanted).cloned().collect();
        let wanted = Type::group_type_builder(self.schema.name()).with_fields(fields).build();
        let wanted = wanted.map_err(failed)?;
        for number in 0..self.file.num_row_groups() {
            let group = self.file.get_row_group(number).map_err(failed)?;
            for row in RowIter::from_row_group(Some(wanted.clone()), &*group).map_err(failed)? {
                take(json(Field::Group(row.map_err(failed)?)))?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("schema", &self.schema.name()).finish_non_exhaustive()
    }
}

fn json(field: Field) -> Json {
    match field {
        Field::Bool(value) => value.into(),
        Field::Long(value) => value.into(),
        Field::Double(value) => value.into(),
        Field::Str(value) => value.into(),
        Field::Bytes(value) => hex(value.data()).into(),
        Field::TimestampMicros(micros) => text_of(micros).map_or(Json::Null, Json::String),
        Field::Group(row) => {
            row.into_columns().into_iter().map(|(name, field)| (name, json(field))).collect()
        }
        Field::ListInternal(list) => list.elements().iter().cloned().map(json).collect(),
        _ => Json::Null,
    }
}

fn text_of(micros: i64) -> Option<String> {
    Some(jiff::Timestamp::from_microsecond(micros).ok()?.to_string())
}
