//! A point, or another piece of markup.

use robolog_core::{Error, Result, Timestamp, format::Timed, text::Escaped};
use robolog_xml::{Element, lossy};

use super::{Gpx, Header, Position, Waypoint, layout::Scope, payload};

/// The kinds of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointKind {
    /// A point of interest: `wpt`.
    Waypoint,
    /// A point of a route: `rtept`.
    RoutePoint,
    /// A point of a track: `trkpt`.
    TrackPoint,
}

impl PointKind {
    /// The kind of point of an element with this local name.
    #[inline]
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"trkpt" => Self::TrackPoint,
            b"rtept" => Self::RoutePoint,
            b"wpt" => Self::Waypoint,
            _ => return None,
        })
    }
}

robolog_xml::documents! {
    /// A point with all its elements, or another piece of markup, with the text before it.
    ///
    /// ```
    /// use robolog_gpx::robolog_core::format::Timed as _;
    ///
    /// # let file = std::fs::read("examples/drive.gpx").unwrap();
    /// let reader = robolog_gpx::Reader::new(&file)?;
    /// for record in reader.records() {
    ///     let record = record?;
    ///     println!("byte {}: {:?}", record.offset(), record.time());
    /// }
    /// # assert_eq!(reader.records().count(), 14);
    /// # Ok::<(), robolog_gpx::Error>(())
    /// ```
    Gpx, Header
}

impl Record<'_> {
    /// The kind of point; `None` for other markup.
    #[inline]
    pub fn point(&self) -> Option<PointKind> {
        self.kind().element()
    }

    /// The position of a point and its other numbers and times. Unreadable values are left out.
    ///
    /// Returns an error if this is not a point, or a point without latitude and longitude.
    pub fn position(&self) -> Result<Position> {
        self.position_with(&mut |_| {})
    }

    /// Like [`position`](Self::position); `faults` receives each value that cannot be read or violates the schema.
    #[inline]
    pub fn position_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        self.read_with(faults).map(|(position, _)| position)
    }

    /// Like [`position_with`](Self::position_with), and where further elements begin in the markup.
    #[inline]
    pub(crate) fn read_with(&self, faults: &mut dyn FnMut(Error)) -> Result<payload::Read> {
        if self.point().is_none() {
            return Err(self.no_point());
        }
        payload::decode(self, faults)
    }

    /// The same with quick-xml only; [`position_with`](Self::position_with) is tested against it.
    pub fn position_by_events(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if self.point().is_none() {
            return Err(self.no_point());
        }
        payload::by_events(self, faults).map(|(position, _)| position)
    }

    /// The time of a point, without its other values. Returns the errors of [`position`](Self::position).
    #[inline]
    pub(crate) fn moment(&self) -> Result<Option<Timestamp>> {
        if self.point().is_none() {
            return Err(self.no_point());
        }
        payload::time(self)
    }

    /// A point with its texts, links and extensions. Unreadable values are left out.
    ///
    /// Returns an error if this is not a point, or a point without latitude and longitude, or if quick-xml rejects its
    /// markup.
    pub fn waypoint(&self) -> Result<Waypoint> {
        let position = self.position()?;
        let source = lossy(self.markup());
        let element = Element::parse(&source, self.markup_offset())?;
        let outer: Vec<_> = element.namespaces().collect();
        Ok(Waypoint::read(position, &element, &Scope { prefix: element.prefix(), outer: &outer }))
    }

    #[cold]
    fn no_point(&self) -> Error {
        let found = format!("{:?}", Escaped(self.name()).to_string());
        Error::invalid("element", found, "trkpt, rtept or wpt", self.markup_offset()).within("gpx")
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        self.moment().ok()?
    }
}
