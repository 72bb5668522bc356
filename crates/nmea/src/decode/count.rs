//! Counts and findings of a log.

use std::collections::BTreeMap;

use robolog_core::{Severity, Timestamp, format::SurveyBuilder, geodetic::Bounds, text::Escaped};

use super::clocks::Clocks;
use crate::{
    Checksum, Header, Message, Record, Sentence,
    epoch::Stamp,
    layout::Satellites,
    sentence::{kind, talker},
};

/// Contents of an NMEA log.
///
/// ```
/// use robolog_nmea::StreamReader;
/// let log = b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n$GPHDT,92.5,T\r\n";
/// let details = StreamReader::new(&log[..])?.survey()?.details;
/// assert_eq!((details.checksum_ok, details.no_checksum, details.checksum_bad), (1, 1, 0));
/// assert_eq!(details.types["GGA"], 1);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Sentences, whole or damaged.
    pub sentences: u64,
    /// Sentences with a right checksum.
    pub checksum_ok: u64,
    /// Sentences with a wrong checksum.
    pub checksum_bad: u64,
    /// Sentences without a checksum.
    pub no_checksum: u64,
    /// Bytes outside of sentences.
    pub other_bytes: u64,
    /// Sentences by type, damaged ones included; proprietary ones by their whole address.
    pub types: BTreeMap<String, u64>,
    /// Sentences by talker.
    pub talkers: BTreeMap<String, u64>,
    /// GGA sentences with a right checksum, latitude and longitude.
    pub gga_positions: u64,
    /// GGA sentences with a right checksum by quality; the name is empty without one.
    pub gga_qualities: BTreeMap<String, u64>,
    /// GSV sentences with a right checksum.
    pub gsv_sentences: u64,
    /// Satellites in these sentences.
    pub gsv_satellites: u64,
    /// Whole sentences with a field that cannot be read.
    pub unreadable: u64,
    /// Whether the log gives a date.
    pub is_dated: bool,
    /// The bounding box of all positions, without those of quality 0, which are not fixes.
    pub extent: Option<Bounds>,
}

/// Counts beside those of the samples.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) details: Details,
    names: Names,
    /// GGA sentences with a right checksum by quality.
    qualities: Vec<(Option<u8>, u64)>,
    /// Offset of the first bytes outside of sentences.
    other_at: Option<u64>,
    /// Whether the type of the last sentence is counted under its own name.
    pub(super) is_listed: bool,
    clocks: Clocks,
    /// Epochs whose positions are far apart: their number, the first one and the longest distance.
    far: Option<(u64, u64, f64)>,
}

/// Metres between positions of one epoch that no receiver means.
const FAR: f64 = 1000.0;

/// Maximum number of types and talkers; further ones share a name, and their samples are not counted.
const NAMES: usize = 1 << 12;

/// Counts a name `more` times; names beyond the limit count as `...`. Returns whether it has its own count.
fn count(map: &mut BTreeMap<String, u64>, name: &[u8], more: u64) -> bool {
    let name = Escaped(name).to_string();
    let is_listed = map.len() < NAMES || map.contains_key(&name);
    *map.entry(if is_listed { name } else { "...".into() }).or_default() += more;
    is_listed
}

/// Counts of types and talkers. The first few short addresses are counted by themselves; those of the standard are short.
#[derive(Debug, Default)]
struct Names {
    types: BTreeMap<String, u64>,
    talkers: BTreeMap<String, u64>,
    /// By their bytes, which the length follows.
    short: Vec<([u8; 8], u64)>,
}

/// Number of short addresses.
const SHORT: usize = 16;

impl Names {
    /// Counts an address. Returns whether its type has its own count.
    #[inline]
    fn count(&mut self, address: &[u8]) -> bool {
        let key = key(address);
        if let Some((_, n)) = self.short.iter_mut().find(|(known, _)| Some(*known) == key) {
            *n += 1;
            return true;
        }
        let is_listed = count(&mut self.types, kind(address), 1);
        let is_short = count(&mut self.talkers, talker(address), 1) && is_listed;
        if let Some(key) = key.filter(|_| is_short && self.short.len() < SHORT) {
            self.short.push((key, 0));
        }
        is_listed
    }

    /// Types and talkers.
    fn finish(mut self) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
        for ([bytes @ .., len], more) in self.short {
            let address = bytes.get(..len.into()).unwrap_or_default();
            count(&mut self.types, kind(address), more);
            count(&mut self.talkers, talker(address), more);
        }
        (self.types, self.talkers)
    }
}

