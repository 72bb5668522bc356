//! Writes GPX 1.1 point by point, in the order of the schema.

use std::{fmt::Display, io::Write, path::Path};

use robolog_core::{
    Error, Result,
    format::{CountingWriter, NewFile},
};
use robolog_xml::{ElementWriter, Escape, is_on_earth};

use super::{
    Extensions, Header, Metadata, Position, RouteHead, TrackHead, Waypoint, header::GPX_1_1,
    layout::extension,
};

/// Writes a document that is valid by the schema of GPX 1.1: metadata, waypoints, routes, tracks, extensions, in this order.
///
/// Leaves out values that the schema cannot hold: a fix of unknown kind, times that are not dates, numbers that are not
/// finite. Speed and course are written as extensions, as elements of Garmin's `TrackPointExtension` version 2 and of
/// GPX 1.0, and are read from there.
///
/// ```
/// use robolog_gpx::{Header, Position, TrackHead, Writer};
/// let mut writer = Writer::new(Vec::new(), &Header::default())?;
/// writer.begin_track(&TrackHead { name: Some("survey".into()), ..TrackHead::default() })?;
/// for step in 0..3 {
///     writer.point(&Position::new(45.76, 3.11 + f64::from(step) * 1e-5).into())?;
/// }
/// let (document, _) = robolog_gpx::read(&writer.finish()?);
/// assert_eq!(document.tracks[0].segments[0].points.len(), 3);
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a document is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    xml: ElementWriter,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Metadata,
    Waypoints,
    Route,
    BehindRoute,
    Track,
    Segment,
    BehindTrack,
    Extensions,
}

impl Writer<NewFile> {
    /// Starts a document in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a document of GPX 1.1 with the creator and the other attributes of `header`.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        let mut xml = ElementWriter::default();
        xml.declaration();
        let creator = header.creator().unwrap_or_else(|| "robolog".to_owned());
        let others: Vec<_> = header.attributes().collect();
        let others = extension::raw_attributes(&others);
        let creator = Escape(&creator);
        let own: [(&str, &dyn Display); 3] =
            [("version", &"1.1"), ("creator", &creator), ("xmlns", &GPX_1_1)];
        xml.begin("gpx", &[&own[..], &extension::shown(&others)[..]].concat());
        let mut writer = Self { out: CountingWriter::new(inner), xml, state: State::Metadata };
        writer.flush()?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes the metadata. Returns an error after anything else.
    pub fn metadata(&mut self, metadata: &Metadata) -> Result<()> {
        if self.state != State::Metadata {
            return Err(self.order("metadata", "metadata once, before all else"));
        }
        self.xml.begin("metadata", &[]);
        metadata.write(&mut self.xml);
        self.xml.end("metadata");
        self.state = State::Waypoints;
        self.flush()
    }

    /// Writes a waypoint. Returns an error after a route or a track.
    pub fn waypoint(&mut self, point: &Waypoint) -> Result<()> {
        if !matches!(self.state, State::Metadata | State::Waypoints) {
            return Err(self.order("a waypoint", "waypoints before routes and tracks"));
        }
        self.state = State::Waypoints;
        self.write_point("wpt", point)
    }

    /// Begins a route. Returns an error after a track.
    pub fn begin_route(&mut self, head: &RouteHead) -> Result<()> {
        if matches!(self.state, State::Track | State::Segment | State::BehindTrack | State::Extensions) {
            return Err(self.order("a route", "routes before tracks"));
        }
        self.begin("rte", head, State::Route)
    }

    /// Begins a track. Returns an error after the extensions of the document.
    pub fn begin_track(&mut self, head: &TrackHead) -> Result<()> {
        if self.state == State::Extensions {
            return Err(self.order("a track", "nothing behind the extensions"));
        }
        self.begin("trk", head, State::Track)
    }

    /// Begins a segment of the track. Returns an error outside of a track.
    pub fn begin_segment(&mut self) -> Result<()> {
        self.end_segment(None)?;
        if self.state != State::Track {
            return Err(self.order("a segment", "a track around it"));
        }
        self.xml.begin("trkseg", &[]);
        self.state = State::Segment;
        self.flush()
    }

    /// Ends the segment, if one is open, with its extensions.
    pub fn end_segment(&mut self, extensions: Option<&Extensions>) -> Result<()> {
        if self.state != State::Segment {
            return Ok(());
        }
        extension::write(extensions, "", &mut self.xml);
        self.xml.end("trkseg");
        self.state = State::Track;
        self.flush()
    }

    /// Writes a point of the open route or track; begins a segment if a track has none.
    ///
    /// Returns an error outside of both.
    pub fn point(&mut self, point: &Waypoint) -> Result<()> {
        match self.state {
            State::Route => self.write_point("rtept", point),
            State::Segment => self.write_point("trkpt", point),
            State::Track => {
                self.begin_segment()?;
                self.write_point("trkpt", point)
            }
            _ => Err(self.order("a point", "a route or a track around it")),
        }
    }

    /// Writes the extensions of the document. Only [`finish`](Self::finish) may follow.
    pub fn extensions(&mut self, extensions: &Extensions) -> Result<()> {
        self.end();
        extension::write(Some(extensions), "", &mut self.xml);
        self.state = State::Extensions;
        self.flush()
    }

    /// Completes the document and returns the inner writer.
    pub fn finish(mut self) -> Result<W> {
        self.end();
        self.xml.end("gpx");
        self.xml.text("\n");
        self.flush()?;
        self.out.finish()
    }

    /// Begins a route or a track, and ends the open one.
    fn begin(&mut self, name: &str, head: &TrackHead, state: State) -> Result<()> {
        self.end();
        self.xml.begin(name, &[]);
        head.write(&mut self.xml);
        self.state = state;
        self.flush()
    }

    /// Ends the open route or track.
    fn end(&mut self) {
        let (names, state): (&[&str], _) = match self.state {
            State::Route => (&["rte"], State::BehindRoute),
            State::Track => (&["trk"], State::BehindTrack),
            State::Segment => (&["trkseg", "trk"], State::BehindTrack),
            state => (&[], state),
        };
        for name in names {
            self.xml.end(name);
        }
        self.state = state;
    }

    fn write_point(&mut self, name: &str, point: &Waypoint) -> Result<()> {
        let Position { latitude, longitude, .. } = point.position;
        if !is_on_earth(latitude, longitude) {
            let found = format_args!("{latitude}, {longitude}");
            let at = self.out.position();
            return Err(Error::invalid("position", found, "degrees on Earth", at).within("gpx writer"));
        }
        point.write(name, &mut self.xml);
        self.flush()
    }

    #[cold]
    fn order(&self, found: &'static str, expected: &'static str) -> Error {
        Error::invalid("order", found, expected, self.out.position()).within("gpx writer")
    }

    fn flush(&mut self) -> Result<()> {
        self.out.bytes(self.xml.as_bytes())?;
        self.xml.clear();
        Ok(())
    }
}
