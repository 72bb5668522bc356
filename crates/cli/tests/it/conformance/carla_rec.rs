//! CARLA recordings.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::run::robolog;

/// Compares `info` of a recording with the truth; returns the number of values.
fn compare(file: &Path, truth: &Value) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", file.to_str().unwrap()]);
    if truth["header_ok"] == false {
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
    let complete = truth.get("complete").unwrap_or(&Value::Bool(true));
    assert_eq!(run.status, if complete == true { 0 } else { 3 }, "{name}: {}", run.err);
    same("complete", &info["complete"], complete);
    for key in ["version", "date_unix", "frames"] {
        if let Some(want) = truth.get(key) {
            same(key, &details[key], want);
        }
    }
    let counts = ["packets", "actors", "collisions", "vector_bits", "attribute_base"];
    for key in counts.into_iter().chain(["first_elapsed_s", "last_elapsed_s"]) {
        // These have no complete frame; `info` counts the rest, the truth does not.
        let is_counted = !["crlf_mangled.log", "early_ue5.log"].contains(&&*name);
        if let Some(want) = truth.get(key).filter(|_| is_counted) {
            // `info` also counts the actors before the flaw in a packet.
            let more = truth["readable_in_damaged"]
                .as_u64()
                .filter(|_| key == "actors" && name == "bad_count_add.log");
            let want = more.map_or(want.clone(), |more| json!(want.as_u64().unwrap() + more));
            same(key, &details[key], &want);
        }
    }
    same("bytes", &info["bytes"], &truth["bytes"]);
    if let Some(map) = truth["map"].as_str() {
        same("map", &details["map"], &json!(map));
    }
    compared
}

/// Keys of the script for real recordings, with their names in the fixtures' truth.
fn in_our_words(truth: &Value) -> Value {
    let packets = truth["packets"].as_object().unwrap().iter();
    let packets: serde_json::Map<_, _> =
        packets.map(|(key, n)| (key.split(':').next().unwrap().to_owned(), n.clone())).collect();
    json!({
        "bytes": truth["bytes"],
        "version": truth["version"],
        "date_unix": truth["date_unix"],
        "map": truth["map"],
        "frames": truth["frames"],
        "packets": packets,
        "actors": truth["n_actors_added"],
        "collisions": truth["n_collisions"],
        "vector_bits": 32,
        "first_elapsed_s": truth["first_frame"][2],
        "last_elapsed_s": truth["last_frame"][2],
    })
}

#[test]
fn fixtures() {
    let (files, _) = super::fixtures("carla-rec", &["log"], compare);
    assert!(files >= 40, "only {files}");
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let truth: Value = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for (name, truth) in truth.as_object().unwrap() {
        let compared = compare(&dir.join(name), &in_our_words(truth));
        println!("{name}: {compared} values equal");
        assert!(compared >= 10);
    }
}
