//! MOOS logs.

use std::{fs, path::Path};

use serde_json::Value;

use crate::run::robolog;

/// Compares `info` of a log with the truth; returns the number of values.
fn compare(file: &Path, truth: &Value) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", file.to_str().unwrap()]);
    if truth["refused"] == true {
        assert_eq!((run.status, run.out.len()), (1, 0), "{name} must be refused");
        return 1;
    }
    let info = &run.json()[0];
    let details = &info["details"];
    let complete = truth.get("complete").unwrap_or(&Value::Bool(true));
    assert_eq!(info["complete"], *complete, "{name}: complete: {}", run.err);
    assert_eq!(run.status, if complete == true { 0 } else { 3 }, "{name}");
    let keys = [
        "entries",
        "comments",
        "continuation_lines",
        "numeric_values",
        "empty_values",
        "negative_times",
        "out_of_order",
        "sources",
    ];
    for key in keys {
        assert_eq!(details[key], truth[key], "{name}: {key}");
    }
    assert_eq!(details["variables"], truth["per_variable"], "{name}: variables");
    if !truth["logstart"].is_null() {
        assert_eq!(details["logstart"], truth["logstart"], "{name}: logstart");
    }
    keys.len() + 3
}

#[test]
fn fixtures() {
    let (files, _) = super::fixtures("alog", &["alog", "xlog", "klog", "gz"], compare);
    assert!(files >= 45, "only {files}");
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let truth: Value = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for (name, truth) in truth.as_object().unwrap() {
        let compared = compare(&dir.join(name), truth);
        println!("{name}: {compared} values equal");
    }
}
