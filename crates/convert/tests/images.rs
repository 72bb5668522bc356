//! Pictures as files, and laser scans as points.

#![cfg(all(feature = "images", feature = "ply"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "helpers of tests fail the test that calls them"
)]

use std::{fs, path::Path};

use koblenz_log::{Payload, Reader};
use robolog_convert::{Feed, Input, Per, Report, SinkOptions, TargetFormat, convert_into_folder};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata"))
}

fn pictures(input: &str, target: TargetFormat, per: Per, out: &Path) -> Report {
    convert_into_folder(
        vec![Feed::new(Input::open(root().join(input)).unwrap())],
        out,
        (target, &SinkOptions::default()),
        (per, false),
        &mut |_| {},
    )
    .unwrap()
}

/// The files of a folder with this extension, by name.
fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn jpeg_files_are_those_of_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("pictures");
    let report = pictures("koblenz-log/image.log", TargetFormat::Jpg, Per::Frame, &out);
    let log = fs::read(root().join("koblenz-log/image.log")).unwrap();
    let in_log: Vec<Vec<u8>> = Reader::new(&log)
        .unwrap()
        .records()
        .filter_map(|record| match record.unwrap().decode().unwrap() {
            Payload::Image(image) => Some(image.data.to_vec()),
            _ => None,
        })
        .collect();
    assert!(!in_log.is_empty() && files(&out, "jpg") == in_log);
    assert_eq!(report.written["image"].samples, in_log.len() as u64);
}

/// The sums of the pixels are those that the script which laid the pictures down has written beside them.
#[test]
fn pixels_become_png_files_of_the_same_pixels() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("pictures");
    pictures("effibox/dataset", TargetFormat::Png, Per::Frame, &out);
    let sums: Vec<u64> = files(&out, "png")
        .iter()
        .map(|file| {
            let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            pixels[..info.buffer_size()].iter().map(|byte| u64::from(*byte)).sum()
        })
        .collect();
    let truth = fs::read_to_string(root().join("effibox/dataset/truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    let mut wanted: Vec<u64> = match &truth["image_sums"] {
        serde_json::Value::Array(sums) => sums.iter().map(|sum| sum.as_u64().unwrap()).collect(),
        sums => sums.as_object().unwrap().values().map(|sum| sum.as_u64().unwrap()).collect(),
    };
    wanted.sort_unstable();
    let mut sums = sums;
    sums.sort_unstable();
    assert_eq!(sums, wanted);
}

/// Each range that is one is a point at that distance.
#[test]
fn scans_become_points_at_their_ranges() {
    let dir = tempfile::tempdir().unwrap();
    let points = dir.path().join("points");
    pictures("koblenz-log/drive.log", TargetFormat::Ply, Per::Kind, &points);
    let log = fs::read(root().join("koblenz-log/drive.log")).unwrap();
    let ranges: usize = Reader::new(&log)
        .unwrap()
        .records()
        .map(|record| match record.unwrap().decode().unwrap() {
            Payload::Laser(scan) => scan.distances().filter(|distance| *distance >= 20).count(),
            _ => 0,
        })
        .sum();
    let file = String::from_utf8_lossy(&fs::read(points.join("front.ply")).unwrap()).into_owned();
    assert!(file.contains(&format!("element vertex {ranges}\n")), "{ranges}: {}", &file[..200]);
}
