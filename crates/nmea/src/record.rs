//! A record: a sentence or other bytes.

use robolog_core::{
    Error, Timestamp,
    format::{RawRecord, Timed},
    slices::{before, past},
    text::Escaped,
};

use super::{
    Checksum, Header, Message, Sentence,
    epoch::{Epoch, Stamp, Trust},
    format::{self, LONGEST},
    prefix::{self, Prefix},
    waypoints::waypoint,
};

/// A sentence with what a logger wrote around it on its line, or other bytes between sentences.
///
/// ```
/// use robolog_nmea::robolog_core::format::Timed as _;
///
/// # let file = std::fs::read("examples/types.nmea").unwrap();
/// let reader = robolog_nmea::Reader::new(&file)?;
/// for record in reader.records() {
///     let record = record?;
///     println!("byte {}: {:?}", record.offset(), record.time());
/// }
/// # assert!(reader.records().count() > 0);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    raw: RawRecord<'a>,
    sentence: Option<Sentence<'a>>,
    /// How far the log's date is trusted.
    trust: Trust,
}

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        let sentence = Self::sentence_of(raw.bytes, raw.offset);
        Self { raw, sentence, trust: header.trust() }
    }

    #[inline]
    pub(super) fn sentence_of(bytes: &'a [u8], offset: u64) -> Option<Sentence<'a>> {
        if bytes.len() > LONGEST {
            return None;
        }
        match bytes {
            [b'$', next, ..] if *next != b'$' => Sentence::new(bytes, offset),
            [b'!', ..] => Sentence::new(bytes, offset),
            _ => Self::behind_prefix(bytes, offset),
        }
    }

    /// The sentence of a line with a prefix: see [`prefix`].
    #[cold]
    fn behind_prefix(bytes: &'a [u8], offset: u64) -> Option<Sentence<'a>> {
        let at = prefix::sentence_at(bytes)?;
        Sentence::new(bytes.get(at..)?, past(offset, at))
    }

    /// What a logger wrote before the sentence.
    pub(super) fn prefix(&self) -> Option<Prefix<'a>> {
        let sentence = self.sentence.as_ref()?;
        if sentence.bytes().len() == self.raw.bytes.len() { None } else { prefix::parse(self.raw.bytes) }
    }

    /// The bytes before the sentence, and those from its checksum's end on.
    pub(super) fn around(&self) -> (&'a [u8], &'a [u8]) {
        let Some(sentence) = &self.sentence else { return (&[], &[]) };
        (before(self.raw.bytes, sentence.bytes()), sentence.behind())
    }

    /// The time that a logger wrote beside the sentence: Unix time in nanoseconds.
    #[inline]
    pub(super) fn logged(&self) -> Option<i64> {
        let sentence = self.sentence.as_ref()?;
        if sentence.bytes().len() == self.raw.bytes.len() && sentence.behind().len() <= 2 {
            return None;
        }
        self.prefix().and_then(|prefix| prefix.time).or_else(|| prefix::time_behind(sentence.behind()))
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, including the line end.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The sentence; `None` for other bytes. Its checksum may be wrong.
    pub fn sentence(&self) -> Option<&Sentence<'a>> {
        self.sentence.as_ref()
    }

    /// The sentence, unless it is [damaged](Self::damage).
    #[inline]
    pub fn whole(&self) -> Option<&Sentence<'a>> {
        self.sentence.as_ref().filter(|sentence| match sentence.checksum() {
            Checksum::Right => memchr::memchr(0, sentence.bytes()).is_none(),
            Checksum::None => Damage::without_checksum(sentence).is_none(),
            Checksum::Wrong { .. } => false,
        })
    }

    /// The damage of a sentence; `None` for a whole one and for other bytes.
    pub fn damage(&self) -> Option<Error> {
        Some(self.fault()?.error(self.raw.offset))
    }

    /// The same, as the kind that a survey reports.
    #[inline]
    pub(super) fn fault(&self) -> Option<Damage> {
        let Some(sentence) = &self.sentence else {
            if format::is_message(self.raw.bytes) {
                return None;
            }
            if let Some(at) = format::hole(self.raw.bytes) {
                return Some(Damage::Hole(at));
            }
            let is_lost = self.raw.bytes.len() <= LONGEST && format::is_nearly_a_sentence(self.raw.bytes);
            return is_lost.then_some(Damage::Start);
        };
        match sentence.checksum() {
            // One hole in 256 leaves the checksum right.
            Checksum::Right => memchr::memchr(0, sentence.bytes()).map(Damage::Hole),
            Checksum::None => Damage::without_checksum(sentence),
            Checksum::Wrong { found, expected } => Some(Damage::Checksum { found, expected }),
        }
    }

    /// The fields of a whole sentence of a known type; invalid ones count as empty. [`Message::decode`] reports them.
    #[inline]
    pub fn message(&self) -> Option<Message<'a>> {
        Message::decode_any(self.whole()?)
    }

    /// Date and time of a whole sentence, and the time beside it.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        let message = Message::decode_any(self.whole()?);
        Some(message.as_ref().map(Stamp::of).unwrap_or_default().beside(self.logged()))
    }

    /// The time beside a sentence that has none.
    pub(super) fn untimed(&self) -> Option<Timestamp> {
        self.logged()?;
        self.stamp().filter(|stamp| stamp.time.is_none())?.logged()
    }

    /// The time, as far as this record alone gives it: RMC and ZDA have a date; a time beside a sentence, as a TAG block
    /// has it, is that of a sentence without one. Of the others, in a log without dates, the time since midnight;
    /// otherwise `None`, because their day depends on earlier sentences. Samples, surveys and copies follow the days.
    pub fn time(&self) -> Option<Timestamp> {
        let stamp = self.stamp()?;
        if stamp.time.is_none() {
            return stamp.logged();
        }
        if self.trust > Trust::Logged && !matches!(self.whole()?.kind(), "RMC" | "ZDA") {
            return None;
        }
        let mut epoch = Epoch::default();
        epoch.apply(stamp);
        let time = epoch.now()?;
        (self.trust == Trust::None || time.clock() == robolog_core::Clock::Unix).then_some(time)
    }

    /// The channel it belongs to: see [`Decoder`](super::Decoder).
    pub fn channel(&self) -> &'a str {
        match self.whole() {
            None if self.fault().is_some() => DAMAGED,
            None => OTHER,
            Some(sentence) => match sentence.kind() {
                "GGA" | "GNS" | "RMC" | "GLL" | "VTG" | "GSA" => FIX,
                "GSV" => SATELLITES,
                "HDT" => HEADING,
                "GST" => ERRORS,
                "WPL" if waypoint(sentence).is_some() => WAYPOINTS,
                kind => kind,
            },
        }
    }
}

