//! The position of a record in the document.

use std::sync::Arc;

use robolog_core::{
    Error, Result,
    slices::past,
    text::{Escaped, near},
};

use robolog_xml::{DocumentPosition, Kind, Piece, Stack, Tag, attribute, local};

use super::{Gpx, Header, PointKind};

/// The open elements, and the channel of points.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    stack: Stack,
    /// Number of tracks so far, and the depth of the open one.
    tracks: (u64, Option<usize>),
    segments: (u64, Option<usize>),
    routes: (u64, Option<usize>),
    channels: u64,
    channel: Option<((PointKind, bool), Arc<str>)>,
    /// The prefix of the root element, with its colon.
    prefix: Vec<u8>,
}

/// The channel of routes without times.
pub(crate) const ROUTES: &str = "routes";
/// The channel of the named points of routes.
pub(crate) const ROUTE_POINTS: &str = "route points";
/// Maximum number of channels; further tracks and routes share one.
const CHANNELS: u64 = 1 << 16;

impl Context {
    pub(crate) fn new(header: &Header) -> Self {
        let stack = Stack::new(&header.root);
        let prefix = header.root.prefix().to_vec();
        let (tracks, segments, routes) = ((0, None), (0, None), (0, None));
        Self { stack, tracks, segments, routes, channels: 0, channel: None, prefix }
    }

    /// Follows a record. Returns an error for an end tag that does not match the innermost element; that of an outer
    /// element ends the inner ones too. Also for a point whose name is damaged, which is not followed.
    pub(crate) fn push(&mut self, record: &Piece<'_, Gpx>) -> Result<()> {
        let (tag, at) = (record.tag(), record.markup_offset());
        if self.is_lost_point(record) {
            let name = Escaped(tag.name().get(..64).unwrap_or(tag.name())).to_string();
            let found = format!("<{name}> with a latitude and a longitude");
            return Err(Error::invalid("element", found, "trkpt, rtept or wpt", at).within("gpx"));
        }
        if record.kind() == Kind::Empty {
            self.begin(record.name(), None);
        }
        if !matches!(record.kind(), Kind::Start | Kind::End) {
            return Ok(());
        }
        let outcome = self.stack.push(tag, at);
        match tag {
            Tag::Start(_) if outcome.is_ok() => self.begin(record.name(), Some(self.stack.depth())),
            Tag::End(name) => {
                if outcome.is_err() {
                    self.stack.end(name);
                }
                self.end();
            }
            _ => {}
        }
        outcome
    }

    /// An error if the text before the markup of a record, between elements where text is not allowed, contains the end
    /// of a tag whose beginning is lost. Text is not allowed after the root element either.
    pub(crate) fn stray_text(&self, record: &Piece<'_, Gpx>) -> Option<Error> {
        let text = record.text();
        let place = || self.stack.top().map(local).unwrap_or_default();
        let (at, expected) = match near(b'>', text) {
            Some(at) if matches!(place(), b"gpx" | b"trk" | b"trkseg" | b"rte") => (at, "`<` before it"),
            _ if self.stack.is_behind_root() => {
                (text.iter().position(|b| !b.is_ascii_whitespace())?, "nothing behind the root element")
            }
            _ => return None,
        };
        let text = text.trim_ascii();
        let found = format!("{:?}", Escaped(text.get(..64).unwrap_or(text)).to_string());
        let offset = past(record.raw().offset, at);
        Some(Error::invalid("text between elements", found, expected, offset).within("gpx"))
    }

