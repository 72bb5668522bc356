//! LVX.

use std::{collections::BTreeMap, fs, path::Path};

use crate::run::robolog;
use serde_json::Value;

/// Compares `info` of a recording with the truth; returns the number of values.
fn compare(file: &Path, truth: &Value) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", file.to_str().unwrap()]);
    if truth.get("error").is_some() {
        assert_eq!((run.status, run.out.len()), (1, 0), "{name} must be refused");
        assert!(run.err.contains("unknown format"), "{name}: {}", run.err);
        return 1;
    }
    let info = &run.json()[0];
    let details = &info["details"];
    let mut compared = 0;
    let mut same = |what: &str, got: &Value, want: &Value| {
        assert_eq!(got, want, "{name}: {what}");
        compared += 1;
    };
    let complete = truth.get("complete").and_then(Value::as_bool).unwrap_or_else(|| notes_are_empty(truth));
    same("complete", &info["complete"], &Value::from(complete));
    same("bytes", &info["bytes"], &truth["size"]);
    same("frame_ms", &details["frame_ms"], truth.get("frame_duration_ms").unwrap_or(&Value::Null));
    if run.status == 0 {
        assert!(complete, "{name}: status 0 of a damaged file");
    } else {
        assert_eq!(run.status, 3, "{name}");
    }
    let recovered = truth.get("recovered_frames").unwrap_or(&truth["frames"]);
    same("frames", &details["frames"], recovered);
    // `info` continues after damage; the truth has extra numbers for that.
    let truth = &with_recovered(truth);
    let sum = |object: &Value| object.as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>();
    same("packages", &details["packages"], &Value::from(sum(&truth["packages"])));
    same("points", &details["points"], &truth["total_points"]);
    same("imu_samples", &details["imu_samples"], &truth["imu_samples"]);
    compared + compare_devices(&name, details, truth)
}

fn with_recovered(truth: &Value) -> Value {
    let mut truth = truth.clone();
    if let Some(recovered) = truth.get("recovered").cloned() {
        truth.as_object_mut().unwrap().extend(recovered.as_object().unwrap().clone());
    }
    truth
}

fn notes_are_empty(truth: &Value) -> bool {
    truth["notes"].as_array().is_none_or(Vec::is_empty)
}

fn compare_devices(name: &str, details: &Value, truth: &Value) -> usize {
    let devices = details["devices"].as_array().unwrap();
    let mut compared = 0;
    for (device, want) in devices.iter().zip(truth["devices"].as_array().unwrap()) {
        assert_eq!(device["sn"], want["sn"], "{name}");
        assert_eq!(device["device_type"], want["type"], "{name}");
        let id = if device["index"].is_null() { &device["lidar_id"] } else { &device["index"] };
        assert_eq!(id, want.get("index").unwrap_or(&want["lidar_id"]), "{name}");
        let per_device = |key: &str| {
            let of = |(k, v): (&String, &Value)| {
                (k.split('/').next() == Some(&id.to_string())).then(|| v.as_i64())
            };
            truth[key].as_object().unwrap().iter().filter_map(of).flatten().collect::<Vec<_>>()
        };
        assert_eq!(device["packages"].as_i64(), Some(per_device("packages").iter().sum()), "{name}");
        assert_eq!(device["points"].as_i64(), Some(per_device("points").iter().sum()), "{name}");
        let last =
            if truth.get("unwrapped_last_ts_ns").is_some() { "unwrapped_last_ts_ns" } else { "last_ts_ns" };
        let clocks: BTreeMap<_, _> = truth["timestamp_types"].as_object().unwrap().iter().collect();
        compared += 5;
        if clocks.len() == 1 {
            assert_eq!(
                device["start_ns"].as_i64(),
                per_device("first_ts_ns").into_iter().min(),
                "{name}: start"
            );
            assert_eq!(device["end_ns"].as_i64(), per_device(last).into_iter().max(), "{name}: end");
            compared += 2;
        }
    }
    assert_eq!(devices.len(), truth["devices"].as_array().unwrap().len(), "{name}");
    compared
}

#[test]
fn fixtures() {
    let (_, total) = super::fixtures("lvx", &["lvx"], compare);
    println!("{total} values of fixtures equal");
    assert!(total > 300, "{total}");
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let truth: Vec<Value> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let mut total = 0;
    for entry in truth {
        let file = dir.join(entry["file"].as_str().unwrap());
        let compared = compare(&file, &entry);
        super::report(&file, compared);
        total += compared;
    }
    println!("{total} values of real recordings equal");
}
