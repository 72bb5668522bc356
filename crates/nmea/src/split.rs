//! Where a log can be split: nearly anywhere, for the sentences with the date, the fix at hand and the satellites are
//! carried.

use std::ops::Range;

use robolog_core::{Splitting, Timestamp, extend_ranges};

use super::{
    Header, Message, Nmea, Options, Record, SkyView, Time,
    epoch::{Epoch, Stamp},
    fix::{Talkers, covariance},
};

/// Follows a log as a sampler does, and notes the sentences that one must be shown.
#[derive(Debug)]
pub(crate) struct Sentences {
    start: Epoch,
    epoch: Epoch,
    /// The last sentence whose date counts.
    date: Option<Entry>,
    /// The sentences before and after each midnight since.
    midnights: Vec<Entry>,
    /// The last sentence with a time.
    timed: Option<Entry>,
    fix: Option<Fix>,
    covariance: Option<Entry>,
    sky: SkyView,
    /// The sentences of the satellites at hand, and those that give them their times.
    satellites: Vec<Entry>,
    /// Whether the first of them says that it is the first.
    is_numbered: bool,
}

/// A sentence.
#[derive(Debug, Clone)]
struct Entry {
    range: Range<u64>,
    stamp: Stamp,
    role: Role,
    /// The time behind it.
    now: Option<Timestamp>,
}

/// What a sentence does besides telling a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Begins a fix, or goes on with one.
    Fix,
    /// Completes satellites.
    Satellites,
    Other,
}

/// The fix at hand.
#[derive(Debug)]
struct Fix {
    of_day: Option<Time>,
    gga_talkers: Talkers,
    entries: Vec<Entry>,
    /// The covariance of its time that came before it.
    covariance: Option<Entry>,
}

/// Maximum sentences per epoch.
const MOST: usize = 1 << 10;
/// A log of more days than this is not split behind them.
const MIDNIGHTS: usize = 1 << 10;

impl Sentences {
    pub(crate) fn new(header: &Header, options: Options) -> Self {
        let mut header = *header;
        if let Some(date) = options.date {
            header.set_date(date);
        }
        let start = header.epoch();
        Self {
            start,
            epoch: start,
            date: None,
            midnights: Vec::new(),
            timed: None,
            fix: None,
            covariance: None,
            sky: SkyView::new(),
            satellites: Vec::new(),
            is_numbered: true,
        }
    }

    fn time(&mut self, entry: &Entry) {
        if entry.stamp.time.is_none() {
            return;
        }
        let before = self.epoch;
        self.epoch.apply(entry.stamp);
        if before.takes_date_of(entry.stamp) {
            self.date = Some(entry.clone());
            self.midnights.clear();
        } else if self.epoch.is_of_another_day(&before) && self.midnights.len() < MIDNIGHTS {
            self.midnights.extend(self.timed.take());
            self.midnights.push(entry.clone());
        }
        self.timed = Some(Entry { now: self.epoch.now(), ..entry.clone() });
    }

    /// Follows the fix at hand as the sampler does.
    fn fix(&mut self, entry: Entry, talker: [u8; 2], is_gga: bool) {
        let time = entry.stamp.time;
        let of_day = |time: Option<Time>| time.map(Time::since_midnight);
        let goes_on = self.fix.as_ref().is_some_and(|fix| {
            (time.is_none() || of_day(time) == of_day(fix.of_day)) && !(is_gga && fix.gga_talkers.has(talker))
        });
        if !goes_on {
            self.fix = None;
            let same = |entry: &Entry| entry.stamp.time.is_some() && of_day(entry.stamp.time) == of_day(time);
            self.covariance = self.covariance.take().filter(same);
        }
        let covariance = self.covariance.clone();
        let new = || Fix { of_day: time, gga_talkers: Talkers::default(), entries: Vec::new(), covariance };
        let fix = self.fix.get_or_insert_with(new);
        if is_gga {
            fix.gga_talkers.add(talker);
        }
        fix.entries.push(entry);
    }

