//! Laws that hold for every format and every input, whole or damaged: the fuzz targets call them with any bytes, the tests
//! with fixtures and what damage makes of them.

use robolog_core::{
    Finding, Limits, Severity, StreamReader, Summary,
    format::{DetailsOf, OptionsOf, Recording},
    survey,
};

use crate::{Recovered, assert_covers, assert_slice_is_some_stream, deliveries::deliver, recover};

/// The bytes are read alike in every possible way, also with records of at most `most` bytes.
pub fn reads<F: Recording>(data: &[u8], most: usize) {
    assert_slice_is_some_stream::<F>(data, Limits::default());
    assert_slice_is_some_stream::<F>(data, Limits::default().with_record(most));
    if let Ok(mut reader) = StreamReader::<_, F>::new(data) {
        assert_covers(&mut reader, data.len(), &mut |_| None);
    }
    survey_ends::<F>(data);
    samples::<F>(data, Default::default());
}

/// The bytes are copied without loss.
pub fn copies<F: Recording>(data: &[u8]) {
    whole_files_are_copied_as_they_are::<F>(data, &[]);
    recovering_twice_is_recovering_once::<F>(data);
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
    drop(deliver::<F>(data, options, &mut |_| {}));
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
    recover::<F>(data).unwrap().file
}

/// Copying all records of `bytes`, which have no fault, gives `bytes` again.
pub fn assert_copies<F: Recording>(name: &str, bytes: &[u8]) {
    let Recovered { file, lost_bytes, faults } = recover::<F>(bytes).unwrap();
    assert!(faults.is_empty() && lost_bytes == 0, "{name}: {lost_bytes} bytes lost, {faults:?}");
    assert_eq!(file.len(), bytes.len(), "{name}: length of the copy");
    assert!(file == bytes, "{name}: the copy differs");
}
