//! Counts and findings of a document.

use robolog_core::{
    Error, ErrorKind, Severity,
    format::{Rhythm, SurveyBuilder},
    geodetic::Bounds,
    text::Escaped,
};

use robolog_xml::{Stack, Tag, local, tags, variant, wrapped};

use super::links::Links;
use crate::{Header, Record, Time, Track, channels::Shape};

/// Contents of a KML document. Elements are counted by local name.
///
/// ```
/// let summary = robolog_kml::survey("examples/gx_track.kml")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The version, by the attribute of KML 2.3 or by the namespace; escaped.
    pub version: Option<String>,
    /// `Placemark`.
    pub placemarks: u64,
    /// `Point`.
    pub points: u64,
    /// `LineString`.
    pub linestrings: u64,
    /// `LinearRing`.
    pub linear_rings: u64,
    /// `Polygon`.
    pub polygons: u64,
    /// `Track`, those in `MultiTrack` included.
    pub tracks: u64,
    /// `MultiTrack`.
    pub multi_tracks: u64,
    /// `coord`.
    pub track_coords: u64,
    /// `when` in tracks.
    pub track_whens: u64,
    /// `when` everywhere.
    pub whens: u64,
    /// The bounding box of all positions.
    pub extent: Option<Bounds>,
}

/// Counts beside those of the samples.
#[derive(Debug, Default)]
pub(super) struct Counts {
    details: Details,
    links: Links,
}

impl Counts {
    /// The details of the header; its faults go to `notes`.
    pub(super) fn of(header: &Header, notes: &mut SurveyBuilder) -> Self {
        let version = header.version().map(|version| Escaped(version.as_bytes()).to_string());
        if header.root.tag().is_none() {
            notes.find(Severity::Note, "root", 0, "the root element is not kml");
        } else if version.is_none() {
            notes.find(Severity::Warning, "namespace", 0, "the root element is in no namespace of KML");
        }
        Self { details: Details { version, ..Details::default() }, ..Self::default() }
    }

    /// Counts the elements of a record.
    pub(super) fn elements(&mut self, record: &Record<'_>) {
        let mut in_track = 0_usize;
        let details = &mut self.details;
        for tag in tags(record.markup()) {
            let name = local(tag.name());
            match tag {
                Tag::Start(_) if name == b"Track" => in_track += 1,
                Tag::End(_) if name == b"Track" => in_track = in_track.saturating_sub(1),
                _ => {}
            }
            if !matches!(tag, Tag::Start(_) | Tag::Empty(_)) {
                continue;
            }
            let counter = match name {
                b"Placemark" => &mut details.placemarks,
                b"Point" => &mut details.points,
                b"LineString" => &mut details.linestrings,
                b"LinearRing" => &mut details.linear_rings,
                b"Polygon" => &mut details.polygons,
                b"Track" => &mut details.tracks,
                b"MultiTrack" => &mut details.multi_tracks,
                b"coord" => &mut details.track_coords,
                b"when" => {
                    let inside = u64::from(in_track > 0);
                    details.track_whens += inside;
                    &mut details.whens
                }
                _ => continue,
            };
            *counter += 1;
        }
    }

    /// Follows the links to other documents; `stack` has the elements around the record.
    pub(super) fn link(&mut self, record: &Record<'_>, stack: &Stack) {
        self.links.follow(record, stack);
    }

    /// Extends the bounds by the positions of a part of a placemark.
    pub(super) fn extend(&mut self, part: Shape<'_>) {
        let extent = &mut self.details.extent;
        part.each_place(&mut |place| {
            *extent = Bounds::with(*extent, place.latitude, wrapped(place.longitude));
        });
    }

    /// Counts a track. A time without a position counts for nothing.
    pub(super) fn track(channel: &str, track: &Track, offset: u64, notes: &mut SurveyBuilder) {
        note_times(track.times.iter().flatten(), offset, notes);
        let (mut rhythm, mut span, mut points) = (Rhythm::default(), None, 0);
        for (time, _) in track.points() {
            points += 1;
            let Some(time) = time else { continue };
            notes.stamp(Some(time));
            rhythm.add(time);
            let (first, last) = span.unwrap_or((time, time));
            span = Some((time.earlier(first), time.later(last)));
        }
        notes.tally(channel, "gnss_fix", points, points, span);
        notes.rhythm(channel, rhythm);
    }

    pub(super) fn finish(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.links.note(notes);
        (variant("KML", self.details.version.as_deref()), self.details)
    }
}

/// Reports the first of these times that is no date or cannot be held.
pub(super) fn note_times<'t>(
    mut times: impl Iterator<Item = &'t Time>,
    offset: u64,
    notes: &mut SurveyBuilder,
) {
    let is_odd = |time: &&Time| !time.as_str().trim().is_empty() && time.timestamp().is_none();
    if let Some(odd) = times.find(is_odd) {
        let text = Escaped(odd.as_str().trim().as_bytes());
        let message = format_args!("\"{text}\" is not a date and time from 1677 to 2262");
        notes.find(Severity::Warning, "value", offset, message);
    }
}

/// Reports a value of a placemark that cannot be read.
pub(super) fn note_fault(error: Error, notes: &mut SurveyBuilder) {
    let (severity, code) = match error.kind() {
        ErrorKind::Invalid { what: "track", .. } => (Severity::Error, "track-lists"),
        ErrorKind::Invalid { .. } => (Severity::Error, "position"),
        _ => (Severity::Warning, "value"),
    };
    notes.find(severity, code, error.offset(), error);
}
