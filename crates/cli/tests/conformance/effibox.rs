//! The Institut Pascal data set, GPX, KML and NMEA.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::run::{self, robolog};

/// Compares keys of `info`'s details with those of the truth, where that has them; returns how many.
fn compare(file: &Path, truth: &Value, keys: &[(&str, &str)]) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", file.to_str().unwrap()]);
    if truth["refused"] == true {
        assert_eq!((run.status, run.out.len()), (1, 0), "{name} must be refused: {}", run.text());
        return 1;
    }
    assert!(!run.out.is_empty(), "{name}: {}", run.err);
    let details = &run.json()[0]["details"];
    let mut compared = 0;
    for (ours, theirs) in keys {
        if let Some(want) = truth.get(*theirs).filter(|want| !want.is_null()) {
            assert_eq!(&details[*ours], want, "{name}: {ours}");
            compared += 1;
        }
    }
    compared
}

/// All files of a folder of fixtures with the extension.
fn fixtures(folder: &str, extensions: &[&str], keys: &[(&str, &str)], least: usize) {
    let (mut files, mut values) = (0, 0);
    let mut paths: Vec<_> = fs::read_dir(run::fixture_of("effibox", folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for file in paths {
        if !file.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            continue;
        }
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let truth = fs::read(file.with_file_name(format!("{stem}.truth.json"))).unwrap();
        values += compare(&file, &serde_json::from_slice(&truth).unwrap(), keys);
        files += 1;
    }
    println!("{folder}: {values} values equal in {files} files");
    assert!(files >= least, "only {files}");
}

const GPX: [(&str, &str); 7] = [
    ("version", "version"),
    ("waypoints", "waypoints"),
    ("routes", "routes"),
    ("routepoints", "route_points"),
    ("tracks", "tracks"),
    ("segments", "segments"),
    ("trackpoints", "track_points"),
];

#[test]
fn gpx_fixtures() {
    fixtures("gpx", &["gpx"], &GPX, 40);
}

#[test]
fn kml_fixtures() {
    let keys = [("placemarks", "placemarks"), ("points", "points"), ("track_coords", "coords")];
    fixtures("kml", &["kml", "kmz"], &keys, 20);
}

#[test]
fn nmea_fixtures() {
    let keys = [
        ("sentences", "sentences"),
        ("checksum_ok", "checksum_ok"),
        ("checksum_bad", "checksum_bad"),
        ("no_checksum", "no_checksum"),
        ("other_bytes", "other_bytes"),
        ("gsv_satellites", "gsv_satellites"),
    ];
    fixtures("nmea", &["nmea"], &keys, 12);
}

#[test]
fn data_sets() {
    for name in ["dataset", "dataset_estimated", "dataset_odd"] {
        let folder = run::fixture_of("effibox", name);
        let truth: Value = serde_json::from_slice(&fs::read(folder.join("truth.json")).unwrap()).unwrap();
        let run = robolog(["info", "--json", folder.to_str().unwrap()]);
        let info = &run.json()[0];
        let mut tables = serde_json::Map::new();
        for interface in info["details"]["interfaces"].as_array().unwrap() {
            tables.extend(interface["tables"].as_object().unwrap().clone());
        }
        let mut compared = 0;
        for (path, want) in truth["tables"].as_object().unwrap() {
            let Some(got) = tables.get(path) else { panic!("{name}: {path} is not read") };
            if let Some(rows) = want.get("rows") {
                assert_eq!(&got["rows"], rows, "{name}: {path}");
                compared += 1;
            }
            let odd = want["odd"].as_array().map_or(0, Vec::len);
            assert_eq!(got["odd_rows"], json!(odd), "{name}: {path}");
            compared += 1;
        }
        println!("{name}: {compared} values equal");
        assert!(compared > 10, "{name}");
    }
}

#[test]
fn real_gpx_files() {
    let Some(dir) = testkit::data_dir("effibox/gpx") else { return };
    let truth: Value = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    println!("{} files, read by effibox's own tests; here the first few", truth.as_object().unwrap().len());
    let mut read = 0;
    for (name, _) in truth.as_object().unwrap().iter().step_by(10) {
        let run = robolog(["info", "--json", dir.join(name).to_str().unwrap()]);
        read += usize::from(!run.out.is_empty());
    }
    assert!(read > 5, "{read}");
}
