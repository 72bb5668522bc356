//! Samples of any values into every target: no sink panics, and its output is readable.

use std::io::{Cursor, Read};

use arbitrary::{Result, Unstructured};
use robolog_convert::{
    Feed, Input, Opening, PcdData, Selection, SinkOptions, TargetSpec, deliver,
    sink::{BagCompression, Derived, Fill, McapCompression, Need, PointLayout, Rate, TimeColumn, Wide},
    survey, targets,
};
use robolog_core::{Clock, Sample, Timestamp, Value};

use crate::{memory::Shared, values};

/// Writes samples, and checks the file if a sample was written. A sink may refuse any sample, but not panic.
pub(super) fn check(target: &str, data: &[u8], look: impl Fn(&[u8], u64)) {
    let target = targets::by_name(target).unwrap();
    let mut u = Unstructured::new(data);
    let Ok((opening, driven)) = opening(&mut u) else { return };
    let Ok(samples) = values::samples(&mut u) else { return };
    let file = Shared::default();
    let Ok(sink) = target.open(file.clone(), &opening) else { return };
    let Some(written) = (if driven { drive(sink, samples) } else { write(target, sink, samples) }) else {
        return;
    };
    if written > 0 {
        look(&file.bytes(), written);
    }
}

/// Whether it has no values, so that its file may be empty.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::PointCloud(cloud) => cloud.is_empty(),
        Value::LaserScan(scan) => !scan.ranges.iter().any(|range| scan.is_valid(*range)),
        Value::Row(row) => row.fields.is_empty(),
        _ => false,
    }
}

/// Writes like the program; returns the number of samples written, `None` if the sink failed.
fn drive(mut sink: Box<dyn robolog_convert::Sink>, mut samples: Vec<Sample>) -> Option<u64> {
    samples.retain(|sample| !is_empty(&sample.value));
    let report = deliver(vec![Feed::of_samples(samples)], &mut *sink, &mut |_| {}).ok()?;
    sink.finish().ok()?;
    Some(report.written.values().map(|count| count.samples).sum())
}

/// Writes with the sink's own methods, in any time order.
fn write(target: &TargetSpec, mut sink: Box<dyn robolog_convert::Sink>, samples: Vec<Sample>) -> Option<u64> {
    if target.needs(Need::Start) {
        let start = samples.iter().find_map(|sample| sample.time);
        sink.begin_at(start.unwrap_or(Timestamp::new(0, Clock::Relative)));
    }
    let mut written = 0;
    for mut sample in samples {
        let is_empty = is_empty(&sample.value);
        if let Ok(took) = sink.write(&mut sample) {
            written += u64::from(took != robolog_convert::Outcome::LeftOut && !is_empty);
        } else {
            let _ = sink.advice();
            return None;
        }
    }
    sink.columns().ok()?;
    sink.finish().ok()?;
    Some(written)
}

/// Options that a user could choose, and whether to use the driver.
fn opening(u: &mut Unstructured<'_>) -> Result<(Opening, bool)> {
    let mut options = SinkOptions::default();
    let bits: u16 = u.arbitrary()?;
    options.pcd.data = *u.choose(&[PcdData::Binary, PcdData::Ascii, PcdData::BinaryCompressed])?;
    options.scan_points = bits & 1 == 0;
    options.mcap.messages.no_scan_points = bits & 2 != 0;
    options.mcap.messages.points = PointLayout::ALL[usize::from(bits >> 10) % PointLayout::ALL.len()];
    options.bag.messages = options.mcap.messages;
    options.bag.compression = if bits & 8 == 0 { BagCompression::None } else { BagCompression::Lz4 };
    options.mcap.compression = if bits & 4 == 0 { McapCompression::None } else { McapCompression::Zstd };
    if bits & 0x70 == 0x70 {
        let mut wide = Wide::new(Rate::from_hz(*u.choose(&[0.001, 1.0, 20.0])?).unwrap());
        wide.fill = *u.choose(&[Fill::Hold, Fill::Interpolate])?;
        wide.max_gap = *u.choose(&[None, Some(0), Some(1_000_000_000)])?;
        options.tables.wide = Some(wide);
    }
    if bits & 0x180 == 0x180 {
        options.tables.derived = Derived::ALL.to_vec();
    }
    if bits & 0x200 != 0 {
        options.tables.time_columns = TimeColumn::ALL.to_vec();
    }
    let selection = *u.choose(&[Selection::Everything, Selection::Channels, Selection::Frames])?;
    Ok((Opening::new(options, selection), bits & 0x8000 != 0))
}

