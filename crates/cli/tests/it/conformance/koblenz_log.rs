//! Koblenz logs.

use std::{fs, path::Path};

use serde_json::{Map, Value, json};

use crate::run::robolog;

/// Fixtures with complete messages without samples: wrong lengths for their type, and an empty picture. The truth
/// counts them as messages.
const WITHOUT_SAMPLES: [&str; 3] = ["counts_inside.log", "obd_odd_lengths.log", "image_plain.log"];

/// Compares `info` of a log with the truth; returns the number of values.
fn compare(file: &Path, truth: &Value) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", file.to_str().unwrap()]);
    if !truth["refused"].is_null() {
        assert_eq!((run.status, run.out.len()), (1, 0), "{name} must be refused");
        return 1;
    }
    let info = &run.json()[0];
    let details = &info["details"];
    let mut compared = 0;
    let mut same = |what: &str, got: &Value, want: &Value| {
        assert_eq!(got, want, "{name}: {what}");
        compared += 1;
    };
    // A size overwritten by the end mark: the log does not end there.
    if truth["messages_behind_end"].is_null() {
        let has_samples = !WITHOUT_SAMPLES.contains(&&*name);
        let is_whole = truth["damage"] == json!([]) && truth["tail"]["state"] != "short" && has_samples;
        same("complete", &info["complete"], &json!(is_whole));
        same("messages", &details["messages"], &truth["messages"]);
        same("by_type", &details["by_type"], &truth["counts"]);
        same("invalid", &details["invalid"], &truth["other_marks"]);
        let packets = |key: &str| truth[key]["packets"].as_u64().unwrap_or_default();
        same("packets", &details["velodyne_packets"], &json!(packets("velodyne") + packets("salvaged")));
    }
    let counts = match truth["size_reading"].as_str().unwrap() {
        "17" => "after",
        "21" => "whole",
        _ => "payload",
    };
    same("size_counts", &details["size_counts"], &json!(counts));
    let state = match truth["index"]["state"].as_str().unwrap() {
        "good" => "valid",
        "zeros" => "zero",
        other => other,
    };
    same("index", &details["index"]["state"], &json!(state));
    let lasers = truth["lasers"].as_object().into_iter().flatten();
    let mut scans = Map::new();
    for (key, laser) in lasers {
        // Type, name and number of ranges; the type may contain slashes, the name not.
        let name = key.rsplit('/').nth(1).unwrap().to_owned();
        let before = scans.get(&name).and_then(Value::as_u64).unwrap_or_default();
        scans.insert(name, json!(before + laser["scans"].as_u64().unwrap()));
    }
    if truth["messages_behind_end"].is_null() {
        same("laser_sensors", &details["laser_sensors"], &Value::Object(scans));
    }
    compared
}

#[test]
fn fixtures() {
    let (files, _) = super::fixtures("koblenz-log", &["log"], compare);
    assert!(files >= 70, "only {files}");
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("koblenz-log") else { return };
    let truth: Value = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for (name, truth) in truth.as_object().unwrap() {
        let run = robolog(["info", "--json", dir.join(name).to_str().unwrap()]);
        let info = &run.json()[0];
        let details = &info["details"];
        assert_eq!((run.status, &info["complete"]), (0, &json!(true)), "{name}");
        for (got, want) in [
            ("messages", "messages"),
            ("by_type", "counts"),
            ("velodyne_packets", "velodyne_packets"),
            ("jpeg_bytes", "jpeg_bytes"),
        ] {
            assert_eq!(details[got], truth[want], "{name}: {got}");
        }
        assert_eq!(details["index"]["entries"], truth["index_n"], "{name}");
        println!("{name}: 7 values equal");
    }
}
