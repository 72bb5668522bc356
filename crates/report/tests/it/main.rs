//! The tests of this crate, one binary.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod charts;
mod hostile;
mod order;
mod pages;
mod places;

use std::{
    fs,
    path::{Path, PathBuf},
};

use robolog_report::{Options, Page};

/// Test data with a recording of each format, and of each kind of samples.
const FIXTURES: [&str; 14] = [
    "lvx/room.lvx",
    "lvx/short_tail.lvx",
    "carla-rec/v0_9_15.log",
    "carla-rec/collisions.log",
    "alog/nav.alog",
    "alog/moosivp.alog",
    "alog/new_college_lasers.alog",
    "alog/header_only.alog",
    "koblenz-log/image.log",
    "effibox/dataset",
    "effibox/dataset_faults",
    "gpx",
    "nmea",
    "kml",
];

/// The recordings among the fixtures; of a folder of single files, the first few.
fn recordings() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("testdata");
    let mut found = Vec::new();
    for name in FIXTURES {
        let path = root.join(name);
        if path.is_file() || name.contains("dataset") {
            found.push(path);
            continue;
        }
        let mut files: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "gpx" || e == "kml" || e == "nmea"));
        files.sort();
        found.extend(files.into_iter().take(4));
    }
    found
}

fn page(path: &Path) -> Page {
    robolog_report::report(path, &Options::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A separate file for a test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("robolog-report-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The page of a recording of these bytes.
fn page_of(name: &str, bytes: &[u8]) -> Page {
    let path = file(name, bytes);
    let page = page(&path);
    fs::remove_file(path).unwrap();
    page
}
