//! Tables of fixes and features, whose columns differ from sample to sample.

#![cfg(all(feature = "to-arrow", feature = "to-csv", feature = "to-jsonl", feature = "to-parquet"))]

use std::io::Cursor;

use arrow_array::{Array as _, RecordBatch, cast::AsArray as _, types::Float64Type};
use arrow_ipc::reader::FileReader as ArrowReader;
use bytes::Bytes;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use robolog_convert::{
    Opening, Outcome, Selection,
    sink::{TargetSpec, arrow::ARROW, arrow::Batches, csv::CSV, jsonl::JSONL, parquet::PARQUET},
};
use robolog_core::{
    Attributes, Clock, Feature, Field, FieldKind, Geometry, GnssFix, Position, Row, Sample, Timestamp, Value,
};
use robolog_sinks::spool::MemoryFile;

fn sample(channel: &str, seconds: Option<i64>, value: Value) -> Sample {
    let time = seconds.map(|s| Timestamp::new(s * 1_000_000_000, Clock::Unix));
    let attributes = Attributes::default();
    Sample::new(channel, value).with_attributes(attributes).with_time(time).with_frame("wgs84")
}

fn row(cells: &[(&'static str, f64)]) -> Row {
    let fields: Vec<_> = cells.iter().map(|(name, _)| Field::new(name, FieldKind::Float)).collect();
    Row::new(fields.into(), cells.iter().map(|(_, value)| (*value).into()).collect())
}

/// A ride whose sensors come one after the other.
fn ride() -> Vec<Sample> {
    let fix = |n: i32, measured: &[(&'static str, f64)]| GnssFix {
        latitude: 45.0 + f64::from(n),
        longitude: 3.0,
        measured: (!measured.is_empty()).then(|| Box::new(row(measured))),
        ..GnssFix::default()
    };
    let fixes =
        [fix(0, &[]), fix(1, &[("heart_rate", 90.0)]), fix(2, &[("power", 200.5), ("heart_rate", 91.0)])];
    let name: Attributes = [("name", "ride".to_owned())].into_iter().collect();
    let samples = fixes.into_iter().zip(0..);
    samples
        .map(|(fix, n)| sample("track1", Some(n), Value::GnssFix(fix)).with_attributes(name.clone()))
        .collect()
}

fn hut() -> Sample {
    let place = Position { latitude: 46.5, longitude: 8.25, altitude_msl: Some(2450.0) };
    let mut hut = Feature::new(Geometry::Point(place));
    (hut.name, hut.symbol) = (Some("Hut, \"A\"".into()), Some("Lodge".into()));
    hut.properties = Some(row(&[("beds", 12.0)]));
    sample("waypoints", None, Value::Feature(Box::new(hut)))
}

fn written(target: &TargetSpec, samples: &[Sample]) -> Vec<u8> {
    let file = MemoryFile::default();
    let mut sink = target.open(file.clone(), &Opening::from(Selection::Channels)).unwrap();
    for sample in samples {
        assert_eq!(sink.write(&mut sample.clone()).unwrap(), Outcome::Written);
    }
    sink.notes().unwrap();
    sink.finish().unwrap();
    file.into_bytes()
}

/// The cells of these columns, row by row.
fn csv(samples: &[Sample], columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(Cursor::new(written(&CSV, samples)));
    let heads = reader.headers().unwrap().clone();
    let place = |name: &&str| heads.iter().position(|head| head == *name).unwrap_or_else(|| panic!("{name}"));
    let places: Vec<_> = columns.iter().map(place).collect();
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| places.iter().map(|at| row[*at].to_owned()).collect()).collect()
}

#[test]
fn what_was_measured_with_later_fixes_has_a_column_from_the_first() {
    assert_eq!(
        csv(&ride(), &["latitude", "heart_rate", "power", "track"]),
        [["45.0", "", "", "ride"], ["46.0", "90.0", "", "ride"], ["47.0", "91.0", "200.5", "ride"]]
    );
    let batches = ArrowReader::try_new(Cursor::new(written(&ARROW, &ride())), None).unwrap();
    let batches: Vec<_> = batches.map(Result::unwrap).collect();
    assert_eq!(batches[0].schema().metadata()["robolog.kind"], "gnss_fix");
    assert_eq!(heart_rates(&batches[0]), [None, Some(90.0), Some(91.0)]);
    let mut making = Batches::default();
    assert!(ride().iter().all(|sample| !making.observe(sample)));
    assert!(ride().iter().all(|sample| making.push(sample).unwrap()));
    making.finish().unwrap();
    assert_eq!(heart_rates(&making.pop().unwrap()), [None, Some(90.0), Some(91.0)]);
}

fn heart_rates(batch: &RecordBatch) -> Vec<Option<f64>> {
    batch.column_by_name("heart_rate").unwrap().as_primitive::<Float64Type>().iter().collect()
}

#[test]
fn fixes_and_features_share_a_table_of_features() {
    let samples: Vec<_> = [hut()].into_iter().chain(ride()).collect();
    let columns = ["channel", "latitude", "name", "symbol", "geometry", "beds", "heart_rate", "track"];
    let rows = csv(&samples, &columns);
    let first = ["waypoints", "46.5", "Hut, \"A\"", "Lodge", "POINT Z (8.25 46.5 2450)", "12.0", "", ""];
    assert_eq!(rows[0], first);
    assert_eq!(rows[2], ["track1", "46.0", "", "", "POINT (3 46)", "", "90.0", "ride"]);
    let file = SerializedFileReader::new(Bytes::from(written(&PARQUET, &samples))).unwrap();
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| {
        let pair = metadata.iter().find(|pair| pair.key == key).unwrap();
        pair.value.clone().unwrap()
    };
    assert_eq!(value("robolog.kind"), "feature");
    let geo: serde_json::Value = serde_json::from_str(&value("geo")).unwrap();
    assert_eq!(
        geo,
        serde_json::json!({
            "version": "1.1.0",
            "primary_column": "geometry",
            "columns": {"geometry": {
                "encoding": "WKB",
                "geometry_types": ["Point", "Point Z"],
                "bbox": [3.0, 45.0, 8.25, 47.0],
            }},
        })
    );
    let shapes: Vec<_> = file
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            let (_, cell) = row.get_column_iter().find(|(name, _)| *name == "geometry").unwrap();
            let parquet::record::Field::Bytes(bytes) = cell else { panic!("{cell:?}") };
            bytes.len()
        })
        .collect();
    assert_eq!(shapes, [29, 21, 21, 21]);
}

