//! Extensions, and speed and course, for which GPX 1.1 has no elements.

use std::fmt::Write as _;

use robolog_xml::{Element, ElementWriter, Indent, Tag, attribute, local};

use crate::{Extensions, Position, header::GPX_1_0};

/// The namespace of Garmin's extensions of a point, version 2.
const GARMIN_2: &str = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2";
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

/// Speed and course as extensions of an element `level` levels deep: those of GPX 1.0, which GDAL gives as numbers, and
/// Garmin's.
///
/// Garmin's are on lines of their own: GDAL then keeps them as text; otherwise it takes `2.590` for a number.
pub(super) fn motion(position: &Position, level: usize) -> String {
    let known = [("course", position.course), ("speed", position.speed)];
    let known = known.map(|(name, value)| (name, value.filter(|value| value.is_finite())));
    let mut out = String::new();
    for (name, value) in known {
        if let Some(value) = value {
            // Writing to a string does not fail.
            let _ = write!(out, "<{name} xmlns=\"{GPX_1_0}\">{value}</{name}>");
        }
    }
    if !out.is_empty() {
        let _ = write!(out, "<gpxtpx:{GARMIN} xmlns:gpxtpx=\"{GARMIN_2}\">");
        // The order of Garmin's schema.
        for (name, value) in known.into_iter().rev() {
            if let Some(value) = value {
                let inner = Indent(level + 1);
                let _ = write!(out, "{inner}<gpxtpx:{name}>{value}</gpxtpx:{name}>");
            }
        }
        let _ = write!(out, "{}</gpxtpx:{GARMIN}>", Indent(level));
    }
    out
}
