//! A log has no header; the date in its first sentences serves as one. A part of a log may state the date before it.

use robolog_core::{
    Clock, Error, Result, Timestamp,
    format::{RawRecord, Step},
    slices::Part as _,
};

use super::{
    Checksum, Date, Message, Record, Time,
    epoch::{Epoch, Trust},
    format, part,
    receivers::{Clocks, Receivers},
};

/// The date of a log, if a sentence near its beginning has one.
///
/// ```
/// let reader = robolog_nmea::open("examples/types.nmea")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Header {
    date: Option<(Date, Time)>,
    trust: Trust,
    /// Of a part: the state of the log at its beginning.
    goes_on: Option<Epoch>,
    receivers: Receivers,
    /// The date in the file's name.
    named: Option<Date>,
}

/// Bytes searched for a date.
pub(super) const LOOK: usize = 64 << 10;
/// Bytes searched for the clocks of several receivers: without a sign of several, and with one.
const NEAR: usize = 4 << 10;
const FAR: usize = 16 << 10;
/// Bytes searched for the first sentence.
const FIRST: usize = 1 << 20;

#[allow(clippy::missing_fields_in_debug, reason = "what most logs do not have is left out")]
impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = f.debug_struct("Header");
        s.field("date", &self.date).field("is_certain", &(self.trust == Trust::Certain));
        s.field("goes_on", &self.goes_on);
        if !self.receivers.is_one() {
            s.field("receivers", &self.receivers.to_words());
        }
        s.finish()
    }
}

impl Header {
    /// The first date in the log's first 64 KiB, and the time of day in the same sentence.
    ///
    /// From RMC with a valid fix if there is one, otherwise from ZDA or any RMC, otherwise from the time that a logger
    /// wrote beside a sentence. It also dates the sentences before it.
    /// A part of a log, as [`Copier`](super::Copier) writes it, may state the date of the sentences before it.
    pub fn date(&self) -> Option<(Date, Time)> {
        self.date
    }

    /// Sets the first day of a log without a date, or with a wrong one. Dates of RMC with a valid fix still count.
    pub fn set_date(&mut self, date: Date) {
        // No time of day is more than twelve hours from noon.
        let time = self.date.map(|(_, time)| time).or(Time::new(12, 0, 0, 0, 0));
        self.date = time.map(|time| (date, time));
        self.trust = Trust::Certain;
        self.goes_on = self.goes_on.map(|epoch| epoch.dated_from(date));
    }

    /// Sets the date in the file's name: a date of the receiver long before it is reported.
    pub fn set_named(&mut self, date: Date) {
        self.named = Some(date);
    }

    /// The date in the file's name, if set.
    pub(super) fn named(&self) -> Option<Date> {
        self.named
    }

    pub(super) const fn trust(&self) -> Trust {
        self.trust
    }

    /// The receivers with clocks of their own.
    pub(super) fn receivers(&self) -> &Receivers {
        &self.receivers
    }

    pub(super) fn epoch(&self) -> Epoch {
        self.goes_on.unwrap_or_else(|| Epoch::new(self.date, self.trust))
    }

    pub(super) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        if part::is_cut(input) && !eof {
            return Ok(Step::Need(input.len().max(1)));
        }
        if let Some((epoch, receivers, len)) = part::parse(input) {
            let date = epoch.date().zip(Time::new(12, 0, 0, 0, 0));
            let trust = epoch.trust();
            return Ok(Step::Ready(Self { date, trust, goes_on: Some(epoch), receivers, named: None }, len));
        }
        let mut scan = Scan::default();
        let (mut at, view) = (0_usize, input.get(..FIRST).unwrap_or(input));
        let eof = eof || input.len() >= FIRST;
        while let Some(rest) = view.get(at..).filter(|rest| !rest.is_empty() && !scan.is_done(at)) {
            let len = match format::record_len(rest, eof) {
                Some(len) => len,
                None if eof => rest.len(),
                None => return Ok(Step::Need(input.len().max(1))),
            };
            at += len;
            let bytes = rest.part(..len);
            scan.push(&Record::new(&Self::default(), RawRecord { offset: 0, bytes }));
        }
        if !eof && !scan.is_done(at) {
            return Ok(Step::Need(input.len().max(1)));
        }
        if !scan.is_nmea {
            return Err(Error::magic(input, "NMEA 0183 sentences"));
        }
        Ok(Step::Ready(Self { receivers: scan.clocks.receivers(), ..scan.header }, 0))
    }
}

/// What the first sentences say.
#[derive(Debug, Default)]
struct Scan {
    header: Header,
    clocks: Clocks,
    is_nmea: bool,
}

impl Scan {
    /// Whether the sentences after byte `at` say no more.
    fn is_done(&self, at: usize) -> bool {
        let date = if self.header.trust == Trust::Certain { 0 } else { LOOK };
        let clocks = if self.clocks.is_open() { FAR } else { NEAR };
        self.is_nmea && at >= date.max(clocks)
    }

    fn push(&mut self, record: &Record<'_>) {
        let Some(sentence) = record.whole() else { return };
        self.is_nmea |= sentence.checksum() == Checksum::Right || format::is_known(sentence);
        if self.header.trust < Trust::Logged
            && let Some(at) = record.logged().map(|nanos| Timestamp::new(nanos, Clock::Unix))
        {
            self.date(day_of(at), Trust::Logged);
        }
        let Some(message) = record.message() else { return };
        self.clocks.push(record, &message);
        let (date, trust) = match &message {
            Message::Rmc(rmc) if rmc.status == Some('A') => (rmc.date.zip(rmc.time), Trust::Certain),
            Message::Rmc(rmc) => (rmc.date.zip(rmc.time), Trust::Own),
            Message::Zda(zda) => (zda.date.zip(zda.time), Trust::Own),
            _ => return,
        };
        if self.header.trust < trust {
            self.date(date, trust);
        }
    }

    fn date(&mut self, date: Option<(Date, Time)>, trust: Trust) {
        if date.is_some() {
            self.header = Header { date, trust, ..self.header };
        }
    }
}

/// The date and the time of day.
fn day_of(at: Timestamp) -> Option<(Date, Time)> {
    let (year, month, day) = at.date()?;
    Date::new(u16::try_from(year).ok()?, month, day).zip(Time::of(at))
}
