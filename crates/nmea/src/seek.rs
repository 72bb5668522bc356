//! Whether reading can go on at a later sentence: at one with a date and a valid fix, from which days are counted anew.

use robolog_core::{ReorderBound, Seeking, Timestamp};

use super::{Header, Message, Nmea, Options, Record, epoch::Epoch};

/// Sentences of a moment follow each other.
const SLACK: ReorderBound = ReorderBound { order: 10 * SECOND, reach: 60 * SECOND };
const SECOND: i64 = 1_000_000_000;

/// Takes in the first sentences.
#[derive(Debug)]
pub(crate) struct FirstSentences {
    start: Epoch,
    has_fix: bool,
}

impl FirstSentences {
    pub(crate) fn new(header: &Header, options: Options) -> Self {
        let mut header = *header;
        if let Some(date) = options.date {
            header.set_date(date);
        }
        Self { start: header.epoch(), has_fix: false }
    }
}

impl Seeking<Nmea> for FirstSentences {
    fn push(&mut self, record: &Record<'_>) {
        self.has_fix |= self.span(record).is_some();
    }

    /// Where no sentence has a date, days are counted from the first.
    fn slack(&self) -> Option<ReorderBound> {
        self.has_fix.then_some(SLACK)
    }

    /// That of a sentence with a date that counts whatever was before.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        if record.damage().is_some() {
            return None;
        }
        let message = record.message().filter(|message| matches!(message, Message::Rmc(_)))?;
        let mut epoch = self.start;
        let now = epoch.begin(&message)?;
        Some((now, now))
    }

    /// Moments before the first date may be earlier.
    fn knows_start(&self) -> bool {
        false
    }

    fn untimed_follow(&self) -> bool {
        false
    }
}
