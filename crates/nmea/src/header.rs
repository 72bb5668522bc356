//! A log has no header; the date in its first sentences serves as one. A part of a log may state the date before it.

use robolog_core::{Error, RawRecord, Result, Step};

use super::{Checksum, Date, Message, Record, Time, epoch::Epoch, format, part};

/// The date of a log, if a sentence near its beginning has one.
///
/// ```
/// let reader = robolog_nmea::open("examples/types.nmea")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Header {
    date: Option<(Date, Time)>,
    is_certain: bool,
    /// Of a part: the state of the log at its beginning.
    goes_on: Option<Epoch>,
}

/// Bytes searched for a date.
pub(super) const LOOK: usize = 64 << 10;

impl Header {
    /// The first date in the log's first 64 KiB, and the time of day in the same sentence.
    ///
    /// From RMC with a valid fix if there is one, otherwise from ZDA or any RMC. It also dates the sentences before it.
    /// A part of a log, as [`Rewriter`](super::Rewriter) writes it, may state the date of the sentences before it.
    pub fn date(&self) -> Option<(Date, Time)> {
        self.date
    }

    /// Sets the first day of a log without a date, or with a wrong one. Dates of RMC with a valid fix still count.
    pub fn set_date(&mut self, date: Date) {
        // No time of day is more than twelve hours from noon.
        let time = self.date.map(|(_, time)| time).or(Time::new(12, 0, 0, 0, 0));
        self.date = time.map(|time| (date, time));
        self.is_certain = true;
        self.goes_on = self.goes_on.map(|epoch| epoch.dated_from(date));
    }

    pub(super) fn epoch(&self) -> Epoch {
        self.goes_on.unwrap_or_else(|| Epoch::new(self.date, self.is_certain))
    }

    pub(super) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        if part::is_cut(input) && !eof {
            return Ok(Step::Need(input.len().max(1)));
        }
        if let Some((epoch, len)) = part::parse(input) {
            let date = epoch.date().zip(Time::new(12, 0, 0, 0, 0));
            return Ok(Step::Ready(Self { date, is_certain: epoch.is_certain(), goes_on: Some(epoch) }, len));
        }
        let view = input.get(..LOOK).unwrap_or(input);
        let eof = eof || input.len() >= LOOK;
        let (mut at, mut header, mut is_nmea) = (0_usize, Self::default(), false);
        while let Some(rest) = view.get(at..).filter(|rest| !rest.is_empty()) {
            let len = match format::record_len(rest, eof) {
                Some(len) => len,
                None if eof => rest.len(),
                None => return Ok(Step::Need(input.len().max(1))),
            };
            at += len;
            let record = rest.get(..len).unwrap_or_default();
            let record = Record::new(&header, RawRecord { offset: 0, bytes: record });
            let Some(sentence) = record.whole() else { continue };
            is_nmea |= sentence.checksum() == Checksum::Right || format::is_known(sentence);
            let (date, time, is_valid) = match record.message() {
                Some(Message::Rmc(rmc)) => (rmc.date, rmc.time, rmc.status == Some('A')),
                Some(Message::Zda(zda)) => (zda.date, zda.time, false),
                _ => continue,
            };
            if let Some(date) = date.zip(time).filter(|_| is_valid || header.date.is_none()) {
                header = Self { date: Some(date), is_certain: is_valid, goes_on: None };
            }
            if header.is_certain {
                return Ok(Step::Ready(header, 0));
            }
        }
        if !eof {
            return Ok(Step::Need(input.len().max(1)));
        }
        if is_nmea { Ok(Step::Ready(header, 0)) } else { Err(Error::magic(input, "NMEA 0183 sentences")) }
    }
}
