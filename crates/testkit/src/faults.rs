//! Behaviour when a disk, pipe or network fails in the middle.

use std::io::{self, Cursor, Read, Seek, Write};

use robolog_core::{
    Error, ErrorKind, Event, Limits, Result, Sample, StreamReader,
    format::{Copier, Decoder as _, Opening, Recording},
    survey,
};

use crate::{Failing, Fault, Faulty, Stalling, failing, slice_transcript, stalled_transcript};

/// The kind of the I/O error, if a stream or target failed.
fn io_kind(error: &Error) -> Option<io::ErrorKind> {
    match error.kind() {
        ErrorKind::Io(error) => Some(error.kind()),
        _ => None,
    }
}

/// Copies every readable record of `input` to `out`. Returns the errors of the stream and the target.
pub fn copy<F: Recording, R: Read, W: Write + Seek>(input: R, out: W) -> Result<W> {
    let mut reader = StreamReader::<_, F>::new(input)?;
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = F::Copier::new(out, reader.header(), &header_bytes)?;
    loop {
        let outcome = match reader.next_event()? {
            Event::Record(record) => out.copy(&record, &mut |_, _| true).map(drop),
            Event::Damage { .. } => Ok(()),
            Event::End => break,
        };
        match outcome {
            Err(error) if io_kind(&error).is_some() => return Err(error),
            // A damaged record is left out.
            _ => {}
        }
    }
    out.finish()
}

/// Copies `file` to targets that fail at one operation after [another](failing). Each copy must return the target's error; the
/// first one without an error must equal the copy to a target without faults. Returns the number of failed operations.
pub fn assert_targets_may_fail<F: Recording>(name: &str, file: &[u8]) -> usize {
    let whole = copy::<F, _, _>(file, Cursor::new(Vec::new())).unwrap().into_inner();
    let mut operations = 0;
    for (fault, expected) in [
        (Fault::Error(io::ErrorKind::StorageFull), io::ErrorKind::StorageFull),
        (Fault::Error(io::ErrorKind::Other), io::ErrorKind::Other),
        (Fault::End, io::ErrorKind::WriteZero),
    ] {
        for fails_at in failing() {
            match copy::<F, _, _>(file, Faulty::with(fails_at, fault)) {
                Ok(target) => {
                    let same = target.into_bytes() == whole;
                    assert!(same, "{name}: short writes and interruptions changed the copy");
                    break;
                }
                Err(error) => {
                    assert_eq!(io_kind(&error), Some(expected), "{name}: operation {fails_at}: {error}");
                    operations += 1;
                }
            }
        }
    }
    operations
}

/// Reads `file` from streams that fail at one read after [another](failing). A survey and a copy must return the stream's error,
/// with an offset within the file. A stream that ends there must give the same as a file of that length. Returns the
/// number of failed reads.
pub fn assert_streams_may_fail<F: Recording>(name: &str, file: &[u8]) -> usize {
    for (failed, fails_at) in failing().enumerate() {
        let mut done = false;
        for kind in [io::ErrorKind::Other, io::ErrorKind::ConnectionReset, io::ErrorKind::WouldBlock] {
            let stream = Failing::new(file, fails_at, Fault::Error(kind));
            let Err(error) = survey_of::<F>(stream) else {
                done = true;
                continue;
            };
            assert!(error.offset() <= file.len() as u64, "{name}: {error}");
            assert_eq!(io_kind(&error), Some(kind), "{name}: read {fails_at}: {error}");
            let stream = Failing::new(file, fails_at, Fault::Error(kind));
            let failed =
                copy::<F, _, _>(stream, Cursor::new(Vec::new())).expect_err("a copy of half a stream");
            assert_eq!(io_kind(&failed), Some(kind), "{name}: read {fails_at}: {failed}");
        }
        // Every third read is interrupted.
        let got = ((fails_at - fails_at / 3) * Failing::STEP).min(file.len());
        let early = Failing::new(file, fails_at, Fault::End);
        match (survey_of::<F>(early), survey_of::<F>(&file[..got])) {
            (Ok(early), Ok(cut)) => assert_eq!(early, cut, "{name}: ends after {got} bytes"),
            (early, cut) => assert_eq!(early.is_err(), cut.is_err(), "{name}: ends after {got} bytes"),
        }
        if done {
            return failed;
        }
    }
    unreachable!("a file has an end")
}

/// Reads `file` from streams that stall at every second or every fifth read. Records, damage and samples must be those
/// of the file in memory: a stall is not an end. Returns the number of stalled reads.
pub fn assert_streams_may_stall<F: Recording>(name: &str, file: &[u8]) -> usize {
    let show = |record: &F::Record<'_>| format!("{record:?}");
    let limits = Limits::default();
    let lines = slice_transcript::<F>(file, limits, &show);
    let whole = stalled_samples::<F>(Stalling::new(file, 1000, io::ErrorKind::Other, usize::MAX)).0;
    let mut stalls = 0;
    for kind in [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock] {
        for every in [2, 5] {
            let stream = Stalling::new(file, Failing::STEP, kind, every);
            let (got, stalled) = stalled_transcript::<F>(stream.clone(), limits, &show);
            assert!(got == lines, "{name}: {kind} at every read that {every} divides changed what is read");
            let (samples, also_stalled) = stalled_samples::<F>(stream);
            assert_eq!(samples, whole, "{name}: {kind} at every read that {every} divides");
            stalls += stalled + also_stalled;
        }
    }
    stalls
}

/// The samples and faults of a stalling stream, and the number of stalls after its header.
fn stalled_samples<F: Recording>(stream: Stalling<'_>) -> (Vec<String>, usize) {
    let mut opening = Opening::<_, F>::new(stream);
    let reader = loop {
        match opening.read() {
            Ok(reader) => break reader,
            Err((stalled, error)) => opening = error.is_stall().then_some(stalled).expect("a header"),
        }
    };
    let (mut samples, mut stalls) = (Vec::new(), 0);
    for sample in reader.samples() {
        match sample {
            Err(error) if error.is_stall() => stalls += 1,
            other => samples.push(format!("{other:?}")),
        }
    }
    (samples, stalls)
}

/// The records, bytes and lost bytes counted by a survey of the stream, and the number of its samples.
fn survey_of<F: Recording>(stream: impl Read + Clone) -> Result<(u64, u64, u64, u64)> {
    let summary = survey(&mut StreamReader::<_, F>::new(stream.clone())?)?;
    Ok((summary.records, summary.bytes, summary.lost_bytes, samples_in::<F>(stream)?))
}

/// The number of samples in all readable records of `input`. Returns stream errors.
pub fn samples_in<F: Recording>(input: impl Read) -> Result<u64> {
    let mut reader = StreamReader::<_, F>::new(input)?;
    let mut decoder = F::Decoder::new(reader.header(), Default::default());
    let mut count = 0;
    let sink = &mut |_: &mut Sample| {
        count += 1;
        Ok::<(), Error>(())
    };
    loop {
        match reader.next_event()? {
            Event::Record(record) => drop(decoder.samples(&record, sink)),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    drop(decoder.last_samples(sink));
    Ok(count)
}
