//! Elements to placemarks.

use std::{collections::BTreeMap, ops::Range};

use robolog_core::{
    Error, ErrorKind,
    slices::{InRange as _, Part as _, past},
    text::Escaped,
    text::number,
};

use robolog_xml::{Element, is_on_earth, tuples};

use super::{
    AltitudeMode, Coordinate, Geometry, Line, Placemark, Polygon, Time, Track, layout::Name, model::Span,
};

/// A replacement for a part of a record in a copy.
pub(crate) type Replacement = (Range<usize>, String);

/// Makes placemarks of elements. The lists of tracks, which may have millions of entries, are read during parsing and
/// kept out of the tree.
pub(crate) struct Parser<'f> {
    at: u64,
    faults: &'f mut dyn FnMut(Error),
    /// By the offset of the element.
    tracks: BTreeMap<usize, Track>,
    arrays: BTreeMap<usize, Vec<Span>>,
    /// Replacements for lines with invalid positions.
    pub(crate) mends: Vec<Replacement>,
    /// The children of the placemark that are read here.
    pub(crate) known: Vec<Range<usize>>,
}

impl<'f> Parser<'f> {
    /// For a record with its markup at offset `at`.
    pub(crate) fn new(at: u64, faults: &'f mut dyn FnMut(Error)) -> Self {
        Self {
            at,
            faults,
            tracks: BTreeMap::new(),
            arrays: BTreeMap::new(),
            mends: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Reads the lists of tracks and drops elements that are not read; returns whether the element stays out of the
    /// tree.
    pub(crate) fn take(&mut self, parent: &Element<'_>, child: &Element<'_>) -> bool {
        match (name_of(parent), name_of(child)) {
            (Some(Name::Track), Some(name @ (Name::When | Name::Coord | Name::Angles))) => {
                list(self.tracks.entry(parent.range().start).or_default(), name, child);
                true
            }
            (Some(Name::SimpleArrayData), None) if child.name() == "value" => {
                self.arrays.entry(parent.range().start).or_default().push(child.range().into());
                true
            }
            // A list outside of a track is ignored.
            (_, name) => matches!(name, None | Some(Name::Coord | Name::Angles | Name::Placemark)),
        }
    }

    /// A placemark, or a geometry on its own.
    pub(crate) fn placemark(&mut self, element: &Element<'_>) -> Placemark {
        let mut placemark = Placemark::default();
        if name_of(element) != Some(Name::Placemark) {
            placemark.geometry = self.geometry(element);
            return placemark;
        }
        let mut geometries = Vec::new();
        for child in &element.children {
            let is_known = if placemark.take(child) {
                // `About` reads the end of a span.
                name_of(child) != Some(Name::TimeSpan)
            } else {
                let shape = self.geometry(child);
                let is_shape = shape.is_some();
                geometries.extend(shape);
                is_shape
            };
            self.known.extend(is_known.then(|| child.range()));
        }
        placemark.geometry = match geometries.len() {
            0 | 1 => geometries.pop(),
            // A placemark has one geometry; if there are several, none is lost.
            _ => Some(Geometry::MultiGeometry(geometries)),
        };
        placemark
    }

    fn geometry(&mut self, element: &Element<'_>) -> Option<Geometry> {
        Some(match name_of(element)? {
            Name::Point => Geometry::Point(self.places(element)),
            Name::LineString => Geometry::LineString(self.places(element)),
            Name::LinearRing => Geometry::LinearRing(self.places(element)),
            Name::Polygon => {
                let mut polygon = Polygon { altitude_mode: self.mode(element), ..Polygon::default() };
                for border in &element.children {
                    let rings = border.children.iter().filter(|ring| name_of(ring) == Some(Name::LinearRing));
                    for ring in rings {
                        let coordinates = self.places(ring).coordinates;
                        match name_of(border) {
                            Some(Name::OuterBoundary) => polygon.outer = coordinates,
                            Some(Name::InnerBoundary) => polygon.inner.push(coordinates),
                            _ => {}
                        }
                    }
                }
                Geometry::Polygon(polygon)
            }
            Name::Track => Geometry::Track(self.track(element)),
            Name::MultiTrack => {
                let parts = element.children.iter().filter(|child| name_of(child) == Some(Name::Track));
                let interpolate = matches!(element.child_text("interpolate"), Some("1" | "true"));
                let mode = self.mode(element);
                let track = |part| {
                    let track = self.track(part);
                    // That of the whole is that of its parts.
                    Track { altitude_mode: track.altitude_mode.or(mode), ..track }
                };
                Geometry::MultiTrack { tracks: parts.map(track).collect(), interpolate }
            }
            Name::MultiGeometry => {
                let mut parts = Vec::with_capacity(element.children.len());
                parts.extend(element.children.iter().filter_map(|child| self.geometry(child)));
                Geometry::MultiGeometry(parts)
            }
            Name::Model => Geometry::Other(element.raw().to_owned()),
            _ => return None,
        })
    }

    /// A line or a ring. Positions that cannot be read are left out.
    fn places(&mut self, element: &Element<'_>) -> Line {
        let mut line = Line { altitude_mode: self.mode(element), coordinates: Vec::new() };
        let Some(child) = element.child("coordinates") else { return line };
        let place = past(self.at, child.inner_start());
        let text = child.text().unwrap_or_default();
        let all = tuples(text).count();
        line.coordinates.reserve_exact(all);
        for tuple in tuples(text) {
            match in_line(tuple) {
                Ok(coordinate) => line.coordinates.push(coordinate),
                Err(expected) => (self.faults)(lost(expected, tuple, place)),
            }
        }
        if line.coordinates.len() < all {
            let good: Vec<_> = tuples(text).filter(|tuple| in_line(tuple).is_ok()).collect();
            self.mends.push((child.inner_range(), good.join(" ")));
        }
        line
    }

    fn track(&mut self, element: &Element<'_>) -> Track {
        let mut track = self.tracks.remove(&element.range().start).unwrap_or_default();
        track.altitude_mode = self.mode(element);
        self.faults_of(&track, element);
        for child in element.children.iter().filter(|child| name_of(child) == Some(Name::ExtendedData)) {
            track.extended_data = Some(child.raw().to_owned());
            let arrays = child.children.iter().flat_map(|data| &data.children);
            for array in arrays.filter(|array| name_of(array) == Some(Name::SimpleArrayData)) {
                track.places.arrays.push(self.arrays.remove(&array.range().start).unwrap_or_default());
            }
        }
        if !track.is_matched() {
            let found = format!(
                "{} times, {} coordinates and {} angles",
                track.times.len(),
                track.coordinates.len(),
                track.angles.len()
            );
            let place = past(self.at, element.range().start);
            (self.faults)(Error::invalid("track", found, "lists of one length", place).within("kml"));
        }
        track
    }
}

impl Parser<'_> {
    /// The reference of altitudes; that of Google's extensions comes first, as it has all modes.
    fn mode(&mut self, element: &Element<'_>) -> Option<AltitudeMode> {
        let modes = || element.children.iter().filter(|child| name_of(child) == Some(Name::AltitudeMode));
        let child = modes().find(|child| !child.prefix().is_empty()).or_else(|| modes().next())?;
        let text = child.text()?;
        let mode = AltitudeMode::parse(text);
        if mode.is_none() {
            (self.faults)(bad("a mode of altitudes", text, past(self.at, child.inner_start())));
        }
        mode
    }

    /// Reports unreadable entries in the lists of a track that makes samples. A misplaced track makes none.
    fn faults_of(&mut self, track: &Track, element: &Element<'_>) {
        let at = self.at;
        let mut tell = |wrong: Wrong, expected: fn(&str) -> &'static str, span: Span| {
            let range = Range::from(span);
            let from = range.start.minus(element.range().start);
            let to = range.end.minus(element.range().start);
            let child = element.raw().part(from..to);
            let inner = child.find('>').map_or(0, |end| end + 1);
            let text = child.part(inner..);
            let text = text.rfind("</").and_then(|end| text.get(..end)).unwrap_or(text).trim();
            let place = past(at, range.start + inner);
            (self.faults)(wrong(expected(text), text, place));
        };
        for (time, span) in track.times.iter().zip(&track.places.times) {
            if time.as_ref().is_some_and(|time| time.timestamp().is_none()) {
                tell(bad, |_| "a date and time", *span);
            }
        }
        for span in track.places.lost.iter().filter_map(|at| track.places.coordinates.get(*at)) {
            tell(lost, |text| in_track(text).err().unwrap_or(IN_TRACK), *span);
        }
    }
}