/// Damage of a sentence.
#[derive(Debug)]
pub(super) enum Damage {
    Checksum {
        found: u8,
        expected: u8,
    },
    /// It has neither a checksum nor the end of a line.
    Truncated,
    /// It has no checksum, and another sentence begins inside it: a line end is lost.
    Joined,
    /// One of its first bytes is wrong.
    Start,
    /// It has a hole of zeros at this index.
    Hole(usize),
    /// It has no checksum and an unreadable field.
    Field(Error),
}

impl Damage {
    #[cold]
    fn without_checksum(sentence: &Sentence<'_>) -> Option<Self> {
        if !sentence.is_ended() {
            return Some(Self::Truncated);
        }
        if let Some(at) = format::hole(sentence.bytes()) {
            return Some(Self::Hole(at));
        }
        if sentence.fields().any(|field| memchr::memchr(b'$', field).is_some()) {
            return Some(Self::Joined);
        }
        Message::decode(sentence).err().map(Self::Field)
    }

    /// A short stable code for the kind of damage.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::Checksum { .. } => "checksum",
            Self::Truncated => "truncated",
            Self::Joined | Self::Start | Self::Hole(_) => "sentence",
            Self::Field(_) => "field",
        }
    }

    #[cold]
    pub(super) fn error(self, at: u64) -> Error {
        let error = match self {
            Self::Checksum { found, expected } => {
                Error::invalid("checksum", format_args!("{found:02X}"), format_args!("{expected:02X}"), at)
            }
            Self::Truncated => Error::missing("checksum and no end of line", at),
            Self::Joined => Error::unexpected("a sentence inside another", at),
            Self::Start => Error::missing("$ or ! and address at the start of a sentence", at),
            Self::Hole(place) => Error::unexpected("a hole of zeros", past(at, place)),
            Self::Field(error) => error,
        };
        error.within("nmea")
    }
}

pub(super) const FIX: &str = "fix";
pub(super) const SATELLITES: &str = "satellites";
pub(super) const HEADING: &str = "heading";
pub(super) const ERRORS: &str = "errors";
pub(super) const WAYPOINTS: &str = "waypoints";
pub(super) const ROUTES: &str = "routes";
pub(super) const DAMAGED: &str = "damaged";
pub(super) const OTHER: &str = "other";

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.sentence {
            Some(sentence) => sentence.fmt(f),
            None => f
                .debug_struct("Other")
                .field("offset", &self.raw.offset)
                .field("bytes", &Escaped(self.raw.bytes).to_string())
                .finish(),
        }
    }
}