    /// What a sampler must be shown, in file order.
    fn carried(&self) -> Vec<&Entry> {
        let fix = self.fix.iter().flat_map(|fix| &fix.entries);
        let before = self.fix.iter().flat_map(|fix| &fix.covariance);
        let single = self.date.iter().chain(&self.timed).chain(&self.covariance).chain(before);
        let mut all: Vec<_> = single.chain(&self.midnights).chain(&self.satellites).chain(fix).collect();
        all.sort_by_key(|entry| entry.range.start);
        all
    }

    /// Whether a sampler that is shown these alone comes to where one is that was shown all.
    fn suffices(&self, carried: &[&Entry]) -> bool {
        let first = self.fix.as_ref().and_then(|fix| fix.entries.first());
        let first_at = first.map_or(u64::MAX, |first| first.range.start);
        let first_time = first.and_then(|first| first.stamp.time);
        let mut epoch = self.start;
        for entry in carried {
            epoch.apply(entry.stamp);
            let needs_time = entry.role == Role::Satellites || entry.range.start == first_at;
            if needs_time && epoch.now() != entry.now {
                return false;
            }
            // A fix before the one at hand must end where that one begins.
            let is_older = entry.role == Role::Fix && entry.range.start < first_at;
            let of_day = |time: Option<Time>| time.map(Time::since_midnight);
            if is_older
                && (first_time.is_none()
                    || entry.stamp.time.is_none()
                    || of_day(entry.stamp.time) == of_day(first_time))
            {
                return false;
            }
        }
        epoch == self.epoch && self.is_numbered
    }
}

impl Splitting<Nmea> for Sentences {
    fn carry(&mut self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let carried = self.carried();
        if carried.len() > MOST + MIDNIGHTS || !self.suffices(&carried) {
            return None;
        }
        let mut carry = Vec::new();
        extend_ranges(&mut carry, carried.iter().map(|entry| &entry.range));
        Some(carry)
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        if record.damage().is_some() {
            return;
        }
        let Some((sentence, message)) = record.sentence().zip(record.message()) else { return };
        let talker = sentence.talker().as_bytes().first_chunk().copied().unwrap_or(*b"  ");
        let is_fix = matches!(message, Message::Gga(_) | Message::Gns(_) | Message::Rmc(_) | Message::Gll(_));
        let role = match message {
            _ if is_fix => Role::Fix,
            Message::Gsv(_) => Role::Satellites,
            _ => Role::Other,
        };
        let mut entry = Entry { range, stamp: Stamp::of(&message), role, now: None };
        self.time(&entry);
        entry.now = self.epoch.now();
        match &message {
            Message::Vtg(_) | Message::Gsa(_) => {
                if let Some(fix) = &mut self.fix
                    && fix.entries.len() <= MOST
                {
                    fix.entries.push(entry);
                }
            }
            Message::Gst(gst) if covariance(gst).is_some() => {
                let of_day = |time: Option<Time>| time.map(Time::since_midnight);
                let time = of_day(entry.stamp.time);
                if let Some(fix) = &mut self.fix
                    && time.is_some()
                    && time == of_day(fix.of_day)
                {
                    fix.covariance = Some(entry.clone());
                }
                self.covariance = Some(entry);
            }
            Message::Gsv(gsv) => {
                let ended = self.sky.push(sentence, gsv, entry.now);
                if ended.is_some() || self.satellites.is_empty() {
                    self.satellites.clear();
                    self.is_numbered = gsv.number.is_some();
                }
                if self.satellites.len() <= MOST {
                    self.satellites.extend(self.timed.clone());
                    self.satellites.push(entry);
                }
            }
            message if is_fix => self.fix(entry, talker, matches!(message, Message::Gga(_))),
            _ => {}
        }
    }
}
