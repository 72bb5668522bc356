//! Writes KML 2.2, with tracks as `gx:Track`.

use std::{io::Write, path::Path};

use robolog_core::{
    Error, Result, Timestamp,
    format::{CountingWriter, NewFile},
};
use robolog_xml::{ElementWriter, Escape};

use super::{
    AltitudeMode, Coordinate, Geometry, Header, Line, Placemark, Time, Track, When, data::SCHEMA,
    layout::Name,
};

/// Writes a document that is valid by the schemas of KML 2.2 and of Google's extensions.
///
/// A track is written position by position. Its coordinates come after all its times, so they wait in memory, 40 bytes
/// each, until the track ends. A track of one position becomes a `Point` with a `TimeStamp`: a line needs two, and GDAL
/// and others refuse the whole file otherwise.
///
/// ```
/// use robolog_kml::{AltitudeMode, Coordinate, Header, Writer};
/// let mut writer = Writer::new(Vec::new(), &Header::default())?;
/// writer.name("harbour")?;
/// writer.begin_track("boat", Some(AltitudeMode::ClampToGround))?;
/// writer.point(None, Coordinate { longitude: 3.11, latitude: 45.76, altitude: None })?;
/// let text = String::from_utf8(writer.finish()?).unwrap();
/// assert!(text.contains("<Point>") && text.contains("<coordinates>3.11,45.76"));
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a document is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    xml: ElementWriter,
    track: Option<OpenTrack>,
    is_begun: bool,
    /// Number of open folders.
    folders: usize,
}

/// A track whose end has not come.
#[derive(Debug)]
struct OpenTrack {
    /// Name, description and data of its placemark.
    head: Placemark,
    mode: Option<AltitudeMode>,
    /// Time of the first position; its element begins with the second.
    first: Option<Timestamp>,
    coordinates: Vec<Coordinate>,
}

