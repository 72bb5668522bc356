//! Counts and findings of a document.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use robolog_core::{Error, Result, Severity, format::SurveyBuilder, geodetic::Bounds, text::Escaped};

use robolog_xml::{Tag, local, tags, wrapped};

use crate::{
    Header, PointKind, Record,
    header::{GPX_1_0, GPX_1_1},
    payload::Read,
};

/// Contents of a GPX document. Elements are counted by local name.
///
/// ```
/// let summary = robolog_gpx::survey("examples/drive.gpx")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The version that the document states, escaped.
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
    /// `extensions`, anywhere.
    pub extensions: u64,
    /// The bounding box of all positions.
    pub extent: Option<Bounds>,
}

impl Details {
    /// The details of the header; its faults go to `notes`.
    pub(super) fn of(header: &Header, notes: &mut SurveyBuilder) -> Self {
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
        let text = |text: String| Escaped(text.as_bytes()).to_string();
        let version = header.version().map(text);
        if header.root.tag().is_some() && !matches!(version.as_deref(), Some("1.0" | "1.1")) {
            let found = version.as_deref().unwrap_or("");
            let message = format_args!("the version is {found:?}, not 1.0 or 1.1");
            notes.find(Severity::Warning, "version", 0, message);
        }
        Self { version, creator: header.creator().map(text), ..Self::default() }
    }

    /// Counts the element that a record is or begins.
    pub(super) fn count(&mut self, record: &Record<'_>) {
        let counter = match record.point() {
            Some(PointKind::TrackPoint) => &mut self.trackpoints,
            Some(PointKind::RoutePoint) => &mut self.routepoints,
            Some(PointKind::Waypoint) => &mut self.waypoints,
            None if !record.begins_element() => return,
            None => match record.name() {
                b"trk" => &mut self.tracks,
                b"trkseg" => &mut self.segments,
                b"rte" => &mut self.routes,
                b"extensions" => &mut self.extensions,
                _ => return,
            },
        };
        *counter += 1;
    }

    /// Reads the position of a point and reports its faults.
    pub(super) fn position(
        &mut self,
        record: &Record<'_>,
        in_segment: bool,
        notes: &mut SurveyBuilder,
    ) -> Result<Read> {
        let at = record.markup_offset();
        if record.point() == Some(PointKind::TrackPoint) && !in_segment {
            notes.find(Severity::Warning, "outside-segment", at, "a point of a track outside of a segment");
        }
        let mut fault = |error: Error| notes.find(Severity::Warning, "value", error.offset(), error);
        let outcome = record.read_with(&mut fault);
        // Without further elements there are no extensions.
        if !matches!(outcome, Ok((_, None))) {
            self.extensions += count_extensions(record.markup());
        }
        let (position, more) = outcome?;
        self.extent = Bounds::with(self.extent, position.latitude, wrapped(position.longitude));
        Ok((position, more))
    }
}

/// Number of `extensions` elements in a point, with any prefix.
fn count_extensions(markup: &[u8]) -> u64 {
    // Making it takes as long as searching a point.
    static NAME: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"extensions"));
    if NAME.find(markup).is_none() {
        return 0;
    }
    let is_name = |tag: &[u8]| local(tag) == NAME.needle();
    let begins = |tag: &Tag<'_>| matches!(tag, Tag::Start(_) | Tag::Empty(_)) && is_name(tag.name());
    tags(markup).filter(begins).count() as u64
}
