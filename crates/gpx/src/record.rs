//! A point, or another piece of markup.

use robolog_core::{Error, Result, Timed, Timestamp, text::Escaped};
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
    /// The point that an element of this name is, given without its prefix.
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
    /// A point with all that it holds, or another piece of markup; with the text before it.
    ///
    /// ```
    /// use robolog_gpx::robolog_core::Timed as _;
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

    /// Where a point lies and what else is a number or a time. What cannot be read is left out.
    ///
    /// Fails for what is no point, and for a point without a latitude and a longitude.
    pub fn position(&self) -> Result<Position> {
        self.position_with(&mut |_| {})
    }

    /// The same; `faults` gets each value that cannot be read, or is not as the schema wants it.
    #[inline]
    pub fn position_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if self.point().is_none() {
            return Err(self.no_point());
        }
        payload::decode(self, faults)
    }

    /// The same by quick-xml alone: what [`position_with`](Self::position_with) is checked against.
    pub fn position_by_events(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if self.point().is_none() {
            return Err(self.no_point());
        }
        payload::by_events(self, faults)
    }

    /// A point with its texts, links and extensions. What cannot be read is left out.
    ///
    /// Fails for what is no point, for a point without a latitude and a longitude, and when quick-xml finds fault with its
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
        self.position().ok()?.time
    }
}
