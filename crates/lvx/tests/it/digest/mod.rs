//! A recording in a screenful of text: what the snapshots hold.

use std::fmt::Write as _;

use lvx::{Lvx, Record, StreamReader};
use robolog_core::{Event, Sampling, Value, survey};
use testkit::Fnv;

/// Header, counts, findings, the first and last three frames, and a hash over every decoded value.
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
    let mut sampler = lvx::Sampler::new(&header, lvx::Options::default());
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                lines.push(line(&record));
                let mut sink = |sample: &mut robolog_core::Sample| {
                    hash.text(&format!("{:?} {} {}", sample.time, sample.channel, sample.frame_id));
                    match &mut sample.value {
                        Value::PointCloud(cloud) => {
                            assert!(cloud.is_consistent());
                            // To the millimetre: sines differ in their last bit from one platform to another.
                            for column in [&mut cloud.x, &mut cloud.y, &mut cloud.z] {
                                for v in column.iter_mut() {
                                    *v = (*v * 1000.0).round();
                                }
                            }
                            hash.text(&format!("{cloud:?}"));
                        }
                        // To a millionth, for the same reason.
                        Value::Transform(transform) => {
                            let (p, q) = (transform.pose.position, transform.pose.orientation.coords);
                            let numbers =
                                [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|v| (v * 1e6).round() as i64);
                            hash.text(&format!("{} {numbers:?}", transform.child_frame_id));
                        }
                        value => hash.text(&format!("{value:?}")),
                    }
                    Ok::<(), lvx::Error>(())
                };
                if let Err(error) = sampler.push(&record, &mut sink) {
                    lines.push(format!("  error: {error}"));
                }
            }
            Event::Damage { error, lost } => lines.push(format!("damage: {error}; lost {lost:?}")),
            Event::End => break,
        }
    }
    let cut = lines.len().saturating_sub(3).max(3);
    for (i, line) in lines.iter().enumerate() {
        match i {
            3 if cut > 3 => writeln!(out, "... {} more ...", cut - 3).unwrap(),
            i if i >= 3 && i < cut => {}
            _ => writeln!(out, "{line}").unwrap(),
        }
    }
    writeln!(out, "samples: {:016x}", hash.finish()).unwrap();

    let summary =
        survey::<<Lvx as robolog_core::Recording>::Survey>(&mut StreamReader::new(file).unwrap()).unwrap();
    writeln!(out, "{summary:#?}").unwrap();
    out
}

fn line(record: &Record<'_>) -> String {
    let packages: Vec<_> = record.packages().collect();
    let whole = packages.iter().filter(|p| p.is_ok()).count();
    format!(
        "frame {:?} at {:#x}, {} bytes, next {:#x}, {whole} packages, first {:?}, last {:?}",
        record.frame_index(),
        record.offset(),
        record.bytes().len(),
        record.next_offset(),
        packages.first(),
        packages.last()
    )
}