pub(super) fn any(_: &[u8], _: u64) {}

pub(super) fn begins_with(magic: &'static [u8]) -> impl Fn(&[u8], u64) {
    move |file, _| assert!(file.starts_with(magic), "{:?}", file.get(..16))
}

pub(super) fn ends_with(magic: &'static [u8]) -> impl Fn(&[u8], u64) {
    move |file, _| assert!(file.ends_with(magic), "{} bytes", file.len())
}

/// A recording without damage, with at least one sample.
pub(super) fn reads_back(file: &[u8], written: u64) {
    assert!(has_no_fault_in(file) > 0, "{written} samples were taken, and none is there");
}

/// A recording without damage: points at the origin may be dropped.
pub(super) fn has_no_fault(file: &[u8], _: u64) {
    has_no_fault_in(file);
}

fn has_no_fault_in(file: &[u8]) -> u64 {
    let input = Input::new("written", Box::new(Cursor::new(file.to_vec()))).unwrap();
    let surveyed = survey(input, None, &mut |_| {}).unwrap();
    let summary = surveyed.summary;
    assert!(summary.is_ok(), "what is written is damaged: {:?}", summary.findings);
    let samples: u64 = summary.channels.iter().map(|channel| channel.records).sum();
    let input = Input::new("written", Box::new(Cursor::new(file.to_vec()))).unwrap();
    let delivered = input.samples().unwrap().inspect(|sample| assert!(sample.is_ok(), "{sample:?}")).count();
    assert_eq!(delivered as u64, samples);
    samples
}

pub(super) fn is_kmz(file: &[u8], written: u64) {
    reads_back(&robolog_kml::read_kmz(Cursor::new(file), 1 << 30).unwrap(), written);
}

pub(super) fn is_json(file: &[u8], _: u64) {
    serde_json::from_slice::<serde_json::Value>(file).unwrap();
}

pub(super) fn is_jsonl(file: &[u8], _: u64) {
    let lines = file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.for_each(|line| drop(serde_json::from_slice::<serde_json::Value>(line).unwrap()));
}

/// All rows have as many cells as the header.
pub(super) fn is_table(file: &[u8], _: u64) {
    let mut reader = csv::Reader::from_reader(file);
    let columns = reader.headers().unwrap().len();
    for row in reader.records() {
        assert_eq!(row.unwrap().len(), columns);
    }
}

pub(super) fn has_columns(count: usize, separator: char) -> impl Fn(&[u8], u64) {
    move |file, _| {
        let text = str::from_utf8(file).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<f64> = line.split(separator).map(|cell| cell.parse().unwrap()).collect();
            assert!(numbers.len() >= count, "{line}");
        }
    }
}

pub(super) fn is_las(file: &[u8], _: u64) {
    let mut reader = las::Reader::new(Cursor::new(file.to_vec())).unwrap();
    let claimed = reader.header().number_of_points();
    assert_eq!(reader.read_all().unwrap().len() as u64, claimed);
}

pub(super) fn is_mcap(file: &[u8], _: u64) {
    let summary = mcap::Summary::read(file).unwrap().unwrap();
    let claimed = summary.stats.unwrap().message_count;
    let read = mcap::MessageStream::new(file).unwrap().inspect(|message| assert!(message.is_ok())).count();
    assert_eq!(read as u64, claimed);
}

/// As many bytes as the header says.
pub(super) fn is_pcd(file: &[u8], _: u64) {
    let mut head = String::new();
    let mut rest = file;
    while !head.contains("\nDATA ") || !head.ends_with('\n') {
        let mut byte = [0];
        rest.read_exact(&mut byte).unwrap();
        head.push(char::from(byte[0]));
    }
    let field = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let points: usize = field("POINTS")[0].parse().unwrap();
    let size: usize = field("SIZE").iter().map(|size| size.parse::<usize>().unwrap()).sum();
    match field("DATA")[0].as_str() {
        "ascii" => assert_eq!(str::from_utf8(rest).unwrap().lines().count(), points),
        "binary" => assert_eq!(rest.len(), points * size),
        _ => {
            let sizes = rest.first_chunk::<8>().unwrap();
            let [packed, unpacked] = [0, 4].map(|at| u32::from_le_bytes(*sizes[at..].first_chunk().unwrap()));
            assert_eq!((packed as usize + 8, unpacked as usize), (rest.len(), points * size));
        }
    }
}
