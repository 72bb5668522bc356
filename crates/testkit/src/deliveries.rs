//! The content delivered from a recording, to compare every way of reading it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
    sync::Arc,
};

use robolog_core::{
    Attributes, Error, Event, Sample, StreamReader, Value,
    columns::{self, Column, Union},
    format::{Copier, Decoder as _, OptionsOf, Recording},
    survey,
    text::Escaped,
};

use crate::{Fnv, one_in};

/// The samples of a recording, and its faults.
#[derive(Debug, Default)]
pub struct Deliveries {
    /// A digest of each sample, in order: channel, frame, time and value.
    pub samples: Vec<u64>,
    /// The channels, by name.
    pub channels: BTreeMap<String, Delivered>,
    /// An error for each record, or part of one, that cannot be read.
    pub faults: Vec<Error>,
    rows: BTreeMap<String, Union>,
}

/// The samples of one channel.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// The kinds of its values.
    pub kinds: BTreeSet<&'static str>,
    /// Number of samples.
    pub samples: u64,
    /// Number of values in them: points of clouds, ranges of scans.
    pub values: u64,
    /// The columns of each kind, combined over all rows.
    pub columns: BTreeMap<&'static str, Vec<Column>>,
}

impl Deliveries {
    fn take(&mut self, sample: &Sample) {
        let mut digest = Fnv::default();
        digest.text(&shown(sample));
        self.samples.push(digest.finish());
        let values = match &sample.value {
            Value::PointCloud(cloud) => cloud.len(),
            Value::LaserScan(scan) => scan.ranges.len(),
            _ => 1,
        };
        let channel = self.channels.entry(sample.channel.to_string()).or_default();
        channel.kinds.insert(sample.value.kind());
        channel.samples += 1;
        channel.values += values as u64;
        let columns = channel.columns.entry(sample.value.kind());
        let columns = columns.or_insert_with(|| columns::of_kind(sample.value.kind()));
        if let Some(row) = sample.value.row() {
            let union = self.rows.entry(sample.channel.to_string()).or_default();
            union.add(&row.fields);
            *columns = columns::of_kind(sample.value.kind());
            columns.extend(union.fields().iter().map(Column::from));
        }
    }
}

/// A sample without its offset.
fn shown(sample: &Sample) -> String {
    let Sample { time, channel, frame_id, attributes, value, .. } = sample;
    format!("{time:?} {channel} {frame_id} {attributes:?} {value:?}")
}

/// Passes each sample to `sink`, and returns the faults; `None` if the header cannot be read. Then the sample gets other names: a
/// decoder that lends it again must not keep them.
pub(crate) fn deliver<F: Recording>(
    file: &[u8],
    options: OptionsOf<F>,
    sink: &mut dyn FnMut(&Sample),
) -> Option<Vec<Error>> {
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let mut decoder = F::Decoder::new(reader.header(), options);
    let mut faults = Vec::new();
    let other: Arc<str> = "of the consumer".into();
    let attributes: Attributes = [("of", "the consumer".to_owned())].into_iter().collect();
    let mut sink = |sample: &mut Sample| {
        if let Value::PointCloud(cloud) = &sample.value {
            assert!(cloud.is_consistent(), "columns of {} differ in length", sample.channel);
        }
        sink(sample);
        (sample.channel, sample.frame_id) = (Arc::clone(&other), Arc::clone(&other));
        sample.attributes = attributes.clone();
        Ok::<(), Error>(())
    };
    loop {
        let outcome = match reader.next_event().unwrap() {
            Event::Record(record) => decoder.samples(&record, &mut sink),
            Event::Damage { error, .. } => Err(error),
            Event::End => break,
        };
        faults.extend(outcome.err());
    }
    faults.extend(decoder.last_samples(&mut sink).err());
    Some(faults)
}

/// The content delivered from a recording past all damage; `None` if its header cannot be read.
pub fn deliveries<F: Recording>(file: &[u8]) -> Option<Deliveries> {
    let mut found = Deliveries::default();
    let faults = deliver::<F>(file, Default::default(), &mut |sample| found.take(sample))?;
    Some(Deliveries { faults, ..found })
}

/// A recording recovered from a damaged one.
#[derive(Debug)]
pub struct Recovered {
    /// The new recording.
    pub file: Vec<u8>,
    /// Number of bytes reported missing from the old one.
    pub lost_bytes: u64,
    /// An error for each record, or part of one, left out, and one if an end is added.
    pub faults: Vec<Error>,
}

/// Recovers a recording; `None` if its header cannot be read.
pub fn recover<F: Recording>(file: &[u8]) -> Option<Recovered> {
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = F::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    let (mut lost_bytes, mut faults) = (0, Vec::new());
    loop {
        let outcome = match reader.next_event().unwrap() {
            Event::Record(record) => out.copy(&record, &mut |_, _| true).map(drop),
            Event::Damage { error, lost } => {
                lost_bytes += lost.end - lost.start;
                Err(error)
            }
            Event::End => break,
        };
        faults.extend(outcome.err());
    }
    faults.extend(out.unfinished());
    lost_bytes += out.left_out();
    Some(Recovered { file: out.finish().unwrap().into_inner(), lost_bytes, faults })
}

