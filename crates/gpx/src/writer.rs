//! Writes GPX 1.1 point by point, in the order of the schema.

use std::{fmt::Write as _, io::Write, path::Path};

use robolog_core::{Error, NewFile, Output, Result};

use super::{Extensions, Head, Position, RouteHead, TrackHead, Waypoint, elements, elements::Extended};
use robolog_xml::Indent;

/// Writes a document that is valid by the schema of GPX 1.1: waypoints, then routes, then tracks.
///
/// What the schema has no word for is left out: a fix of unknown kind, times that are no dates, numbers that are not
/// finite. Speed and course stand in extensions, as elements of Garmin's `TrackPointExtension` version 2 and of GPX 1.0,
/// and are read from there again.
#[derive(Debug)]
#[must_use = "a document is whole only after `finish`"]
pub struct Writer<W> {
    out: Output<W>,
    text: String,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waypoints,
    Route,
    BehindRoute,
    Track,
    Segment,
    BehindTrack,
    Extensions,
}

impl Writer<NewFile> {
    /// Creates the file at `path` and begins a document in it. Fails where there is a file already.
    pub fn create(path: impl AsRef<Path>, head: &Head) -> Result<Self> {
        Self::new(robolog_core::create(path)?, head)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a document.
    pub fn new(inner: W, head: &Head) -> Result<Self> {
        let mut writer = Self { out: Output::new(inner), text: String::new(), state: State::Waypoints };
        // A string takes whatever is written into it, here and below.
        let _ = elements::begin(&mut writer.text, head);
        writer.flush()?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes a point of interest. Fails behind a route or a track.
    pub fn waypoint(&mut self, point: &Waypoint) -> Result<()> {
        if self.state != State::Waypoints {
            return Err(self.order("a waypoint", "waypoints before routes and tracks"));
        }
        self.element("wpt", point, 1)
    }

    /// Begins a route. Fails behind a track.
    pub fn begin_route(&mut self, head: &RouteHead) -> Result<()> {
        if !matches!(self.state, State::Waypoints | State::Route | State::BehindRoute) {
            return Err(self.order("a route", "routes before tracks"));
        }
        self.end();
        let _ = elements::track_head(&mut self.text, "rte", head);
        self.state = State::Route;
        self.flush()
    }

    /// Begins a track. Fails behind the extensions of the document.
    pub fn begin_track(&mut self, head: &TrackHead) -> Result<()> {
        if self.state == State::Extensions {
            return Err(self.order("a track", "nothing behind the extensions"));
        }
        self.end();
        let _ = elements::track_head(&mut self.text, "trk", head);
        self.state = State::Track;
        self.flush()
    }

    /// Begins a segment of the track. Fails outside of a track.
    pub fn begin_segment(&mut self) -> Result<()> {
        self.end_segment(None)?;
        if self.state != State::Track {
            return Err(self.order("a segment", "a track around it"));
        }
        let _ = write!(self.text, "{}<trkseg>", Indent(2));
        self.state = State::Segment;
        self.flush()
    }

    /// Ends the segment, if one is open, with what the schema does not know of it.
    pub fn end_segment(&mut self, extensions: Option<&Extensions>) -> Result<()> {
        if self.state != State::Segment {
            return Ok(());
        }
        let _ = write!(self.text, "{}{}</trkseg>", Extended(extensions, "", 3), Indent(2));
        self.state = State::Track;
        self.flush()
    }

    /// Writes a point of the route or the track that is open; in a track without a segment, it begins one.
    ///
    /// Fails outside of both.
    pub fn point(&mut self, point: &Waypoint) -> Result<()> {
        match self.state {
            State::Route => self.element("rtept", point, 2),
            State::Segment => self.element("trkpt", point, 3),
            State::Track => {
                self.begin_segment()?;
                self.element("trkpt", point, 3)
            }
            _ => Err(self.order("a point", "a route or a track around it")),
        }
    }

    /// Writes what the schema does not know of the document. Nothing but [`finish`](Self::finish) may follow.
    pub fn extensions(&mut self, extensions: &Extensions) -> Result<()> {
        self.end();
        let _ = write!(self.text, "{}", Extended(Some(extensions), "", 1));
        self.state = State::Extensions;
        self.flush()
    }

    /// Completes the document and hands the target back.
    pub fn finish(mut self) -> Result<W> {
        self.end();
        self.text.push_str("\n</gpx>\n");
        self.flush()?;
        self.out.finish()
    }

    /// Ends the route or the track that is open.
    fn end(&mut self) {
        let (text, state) = match self.state {
            State::Route => ("\n  </rte>", State::BehindRoute),
            State::Track => ("\n  </trk>", State::BehindTrack),
            State::Segment => ("\n    </trkseg>\n  </trk>", State::BehindTrack),
            state => ("", state),
        };
        self.text.push_str(text);
        self.state = state;
    }

    fn element(&mut self, name: &str, point: &Waypoint, level: usize) -> Result<()> {
        let Position { latitude, longitude, .. } = point.position;
        if !(latitude.is_finite() && longitude.is_finite()) {
            let found = format_args!("{latitude}, {longitude}");
            return Err(
                Error::invalid("position", found, "degrees", self.out.position()).within("gpx writer")
            );
        }
        let _ = elements::waypoint(&mut self.text, name, point, level);
        self.flush()
    }

    #[cold]
    fn order(&self, found: &'static str, expected: &'static str) -> Error {
        Error::invalid("order", found, expected, self.out.position()).within("gpx writer")
    }

    fn flush(&mut self) -> Result<()> {
        self.out.bytes(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}
