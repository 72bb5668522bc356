//! `robolog info --json` against counts from independent scripts, for the fixtures, and for real recordings if present.
//! One file per format.

mod alog;
mod carla_rec;
mod effibox;
mod koblenz_log;
mod lvx;

use std::{fs, path::Path};

use serde_json::Value;

use crate::run;

/// Compares each fixture of a folder with one of these extensions with its truth file. Returns the numbers of fixtures
/// and of equal values.
fn fixtures(folder: &str, extensions: &[&str], compare: impl Fn(&Path, &Value) -> usize) -> (usize, usize) {
    let (mut files, mut values) = (0, 0);
    for entry in fs::read_dir(run::fixture_of(folder, "")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension)) {
            let truth = fs::read(file.with_extension("truth.json")).unwrap();
            let compared = compare(&file, &serde_json::from_slice(&truth).unwrap());
            report(&file, compared);
            (files, values) = (files + 1, values + compared);
        }
    }
    (files, values)
}

fn report(file: &Path, compared: usize) {
    println!("{}: {compared} values equal", file.file_name().unwrap().to_string_lossy());
}
