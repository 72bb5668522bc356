//! Times are found in a recording without reading it all: between two records close to each other.

use std::io::Cursor;

use robolog_core::{
    Between, Clock, StreamReader, TimeIndex, Timestamp,
    format::{Decoder as _, ReorderBound},
};

use crate::tiny::format::{Celsius, Tiny};

const SLACK: ReorderBound = ReorderBound { order: MILLI, reach: 5 * MILLI };
const MILLI: i64 = 1_000_000;
/// Bytes of a record.
const LEN: usize = 256;
/// Records per time.
const ALIKE: usize = 16;
/// Number of four-byte values whose bytes are all below 6: none is a valid record length.
const MOMENTS: usize = 6 * 6 * 6 * 6;
/// The search ends when fewer bytes are left.
const NEAR: u64 = 256 << 10;

/// Milliseconds since power-on, never decreasing.
fn millis(moment: usize) -> [u8; 4] {
    [1, 6, 36, 216].map(|place| u8::try_from(moment / place % 6).unwrap())
}

/// Offset of the first record of a time.
fn offset(moment: usize) -> u64 {
    (4 + moment * ALIKE * LEN) as u64
}

fn time(moment: usize) -> Timestamp {
    Timestamp::new(i64::from(u32::from_le_bytes(millis(moment))) * MILLI, Clock::Device)
}

fn celsius() -> Celsius {
    Celsius::new(&(), ())
}

/// Five megabytes of records in which only the first byte of each is a valid length.
fn recording() -> Vec<u8> {
    let mut file = b"TINY".to_vec();
    for moment in (0..MOMENTS).flat_map(|moment| [moment; ALIKE]) {
        let begin = file.len();
        file.push(u8::MAX);
        file.extend(millis(moment));
        file.resize(begin + LEN, 0);
    }
    file
}

fn find(file: &[u8]) -> (StreamReader<Cursor<&[u8]>, Tiny>, Option<TimeIndex>) {
    let mut reader = StreamReader::new(Cursor::new(file)).unwrap();
    let moments = TimeIndex::find(&mut reader, (4, file.len() as u64), &celsius(), SLACK).unwrap();
    (reader, moments)
}

#[test]
fn every_moment_lies_between_two_records_that_are_near_each_other() {
    let file = recording();
    let (mut reader, moments) = find(&file);
    let mut moments = moments.unwrap();
    for wanted in [1, 2, 100, 647, 648, 649, 1000, 1294, 1295] {
        let moment = time(wanted);
        let between = moments
            .look_for(&mut reader, &celsius(), &|_, latest| moment.since(latest).unwrap())
            .unwrap()
            .unwrap();
        let Between { before, behind } = between;
        let at = offset(wanted);
        assert!(before.is_some_and(|before| before < at), "{wanted}: {between:?}");
        assert!(behind.is_none_or(|behind| behind >= at), "{wanted}: {between:?}");
        let width = behind.unwrap_or(file.len() as u64) - before.unwrap();
        assert!(width < NEAR, "{wanted}: {between:?}");
        for record in [before, behind].into_iter().flatten() {
            assert_eq!((record - 4) % LEN as u64, 0, "{wanted}: {between:?}");
        }
    }
}

#[test]
fn the_end_is_found_by_the_last_records() {
    let file = recording();
    let (mut reader, moments) = find(&file);
    let mut moments = moments.unwrap();
    let near_end = moments.near_end(&mut reader, &celsius()).unwrap().unwrap();
    let left = file.len() as u64 - near_end;
    assert_eq!(left, NEAR - LEN as u64, "the first behind the place, not the one at it");
    assert_eq!(moments.near_end(&mut reader, &celsius()).unwrap(), Some(near_end));
    assert_eq!(moments.latest(&mut reader, &celsius()).unwrap(), Some(time(MOMENTS - 1)));

    // The length of the last record is damaged, so its length is unknown.
    let mut damaged = file.clone();
    let last = damaged.len() - LEN;
    damaged[last] = 0;
    let (mut reader, moments) = find(&damaged);
    assert_eq!(moments.unwrap().latest(&mut reader, &celsius()).unwrap(), None);
}

#[test]
fn times_that_are_not_in_order_are_not_searched() {
    let file = recording();
    let (first, second) = file[4..].split_at(LEN * ALIKE * MOMENTS / 2);
    let (_, moments) = find(&[b"TINY", second, first].concat());
    assert!(moments.is_none());

    // A record may be earlier by as much as the slack allows, but no more.
    for (back, is_found) in [(1, true), (2, false)] {
        let mut file = file.clone();
        let last = file.len() - LEN;
        file[last + 1..last + 5].copy_from_slice(&millis(MOMENTS - 1 - back));
        let (mut reader, moments) = find(&file);
        let latest = moments.unwrap().latest(&mut reader, &celsius()).unwrap();
        assert_eq!(latest.is_some(), is_found, "{back}");
    }
    assert_eq!(SLACK.total(), 7 * MILLI);
}
