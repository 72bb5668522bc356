//! A transcript of reading an input, to compare two readings.

use std::io::ErrorKind;

use robolog_core::{
    Event, Feeder, Limits, Reader, StreamReader,
    format::{Format, Opening},
};

use crate::{Drip, Rng, Stalling, is_thorough};

/// One step of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A record, as shown by the caller.
    Record(String),
    /// An error, and the bytes lost to it.
    Damage(String, std::ops::Range<u64>),
}

/// Reads `bytes` as a slice, past all damage.
pub fn slice_transcript<F: Format>(
    bytes: &[u8],
    limits: Limits,
    show: &dyn Fn(&F::Record<'_>) -> String,
) -> Vec<Line> {
    let reader = match Reader::<F>::with_limits(bytes, limits) {
        Ok(reader) => reader,
        Err(e) => return vec![Line::Damage(e.to_string(), 0..0)],
    };
    let mut lines = Vec::new();
    let mut raws = reader.raw_records();
    while let Some(raw) = raws.next() {
        lines.push(match raw {
            Ok(raw) => {
                let start = usize::try_from(raw.offset).unwrap();
                assert_eq!(raw.bytes, &bytes[start..][..raw.bytes.len()]);
                match F::record(reader.header(), raw) {
                    Ok(record) => Line::Record(show(&record)),
                    Err(e) => Line::Damage(e.to_string(), raw.offset..raw.end()),
                }
            }
            Err(e) => {
                assert!(
                    e.offset() <= bytes.len() as u64,
                    "{e}: beyond the {} bytes of the input",
                    bytes.len()
                );
                Line::Damage(e.to_string(), raws.resync())
            }
        });
    }
    lines
}

/// Reads `bytes` as a stream of at most `step` bytes at a time, past all damage.
pub fn stream_transcript<F: Format>(
    bytes: &[u8],
    step: usize,
    limits: Limits,
    show: &dyn Fn(&F::Record<'_>) -> String,
) -> Vec<Line> {
    let mut reader = match StreamReader::<_, F>::with_limits(Drip::new(bytes, step), limits) {
        Ok(reader) => reader,
        Err(e) => return vec![Line::Damage(e.to_string(), 0..0)],
    };
    let mut lines = Vec::new();
    loop {
        match reader.next_event().expect("a slice does not fail") {
            Event::Record(record) => lines.push(Line::Record(show(&record))),
            Event::Damage { error, lost } => lines.push(Line::Damage(error.to_string(), lost)),
            Event::End => return lines,
        }
    }
}

/// Reads `bytes` from a stalling stream, retrying after each stall, past all damage. Returns the lines and the number
/// of stalls.
pub fn stalled_transcript<F: Format>(
    stream: Stalling<'_>,
    limits: Limits,
    show: &dyn Fn(&F::Record<'_>) -> String,
) -> (Vec<Line>, usize) {
    let (mut stalls, mut opening) = (0, Opening::<_, F>::with_limits(stream, limits));
    let mut reader = loop {
        match opening.read() {
            Ok(reader) => break reader,
            Err((stalled, error)) if error.is_stall() => (opening, stalls) = (stalled, stalls + 1),
            Err((_, error)) => return (vec![Line::Damage(error.to_string(), 0..0)], stalls),
        }
    };
    let mut lines = Vec::new();
    loop {
        match reader.next_event() {
            Ok(Event::Record(record)) => lines.push(Line::Record(show(&record))),
            Ok(Event::Damage { error, lost }) => lines.push(Line::Damage(error.to_string(), lost)),
            Ok(Event::End) => return (lines, stalls),
            Err(error) => {
                assert!(error.is_stall(), "{error}");
                stalls += 1;
            }
        }
    }
}

/// Pushes `chunks` one by one, each when the reader needs more, past all damage.
pub fn fed_transcript<'a, F: Format>(
    chunks: impl IntoIterator<Item = &'a [u8]>,
    limits: Limits,
    show: &dyn Fn(&F::Record<'_>) -> String,
) -> Vec<Line> {
    let mut feeder = Feeder::<F>::with_limits(limits);
    let mut chunks = chunks.into_iter();
    let mut lines = Vec::new();
    loop {
        let error = loop {
            match feeder.next_event() {
                Ok(Some(Event::Record(record))) => lines.push(Line::Record(show(&record))),
                Ok(Some(Event::Damage { error, lost })) => lines.push(Line::Damage(error.to_string(), lost)),
                Ok(Some(Event::End)) => return lines,
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        if let Some(error) = error {
            let again = feeder.next_event().map(drop).unwrap_err();
            assert_eq!(again.to_string(), error.to_string(), "an error of the header is told again");
            return vec![Line::Damage(error.to_string(), 0..0)];
        }
        match chunks.next() {
            Some(chunk) => feeder.push(chunk).unwrap(),
            None => feeder.end(),
        }
    }
}

/// Larger recordings are read in fewer ways: it takes long to print all their records, and small ones have every border.
const LARGE: usize = 256 << 10;

/// Smaller ones are read in every way each time.
const SMALL: usize = 64;

/// A stream, a stalling one, and pushed bytes must give the same as the slice, however they are cut. Returns the number
/// of readings that agreed.
///
/// Unless tests are [thorough](is_thorough), what is not small is read in one way of each of the three. Its length says in
/// which, so that the inputs of a test together have all.
pub fn assert_slice_is_stream<F: Format>(bytes: &[u8], limits: Limits) -> usize {
    let show = |record: &F::Record<'_>| format!("{record:?}");
    let slice = slice_transcript::<F>(bytes, limits, &show);
    let steps: &[usize] = if bytes.len() < LARGE { &[1, 2, 7, 4096] } else { &[7, 4096] };
    let is_all = bytes.len() < SMALL || is_thorough();
    let is_wanted = |n: usize, of: usize| is_all || bytes.len() % of == n;
    let mut readings = 0;
    let mut agree = |lines: &[Line], how: &str| {
        assert_same(&slice, lines, how);
        readings += 1;
    };
    for (n, &step) in steps.iter().enumerate() {
        if is_wanted(n, steps.len()) {
            let stream = stream_transcript::<F>(bytes, step, limits, &show);
            agree(&stream, &format!("reads of {step}"));
        }
        // Not beside the reads of the same step.
        if is_wanted((n + 1) % steps.len(), steps.len()) {
            let fed = fed_transcript::<F>(bytes.chunks(step), limits, &show);
            agree(&fed, &format!("pushes of {step}"));
        }
    }
    let stalls = [(5, ErrorKind::WouldBlock, 2), (4096, ErrorKind::TimedOut, 3)];
    for (n, (step, kind, every)) in stalls.into_iter().enumerate() {
        if is_wanted(n, 3) {
            let stream = Stalling::new(bytes, step, kind, every);
            let (lines, _) = stalled_transcript::<F>(stream, limits, &show);
            agree(&lines, &format!("reads of {step}, {kind} at every {every}"));
        }
    }
    if is_wanted(2, 3) {
        let fed = fed_transcript::<F>(uneven(bytes), limits, &show);
        agree(&fed, "pushes of uneven lengths");
    }
    readings
}

/// One of the readings of [`assert_slice_is_stream`]: many inputs together have all.
pub fn assert_slice_is_some_stream<F: Format>(bytes: &[u8], limits: Limits) {
    let show = |record: &F::Record<'_>| format!("{record:?}");
    let step = [1, 2, 7, 4096][bytes.len() % 4];
    let stream = stream_transcript::<F>(bytes, step, limits, &show);
    assert_same(&slice_transcript::<F>(bytes, limits, &show), &stream, &format!("reads of {step}"));
}

/// Pieces of 0 to 99 bytes.
fn uneven(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rng = Rng(bytes.len() as u64);
    std::iter::from_fn(move || {
        let (piece, rest) = bytes.split_at(rng.below(100).min(bytes.len()));
        let is_over = bytes.is_empty();
        bytes = rest;
        (!is_over).then_some(piece)
    })
}

fn assert_same(slice: &[Line], other: &[Line], how: &str) {
    if slice != other {
        let at = slice.iter().zip(other).take_while(|(a, b)| a == b).count();
        panic!("{how}, line {at}:\n slice {:?}\n here  {:?}", slice.get(at), other.get(at));
    }
}
