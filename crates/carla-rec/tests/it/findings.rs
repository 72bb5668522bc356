//! Findings of `check` in recordings whose packets can all be read.

use std::fs;

use carla_rec::StreamReader;
use robolog_core::{Severity, survey};

/// The id and offset of each packet, from the bytes.
fn packets(file: &[u8]) -> Vec<(u8, usize)> {
    let map = usize::from(u16::from_le_bytes([file[26], file[27]]));
    let mut at = 28 + map;
    let mut packets = Vec::new();
    while at < file.len() {
        packets.push((file[at], at));
        at += 5 + u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap()) as usize;
    }
    packets
}

/// The offset of the packet with this id in the frame with this index.
fn packet(file: &[u8], id: u8, frame: usize) -> usize {
    let packets = packets(file);
    let start = packets.iter().filter(|(id, _)| *id == 0).nth(frame).unwrap().1;
    packets.iter().find(|(other, at)| *other == id && *at >= start).unwrap().1
}

/// Codes, severities and messages of all findings.
fn findings(file: &[u8]) -> Vec<(&'static str, Severity, String)> {
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    summary.findings.into_iter().map(|f| (f.code, f.severity, f.message)).collect()
}

fn drive() -> Vec<u8> {
    let file = testkit::fixture("carla-rec/v0_9_15.log");
    assert_eq!(findings(&file), [], "the fixture");
    file
}

#[test]
fn a_frame_that_does_not_begin_where_the_one_before_ends() {
    let mut file = drive();
    // Duration and start of the third frame.
    let at = packet(&file, 0, 2) + 5;
    file[at + 16..at + 24].copy_from_slice(&0.2_f64.to_le_bytes());
    file[at + 8..at + 16].copy_from_slice(&0.05_f64.to_le_bytes());
    let message = "frame 3 begins at 0.2 s, and the frame before it ends at 0.1875 s";
    assert_eq!(findings(&file), [("time-gap", Severity::Warning, message.to_owned())]);
}

#[test]
fn an_actor_that_is_not_there() {
    let mut file = drive();
    let at = packet(&file, 6, 1) + 7;
    file[at..at + 4].copy_from_slice(&4711_u32.to_le_bytes());
    let message = "Position packet speaks of actor 4711, which is not there";
    assert_eq!(findings(&file), [("unknown-actor", Severity::Warning, message.to_owned())]);
}

#[test]
fn a_frame_without_positions() {
    let mut file = drive();
    let at = packet(&file, 6, 1);
    file[at] = 99;
    let found = findings(&file);
    let codes: Vec<_> = found.iter().map(|(code, severity, _)| (*code, *severity)).collect();
    assert_eq!(codes, [("unknown-packet", Severity::Note), ("no-positions", Severity::Warning)]);
    assert_eq!(found[1].2, "frame 2 has no Position packet");
}

#[test]
fn a_frame_without_the_states_of_traffic_lights() {
    let mut file = drive();
    let at = packet(&file, 7, 2);
    file[at] = 99;
    let found = findings(&file);
    let codes: Vec<_> = found.iter().map(|(code, severity, _)| (*code, *severity)).collect();
    assert_eq!(codes, [("unknown-packet", Severity::Note), ("no-states", Severity::Warning)]);
    assert_eq!(found[1].2, "frame 3 has no State packet, and there are traffic lights");
}

#[test]
fn real_recordings_are_sound() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let mut files = 0;
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "log" || e == "rec") {
            let found = findings(&fs::read(&path).unwrap());
            let codes: Vec<_> = found.iter().map(|finding| (finding.0, finding.1)).collect();
            // The recorder of 0.9.6 writes the poses of the previous frame.
            let wanted = [("late-poses", Severity::Note)];
            let wanted = if path.ends_with("2762.rec") { &wanted[..] } else { &[] };
            assert_eq!(codes, wanted, "{}", path.display());
            files += 1;
        }
    }
    assert_eq!(files, 4);
}

/// By hand: a packet before the first frame, one between two frames, a lost `FrameStart`, and one after the last. Each
/// gives a warning at its offset; packets inside frames give none.
#[test]
fn packets_outside_of_frames_are_warnings() {
    let packet = |id: u8, body: &[u8]| {
        let len = u32::try_from(body.len()).unwrap().to_le_bytes();
        [&[id][..], &len, body].concat()
    };
    let frame = |number: u64, duration: f64, elapsed: f64| {
        let start = [number.to_le_bytes(), duration.to_le_bytes(), elapsed.to_le_bytes()];
        [packet(0, &start.concat()), packet(6, &[0, 0]), packet(1, &[])].concat()
    };
    let header = [
        &1_u16.to_le_bytes()[..],
        &14_u16.to_le_bytes(),
        b"CARLA_RECORDER",
        &1_718_193_600_i64.to_le_bytes(),
        &6_u16.to_le_bytes(),
        b"Town01",
    ]
    .concat();
    let whole = [header.clone(), frame(1, 0.5, 0.0), frame(2, -1.0, 0.5)].concat();
    assert_eq!(findings(&whole), []);

    let outside = packet(6, &[0, 0]);
    let headless = frame(3, 0.0, 1.0)[29..].to_vec();
    let parts = [
        header,
        outside.clone(),
        frame(1, 0.5, 0.0),
        outside.clone(),
        frame(2, -1.0, 0.5),
        headless,
        outside,
    ];
    let places = |n: usize| parts[..n].iter().map(Vec::len).sum::<usize>() as u64;
    let file = parts.concat();
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    let warned: Vec<_> = summary
        .findings
        .iter()
        .map(|found| (found.code, found.severity, found.offset, found.message.as_str()))
        .collect();
    let warning = |at: u64, id: &'static str| ("outside-frame", Severity::Warning, at, id);
    let (position, end) = ("packet 6 lies outside of any frame", "packet 1 lies outside of any frame");
    let wanted = [
        warning(places(1), position),
        warning(places(3), position),
        warning(places(5), position),
        warning(places(5) + 7, end),
        warning(places(6), position),
    ];
    assert_eq!(warned, wanted);
    assert!(summary.is_ok(), "a warning is no damage: nothing is lost");
}
