//! The samples of a recording as text, and what must hold of those that are recovered.

use std::{fmt::Write as _, io::Cursor};

use robolog_core::{Error, Event, Recording, Rewriting, Sample, Sampling, StreamReader};

/// What reading a recording gives, past damage.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// The samples, a line each, without their offsets.
    pub lines: Vec<String>,
    /// How many faults were met.
    pub faults: usize,
}

/// All samples of a recording, with the sampler's default options. `None` without a header.
pub fn samples<F: Recording>(file: &[u8]) -> Option<Samples> {
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let mut sampler = F::Sampler::new(reader.header(), Default::default());
    let mut found = Samples::default();
    let lines = &mut found.lines;
    let sink = &mut |sample: &mut Sample| {
        let mut line = format!("{} {} {:?} ", sample.channel, sample.frame_id, sample.time);
        let _ = write!(line, "{:?}", sample.value);
        lines.push(line);
        Ok::<(), Error>(())
    };
    loop {
        let outcome = match reader.next_event().unwrap() {
            Event::Record(record) => sampler.push(&record, sink),
            Event::Damage { error, .. } => Err(error),
            Event::End => break,
        };
        found.faults += usize::from(outcome.is_err());
    }
    found.faults += usize::from(sampler.finish(sink).is_err());
    Some(found)
}

/// What is recovered of a recording has the samples of that recording, and no fault. Every byte is in the result, counted
/// as left out, or lost between records. Gives the recovered file; `None` without a header.
pub fn assert_recovers<F: Recording>(name: &str, file: &[u8]) -> Option<Vec<u8>> {
    let before = samples::<F>(file)?;
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let header_bytes = reader.header_bytes().to_vec();
    let mut writer = F::Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    let mut lost = 0;
    loop {
        match reader.next_event().unwrap() {
            // An error tells of damage within the record; what lay before it is copied.
            Event::Record(record) => drop(writer.copy(&record, &mut |_, _| true)),
            Event::Damage { lost: range, .. } => lost += range.end - range.start,
            Event::End => break,
        }
    }
    lost += writer.left_out();
    let recovered = writer.finish().unwrap().into_inner();
    let after = samples::<F>(&recovered).unwrap_or_else(|| panic!("{name}: the result has no header"));
    let differs = before.lines.iter().zip(&after.lines).find(|(a, b)| a != b);
    assert!(differs.is_none(), "{name}: a sample differs: {differs:?}");
    assert_eq!(after.lines.len(), before.lines.len(), "{name}: samples of what is recovered");
    assert_eq!(after.faults, 0, "{name}: faults in what is recovered");
    let missing = (file.len() as u64).saturating_sub(recovered.len() as u64);
    assert!(missing <= lost, "{name}: {missing} bytes are missing, and {lost} were counted");
    Some(recovered)
}
