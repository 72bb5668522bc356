//! Counts of a log, and what is wrong with it.

use std::{collections::BTreeMap, sync::Arc};

use robolog_core::{
    Clock, Error, Field, Notes, Result, Rhythm, Sample, Sampling, Severity, Timestamp, Value,
    geodetic::Bounds, text::Escaped,
};

use super::{
    Checksum, Header, Message, Nmea, Options, Record, Sampler, Sentence, sample::Sink as SampleSink,
};

/// What a log of NMEA sentences contains.
///
/// ```
/// let details = robolog_nmea::survey("../../testdata/nmea/types.nmea")?.details;
/// assert_eq!(details.checksum_bad, 0);
/// assert!(details.types["GGA"] > 0);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Sentences, whole or damaged.
    pub sentences: u64,
    /// Those with a right checksum.
    pub checksum_ok: u64,
    /// Those with a wrong one.
    pub checksum_bad: u64,
    /// Those without.
    pub no_checksum: u64,
    /// Bytes that belong to no sentence.
    pub other_bytes: u64,
    /// Sentences by type, the damaged ones too; proprietary ones by their whole address.
    pub types: BTreeMap<String, u64>,
    /// Sentences by talker.
    pub talkers: BTreeMap<String, u64>,
    /// GGA sentences with a right checksum, latitude and longitude.
    pub gga_positions: u64,
    /// GGA sentences with a right checksum by their quality; those without under an empty name.
    pub gga_qualities: BTreeMap<String, u64>,
    /// GSV sentences with a right checksum.
    pub gsv_sentences: u64,
    /// Satellites in them.
    pub gsv_satellites: u64,
    /// Whole sentences with a field that cannot be read.
    pub unreadable: u64,
    /// Whether the log gives a date.
    pub is_dated: bool,
    /// Where the positions lie.
    pub extent: Option<Bounds>,
}

/// Counts sentences: see [`robolog_core::survey`].
///
/// ```
/// let summary = robolog_nmea::survey("../../testdata/nmea/types.nmea")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    sampler: Sampler,
    details: Details,
    channels: BTreeMap<String, Tally>,
    other_at: Option<u64>,
}

#[derive(Debug, Default)]
struct Tally {
    kind: &'static str,
    records: u64,
    /// Of the times on each clock: the first is unix time.
    spans: [Option<(i64, i64)>; 2],
    rhythm: Rhythm,
    /// The columns of rows.
    columns: Option<Arc<[Field]>>,
}

/// Types, talkers and channels beyond this number share a name.
const NAMES: usize = 1 << 12;

fn increase(n: &mut u64, by: u64) {
    *n += by;
}

/// Counts one under a name; names beyond the limit under `...`.
fn count(map: &mut BTreeMap<String, u64>, name: &str) {
    if let Some(n) = map.get_mut(name) {
        return increase(n, 1);
    }
    let name = if map.len() < NAMES { Escaped(name.as_bytes()).to_string() } else { "...".into() };
    increase(map.entry(name).or_default(), 1);
}

impl robolog_core::Surveying for Survey {
    type Format = Nmea;
    type Details = Details;

    fn new(header: &Header, _: &mut Notes) -> Self {
        Self {
            sampler: Sampler::new(header, Options::default()),
            details: Details { is_dated: header.date().is_some(), ..Details::default() },
            channels: BTreeMap::new(),
            other_at: None,
        }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        if let Some(fault) = record.fault() {
            let code = fault.code();
            let error = fault.error(record.offset());
            notes.find(Severity::Error, code, error.offset(), error);
        }
        let Some(sentence) = record.sentence() else {
            increase(&mut self.details.other_bytes, record.bytes().len() as u64);
            if self.other_at.is_none() && !record.bytes().trim_ascii().is_empty() {
                self.other_at = Some(record.offset());
            }
            return;
        };
        increase(&mut self.details.sentences, 1);
        count(&mut self.details.types, sentence.kind());
        count(&mut self.details.talkers, sentence.talker());
        match sentence.checksum() {
            Checksum::None => increase(&mut self.details.no_checksum, 1),
            Checksum::Right => increase(&mut self.details.checksum_ok, 1),
            Checksum::Wrong { .. } => increase(&mut self.details.checksum_bad, 1),
        }
        if let Some(sentence) = record.whole() {
            let (message, fault) = Message::decode_lenient(sentence);
            // What is delivered is counted as it is delivered.
            self.sampled(|sampler, sink| sampler.push_message(record, sentence, message.as_ref(), sink));
            if let Some(message) = message {
                self.message(sentence, &message);
            }
            if let Some(fault) = fault {
                increase(&mut self.details.unreadable, 1);
                notes.find(Severity::Warning, "field", fault.offset(), fault);
            }
        }
        notes.stamp(self.sampler.now());
    }

