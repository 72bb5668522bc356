//! Contents of Parquet files in every build, with or without Arrow.

#![cfg(feature = "to-parquet")]

use std::sync::Arc;

use bytes::Bytes;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use robolog_convert::{Selection, Sink as _, sink::parquet::Parquet};
use robolog_core::{Cell, Field, FieldKind, Row, Sample, Value};

/// Metadata of a file with a row of these fields.
fn metadata(fields: Vec<Field>) -> Vec<(String, Option<String>)> {
    let cells = vec![Cell::Null; fields.len()];
    let mut sink = Parquet::new(Vec::new(), &Selection::Channels.into());
    let value = Value::Row(Row::new(Arc::from(fields), cells));
    let mut sample = Sample::new("a", value).with_frame("map");
    sink.write(&mut sample).unwrap();
    let file = SerializedFileReader::new(Bytes::from(sink.into_inner().unwrap())).unwrap();
    let entries = file.metadata().file_metadata().key_value_metadata().unwrap();
    entries.iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect()
}

fn text(metadata: &[(String, Option<String>)], key: &str) -> Option<String> {
    metadata.iter().find(|(name, _)| name == key).and_then(|(_, value)| value.clone())
}

#[test]
fn units_are_in_the_metadata_of_the_file() {
    let metadata = metadata(vec![
        Field::new("speed", FieldKind::Float).with_unit("m/s"),
        Field::new("Time", FieldKind::Int).with_unit("\"µs\""),
        Field::new("on", FieldKind::Bool),
    ]);
    let units: serde_json::Value = serde_json::from_str(&text(&metadata, "robolog.units").unwrap()).unwrap();
    assert_eq!(units["speed"], "m/s");
    assert_eq!(units["Time_2"], "\"µs\"");
    assert_eq!(units.get("on"), None);
    assert_eq!(text(&metadata, "robolog.kind").as_deref(), Some("row"));
}

#[test]
fn the_schema_in_arrows_words_is_there_in_builds_with_arrow_alone() {
    let metadata = metadata(vec![Field::new("speed", FieldKind::Float)]);
    assert_eq!(text(&metadata, "ARROW:schema").is_some(), cfg!(feature = "to-arrow"));
}
