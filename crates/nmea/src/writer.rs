//! Writes sentences, and copies logs.

use std::{
    io::{Seek, Write},
    path::Path,
};

use robolog_core::{NewFile, Output, Result, Timestamp};

use super::{Header, Message, Nmea, Record, epoch::Epoch};

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
    out: Output<W>,
}

impl Writer<NewFile> {
    /// Creates the file at `path` and begins a log in it. Fails where there is a file already.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a log. A log has no header: nothing is written before the first sentence.
    pub fn new(inner: W, _: &Header) -> Result<Self> {
        Ok(Self { out: Output::new(inner) })
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

    /// Completes the log and hands the target back.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

/// Copies sentences into a new log: see [`robolog_core::Rewriting`]. Its parts are records; `keep` is asked for their
/// channel and for the time of the last sentence that had one. Bytes between sentences are of the channel `other`.
///
/// Damaged sentences are left out: `copy` fails for them, and can go on. Where one stood on a line behind something else,
/// that line is ended. See [Damage](super#damage).
///
/// ```
/// use std::io::Cursor;
///
/// use robolog_nmea::{Rewriter, robolog_core::Rewriting};
///
/// # let file = std::fs::read("../../testdata/nmea/types.nmea").unwrap();
/// let reader = robolog_nmea::Reader::new(&file)?;
/// let mut copy = Rewriter::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W> {
    writer: Writer<W>,
    epoch: Epoch,
    /// Whether the last record that was written is a line without an end.
    in_line: bool,
    left_out: u64,
}

impl<W: Write + Seek> robolog_core::Rewriting<W> for Rewriter<W> {
    type Format = Nmea;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let mut writer = Writer::new(out, header)?;
        writer.out.bytes(header_bytes)?;
        Ok(Self { writer, epoch: header.epoch(), in_line: false, left_out: 0 })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let bytes = record.bytes();
        if let Some(damage) = record.damage() {
            if std::mem::take(&mut self.in_line) {
                // What follows stands on a line of its own, as it did.
                self.writer.out.bytes(b"\n")?;
            }
            self.left_out += bytes.len() as u64;
            return Err(damage);
        }
        if let Some(message) = record.message() {
            self.epoch.push(&message);
        }
        if !keep(record.channel(), self.epoch.now()) {
            return Ok(0);
        }
        self.writer.write(record)?;
        self.in_line = bytes.last() != Some(&b'\n');
        Ok(1)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(self) -> Result<W> {
        self.writer.finish()
    }

    /// The time of the last sentence that had one.
    fn time_of(&mut self, record: &Record<'_>) -> Option<Timestamp> {
        // The same sentence once more changes nothing.
        if let Some(message) = record.message() {
            self.epoch.push(&message);
        }
        self.epoch.now()
    }

    /// At the beginning of a line.
    fn can_part(&self, _: &Record<'_>) -> bool {
        !self.in_line
    }

    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        let mut writer = Writer::new(out, &Header::default())?;
        writer.out.bytes(header_bytes)?;
        let (epoch, in_line, left_out) = (self.epoch, self.in_line, self.left_out);
        Ok((self.finish()?, Self { writer, epoch, in_line, left_out }))
    }

    fn follow(&mut self, _: &[u8], _: &Header, _: &[u8]) -> Result<()> {
        Ok(())
    }
}
