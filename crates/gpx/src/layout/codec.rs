//! Codecs of fields as elements and attributes.

use std::{borrow::Cow, str::FromStr};

use robolog_core::text::number;
use robolog_xml::{Element, ElementWriter, Escape};

use super::{Scope, extension};
use crate::{Extensions, Link, Person, Time};

/// Codec of a field that is a child element.
pub(super) trait Child<T> {
    fn read(self, slot: &mut T, child: &Element<'_>, scope: &Scope<'_>);
    fn write(self, value: &T, name: &str, xml: &mut ElementWriter);
}

/// Codec of a field that is an attribute.
pub(super) trait Attribute<T> {
    /// `None` if a required attribute is missing.
    fn read(self, text: Option<Cow<'_, str>>) -> Option<T>;
    fn shown(self, value: &T) -> String;
}

/// A type that is an element.
pub(super) trait Nested: Sized {
    fn read(element: &Element<'_>) -> Option<Self>;
    fn write(&self, name: &str, xml: &mut ElementWriter);
}

/// A text, unchanged.
pub(super) struct Text;

impl Child<Option<String>> for Text {
    fn read(self, slot: &mut Option<String>, child: &Element<'_>, _: &Scope<'_>) {
        *slot = Some(child.whole_text());
    }

    fn write(self, value: &Option<String>, name: &str, xml: &mut ElementWriter) {
        xml.text_element(name, value.as_deref());
    }
}

/// A text, trimmed.
pub(super) struct Trimmed;

impl Child<Option<String>> for Trimmed {
    fn read(self, slot: &mut Option<String>, child: &Element<'_>, _: &Scope<'_>) {
        *slot = child.text().map(str::to_owned);
    }

    fn write(self, value: &Option<String>, name: &str, xml: &mut ElementWriter) {
        xml.text_element(name, value.as_deref());
    }
}

/// A number.
pub(super) struct Number;

impl<T: FromStr + std::fmt::Display> Child<Option<T>> for Number {
    fn read(self, slot: &mut Option<T>, child: &Element<'_>, _: &Scope<'_>) {
        *slot = child.text().and_then(|text| text.parse().ok());
    }

    fn write(self, value: &Option<T>, name: &str, xml: &mut ElementWriter) {
        if let Some(value) = value {
            xml.value(name, value);
        }
    }
}

impl Attribute<f64> for Number {
    fn read(self, text: Option<Cow<'_, str>>) -> Option<f64> {
        number(text?.trim().as_bytes())
    }

    fn shown(self, value: &f64) -> String {
        value.to_string()
    }
}

/// Degrees east.
pub(super) struct East;

impl Attribute<f64> for East {
    fn read(self, text: Option<Cow<'_, str>>) -> Option<f64> {
        Attribute::read(Number, text)
    }

    /// The schema allows -180 up to, but not including, 180 degrees.
    fn shown(self, value: &f64) -> String {
        Attribute::shown(Number, &if *value >= 180.0 { value - 360.0 } else { *value })
    }
}

/// A text; empty if missing.
pub(super) struct Plain;

impl Attribute<String> for Plain {
    fn read(self, text: Option<Cow<'_, str>>) -> Option<String> {
        Some(text.unwrap_or_default().into_owned())
    }

    fn shown(self, value: &String) -> String {
        Escape(value).to_string()
    }
}

/// A time: read as written, and written in the schema's form.
pub(super) struct Moment;

impl Child<Option<Time>> for Moment {
    fn read(self, slot: &mut Option<Time>, child: &Element<'_>, _: &Scope<'_>) {
        *slot = child.text().map(Time::new);
    }

    fn write(self, value: &Option<Time>, name: &str, xml: &mut ElementWriter) {
        if let Some(time) = value.as_ref().and_then(Time::date_time) {
            xml.value(name, time);
        }
    }
}

/// An element of its own.
pub(super) struct One;

impl<T: Nested> Child<Option<T>> for One {
    fn read(self, slot: &mut Option<T>, child: &Element<'_>, _: &Scope<'_>) {
        *slot = T::read(child);
    }

    fn write(self, value: &Option<T>, name: &str, xml: &mut ElementWriter) {
        if let Some(value) = value {
            value.write(name, xml);
        }
    }
}

/// A person; in GPX 1.0 the name alone.
pub(super) struct Author;

impl Child<Option<Person>> for Author {
    fn read(self, slot: &mut Option<Person>, child: &Element<'_>, scope: &Scope<'_>) {
        if child.children.is_empty() {
            slot.get_or_insert_default().name = Some(child.whole_text());
        } else {
            One.read(slot, child, scope);
        }
    }

    fn write(self, value: &Option<Person>, name: &str, xml: &mut ElementWriter) {
        One.write(value, name, xml);
    }
}

/// Links, collected together with those of GPX 1.0: see [`LinkParts`](super::LinkParts).
pub(super) struct Links;

impl Child<Vec<Link>> for Links {
    fn read(self, _: &mut Vec<Link>, _: &Element<'_>, _: &Scope<'_>) {}

    fn write(self, value: &Vec<Link>, name: &str, xml: &mut ElementWriter) {
        for link in value {
            link.write(name, xml);
        }
    }
}

/// Content outside of the schema.
pub(super) struct Extended;

impl Child<Option<Extensions>> for Extended {
    fn read(self, slot: &mut Option<Extensions>, child: &Element<'_>, scope: &Scope<'_>) {
        extension::take(slot, child, child.inner(), scope.outer);
    }

    fn write(self, value: &Option<Extensions>, _: &str, xml: &mut ElementWriter) {
        extension::write(value.as_ref(), "", xml);
    }
}
