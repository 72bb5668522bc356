//! A document in memory, with all elements and attributes of the schema.

use robolog_core::Row;
use robolog_xml::Escape;

use super::{Header, Position, Time, layout::extension};

/// A document in memory.
///
/// ```
/// use robolog_gpx::{Document, Position, Segment, Track};
/// let points = vec![Position::new(45.76, 3.11).into(), Position::new(45.77, 3.12).into()];
/// let track = Track { segments: vec![Segment { points, ..Segment::default() }], ..Track::default() };
/// let document = Document { tracks: vec![track], ..Document::default() };
/// let file = robolog_gpx::write(&document, Vec::new())?;
/// assert_eq!(robolog_gpx::Reader::new(&file)?.records().flatten().filter_map(|r| r.point()).count(), 2);
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The root element: version, program, namespaces. Always written as version 1.1.
    pub header: Header,
    /// Metadata of the document.
    pub metadata: Option<Metadata>,
    /// Points of interest: `wpt`.
    pub waypoints: Vec<Waypoint>,
    /// Routes: `rte`.
    pub routes: Vec<Route>,
    /// Tracks: `trk`.
    pub tracks: Vec<Track>,
    /// Extensions at the end of the document.
    pub extensions: Option<Extensions>,
}

/// Metadata of a document; in GPX 1.0 children of the root element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata {
    /// Its name.
    pub name: Option<String>,
    /// Description: `desc`.
    pub description: Option<String>,
    /// Author.
    pub author: Option<Person>,
    /// Copyright.
    pub copyright: Option<Copyright>,
    /// Links.
    pub links: Vec<Link>,
    /// Creation time.
    pub time: Option<Time>,
    /// Keywords.
    pub keywords: Option<String>,
    /// Bounds of all points, as stated in the document.
    pub bounds: Option<Bounds>,
    /// Extensions.
    pub extensions: Option<Extensions>,
}

/// A person or an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    /// The name.
    pub name: Option<String>,
    /// The address.
    pub email: Option<Email>,
    /// A page.
    pub link: Option<Link>,
}

/// An email address in two halves, as GPX 1.1 stores it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Email {
    /// Before the `@`.
    pub id: String,
    /// After the `@`.
    pub domain: String,
}

/// Copyright holder and licence of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copyright {
    /// The holder.
    pub author: String,
    /// The year, in the form of XML Schema.
    pub year: Option<String>,
    /// Address of the licence.
    pub license: Option<String>,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    /// Its address.
    pub href: String,
    /// Its name.
    pub text: Option<String>,
    /// Its media type: `type`.
    pub media_type: Option<String>,
}

/// A range of latitudes and longitudes, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[expect(missing_docs, reason = "the schema's own names")]
pub struct Bounds {
    pub min_latitude: f64,
    pub min_longitude: f64,
    pub max_latitude: f64,
    pub max_longitude: f64,
}

/// Content outside of the schema, as in the file.
///
/// ```
/// use robolog_gpx::Extensions;
/// let depth = Extensions::element("https://example.org/dive", "depth", "12.5");
/// assert!(depth.content.contains("12.5"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extensions {
    /// Attributes of the `extensions` element, and the namespaces declared by the elements around it below the root.
    pub attributes: Vec<(String, String)>,
    /// The XML between its tags.
    pub content: String,
}

/// A point with all its elements.
///
/// ```
/// use robolog_gpx::{Position, Waypoint};
/// let mut hut = Waypoint::from(Position { elevation: Some(1465.0), ..Position::new(45.77, 2.96) });
/// hut.name = Some("Puy de Dôme".into());
/// assert!(hut.position.is_on_earth());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waypoint {
    /// Position, time and accuracy.
    pub position: Position,
    /// The time as in the file; written while it names the position's time.
    pub(crate) time_text: Option<Time>,
    /// Its name.
    pub name: Option<String>,
    /// Comment: `cmt`.
    pub comment: Option<String>,
    /// Description: `desc`.
    pub description: Option<String>,
    /// Source of the data: `src`.
    pub source: Option<String>,
    /// Links.
    pub links: Vec<Link>,
    /// Symbol: `sym`.
    pub symbol: Option<String>,
    /// Class: `type`.
    pub class: Option<String>,
    /// Extensions.
    pub extensions: Option<Extensions>,
    /// Measurements to be written as further extensions: heart rate, cadence, temperatures, depth and power as Garmin's,
    /// others under their own names. Those of a file are in its extensions.
    pub measured: Option<Box<Row>>,
}

impl From<Position> for Waypoint {
    fn from(position: Position) -> Self {
        Self { position, ..Self::default() }
    }
}

/// Name, description and other data of a route or track.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrackHead {
    /// Its name.
    pub name: Option<String>,
    /// Comment: `cmt`.
    pub comment: Option<String>,
    /// Description: `desc`.
    pub description: Option<String>,
    /// Source of the data: `src`.
    pub source: Option<String>,
    /// Links.
    pub links: Vec<Link>,
    /// Its number.
    pub number: Option<u64>,
    /// Class: `type`.
    pub class: Option<String>,
    /// Extensions.
    pub extensions: Option<Extensions>,
}

/// The same for a route.
pub type RouteHead = TrackHead;

/// A route.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Route {
    /// Its name and other data.
    pub head: RouteHead,
    /// Its points, in order.
    pub points: Vec<Waypoint>,
}

/// A track.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// Its name and other data.
    pub head: TrackHead,
    /// Its segments. Points outside of segments are put into one of their own.
    pub segments: Vec<Segment>,
}

/// A segment: points without a gap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Segment {
    /// The points, in order.
    pub points: Vec<Waypoint>,
    /// Extensions.
    pub extensions: Option<Extensions>,
}

impl Extensions {
    /// From XML that is well-formed apart from a missing root element.
    pub fn new(content: impl Into<String>) -> Self {
        Self { attributes: Vec::new(), content: content.into() }
    }

    /// Values under their own names, in the namespace of those for which GPX has no element.
    pub fn of_row(row: &Row) -> Option<Self> {
        let mut content = String::new();
        for (field, cell) in row.iter() {
            if let Some(value) = extension::shown_cell(cell) {
                extension::own(&field.name, &value, &mut content);
            }
        }
        (!content.is_empty()).then(|| Self::new(content))
    }

    /// An element with text, in a namespace.
    pub fn element(namespace: &str, name: &str, text: &str) -> Self {
        Self::new(format!("<{name} xmlns=\"{}\">{}</{name}>", Escape(namespace), Escape(text)))
    }
}
