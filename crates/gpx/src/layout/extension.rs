//! Extensions, and speed and course, for which GPX 1.1 has no elements.

use std::fmt::Write as _;

use robolog_core::{Cell, Field, Row};
use robolog_xml::{Element, ElementWriter, Escape, Indent, Tag, attribute, local};

use crate::{Extensions, Position, header::GPX_1_0};

/// The namespace of Garmin's extensions of a point, version 2.
const GARMIN_2: &str = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2";
/// The namespace of Garmin's power.
const GARMIN_POWER: &str = "http://www.garmin.com/xmlschemas/PowerExtension/v1";
/// The namespace of measurements without an element of GPX or Garmin.
const OWN: &str = "urn:robolog:measured";
/// Garmin's element in `extensions`; version 2 has a speed and a course.
pub(crate) const GARMIN: &str = "TrackPointExtension";

/// Whether this is the start tag of a GPX 1.0 speed or course, as an extension of GPX 1.1.
pub(crate) fn is_motion(tag: &[u8]) -> bool {
    matches!(Tag::Start(tag).name(), b"speed" | b"course")
        && attribute(tag, b"xmlns") == Some(GPX_1_0.as_bytes())
}

/// Whether this is the start tag of a speed (metres per second) or course (degrees) in Garmin's element.
pub(crate) fn is_garmin_motion(tag: &[u8]) -> bool {
    let name = Tag::Start(tag).name();
    matches!(local(name), b"speed" | b"course") && name.len() == tag.len()
}

/// Whether a child of `extensions`, or of an element in it, contains nothing but speed and course.
fn is_read_motion(parent: &Element<'_>, child: &Element<'_>) -> bool {
    match parent.name() {
        GARMIN => is_garmin_motion(child.tag().as_bytes()),
        "extensions" => {
            let is_motion_alone = |garmin: &Element<'_>| {
                !garmin.children.is_empty() && garmin.children.iter().all(|each| is_read_motion(garmin, each))
            };
            is_motion(child.tag().as_bytes()) || child.name() == GARMIN && is_motion_alone(child)
        }
        _ => false,
    }
}

/// Reads the `extensions` of a point without its speed and course.
pub(super) fn of_point(slot: &mut Option<Extensions>, element: &Element<'_>, outer: &[(&str, &str)]) {
    let content = element.inner_without(&is_read_motion);
    let is_motion_alone = content.len() < element.inner().len() && content.trim().is_empty();
    if !is_motion_alone || element.raw_attribute_pairs().next().is_some() {
        take(slot, element, &content, outer);
    }
}

/// Reads an `extensions` element with this content. `outer` are the namespaces declared by the elements around it.
pub(crate) fn take(
    slot: &mut Option<Extensions>,
    element: &Element<'_>,
    content: &str,
    outer: &[(&str, &str)],
) {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for (key, value) in element.raw_attribute_pairs().chain(outer.iter().copied()) {
        if attributes.iter().all(|(known, _)| known != key) {
            attributes.push((key.to_owned(), value.to_owned()));
        }
    }
    let own = slot.get_or_insert_default();
    own.content.push_str(content);
    own.attributes.extend(attributes);
}

/// Reads an element of another namespace among GPX's own, as GPX 1.0 allows: it becomes an extension.
pub(crate) fn foreign(slot: &mut Option<Extensions>, element: &Element<'_>, outer: &[(&str, &str)]) {
    let own = slot.get_or_insert_default();
    own.content.push_str(element.raw());
    for (key, value) in outer {
        if own.attributes.iter().all(|(known, _)| known != key) {
            own.attributes.push(((*key).to_owned(), (*value).to_owned()));
        }
    }
}

/// Writes an `extensions` element with its content and `more`; nothing if both are empty.
pub(crate) fn write(extensions: Option<&Extensions>, more: &str, xml: &mut ElementWriter) {
    if extensions.is_none() && more.is_empty() {
        return;
    }
    let raw = raw_attributes(extensions.map_or(&[], |own| &own.attributes));
    xml.begin("extensions", &shown(&raw));
    xml.text(format_args!("{}{more}", extensions.map_or("", |own| &own.content)));
    xml.end("extensions");
}

/// Attributes as read from a file, escaped for double quotes.
pub(crate) fn raw_attributes(list: &[(String, String)]) -> Vec<(&str, String)> {
    let raw = |value: &str| value.replace('"', "&quot;").replace('<', "&lt;");
    list.iter().map(|(key, value)| (key.as_str(), raw(value))).collect()
}

/// The same for the writer.
pub(crate) fn shown<'a>(list: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a dyn std::fmt::Display)> {
    list.iter().map(|(key, value)| (*key, value as &dyn std::fmt::Display)).collect()
}

