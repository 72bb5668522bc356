//! GPX 1.1, as nearly every program for maps reads it.

use std::io::{BufWriter, Write};

use robolog_core::{GnssFix, Sample, Timestamp};
use robolog_gpx::{Header, Position, TrackHead, Waypoint, Writer};

use super::{
    Holds, Need, TargetSpec,
    fixes::{Fixes, Tracks},
    takes,
};
use crate::{Advice, Error, Result, Sink, Took};

/// GPX of Topografix.
pub static GPX: TargetSpec = TargetSpec {
    name: "gpx",
    extensions: &["gpx"],
    about: "a track for each channel of fixes, GPX 1.1",
    holds: Holds::Fixes,
    needs: &[Need::Dates],
    takes: takes::fixes,
    instead: takes::no_way,
    open: |out, _| Ok(Box::new(Gpx::new(BufWriter::new(out)))),
};

/// Writes a track for each channel of fixes, named after it, in the order of their first fixes.
///
/// | element | from the fix |
/// |---|---|
/// | `lat`, `lon` | degrees, WGS 84 |
/// | `ele` | metres above mean sea level, or above the ellipsoid where only that is known |
/// | `time` | unix time; left out on other clocks |
/// | `geoidheight` | where both heights are known, their difference |
/// | `fix`, `sat`, `hdop`, `vdop`, `pdop` | as far as they are known; real-time kinematic is `dgps` |
/// | `ageofdgpsdata`, `dgpsid` | seconds since the last correction, number of the reference station |
/// | `speed`, `course` in `extensions` | metres per second, degrees: elements of GPX 1.0, and of Garmin's `TrackPointExtension` version 2 |
///
/// Fixes of up to 2048 channels wait in temporary files until the end, for a track's points stand together. Fixes without
/// a place on Earth, those of quality 0, poses in local frames and all other values are left out.
#[derive(Debug)]
pub struct Gpx<W> {
    out: W,
    fixes: Fixes,
}

impl<W: Write> Gpx<W> {
    /// A document into `out`.
    pub fn new(out: W) -> Self {
        Self { out, fixes: Fixes::default() }
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        let header = Header::new("robolog");
        let mut document = Document(Writer::new(self.out, &header).map_err(Error::written)?);
        self.fixes.drain(&mut document)?;
        document.0.finish().map_err(Error::written)
    }
}

impl<W: Write> Sink for Gpx<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        self.fixes.push(sample)
    }

    fn advice(&self) -> Option<Advice> {
        Some(self.fixes.advice())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

struct Document<W>(Writer<W>);

impl<W: Write> Tracks for Document<W> {
    fn begin(&mut self, channel: &str) -> robolog_core::Result<()> {
        self.0.begin_track(&TrackHead { name: Some(channel.into()), ..TrackHead::default() })
    }

    fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()> {
        self.0.point(&Waypoint::from(Position { time, ..Position::from(fix) }))
    }
}
