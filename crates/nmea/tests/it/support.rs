//! Logs for the tests.

use std::{fs, path::PathBuf};

use robolog_core::{GnssFix, Sample, Timestamp, Value, format::Decoder as _};
use robolog_nmea::{Decoder, Options, Reader};

pub(crate) fn real() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("effibox/nmea") else { return Vec::new() };
    let is_log = |p: &PathBuf| p.extension().is_some_and(|e| e == "log" || e == "nmea");
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(is_log).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&p).unwrap()))
        .collect()
}

pub(crate) fn samples(log: &[u8], options: Options) -> Vec<Sample> {
    let reader = Reader::new(log).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut all = Vec::new();
    let mut sink = |sample: &mut Sample| {
        all.push(sample.clone());
        Ok::<(), robolog_nmea::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    all
}

pub(crate) fn fixes(samples: &[Sample]) -> Vec<(Option<Timestamp>, &GnssFix)> {
    let fix = |sample: &'_ Sample| matches!(&sample.value, Value::GnssFix(_));
    let fixes = samples.iter().filter(|s| fix(s));
    fixes
        .map(|s| match &s.value {
            Value::GnssFix(fix) => (s.time, fix),
            _ => unreachable!(),
        })
        .collect()
}

/// A sentence with its checksum.
pub(crate) fn with_sum(inner: &str) -> String {
    let sum = inner.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("${inner}*{sum:02X}\r\n")
}
