//! Placemarks and their shapes.

use std::ops::Range;

use robolog_core::Timestamp;

use super::Time;

/// A placemark.
///
/// ```
/// use robolog_kml::{Coordinate, Geometry, Header, Line, Placemark, Writer};
/// let place = Coordinate { longitude: 3.11, latitude: 45.76, altitude: None };
/// let buoy = Placemark {
///     name: Some("buoy".into()),
///     geometry: Some(Geometry::Point(Line { altitude_mode: None, coordinates: vec![place] })),
///     ..Placemark::default()
/// };
/// let mut writer = Writer::new(Vec::new(), &Header::default())?;
/// writer.placemark(&buoy)?;
/// assert_eq!(robolog_kml::read(&writer.finish()?).0.placemarks, [buoy]);
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Placemark {
    /// Its name.
    pub name: Option<String>,
    /// Description, often HTML.
    pub description: Option<String>,
    /// Its time or span of time.
    pub time: Option<When>,
    /// The XML of `ExtendedData`, as in the file.
    pub extended_data: Option<String>,
    /// Its shape.
    pub geometry: Option<Geometry>,
}

/// A time or a span of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// `TimeStamp`.
    At(Time),
    /// `TimeSpan`, which may be open at either end.
    Span {
        /// Start.
        begin: Option<Time>,
        /// End.
        end: Option<Time>,
    },
}

impl When {
    /// The time, or the start of the span.
    pub fn begin(&self) -> Option<Timestamp> {
        match self {
            Self::At(time) => time.timestamp(),
            Self::Span { begin, end } => begin.as_ref().or(end.as_ref())?.timestamp(),
        }
    }

    /// All times.
    pub(crate) fn times(&self) -> impl Iterator<Item = &Time> {
        let (first, last) = match self {
            Self::At(time) => (Some(time), None),
            Self::Span { begin, end } => (begin.as_ref(), end.as_ref()),
        };
        first.into_iter().chain(last)
    }
}

/// A shape on Earth.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A point: the first coordinate of the line.
    Point(Line),
    /// A line.
    LineString(Line),
    /// A closed line.
    LinearRing(Line),
    /// An area.
    Polygon(Polygon),
    /// Positions in order of time: `gx:Track`, or `Track` of KML 2.3.
    Track(Track),
    /// Parts of a track: `gx:MultiTrack`, or `MultiTrack` of KML 2.3.
    MultiTrack {
        /// The parts.
        tracks: Vec<Track>,
        /// Whether a viewer bridges the gaps between them.
        interpolate: bool,
    },
    /// Several shapes.
    MultiGeometry(Vec<Self>),
    /// A shape that is not interpreted, as in the file.
    Other(String),
}

/// Coordinates and the reference of their altitudes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// Reference of altitudes, if stated.
    pub altitude_mode: Option<AltitudeMode>,
    /// The coordinates in order.
    pub coordinates: Vec<Coordinate>,
}

/// An area with holes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polygon {
    /// Reference of altitudes, if stated.
    pub altitude_mode: Option<AltitudeMode>,
    /// Its border.
    pub outer: Vec<Coordinate>,
    /// The borders of its holes.
    pub inner: Vec<Vec<Coordinate>>,
}

/// A position.
///
/// ```
/// use robolog_kml::{AltitudeMode, Coordinate};
/// let place = Coordinate { longitude: 3.11, latitude: 45.76, altitude: Some(411.0) };
/// assert_eq!(place.to_fix(Some(AltitudeMode::Absolute)).altitude_msl, Some(411.0));
/// assert_eq!(place.to_fix(Some(AltitudeMode::RelativeToGround)).altitude_msl, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Coordinate {
    /// Degrees east, WGS 84; some programs count from 0 to 360.
    pub longitude: f64,
    /// Degrees north, WGS 84.
    pub latitude: f64,
    /// Metres; see [`AltitudeMode`].
    pub altitude: Option<f64>,
}

