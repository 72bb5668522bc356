//! Writes KML 2.2, with tracks as `gx:Track`.

use std::{
    fmt::{self, Display, Write as _},
    io::Write,
    path::Path,
};

use robolog_core::{Error, NewFile, Output, Result, Timestamp};

use super::{AltitudeMode, Coordinate, Geometry, Line, Placemark, Time, Track, When};
use robolog_xml::{Escape, Indent};

/// Writes a document that is valid by the schemas of KML 2.2 and of Google's extensions.
///
/// A track is written place by place. Its coordinates stand behind all its times, so they wait in memory, some 40 bytes
/// each, until the track ends.
#[derive(Debug)]
#[must_use = "a document is whole only after `finish`"]
pub struct Writer<W> {
    out: Output<W>,
    text: String,
    /// The coordinates of the track that is open.
    track: Option<String>,
}

impl Writer<NewFile> {
    /// Creates the file at `path` and begins a document in it. Fails where there is a file already.
    pub fn create(path: impl AsRef<Path>, name: &str) -> Result<Self> {
        Self::new(robolog_core::create(path)?, name)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a document of this name; an empty one is left out.
    pub fn new(inner: W, name: &str) -> Result<Self> {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" \
             xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n  <Document>",
        );
        // A string takes whatever is written into it, here and below.
        let _ = value(&mut text, "name", Some(Escape(name)).filter(|_| !name.is_empty()), 2);
        let mut writer = Self { out: Output::new(inner), text, track: None };
        writer.flush()?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes a placemark; a track that is open ends.
    pub fn placemark(&mut self, placemark: &Placemark) -> Result<()> {
        self.end_track()?;
        let _ = write_placemark(&mut self.text, placemark);
        self.flush()
    }

    /// Begins a placemark with a track.
    pub fn begin_track(&mut self, name: &str, mode: Option<AltitudeMode>) -> Result<()> {
        self.end_track()?;
        let _ = write!(self.text, "{}<Placemark>", Indent(2));
        let _ = value(&mut self.text, "name", Some(Escape(name)), 3);
        let _ = write!(self.text, "{}<gx:Track>", Indent(3));
        let _ = altitude_mode(&mut self.text, mode, 4);
        self.track = Some(String::new());
        self.flush()
    }

    /// Writes a place of the track. Fails when none is open, and for what is no place.
    pub fn point(&mut self, time: Option<Timestamp>, place: Coordinate) -> Result<()> {
        let numbers = [place.longitude, place.latitude, place.altitude.unwrap_or_default()];
        if !numbers.iter().all(|n| n.is_finite()) {
            let found = format_args!("{numbers:?}");
            return Err(Error::invalid("coordinate", found, "finite numbers", self.out.position())
                .within("kml writer"));
        }
        let Some(coordinates) = &mut self.track else {
            return Err(Error::invalid("order", "a place", "a track around it", self.out.position())
                .within("kml writer"));
        };
        let _ = coord(coordinates, Some(place), 4);
        let _ = when(&mut self.text, time.map(Time::from).as_ref(), 4);
        self.flush()
    }

    /// Ends the track, if one is open.
    pub fn end_track(&mut self) -> Result<()> {
        if let Some(coordinates) = self.track.take() {
            let _ = write!(self.text, "{coordinates}{}</gx:Track>{}</Placemark>", Indent(3), Indent(2));
        }
        self.flush()
    }

    /// Completes the document and hands the target back.
    pub fn finish(mut self) -> Result<W> {
        self.end_track()?;
        self.text.push_str("\n  </Document>\n</kml>\n");
        self.flush()?;
        self.out.finish()
    }

    fn flush(&mut self) -> Result<()> {
        self.out.bytes(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

fn write_placemark(out: &mut String, placemark: &Placemark) -> fmt::Result {
    write!(out, "{}<Placemark>", Indent(2))?;
    value(out, "name", placemark.name.as_deref().map(Escape), 3)?;
    value(out, "description", placemark.description.as_deref().map(Escape), 3)?;
    match &placemark.time {
        Some(When::At(time)) => write!(out, "{0}<TimeStamp><when>{1}</when></TimeStamp>", Indent(3), time)?,
        Some(When::Span { begin, end }) => {
            write!(out, "{}<TimeSpan>", Indent(3))?;
            value(out, "begin", begin.as_ref(), 4)?;
            value(out, "end", end.as_ref(), 4)?;
            write!(out, "{}</TimeSpan>", Indent(3))?;
        }
        None => {}
    }
    raw(out, placemark.extended_data.as_deref(), 3)?;
    if let Some(shape) = &placemark.geometry {
        geometry(out, shape, 3)?;
    }
    write!(out, "{}</Placemark>", Indent(2))
}

fn geometry(out: &mut String, shape: &Geometry, level: usize) -> fmt::Result {
    let inner = level.saturating_add(1);
    match shape {
        Geometry::Point(shape) => line(out, "Point", shape, level),
        Geometry::LineString(shape) => line(out, "LineString", shape, level),
        Geometry::LinearRing(shape) => line(out, "LinearRing", shape, level),
        Geometry::Polygon(polygon) => {
            write!(out, "{}<Polygon>", Indent(level))?;
            altitude_mode(out, polygon.altitude_mode, inner)?;
            let outer = std::iter::once(("outerBoundaryIs", &polygon.outer));
            for (name, ring) in outer.chain(polygon.inner.iter().map(|ring| ("innerBoundaryIs", ring))) {
                write!(out, "{}<{name}>", Indent(inner))?;
                let ring = Line { altitude_mode: None, coordinates: ring.clone() };
                line(out, "LinearRing", &ring, inner.saturating_add(1))?;
                write!(out, "{}</{name}>", Indent(inner))?;
            }
            write!(out, "{}</Polygon>", Indent(level))
        }
        Geometry::Track(shape) => track(out, shape, level),
        Geometry::MultiTrack { tracks, interpolate } => {
            write!(out, "{}<gx:MultiTrack>", Indent(level))?;
            value(out, "gx:interpolate", Some(u8::from(*interpolate)), inner)?;
            tracks.iter().try_for_each(|part| track(out, part, inner))?;
            write!(out, "{}</gx:MultiTrack>", Indent(level))
        }
        Geometry::MultiGeometry(parts) => {
            write!(out, "{}<MultiGeometry>", Indent(level))?;
            parts.iter().try_for_each(|part| geometry(out, part, inner))?;
            write!(out, "{}</MultiGeometry>", Indent(level))
        }
        Geometry::Other(text) => raw(out, Some(text), level),
    }
}

fn line(out: &mut String, name: &str, shape: &Line, level: usize) -> fmt::Result {
    write!(out, "{}<{name}>", Indent(level))?;
    altitude_mode(out, shape.altitude_mode, level.saturating_add(1))?;
    write!(out, "{}<coordinates>", Indent(level.saturating_add(1)))?;
    for (at, place) in shape.coordinates.iter().enumerate() {
        let blank = if at == 0 { "" } else { " " };
        write!(out, "{blank}{},{}", place.longitude, place.latitude)?;
        if let Some(altitude) = place.altitude {
            write!(out, ",{altitude}")?;
        }
    }
    write!(out, "</coordinates>{}</{name}>", Indent(level))
}

fn track(out: &mut String, shape: &Track, level: usize) -> fmt::Result {
    let inner = level.saturating_add(1);
    write!(out, "{}<gx:Track>", Indent(level))?;
    altitude_mode(out, shape.altitude_mode, inner)?;
    shape.times.iter().try_for_each(|time| when(out, time.as_ref(), inner))?;
    shape.coordinates.iter().try_for_each(|place| coord(out, *place, inner))?;
    for angles in &shape.angles {
        let text = angles.map(|[heading, tilt, roll]| format!("{heading} {tilt} {roll}"));
        value(out, "gx:angles", Some(text.unwrap_or_default()), inner)?;
    }
    raw(out, shape.extended_data.as_deref(), inner)?;
    write!(out, "{}</gx:Track>", Indent(level))
}

fn when(out: &mut String, time: Option<&Time>, level: usize) -> fmt::Result {
    let text = time.map(|time| Escape(time.as_str()).to_string());
    value(out, "when", Some(text.unwrap_or_default()), level)
}

fn coord(out: &mut String, place: Option<Coordinate>, level: usize) -> fmt::Result {
    write!(out, "{}<gx:coord>", Indent(level))?;
    if let Some(place) = place {
        write!(out, "{} {}", place.longitude, place.latitude)?;
        if let Some(altitude) = place.altitude {
            write!(out, " {altitude}")?;
        }
    }
    out.push_str("</gx:coord>");
    Ok(())
}

fn altitude_mode(out: &mut String, mode: Option<AltitudeMode>, level: usize) -> fmt::Result {
    // The two of the sea are extensions.
    let name = match mode {
        Some(AltitudeMode::ClampToSeaFloor | AltitudeMode::RelativeToSeaFloor) => "gx:altitudeMode",
        _ => "altitudeMode",
    };
    value(out, name, mode.map(AltitudeMode::name), level)
}

fn value(out: &mut String, name: &str, value: Option<impl Display>, level: usize) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, "{}<{name}>{value}</{name}>", Indent(level)))
}

fn raw(out: &mut String, xml: Option<&str>, level: usize) -> fmt::Result {
    xml.map_or(Ok(()), |xml| write!(out, "{}{xml}", Indent(level)))
}