#[test]
fn a_table_of_features_that_only_an_arrow_stream_makes_has_their_names() {
    let mut making = Batches::default();
    assert!(!making.observe(&hut()) && making.push(&hut()).unwrap());
    making.finish().unwrap();
    let batch = making.pop().unwrap();
    assert_eq!(batch.column_by_name("name").unwrap().as_string::<i32>().value(0), "Hut, \"A\"");
    let schema = batch.schema();
    let field = schema.field_with_name("geometry").unwrap();
    assert_eq!(field.metadata()["ARROW:extension:name"], "geoarrow.wkb");
    assert_eq!(batch.column_by_name("geometry").unwrap().as_binary::<i32>().value(0).len(), 29);
    assert_eq!(batch.column_by_name("beds").unwrap().null_count(), 0);
}

#[test]
fn lines_have_features_and_the_attributes_of_a_channel_once() {
    let samples: Vec<_> = [hut()].into_iter().chain(ride()).collect();
    let text = String::from_utf8(written(&JSONL, &samples)).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["value"]["geometry"]["coordinates"], serde_json::json!([8.25, 46.5, 2450.0]));
    assert_eq!(lines[0]["value"]["name"], "Hut, \"A\"");
    assert_eq!(lines[3]["value"]["measured"], serde_json::json!({"power": 200.5, "heart_rate": 91.0}));
    let named: Vec<_> = lines.iter().map(|line| line["attributes"]["name"].as_str()).collect();
    assert_eq!(named, [None, Some("ride"), None, None]);
}
