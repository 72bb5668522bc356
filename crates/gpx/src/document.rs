//! Whole documents in memory.

use std::io::Write;

use robolog_core::{Error, Result, slices::Part as _};

use robolog_xml::{Element, Kind, Tag, attributes, lossy, to_utf8};

use super::{
    Document, Header, Metadata, PointKind, Reader, Record, Route, Segment, Track, TrackHead, Writer,
    context::Context,
    layout::{LinkParts, Scope, extension},
};

/// Reads a document up to its first fault: everything before it, and that fault.
///
/// The error's offset is the start of the damage, in the text as UTF-8. Input that is not GPX yields an empty document
/// and an error.
///
/// ```
/// let file = std::fs::read("examples/drive.gpx").unwrap();
/// let (document, fault) = robolog_gpx::read(&file);
/// assert!(fault.is_none());
/// let first = &document.tracks[0].segments[0].points[0].position;
/// println!("{} {} at {:?}", first.latitude, first.longitude, first.time);
/// ```
pub fn read(input: &[u8]) -> (Document, Option<Error>) {
    let text = to_utf8(input);
    match Reader::new(&text) {
        Ok(reader) => Builder::new(reader.header(), &text).run(&reader),
        Err(error) => (Document::default(), Some(error)),
    }
}

/// Writes a document as GPX 1.1: see [`Writer`].
///
/// ```
/// use robolog_gpx::{Document, Position, Waypoint};
/// let document = Document { waypoints: vec![Waypoint::from(Position::new(45.76, 3.11))], ..Document::default() };
/// let file = robolog_gpx::write(&document, Vec::new())?;
/// assert_eq!(robolog_gpx::read(&file).0.waypoints, document.waypoints);
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
pub fn write<W: Write>(document: &Document, out: W) -> Result<W> {
    let mut writer = Writer::new(out, &document.header)?;
    document.metadata.iter().try_for_each(|metadata| writer.metadata(metadata))?;
    document.waypoints.iter().try_for_each(|point| writer.waypoint(point))?;
    for route in &document.routes {
        writer.begin_route(&route.head)?;
        route.points.iter().try_for_each(|point| writer.point(point))?;
    }
    for track in &document.tracks {
        writer.begin_track(&track.head)?;
        for segment in &track.segments {
            writer.begin_segment()?;
            segment.points.iter().try_for_each(|point| writer.point(point))?;
            writer.end_segment(segment.extensions.as_ref())?;
        }
    }
    if let Some(extensions) = &document.extensions {
        writer.extensions(extensions)?;
    }
    writer.finish()
}