    /// Whether this is an element outside extensions that has a latitude and a longitude but is not a point, or a point
    /// whose name runs into its first attribute.
    fn is_lost_point(&self, record: &Piece<'_, Gpx>) -> bool {
        if record.kind().element().is_some() {
            return false;
        }
        let (Tag::Start(inner) | Tag::Empty(inner)) = record.tag() else { return false };
        let name = record.tag().name();
        let own = name.strip_prefix(&self.prefix[..]).unwrap_or_default();
        let is_glued = inner.get(name.len()) == Some(&b'=');
        if is_glued && [&b"trkpt"[..], b"rtept", b"wpt"].iter().any(|point| own.starts_with(point)) {
            return true;
        }
        attribute(inner, b"lat").is_some()
            && attribute(inner, b"lon").is_some()
            && own == record.name()
            && !self.stack.has(&[&self.prefix[..], b"extensions"].concat())
    }

    fn begin(&mut self, name: &[u8], depth: Option<usize>) {
        let counter = match name {
            b"trk" => {
                self.segments = (0, None);
                &mut self.tracks
            }
            b"trkseg" => &mut self.segments,
            b"rte" => &mut self.routes,
            _ => return,
        };
        *counter = (counter.0 + 1, depth);
        self.channel = None;
    }

    fn end(&mut self) {
        let depth = self.stack.depth();
        for counter in [&mut self.tracks, &mut self.segments, &mut self.routes] {
            if counter.1.is_some_and(|open| open > depth) {
                counter.1 = None;
                self.channel = None;
            }
        }
    }

    /// Whether a track is open, and whether a segment is.
    pub(crate) fn in_track(&self) -> (bool, bool) {
        (self.tracks.1.is_some(), self.segments.1.is_some())
    }

    pub(crate) fn in_route(&self) -> bool {
        self.routes.1.is_some()
    }

    /// The number of the open route.
    pub(crate) fn route(&self) -> Option<u64> {
        self.routes.1.map(|_| self.routes.0)
    }

    pub(crate) fn open(&self) -> &Stack {
        &self.stack
    }

    /// Whether a point belongs to the line of a route: it is planned, not measured.
    pub(crate) fn is_planned(&self, point: PointKind, has_time: bool) -> bool {
        point == PointKind::RoutePoint && !has_time && self.in_route()
    }

    /// Whether the last point was of this kind and in the same track, route or segment.
    pub(crate) fn is_in_channel_of(&self, point: PointKind, has_time: bool) -> bool {
        let key = (point, self.is_planned(point, has_time));
        self.channel.as_ref().is_some_and(|(known, _)| *known == key)
    }

    /// The channel of points of this kind at this position.
    pub(crate) fn channel(&mut self, point: PointKind, has_time: bool) -> &Arc<str> {
        let key = (point, self.is_planned(point, has_time));
        let known = self.channel.take().filter(|(known, _)| *known == key);
        let channel = known.map_or_else(|| self.begin_channel(key).into(), |(_, channel)| channel);
        &self.channel.insert((key, channel)).1
    }

    fn begin_channel(&mut self, (point, is_planned): (PointKind, bool)) -> String {
        let (track, segment) =
            (self.tracks.1.map(|_| self.tracks.0), self.segments.1.map(|_| self.segments.0));
        // Waypoints and routes without times have one channel each.
        self.channels += u64::from(!(is_planned || point == PointKind::Waypoint));
        match (point, track, segment) {
            (PointKind::Waypoint, ..) => "waypoints".to_owned(),
            _ if is_planned => ROUTES.to_owned(),
            _ if self.channels > CHANNELS => "more".to_owned(),
            (PointKind::RoutePoint, ..) => match self.routes.1 {
                Some(_) => format!("route{}", self.routes.0),
                None => "routepoints".to_owned(),
            },
            (_, Some(track), Some(segment)) => format!("track{track}/segment{segment}"),
            (_, Some(track), None) => format!("track{track}"),
            (_, None, Some(segment)) => format!("segment{segment}"),
            (_, None, None) => "trackpoints".to_owned(),
        }
    }
}

impl DocumentPosition<Gpx> for Context {
    fn stack(&mut self) -> &mut Stack {
        &mut self.stack
    }

    fn follow(&mut self, piece: &Piece<'_, Gpx>) -> Result<()> {
        self.push(piece)
    }
}
