//! The elements of GPX 1.1 as text, each with its children in the order of the schema.

use std::fmt::{self, Display, Write as _};

use super::{
    Extensions, Head, Link, Metadata, Person, Position, Time, TrackHead, Waypoint, position::GARMIN,
};
use robolog_xml::{Escape, Indent};

/// The namespace of GPX 1.0.
pub(crate) const GPX_1_0: &str = "http://www.topografix.com/GPX/1/0";
/// The namespace of Garmin's extensions of a point, version 2.
const GARMIN_2: &str = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2";
/// The namespace of GPX 1.1.
pub(crate) const GPX_1_1: &str = "http://www.topografix.com/GPX/1/1";

pub(crate) fn begin(out: &mut String, head: &Head) -> fmt::Result {
    let creator = head.creator.as_deref().unwrap_or("robolog");
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write!(out, "<gpx version=\"1.1\" creator=\"{}\" xmlns=\"{GPX_1_1}\"", Escape(creator))?;
    attributes(out, &head.attributes)?;
    out.push('>');
    head.metadata.as_ref().map_or(Ok(()), |data| metadata(out, data))
}

/// Attributes as they stood in a file.
fn attributes(out: &mut String, list: &[(String, String)]) -> fmt::Result {
    list.iter().try_for_each(|(key, value)| {
        let value = value.replace('"', "&quot;").replace('<', "&lt;");
        write!(out, " {key}=\"{value}\"")
    })
}

fn metadata(out: &mut String, data: &Metadata) -> fmt::Result {
    write!(out, "{}<metadata>", Indent(1))?;
    text(out, "name", data.name.as_deref(), 2)?;
    text(out, "desc", data.description.as_deref(), 2)?;
    if let Some(author) = &data.author {
        person(out, author)?;
    }
    if let Some(copyright) = &data.copyright {
        write!(out, "{}<copyright author=\"{}\">", Indent(2), Escape(&copyright.author))?;
        text(out, "year", copyright.year.as_deref(), 3)?;
        text(out, "license", copyright.license.as_deref(), 3)?;
        write!(out, "{}</copyright>", Indent(2))?;
    }
    links(out, &data.links, 2)?;
    time(out, data.time.as_ref(), 2)?;
    text(out, "keywords", data.keywords.as_deref(), 2)?;
    if let Some(b) = data.bounds {
        write!(out, "{}<bounds minlat=\"{}\"", Indent(2), b.min_latitude)?;
        write!(out, " minlon=\"{}\" maxlat=\"{}\"", meridian(b.min_longitude), b.max_latitude)?;
        write!(out, " maxlon=\"{}\"/>", meridian(b.max_longitude))?;
    }
    write!(out, "{}{}</metadata>", Extended(data.extensions.as_ref(), "", 2), Indent(1))
}

fn person(out: &mut String, person: &Person) -> fmt::Result {
    write!(out, "{}<author>", Indent(2))?;
    text(out, "name", person.name.as_deref(), 3)?;
    if let Some(email) = &person.email {
        let (id, domain) = (Escape(&email.id), Escape(&email.domain));
        write!(out, "{}<email id=\"{id}\" domain=\"{domain}\"/>", Indent(3))?;
    }
    links(out, person.link.as_slice(), 3)?;
    write!(out, "{}</author>", Indent(2))
}

pub(crate) fn track_head(out: &mut String, name: &str, head: &TrackHead) -> fmt::Result {
    write!(out, "{}<{name}>", Indent(1))?;
    text(out, "name", head.name.as_deref(), 2)?;
    text(out, "cmt", head.comment.as_deref(), 2)?;
    text(out, "desc", head.description.as_deref(), 2)?;
    text(out, "src", head.source.as_deref(), 2)?;
    links(out, &head.links, 2)?;
    value(out, "number", head.number, 2)?;
    text(out, "type", head.class.as_deref(), 2)?;
    write!(out, "{}", Extended(head.extensions.as_ref(), "", 2))
}

