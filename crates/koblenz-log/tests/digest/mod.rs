//! A recording in a screenful of text: what the snapshots hold.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "helpers of tests fail the test that calls them"
)]

use std::{collections::BTreeMap, fmt::Write as _};

use koblenz_log::{KoblenzLog, Options, Record, Sampler, StreamReader};
use robolog_core::{Event, Recording, Sample, Sampler as _, Value, survey};
use testkit::Fnv;

/// Header, counts, findings, the first and last three records, and a hash over every sample.
pub(crate) fn digest(file: &[u8]) -> String {
    let mut out = String::new();
    let mut reader = match StreamReader::new(file) {
        Ok(reader) => reader,
        Err(error) => return format!("error: {error}\n"),
    };
    let header = reader.header().clone();
    writeln!(out, "{header:#?}").unwrap();

    let mut lines = Vec::new();
    let mut hash = Fnv::default();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut sink = |sample: &mut Sample| {
        *counts.entry(sample.channel.to_string()).or_default() += 1;
        hash.text(&text(sample));
        Ok::<(), koblenz_log::Error>(())
    };
    let mut sampler = Sampler::new(&header, Options::default());
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                lines.push(line(&record));
                if let Err(error) = sampler.push(&record, &mut sink) {
                    lines.push(format!("  error: {error}"));
                }
            }
            Event::Damage { error, lost } => lines.push(format!("damage: {error}; lost {lost:?}")),
            Event::End => break,
        }
    }
    sampler.finish(&mut sink).unwrap();
    let is_damage = |line: &str| line.starts_with("damage") || line.starts_with("  error");
    let cut = lines.len().saturating_sub(3).max(3);
    let mut left_out = 0;
    for (i, line) in lines.iter().enumerate() {
        if i >= 3 && i < cut && !is_damage(line) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            writeln!(out, "... {left_out} more ...").unwrap();
            left_out = 0;
        }
        writeln!(out, "{line}").unwrap();
    }
    writeln!(out, "samples: {counts:?}").unwrap();
    writeln!(out, "hash of the samples: {:016x}", hash.finish()).unwrap();

    let summary = survey::<<KoblenzLog as Recording>::Survey>(&mut StreamReader::new(file).unwrap()).unwrap();
    writeln!(out, "{summary:#?}").unwrap();
    out
}

fn line(record: &Record<'_>) -> String {
    let text = format!("{record:?}");
    let short: String = text.chars().take(300).collect();
    let more = if short.len() < text.len() { " ..." } else { "" };
    format!("{:#x}, {} bytes: {short}{more}", record.offset(), record.bytes().len())
}

/// A sample as text. What went through a sine is rounded: it differs in its last bit from one platform to another.
fn text(sample: &Sample) -> String {
    let mut text = format!("{:?} {} {} {} ", sample.time, sample.offset, sample.channel, sample.frame_id);
    match &sample.value {
        Value::PointCloud(cloud) => {
            for point in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
                let ((x, y), z) = point;
                let millimetres = [x, y, z].map(|v| rounded(f64::from(*v) * 1e-3));
                write!(text, "{millimetres:?}").unwrap();
            }
            write!(text, "{:?} {:?} {:?}", cloud.ring, cloud.time_offset, cloud.return_number).unwrap();
        }
        Value::Imu(imu) => {
            let orientation = imu.orientation.map(|q| q.coords.map(rounded));
            write!(text, "{orientation:?} {:?}", imu.linear_acceleration.map(|v| v.map(rounded))).unwrap();
        }
        value => write!(text, "{value:?}").unwrap(),
    }
    text
}

fn rounded(v: f64) -> f64 {
    (v * 1e6).round() + 0.0
}
