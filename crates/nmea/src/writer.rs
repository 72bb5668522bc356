//! Writes sentences, and copies logs.

use std::{
    io::{Seek, Write},
    path::Path,
};

use robolog_core::{
    Result, Timestamp,
    format::{CountingWriter, Decoder as _, Format as _, NewFile, RawRecord, Step},
};

use super::{
    Decoder, Header, Message, Nmea, Options, Record,
    epoch::{Epoch, Stamp},
    format::record_len,
    header::LOOK,
    part,
    receivers::Receivers,
};

/// Writes a log sentence by sentence.
///
/// ```
/// use robolog_nmea::{Coordinate, Decimal, Gga, Header, Message, Time, Writer};
/// let gga = Gga {
///     time: Time::new(8, 58, 42, 0, 2),
///     latitude: Coordinate::latitude(45.760_157_666, 5),
///     longitude: Coordinate::longitude(3.109_927_166, 5),
///     quality: Some(1),
///     satellites: Some(8),
///     hdop: Some(Decimal::new(98, 2)),
///     ..Gga::default()
/// };
/// let mut writer = Writer::new(Vec::new(), &Header::default())?;
/// writer.message("GP", &Message::Gga(gga))?;
/// let text = writer.finish()?;
/// assert!(text.starts_with(b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,1,08,0.98,,,,,,*"));
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a log is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
}

impl Writer<NewFile> {
    /// Starts a log in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a log. A log has no header: nothing is written before the first sentence.
    pub fn new(inner: W, _: &Header) -> Result<Self> {
        Ok(Self { out: CountingWriter::new(inner) })
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Copies a record, byte for byte.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.out.bytes(record.bytes())
    }

    /// Writes a sentence with a checksum.
    pub fn message(&mut self, talker: &str, message: &Message<'_>) -> Result<()> {
        let sentence = message.to_sentence(talker)?;
        self.out.bytes(&sentence)
    }

    /// Completes the log and returns the inner writer.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

/// Copies sentences into a new log: see [`robolog_core::format::Copier`]. Its parts are records; `keep` receives their
/// channel and the time of their sample, or else of the last sentence with a time. Bytes between sentences are in the
/// channel `other`.
///
/// Damaged sentences are left out: `copy` returns an error for them, and can continue. If one follows something else on
/// a line, that line is ended. See [Damage](super#damage).
///
/// ```
/// use std::io::Cursor;
///
/// use robolog_nmea::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/types.nmea").unwrap();
/// let reader = robolog_nmea::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    /// Follows all records, wanted or not.
    decoder: Decoder,
    /// Whether the last written record is a line without an end.
    in_line: bool,
    left_out: u64,
    opening: Option<Opening>,
}

/// Minimum number of bytes read to detect the format, as in `robolog_convert`.
const NEAR: usize = 4096;

/// The first sentences of a copy. They wait until it is clear how a reader dates them.
#[derive(Debug)]
struct Opening {
    /// The header of the copied log, and its day and time of day after it.
    header_bytes: Vec<u8>,
    begun: Epoch,
    receivers: Receivers,
    /// Day and time of day before the first record of the copy.
    start: Option<Epoch>,
    /// Whether every record so far is in the copy.
    is_whole: bool,
    /// Whether another log follows: the next part may state its own days.
    is_followed: bool,
    records: Vec<u8>,
}

impl Opening {
    fn new(header_bytes: &[u8], (begun, receivers): (Epoch, Receivers), is_whole: bool) -> Self {
        Self {
            header_bytes: header_bytes.to_vec(),
            begun,
            receivers,
            start: None,
            is_whole,
            is_followed: false,
            records: Vec::new(),
        }
    }

    /// The lines needed before the records.
    fn head(&self) -> Vec<u8> {
        let Some(start) = self.start else { return self.header_bytes.clone() };
        // True if the copy, or as much of it as a reader looks at, is unchanged; of logs that are joined, the first
        // only.
        let is_known = || !self.header_bytes.starts_with(part::MARK) && Nmea::detect(self.near());
        if self.is_whole && (!self.is_followed || is_known()) {
            return self.header_bytes.clone();
        }
        if self.dates(start) {
            return Vec::new();
        }
        let is_same = start == self.begun && !self.header_bytes.is_empty();
        if is_same { self.header_bytes.clone() } else { part::text(&start, &self.receivers) }
    }

    /// The bytes that detection looks at.
    fn near(&self) -> &[u8] {
        self.records.get(..NEAR).unwrap_or(&self.records)
    }