/// Reference of altitudes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AltitudeMode {
    /// Viewers ignore the altitudes.
    ClampToGround,
    /// The ground.
    RelativeToGround,
    /// Mean sea level.
    Absolute,
    /// Viewers ignore the altitudes.
    ClampToSeaFloor,
    /// The sea floor.
    RelativeToSeaFloor,
}

impl AltitudeMode {
    /// From the text of the element.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "clampToGround" => Self::ClampToGround,
            "relativeToGround" => Self::RelativeToGround,
            "absolute" => Self::Absolute,
            "clampToSeaFloor" => Self::ClampToSeaFloor,
            "relativeToSeaFloor" => Self::RelativeToSeaFloor,
            _ => return None,
        })
    }

    /// The text of the element.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClampToGround => "clampToGround",
            Self::RelativeToGround => "relativeToGround",
            Self::Absolute => "absolute",
            Self::ClampToSeaFloor => "clampToSeaFloor",
            Self::RelativeToSeaFloor => "relativeToSeaFloor",
        }
    }
}

/// A track: lists of times, coordinates and angles that belong together by index.
///
/// ```
/// use robolog_kml::Geometry;
/// let file = std::fs::read("examples/gx_track.kml").unwrap();
/// let (document, _) = robolog_kml::read(&file);
/// for placemark in document.placemarks {
///     let Some(Geometry::Track(track)) = placemark.geometry else { continue };
///     for (time, place) in track.points() {
///         println!("{time:?} {} {}", place.latitude, place.longitude);
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// Reference of altitudes, if stated.
    pub altitude_mode: Option<AltitudeMode>,
    /// `when`: `None` for an empty one.
    pub times: Vec<Option<Time>>,
    /// `coord`: `None` for an empty one.
    pub coordinates: Vec<Option<Coordinate>>,
    /// `angles`: heading, tilt and roll in degrees.
    pub angles: Vec<Option<[f64; 3]>>,
    /// The XML of `ExtendedData`, as in the file.
    pub extended_data: Option<String>,
    pub(crate) places: Box<Places>,
}

/// Ranges of a track's elements in its record.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Places {
    pub(crate) times: Vec<Span>,
    pub(crate) coordinates: Vec<Span>,
    pub(crate) angles: Vec<Span>,
    /// The values of each `SimpleArrayData`.
    pub(crate) arrays: Vec<Vec<Span>>,
    /// Indexes of unreadable coordinates, in order.
    pub(crate) lost: Vec<usize>,
}

/// A byte range in a record, as `u32`: there may be millions, and no record has 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Self { start, end }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        let [start, end] = [span.start, span.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        start..end
    }
}

impl Track {
    /// The positions with their times; empty coordinates are left out.
    pub fn points(&self) -> impl Iterator<Item = (Option<Timestamp>, Coordinate)> {
        self.places_and_times().map(|(_, time, place)| (time, place))
    }

    /// The same with their places in the lists.
    pub(crate) fn places_and_times(&self) -> impl Iterator<Item = (usize, Option<Timestamp>, Coordinate)> {
        let time = |at: usize| self.times.get(at)?.as_ref()?.timestamp();
        let all = self.coordinates.iter().enumerate();
        all.filter_map(move |(at, place)| Some((at, time(at), (*place)?)))
    }

    /// Whether there are as many times as coordinates, and as many angles if there are any.
    pub fn is_matched(&self) -> bool {
        let n = self.coordinates.len();
        self.times.len() == n && (self.angles.is_empty() || self.angles.len() == n)
    }
}

impl Placemark {
    /// The first time: its own, or that of a track.
    pub fn first_time(&self) -> Option<Timestamp> {
        fn of(geometry: &Geometry) -> Option<Timestamp> {
            match geometry {
                Geometry::Track(track) => track.times.iter().flatten().find_map(Time::timestamp),
                Geometry::MultiTrack { tracks, .. } => {
                    tracks.iter().flat_map(|track| &track.times).flatten().find_map(Time::timestamp)
                }
                Geometry::MultiGeometry(parts) => parts.iter().find_map(of),
                _ => None,
            }
        }
        let own = self.time.as_ref().and_then(When::begin);
        own.or_else(|| of(self.geometry.as_ref()?))
    }
}
