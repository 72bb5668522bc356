//! Places, lines and areas on Earth.

use std::fmt;

use crate::Row;

/// A named place, line or area, as [GeoJSON](https://www.rfc-editor.org/rfc/rfc7946) has it: a waypoint or a route of
/// GPX or NMEA, a placemark of KML. What was measured at a time of its own along a track is no feature but a
/// [`GnssFix`](crate::GnssFix).
///
/// Texts are as in the file; `None` if it has none.
///
/// ```
/// use robolog_core::{Feature, Geometry, Position, Value};
/// let place = Position { latitude: 46.5, longitude: 8.25, altitude_msl: Some(2450.0) };
/// let mut hut = Feature::new(Geometry::Point(place));
/// hut.name = Some("Hut".into());
/// assert_eq!((hut.geometry.kind(), hut.geometry.positions().count()), ("Point", 1));
/// assert_eq!(Value::Feature(Box::new(hut)).kind(), "feature");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Feature {
    /// Where it is.
    pub geometry: Geometry,
    /// Its name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// What it is, in words; may hold HTML.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
    /// The symbol of a GPX waypoint, such as `Flag, Blue`, or the icon's address in KML.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub symbol: Option<String>,
    /// Its classification: `<type>` of GPX.
    #[cfg_attr(feature = "serde", serde(rename = "type", skip_serializing_if = "Option::is_none"))]
    pub kind: Option<String>,
    /// Address of a page about it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub link: Option<String>,
    /// Everything else the file says of it, such as `<ExtendedData>` of KML.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub properties: Option<Row>,
}

/// The shape of a [`Feature`], as in GeoJSON. Positions are in file order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Geometry {
    /// A place.
    Point(Position),
    /// A line of two or more positions.
    LineString(Vec<Position>),
    /// An area: its outline, then the outlines of its holes. The last position of each is its first.
    Polygon(Vec<Vec<Position>>),
    /// Several of one feature.
    Collection(Vec<Self>),
}

/// A position on Earth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// Degrees north of the equator, WGS 84.
    pub latitude: f64,
    /// Degrees east of Greenwich, WGS 84.
    pub longitude: f64,
    /// Metres above mean sea level.
    pub altitude_msl: Option<f64>,
}

impl Feature {
    /// A feature of which nothing but the shape is known.
    pub const fn new(geometry: Geometry) -> Self {
        let (name, description, symbol, kind, link) = (None, None, None, None, None);
        Self { geometry, name, description, symbol, kind, link, properties: None }
    }
}

impl Geometry {
    /// GeoJSON's name of the shape.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Point(_) => "Point",
            Self::LineString(_) => "LineString",
            Self::Polygon(_) => "Polygon",
            Self::Collection(_) => "GeometryCollection",
        }
    }

    /// All positions, in order.
    pub fn positions(&self) -> Box<dyn Iterator<Item = &Position> + '_> {
        match self {
            Self::Point(position) => Box::new(std::iter::once(position)),
            Self::LineString(line) => Box::new(line.iter()),
            Self::Polygon(rings) => Box::new(rings.iter().flatten()),
            Self::Collection(parts) => Box::new(parts.iter().flat_map(Self::positions)),
        }
    }
}

impl Geometry {
    /// Calls `each` with all positions, in order.
    pub fn for_each_mut(&mut self, each: &mut dyn FnMut(&mut Position)) {
        match self {
            Self::Point(position) => each(position),
            Self::LineString(line) => line.iter_mut().for_each(each),
            Self::Polygon(rings) => rings.iter_mut().flatten().for_each(each),
            Self::Collection(parts) => {
                for part in parts {
                    part.for_each_mut(each);
                }
            }
        }
    }
}

impl Position {
    /// Longitude, latitude, and the altitude if there is one: the order of GeoJSON.
    pub fn coordinates(&self) -> impl Iterator<Item = f64> {
        [self.longitude, self.latitude].into_iter().chain(self.altitude_msl)
    }
}

/// As well-known text, which GDAL, `PostGIS` and QGIS read from tables: `POINT Z (8.25 46.5 2450)`. The heights of a shape
/// without one for every position are left out.
impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_heights = self.positions().all(|position| position.altitude_msl.is_some());
        f.write_str(match self {
            Self::Point(_) => "POINT",
            Self::LineString(_) => "LINESTRING",
            Self::Polygon(_) => "POLYGON",
            Self::Collection(_) => "GEOMETRYCOLLECTION",
        })?;
        f.write_str(if has_heights { " Z " } else { " " })?;
        let tuple = |f: &mut fmt::Formatter<'_>, position: &Position| {
            write!(f, "{} {}", position.longitude, position.latitude)?;
            position.altitude_msl.filter(|_| has_heights).map_or(Ok(()), |altitude| write!(f, " {altitude}"))
        };
        match self {
            Self::Point(position) => list(f, std::slice::from_ref(position), tuple),
            Self::LineString(line) => list(f, line, tuple),
            Self::Polygon(rings) => list(f, rings, |f, ring| list(f, ring, tuple)),
            Self::Collection(parts) => list(f, parts, |f, part| write!(f, "{part}")),
        }
    }
}

/// Writes items in parentheses, with commas between them.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    each: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("(")?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        each(f, item)?;
    }
    f.write_str(")")
}

/// As GeoJSON: `{"type": "Point", "coordinates": [8.25, 46.5, 2450]}`.
#[cfg(feature = "serde")]
impl serde::Serialize for Geometry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let tuple = |position: &Position| position.coordinates().collect::<Vec<_>>();
        let line = |line: &Vec<Position>| line.iter().map(tuple).collect::<Vec<_>>();
        let mut s = serializer.serialize_struct("Geometry", 2)?;
        s.serialize_field("type", self.kind())?;
        match self {
            Self::Point(position) => s.serialize_field("coordinates", &tuple(position))?,
            Self::LineString(positions) => s.serialize_field("coordinates", &line(positions))?,
            Self::Polygon(rings) => {
                s.serialize_field("coordinates", &rings.iter().map(line).collect::<Vec<_>>())?;
            }
            Self::Collection(parts) => s.serialize_field("geometries", parts)?,
        }
        s.end()
    }
}
