//! Invariants for every format and every input.

use std::ops::Range;

use robolog_core::{
    Error, Event, Finding, Limits, Reader, Severity, StreamReader, Summary,
    format::{Decoder as _, DetailsOf, Format, OptionsOf, Recording},
    survey,
};
use testkit::Drip;

/// Maximum bytes of a record, because an input may claim any size.
pub const ROOM: usize = 1 << 20;

/// A step of reading: the range of a record or a gap, and the error of a gap.
type Span = (Range<u64>, Option<String>);

/// The bytes are read alike in every possible way, also with records of at most `most` bytes.
pub fn reads<F: Recording>(data: &[u8], most: usize) {
    slice_is_stream::<F>(data, Limits::default());
    slice_is_stream::<F>(data, Limits::default().with_record(most));
    every_byte_is_accounted_for::<F>(data);
    survey_ends::<F>(data);
    samples::<F>(data, Default::default());
}

/// The bytes are copied without loss.
pub fn copies<F: Recording>(data: &[u8]) {
    whole_files_are_copied_as_they_are::<F>(data, &[]);
    recovering_twice_is_recovering_once::<F>(data);
}

/// A stream gives the same results as the slice, whatever the read sizes.
fn slice_is_stream<F: Format>(data: &[u8], limits: Limits) {
    let slice = slice_spans::<F>(data, limits);
    // One read size per input keeps the target fast; many inputs cover all sizes.
    let step = [1, 2, 7, 4096][data.len() % 4];
    let stream = stream_spans::<F>(data, step, limits);
    assert_eq!(slice, stream, "slice and stream differ for reads of {step}");
}

fn slice_spans<F: Format>(data: &[u8], limits: Limits) -> Result<Vec<Span>, String> {
    let reader = Reader::<F>::with_limits(data, limits).map_err(|e| e.to_string())?;
    let mut spans = Vec::new();
    let mut raws = reader.raw_records();
    while let Some(raw) = raws.next() {
        spans.push(match raw {
            Ok(raw) => {
                let error = F::record(reader.header(), raw).err().map(|e| e.to_string());
                assert_eq!(raw.bytes, &data[usize::try_from(raw.offset).unwrap()..][..raw.bytes.len()]);
                (raw.offset..raw.end(), error)
            }
            Err(error) => (raws.resync(), Some(error.to_string())),
        });
    }
    Ok(spans)
}

fn stream_spans<F: Format>(data: &[u8], step: usize, limits: Limits) -> Result<Vec<Span>, String> {
    let input = Drip::new(data, step);
    let mut reader = StreamReader::<_, F>::with_limits(input, limits).map_err(|e| e.to_string())?;
    let mut spans = Vec::new();
    loop {
        let at = reader.position();
        let gap = match reader.next_event().unwrap() {
            Event::Record(_) => None,
            Event::Damage { error, lost } => Some((lost, Some(error.to_string()))),
            Event::End => return Ok(spans),
        };
        spans.push(gap.unwrap_or_else(|| (at..reader.position(), None)));
    }
}

/// Every byte after the header belongs to one record or one gap, in order; errors are within the input.
fn every_byte_is_accounted_for<F: Format>(data: &[u8]) {
    let Ok(mut reader) = StreamReader::<_, F>::new(data) else { return };
    let mut at = reader.position();
    assert_eq!(at, reader.header_bytes().len() as u64);
    for step in 0.. {
        assert!(step <= data.len() + 2, "more steps than bytes");
        let gap = match reader.next_event().unwrap() {
            Event::Record(_) => None,
            Event::Damage { error, lost } => {
                assert!(error.offset() <= data.len() as u64, "{error}: behind the end");
                Some(lost)
            }
            Event::End => break,
        };
        let span = gap.unwrap_or(at..reader.position());
        assert_eq!(span.start, at, "a byte is lost or counted twice");
        assert_eq!(span.end, reader.position(), "the position is not behind what was read");
        at = span.end;
    }
    assert_eq!(at, data.len() as u64, "bytes at the end are not accounted for");
}

/// A survey ends, and counts every byte.
fn survey_ends<F: Recording>(data: &[u8]) {
    let Ok(mut reader) = StreamReader::<_, F>::new(data) else { return };
    let summary = survey(&mut reader).unwrap();
    assert_eq!(summary.bytes, data.len() as u64);
    assert!(summary.lost_bytes <= summary.bytes, "{} lost of {}", summary.lost_bytes, summary.bytes);
    assert_eq!(summary.complete, summary.is_ok(), "complete, or not: {:?}", summary.findings);
}

/// Every record yields samples or an error.
pub fn samples<F: Recording>(data: &[u8], options: OptionsOf<F>) {
    let Ok(mut reader) = StreamReader::<_, F>::new(data) else { return };
    let mut decoder = F::Decoder::new(reader.header(), options);
    let sink = &mut |sample: &mut robolog_core::Sample| {
        if let robolog_core::Value::PointCloud(cloud) = &sample.value {
            assert!(cloud.is_consistent(), "columns of {} differ in length", sample.channel);
        }
        Ok::<(), Error>(())
    };
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => drop(decoder.samples(&record, sink)),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    drop(decoder.last_samples(sink));
}

/// A file without faults is copied byte for byte. A copy repairs findings with the codes `mended`.
pub fn whole_files_are_copied_as_they_are<F: Recording>(data: &[u8], mended: &[&str]) {
    let Ok(mut reader) = StreamReader::<_, F>::new(data) else { return };
    let summary = survey(&mut reader).unwrap();
    if summary.is_ok() && !summary.findings.iter().any(|f| mended.contains(&f.code)) {
        assert!(copy::<F>(data) == data, "the copy of a whole file differs");
    }
}

/// The recovered file has no fault, and is itself copied byte for byte. `None` without a header.
pub fn what_is_recovered_is_whole<F: Recording>(data: &[u8], mended: &[&str]) -> Option<Vec<u8>> {
    StreamReader::<_, F>::new(data).ok()?;
    let recovered = copy::<F>(data);
    if recovered.is_empty() {
        // Nothing is left to form a recording.
        return None;
    }
    is_whole::<F>(&recovered, mended);
    assert!(copy::<F>(&recovered) == recovered, "recovering twice is not recovering once");
    Some(recovered)
}

/// The recovered file is copied byte for byte, whatever faults its contents still have.
fn recovering_twice_is_recovering_once<F: Recording>(data: &[u8]) {
    if StreamReader::<_, F>::new(data).is_ok() {
        let recovered = copy::<F>(data);
        // A document without a root element may leave nothing.
        if StreamReader::<_, F>::new(&recovered[..]).is_ok() {
            assert!(copy::<F>(&recovered) == recovered, "recovering twice is not recovering once");
        }
    }
}

/// Findings of a survey of a file with a header.
pub fn summary<F: Recording>(file: &[u8]) -> Summary<DetailsOf<F>> {
    survey(&mut StreamReader::<_, F>::new(file).unwrap()).unwrap()
}

/// The file has no fault, and no finding that a copy should have `mended`.
pub fn is_whole<F: Recording>(file: &[u8], mended: &[&str]) {
    let summary = summary::<F>(file);
    let is_wrong = |f: &&Finding| f.severity == Severity::Error || mended.contains(&f.code);
    let wrong: Vec<_> = summary.findings.iter().filter(is_wrong).collect();
    assert!(summary.is_ok() && wrong.is_empty(), "a written file is damaged: {wrong:?}");
}

/// Everything readable.
fn copy<F: Recording>(data: &[u8]) -> Vec<u8> {
    testkit::recover::<F>(data).unwrap().file
}
