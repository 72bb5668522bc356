//! The elements of GPX 1.1, declared once, in the order of the schema: each line gives the name, the field and the
//! codec of an element. Elements of GPX 1.0 are converted to those of 1.1.

mod codec;
pub(crate) mod extension;
mod link;
mod point;

use robolog_xml::{Element, ElementWriter};

use self::codec::{Author, Child, East, Extended, Links, Moment, Nested, Number, One, Plain, Text, Trimmed};
pub(crate) use self::link::LinkParts;
use super::{Bounds, Copyright, Email, Link, Metadata, Person, TrackHead};

/// The surroundings of an element.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The prefix of GPX's own elements.
    pub(crate) prefix: &'a str,
    /// Namespaces declared by the elements around it.
    pub(crate) outer: &'a [(&'a str, &'a str)],
}

impl Scope<'_> {
    /// Whether a child is in GPX's namespace, judging by its tag.
    pub(crate) fn has(&self, child: &Element<'_>) -> bool {
        child.prefix() == self.prefix && !child.namespaces().any(|(key, _)| key == "xmlns")
    }
}

/// An element whose children are taken one by one.
macro_rules! children {
    ($type:ident { $($name:literal $field:ident: $as:expr,)+ }) => {
        impl $type {
            /// Reads a child.
            pub(crate) fn take(&mut self, child: &Element<'_>, scope: &Scope<'_>) {
                if !scope.has(child) {
                    return extension::foreign(&mut self.extensions, child, scope.outer);
                }
                match child.name() {
                    $($name => Child::read($as, &mut self.$field, child, scope),)+
                    _ => {}
                }
            }

            /// Writes the children.
            pub(crate) fn write(&self, xml: &mut ElementWriter) {
                $(Child::write($as, &self.$field, $name, xml);)+
            }
        }
    };
}

/// An element of attributes and children; of each name the first counts.
macro_rules! nested {
    ($type:ident { $(@ $key:literal $attribute:ident: $value:expr,)* $($name:literal $field:ident: $as:expr,)* }) => {
        impl Nested for $type {
            fn read(element: &Element<'_>) -> Option<Self> {
                let mut read = Self::default();
                $(read.$attribute = codec::Attribute::read($value, element.attribute($key))?;)*
                $(if let Some(child) = element.child($name) {
                    Child::read($as, &mut read.$field, child, &Scope { prefix: element.prefix(), outer: &[] });
                })*
                Some(read)
            }

            fn write(&self, name: &str, xml: &mut ElementWriter) {
                let attributes: Vec<(&str, String)> =
                    vec![$(($key, codec::Attribute::shown($value, &self.$attribute))),*];
                let children: &[&str] = &[$($name),*];
                if children.is_empty() {
                    return xml.empty(name, &extension::shown(&attributes));
                }
                xml.begin(name, &extension::shown(&attributes));
                $(Child::write($as, &self.$field, $name, xml);)*
                xml.end(name);
            }
        }
    };
}

children! {
    Metadata {
        "name" name: Text,
        "desc" description: Text,
        "author" author: Author,
        "copyright" copyright: One,
        "link" links: Links,
        "time" time: Moment,
        "keywords" keywords: Text,
        "bounds" bounds: One,
        "extensions" extensions: Extended,
    }
}

children! {
    TrackHead {
        "name" name: Text,
        "cmt" comment: Text,
        "desc" description: Text,
        "src" source: Text,
        "link" links: Links,
        "number" number: Number,
        "type" class: Text,
        "extensions" extensions: Extended,
    }
}

nested! { Person { "name" name: Text, "email" email: One, "link" link: One, } }
nested! { Email { @"id" id: Plain, @"domain" domain: Plain, } }
nested! { Copyright { @"author" author: Plain, "year" year: Trimmed, "license" license: Trimmed, } }
nested! { Link { @"href" href: Plain, "text" text: Text, "type" media_type: Text, } }
nested! {
    Bounds {
        @"minlat" min_latitude: Number,
        @"minlon" min_longitude: East,
        @"maxlat" max_latitude: Number,
        @"maxlon" max_longitude: East,
    }
}

impl Metadata {
    /// Reads the element of GPX 1.1.
    pub(crate) fn from_element(element: &Element<'_>) -> Self {
        let (mut metadata, mut links) = (Self::default(), LinkParts::default());
        let outer: Vec<_> = element.namespaces().collect();
        let scope = Scope { prefix: element.prefix(), outer: &outer };
        for child in &element.children {
            metadata.take_any(child, &mut links, &scope);
        }
        metadata.links = links.finish();
        metadata
    }

    /// Reads a child of `metadata`, or its counterpart in the root element of GPX 1.0.
    pub(crate) fn take_any(&mut self, child: &Element<'_>, links: &mut LinkParts, scope: &Scope<'_>) {
        let is_own = scope.has(child);
        if is_own && links.take(child) {
            return;
        }
        if is_own && child.name() == "email" {
            let parts = child.text().and_then(|text| text.split_once('@')).filter(|(id, _)| !id.is_empty());
            self.author.get_or_insert_default().email =
                parts.map(|(id, domain)| Email { id: id.to_owned(), domain: domain.to_owned() });
            return;
        }
        self.take(child, scope);
    }
}

impl TrackHead {
    /// Reads a child of a route or a track.
    pub(crate) fn take_any(&mut self, child: &Element<'_>, links: &mut LinkParts, scope: &Scope<'_>) {
        if !(scope.has(child) && links.take(child)) {
            self.take(child, scope);
        }
    }
}