/// Builds a document from its records.
struct Builder<'a> {
    text: &'a [u8],
    context: Context,
    document: Document,
    prefix: String,
    /// Links of GPX 1.0 in the root element, and in the current route or track.
    root_links: LinkParts,
    head_links: LinkParts,
    /// An element that neither is a point nor contains points: its offset, and the number of open elements around it.
    leaf: Option<(u64, usize)>,
    /// Whether the last segment was made for points outside of segments.
    is_made_up: bool,
    /// Namespaces declared by the route or track, and by the segment.
    outer: [Vec<(String, String)>; 2],
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl<'a> Builder<'a> {
    fn new(header: &Header, text: &'a [u8]) -> Self {
        let prefix = header.root.prefix();
        Self {
            text,
            context: Context::new(header),
            document: Document { header: header.clone(), ..Document::default() },
            prefix: string(prefix.strip_suffix(b":").unwrap_or(prefix)),
            root_links: LinkParts::default(),
            head_links: LinkParts::default(),
            leaf: None,
            is_made_up: false,
            outer: [Vec::new(), Vec::new()],
        }
    }

    fn run(mut self, reader: &Reader<'a>) -> (Document, Option<Error>) {
        let mut end = reader.header_bytes().len() as u64;
        let mut error = None;
        for record in reader.records() {
            let outcome = record.and_then(|record| self.push(&record).map(|()| record.raw().end()));
            match outcome {
                Ok(at) => end = at,
                Err(e) => {
                    error = Some(e);
                    break;
                }
            }
        }
        error = error.or_else(|| self.context.open().unfinished(end));
        self.end_head();
        let links = std::mem::take(&mut self.root_links).finish();
        if !links.is_empty() {
            self.document.metadata.get_or_insert_default().links.extend(links);
        }
        (self.document, error)
    }

    fn push(&mut self, record: &Record<'_>) -> Result<()> {
        let kind = record.kind();
        if record.begins_element() {
            self.context.open().inside(record.markup_offset())?;
        }
        if let Some(point) = record.point() {
            self.context.push(record)?;
            return if self.leaf.is_none() { self.point(point, record) } else { Ok(()) };
        }
        let (before, name) = (self.context.open().depth(), record.name());
        if self.leaf.is_none() && kind == Kind::End && matches!(name, b"trk" | b"rte") {
            self.end_head();
        }
        self.context.push(record)?;
        let is_container = matches!(name, b"trk" | b"trkseg" | b"rte" | b"gpx");
        match (kind, self.leaf) {
            (Kind::Start | Kind::Empty, None) if is_container => self.begin(name, record.tag()),
            (Kind::Start, None) => self.leaf = Some((record.markup_offset(), before)),
            (Kind::Empty, None) => self.child(record.markup_offset(), record.raw().end()),
            (Kind::End, Some((from, depth))) if self.context.open().depth() == depth => {
                self.leaf = None;
                self.child(from, record.raw().end());
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, name: &[u8], tag: Tag<'_>) {
        let inner = match tag {
            Tag::Start(inner) => inner,
            _ => &[],
        };
        let declared = attributes(inner).filter(|(key, _)| key.starts_with(b"xmlns"));
        let outer = declared.map(|(key, value)| (string(key), string(value))).collect();
        match name {
            b"trk" => {
                self.outer = [outer, Vec::new()];
                self.is_made_up = false;
                self.document.tracks.push(Track::default());
            }
            b"rte" => {
                self.outer = [outer, Vec::new()];
                self.document.routes.push(Route::default());
            }
            b"trkseg" => {
                let [_, of_segment] = &mut self.outer;
                *of_segment = outer;
                self.is_made_up = false;
                self.segment(true);
            }
            _ => {}
        }
    }

    fn point(&mut self, kind: PointKind, record: &Record<'_>) -> Result<()> {
        let point = record.waypoint()?;
        match kind {
            PointKind::Waypoint => self.document.waypoints.push(point),
            PointKind::RoutePoint => {
                let routes = &mut self.document.routes;
                if routes.is_empty() {
                    routes.push(Route::default());
                }
                if let Some(route) = routes.last_mut() {
                    route.points.push(point);
                }
            }
            PointKind::TrackPoint => {
                let (_, in_segment) = self.context.in_track();
                let is_new = !(in_segment || self.is_made_up);
                self.is_made_up |= is_new;
                if let Some(segment) = self.segment(is_new) {
                    segment.points.push(point);
                }
            }
        }
        Ok(())
    }

    /// The last segment of the last track; creates either if missing.
    fn segment(&mut self, is_new: bool) -> Option<&mut Segment> {
        let tracks = &mut self.document.tracks;
        if tracks.is_empty() {
            tracks.push(Track::default());
        }
        let segments = &mut tracks.last_mut()?.segments;
        if segments.is_empty() || is_new {
            segments.push(Segment::default());
        }
        segments.last_mut()
    }

    /// Adds a child of the document, a route, a track or a segment.
    fn child(&mut self, from: u64, to: u64) {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = self.text.part(place(from)..place(to));
        let source = lossy(bytes);
        // The records have sound tags; skips what quick-xml still rejects.
        let Ok(element) = Element::parse(&source, from) else { return };
        let (in_track, in_segment) = self.context.in_track();
        let pairs = self.outer.iter().flatten().map(|(key, value)| (key.as_str(), value.as_str()));
        let outer: Vec<(&str, &str)> = pairs.collect();
        let scope = Scope { prefix: &self.prefix, outer: &outer };
        let is_foreign = element.prefix() != scope.prefix;
        let is_extensions = element.name() == "extensions" && !is_foreign;
        let document = &mut self.document;
        if in_segment {
            let segment = document.tracks.last_mut().and_then(|track| track.segments.last_mut());
            let Some(segment) = segment else { return };
            if is_extensions {
                extension::take(&mut segment.extensions, &element, element.inner(), &outer);
            } else if is_foreign {
                extension::foreign(&mut segment.extensions, &element, &outer);
            }
            return;
        }
        let head: Option<&mut TrackHead> = match (in_track, self.context.in_route()) {
            (true, _) => document.tracks.last_mut().map(|track| &mut track.head),
            (_, true) => document.routes.last_mut().map(|route| &mut route.head),
            _ => None,
        };
        if let Some(head) = head {
            return head.take_any(&element, &mut self.head_links, &scope);
        }
        match element.name() {
            "metadata" if !is_foreign => document.metadata = Some(Metadata::from_element(&element)),
            _ if is_extensions => extension::take(&mut document.extensions, &element, element.inner(), &[]),
            _ if is_foreign => extension::foreign(&mut document.extensions, &element, &[]),
            _ => {
                let mut metadata = document.metadata.take().unwrap_or_default();
                metadata.take_any(&element, &mut self.root_links, &Scope { outer: &[], ..scope });
                document.metadata = Some(metadata).filter(|data| *data != Metadata::default());
            }
        }
    }

    /// Moves the collected links to the current route or track.
    fn end_head(&mut self) {
        let links = std::mem::take(&mut self.head_links).finish();
        if links.is_empty() {
            return;
        }
        let document = &mut self.document;
        let head = if self.context.in_route() {
            document.routes.last_mut().map(|route| &mut route.head)
        } else {
            document.tracks.last_mut().map(|track| &mut track.head)
        };
        if let Some(head) = head {
            head.links = links;
        }
    }
}