    /// Whether the records alone are a log with the times that they have from `start` on.
    fn dates(&self, start: Epoch) -> bool {
        // Joined logs are detected by their first bytes, like the logs they are parts of.
        if !Nmea::detect(self.near()) || !(self.is_followed || Nmea::detect(&self.records)) {
            return false;
        }
        let Ok(Step::Ready(header, 0)) = Header::parse(&self.records, true) else { return false };
        if *header.receivers() != self.receivers {
            return false;
        }
        let (mut due, mut found) = (start, header.epoch());
        let mut rest = &self.records[..];
        while let Some((record, behind)) = record_len(rest, true).and_then(|len| rest.split_at_checked(len)) {
            rest = behind;
            let raw = RawRecord { offset: 0, bytes: record };
            let record = Record::new(&header, raw);
            if let Some(message) = record.message() {
                let stamp = Stamp::of(&message).beside(record.logged());
                due.apply(stamp);
                found.apply(stamp);
            }
            if due.now() != found.now() {
                return false;
            }
        }
        // More may follow, and continues from there.
        self.records.len() < LOOK || due == found
    }
}

impl<W: Write> Copier<W> {
    /// Writes bytes of the copy; `start` is the day and time of day before them.
    fn put(&mut self, bytes: &[u8], start: Epoch) -> Result<()> {
        let Some(opening) = &mut self.opening else { return self.writer.out.bytes(bytes) };
        opening.start.get_or_insert(start);
        opening.records.extend_from_slice(bytes);
        if opening.records.len() < LOOK { Ok(()) } else { self.open() }
    }

    /// Writes the waiting records.
    fn open(&mut self) -> Result<()> {
        let Some(opening) = self.opening.take() else { return Ok(()) };
        self.writer.out.bytes(&opening.head())?;
        self.writer.out.bytes(&opening.records)
    }

    fn lose(&mut self) {
        if let Some(opening) = &mut self.opening {
            opening.is_whole = false;
        }
    }
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Nmea;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let writer = Writer::new(out, header)?;
        let decoder = Decoder::new(header, Options::default());
        let opening = Some(Opening::new(header_bytes, (header.epoch(), *header.receivers()), true));
        Ok(Self { writer, decoder, in_line: false, left_out: 0, opening })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let bytes = record.bytes();
        let start = self.decoder.epoch();
        if let Some(damage) = record.damage() {
            if std::mem::take(&mut self.in_line) {
                // The next record is on its own line, as before.
                self.put(b"\n", start)?;
            }
            self.left_out += bytes.len() as u64;
            self.lose();
            return Err(damage);
        }
        self.decoder.pass(record)?;
        if !keep(&self.decoder.channel_of(record), self.decoder.time_of(record)) {
            self.lose();
            return Ok(0);
        }
        self.put(bytes, start)?;
        self.in_line = bytes.last() != Some(&b'\n');
        Ok(1)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(mut self) -> Result<W> {
        self.open()?;
        self.writer.finish()
    }

    /// The time of the last sentence with one.
    fn time_of(&mut self, record: &Record<'_>) -> Option<Timestamp> {
        self.decoder.look_ahead(record);
        self.decoder.now()
    }

    /// Parts begin at the start of a line, with no incomplete fix or satellites, and not with a dropped record.
    fn can_part(&self, record: &Record<'_>) -> bool {
        !self.in_line && self.decoder.rests_before(record) && record.fault().is_none()
    }

    /// The part begins with a comment and a date if its own first sentences do not date it.
    fn part(mut self, out: W, _: &[u8]) -> Result<(W, Self)> {
        self.lose();
        self.open()?;
        let next = Writer::new(out, &Header::default())?;
        let before = std::mem::replace(&mut self.writer, next);
        self.opening = Some(Opening::new(&[], (self.decoder.epoch(), *self.decoder.receivers()), false));
        Ok((before.finish()?, self))
    }

    /// The lines that date a part are left out, because the sentences before it are present.
    fn follow(&mut self, _: &[u8], header: &Header, _: &[u8]) -> Result<()> {
        // If the days continue, or none has begun, the sentences read as before.
        let epoch = self.decoder.epoch();
        if epoch.now().is_some() && !header.epoch().is_same_day(&epoch) {
            self.lose();
        }
        if let Some(opening) = &mut self.opening {
            opening.is_followed = true;
            if let Some(start) = opening.start.as_mut().filter(|_| epoch.now().is_none()) {
                // The first log has no times; the next one states its own.
                *start = header.epoch().before_times();
            }
        }
        self.decoder.go_on(header.epoch());
        Ok(())
    }
}