pub(crate) fn waypoint(out: &mut String, name: &str, point: &Waypoint, level: usize) -> fmt::Result {
    let p = &point.position;
    write!(out, "{}<{name} lat=\"{}\" lon=\"{}\">", Indent(level), p.latitude, meridian(p.longitude))?;
    let (begin, inner) = (out.len(), level.saturating_add(1));
    number(out, "ele", p.elevation, inner)?;
    let as_read = point.time_text.as_ref().filter(|text| text.timestamp() == p.time);
    time(out, as_read.cloned().or(p.time.map(Time::from)).as_ref(), inner)?;
    number(out, "magvar", p.magnetic_variation.filter(|n| (0.0..360.0).contains(n)), inner)?;
    number(out, "geoidheight", p.geoid_height, inner)?;
    text(out, "name", point.name.as_deref(), inner)?;
    text(out, "cmt", point.comment.as_deref(), inner)?;
    text(out, "desc", point.description.as_deref(), inner)?;
    text(out, "src", point.source.as_deref(), inner)?;
    links(out, &point.links, inner)?;
    text(out, "sym", point.symbol.as_deref(), inner)?;
    text(out, "type", point.class.as_deref(), inner)?;
    value(out, "fix", p.fix.and_then(|fix| fix.word(p.elevation.is_some())), inner)?;
    value(out, "sat", p.satellites, inner)?;
    number(out, "hdop", p.hdop, inner)?;
    number(out, "vdop", p.vdop, inner)?;
    number(out, "pdop", p.pdop, inner)?;
    number(out, "ageofdgpsdata", p.age_of_dgps_data, inner)?;
    value(out, "dgpsid", p.dgps_id.filter(|id| *id <= 1023), inner)?;
    write!(out, "{}", Extended(point.extensions.as_ref(), &motion(p, inner), inner))?;
    if out.len() == begin {
        out.truncate(begin.saturating_sub(1));
        out.push_str("/>");
        return Ok(());
    }
    write!(out, "{}</{name}>", Indent(level))
}

/// Speed and course, for which GPX 1.1 has no elements: those of GPX 1.0, which GDAL gives as numbers, and Garmin's.
///
/// Garmin's stand on lines of their own: GDAL keeps them as text then, and takes `2.590` for a number otherwise.
fn motion(position: &Position, level: usize) -> String {
    let known = [("course", position.course), ("speed", position.speed)];
    let known = known.map(|(name, value)| (name, value.filter(|value| value.is_finite())));
    let mut out = String::new();
    for (name, value) in known {
        if let Some(value) = value {
            // A string takes whatever is written into it.
            let _ = write!(out, "<{name} xmlns=\"{GPX_1_0}\">{value}</{name}>");
        }
    }
    if !out.is_empty() {
        let _ = write!(out, "<gpxtpx:{GARMIN} xmlns:gpxtpx=\"{GARMIN_2}\">");
        // The order of Garmin's schema.
        for (name, value) in known.into_iter().rev() {
            let _ = self::value(&mut out, &format!("gpxtpx:{name}"), value, level.saturating_add(1));
        }
        let _ = write!(out, "{}</gpxtpx:{GARMIN}>", Indent(level));
    }
    out
}

/// The schema ends before 180 degrees east, which is 180 west.
fn meridian(longitude: f64) -> f64 {
    if (longitude - 180.0).abs() < f64::EPSILON { -180.0 } else { longitude }
}

fn text(out: &mut String, name: &str, text: Option<&str>, level: usize) -> fmt::Result {
    value(out, name, text.map(Escape), level)
}

fn number(out: &mut String, name: &str, number: Option<f64>, level: usize) -> fmt::Result {
    value(out, name, number.filter(|n| n.is_finite()), level)
}

fn time(out: &mut String, time: Option<&Time>, level: usize) -> fmt::Result {
    value(out, "time", time.and_then(Time::date_time), level)
}

fn value(out: &mut String, name: &str, value: Option<impl Display>, level: usize) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, "{}<{name}>{value}</{name}>", Indent(level)))
}

fn links(out: &mut String, links: &[Link], level: usize) -> fmt::Result {
    links.iter().try_for_each(|link| {
        write!(out, "{}<link href=\"{}\">", Indent(level), Escape(&link.href))?;
        let inner = level.saturating_add(1);
        text(out, "text", link.text.as_deref(), inner)?;
        text(out, "type", link.media_type.as_deref(), inner)?;
        write!(out, "{}</link>", Indent(level))
    })
}

/// An `extensions` element at a level, with more content behind what it has.
pub(crate) struct Extended<'a>(pub(crate) Option<&'a Extensions>, pub(crate) &'a str, pub(crate) usize);

impl Display for Extended<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(extensions, more, level) = *self;
        if extensions.is_none() && more.is_empty() {
            return Ok(());
        }
        let mut list = String::new();
        attributes(&mut list, extensions.map_or(&[], |own| &own.attributes))?;
        let content = extensions.map_or("", |own| &own.content);
        write!(f, "{}<extensions{list}>{content}{more}</extensions>", Indent(level))
    }
}
