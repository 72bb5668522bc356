//! KML 2.2 and KMZ, as shown by Google Earth.

use std::io::{BufWriter, Seek, Write};

use robolog_core::{GnssFix, Sample, Timestamp};
use robolog_kml::{AltitudeMode, Coordinate, Geometry, Header, Line, Placemark, Writer};
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

use super::{
    Holds, Need, TargetSpec,
    fixes::{Fixes, Tracks},
    takes,
};
use crate::{Advice, Error, Note, Outcome, Result, Sink, patient::Patient};

/// KML of the OGC.
pub static KML: TargetSpec = TargetSpec {
    name: "kml",
    extensions: &["kml"],
    about: "the same as KML 2.2 with Google's tracks",
    holds: Holds::Fixes,
    needs: &[Need::Dates],
    takes: takes::fixes,
    instead: takes::no_advice,
    open: |out, opening| {
        let fixes = Fixes::new(opening.options.spools);
        Ok(Box::new(Kml { fixes, ..Kml::new(BufWriter::new(out)) }))
    },
};

/// KML in a zip archive.
pub static KMZ: TargetSpec = TargetSpec {
    name: "kmz",
    extensions: &["kmz"],
    about: "KML in a zip archive",
    open: |out, opening| {
        let mut kmz = Kmz::new(out);
        kmz.0.fixes = Fixes::new(opening.options.spools);
        Ok(Box::new(kmz))
    },
    ..KML
};

/// Writes a track per channel of fixes, named after the channel, in order of their first fixes.
///
/// Fixes with Unix time become a `gx:Track`; fixes on other clocks or without a time a `LineString`. A single one is a
/// `Point`, with its time as a `TimeStamp`. Altitudes are metres above mean sea level, or above the ellipsoid if only that is known
/// (`absolute`); a track without altitudes is drawn on the ground (`clampToGround`). If a channel switches between
/// these, and after 65 536 fixes, a new placemark of the same name begins, which bounds memory. KML cannot store
/// quality, satellites or speed.
///
/// Fixes of up to 2048 channels are kept in temporary files until the end. Fixes outside the range of latitude or
/// longitude, fixes of quality 0, poses in local frames and all other values are left out.
#[derive(Debug)]
pub struct Kml<W> {
    out: W,
    fixes: Fixes,
}

impl<W: Write> Kml<W> {
    /// Creates a document on `out`.
    pub fn new(out: W) -> Self {
        Self { out, fixes: Fixes::default() }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        document(self.fixes, self.out)
    }
}

impl<W: Write> Sink for Kml<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.fixes.push(sample)
    }

    fn advice(&self) -> Option<Advice> {
        Some(self.fixes.advice())
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(self.fixes.notes())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// Writes the document of [`Kml`] as `doc.kml`, deflated, the only file of a zip archive.
#[derive(Debug)]
pub struct Kmz<W>(Kml<W>);

impl<W: Write + Seek> Kmz<W> {
    /// Creates an archive on `out`.
    pub fn new(out: W) -> Self {
        Self(Kml::new(out))
    }

    /// Completes the file and returns the target. Returns an error for a document of more than 4 GiB.
    pub fn into_inner(self) -> Result<W> {
        let Kml { out, fixes } = self.0;
        let mut archive = ZipWriter::new(Patient::new(out));
        // A fixed date keeps the bytes the same.
        let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
        archive.start_file("doc.kml", options).map_err(zipped)?;
        Ok(document(fixes, archive)?.finish().map_err(zipped)?.into_inner()?)
    }
}

impl<W: Write + Seek> Sink for Kmz<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.0.write(sample)
    }

    fn advice(&self) -> Option<Advice> {
        self.0.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.0.notes()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

fn zipped(error: zip::result::ZipError) -> Error {
    Error::Write(error.into())
}

/// Maximum number of fixes in a placemark, whose coordinates are in memory.
const PIECE: usize = 1 << 16;

fn document<W: Write>(fixes: Fixes, out: W) -> Result<W> {
    let writer = Writer::new(out, &Header::default()).map_err(Error::written)?;
    let mut document = Document { writer, channel: String::new(), piece: None, line: Vec::new() };
    fixes.drain(&mut document)?;
    document.end().and_then(|()| document.writer.finish()).map_err(Error::written)
}

struct Document<W> {
    writer: Writer<W>,
    channel: String,
    piece: Option<Piece>,
    /// Coordinates of an untimed placemark.
    line: Vec<Coordinate>,
}

/// An open placemark.
struct Piece {
    is_timed: bool,
    mode: AltitudeMode,
    len: usize,
}

impl<W: Write> Document<W> {
    /// Ends the open placemark.
    fn end(&mut self) -> robolog_core::Result<()> {
        let Some(piece) = self.piece.take() else { return Ok(()) };
        if piece.is_timed {
            return self.writer.end_track();
        }
        let line = Line { altitude_mode: Some(piece.mode), coordinates: std::mem::take(&mut self.line) };
        // The schema requires at least two coordinates in a line.
        let geometry = if piece.len == 1 { Geometry::Point(line) } else { Geometry::LineString(line) };
        self.writer.placemark(&Placemark {
            name: Some(self.channel.clone()),
            geometry: Some(geometry),
            ..Placemark::default()
        })
    }
}

impl<W: Write> Tracks for Document<W> {
    fn begin(&mut self, channel: &str) -> robolog_core::Result<()> {
        self.end()?;
        self.channel = channel.into();
        Ok(())
    }

    fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()> {
        let place = Coordinate::from(fix);
        let mode =
            if place.altitude.is_some() { AltitudeMode::Absolute } else { AltitudeMode::ClampToGround };
        let is_timed = time.is_some();
        let goes_on = |piece: &Piece| piece.is_timed == is_timed && piece.mode == mode && piece.len < PIECE;
        if !self.piece.as_ref().is_some_and(goes_on) {
            self.end()?;
            if is_timed {
                self.writer.begin_track(&self.channel, Some(mode))?;
            }
        }
        let piece = self.piece.get_or_insert(Piece { is_timed, mode, len: 0 });
        piece.len += 1;
        if is_timed {
            self.writer.point(time, place)
        } else {
            self.line.push(place);
            Ok(())
        }
    }
}
