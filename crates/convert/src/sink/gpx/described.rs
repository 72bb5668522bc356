//! What features and tracks say of themselves, as elements of GPX.

use robolog_core::{Attributes, Cell, Feature, Field, FieldKind, Row, Timestamp};
use robolog_gpx::{Extensions, Link, Position, TrackHead, Waypoint};

use crate::sink::text::of_cell;

/// Properties of a point that GPX has elements for, apart from texts.
const OF_FIX: [&str; 11] = [
    "altitude",
    "geoid_height",
    "magnetic_variation",
    "satellites",
    "hdop",
    "vdop",
    "pdop",
    "speed",
    "course",
    "age_of_corrections",
    "station_id",
];
/// The whole numbers in [`OF_FIX`].
const WHOLE: [&str; 2] = ["satellites", "station_id"];
/// Texts that GPX has elements for, where other formats keep them as properties.
const OF_TEXT: [&str; 2] = ["comment", "source"];

/// The head of a track. `name` is for one without a name.
pub(super) fn head(attributes: &Attributes, name: Option<&str>) -> TrackHead {
    const KNOWN: [&str; 5] = ["name", "comment", "description", "source", "type"];
    let text = |key: &str| attributes.get(key).map(str::to_owned);
    let (links, number) = (links(text("link"), &text), text("number").as_deref().and_then(whole));
    let others = attributes.iter().filter(|(key, _)| {
        !(KNOWN.contains(key) || is_link(key, &links) || (*key == "number" && number.is_some()))
    });
    let (fields, cells) = others
        .map(|(key, value)| {
            let name = key.to_owned().into();
            (Field { name, unit: None, kind: FieldKind::Text }, Cell::from(value))
        })
        .unzip::<_, _, Vec<_>, Vec<_>>();
    TrackHead {
        name: text("name").or_else(|| name.map(str::to_owned)),
        comment: text("comment"),
        description: text("description"),
        source: text("source"),
        links,
        number,
        class: text("type"),
        extensions: Extensions::of_row(&Row::new(fields.into(), cells)),
    }
}

/// The head of a route.
pub(super) fn head_of_route(feature: &Feature) -> TrackHead {
    let text = |name: &str| of_cell(feature.properties.as_ref()?.get(name)?);
    let (links, number) = (links(feature.link.clone(), &text), text("number").as_deref().and_then(whole));
    let extensions = others(feature, &|name, _| {
        OF_TEXT.contains(&name) || is_link(name, &links) || (name == "number" && number.is_some())
    });
    TrackHead {
        name: feature.name.clone(),
        comment: text("comment"),
        description: feature.description.clone(),
        source: text("source"),
        links,
        number,
        class: feature.kind.clone(),
        extensions,
    }
}

/// A point, described by a feature; without the properties that say where it belongs.
pub(super) fn waypoint(
    place: &robolog_core::Position,
    time: Option<Timestamp>,
    feature: Option<&Feature>,
    without: &[&str],
) -> Waypoint {
    let position =
        Position { elevation: place.altitude_msl, time, ..Position::new(place.latitude, place.longitude) };
    let Some(feature) = feature else { return position.into() };
    let cell = |name: &str| feature.properties.as_ref()?.get(name);
    let value = |name: &str| cell(name).and_then(|cell| number(name, cell));
    let count = |name: &str| value(name).and_then(|number| whole(&number.to_string()));
    let position = Position {
        elevation: position.elevation.or_else(|| value("altitude")),
        geoid_height: value("geoid_height"),
        magnetic_variation: value("magnetic_variation"),
        satellites: count("satellites").and_then(|count| u32::try_from(count).ok()),
        hdop: value("hdop"),
        vdop: value("vdop"),
        pdop: value("pdop"),
        speed: value("speed"),
        course: value("course").map(f64::to_degrees),
        age_of_dgps_data: value("age_of_corrections"),
        dgps_id: count("station_id").and_then(|id| u16::try_from(id).ok()),
        ..position
    };
    let text = |name: &str| of_cell(cell(name)?);
    let mut point = Waypoint::from(position);
    point.name.clone_from(&feature.name);
    point.comment = text("comment");
    point.description.clone_from(&feature.description);
    point.source = text("source");
    point.links = links(feature.link.clone(), &text);
    point.symbol.clone_from(&feature.symbol);
    point.class.clone_from(&feature.kind);
    point.extensions = others(feature, &|name, cell| {
        let is_told = OF_TEXT.contains(&name) || is_link(name, &point.links);
        is_told || without.contains(&name) || number(name, cell).is_some()
    });
    point
}

/// The value of a property that a position has; `None` for others, and for one that it cannot have.
fn number(name: &str, cell: &Cell) -> Option<f64> {
    let value = match cell {
        Cell::Float(number) => *number,
        Cell::Int(number) => i32::try_from(*number).ok()?.into(),
        _ => return None,
    };
    let fits = !WHOLE.contains(&name) || whole(&value.to_string()).is_some_and(|n| n <= u16::MAX.into());
    (OF_FIX.contains(&name) && fits).then_some(value)
}

/// A whole number, which documents without types write as a fraction.
fn whole(text: &str) -> Option<u64> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

/// The links of something: the first with its text, and those numbered from 2.
fn links(first: Option<String>, text: &dyn Fn(&str) -> Option<String>) -> Vec<Link> {
    let Some(first) = first else { return Vec::new() };
    let first = Link { href: first, text: text("link_text"), media_type: None };
    let others = (2..).map_while(|number: u32| text(&format!("link_{number}")));
    let others = others.map(|href| Link { href, ..Link::default() });
    std::iter::once(first).chain(others).collect()
}

/// Whether a property of this name is among the links.
fn is_link(name: &str, links: &[Link]) -> bool {
    let number = || name.strip_prefix("link_")?.parse::<usize>().ok();
    (!links.is_empty() && matches!(name, "link" | "link_text"))
        || number().is_some_and(|number| (2..=links.len()).contains(&number))
}

/// The properties of a feature that GPX has no elements for.
fn others(feature: &Feature, is_known: &dyn Fn(&str, &Cell) -> bool) -> Option<Extensions> {
    let row = feature.properties.as_ref()?;
    let others = row.iter().filter(|(field, cell)| !is_known(&field.name, cell));
    let (fields, cells) =
        others.map(|(field, cell)| (field.clone(), cell.clone())).unzip::<_, _, Vec<_>, Vec<_>>();
    Extensions::of_row(&Row::new(fields.into(), cells))
}

/// Whether a point has an element for a text of this name.
pub(super) fn is_text(name: &str) -> bool {
    OF_TEXT.contains(&name) || matches!(name, "name" | "description" | "symbol" | "type" | "link")
}

/// Names the point of a track or a timed route; what else was measured stays.
#[cold]
pub(super) fn named(row: &Row, point: &mut Waypoint) {
    let text = |name: &str| of_cell(row.get(name)?);
    point.links = links(text("link"), &text);
    let (mut fields, mut cells) = (Vec::new(), Vec::new());
    for (field, cell) in row.iter() {
        let slot = match &*field.name {
            "name" => &mut point.name,
            "comment" => &mut point.comment,
            "description" => &mut point.description,
            "source" => &mut point.source,
            "symbol" => &mut point.symbol,
            "type" => &mut point.class,
            name if is_link(name, &point.links) => continue,
            _ => {
                fields.push(field.clone());
                cells.push(cell.clone());
                continue;
            }
        };
        *slot = of_cell(cell);
    }
    point.measured = Some(Box::new(Row::new(fields.into(), cells)));
}
