//! Copies recordings, package by package.

use std::io::{Seek, Write};

use robolog_core::{Error, Result, Timestamp, format::Step, slices::InRange as _};

use crate::{Header, Lvx, Record, Version, Writer};

/// Copies packages into a new recording: see [`robolog_core::format::Copier`]. Its parts are packages; frames left without
/// any are dropped.
///
/// ```
/// use std::io::Cursor;
///
/// use lvx::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/room.lvx").unwrap();
/// let reader = lvx::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    header: Header,
    /// Whether a second recording began, as left by joined files, whose devices the header does not list.
    is_other: bool,
}

impl<W: Write> Copier<W> {
    /// Starts a recording with a changed header, for example with other serial numbers or extrinsics. The offsets in
    /// the frames are adjusted to it.
    ///
    /// ```
    /// use lvx::{Copier, robolog_core::format::Copier as _};
    ///
    /// let file = std::fs::read("examples/room.lvx").unwrap();
    /// let mut reader = lvx::Reader::new(&file)?;
    /// reader.header_mut().devices_mut()[0].extrinsic.z = 1.8;
    /// let mut copy = Copier::with_header(std::io::Cursor::new(Vec::new()), reader.header())?;
    /// for record in reader.records() {
    ///     copy.copy(&record?, &mut |_channel, _time| true)?;
    /// }
    /// let copy = copy.finish()?.into_inner();
    /// assert_eq!(lvx::Reader::new(&copy)?.header().devices()[0].extrinsic.z, 1.8);
    /// # Ok::<(), lvx::Error>(())
    /// ```
    pub fn with_header(out: W, header: &Header) -> Result<Self> {
        let writer = Writer::with_header_bytes(out, header.version(), &header.to_bytes()?)?;
        Ok(Self { writer, header: header.clone(), is_other: false })
    }
}

/// Returns an error if the header was changed, as a copy begins with the original bytes.
fn check_header(header: &Header, header_bytes: &[u8]) -> Result<()> {
    let (own, header) = match Header::parse(header_bytes, true)? {
        Step::Ready(own, _) => (own.to_bytes()?, header.to_bytes()?),
        Step::Need(needed) => return Err(Error::truncated(needed, 0).within("lvx rewriter")),
    };
    if own == header {
        return Ok(());
    }
    let at = own.iter().zip(&header).take_while(|(a, b)| a == b).count() as u64;
    let what =
        "the header differs from the bytes to be copied; `Copier::with_header` copies with a changed one";
    Err(Error::unexpected(what, at).within("lvx copier"))
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Lvx;

    /// Returns an error if the header does not match the bytes: use [`Copier::with_header`] for a changed one.
    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        if header.is_wiped() {
            return Self::with_header(out, header);
        }
        check_header(header, header_bytes)?;
        let writer = Writer::with_header_bytes(out, header.version(), header_bytes)?;
        Ok(Self { writer, header: header.clone(), is_other: false })
    }

    /// The packages of LVX3 cannot be separated in its compressed points: a frame is kept whole or dropped.
    ///
    /// Returns an error for a frame whose packages cannot all be delimited, which no reader delivers, and for the frames of
    /// a [second recording](Record::header) with other devices; copies nothing of them.
    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        if let Some(second) = record.header() {
            self.is_other = second.devices() != self.header.devices();
        }
        if self.is_other {
            let what = "a second recording with other devices";
            let error = Error::invalid("frame", what, "those of the first: split the file", record.offset());
            return Err(error.within("lvx"));
        }
        if record.is_header() {
            return Ok(0);
        }
        let mut kept = 0_u64;
        let mut dropped = 0_u64;
        if record.version() == Version::V2_4 {
            record.count_closed()?;
        }
        if let Some(Err(error)) = record.packages().last() {
            return Err(error);
        }
        self.writer.begin_like(record)?;
        if let Some(count) = self.writer.package_count() {
            *count = [0; 8];
        }
        for package in record.packages().map_while(Result::ok) {
            let kind = if package.imu().is_some() { "imu" } else { "points" };
            let channel = format!("{}/{kind}", self.header.device_name(package.device()));
            if keep(&channel, package.time()) {
                kept = kept.plus(1);
                self.writer.append(package.bytes());
            } else {
                dropped = dropped.plus(1);
            }
        }
        if kept == 0 && dropped > 0 {
            self.writer.is_open = false;
        } else if record.version() == Version::V2_4 {
            self.writer.is_open = false;
            self.writer.write(record)?;
        } else {
            self.writer.end_frame()?;
        }
        Ok(kept)
    }

    fn finish(self) -> Result<W> {
        self.writer.finish()
    }

    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        let header = self.header.clone();
        let next = if header.is_wiped() {
            Self::with_header(out, &header)?
        } else {
            let writer = Writer::with_header_bytes(out, header.version(), header_bytes)?;
            Self { writer, header, is_other: self.is_other }
        };
        Ok((self.finish()?, next))
    }
}
