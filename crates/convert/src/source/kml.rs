//! KML for the converters, beyond samples.

use robolog_core::text::number;
use robolog_kml::{Coordinate, Geometry, Track};
use robolog_xml::{Element, wrapped};

use super::Source;
use crate::{Extra, Note, Settings, extras::quantity};

impl Source for robolog_kml::Kml {
    fn options(_: &Settings) -> robolog_kml::Options {
        robolog_kml::Options::default()
    }

    fn notes(decoder: &robolog_kml::Decoder) -> Vec<Note> {
        Note::wrapped(decoder.wrapped()).into_iter().collect()
    }

    fn raw(record: &robolog_kml::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    const HAS_EXTRAS: bool = true;

    fn extras(record: &robolog_kml::Record<'_>, found: &mut dyn FnMut(Extra)) {
        if record.kind().element().is_none() {
            return;
        }
        let Ok(placemark) = record.placemark() else { return };
        if let Some(geometry) = &placemark.geometry {
            shapes(geometry, placemark.name.as_deref().unwrap_or_default(), found);
        }
    }
}

fn shapes(geometry: &Geometry, name: &str, found: &mut dyn FnMut(Extra)) {
    let mut area = |border: &[Coordinate]| {
        let corners = border.iter().map(|corner| (corner.latitude, wrapped(corner.longitude))).collect();
        found(Extra::Area { name: name.to_owned(), corners });
    };
    match geometry {
        Geometry::Polygon(polygon) => area(&polygon.outer),
        Geometry::LinearRing(ring) => area(&ring.coordinates),
        Geometry::Point(line) => {
            if let Some(place) = line.coordinates.first().filter(|_| !name.is_empty()) {
                let (latitude, longitude) = (place.latitude, wrapped(place.longitude));
                found(Extra::Place { name: name.to_owned(), latitude, longitude });
            }
        }
        Geometry::MultiGeometry(parts) => parts.iter().for_each(|part| shapes(part, name, found)),
        Geometry::Track(track) => arrays(track, found),
        Geometry::MultiTrack { tracks, .. } => tracks.iter().for_each(|track| arrays(track, found)),
        _ => {}
    }
}

/// Calls `found` with the arrays of a track, which have a value for each of its times.
fn arrays(track: &Track, found: &mut dyn FnMut(Extra)) {
    let Some(data) = &track.extended_data else { return };
    let Ok(data) = Element::parse(data, 0) else { return };
    let arrays = data.children.iter().flat_map(|schema| &schema.children);
    for array in arrays.filter(|array| array.name() == "SimpleArrayData") {
        let Some((quantity, unit)) = array.attribute("name").and_then(|name| quantity(&name)) else {
            continue;
        };
        for (time, value) in track.times.iter().zip(&array.children) {
            let time = time.as_ref().and_then(robolog_kml::Time::timestamp);
            let value = value.text().and_then(|text| number(text.as_bytes()));
            if let Some((time, value)) = time.zip(value) {
                found(Extra::Number { time, quantity, unit, value });
            }
        }
    }
}
