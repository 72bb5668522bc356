//! Where in the document a record stands.

use std::sync::Arc;

use robolog_core::{Error, Result};

use super::{Header, Kind, Record};
use crate::xml::{Stack, Tag};

/// The open elements, and the channel of points.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    stack: Stack,
    has_root: bool,
    /// How many there have been, and the depth at which one is open.
    tracks: (u64, Option<usize>),
    segments: (u64, Option<usize>),
    routes: (u64, Option<usize>),
    channels: u64,
    channel: Option<(Kind, Arc<str>)>,
}

/// So many channels are told apart.
const CHANNELS: u64 = 1 << 16;

impl Context {
    pub(crate) fn new(header: &Header) -> Self {
        let mut stack = Stack::default();
        if let Some(root) = header.root.as_deref().filter(|_| !header.is_empty) {
            // The first element is never too deep.
            let _ = stack.push(Tag::Start(root), 0);
        }
        Self {
            stack,
            has_root: header.root.is_some(),
            tracks: (0, None),
            segments: (0, None),
            routes: (0, None),
            channels: 0,
            channel: None,
        }
    }

    /// Follows a record. Says when its end tag ends nothing, or something else than the innermost element, which then is
    /// taken to end too.
    pub(crate) fn push(&mut self, record: &Record<'_>) -> Result<()> {
        let tag = match record.kind() {
            Kind::Start | Kind::End => record.tag,
            Kind::Empty if matches!(record.name(), b"trk" | b"trkseg" | b"rte") => {
                self.begin(record.name(), None);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let at = record.markup_offset();
        let behind = self.has_root && self.stack.depth() == 0;
        if let (Tag::Start(_), true) = (tag, behind) {
            let message = "nothing but comments behind the root element";
            return Err(Error::invalid("element", "another one", message, at).within("gpx"));
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
        *counter = (counter.0.saturating_add(1), depth);
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

    /// Whether a track is open, and a segment.
    pub(crate) fn in_track(&self) -> (bool, bool) {
        (self.tracks.1.is_some(), self.segments.1.is_some())
    }

    pub(crate) fn in_route(&self) -> bool {
        self.routes.1.is_some()
    }

    pub(crate) fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The channel of points of this kind that stand here.
    pub(crate) fn channel(&mut self, kind: Kind) -> Arc<str> {
        if let Some((known, channel)) = &self.channel
            && *known == kind
        {
            return Arc::clone(channel);
        }
        let (track, segment) =
            (self.tracks.1.map(|_| self.tracks.0), self.segments.1.map(|_| self.segments.0));
        self.channels = self.channels.saturating_add(1);
        let name = match (kind, track, segment) {
            (Kind::Waypoint, ..) => "waypoints".to_owned(),
            _ if self.channels > CHANNELS => "more".to_owned(),
            (Kind::RoutePoint, ..) => match self.routes.1 {
                Some(_) => format!("route{}", self.routes.0),
                None => "routepoints".to_owned(),
            },
            (_, Some(track), Some(segment)) => format!("track{track}/segment{segment}"),
            (_, Some(track), None) => format!("track{track}"),
            (_, None, Some(segment)) => format!("segment{segment}"),
            (_, None, None) => "trackpoints".to_owned(),
        };
        let channel: Arc<str> = name.into();
        self.channel = Some((kind, Arc::clone(&channel)));
        channel
    }
}