impl Writer<NewFile> {
    /// Starts a document in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a document of KML 2.2, whatever the version of `header`.
    pub fn new(inner: W, _: &Header) -> Result<Self> {
        let mut xml = ElementWriter::default();
        xml.declaration();
        let spaces = ["http://www.opengis.net/kml/2.2", "http://www.google.com/kml/ext/2.2"];
        let [own, google] = &spaces;
        xml.begin("kml", &[("xmlns", own), ("xmlns:gx", google)]);
        xml.begin("Document", &[]);
        let mut writer =
            Self { out: CountingWriter::new(inner), xml, track: None, is_begun: false, folders: 0 };
        writer.flush()?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes the document's name. Returns an error after a placemark.
    pub fn name(&mut self, name: &str) -> Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Err(self.order("a name", "the name once, before all else"));
        }
        self.xml.text_element(Name::Title.written(), Some(name));
        self.flush()
    }

    /// Declares the arrays of tracks: the name of each, whether it holds numbers, and what people read. Returns an error
    /// after a placemark.
    pub fn arrays<'a>(&mut self, arrays: impl IntoIterator<Item = (&'a str, bool, &'a str)>) -> Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Err(self.order("a schema", "the schema before all placemarks"));
        }
        self.xml.begin("Schema", &[("id", &SCHEMA)]);
        for (name, is_number, shown) in arrays {
            let kind = if is_number { "float" } else { "string" };
            self.xml.begin("gx:SimpleArrayField", &[("name", &Escape(name)), ("type", &kind)]);
            self.xml.text_element("displayName", Some(shown));
            self.xml.end("gx:SimpleArrayField");
        }
        self.xml.end("Schema");
        self.flush()
    }

    /// Begins a folder; ends an open track.
    pub fn begin_folder(&mut self, name: &str) -> Result<()> {
        self.end_track()?;
        self.is_begun = true;
        self.folders += 1;
        self.xml.begin("Folder", &[]);
        self.xml.text_element(Name::Title.written(), Some(name));
        self.flush()
    }

    /// Ends the innermost folder, and an open track.
    pub fn end_folder(&mut self) -> Result<()> {
        self.end_track()?;
        if self.folders > 0 {
            self.folders -= 1;
            self.xml.end("Folder");
        }
        self.flush()
    }

    /// Writes a placemark; ends an open track.
    pub fn placemark(&mut self, placemark: &Placemark) -> Result<()> {
        self.placemark_with(placemark, None, None)
    }

    /// Writes a placemark with the address of its icon, or of a style in this document (`#id`) or another one, and that of
    /// a page about it; ends an open track.
    pub fn placemark_with(
        &mut self,
        placemark: &Placemark,
        icon: Option<&str>,
        link: Option<&str>,
    ) -> Result<()> {
        self.end_track()?;
        self.is_begun = true;
        let name = Name::Placemark.written();
        self.xml.begin(name, &[]);
        head(&mut self.xml, placemark, icon, link);
        if let Some(shape) = &placemark.geometry {
            geometry(&mut self.xml, shape);
        }
        self.xml.end(name);
        self.flush()
    }

    /// Begins a placemark with a track.
    pub fn begin_track(&mut self, name: &str, mode: Option<AltitudeMode>) -> Result<()> {
        self.begin_track_of(Placemark { name: Some(name.to_owned()), ..Placemark::default() }, mode)
    }

    /// Begins a placemark with a track, and with the name, the description and the data of `head`.
    pub fn begin_track_of(&mut self, head: Placemark, mode: Option<AltitudeMode>) -> Result<()> {
        self.end_track()?;
        self.is_begun = true;
        self.track = Some(OpenTrack { head, mode, first: None, coordinates: Vec::new() });
        self.flush()
    }

    /// Writes a position of the track. Returns an error if no track is open or a number is not finite.
    pub fn point(&mut self, time: Option<Timestamp>, place: Coordinate) -> Result<()> {
        let numbers = [place.longitude, place.latitude, place.altitude.unwrap_or_default()];
        if !numbers.iter().all(|n| n.is_finite()) {
            let found = format_args!("{numbers:?}");
            return Err(Error::invalid("coordinate", found, "finite numbers", self.out.position())
                .within("kml writer"));
        }
        let Some(track) = &mut self.track else {
            return Err(self.order("a place", "a track around it"));
        };
        track.coordinates.push(place);
        match track.coordinates.len() {
            1 => track.first = time,
            2 => {
                track.begin(&mut self.xml);
                when(&mut self.xml, time.map(Time::from).as_ref());
            }
            _ => when(&mut self.xml, time.map(Time::from).as_ref()),
        }
        self.flush()
    }

    /// Ends the track, if one is open.
    pub fn end_track(&mut self) -> Result<()> {
        self.end_track_with("")
    }

    /// Ends the track with `ExtendedData`: see [`data::arrays`](super::data::arrays). For a single position, which becomes a
    /// point, they replace those of its placemark: see [`data::values`](super::data::values).
    pub fn end_track_with(&mut self, extended_data: &str) -> Result<()> {
        let Some(mut track) = self.track.take() else { return self.flush() };
        if track.coordinates.len() == 1 {
            let mut point = track.into_point();
            if !extended_data.is_empty() {
                point.extended_data = Some(extended_data.to_owned());
            }
            return self.placemark(&point);
        }
        if track.coordinates.is_empty() {
            track.begin(&mut self.xml);
        }
        for place in std::mem::take(&mut track.coordinates) {
            coord(&mut self.xml, Some(place));
            self.flush()?;
        }
        if !extended_data.is_empty() {
            self.xml.raw(extended_data);
        }
        self.xml.end(Name::Track.written());
        self.xml.end(Name::Placemark.written());
        self.flush()
    }

    /// Completes the document and returns the inner writer.
    pub fn finish(mut self) -> Result<W> {
        self.end_track()?;
        while self.folders > 0 {
            self.end_folder()?;
        }
        self.xml.end("Document");
        self.xml.end("kml");
        self.xml.text("\n");
        self.flush()?;
        self.out.finish()
    }

    #[cold]
    fn order(&self, found: &'static str, expected: &'static str) -> Error {
        Error::invalid("order", found, expected, self.out.position()).within("kml writer")
    }

    fn flush(&mut self) -> Result<()> {
        self.out.bytes(self.xml.as_bytes())?;
        self.xml.clear();
        Ok(())
    }
}

impl OpenTrack {
    /// Writes its beginning, with the time of the first position if there is one.
    fn begin(&self, xml: &mut ElementWriter) {
        xml.begin(Name::Placemark.written(), &[]);
        head(xml, &self.head, None, None);
        xml.begin(Name::Track.written(), &[]);
        altitude_mode(xml, self.mode);
        if !self.coordinates.is_empty() {
            when(xml, self.first.map(Time::from).as_ref());
        }
    }

    fn into_point(self) -> Placemark {
        let line = Line { altitude_mode: self.mode, coordinates: self.coordinates };
        Placemark {
            time: self.first.map(|time| When::At(time.into())),
            geometry: Some(Geometry::Point(line)),
            ..self.head
        }
    }
}

