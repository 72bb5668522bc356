//! A document with all elements and attributes of the schema.

use robolog_xml::Escape;

use super::{Header, Position, Time};

/// A document: everything of it in memory.
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
    /// The root element: version, program, namespaces. Version 1.1 is written.
    pub header: Header,
    /// What the document says of itself.
    pub metadata: Option<Metadata>,
    /// Points of interest: `wpt`.
    pub waypoints: Vec<Waypoint>,
    /// Planned ways: `rte`.
    pub routes: Vec<Route>,
    /// Ways gone: `trk`.
    pub tracks: Vec<Track>,
    /// What the schema does not know, at the end of the document.
    pub extensions: Option<Extensions>,
}

/// What a document says of itself. In GPX 1.0 these stand in the root element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata {
    /// Its name.
    pub name: Option<String>,
    /// What it holds: `desc`.
    pub description: Option<String>,
    /// Who made it.
    pub author: Option<Person>,
    /// Whose it is.
    pub copyright: Option<Copyright>,
    /// Pages about it.
    pub links: Vec<Link>,
    /// When it was made.
    pub time: Option<Time>,
    /// Words to find it by.
    pub keywords: Option<String>,
    /// Where all points lie, as the document says.
    pub bounds: Option<Bounds>,
    /// What the schema does not know.
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

/// An address in two halves, as GPX 1.1 hides them from machines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Email {
    /// Before the `@`.
    pub id: String,
    /// Behind it.
    pub domain: String,
}

/// Whose a document is, and on what terms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copyright {
    /// The holder.
    pub author: String,
    /// The year, as XML Schema writes years.
    pub year: Option<String>,
    /// Where the terms are found.
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

/// What the schema does not know, as it stands in the file.
///
/// ```
/// use robolog_gpx::Extensions;
/// let depth = Extensions::element("https://example.org/dive", "depth", "12.5");
/// assert!(depth.content.contains("12.5"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extensions {
    /// Attributes of the `extensions` element, and the namespaces that the elements around it declare below the root.
    pub attributes: Vec<(String, String)>,
    /// The XML between its tags.
    pub content: String,
}

/// A point with all that it holds.
///
/// ```
/// use robolog_gpx::{Position, Waypoint};
/// let mut hut = Waypoint::from(Position { elevation: Some(1465.0), ..Position::new(45.77, 2.96) });
/// hut.name = Some("Puy de Dôme".into());
/// assert!(hut.position.is_on_earth());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waypoint {
    /// Numbers and the time.
    pub position: Position,
    /// The time as it stood in the file: it is written as long as it names the position's time.
    pub(crate) time_text: Option<Time>,
    /// Its name.
    pub name: Option<String>,
    /// For those who use it: `cmt`.
    pub comment: Option<String>,
    /// For those who read of it: `desc`.
    pub description: Option<String>,
    /// Where the data come from: `src`.
    pub source: Option<String>,
    /// Pages about it.
    pub links: Vec<Link>,
    /// The name of its symbol: `sym`.
    pub symbol: Option<String>,
    /// What class it is of: `type`.
    pub class: Option<String>,
    /// What the schema does not know.
    pub extensions: Option<Extensions>,
}

impl From<Position> for Waypoint {
    fn from(position: Position) -> Self {
        Self { position, ..Self::default() }
    }
}

/// What a route or a track says of itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrackHead {
    /// Its name.
    pub name: Option<String>,
    /// For those who use it: `cmt`.
    pub comment: Option<String>,
    /// For those who read of it: `desc`.
    pub description: Option<String>,
    /// Where the data come from: `src`.
    pub source: Option<String>,
    /// Pages about it.
    pub links: Vec<Link>,
    /// Its number.
    pub number: Option<u64>,
    /// What class it is of: `type`.
    pub class: Option<String>,
    /// What the schema does not know.
    pub extensions: Option<Extensions>,
}

/// What a route says of itself: the same as a track.
pub type RouteHead = TrackHead;

/// A planned way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Route {
    /// What it says of itself.
    pub head: RouteHead,
    /// Its points, in order.
    pub points: Vec<Waypoint>,
}

/// A way gone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// What it says of itself.
    pub head: TrackHead,
    /// Its parts. Points outside of any make up parts of their own.
    pub segments: Vec<Segment>,
}

/// Points without a gap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Segment {
    /// The points, in order.
    pub points: Vec<Waypoint>,
    /// What the schema does not know.
    pub extensions: Option<Extensions>,
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
