//! A record: a sentence, or bytes that are none.

use robolog_core::{RawRecord, Timed, Timestamp, text::Escaped};

use super::{Checksum, Header, Message, Sentence, format::LONGEST};

/// A sentence, or a line or piece of other bytes between sentences.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    raw: RawRecord<'a>,
    sentence: Option<Sentence<'a>>,
    is_dated: bool,
}

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        let sentence = Self::sentence_of(raw.bytes, raw.offset);
        Self { raw, sentence, is_dated: header.date().is_some() }
    }

    #[inline]
    pub(super) fn sentence_of(bytes: &'a [u8], offset: u64) -> Option<Sentence<'a>> {
        if bytes.len() > LONGEST { None } else { Sentence::new(bytes, offset) }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, the end of the line included.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The sentence; `None` where it is none. Its checksum may be wrong.
    pub fn sentence(&self) -> Option<&Sentence<'a>> {
        self.sentence.as_ref()
    }

    /// The sentence when nothing speaks against it: its checksum is right, or it has none but an end of line. Of one
    /// that has neither, nobody knows how much is missing.
    #[inline]
    pub fn whole(&self) -> Option<&Sentence<'a>> {
        self.sentence.as_ref().filter(|sentence| match sentence.checksum() {
            Checksum::Right => true,
            Checksum::None => sentence.is_ended(),
            Checksum::Wrong { .. } => false,
        })
    }

    /// The fields of a sentence that is whole and of a known type; those that cannot be read are taken for empty. See
    /// [`Message::decode`] for what tells of them.
    #[inline]
    pub fn message(&self) -> Option<Message<'a>> {
        Message::decode_any(self.whole()?)
    }

    /// The moment, as far as this sentence alone tells it: RMC and ZDA know the date. In a log without dates, the time
    /// of day of the others, counted from midnight; else `None`, for it takes the sentences before to know their day.
    /// Samples, surveys and copies do follow the days.
    pub fn time(&self) -> Option<Timestamp> {
        let message = self.message()?;
        if self.is_dated && !matches!(&message, Message::Rmc(_) | Message::Zda(_)) {
            return None;
        }
        let mut epoch = Header::default().epoch();
        epoch.push(&message);
        let time = epoch.now()?;
        (!self.is_dated || time.clock() == robolog_core::Clock::Unix).then_some(time)
    }

    /// The channel it belongs to: see [`Sampler`](super::Sampler).
    pub fn channel(&self) -> &'a str {
        match self.whole() {
            None if self.sentence.is_some() => DAMAGED,
            None => OTHER,
            Some(sentence) => match sentence.kind() {
                "GGA" | "GNS" | "RMC" | "GLL" | "VTG" | "GSA" => FIX,
                "GSV" => SATELLITES,
                "HDT" => HEADING,
                "GST" => ERRORS,
                kind => kind,
            },
        }
    }
}

pub(super) const FIX: &str = "fix";
pub(super) const SATELLITES: &str = "satellites";
pub(super) const HEADING: &str = "heading";
pub(super) const ERRORS: &str = "errors";
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
