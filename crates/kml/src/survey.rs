//! Counts of a document, and what is odd about it.

use std::convert::Infallible;

use robolog_core::{Error, ErrorKind, Notes, Rhythm, Severity, geodetic::Bounds, text::Escaped};

use robolog_xml::{Stack, Tag, local, note_another_document, note_unfinished, tags, variant};

use super::{
    Coordinate, Header, Kml, Record, Time,
    channels::{Channels, Shape},
};

/// What a KML document contains. Elements are counted by their local names.
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
    /// Where the positions lie.
    pub extent: Option<Bounds>,
}

/// Counts records: see [`robolog_core::survey`].
///
/// ```
/// let summary = robolog_kml::survey("../../testdata/kml/gx_track.kml")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    stack: Stack,
    channels: Channels,
    details: Details,
    /// Where the first polygon or ring is.
    areas_at: Option<u64>,
    end: u64,
}

impl robolog_core::Surveying for Survey {
    type Format = Kml;
    type Details = Details;

    fn new(header: &Header, notes: &mut Notes) -> Self {
        let stack = Stack::new(&header.root);
        let version = header.version().map(|version| Escaped(version.as_bytes()).to_string());
        if header.root.tag().is_none() {
            notes.find(Severity::Note, "root", 0, "the root element is not kml");
        } else if version.is_none() {
            notes.find(Severity::Warning, "namespace", 0, "the root element is in no namespace of KML");
        }
        let details = Details { version, ..Details::default() };
        Self { stack, channels: Channels::default(), details, areas_at: None, end: 0 }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        self.end = record.raw().end();
        self.count(record.markup());
        let at = record.markup_offset();
        note_another_document(record, &self.stack, notes);
        if record.kind().element().is_some() {
            let areas = self.details.polygons.saturating_add(self.details.linear_rings);
            if areas > 0 {
                self.areas_at.get_or_insert(at);
            }
            self.placemark(record, notes);
        } else if let Err(error) = self.stack.follow(record.tag(), at) {
            notes.find(Severity::Error, "markup", error.offset(), error);
        }
    }

    fn damage(&mut self, error: &Error, lost: std::ops::Range<u64>, notes: &mut Notes) {
        self.end = lost.end;
        notes.damage(error, lost);
    }

    fn finish(self, notes: &mut Notes) -> (String, Details) {
        note_unfinished(&self.stack, self.end, notes);
        if let Some(at) = self.areas_at {
            let (polygons, rings) = (self.details.polygons, self.details.linear_rings);
            let message =
                format_args!("{polygons} polygons with {rings} rings are areas: they make no samples");
            notes.find(Severity::Note, "areas", at, message);
        }
        (variant("KML", self.details.version.as_deref()), self.details)
    }
}

impl Survey {
    /// Counts the elements of a record.
    fn count(&mut self, markup: &[u8]) {
        let mut in_track = 0_usize;
        let details = &mut self.details;
        for tag in tags(markup) {
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

    fn placemark(&mut self, record: &Record<'_>, notes: &mut Notes) {
        let mut fault = |error: Error| match error.kind() {
            ErrorKind::Invalid { what: "track", .. } => {
                notes.find(Severity::Error, "track-lists", error.offset(), error);
            }
            ErrorKind::Invalid { .. } => notes.find(Severity::Error, "position", error.offset(), error),
            _ => notes.find(Severity::Warning, "value", error.offset(), error),
        };
        let placemark = match record.placemark_with(&mut fault) {
            Ok(placemark) => placemark,
            Err(error) => return notes.damage(&error, record.offset()..record.raw().end()),
        };
        let extent = &mut self.details.extent;
        let mut add = |place: &Coordinate| *extent = Bounds::with(*extent, place.latitude, place.longitude);
        let Ok(()) = self.channels.visit::<Infallible>(&placemark, &mut |channel, time, part| {
            match part {
                Shape::Point(place, _) => {
                    add(&place);
                    notes.count(&channel, "gnss_fix", 1, time);
                }
                Shape::Line(places, _) => {
                    places.iter().for_each(&mut add);
                    let places = places.len() as u64;
                    notes.tally(&channel, "gnss_fix", places, places, None);
                }
                Shape::Track(track) => {
                    let times = track.times.iter().flatten().filter_map(Time::timestamp);
                    let (mut rhythm, mut span) = (Rhythm::default(), None);
                    for time in times {
                        notes.stamp(Some(time));
                        rhythm.add(time);
                        let (first, last) = span.unwrap_or((time, time));
                        let first = if time.nanos() < first.nanos() { time } else { first };
                        span = Some((first, if time.nanos() > last.nanos() { time } else { last }));
                    }
                    let mut points = 0_u64;
                    for place in track.coordinates.iter().flatten() {
                        points += 1;
                        add(place);
                    }
                    notes.tally(&channel, "gnss_fix", points, points, span);
                    notes.rhythm(&channel, rhythm);
                }
            }
            Ok(())
        });
    }
}
