//! A one-screen summary of a recording, for the snapshots.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{
    Channel, Error, Reader, Sample, Severity, StreamReader, Summary, Value,
    columns::{self, Datum},
    format::{Decoder as _, Recording},
    survey,
    text::Escaped,
};

use crate::{Fnv, outline};

/// Number of records shown at either end.
const SHOWN: usize = 3;
/// Number of damage lines between them.
const DAMAGES: usize = 40;
/// Maximum length of a record's line.
const RECORD: usize = 240;
/// Number of channels shown with samples; further ones have a line each, up to eight times as many.
const CHANNELS: usize = 12;
/// Number of columns shown per channel.
const COLUMNS: usize = 40;
/// Width of a cell.
const CELL: usize = 38;

/// What a reviewer wants to see of a recording: its format, its header by name, the first and last records and all
/// damage, the first, middle and last sample of each channel with units, the findings. The last line is a hash over all
/// samples.
pub fn digest<F: Recording>(file: &[u8]) -> String {
    digest_with::<F>(file, &|_| {})
}

/// Like [`digest`]; `set` adds to the header what the caller knows apart from the file.
pub fn digest_with<F: Recording>(file: &[u8], set: &dyn Fn(&mut F::Header)) -> String {
    let mut reader = match Reader::<F>::new(file) {
        Ok(reader) => reader,
        Err(error) => return format!("error: {error}\n"),
    };
    set(reader.header_mut());
    let mut lines = Vec::new();
    let mut found: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    let mut hash = Fnv::default();
    let mut sink = |sample: &mut Sample| {
        hash.text(&text(sample));
        found.entry(sample.channel.to_string()).or_default().push(sample.clone());
        Ok::<(), Error>(())
    };
    let mut decoder = F::Decoder::new(reader.header(), Default::default());
    let mut raws = reader.raw_records();
    while let Some(raw) = raws.next() {
        let lost = raw.as_ref().ok().map(|raw| raw.offset..raw.end());
        let record = raw.and_then(|raw| Ok((raw, F::record(reader.header(), raw)?)));
        match record {
            Ok((raw, record)) => {
                let text = cut(&outline::line(&record), RECORD);
                lines.push(format!("{:#x}, {} bytes: {text}", raw.offset, raw.bytes.len()));
                if let Err(error) = decoder.samples(&record, &mut sink) {
                    lines.push(format!("  error: {error}"));
                }
            }
            Err(error) => {
                let lost = lost.unwrap_or_else(|| raws.resync());
                lines.push(format!("damage: {error}; lost {:#x} to {:#x}", lost.start, lost.end));
            }
        }
    }
    if let Err(error) = decoder.last_samples(&mut sink) {
        lines.push(format!("  error at the end: {error}"));
    }

    let mut stream = StreamReader::<_, F>::new(file).unwrap();
    set(stream.header_mut());
    let summary = survey(&mut stream).unwrap();
    let mut out = String::new();
    head(&summary, &mut out);
    write!(out, "\nheader\n{}", outline::lines(reader.header(), 2)).unwrap();
    writeln!(out, "\nrecords").unwrap();
    shorten(&lines, &mut out);
    writeln!(out, "\nchannels").unwrap();
    channels(&found, &summary.channels, &mut out);
    findings(&summary, &mut out);
    write!(out, "\ndetails\n{}", outline::lines(&summary.details, 2)).unwrap();
    writeln!(out, "\nhash of the samples: {:016x}", hash.finish()).unwrap();
    out
}

/// Its format, size and time.
fn head<D>(summary: &Summary<D>, out: &mut String) {
    let Summary { variant, bytes, records, lost_bytes, .. } = summary;
    let state = if summary.complete { "complete" } else { "not complete" };
    writeln!(out, "{variant}").unwrap();
    writeln!(out, "{bytes} bytes, {records} records, {state}, {lost_bytes} bytes lost").unwrap();
    let clock = summary.clock.map_or("no", robolog_core::Clock::name);
    match summary.span {
        Some((start, end)) => writeln!(out, "{start} to {end}, {clock} clock").unwrap(),
        None => writeln!(out, "no times").unwrap(),
    }
}

/// The first and last lines, and damage lines between them.
fn shorten(lines: &[String], out: &mut String) {
    let is_damage = |line: &str| line.starts_with("damage") || line.starts_with("  error");
    let end = lines.len().saturating_sub(SHOWN).max(SHOWN);
    let (mut left_out, mut damages) = (0, 0);
    for (i, line) in lines.iter().enumerate() {
        if i >= SHOWN && i < end {
            let is_shown = is_damage(line) && damages < DAMAGES;
            damages += usize::from(is_shown);
            if !is_shown {
                left_out += 1;
                continue;
            }
        }
        if left_out > 0 {
            writeln!(out, "  ... {left_out} more ...").unwrap();
            left_out = 0;
        }
        writeln!(out, "  {line}").unwrap();
    }
}

/// Each channel with its survey counts and some of its samples. If the two disagree, shows both.
fn channels(samples: &BTreeMap<String, Vec<Sample>>, counted: &[Channel], out: &mut String) {
    for (i, (name, list)) in samples.iter().enumerate() {
        if i == 8 * CHANNELS {
            writeln!(out, "  ... {} more ...", samples.len() - i).unwrap();
            break;
        }
        let Some(first) = list.first() else { continue };
        let (kind, count) = (first.value.kind(), list.len());
        let rows: usize = list.iter().map(|sample| columns::rows(&sample.value)).sum();
        let rows = if rows == count { String::new() } else { format!(" of {rows} rows") };
        let name = Escaped(name.as_bytes());
        let frame = Escaped(first.frame_id.as_bytes());
        writeln!(out, "  {name}: {count} {kind}{rows}, frame {frame}").unwrap();
        for (key, value) in list.last().unwrap_or(first).attributes.iter() {
            writeln!(out, "    {key}: {}", cut(&format!("{value:?}"), 2 * CELL)).unwrap();
        }
        if i < CHANNELS {
            table(list, out);
        }
    }
    for channel in counted {
        let found = samples.get(&channel.name).map_or(0, Vec::len);
        if found as u64 != channel.records {
            let name = Escaped(channel.name.as_bytes());
            writeln!(out, "  {name}: the survey counts {}, {found} samples", channel.records).unwrap();
        }
    }
}

