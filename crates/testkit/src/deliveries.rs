//! What a recording delivers, so that every way of reading it can be held to the same.

use std::{collections::BTreeMap, io::Cursor};

use robolog_core::{
    Event, Recording, Rewriting, Sample, Sampling, StreamReader, Value, survey, text::Escaped,
};

use crate::Fnv;

/// The samples of a recording, and whether any of it is damaged.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Deliveries {
    /// A digest of each sample, in order: channel, frame, time and value.
    pub samples: Vec<u64>,
    /// By channel: kind, samples, and their values (points of clouds, ranges of scans).
    pub channels: BTreeMap<String, (&'static str, u64, u64)>,
    /// Whether a record, or a part of one, cannot be read.
    pub is_damaged: bool,
}

impl Deliveries {
    fn take(&mut self, sample: &Sample) {
        let mut digest = Fnv::default();
        digest.text(&format!("{:?} {} {} {:?}", sample.time, sample.channel, sample.frame_id, sample.value));
        self.samples.push(digest.finish());
        let values = match &sample.value {
            Value::PointCloud(cloud) => cloud.len(),
            Value::LaserScan(scan) => scan.ranges.len(),
            _ => 1,
        };
        let (_, samples, sum) =
            self.channels.entry(sample.channel.to_string()).or_insert((sample.value.kind(), 0, 0));
        *samples += 1;
        *sum += values as u64;
    }
}

/// What a recording delivers past all damage; `None` when its header cannot be read.
pub fn deliveries<F: Recording>(file: &[u8]) -> Option<Deliveries> {
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let mut sampler = F::Sampler::new(reader.header(), Default::default());
    let mut found = Deliveries::default();
    loop {
        let mut sink = |sample: &mut Sample| {
            found.take(sample);
            Ok::<(), robolog_core::Error>(())
        };
        let is_good = match reader.next_event().unwrap() {
            Event::Record(record) => sampler.push(&record, &mut sink).is_ok(),
            Event::Damage { .. } => false,
            Event::End => {
                let is_good = sampler.finish(&mut sink).is_ok();
                found.is_damaged |= !is_good;
                return Some(found);
            }
        };
        found.is_damaged |= !is_good;
    }
}

/// What can be read of a recording as a new one; `None` when its header cannot be read.
pub fn recovered<F: Recording>(file: &[u8]) -> Option<Vec<u8>> {
    let mut reader = StreamReader::<_, F>::new(file).ok()?;
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = F::Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => drop(out.copy(&record, &mut |_, _| true)),
            Event::Damage { .. } => {}
            Event::End => return Some(out.finish().unwrap().into_inner()),
        }
    }
}

/// The survey counts the samples that are delivered, calls damaged what lost some, and what is recovered is whole and
/// delivers the same samples.
pub fn assert_agrees<F: Recording>(name: &str, file: &[u8]) {
    let Some(found) = deliveries::<F>(file) else { return };
    let summary = survey::<F::Survey>(&mut StreamReader::new(file).unwrap()).unwrap();
    let counted = summary.channels.iter().filter(|channel| channel.records > 0);
    let counted: BTreeMap<_, _> = counted
        .map(|channel| (channel.name.clone(), (channel.kind, channel.records, channel.values)))
        .collect();
    assert_eq!(counted, found.channels, "{name}: counted, and delivered");
    assert_eq!(summary.is_ok(), !found.is_damaged, "{name}: {:?}", summary.findings);

    let recovered = recovered::<F>(file).unwrap();
    let again = deliveries::<F>(&recovered).unwrap_or_default();
    assert!(!again.is_damaged, "{name}: what is recovered is damaged");
    assert_eq!(again.samples.len(), found.samples.len(), "{name}: samples recovered, and delivered");
    assert!(again.samples == found.samples, "{name}: the samples recovered differ from those delivered");
}

/// Inputs that deliver fewer values than the `whole` file does are called damaged, or have a finding with one of the
/// codes `told`. Returns how many inputs were read.
pub fn assert_losses_are_told<F: Recording>(
    name: &str,
    whole: &[u8],
    inputs: impl Iterator<Item = Vec<u8>>,
    told: &[&str],
) -> usize {
    let values = |found: &Deliveries| found.channels.values().map(|(_, _, values)| values).sum::<u64>();
    let before = values(&deliveries::<F>(whole).unwrap());
    let mut read = 0;
    for input in inputs {
        let Some(found) = deliveries::<F>(&input) else { continue };
        read += 1;
        assert_agrees::<F>(name, &input);
        if values(&found) < before && !found.is_damaged {
            let summary = survey::<F::Survey>(&mut StreamReader::new(&input[..]).unwrap()).unwrap();
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
