//! The Institut Pascal data set, GPX, KML and NMEA.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::run::{self, robolog};

/// Compares keys of `info`'s details with those present in the truth; returns their number.
fn compare(file: &Path, format: &str, truth: &Value, keys: &[(&str, &str)]) -> usize {
    let name = file.file_name().unwrap().to_string_lossy();
    let run = robolog(["info", "--json", "--format", format, file.to_str().unwrap()]);
    if truth["refused"] == true {
        assert_eq!((run.status, run.out.len()), (1, 0), "{name} must be refused: {}", run.text());
        return 1;
    }
    if truth["damaged"] == true {
        let records = run.json()[0]["records"].as_u64().unwrap();
        assert!(run.status == 3 && records > 0, "{name} is damaged, and read: {}", run.text());
        return 1;
    }
    assert!(!run.out.is_empty(), "{name}: {}", run.err);
    let details = &run.json()[0]["details"];
    let mut compared = 0;
    for (ours, theirs) in keys {
        let Some(want) = truth.get(*theirs).filter(|want| !want.is_null()) else { continue };
        // An asterisk without two digits is a wrong checksum in the truth and no checksum for `info`; the truth counts
        // the point nested beyond any limit; of torn records, `info` counts a sentence and the truth a placemark.
        let differs = match &*name {
            "checksums.nmea" => matches!(*ours, "checksum_bad" | "no_checksum"),
            "deep_inside.gpx" => *ours == "trackpoints",
            "cut_in_sentence.nmea" | "hostile.nmea" => {
                matches!(*ours, "sentences" | "other_bytes" | "no_checksum")
            }
            _ => name.ends_with(".kml") && !truth["bad_from"].is_null(),
        };
        if differs {
            continue;
        }
        let want = match (*theirs, want.as_object()) {
            // By address.
            ("sentences", Some(by_address)) => {
                json!(by_address.values().filter_map(Value::as_u64).sum::<u64>())
            }
            // Points with an unreadable position count as points.
            ("track_points", _) => {
                json!(want.as_u64().unwrap() + truth["odd_points"].as_u64().unwrap_or_default())
            }
            _ => want.clone(),
        };
        assert_eq!(details[*ours], want, "{name}: {ours}");
        compared += 1;
    }
    compared
}

/// Files of a folder of fixtures with these extensions, at least `least` of them.
fn fixtures(folder: &str, extensions: &[&str], keys: &[(&str, &str)], least: usize) {
    let (files, _) = super::fixtures(folder, extensions, |file, truth| {
        let is_empty = fs::metadata(file).unwrap().len() == 0;
        if is_empty { 0 } else { compare(file, folder, truth, keys) }
    });
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
    let keys = [("placemarks", "placemarks"), ("points", "points"), ("tracks", "tracks")];
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
        for (path, want) in truth.as_object().unwrap() {
            // The truth treats `nan`, a number out of range and a comment differently.
            let is_table =
                want.get("rows").is_some() && !(name == "dataset_odd" && path.ends_with("_Motor.txt"));
            let Some(got) = tables.get(path).filter(|_| is_table) else { continue };
            let good = got["rows"].as_u64().unwrap() - got["odd_rows"].as_u64().unwrap();
            assert_eq!(json!(good), want["rows"], "{name}: {path}");
            compared += 1;
        }
        println!("{name}: {compared} values equal");
        assert!(compared > 5 || name == "dataset_odd", "{name}");
    }
}