/// The first, middle and last sample, one line per column. For clouds their first points.
fn table(list: &[Sample], out: &mut String) {
    let mut chosen = vec![0, list.len() / 2, list.len() - 1];
    chosen.dedup();
    let chosen: Vec<&Sample> = chosen.into_iter().map(|i| &list[i]).collect();
    let mut line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<_> = cells.map(|cell| format!("{:<CELL$}", cut(&cell, CELL - 6))).collect();
        let name = Escaped(name.as_bytes()).to_string();
        writeln!(out, "    {name:<26} {}", cells.concat().trim_end()).unwrap();
    };
    let time = |sample: &&Sample| sample.time.map_or("no time".into(), |time| time.to_string());
    line("time", &mut chosen.iter().map(time));
    // Rows of one channel may have different columns.
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (i, sample) in chosen.iter().enumerate() {
        if columns::rows(&sample.value) == 0 {
            continue;
        }
        columns::cells(&sample.value, &sample.frame_id, 0, &mut |name, unit, datum| {
            let name = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
            let at = rows.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
                rows.push((name, Vec::new()));
                rows.len() - 1
            });
            rows[at].1.resize(i, String::new());
            rows[at].1.push(cell(&datum));
        });
    }
    let is_known = |cells: &[String]| cells.iter().any(|cell| !cell.is_empty());
    let known: Vec<_> = rows.iter().filter(|(_, cells)| is_known(cells)).collect();
    for (name, cells) in known.iter().take(COLUMNS) {
        line(name, &mut cells.iter().cloned());
    }
    if known.len() > COLUMNS {
        writeln!(out, "    ... {} more columns ...", known.len() - COLUMNS).unwrap();
    }
}

/// A cell as text; empty for null. Numbers are rounded, as the last bits of sines differ between platforms.
fn cell(datum: &Datum<'_>) -> String {
    match datum {
        Datum::Bool(value) => value.map(|v| v.to_string()).unwrap_or_default(),
        Datum::Int(value) => value.map(|v| v.to_string()).unwrap_or_default(),
        Datum::Int32(value) => value.map(|v| v.to_string()).unwrap_or_default(),
        Datum::Float(value) => value.map(|v| decimal(v, 1e9)).unwrap_or_default(),
        Datum::Float32(value) => value.map(|v| decimal(f64::from(v), 1e4)).unwrap_or_default(),
        Datum::Text(value) => value.map(|v| format!("{v:?}")).unwrap_or_default(),
        Datum::Geometry(value) => value.to_string(),
        Datum::Name(value) => Escaped(value.as_bytes()).to_string(),
        Datum::Bytes(value) => format!("{} bytes", value.len()),
        Datum::Float32List([]) => String::new(),
        Datum::Float32List(list) => {
            let first: Vec<_> = list.iter().take(3).map(|v| decimal(f64::from(*v), 1e4)).collect();
            format!("{}: {} ...", list.len(), first.join(" "))
        }
        other => format!("{other:?}"),
    }
}

/// A number to the nearest 1 / `steps`.
fn decimal(v: f64, steps: f64) -> String {
    let rounded = (v * steps).round() / steps + 0.0;
    if rounded.is_finite() { rounded.to_string() } else { v.to_string() }
}

fn findings<D>(summary: &Summary<D>, out: &mut String) {
    if summary.findings.is_empty() {
        return;
    }
    writeln!(out, "\nfindings").unwrap();
    for finding in &summary.findings {
        let severity = match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let (code, offset, message) = (finding.code, finding.offset, Escaped(finding.message.as_bytes()));
        writeln!(out, "  {severity} {code} at {offset:#x}: {message}").unwrap();
    }
}

/// The first `len` characters, and dots for the rest.
fn cut(text: &str, len: usize) -> String {
    match text.char_indices().nth(len) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}
/// A sample as text. Values computed from sines are rounded, as their last bits differ between platforms.
fn text(sample: &Sample) -> String {
    let mut text = format!("{:?} {} {} {} ", sample.time, sample.offset, sample.channel, sample.frame_id);
    match &sample.value {
        Value::Odometry(odometry) => {
            let twist = odometry.twist.map(|t| [t.linear, t.angular].map(|v| v.map(rounded)));
            let pose = odometry.pose;
            let orientation = pose.orientation.coords.map(rounded);
            let child = &odometry.child_frame_id;
            write!(text, "{child} {:?} {orientation:?} {twist:?}", pose.position).unwrap();
        }
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
        // Hashes are as before fixes and samples had more to say.
        Value::GnssFix(fix) if fix.measured.is_none() => {
            text.push_str(&format!("{:?}", sample.value).replace(", measured: None", ""));
        }
        value => write!(text, "{value:?}").unwrap(),
    }
    if !sample.attributes.is_empty() {
        write!(text, " {:?}", sample.attributes).unwrap();
    }
    text
}

fn rounded(v: f64) -> f64 {
    (v * 1e6).round() + 0.0
}
