//! The elements of KML that are read and written, declared once.

use robolog_xml::{Element, ElementWriter, Escape};

use super::{Placemark, Time, When};

/// Declares the elements by their local names; those of Google's extensions with the prefix that they are written with.
macro_rules! elements {
    ($($name:ident $local:literal $(in $prefix:literal)?,)+) => {
        /// An element that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Name {
            $($name,)+
        }

        impl Name {
            /// By its local name.
            pub(crate) fn of(local: &[u8]) -> Option<Self> {
                $(if local == $local.as_bytes() {
                    return Some(Self::$name);
                })+
                None
            }

            /// As it is written.
            pub(crate) const fn written(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($prefix, ":",)? $local),)+
                }
            }
        }
    };
}

elements! {
    Placemark "Placemark",
    Title "name",
    Description "description",
    TimeStamp "TimeStamp",
    TimeSpan "TimeSpan",
    When "when",
    Begin "begin",
    End "end",
    ExtendedData "ExtendedData",
    SchemaData "SchemaData",
    SimpleArrayData "SimpleArrayData",
    Point "Point",
    LineString "LineString",
    LinearRing "LinearRing",
    Polygon "Polygon",
    OuterBoundary "outerBoundaryIs",
    InnerBoundary "innerBoundaryIs",
    Coordinates "coordinates",
    AltitudeMode "altitudeMode",
    Track "Track" in "gx",
    MultiTrack "MultiTrack" in "gx",
    Interpolate "interpolate" in "gx",
    Coord "coord" in "gx",
    Angles "angles" in "gx",
    MultiGeometry "MultiGeometry",
    Model "Model",
}

impl Name {
    /// Whether this is a shape.
    pub(crate) const fn is_geometry(self) -> bool {
        matches!(
            self,
            Self::Point
                | Self::LineString
                | Self::LinearRing
                | Self::Polygon
                | Self::Track
                | Self::MultiTrack
                | Self::MultiGeometry
                | Self::Model
        )
    }
}

/// Codec of a field of a placemark.
trait Child<T> {
    fn read(self, slot: &mut T, name: Name, child: &Element<'_>);
    fn write(self, value: &T, name: Name, xml: &mut ElementWriter);
}

/// Declares the children of a placemark other than shapes, in the order of the schema: names, field, codec.
macro_rules! placemark {
    ($type:ident { $($first:ident $(or $name:ident)* => $field:ident: $as:expr,)+ }) => {
        impl $type {
            /// Reads a child; returns whether it is one of these.
            pub(crate) fn take(&mut self, child: &Element<'_>) -> bool {
                match Name::of(child.name().as_bytes()) {
                    $(Some(name) if matches!(name, Name::$first $(| Name::$name)*) => {
                        $as.read(&mut self.$field, name, child);
                    })+
                    _ => return false,
                }
                true
            }

            /// Writes them.
            pub(crate) fn write_children(&self, xml: &mut ElementWriter) {
                $($as.write(&self.$field, Name::$first, xml);)+
            }
        }
    };
}

placemark! {
    Placemark {
        Title => name: Text,
        Description => description: Text,
        TimeStamp or TimeSpan => time: Moment,
        ExtendedData => extended_data: Raw,
    }
}

/// A text, unchanged.
struct Text;

impl Child<Option<String>> for Text {
    fn read(self, slot: &mut Option<String>, _: Name, child: &Element<'_>) {
        *slot = Some(child.whole_text());
    }

    fn write(self, value: &Option<String>, name: Name, xml: &mut ElementWriter) {
        xml.text_element(name.written(), value.as_deref());
    }
}

/// An element as in the file.
struct Raw;

impl Child<Option<String>> for Raw {
    fn read(self, slot: &mut Option<String>, _: Name, child: &Element<'_>) {
        *slot = Some(child.raw().to_owned());
    }

    fn write(self, value: &Option<String>, _: Name, xml: &mut ElementWriter) {
        if let Some(element) = value {
            xml.raw(element);
        }
    }
}

/// A time or a span of time.
struct Moment;

impl Child<Option<When>> for Moment {
    fn read(self, slot: &mut Option<When>, name: Name, child: &Element<'_>) {
        let part = |name: Name| child.child_text(name.written()).map(Time::new);
        *slot = if name == Name::TimeStamp {
            part(Name::When).map(When::At)
        } else {
            Some(When::Span { begin: part(Name::Begin), end: part(Name::End) })
        };
    }

    fn write(self, value: &Option<When>, _: Name, xml: &mut ElementWriter) {
        match value {
            Some(When::At(time)) => {
                let when = Name::When.written();
                let time = format!("<{when}>{}</{when}>", Escape(time.as_str()));
                xml.value(Name::TimeStamp.written(), time);
            }
            Some(When::Span { begin, end }) => {
                xml.begin(Name::TimeSpan.written(), &[]);
                xml.text_element(Name::Begin.written(), begin.as_ref().map(Time::as_str));
                xml.text_element(Name::End.written(), end.as_ref().map(Time::as_str));
                xml.end(Name::TimeSpan.written());
            }
            None => {}
        }
    }
}
