//! GPX for the converters, beyond samples.

use robolog_core::text::number;
use robolog_gpx::PointKind;
use robolog_xml::Element;

use super::Source;
use crate::{Extra, Note, Settings, extras::quantity};

impl Source for robolog_gpx::Gpx {
    fn variant(header: &robolog_gpx::Header) -> String {
        header.version().map(|version| format!("GPX {version}")).unwrap_or_default()
    }

    fn options(_: &Settings) -> robolog_gpx::Options {
        robolog_gpx::Options::default()
    }

    fn notes(decoder: &robolog_gpx::Decoder) -> Vec<Note> {
        Note::wrapped(decoder.wrapped()).into_iter().collect()
    }

    fn raw(record: &robolog_gpx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    const HAS_EXTRAS: bool = true;

    fn extras(record: &robolog_gpx::Record<'_>, found: &mut dyn FnMut(Extra)) {
        let Some(point) = record.point() else { return };
        // Most track points have no extensions.
        let has_extensions = || record.markup().windows(10).any(|word| word == b"extensions");
        if point != PointKind::Waypoint && !has_extensions() {
            return;
        }
        let Ok(waypoint) = record.waypoint() else { return };
        let position = &waypoint.position;
        if let Some(name) = waypoint.name.filter(|_| point == PointKind::Waypoint) {
            let longitude = robolog_xml::wrapped(position.longitude);
            found(Extra::Place { name, latitude: position.latitude, longitude });
        }
        let Some((time, extensions)) = position.time.zip(waypoint.extensions) else { return };
        let source = format!("<all>{}</all>", extensions.content);
        let Ok(all) = Element::parse(&source, record.markup_offset()) else { return };
        numbers(&all, &mut |name, value| {
            if let Some((quantity, unit)) = quantity(name) {
                found(Extra::Number { time, quantity, unit, value });
            }
        });
    }
}

/// Calls `found` with the names and numbers of all elements inside. The limits of records bound the nesting.
fn numbers(element: &Element<'_>, found: &mut dyn FnMut(&str, f64)) {
    for child in &element.children {
        if let Some(value) = child.text().and_then(|text| number(text.as_bytes())) {
            found(child.name(), value);
        }
        numbers(child, found);
    }
}
