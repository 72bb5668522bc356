//! What is done and undone gives the recording again: parts that are joined, times that are shifted.

use std::io::Cursor;

use carla_rec::{CarlaRec, Copier, Header, Reader, Record, StreamReader};
use robolog_core::{
    Edit, Event,
    format::{Copier as _, Edited, Editing},
    layout::LayoutWith as _,
};

type Copy = Copier<Cursor<Vec<u8>>>;

fn begin(header: &Header, bytes: &[u8]) -> Copy {
    Copier::new(Cursor::new(Vec::new()), header, bytes).unwrap()
}

fn header_of(file: &[u8]) -> (Header, Vec<u8>) {
    let reader = StreamReader::new(file).unwrap();
    (reader.header().clone(), reader.header_bytes().to_vec())
}

fn each(file: &[u8], mut visit: impl FnMut(&Record<'_>)) {
    let mut reader = StreamReader::new(file).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => visit(&record),
            Event::Damage { .. } => {}
            Event::End => return,
        }
    }
}

/// A file that begins again: the same actors appear twice. Split before any frames and joined, it keeps every packet
/// that can be read.
#[test]
fn parts_of_two_recordings_in_one_file_join_to_what_they_were() {
    let mut splits = 0;
    for names in [["v0_9_15", "v0_9_15"], ["bad_count_add", "v0_9_14"], ["reparent", "dev2026_weather"]] {
        let [first, second] = names.map(|name| testkit::fixture(&format!("carla-rec/{name}.log")));
        let (header, bytes) = header_of(&first);
        // With a second header in the middle, and without.
        for skipped in [0, header_of(&second).1.len()] {
            let file = [&first[..], &second[skipped..]].concat();
            let mut copy = begin(&header, &bytes);
            each(&file, |record| drop(copy.copy(record, &mut |_, _| true)));
            let whole = copy.finish().unwrap().into_inner();
            let mut frames = 0;
            each(&file, |record| frames += usize::from(record.id() == 0));
            for places in 1..1_usize << (frames - 1).min(7) {
                assert_eq!(
                    joined(&header, &bytes, &split(&file, places << 1)),
                    whole,
                    "{names:?}: {places:#b}"
                );
                splits += 1;
            }
        }
    }
    assert!(splits > 500, "{splits}");
}

/// Parts that begin with the frames whose bits are set.
fn split(file: &[u8], places: usize) -> Vec<Vec<u8>> {
    let (header, bytes) = header_of(file);
    let (mut copy, mut parts, mut frame) = (Some(begin(&header, &bytes)), Vec::new(), 0);
    each(file, |record| {
        if record.id() == 0 {
            if places >> frame & 1 == 1 {
                let (part, next) = copy.take().unwrap().part(Cursor::new(Vec::new()), &bytes).unwrap();
                parts.push(part.into_inner());
                copy = Some(next);
            }
            frame += 1;
        }
        let _ = copy.as_mut().unwrap().copy(record, &mut |_, _| true);
    });
    parts.push(copy.unwrap().finish().unwrap().into_inner());
    parts
}

fn joined(header: &Header, bytes: &[u8], parts: &[Vec<u8>]) -> Vec<u8> {
    let mut copy = begin(header, bytes);
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            copy.follow(&[], &header_of(part).0, bytes).unwrap();
        }
        each(part, |record| assert!(copy.copy(record, &mut |_, _| true).is_ok()));
    }
    copy.finish().unwrap().into_inner()
}

fn shifted(file: &[u8], nanos: i64) -> Vec<u8> {
    let edit = Edit { shift: nanos, ..Edit::default() };
    let (mut header, mut out) = header_of(file);
    CarlaRec::edit_header(&mut header, &mut out, &edit).unwrap();
    for record in Reader::new(file).unwrap().records().map(Result::unwrap) {
        let mut edited = Vec::new();
        match CarlaRec::edit(&header, &record, &edit, &mut edited).unwrap() {
            Edited::Changed => out.extend(edited),
            _ => out.extend(record.bytes()),
        }
    }
    out
}

/// By the bytes: the date and the first frame move by the shift, and each frame begins where the one before ends.
#[test]
fn a_shift_there_and_back_gives_the_file() {
    let mut file = testkit::fixture("carla-rec/v0_9_15.log");
    let times = |file: &[u8]| {
        let reader = Reader::new(file).unwrap();
        let starts: Vec<_> = reader.records().filter_map(|record| record.unwrap().frame_start()).collect();
        (reader.header().date, starts)
    };
    // Durations whose sums are rounded: 0.1, 0.2, 0.30000000000000004.
    let mut elapsed = 0.0;
    let mut places = Vec::new();
    each(&file, |record| places.extend((record.id() == 0).then(|| record.body_offset() as usize)));
    for (i, at) in places.iter().enumerate() {
        let mut body = Vec::new();
        let duration = if i + 1 < places.len() { 0.1 } else { -1.0 };
        let start = carla_rec::layout::FrameStart { frame: i as u64 + 1, duration, elapsed };
        start.encode(carla_rec::Width::F32, &mut body).unwrap();
        file[*at..*at + body.len()].copy_from_slice(&body);
        elapsed += duration;
    }
    let second = 1_000_000_000;
    for shift in [second / 2, 3 * second / 10, -second / 3, 7 * second + 1, -12 * second - 999_999_999, 1, -1]
    {
        let there = shifted(&file, shift);
        let (date, starts) = times(&there);
        let moved = (date - times(&file).0) as f64 + starts[0].elapsed;
        assert!((moved - shift as f64 / 1e9).abs() < 1e-10, "{shift}: {moved}");
        for pair in starts.windows(2) {
            assert_eq!(pair[0].elapsed + pair[0].duration, pair[1].elapsed, "{shift}");
        }
        assert!(shifted(&there, -shift) == file, "{shift}");
    }
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    for name in ["2762.rec", "crash.log", "DistanceToLaneCenter_2020-09.log"] {
        let file = std::fs::read(dir.join(name)).unwrap();
        let shift = 123_456_789;
        assert!(shifted(&shifted(&file, shift), -shift) == file, "{name}");
    }
}