/// A short address and its length.
#[inline]
fn key(address: &[u8]) -> Option<[u8; 8]> {
    // Nearly all have five letters.
    if let [a, b, c, d, e] = *address {
        return Some([a, b, c, d, e, 0, 0, 5]);
    }
    let mut key = [0; 8];
    let [bytes @ .., len] = &mut key;
    bytes.get_mut(..address.len())?.copy_from_slice(address);
    *len = u8::try_from(address.len()).ok()?;
    Some(key)
}

impl Counts {
    pub(super) fn new(header: &Header) -> Self {
        let details = Details { is_dated: header.date().is_some(), ..Details::default() };
        let clocks = Clocks::new(header);
        let (names, qualities) = (Names::default(), Vec::new());
        Self { details, names, qualities, other_at: None, is_listed: true, clocks, far: None }
    }

    /// Follows the times of a whole sentence at `offset`; `now` is the receiver's time after it.
    pub(super) fn times(&mut self, stamp: Stamp, now: Option<Timestamp>, offset: u64) {
        self.clocks.push(stamp, now, offset);
    }

    /// Notes the largest distance between the positions of an epoch, metres.
    pub(super) fn apart(&mut self, metres: f64, offset: u64) {
        if metres > FAR {
            let (count, first, most) = self.far.unwrap_or((0, offset, 0.0));
            self.far = Some((count + 1, first, most.max(metres)));
        }
    }

    /// Counts a record without reading its fields. Returns whether it is without fault.
    pub(super) fn record(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) -> bool {
        let fault = record.fault();
        let is_sound = fault.is_none();
        if let Some(fault) = fault {
            let code = fault.code();
            let error = fault.error(record.offset());
            notes.find(Severity::Error, code, error.offset(), error);
        }
        let details = &mut self.details;
        let Some(sentence) = record.sentence() else {
            details.other_bytes += record.bytes().len() as u64;
            if self.other_at.is_none() && !record.bytes().trim_ascii().is_empty() {
                self.other_at = Some(record.offset());
            }
            return is_sound;
        };
        details.sentences += 1;
        self.is_listed = self.names.count(sentence.address_bytes());
        match sentence.checksum() {
            Checksum::None => details.no_checksum += 1,
            Checksum::Right => details.checksum_ok += 1,
            Checksum::Wrong { .. } => details.checksum_bad += 1,
        }
        is_sound
    }

    /// Reads the fields of a whole sentence, and counts unreadable ones. `None` if its type is not known.
    #[inline]
    pub(super) fn fields<'a>(
        &mut self,
        sentence: &Sentence<'a>,
        notes: &mut SurveyBuilder,
    ) -> Option<Message<'a>> {
        let mut fault = None;
        let message = Message::decode_for(sentence, Satellites::Counted, &mut fault);
        if let Some(message) = &message {
            self.message(sentence, message);
        }
        if let Some(fault) = fault {
            self.details.unreadable += 1;
            notes.find(Severity::Warning, "field", fault.offset(), fault);
        }
        message
    }

    /// Counts the contents of a whole sentence of a known type.
    fn message(&mut self, sentence: &Sentence<'_>, message: &Message<'_>) {
        if sentence.checksum() != Checksum::Right {
            return;
        }
        let details = &mut self.details;
        match message {
            Message::Gga(gga) => {
                details.gga_positions += u64::from(gga.latitude.and(gga.longitude).is_some());
                match self.qualities.iter_mut().find(|(known, _)| *known == gga.quality) {
                    Some((_, n)) => *n += 1,
                    None => self.qualities.push((gga.quality, 1)),
                }
            }
            Message::Gsv(gsv) => {
                details.gsv_sentences += 1;
                details.gsv_satellites += gsv.count() as u64;
            }
            _ => {}
        }
    }

    pub(super) fn finish(mut self, has_times: bool, notes: &mut SurveyBuilder) -> Details {
        let other = self.details.other_bytes;
        if let Some(at) = self.other_at {
            let message =
                format_args!("{other} bytes belong to no sentence; the first text or binary data is here");
            notes.find(Severity::Note, "other-bytes", at, message);
        }
        if !self.details.is_dated && has_times {
            let message = "no date near the beginning: times count from midnight until a date appears";
            notes.find(Severity::Note, "no-date", 0, message);
        }
        self.clocks.finish(notes);
        (self.details.types, self.details.talkers) = self.names.finish();
        let qualities = self.qualities.into_iter();
        let name = |quality: Option<u8>| quality.map_or_else(String::new, |quality| quality.to_string());
        self.details.gga_qualities = qualities.map(|(quality, n)| (name(quality), n)).collect();
        if let Some((count, at, most)) = self.far {
            let epochs = if count == 1 { "epoch" } else { "epochs" };
            let message = format_args!(
                "in {count} {epochs} the positions of the sentences differ, by up to {:.1} km; the first one is here",
                most / 1000.0
            );
            notes.find(Severity::Warning, "position", at, message);
        }
        self.details
    }
}