fn name_of(element: &Element<'_>) -> Option<Name> {
    Name::of(element.name().as_bytes())
}

const IN_TRACK: &str = "longitude, latitude and altitude";
const OFF_EARTH: &str = "latitudes of -90 to 90 and longitudes of -180 to 180 degrees, or 0 to 360";

/// A tuple of a line or a ring; otherwise what was expected.
fn in_line(tuple: &str) -> Result<Coordinate, &'static str> {
    let place = coordinate(tuple.split(',').map(str::trim_ascii));
    let place = place.ok_or("longitude,latitude or longitude,latitude,altitude")?;
    Some(place).filter(Coordinate::is_on_earth).ok_or(OFF_EARTH)
}

/// The same for the text of a track's `coord`.
fn in_track(text: &str) -> Result<Coordinate, &'static str> {
    let place = coordinate(text.split_ascii_whitespace()).ok_or(IN_TRACK)?;
    Some(place).filter(Coordinate::is_on_earth).ok_or(OFF_EARTH)
}

fn coordinate<'t>(mut parts: impl Iterator<Item = &'t str>) -> Option<Coordinate> {
    let mut degrees = || number(parts.next()?.as_bytes());
    let (longitude, latitude) = (degrees()?, degrees()?);
    let altitude = match parts.next() {
        None | Some("") => None,
        Some(text) => Some(number(text.as_bytes())?),
    };
    Some(Coordinate { longitude, latitude, altitude })
}