    fn finish(mut self, notes: &mut Notes) -> (String, Details) {
        self.sampled(|sampler, sink| sampler.finish(sink));
        for (name, tally) in std::mem::take(&mut self.channels) {
            // On the clock that says more.
            let [unix, relative] = tally.spans;
            let span = unix.map(|s| (s, Clock::Unix)).or(relative.map(|s| (s, Clock::Relative)));
            let span = span.map(|((a, b), clock)| (Timestamp::new(a, clock), Timestamp::new(b, clock)));
            notes.tally(&name, tally.kind, tally.records, tally.records, span);
            notes.rhythm(&name, tally.rhythm);
            if let Some(columns) = tally.columns {
                notes.columns(&name, &columns);
            }
        }
        let other = self.details.other_bytes;
        if let Some(at) = self.other_at {
            let message =
                format_args!("{other} bytes belong to no sentence; the first text or binary data is here");
            notes.find(Severity::Note, "other-bytes", at, message);
        }
        if !self.details.is_dated && self.sampler.now().is_some() {
            let message = "no date near the beginning: times count from midnight until a date appears";
            notes.find(Severity::Note, "no-date", 0, message);
        }
        ("NMEA 0183".to_owned(), self.details)
    }
}

impl Survey {
    /// Counts the samples that `deliver` gives to its sink.
    fn sampled(&mut self, deliver: impl FnOnce(&mut Sampler, SampleSink<'_, Error>) -> Result<()>) {
        let Self { sampler, channels, details, .. } = self;
        let sink = &mut |sample: &mut Sample| {
            if let Value::GnssFix(fix) = &sample.value {
                details.extent = Bounds::with(details.extent, fix.latitude, fix.longitude);
            }
            if !channels.contains_key(&*sample.channel) {
                if channels.len() >= NAMES {
                    return Ok(());
                }
                let columns =
                    if let Value::Row(row) = &sample.value { Some(row.fields.clone()) } else { None };
                let tally = Tally { kind: sample.value.kind(), columns, ..Tally::default() };
                channels.insert(sample.channel.to_string(), tally);
            }
            if let Some(tally) = channels.get_mut(&*sample.channel) {
                tally.add(sample);
            }
            Ok(())
        };
        // The sampler fails for damage alone, which is a finding already.
        let _ = deliver(sampler, sink);
    }

    /// Counts what is in a whole sentence of a known type.
    fn message(&mut self, sentence: &Sentence<'_>, message: &Message<'_>) {
        if sentence.checksum() != Checksum::Right {
            return;
        }
        let details = &mut self.details;
        match message {
            Message::Gga(gga) => {
                increase(&mut details.gga_positions, gga.latitude.and(gga.longitude).is_some().into());
                match gga.quality {
                    Some(quality @ 0..=9) => {
                        let digit = [b'0'.wrapping_add(quality)];
                        count(&mut details.gga_qualities, std::str::from_utf8(&digit).unwrap_or_default());
                    }
                    Some(quality) => count(&mut details.gga_qualities, &quality.to_string()),
                    None => count(&mut details.gga_qualities, ""),
                }
            }
            Message::Gsv(gsv) => {
                increase(&mut details.gsv_sentences, 1);
                increase(&mut details.gsv_satellites, gsv.satellites().count() as u64);
            }
            _ => {}
        }
    }
}

impl Tally {
    fn add(&mut self, sample: &Sample) {
        increase(&mut self.records, 1);
        let Some(time) = sample.time else { return };
        self.rhythm.add(time);
        let [unix, relative] = &mut self.spans;
        let span = if time.clock() == Clock::Unix { unix } else { relative };
        let (first, last) = span.unwrap_or((time.nanos(), time.nanos()));
        *span = Some((first.min(time.nanos()), last.max(time.nanos())));
    }
}
