//! Splits decoded by any number of threads.

use std::{fmt::Write as _, io::Write as _, path::Path};

use robolog_core::{Sample, Timestamp};

use super::*;
use crate::{Feed, Input};

/// A log of more than [`LEAST`] bytes.
fn log() -> tempfile::NamedTempFile {
    let mut text = String::from("%% LOGSTART 1700000000.0\n");
    while text.len() as u64 <= LEAST + SPLIT {
        let number = text.len();
        writeln!(text, "{number}.00000 X pSim {number}").unwrap();
    }
    let mut file = tempfile::Builder::new().suffix(".alog").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// Times and offsets of the samples, and the report.
fn read(file: &Path, settings: &Settings, workers: usize) -> (Vec<(Option<Timestamp>, u64)>, Report) {
    let mut read = Vec::new();
    let mut take = |_: &mut Batch, sample: &mut Sample, _| {
        read.push((sample.time, sample.offset));
        Ok(())
    };
    let feed = Feed::new(Input::open(file).unwrap()).with_settings(settings.clone()).with_workers(workers);
    let (_, report) = feed.read(&mut take).unwrap();
    (read, report)
}

/// Independent of the cores of the machine: a conversion on two cores has one decoder.
#[test]
fn splits_decoded_side_by_side_are_the_file() {
    let file = log();
    let (alone, report) = read(file.path(), &Settings::default(), 1);
    assert!(alone.len() > 100_000 && report.records > 100_000, "{} samples", alone.len());
    for workers in [3, MOST_WORKERS + 1] {
        let (samples, of_splits) = read(file.path(), &Settings::default(), workers);
        assert!(samples == alone && of_splits.records == report.records, "{workers} threads");
    }
}

#[test]
fn times_beyond_64_bits_are_damage_in_splits_too() {
    let file = log();
    let settings = Settings { time_offset: i64::MAX - 1_700_010_000_000_000_000, ..Settings::default() };
    let (alone, report) = read(file.path(), &settings, 1);
    assert!(alone.len() > 100 && report.damages > 100_000, "{} samples, {}", alone.len(), report.damages);
    let (samples, of_splits) = read(file.path(), &settings, 3);
    assert!(samples == alone);
    assert_eq!(of_splits.damages, report.damages);
}

#[test]
fn a_file_that_becomes_shorter_is_damaged_once_in_its_last_split() {
    let file = log();
    let (all, _) = read(file.path(), &Settings::default(), 1);
    let input = Input::open(file.path()).unwrap();
    let (_, cut) = all[all.len() - 1000];
    file.as_file().set_len(cut).unwrap();
    let mut count = 0;
    let mut take = |_: &mut Batch, _: &mut Sample, _| {
        count += 1;
        Ok(())
    };
    let (_, report) = Feed::new(input).with_workers(4).read(&mut take).unwrap();
    assert_eq!((count, report.damages), (all.len() - 1000, 1), "{:?}", report.damage);
}
