//! Counts of a document, and what is odd about it.

use robolog_core::{Error, Notes, Severity, geodetic::Bounds, text::Escaped};

use robolog_xml::{Tag, local, note_another_document, note_unfinished, tags, variant};

use super::{
    Gpx, Header, PointKind, Record,
    context::Context,
    header::{GPX_1_0, GPX_1_1},
};

/// What a GPX document contains. Elements are counted by their local names.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The version that the document says it has, escaped.
    pub version: Option<String>,
    /// The program that wrote it, escaped.
    pub creator: Option<String>,
    /// `trk`.
    pub tracks: u64,
    /// `trkseg`.
    pub segments: u64,
    /// `trkpt`.
    pub trackpoints: u64,
    /// `rte`.
    pub routes: u64,
    /// `rtept`.
    pub routepoints: u64,
    /// `wpt`.
    pub waypoints: u64,
    /// `extensions`, wherever they stand.
    pub extensions: u64,
    /// Where the positions lie.
    pub extent: Option<Bounds>,
}

/// Counts records: see [`robolog_core::survey`].
///
/// ```
/// let summary = robolog_gpx::survey("../../testdata/gpx/drive.gpx")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    context: Context,
    details: Details,
    end: u64,
}

impl robolog_core::Surveying for Survey {
    type Format = Gpx;
    type Details = Details;

    fn new(header: &Header, notes: &mut Notes) -> Self {
        match header.namespace() {
            _ if header.root.tag().is_none() => {
                notes.find(Severity::Error, "root", 0, Header::no_root());
            }
            Some(name) if name == GPX_1_0 || name == GPX_1_1 => {}
            Some(name) => {
                let message = format_args!("the namespace is {}, not that of GPX", Escaped(name.as_bytes()));
                notes.find(Severity::Warning, "namespace", 0, message);
            }
            None => notes.find(Severity::Warning, "namespace", 0, "the root element is in no namespace"),
        }
        let version = header.version();
        if header.root.tag().is_some() && !matches!(version.as_deref(), Some("1.0" | "1.1")) {
            let found = Escaped(version.as_deref().unwrap_or_default().as_bytes()).to_string();
            let message = format_args!("the version is {found:?}, not 1.0 or 1.1");
            notes.find(Severity::Warning, "version", 0, message);
        }
        let text = |text: String| Escaped(text.as_bytes()).to_string();
        let (version, creator) = (version.map(text), header.creator().map(text));
        Self {
            context: Context::new(header),
            details: Details { version, creator, ..Details::default() },
            end: 0,
        }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        self.end = record.raw().end();
        note_another_document(record, self.context.open(), notes);
        if let Some(error) = self.context.stray_text(record) {
            notes.find(Severity::Error, "markup", error.offset(), error);
        }
        if let Err(error) = self.context.push(record) {
            notes.find(Severity::Error, "markup", error.offset(), error);
        }
        if let Some(point) = record.point() {
            return self.point(point, record, notes);
        }
        if record.begins_element() {
            let counter = match record.name() {
                b"trk" => &mut self.details.tracks,
                b"trkseg" => &mut self.details.segments,
                b"rte" => &mut self.details.routes,
                b"extensions" => &mut self.details.extensions,
                _ => return,
            };
            *counter += 1;
        }
    }

    fn damage(&mut self, error: &Error, lost: std::ops::Range<u64>, notes: &mut Notes) {
        self.end = lost.end;
        notes.damage(error, lost);
    }

    fn finish(self, notes: &mut Notes) -> (String, Details) {
        note_unfinished(self.context.open(), self.end, notes);
        (variant("GPX", self.details.version.as_deref()), self.details)
    }
}

impl Survey {
    fn point(&mut self, point: PointKind, record: &Record<'_>, notes: &mut Notes) {
        let counter = match point {
            PointKind::TrackPoint => &mut self.details.trackpoints,
            PointKind::RoutePoint => &mut self.details.routepoints,
            PointKind::Waypoint => &mut self.details.waypoints,
        };
        *counter += 1;
        let extensions = count_extensions(record.markup());
        self.details.extensions += extensions;
        let at = record.markup_offset();
        if point == PointKind::TrackPoint && !self.context.in_track().1 {
            notes.find(Severity::Warning, "outside-segment", at, "a point of a track outside of a segment");
        }
        let mut fault = |error: Error| notes.find(Severity::Warning, "value", error.offset(), error);
        match record.position_with(&mut fault) {
            Ok(position) => {
                if !position.is_on_earth() {
                    let (latitude, longitude) = (position.latitude, position.longitude);
                    let message = format_args!("no place on Earth: {latitude}, {longitude} degrees");
                    notes.find(Severity::Warning, "coordinates", at, message);
                }
                self.details.extent =
                    Bounds::with(self.details.extent, position.latitude, position.longitude);
                let channel = self.context.channel(point);
                notes.count(&channel, "gnss_fix", 1, position.time);
            }
            Err(error) => {
                notes.find(Severity::Error, "position", error.offset(), error);
            }
        }
    }
}

/// Elements of this name in a point, whatever their prefix.
fn count_extensions(markup: &[u8]) -> u64 {
    const NAME: &[u8] = b"extensions";
    if memchr::memmem::find(markup, NAME).is_none() {
        return 0;
    }
    let begins = |tag: &Tag<'_>| matches!(tag, Tag::Start(_) | Tag::Empty(_)) && local(tag.name()) == NAME;
    tags(markup).filter(begins).count() as u64
}
