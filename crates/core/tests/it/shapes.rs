//! The trait fits unusual formats: a stream of packets whose layout only the bodies reveal, and text records of several
//! lines.

mod alog;
mod carla;

use std::{collections::BTreeMap, fs, path::Path};

use alog::Alog;
use carla::Carla;
use robolog_core::{
    Limits, Reader,
    format::{Format, RawRecord},
};
use serde_json::Value;
use testkit::{Line, assert_slice_is_stream, slice_transcript};

fn records<F: Format>(bytes: &[u8]) -> Vec<String> {
    slice_transcript::<F>(bytes, Limits::default(), &|record| format!("{record:?}"))
        .into_iter()
        .map(|line| match line {
            Line::Record(text) => text,
            Line::Damage(text, lost) => format!("{text}; lost {lost:?}"),
        })
        .collect()
}

/// Every cut and many damaged inputs, read as a slice and as four streams; nothing is lost or reported twice.
fn campaign<F: Format>(bytes: &[u8], span: fn(&F::Record<'_>) -> (u64, u64)) -> usize {
    let mut agreements = 0;
    let mut check = |bytes: &[u8]| {
        agreements += assert_slice_is_stream::<F>(bytes, Limits::default());
        agreements += assert_slice_is_stream::<F>(bytes, Limits::default().with_record(100));
        let Ok(reader) = Reader::<F>::new(bytes) else { return };
        let mut at = reader.header_bytes().len() as u64;
        let lines = slice_transcript::<F>(bytes, Limits::default(), &|record| {
            let (offset, len) = span(record);
            format!("{offset} {len}")
        });
        for line in lines {
            let (from, to) = match line {
                Line::Record(text) => {
                    let (offset, len) = text.split_once(' ').unwrap();
                    let offset: u64 = offset.parse().unwrap();
                    (offset, offset + len.parse::<u64>().unwrap())
                }
                Line::Damage(_, lost) => (lost.start, lost.end),
            };
            assert_eq!(from, at, "a byte is lost or told twice");
            at = to;
        }
        assert_eq!(at, bytes.len() as u64);
    };
    testkit::cuts(bytes).for_each(&mut check);
    testkit::splices(bytes, 300, 3, &mut check);
    agreements
}

#[test]
fn carla_packets_by_the_width_that_their_bodies_tell() {
    for (wide, record) in [(false, 28), (true, 52)] {
        let file = carla::recording(wide);
        let reader = Reader::<Carla>::new(&file).unwrap();
        assert_eq!(reader.header().vector_bits, Some(if wide { 64 } else { 32 }));
        assert_eq!(reader.header().map, "Town01");
        let got: Vec<_> = reader.records().map(|p| p.unwrap()).map(|p| (p.id, p.body.len())).collect();
        let frame = [(0, 24), (6, 2 + 2 * record), (200, 3), (1, 0)];
        assert_eq!(got, [frame, frame].concat());
        assert_eq!(reader.records_from(reader.index().unwrap().entries()[4].offset).count(), 4);
        let n = campaign::<Carla>(&file, |p| (p.offset, 5 + p.body.len() as u64));
        assert!(n > 1000, "{n}");
    }
}

#[test]
fn a_cut_carla_packet_is_one_error_where_it_begins() {
    let file = carla::recording(false);
    let cut = &file[..file.len() - 10];
    let last = records::<Carla>(cut).pop().unwrap();
    let at = file.len() - 8 - 5;
    assert_eq!(
        last,
        format!("carla: the input ends 2 bytes too early (at byte {at:#x}); lost {at}..{}", cut.len())
    );

    // A size that extends into the next frame: that frame is found again.
    let mut wrong = file.clone();
    let second = carla::recording(false).len() - (file.len() - 34) / 2;
    wrong[34 + 1] = 0xff;
    wrong[34 + 2] = 0xff;
    let lines = records::<Carla>(&wrong);
    assert!(lines[0].contains("lost 34.."), "{lines:?}");
    assert!(lines[0].ends_with(&second.to_string()), "{lines:?}, not {second}");
    assert_eq!(lines.len(), 1 + 4);
}

#[test]
fn alog_entries_of_several_lines() {
    let file = alog::FILE.as_bytes();
    let reader = Reader::<Alog>::new(file).unwrap();
    assert_eq!(reader.header().log_start, Some("1225719811.65".to_owned()));
    let got: Vec<_> = reader.records().map(|e| e.unwrap()).map(|e| (e.time, e.name, e.value)).collect();
    assert_eq!(
        got,
        [
            ("-16.02", "MISSION_FILE", "line one\n 2    15:45:52.865\n%% not a comment here\n"),
            ("0.715", "ODOMETRY_POSE", "Pose=[3x1]{-0.0,-0.01,-0.0}"),
            ("1.0", "GPS_RAW", "$GPGGA,1*51\r\n \n"),
            ("1.5", "EMPTY", ""),
            ("2639.9", "DESIRED_THRUST", "89.6"),
        ]
    );
    let n = campaign::<Alog>(file, |e| (e.offset, e.len));
    assert!(n > 1000, "{n}");
}

#[test]
fn an_alog_without_a_header_begins_with_an_entry() {
    let reader = Reader::<Alog>::new(b"1.0 A b c\n").unwrap();
    assert_eq!((reader.header().log_start.clone(), reader.records().count()), (None, 1));
}

fn truth(dir: &Path) -> BTreeMap<String, Value> {
    serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap()
}

#[test]
fn real_carla_recordings_count_as_independent_scripts_count() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let truth = truth(&dir);
    for name in
        ["2762.rec", "crash.log", "DistanceToLaneCenter_2020-09.log", "DistanceToLaneCenter_2021-11.log"]
    {
        let file = fs::read(dir.join(name)).unwrap();
        let reader = Reader::<Carla>::new(&file).unwrap();
        let mut packets = BTreeMap::new();
        for packet in reader.records() {
            *packets.entry(packet.unwrap().id.to_string()).or_insert(0_u64) += 1;
        }
        let want = truth[name]["packets"].as_object().unwrap().iter();
        let want = want.map(|(k, v)| (k.split(':').next().unwrap().to_owned(), v.as_u64().unwrap()));
        assert_eq!(packets, want.collect(), "{name}");
        println!("{name}: {} packets", packets.values().sum::<u64>());
    }
}

#[test]
fn real_alogs_count_as_independent_scripts_count() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let mut compared = 0;
    for (path, want) in truth(&dir) {
        let (Ok(file), Some(entries)) = (fs::read(dir.join(&path)), want["entries"].as_u64()) else {
            continue;
        };
        if Path::new(&path).extension().is_none_or(|e| e != "alog") {
            continue;
        }
        let reader = Reader::<Alog>::new(&file).unwrap();
        let is_entry = |raw: &RawRecord<'_>| alog::starts_entry(raw.bytes);
        assert_eq!(
            reader.raw_records().filter(|r| is_entry(r.as_ref().unwrap())).count() as u64,
            entries,
            "{path}"
        );
        compared += 1;
        println!("{path}: {entries} entries");
    }
    assert!(compared >= 5, "{compared}");
}
