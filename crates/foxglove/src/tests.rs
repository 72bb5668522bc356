use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{self, Cursor, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use robolog_convert::{
    Feed, Input,
    sink::{McapOptions, McapSchema, mcap::MessageStream},
};

use super::*;

/// Bytes of a recording that count how many bytes are read.
struct Counted(Cursor<Arc<[u8]>>, Arc<AtomicU64>);

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.0.read(buffer)?;
        self.1.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

fn recording(name: &str, bytes: Vec<u8>) -> (Recording, Arc<AtomicU64>) {
    let (bytes, read): (Arc<[u8]>, _) = (bytes.into(), Arc::new(AtomicU64::new(0)));
    let (len, count) = (bytes.len() as u64, Arc::clone(&read));
    (Recording::new(name, len, move || Ok(Counted(Cursor::new(bytes.clone()), count.clone()))), read)
}

/// All messages of a recording in file order, encoded in one pass.
fn in_one_go(name: &str, bytes: &[u8]) -> Vec<Owned> {
    let mut options = McapOptions::default();
    options.schema = McapSchema::Foxglove;
    let mut stream = MessageStream::new(options).unwrap();
    let mut all = Vec::new();
    let mut take = |stream: &MessageStream| {
        all.extend(stream.messages().map(|message| Owned {
            topic: message.topic,
            log_time: message.log_time,
            data: message.data.to_vec(),
        }));
    };
    let input = Input::new(name, Box::new(Cursor::new(bytes.to_vec()))).unwrap();
    for sample in Feed::new(input).pull().unwrap() {
        stream.write(&sample.unwrap()).unwrap();
        take(&stream);
    }
    stream.finish().unwrap();
    take(&stream);
    all
}

const FIXTURES: [&str; 16] = [
    "lvx/room.lvx",
    "alog/moosivp.alog",
    "alog/out_of_order.alog",
    "alog/node_reports.alog",
    "alog/moosivp.alog.gz",
    "carla-rec/v0_9_15.log",
    "carla-rec/v0_9_16.log",
    "carla-rec/many_actors.log",
    "carla-rec/collisions.log",
    "carla-rec/garbage_middle.log",
    "gpx/all_1_1.gpx",
    "gpx/all_1_0.gpx",
    "koblenz-log/drive.log",
    "nmea/days.nmea",
    "kml/gx_track_by_turns.kml",
    "pcap/livox_sdk2.pcapng",
];

fn fixture(name: &str) -> Option<Vec<u8>> {
    fs::read(format!("../../testdata/{name}")).ok()
}

/// Every third message time, and times around all of them.
fn moments(all: &[Owned]) -> Vec<u64> {
    let mut times: Vec<_> = all.iter().map(|message| message.log_time).collect();
    times.sort_unstable();
    times.dedup();
    let step = times.len().div_ceil(4).max(1);
    let some = times.iter().step_by(step).flat_map(|time| [time.saturating_sub(1), *time]);
    some.chain([0, u64::MAX]).collect()
}

#[test]
fn windows_and_backfills_are_those_of_all_messages_whatever_the_splits() {
    for name in FIXTURES {
        let bytes = fixture(name).unwrap_or_else(|| panic!("no {name}"));
        let all = in_one_go(name, &bytes);
        assert!(!all.is_empty(), "{name}");
        for split in [512, 4096, u64::MAX] {
            let index = Index::with_splits(&recording(name, bytes.clone()).0, split).unwrap();
            let topics: Vec<u16> = (0..u16::try_from(index.topics().count()).unwrap()).collect();
            assert_eq!(index.topics().map(|topic| topic.messages).sum::<u64>(), all.len() as u64, "{name}");
            let odd: Vec<u16> = topics.iter().copied().filter(|topic| topic % 2 == 1).collect();
            let times = moments(&all);
            let all_from = [&topics, &odd].into_iter().flat_map(|w| times.iter().map(move |t| (w, *t)));
            for (wanted, from) in testkit::one_in(5, all_from) {
                for to in times.iter().copied().filter(|to| *to >= from) {
                    let mut expected: Vec<_> = all
                        .iter()
                        .filter(|it| wanted.contains(&it.topic) && (from..=to).contains(&it.log_time))
                        .cloned()
                        .collect();
                    expected.sort_by_key(|message| message.log_time);
                    let found: Vec<_> = index.window(wanted, from..=to).map(Result::unwrap).collect();
                    assert!(found == expected, "{name}, splits of {split}, {from} to {to}");
                }
                let mut last: BTreeMap<u16, &Owned> = BTreeMap::new();
                for message in all.iter().filter(|it| wanted.contains(&it.topic) && it.log_time <= from) {
                    if last.get(&message.topic).is_none_or(|it| it.log_time <= message.log_time) {
                        last.insert(message.topic, message);
                    }
                }
                let expected: Vec<_> = last.into_values().cloned().collect();
                assert!(index.backfill(wanted, from).unwrap() == expected, "{name}, at {from}");
            }
        }
    }
}

/// A MOOS log of 200 000 entries in order, a hundredth of a second apart.
fn long_log() -> Vec<u8> {
    let mut text = "%% LOGSTART 1700000000\n".to_owned();
    text.push_str("0.500 EARLY pStart 7\n");
    for n in 100..200_100 {
        writeln!(text, "{}.{:02}0 NAV_X uNav {n}", n / 100, n % 100).unwrap();
    }
    text.into_bytes()
}

#[test]
fn a_window_and_a_backfill_read_a_small_part_of_the_file() {
    let bytes = long_log();
    let len = bytes.len() as u64;
    assert!(len > 4 << 20, "{len}");
    let (recording, read) = recording("long.alog", bytes);
    let index = Index::new(&recording).unwrap();
    let took = || read.swap(0, Ordering::Relaxed);
    assert!(took() <= len * 5 / 2, "reads it twice");
    let topics: Vec<u16> = (0..u16::try_from(index.topics().count()).unwrap()).collect();
    let (start, end) = index.span().unwrap();
    let middle = start + (end - start) / 2;
    assert_eq!(index.window(&topics, middle..=middle + 1_000_000_000).count(), 100);
    let window = took();
    assert!(window > 0 && window < len * 7 / 10, "{window} of {len}");
    let last = index.backfill(&topics, middle).unwrap();
    assert_eq!(last.iter().map(|it| it.topic).collect::<Vec<_>>(), topics);
    assert_eq!(last[0].log_time, start, "of a topic with one message, far before");
    let backfill = took();
    assert!(backfill > 0 && backfill < len * 9 / 10, "{backfill} of {len}");
}

#[test]
fn damage_is_told_with_its_offset_once() {
    let bytes = fixture("carla-rec/garbage_middle.log").unwrap();
    for split in [512, u64::MAX] {
        let index = Index::with_splits(&recording("garbage_middle.log", bytes.clone()).0, split).unwrap();
        let damage: Vec<_> = index.problems().iter().filter(|problem| problem.is_damage).collect();
        assert!(damage.iter().any(|problem| problem.message.contains("(at byte 0x")), "{damage:?}");
        let mut messages: Vec<_> = damage.iter().map(|problem| &problem.message).collect();
        messages.dedup();
        assert_eq!(messages.len(), damage.len());
    }
}

#[test]
fn what_is_no_recording_is_an_error() {
    let text = b"no recording at all, only some text".to_vec();
    assert!(Index::new(&recording("x.log", text).0).is_err());
    assert!(Index::new(&recording("x.log", Vec::new()).0).is_err());
}