/// Speed, course and what else was measured, as extensions of an element `level` levels deep: speed and course as those
/// of GPX 1.0, which GDAL gives as numbers, and what Garmin has elements for as Garmin's; the rest under its own names.
///
/// Garmin's are on lines of their own: GDAL then keeps them as text; otherwise it takes `2.590` for a number.
pub(super) fn of_values(position: &Position, measured: Option<&Row>, level: usize) -> String {
    let known = [("speed", position.speed), ("course", position.course)];
    let known = known.map(|(name, value)| (name, value.filter(|value| value.is_finite())));
    let mut out = String::new();
    for (name, value) in known.into_iter().rev() {
        if let Some(value) = value {
            // Writing to a string does not fail.
            let _ = write!(out, "<{name} xmlns=\"{GPX_1_0}\">{value}</{name}>");
        }
    }
    let sensors = SENSORS.into_iter().filter_map(|sensor| Some((sensor.element, sensor.value(measured?)?)));
    let motion = known.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
    let garmin: Vec<_> = sensors.chain(motion).collect();
    garmins(GARMIN, ("gpxtpx", GARMIN_2), &garmin, level, &mut out);
    let power: Vec<_> =
        measured.and_then(|row| POWER.value(row)).map(|value| (POWER.element, value)).into_iter().collect();
    garmins("PowerExtension", ("gpxpx", GARMIN_POWER), &power, level, &mut out);
    for (field, cell) in measured.into_iter().flat_map(Row::iter) {
        let is_told = SENSORS.iter().chain([&POWER]).any(|sensor| sensor.is_of(field, cell));
        if !is_told && let Some(value) = shown_cell(cell) {
            own(&field.name, &value, &mut out);
        }
    }
    out
}

/// Elements of one of Garmin's extensions.
fn garmins(
    name: &str,
    (prefix, space): (&str, &str),
    values: &[(&str, String)],
    level: usize,
    out: &mut String,
) {
    if values.is_empty() {
        return;
    }
    // Writing to a string does not fail.
    let _ = write!(out, "<{prefix}:{name} xmlns:{prefix}=\"{space}\">");
    for (name, value) in values {
        let _ = write!(out, "{}<{prefix}:{name}>{value}</{prefix}:{name}>", Indent(level + 1));
    }
    let _ = write!(out, "{}</{prefix}:{name}>", Indent(level));
}

/// An element under its own name; characters that XML does not allow in names become underscores.
pub(crate) fn own(name: &str, value: &str, out: &mut String) {
    let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut element: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    if !element.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        element.insert(0, '_');
    }
    // Writing to a string does not fail.
    let _ = write!(out, "<{element} xmlns=\"{OWN}\">{}</{element}>", Escape(value));
}

/// A measurement that one of Garmin's schemas has an element for.
struct Sensor {
    column: &'static str,
    element: &'static str,
    /// The range of integers that the schema allows; `None` for any number.
    range: Option<(f64, f64)>,
}

/// In the order of the schema.
const SENSORS: [Sensor; 5] = [
    Sensor { column: "temperature", element: "atemp", range: None },
    Sensor { column: "water_temperature", element: "wtemp", range: None },
    Sensor { column: "depth", element: "depth", range: None },
    Sensor { column: "heart_rate", element: "hr", range: Some((1.0, 255.0)) },
    Sensor { column: "cadence", element: "cad", range: Some((0.0, 254.0)) },
];
const POWER: Sensor = Sensor { column: "power", element: "PowerInWatts", range: Some((0.0, 65535.0)) };

impl Sensor {
    fn value(&self, row: &Row) -> Option<String> {
        row.iter().find(|(field, cell)| self.is_of(field, cell)).and_then(|(_, cell)| shown_cell(cell))
    }

    /// Whether the element can hold the cell.
    fn is_of(&self, field: &Field, cell: &Cell) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "the element holds small numbers only")]
        let number = match cell {
            Cell::Int(number) => *number as f64,
            Cell::Float(number) => *number,
            _ => return false,
        };
        let fits = |(least, most): (f64, f64)| number.fract() == 0.0 && (least..=most).contains(&number);
        field.name == self.column && number.is_finite() && self.range.is_none_or(fits)
    }
}

/// A cell as text; `None` if it has no value.
pub(crate) fn shown_cell(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Bool(value) => Some(value.to_string()),
        Cell::Int(value) => Some(value.to_string()),
        Cell::Float(value) => value.is_finite().then(|| value.to_string()),
        Cell::Text(value) => Some(value.clone()),
        Cell::Null => None,
    }
}
