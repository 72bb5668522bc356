//! Schema and properties of Parquet files.

use std::sync::Arc;

use parquet::{
    basic::{Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion},
    },
    schema::types::{ColumnPath, Type as Node},
};

use crate::columns::{Column, Table, Type};

/// Returns the Parquet node of a column.
pub(super) fn node(column: &Column) -> Result<Node, ParquetError> {
    let (physical, logical) = match column.kind {
        Type::Bool => (Physical::BOOLEAN, None),
        Type::Int => (Physical::INT64, None),
        Type::Small => (Physical::INT32, None),
        Type::Float => (Physical::DOUBLE, None),
        Type::Single => (Physical::FLOAT, None),
        Type::Micros => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
        Type::Text | Type::Name => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Type::Bytes | Type::Geometry | Type::Nothing => (Physical::BYTE_ARRAY, None),
        Type::Singles => return list(&column.name),
    };
    let node = Node::primitive_type_builder(&column.name, physical);
    node.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()
}

/// A three-level list, as the format specifies.
fn list(name: &str) -> Result<Node, ParquetError> {
    let element = Node::primitive_type_builder("element", Physical::FLOAT);
    let element = element.with_repetition(Repetition::OPTIONAL).build()?;
    let list = Node::group_type_builder("list").with_repetition(Repetition::REPEATED);
    let list = list.with_fields(vec![Arc::new(element)]).build()?;
    let column = Node::group_type_builder(name).with_repetition(Repetition::OPTIONAL);
    column.with_logical_type(Some(LogicalType::List)).with_fields(vec![Arc::new(list)]).build()
}

pub(super) fn properties(table: &Table) -> WriterProperties {
    let metadata = vec![
        #[cfg(feature = "to-arrow")]
        KeyValue::new("ARROW:schema".to_owned(), table.arrow_schema()),
        KeyValue::new("robolog.kind".to_owned(), table.shape.kind.to_owned()),
        KeyValue::new("robolog.units".to_owned(), units(table)),
    ];
    let mut properties = builder(metadata);
    for column in &table.columns {
        let path = ColumnPath::from(column.name.as_str());
        properties = match column.kind {
            Type::Micros => delta(properties, path),
            Type::Int if column.name == "time_ns" => delta(properties, path),
            Type::Bytes | Type::Geometry => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None),
            _ => properties,
        };
    }
    properties.build()
}

/// Units of the columns that have one, as a JSON object by column name.
fn units(table: &Table) -> String {
    let columns = table.columns.iter();
    let units = columns.filter_map(|column| Some((column.name.clone(), column.unit.clone()?.into())));
    serde_json::Value::Object(units.collect()).to_string()
}

/// The properties of every file written here.
pub(super) fn builder(metadata: Vec<KeyValue>) -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("robolog version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(metadata))
}

/// Encodes times as differences, because they are close together.
fn delta(properties: WriterPropertiesBuilder, path: ColumnPath) -> WriterPropertiesBuilder {
    let properties = properties.set_column_dictionary_enabled(path.clone(), false);
    properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
}
