//! GPX 1.1, as read by nearly every map program.

use std::io::{BufWriter, Write};

use robolog_core::{GnssFix, Sample, Timestamp};
use robolog_gpx::{Header, Position, TrackHead, Waypoint, Writer};

use super::{
    Holds, Need, TargetSpec,
    fixes::{Fixes, Tracks},
    takes,
};
use crate::{Advice, Error, Note, Origin, Outcome, Result, Sink};

/// GPX of Topografix.
pub static GPX: TargetSpec = TargetSpec {
    name: "gpx",
    extensions: &["gpx"],
    about: "a track for each channel of fixes, GPX 1.1",
    holds: Holds::Fixes,
    needs: &[Need::Dates],
    takes: takes::fixes,
    instead: takes::no_advice,
    open: |out, opening| {
        let fixes = Fixes::new(opening.options.spools);
        Ok(Box::new(Gpx { fixes, ..Gpx::new(BufWriter::new(out)) }))
    },
};

/// Writes a track per channel of fixes, named after the channel, in order of their first fixes. Fixes read from GPX
/// keep their structure: waypoints, routes, and tracks with segments. These have names if several recordings are
/// written together.
///
/// | element | from the fix |
/// |---|---|
/// | `lat`, `lon` | degrees, WGS 84 |
/// | `ele` | metres above mean sea level, or above the ellipsoid where only that is known |
/// | `time` | unix time; left out on other clocks |
/// | `geoidheight` | where both heights are known, their difference |
/// | `fix`, `sat`, `hdop`, `vdop`, `pdop` | if known; real-time kinematic is `dgps` |
/// | `ageofdgpsdata`, `dgpsid` | seconds since the last correction, number of the reference station |
/// | `speed`, `course` in `extensions` | metres per second, degrees: elements of GPX 1.0, and of Garmin's `TrackPointExtension` version 2 |
///
/// Fixes of up to 2048 channels are kept in temporary files until the end because the points of a track are stored
/// together. Fixes outside the range of latitude or longitude, fixes of quality 0, poses in local frames and all other
/// values are left out.
#[derive(Debug)]
pub struct Gpx<W> {
    out: W,
    fixes: Fixes,
    /// Whether a recording is GPX, so that channel names say what the points are.
    is_copy: bool,
}

impl<W: Write> Gpx<W> {
    /// Creates a document on `out`.
    pub fn new(out: W) -> Self {
        Self { out, fixes: Fixes::default(), is_copy: false }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        let header = Header::new("robolog");
        let writer = Writer::new(self.out, &header).map_err(Error::written)?;
        let mut document = Document { writer, is_copy: self.is_copy, open: Place::Waypoints };
        self.fixes.drain(&mut document)?;
        document.writer.finish().map_err(Error::written)
    }
}

impl<W: Write> Sink for Gpx<W> {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.is_copy |= origin.format == "gpx";
        Ok(())
    }

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

struct Document<W> {
    writer: Writer<W>,
    is_copy: bool,
    /// Destination of the next point.
    open: Place,
}

/// What the points of a channel become.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Waypoints,
    Route(Option<String>),
    Track(Option<String>),
    /// A segment of the named track.
    Segment(String),
}

impl Place {
    /// Parses the channel of a GPX document, possibly below a recording's name.
    fn of(channel: &str) -> Self {
        let (below, last) =
            channel.rsplit_once('/').map_or((None, channel), |(below, last)| (Some(below), last));
        // Without a recording's name, a track has a number but no name.
        let name = below.map(|_| channel.to_owned());
        let track = below.and_then(|below| below.rsplit('/').next()).unwrap_or_default();
        match (below, last) {
            (_, "waypoints") => Self::Waypoints,
            (_, "routepoints") => Self::Route(name),
            (_, last) if is_numbered(last, "route") => Self::Route(name),
            (Some(below), last) if is_numbered(last, "segment") && is_numbered(track, "track") => {
                Self::Segment(below.to_owned())
            }
            (_, last) if is_numbered(last, "track") => Self::Track(name),
            _ => Self::Track(Some(channel.to_owned())),
        }
    }
}

/// Whether `name` is `known` and a number.
fn is_numbered(name: &str, known: &str) -> bool {
    let number = name.strip_prefix(known).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

impl<W: Write> Tracks for Document<W> {
    fn begin(&mut self, channel: &str) -> robolog_core::Result<()> {
        let place = if self.is_copy { Place::of(channel) } else { Place::Track(Some(channel.to_owned())) };
        let head = |name: &Option<String>| TrackHead { name: name.clone(), ..TrackHead::default() };
        match &place {
            Place::Waypoints => {}
            Place::Route(name) => self.writer.begin_route(&head(name))?,
            Place::Track(name) => self.writer.begin_track(&head(name))?,
            Place::Segment(track) => {
                if self.open != place {
                    self.writer.begin_track(&head(&track.contains('/').then(|| track.clone())))?;
                }
                self.writer.begin_segment()?;
            }
        }
        self.open = place;
        Ok(())
    }

    fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()> {
        let point = Waypoint::from(Position { time, ..Position::from(fix) });
        if self.open == Place::Waypoints { self.writer.waypoint(&point) } else { self.writer.point(&point) }
    }

    /// Orders waypoints before routes and routes before tracks; segments stay in their track.
    fn place<'c>(&self, channel: &'c str) -> (u8, &'c str) {
        if !self.is_copy {
            return (0, channel);
        }
        match Place::of(channel) {
            Place::Waypoints => (0, channel),
            Place::Route(_) => (1, channel),
            Place::Track(_) => (2, channel),
            Place::Segment(track) => (2, channel.get(..track.len()).unwrap_or(channel)),
        }
    }
}