impl Coordinate {
    fn is_on_earth(&self) -> bool {
        is_on_earth(self.latitude, self.longitude)
    }
}

/// Reads an element of one of a track's lists.
fn list(track: &mut Track, name: Name, child: &Element<'_>) {
    let (text, span) = (child.text(), child.range().into());
    match name {
        Name::When => {
            track.times.push(text.map(Time::new));
            track.places.times.push(span);
        }
        Name::Coord => {
            let parsed = text.and_then(|text| in_track(text).ok());
            if text.is_some() && parsed.is_none() {
                track.places.lost.push(track.coordinates.len());
            }
            track.coordinates.push(parsed);
            track.places.coordinates.push(span);
        }
        _ => {
            let mut numbers = text.unwrap_or_default().split_ascii_whitespace();
            let mut next = || numbers.next().and_then(|text| number(text.as_bytes()));
            let angles = (next(), next(), next());
            track.angles.push(match angles {
                (Some(heading), Some(tilt), Some(roll)) => Some([heading, tilt, roll]),
                _ => None,
            });
            track.places.angles.push(span);
        }
    }
}

type Wrong = fn(&'static str, &str, u64) -> Error;

/// An unreadable position: it makes no sample.
#[cold]
fn lost(expected: &'static str, text: &str, at: u64) -> Error {
    Error::invalid("coordinates", format_args!("{:?}", shown(text)), expected, at).within("kml")
}

/// Another value that cannot be read.
#[cold]
fn bad(expected: &'static str, text: &str, at: u64) -> Error {
    Error::new(ErrorKind::Text { expected, found: shown(text), column: 1 }, at).within("kml")
}

fn shown(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    Escaped(short.as_bytes()).to_string()
}
