//! Elements to the types of the schema. What GPX 1.0 says otherwise becomes what 1.1 says.

use robolog_core::{Error, Result, text::number};

use super::position::{GARMIN, is_garmin_motion, is_motion};
use super::{
    Bounds, Copyright, Email, Extensions, Link, Metadata, Person, Position, Time, TrackHead, Waypoint,
};
use robolog_xml::{Element, Escape};

/// Whether a child is of the namespace of its parent, as far as its tag says.
fn is_own(child: &Element<'_>, prefix: &str) -> bool {
    child.prefix() == prefix && !child.namespaces().any(|(key, _)| key == "xmlns")
}

/// The numbers of a point, whose element lies at offset `at`.
pub(crate) fn position(element: &Element<'_>, at: u64, faults: &mut dyn FnMut(Error)) -> Result<Position> {
    let mut position = Position::default();
    position.place(element.tag().as_bytes(), at)?;
    let mut set = |child: &Element<'_>| {
        if !child.is_empty() {
            let place = at.saturating_add(child.inner_start() as u64);
            position.set(child.name().as_bytes(), child.text().unwrap_or_default().as_bytes(), place, faults);
        }
    };
    for child in element.children.iter().filter(|child| is_own(child, element.prefix())) {
        if child.name() == "extensions" {
            for inner in &child.children {
                if is_motion(inner.tag().as_bytes()) {
                    set(inner);
                } else if inner.name() == GARMIN {
                    inner
                        .children
                        .iter()
                        .filter(|each| is_garmin_motion(each.tag().as_bytes()))
                        .for_each(&mut set);
                }
            }
        } else {
            set(child);
        }
    }
    Ok(position)
}

/// Whether a child of `extensions`, or of an element there, says speed or course and nothing else.
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

/// A point with its texts.
pub(crate) fn waypoint(element: &Element<'_>, at: u64, faults: &mut dyn FnMut(Error)) -> Result<Waypoint> {
    let mut point = Waypoint { position: position(element, at, faults)?, ..Waypoint::default() };
    let mut links = Links::default();
    let outer: Vec<_> = element.namespaces().collect();
    for child in &element.children {
        if !is_own(child, element.prefix()) {
            foreign(&mut point.extensions, child, &outer);
            continue;
        }
        let text = || Some(child.whole_text());
        match child.name() {
            "time" => point.time_text = child.text().map(Time::new),
            "name" => point.name = text(),
            "cmt" => point.comment = text(),
            "desc" => point.description = text(),
            "src" => point.source = text(),
            "sym" => point.symbol = text(),
            "type" => point.class = text(),
            "extensions" => {
                let content = child.inner_without(&is_read_motion);
                let is_motion_alone = content.len() < child.inner().len() && content.trim().is_empty();
                if !is_motion_alone || child.raw_attribute_pairs().next().is_some() {
                    extensions(&mut point.extensions, child, &content, &outer);
                }
            }
            _ => links.take(child),
        }
    }
    point.links = links.finish();
    Ok(point)
}

/// Links of GPX 1.1, and of 1.0 in two elements.
#[derive(Debug, Default)]
pub(crate) struct Links {
    found: Vec<Link>,
    url: Option<String>,
    name: Option<String>,
}