/// Asserts for any input, however damaged:
///
/// - The survey counts the samples that are delivered, and reports damage if there is a fault.
/// - The recovered recording has no fault, and delivers the same samples.
/// - Every byte missing from the recovered recording is counted.
///
/// Returns the recovered recording; `None` if the header of the input cannot be read.
pub fn assert_agrees<F: Recording>(name: &str, file: &[u8]) -> Option<Vec<u8>> {
    Some(assert_found_agrees::<F>(name, file, &deliveries::<F>(file)?))
}

/// [`assert_agrees`] about an input from which `found` is delivered.
fn assert_found_agrees<F: Recording>(name: &str, file: &[u8], found: &Deliveries) -> Vec<u8> {
    let summary = survey(&mut StreamReader::<_, F>::new(file).unwrap()).unwrap();
    let counted: BTreeMap<_, _> = summary
        .channels
        .iter()
        .filter(|channel| channel.records > 0)
        .map(|channel| (&channel.name, (channel.records, channel.values)))
        .collect();
    let delivered: BTreeMap<_, _> =
        found.channels.iter().map(|(name, channel)| (name, (channel.samples, channel.values))).collect();
    assert_eq!(counted, delivered, "{name}: counted, and delivered");
    for channel in summary.channels.iter().filter(|channel| channel.records > 0) {
        let kinds = &found.channels[&channel.name].kinds;
        assert!(kinds.contains(channel.kind), "{name}: {} is {}, not {kinds:?}", channel.name, channel.kind);
        let columns = &found.channels[&channel.name].columns;
        assert_eq!(*channel.columns, columns[channel.kind], "{name}: columns of {}", channel.name);
    }
    let (findings, faults) = (&summary.findings, &found.faults);
    assert_eq!(summary.is_ok(), faults.is_empty(), "{name}: {findings:?}, and delivered with {faults:?}");

    let recovered = recover::<F>(file).unwrap();
    let again = deliveries::<F>(&recovered.file).unwrap_or_default();
    assert!(again.faults.is_empty(), "{name}: what is recovered is damaged: {:?}", again.faults);
    if again.samples != found.samples {
        let at = found.samples.iter().zip(&again.samples).take_while(|(a, b)| a == b).count();
        panic!(
            "{name}: {} samples are delivered, {} recovered; number {at} is\n{}\nand recovered\n{}",
            found.samples.len(),
            again.samples.len(),
            nth_sample::<F>(file, at),
            nth_sample::<F>(&recovered.file, at)
        );
    }
    let missing = (file.len() as u64).saturating_sub(recovered.file.len() as u64);
    let lost = recovered.lost_bytes;
    assert!(missing <= lost, "{name}: {missing} bytes are missing, and {lost} counted");
    let left_out = &recovered.faults;
    assert_eq!(faults.is_empty(), left_out.is_empty(), "{name}: {faults:?}, and recovered with {left_out:?}");
    recovered.file
}

fn nth_sample<F: Recording>(file: &[u8], n: usize) -> String {
    let (mut at, mut text) = (0, "none".to_owned());
    deliver::<F>(file, Default::default(), &mut |sample| {
        if at == n {
            text = shown(sample);
        }
        at += 1;
    });
    text
}

/// Asserts that inputs which deliver fewer values than the `whole` file are reported as damaged, or have a finding with
/// one of the codes `told`. Returns the number of inputs read.
pub fn assert_losses_are_told<F: Recording>(
    name: &str,
    whole: &[u8],
    inputs: impl Iterator<Item = Vec<u8>>,
    told: &[&str],
) -> usize {
    let values = |found: &Deliveries| found.channels.values().map(|channel| channel.values).sum::<u64>();
    let before = values(&deliveries::<F>(whole).unwrap());
    let mut read = 0;
    for input in inputs {
        let Some(found) = deliveries::<F>(&input) else { continue };
        read += 1;
        assert_found_agrees::<F>(name, &input, &found);
        if values(&found) < before && found.faults.is_empty() {
            let summary = survey(&mut StreamReader::<_, F>::new(&input[..]).unwrap()).unwrap();
            let is_told = summary.findings.iter().any(|finding| told.contains(&finding.code));
            assert!(
                is_told,
                "{name}: values are lost, and only this is found: {:?}\n{}",
                summary.findings,
                Escaped(&input)
            );
        }
    }
    read
}

/// [`assert_agrees`] and [`assert_losses_are_told`] for each single-bit flip of `file`, or one in three unless tests are
/// [thorough](crate::is_thorough). Most must still be readable.
pub fn assert_flips_agree<F: Recording>(name: &str, file: impl AsRef<[u8]>) {
    let file = file.as_ref();
    let bits = one_in(3, 0..file.len() * 8);
    let count = bits.clone().count();
    let flips = bits.map(|bit| {
        let mut flipped = file.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    });
    assert_agrees::<F>(name, file);
    let read = assert_losses_are_told::<F>(name, file, flips, &[]);
    println!("{name}: {read} of {count} flips are read");
    assert!(read * 10 > count * 7, "{name}: {read}");
}
