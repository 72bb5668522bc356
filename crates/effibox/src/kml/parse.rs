//! Elements to placemarks.

use robolog_core::{Error, ErrorKind, text::Escaped, text::number};

use super::{AltitudeMode, Coordinate, Geometry, Line, Placemark, Polygon, Time, Track, When};
use crate::xml::Element;

type Faults<'f> = &'f mut dyn FnMut(Error);

/// A placemark, or a geometry by itself, whose element lies at offset `at`.
pub(crate) fn placemark(element: &Element<'_>, at: u64, faults: Faults<'_>) -> Placemark {
    let mut placemark = Placemark::default();
    if element.name() != "Placemark" {
        placemark.geometry = geometry(element, at, faults);
        return placemark;
    }
    for child in &element.children {
        match child.name() {
            "name" => placemark.name = Some(child.whole_text()),
            "description" => placemark.description = Some(child.whole_text()),
            "TimeStamp" => placemark.time = child.child_text("when").map(|text| When::At(Time::new(text))),
            "TimeSpan" => {
                let part = |name| child.child_text(name).map(Time::new);
                placemark.time = Some(When::Span { begin: part("begin"), end: part("end") });
            }
            "ExtendedData" => placemark.extended_data = Some(child.raw().to_owned()),
            _ => placemark.geometry = placemark.geometry.or_else(|| geometry(child, at, faults)),
        }
    }
    placemark
}

fn geometry(element: &Element<'_>, at: u64, faults: Faults<'_>) -> Option<Geometry> {
    Some(match element.name() {
        "Point" => Geometry::Point(line(element, at, faults)),
        "LineString" => Geometry::LineString(line(element, at, faults)),
        "LinearRing" => Geometry::LinearRing(line(element, at, faults)),
        "Polygon" => {
            let mut polygon = Polygon { altitude_mode: altitude_mode(element), ..Polygon::default() };
            for border in &element.children {
                let rings = border.children.iter().filter(|ring| ring.name() == "LinearRing");
                for ring in rings {
                    let coordinates = line(ring, at, faults).coordinates;
                    match border.name() {
                        "outerBoundaryIs" => polygon.outer = coordinates,
                        "innerBoundaryIs" => polygon.inner.push(coordinates),
                        _ => {}
                    }
                }
            }
            Geometry::Polygon(polygon)
        }
        "Track" => Geometry::Track(track(element, at, faults)),
        "MultiTrack" => {
            let parts = element.children.iter().filter(|child| child.name() == "Track");
            let interpolate = matches!(element.child_text("interpolate"), Some("1" | "true"));
            Geometry::MultiTrack { tracks: parts.map(|part| track(part, at, faults)).collect(), interpolate }
        }
        "MultiGeometry" => {
            let parts = element.children.iter();
            Geometry::MultiGeometry(parts.filter_map(|child| geometry(child, at, faults)).collect())
        }
        "Model" => Geometry::Other(element.raw().to_owned()),
        _ => return None,
    })
}

fn altitude_mode(element: &Element<'_>) -> Option<AltitudeMode> {
    AltitudeMode::parse(element.child_text("altitudeMode")?)
}

fn line(element: &Element<'_>, at: u64, faults: Faults<'_>) -> Line {
    let mut line = Line { altitude_mode: altitude_mode(element), coordinates: Vec::new() };
    if let Some(child) = element.child("coordinates") {
        let place = at.saturating_add(child.inner_start() as u64);
        for tuple in child.text().unwrap_or_default().split_ascii_whitespace() {
            match coordinate(tuple.split(',')) {
                Some(coordinate) => line.coordinates.push(coordinate),
                None => faults(bad("longitude,latitude or longitude,latitude,altitude", tuple, place)),
            }
        }
    }
    line
}

fn coordinate<'t>(mut parts: impl Iterator<Item = &'t str>) -> Option<Coordinate> {
    let mut degrees = || number(parts.next()?.as_bytes()).filter(|n| n.is_finite());
    let (longitude, latitude) = (degrees()?, degrees()?);
    let altitude = match parts.next() {
        None | Some("") => None,
        Some(text) => Some(number(text.as_bytes())?),
    };
    Some(Coordinate { longitude, latitude, altitude })
}

fn track(element: &Element<'_>, at: u64, faults: Faults<'_>) -> Track {
    let mut track = Track { altitude_mode: altitude_mode(element), ..Track::default() };
    for child in &element.children {
        let place = at.saturating_add(child.inner_start() as u64);
        let text = child.text();
        match child.name() {
            "when" => {
                let time = text.map(Time::new);
                if let Some(time) = time.as_ref().filter(|time| time.timestamp().is_none()) {
                    faults(bad("a date and time", time.as_str(), place));
                }
                track.times.push(time);
                track.places.times.push(child.range());
            }
            "coord" => {
                let parsed = text.and_then(|text| coordinate(text.split_ascii_whitespace()));
                if let (Some(text), None) = (text, parsed) {
                    faults(bad("longitude, latitude and altitude", text, place));
                }
                track.coordinates.push(parsed);
                track.places.coordinates.push(child.range());
            }
            "angles" => {
                let mut numbers = text.unwrap_or_default().split_ascii_whitespace();
                let mut next = || numbers.next().and_then(|text| number(text.as_bytes()));
                let angles = (next(), next(), next());
                track.angles.push(match angles {
                    (Some(heading), Some(tilt), Some(roll)) => Some([heading, tilt, roll]),
                    _ => None,
                });
                track.places.angles.push(child.range());
            }
            "ExtendedData" => {
                track.extended_data = Some(child.raw().to_owned());
                let arrays = child.children.iter().flat_map(|data| &data.children);
                for array in arrays.filter(|array| array.name() == "SimpleArrayData") {
                    let values = array.children.iter().filter(|value| value.name() == "value");
                    track.places.arrays.push(values.map(Element::range).collect());
                }
            }
            _ => {}
        }
    }
    if !track.is_matched() {
        let found = format!(
            "{} times, {} coordinates and {} angles",
            track.times.len(),
            track.coordinates.len(),
            track.angles.len()
        );
        let place = at.saturating_add(element.range().start as u64);
        faults(Error::invalid("track", found, "lists of one length", place).within("kml"));
    }
    track
}

#[cold]
fn bad(expected: &'static str, text: &str, at: u64) -> Error {
    let short: String = text.chars().take(64).collect();
    let found = Escaped(short.as_bytes()).to_string();
    Error::new(ErrorKind::Text { expected, found, column: 1 }, at).within("kml")
}