impl Links {
    pub(crate) fn take(&mut self, child: &Element<'_>) {
        match child.name() {
            "link" => self.found.push(link(child)),
            "url" => self.url = child.text().map(str::to_owned),
            "urlname" => self.name = child.text().map(str::to_owned),
            _ => {}
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Link> {
        if self.url.is_some() || self.name.is_some() {
            let href = self.url.unwrap_or_default();
            self.found.insert(0, Link { href, text: self.name, media_type: None });
        }
        self.found
    }
}

fn link(element: &Element<'_>) -> Link {
    let child = |name| element.child(name).map(Element::whole_text);
    Link {
        href: element.attribute("href").unwrap_or_default().into_owned(),
        text: child("text"),
        media_type: child("type"),
    }
}

/// Takes an `extensions` element with this content. `outer` are namespaces that elements around it declare.
pub(crate) fn extensions(
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

/// An element of another namespace among those of GPX, as GPX 1.0 allows: it becomes an extension.
pub(crate) fn foreign(slot: &mut Option<Extensions>, element: &Element<'_>, outer: &[(&str, &str)]) {
    let own = slot.get_or_insert_default();
    own.content.push_str(element.raw());
    for (key, value) in outer {
        if own.attributes.iter().all(|(known, _)| known != key) {
            own.attributes.push(((*key).to_owned(), (*value).to_owned()));
        }
    }
}

impl TrackHead {
    /// Takes a child of a route or a track.
    pub(crate) fn take(
        &mut self,
        child: &Element<'_>,
        prefix: &str,
        links: &mut Links,
        outer: &[(&str, &str)],
    ) {
        if !is_own(child, prefix) {
            return foreign(&mut self.extensions, child, outer);
        }
        let text = || Some(child.whole_text());
        match child.name() {
            "name" => self.name = text(),
            "cmt" => self.comment = text(),
            "desc" => self.description = text(),
            "src" => self.source = text(),
            "number" => self.number = child.text().and_then(|text| text.parse().ok()),
            "type" => self.class = text(),
            "extensions" => extensions(&mut self.extensions, child, child.inner(), outer),
            _ => links.take(child),
        }
    }
}

impl Metadata {
    /// From the element of GPX 1.1.
    pub(crate) fn from_element(element: &Element<'_>) -> Self {
        let mut metadata = Self::default();
        let mut links = Links::default();
        let outer: Vec<_> = element.namespaces().collect();
        for child in &element.children {
            metadata.take(child, element.prefix(), &mut links, &outer);
        }
        metadata.links = links.finish();
        metadata
    }

    /// Takes a child of `metadata`, or one of the root element that GPX 1.0 has instead. Says whether it is one.
    pub(crate) fn take(
        &mut self,
        child: &Element<'_>,
        prefix: &str,
        links: &mut Links,
        outer: &[(&str, &str)],
    ) -> bool {
        if !is_own(child, prefix) {
            foreign(&mut self.extensions, child, outer);
            return true;
        }
        let text = || Some(child.whole_text());
        match child.name() {
            "name" => self.name = text(),
            "desc" => self.description = text(),
            "author" if child.children.is_empty() => {
                self.author.get_or_insert_default().name = text();
            }
            "author" => {
                let part = |name| child.child(name);
                self.author = Some(Person {
                    name: part("name").map(Element::whole_text),
                    email: part("email").map(|email| Email {
                        id: email.attribute("id").unwrap_or_default().into_owned(),
                        domain: email.attribute("domain").unwrap_or_default().into_owned(),
                    }),
                    link: part("link").map(link),
                });
            }
            "email" => {
                let (id, domain) = child.text().and_then(|text| text.split_once('@')).unwrap_or_default();
                let email = Email { id: id.to_owned(), domain: domain.to_owned() };
                self.author.get_or_insert_default().email = Some(email).filter(|email| !email.id.is_empty());
            }
            "copyright" => {
                self.copyright = Some(Copyright {
                    author: child.attribute("author").unwrap_or_default().into_owned(),
                    year: child.child_text("year").map(str::to_owned),
                    license: child.child_text("license").map(str::to_owned),
                });
            }
            "time" => self.time = child.text().map(Time::new),
            "keywords" => self.keywords = text(),
            "bounds" => self.bounds = bounds(child),
            "extensions" => extensions(&mut self.extensions, child, child.inner(), outer),
            "link" | "url" | "urlname" => links.take(child),
            _ => return false,
        }
        true
    }
}

fn bounds(element: &Element<'_>) -> Option<Bounds> {
    let angle = |key| number(element.attribute(key)?.trim().as_bytes());
    Some(Bounds {
        min_latitude: angle("minlat")?,
        min_longitude: angle("minlon")?,
        max_latitude: angle("maxlat")?,
        max_longitude: angle("maxlon")?,
    })
}

impl Extensions {
    /// From XML that is well-formed but for a root element.
    pub fn new(content: impl Into<String>) -> Self {
        Self { attributes: Vec::new(), content: content.into() }
    }

    /// An element with text, in a namespace.
    pub fn element(namespace: &str, name: &str, text: &str) -> Self {
        Self::new(format!("<{name} xmlns=\"{}\">{}</{name}>", Escape(namespace), Escape(text)))
    }
}
