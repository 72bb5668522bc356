//! A reading of an input, written down so that two readings can be compared.

use std::{
    fmt::Debug,
    io::{Cursor, Seek as _, SeekFrom, Write as _},
};

use robolog_core::{Event, Format, Limits, Reader, Recording, Rewriting, StreamReader};

use crate::Drip;

/// One step of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A record, as the caller shows it.
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
            Ok(raw) => match F::record(reader.header(), raw) {
                Ok(record) => Line::Record(show(&record)),
                Err(e) => Line::Damage(e.to_string(), raw.offset..raw.end()),
            },
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

/// A stream must give what the slice gives, however it is cut up. Returns how many readings agreed.
pub fn assert_slice_is_stream<F: Format>(bytes: &[u8], limits: Limits) -> usize {
    let show = |record: &F::Record<'_>| format!("{record:?}");
    let slice = slice_transcript::<F>(bytes, limits, &show);
    let steps = [1, 2, 7, 4096];
    for step in steps {
        let stream = stream_transcript::<F>(bytes, step, limits, &show);
        assert_same(&slice, &stream, step);
    }
    steps.len()
}

fn assert_same(slice: &[Line], stream: &[Line], step: usize) {
    if slice != stream {
        let at = slice.iter().zip(stream).take_while(|(a, b)| a == b).count();
        panic!("read size {step}, line {at}:\n slice  {:?}\n stream {:?}", slice.get(at), stream.get(at));
    }
}

/// Copying all records of `bytes` must give `bytes` again.
pub fn assert_copies<F: Recording>(name: &str, bytes: &[u8])
where
    for<'a> F::Record<'a>: Debug,
{
    let mut reader = StreamReader::<_, F>::new(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    let header_bytes = reader.header_bytes().to_vec();
    let mut writer = F::Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    while let Some(record) = reader.next_record().unwrap_or_else(|e| panic!("{name}: {e}")) {
        writer.copy(&record, &mut |_, _| true).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let mut out = writer.finish().unwrap();
    assert_eq!(out.seek(SeekFrom::End(0)).unwrap(), bytes.len() as u64, "{name}: length of the copy");
    out.flush().unwrap();
    assert!(out.into_inner() == bytes, "{name}: the copy differs");
}
