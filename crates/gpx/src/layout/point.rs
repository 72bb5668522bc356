//! Points: `wpt`, `rtept` and `trkpt`.

use robolog_core::{
    Error, ErrorKind, Timestamp,
    slices::{Part as _, split_once},
    text::{Escaped, decimal, number},
};
use robolog_xml::{Element, ElementWriter, parse_time};

use super::{
    LinkParts, Scope,
    codec::{Attribute as _, East, Nested as _},
    extension,
};
use crate::{Fix, Position, Time, Waypoint};

/// Codec of a field that is the text of an element. `bad` receives what was expected instead.
trait Value<T> {
    fn read(self, slot: &mut Option<T>, text: &[u8], bad: &mut dyn FnMut(&'static str));
    fn write(self, value: T, point: &Waypoint, name: &str, xml: &mut ElementWriter);
}

/// Declares the children of a point: numbers and times, which are read from bytes for speed, and texts.
macro_rules! point {
    (
        values { $($first:literal $first_field:ident: $first_as:expr,)+ }
        texts { $($about:literal $about_field:ident,)+ }
        links
        texts { $($class:literal $class_field:ident,)+ }
        values { $($last:literal $last_field:ident: $last_as:expr,)+ }
        values_of_extensions { $($motion:literal $motion_field:ident: $motion_as:expr,)+ }
    ) => {
        impl Position {
            /// Whether this element has a value in [`Position`].
            #[inline]
            pub(crate) fn is_value(name: &[u8]) -> bool {
                matches!(name, $($first)|+ | $($last)|+ | $($motion)|+)
            }

            /// Reads the text of a child without children of its own. Skips other elements.
            pub(crate) fn set(&mut self, name: &[u8], text: &[u8], at: u64, faults: &mut dyn FnMut(Error)) {
                let text = text.trim_ascii();
                if text.is_empty() {
                    return;
                }
                let bad = &mut |expected| faults(bad(expected, text, at));
                match name {
                    $($first => $first_as.read(&mut self.$first_field, text, bad),)+
                    $($last => $last_as.read(&mut self.$last_field, text, bad),)+
                    $($motion => $motion_as.read(&mut self.$motion_field, text, bad),)+
                    _ => {}
                }
            }
        }

        impl Waypoint {
            /// Reads a child that is a text.
            fn set_text(&mut self, child: &Element<'_>) -> bool {
                match child.name() {
                    $($about => self.$about_field = Some(child.whole_text()),)+
                    $($class => self.$class_field = Some(child.whole_text()),)+
                    _ => return false,
                }
                true
            }

            fn write_children(&self, xml: &mut ElementWriter) {
                let position = &self.position;
                $(if let Some(value) = position.$first_field {
                    $first_as.write(value, self, name($first), xml);
                })+
                $(xml.text_element($about, self.$about_field.as_deref());)+
                for link in &self.links {
                    link.write("link", xml);
                }
                $(xml.text_element($class, self.$class_field.as_deref());)+
                $(if let Some(value) = position.$last_field {
                    $last_as.write(value, self, name($last), xml);
                })+
                let values = extension::of_values(position, self.measured.as_deref(), xml.depth());
                extension::write(self.extensions.as_ref(), &values, xml);
            }
        }
    };
}

point! {
    values {
        b"ele" elevation: Number,
        b"time" time: Moment,
        b"magvar" magnetic_variation: Declination,
        b"geoidheight" geoid_height: Number,
    }
    texts {
        "name" name,
        "cmt" comment,
        "desc" description,
        "src" source,
    }
    links
    texts {
        "sym" symbol,
        "type" class,
    }
    values {
        b"fix" fix: Word,
        b"sat" satellites: Count,
        b"hdop" hdop: Number,
        b"vdop" vdop: Number,
        b"pdop" pdop: Number,
        b"ageofdgpsdata" age_of_dgps_data: Number,
        b"dgpsid" dgps_id: Station,
    }
    values_of_extensions {
        b"speed" speed: Number,
        b"course" course: Number,
    }
}

impl Waypoint {
    /// Reads the texts, links and extensions of a point whose position is already read.
    pub(crate) fn read(position: Position, element: &Element<'_>, scope: &Scope<'_>) -> Self {
        let mut point = Self { position, ..Self::default() };
        let mut links = LinkParts::default();
        for child in &element.children {
            if !scope.has(child) {
                extension::foreign(&mut point.extensions, child, scope.outer);
            } else if child.name() == "time" {
                point.time_text = child.text().map(Time::new);
            } else if child.name() == "extensions" {
                extension::of_point(&mut point.extensions, child, scope.outer);
            } else if !point.set_text(child) {
                links.take(child);
            }
        }
        point.links = links.finish();
        point
    }

    /// Writes the point as an element of this name.
    pub(crate) fn write(&self, name: &str, xml: &mut ElementWriter) {
        let Position { latitude, longitude, .. } = self.position;
        xml.begin_or_empty(name, &[("lat", &latitude), ("lon", &East.shown(&longitude))]);
        self.write_children(xml);
        xml.end(name);
    }
}

/// The name of an element; names are ASCII.
fn name(bytes: &'static [u8]) -> &'static str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// A finite number.
struct Number;

impl Value<f64> for Number {
    fn read(self, slot: &mut Option<f64>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        *slot = number(text).filter(|n| n.is_finite());
        if slot.is_none() {
            bad("a number");
        }
    }

    fn write(self, value: f64, _: &Waypoint, name: &str, xml: &mut ElementWriter) {
        if value.is_finite() {
            xml.value(name, value);
        }
    }
}

/// Degrees in [0, 360), as the schema requires.
struct Declination;

impl Value<f64> for Declination {
    fn read(self, slot: &mut Option<f64>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        Number.read(slot, text, bad);
    }

    fn write(self, value: f64, _: &Waypoint, name: &str, xml: &mut ElementWriter) {
        if (0.0..360.0).contains(&value) {
            xml.value(name, value);
        }
    }
}

/// A date and time.
struct Moment;

impl Value<Timestamp> for Moment {
    fn read(self, slot: &mut Option<Timestamp>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        *slot = parse_time(text);
        if slot.is_none() {
            bad("a date and time");
        }
    }

    /// The text that was read, if it is still the same time.
    fn write(self, value: Timestamp, point: &Waypoint, name: &str, xml: &mut ElementWriter) {
        let as_read = point.time_text.as_ref().filter(|text| text.timestamp() == Some(value));
        if let Some(time) = as_read.cloned().unwrap_or_else(|| Time::from(value)).date_time() {
            xml.value(name, time);
        }
    }
}

/// A kind of fix. Numbers of GGA are read, though the schema forbids them.
struct Word;

impl Value<Fix> for Word {
    fn read(self, slot: &mut Option<Fix>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        *slot = Fix::parse(text);
        if matches!(slot, None | Some(Fix::Quality(_))) {
            bad("none, 2d, 3d, dgps or pps");
        }
    }

    fn write(self, value: Fix, point: &Waypoint, name: &str, xml: &mut ElementWriter) {
        if let Some(word) = value.word(point.position.elevation.is_some()) {
            xml.value(name, word);
        }
    }
}

/// A count; some programs write decimals.
struct Count;

impl Value<u32> for Count {
    fn read(self, slot: &mut Option<u32>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        let text = text.strip_prefix(b"+").unwrap_or(text);
        let whole = split_once(text, b'.').map_or(text, |(whole, _)| whole);
        let mut decimals = text.part(whole.len()..).iter().skip(1);
        let short = decimal(whole).and_then(|(number, _)| u32::try_from(number).ok());
        let number = short.or_else(|| std::str::from_utf8(whole).ok()?.parse().ok());
        *slot = number.filter(|_| decimals.all(|b| *b == b'0'));
        if slot.is_none() {
            bad("a count");
        }
    }

    fn write(self, value: u32, _: &Waypoint, name: &str, xml: &mut ElementWriter) {
        xml.value(name, value);
    }
}

/// A station number; the schema allows 0 to 1023.
struct Station;

impl Value<u16> for Station {
    fn read(self, slot: &mut Option<u16>, text: &[u8], bad: &mut dyn FnMut(&'static str)) {
        let mut count = None;
        Count.read(&mut count, text, &mut |_| {});
        *slot = count.and_then(|n| u16::try_from(n).ok());
        if slot.is_none() {
            bad("a count");
        }
    }

    fn write(self, value: u16, _: &Waypoint, name: &str, xml: &mut ElementWriter) {
        if value <= 1023 {
            xml.value(name, value);
        }
    }
}

/// A value that cannot be read.
#[cold]
fn bad(expected: &'static str, text: &[u8], at: u64) -> Error {
    let found = Escaped(text.get(..64).unwrap_or(text)).to_string();
    Error::new(ErrorKind::Text { expected, found, column: 1 }, at).within("gpx point")
}