/// Everything but the shape; the style comes before the data.
fn head(xml: &mut ElementWriter, placemark: &Placemark, icon: Option<&str>, link: Option<&str>) {
    let Placemark { name, description, time, extended_data, .. } = placemark;
    xml.text_element(Name::Title.written(), name.as_deref());
    if let Some(link) = link {
        xml.empty("atom:link", &[("xmlns:atom", &"http://www.w3.org/2005/Atom"), ("href", &Escape(link))]);
    }
    let (description, time) = (description.clone(), time.clone());
    Placemark { description, time, ..Placemark::default() }.write_children(xml);
    let is_style = |icon: &str| icon.starts_with('#') || icon.contains(".kml#") || icon.contains(".kmz#");
    xml.text_element("styleUrl", icon.filter(|icon| is_style(icon)));
    if let Some(icon) = icon.filter(|icon| !is_style(icon)) {
        for name in ["Style", "IconStyle", "Icon"] {
            xml.begin(name, &[]);
        }
        xml.text_element("href", Some(icon));
        for name in ["Icon", "IconStyle", "Style"] {
            xml.end(name);
        }
    }
    if let Some(data) = extended_data {
        xml.raw(data);
    }
}

fn geometry(xml: &mut ElementWriter, shape: &Geometry) {
    match shape {
        Geometry::Point(shape) => line(xml, Name::Point, shape.altitude_mode, &shape.coordinates),
        Geometry::LineString(Line { altitude_mode, coordinates }) => {
            line(xml, Name::LineString, *altitude_mode, coordinates);
        }
        Geometry::LinearRing(Line { altitude_mode, coordinates }) => {
            line(xml, Name::LinearRing, *altitude_mode, coordinates);
        }
        Geometry::Polygon(polygon) => {
            xml.begin(Name::Polygon.written(), &[]);
            altitude_mode(xml, polygon.altitude_mode);
            let inner = polygon.inner.iter().map(|ring| (Name::InnerBoundary, ring));
            for (name, ring) in std::iter::once((Name::OuterBoundary, &polygon.outer)).chain(inner) {
                xml.begin(name.written(), &[]);
                line(xml, Name::LinearRing, None, ring);
                xml.end(name.written());
            }
            xml.end(Name::Polygon.written());
        }
        Geometry::Track(shape) => track(xml, shape),
        Geometry::MultiTrack { tracks, interpolate } => {
            xml.begin(Name::MultiTrack.written(), &[]);
            xml.value(Name::Interpolate.written(), u8::from(*interpolate));
            for part in tracks {
                track(xml, part);
            }
            xml.end(Name::MultiTrack.written());
        }
        Geometry::MultiGeometry(parts) => {
            xml.begin(Name::MultiGeometry.written(), &[]);
            for part in parts {
                geometry(xml, part);
            }
            xml.end(Name::MultiGeometry.written());
        }
        Geometry::Other(element) => xml.raw(element),
    }
}

fn line(xml: &mut ElementWriter, name: Name, mode: Option<AltitudeMode>, coordinates: &[Coordinate]) {
    xml.begin(name.written(), &[]);
    altitude_mode(xml, mode);
    xml.begin(Name::Coordinates.written(), &[]);
    for (at, place) in coordinates.iter().enumerate() {
        let blank = if at == 0 { "" } else { " " };
        xml.text(format_args!("{blank}{}", tuple(*place, ",")));
    }
    if coordinates.is_empty() {
        xml.text("");
    }
    xml.end(Name::Coordinates.written());
    xml.end(name.written());
}

fn track(xml: &mut ElementWriter, shape: &Track) {
    xml.begin(Name::Track.written(), &[]);
    altitude_mode(xml, shape.altitude_mode);
    for time in &shape.times {
        when(xml, time.as_ref());
    }
    for place in &shape.coordinates {
        coord(xml, *place);
    }
    for angles in &shape.angles {
        let text = |[heading, tilt, roll]: [f64; 3]| format!("{heading} {tilt} {roll}");
        xml.value(Name::Angles.written(), angles.map_or_else(String::new, text));
    }
    if let Some(data) = &shape.extended_data {
        xml.raw(data);
    }
    xml.end(Name::Track.written());
}

fn when(xml: &mut ElementWriter, time: Option<&Time>) {
    xml.value(Name::When.written(), Escape(time.map_or("", Time::as_str)));
}

fn coord(xml: &mut ElementWriter, place: Option<Coordinate>) {
    xml.value(Name::Coord.written(), place.map_or_else(String::new, |place| tuple(place, " ")));
}

/// Longitude, latitude and, if known, altitude.
fn tuple(place: Coordinate, between: &str) -> String {
    let altitude = place.altitude.map_or_else(String::new, |altitude| format!("{between}{altitude}"));
    format!("{}{between}{}{altitude}", place.longitude, place.latitude)
}

fn altitude_mode(xml: &mut ElementWriter, mode: Option<AltitudeMode>) {
    let Some(mode) = mode else { return };
    let name = Name::AltitudeMode.written();
    // The two modes of the sea floor are extensions.
    match mode {
        AltitudeMode::ClampToSeaFloor | AltitudeMode::RelativeToSeaFloor => {
            xml.value(&format!("gx:{name}"), mode.name());
        }
        _ => xml.value(name, mode.name()),
    }
}
