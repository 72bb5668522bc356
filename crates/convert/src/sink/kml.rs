//! KML 2.2 and KMZ, as shown by Google Earth.

use std::{
    collections::HashMap,
    io::{BufWriter, Seek, Write},
    mem,
};

use robolog_core::{Attributes, Clock, Feature, GnssFix, Row, Sample, Timestamp, Value};
use robolog_kml::{
    AltitudeMode, Coordinate, Geometry, Header, Line, Placemark, Polygon, When, Writer,
    data::{self, Array},
};
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

use super::{
    Holds, Lacks, Need, TargetSpec, takes,
    text::of_cell,
    tracks::{Channel, Tracks, each_series, is_of_place, name_of, named_place, track_of},
};
use crate::{Advice, Error, Note, Outcome, Result, Sink, patient::Patient};

/// KML of the OGC.
pub static KML: TargetSpec = TargetSpec {
    name: "kml",
    extensions: &["kml"],
    about: "the same as KML 2.2 with Google's tracks",
    holds: Holds::Places,
    lacks: Lacks::SERIES_WITHOUT_DATES,
    needs: &[Need::Dates],
    takes: takes::places,
    instead: takes::no_advice,
    open: |out, opening| {
        let tracks = Tracks::new(opening.options.spools);
        Ok(Box::new(Kml { tracks, ..Kml::new(BufWriter::new(out)) }))
    },
};

/// KML in a zip archive.
pub static KMZ: TargetSpec = TargetSpec {
    name: "kmz",
    extensions: &["kmz"],
    about: "KML in a zip archive",
    open: |out, opening| {
        let mut kmz = Kmz::new(out);
        kmz.0.tracks = Tracks::new(opening.options.spools);
        Ok(Box::new(kmz))
    },
    ..KML
};

/// Writes a placemark for each feature, then a track for each channel of fixes, named after its track or else the channel,
/// in order of their first samples.
///
/// A feature has its name, description, time, icon and shape; its other properties, symbols that are no address and the
/// type are `Data`. Features with a `folder` are in one, and so are the segments of a track.
///
/// Fixes with Unix time become a `gx:Track`; fixes on other clocks or without a time a `LineString`. A single one is a
/// `Point`, with its time as a `TimeStamp`. Altitudes are metres above mean sea level, or above the ellipsoid if only that is known
/// (`absolute`); a track without altitudes is drawn on the ground (`clampToGround`). If a channel switches between
/// these, and after 65 536 fixes, a new placemark of the same name begins, which bounds memory. What else
/// is known of the fixes of a `gx:Track`, such as heart rate, speed or quality, is in arrays beside their coordinates. A
/// fix that people named is a placemark behind its track, too. The attributes of a track are its description and `Data`.
///
/// Samples of up to 2048 channels are kept in temporary files until the end. Fixes outside the range of latitude or
/// longitude, fixes of quality 0, poses in local frames and all other values are left out.
#[derive(Debug)]
pub struct Kml<W> {
    out: W,
    tracks: Tracks,
}

impl<W: Write> Kml<W> {
    /// Creates a document on `out`.
    pub fn new(out: W) -> Self {
        Self { out, tracks: Tracks::default() }
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        document(self.tracks, self.out)
    }
}

impl<W: Write> Sink for Kml<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let class = if let Value::Feature(_) = sample.value { FEATURES } else { FIXES };
        self.tracks.push(sample, class)
    }

    fn advice(&self) -> Option<Advice> {
        Some(self.tracks.advice())
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(self.tracks.notes())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// Writes the document of [`Kml`] as `doc.kml`, deflated, the only file of a zip archive.
#[derive(Debug)]
pub struct Kmz<W>(Kml<W>);

impl<W: Write + Seek> Kmz<W> {
    /// Creates an archive on `out`.
    pub fn new(out: W) -> Self {
        Self(Kml::new(out))
    }

    /// Completes the file and returns the target. Returns an error for a document of more than 4 GiB.
    pub fn into_inner(self) -> Result<W> {
        let Kml { out, tracks } = self.0;
        let mut archive = ZipWriter::new(Patient::new(out));
        // A fixed date keeps the bytes the same.
        let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
        archive.start_file("doc.kml", options).map_err(zipped)?;
        Ok(document(tracks, archive)?.finish().map_err(zipped)?.into_inner()?)
    }
}

impl<W: Write + Seek> Sink for Kmz<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.0.write(sample)
    }

    fn advice(&self) -> Option<Advice> {
        self.0.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.0.notes()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

fn zipped(error: zip::result::ZipError) -> Error {
    Error::Write(error.into())
}

/// Features come before tracks.
const FEATURES: u8 = 0;
const FIXES: u8 = 1;

/// Maximum number of fixes in a placemark, whose coordinates are in memory.
const PIECE: usize = 1 << 16;

fn document<W: Write>(mut tracks: Tracks, out: W) -> Result<W> {
    tracks.sort(|channel| track_of(channel).unwrap_or(channel));
    let mut writer = Writer::new(out, &Header::default()).map_err(Error::written)?;
    // Points with a name are placemarks of their own.
    let series: Vec<_> = tracks.series().iter().filter(|series| series.name != "name").cloned().collect();
    if !series.is_empty() {
        let shown: Vec<_> = series
            .iter()
            .map(|series| match &*series.unit {
                "" => series.name.replace('_', " "),
                unit => format!("{} ({unit})", series.name.replace('_', " ")),
            })
            .collect();
        let arrays = series.iter().zip(&shown);
        let arrays =
            arrays.map(|(series, shown)| (array_name(&series.name), series.is_number, shown.as_str()));
        writer.arrays(arrays).map_err(Error::written)?;
    }
    let numbers = series.iter().map(|series| series.name.clone()).zip(0..).collect();
    let head = Placemark::default();
    let common = Vec::new();
    let (line, has_names) = (Vec::new(), false);
    let mut document = Document { writer, head, common, piece: None, line, numbers, folder: None, has_names };
    for at in 0..tracks.channels().len() {
        let Some(channel) = tracks.channels().get(at) else { continue };
        let track = track_of(&channel.name);
        let others =
            tracks.channels().iter().filter(|other| track.is_some() && track_of(&other.name) == track);
        let folder = track.filter(|_| others.count() > 1).map(|track| {
            let name = channel.attributes.get("name").unwrap_or(track);
            (track.to_owned(), name.to_owned())
        });
        let told = channel.attributes.get("folder").map(|folder| (folder.to_owned(), folder.to_owned()));
        let folder = folder.or(told);
        document.begin(channel, folder).map_err(Error::written)?;
        tracks.each(at, &mut |sample| document.sample(sample).map_err(Error::written))?;
        document.end().map_err(Error::written)?;
        if mem::take(&mut document.has_names) {
            tracks.each(at, &mut |sample| document.named(sample).map_err(Error::written))?;
        }
    }
    document.writer.finish().map_err(Error::written)
}

/// The name of an array, as Google's documentation has that of heart rates.
fn array_name(name: &str) -> &str {
    if name == "heart_rate" { "heartrate" } else { name }
}

struct Document<W> {
    writer: Writer<W>,
    /// What the placemarks of the channel have in common.
    head: Placemark,
    /// Its data.
    common: Vec<(String, String)>,
    piece: Option<Piece>,
    /// Coordinates of an untimed placemark.
    line: Vec<Coordinate>,
    /// The arrays by the name of their series.
    numbers: HashMap<String, usize>,
    /// The open folder.
    folder: Option<String>,
    /// Whether people named fixes of the channel.
    has_names: bool,
}

/// An open placemark.
struct Piece {
    is_timed: bool,
    mode: AltitudeMode,
    len: usize,
    arrays: Vec<Array>,
    /// What is known of its first fix.
    first: Vec<(String, String)>,
}

impl<W: Write> Document<W> {
    /// Ends the open placemark.
    fn end(&mut self) -> robolog_core::Result<()> {
        let Some(piece) = self.piece.take() else { return Ok(()) };
        let one = || {
            let own = self.common.iter().chain(&piece.first);
            data::values(own.map(|(name, value)| (name.as_str(), value)))
        };
        if piece.is_timed && piece.len == 1 {
            return self.writer.end_track_with(&one().unwrap_or_default());
        }
        if piece.is_timed {
            let mut names: Vec<_> = self.numbers.iter().collect();
            names.sort_by_key(|(_, number)| **number);
            let names = names.into_iter().map(|(name, _)| array_name(name));
            return self.writer.end_track_with(&data::arrays(piece.len, names.zip(piece.arrays)));
        }
        let line = Line { altitude_mode: Some(piece.mode), coordinates: mem::take(&mut self.line) };
        // The schema requires at least two coordinates in a line.
        let (geometry, extended_data) = if piece.len == 1 {
            (Geometry::Point(line), one())
        } else {
            (Geometry::LineString(line), self.head.extended_data.clone())
        };
        let placemark = Placemark { geometry: Some(geometry), extended_data, ..self.head.clone() };
        self.writer.placemark(&placemark)
    }

    /// Begins a channel, in a folder by key and name.
    fn begin(&mut self, channel: &Channel, folder: Option<(String, String)>) -> robolog_core::Result<()> {
        self.open_folder(folder)?;
        self.head = Placemark {
            name: Some(channel.title().to_owned()),
            description: channel.attributes.get("description").map(str::to_owned),
            extended_data: data::values(others(&channel.attributes)),
            ..Placemark::default()
        };
        let common = others(&channel.attributes);
        self.common = common.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(())
    }

    /// Puts what follows into a folder, or none.
    fn open_folder(&mut self, folder: Option<(String, String)>) -> robolog_core::Result<()> {
        if self.folder.as_ref() == folder.as_ref().map(|(key, _)| key) {
            return Ok(());
        }
        if self.folder.take().is_some() {
            self.writer.end_folder()?;
        }
        if let Some((key, name)) = folder {
            self.writer.begin_folder(&name)?;
            self.folder = Some(key);
        }
        Ok(())
    }

    fn sample(&mut self, sample: &Sample) -> robolog_core::Result<()> {
        let time = sample.time.filter(|time| time.clock() == Clock::Unix);
        match &sample.value {
            Value::GnssFix(fix) => self.point(time, fix),
            Value::Feature(feature) => self.feature(time, feature),
            _ => Ok(()),
        }
    }

    fn point(&mut self, time: Option<Timestamp>, fix: &GnssFix) -> robolog_core::Result<()> {
        let mut place = Coordinate::from(fix);
        place.altitude = place.altitude.filter(|altitude| altitude.is_finite());
        let mode = mode(place.altitude.is_some());
        let is_timed = time.is_some();
        let goes_on = |piece: &Piece| piece.is_timed == is_timed && piece.mode == mode && piece.len < PIECE;
        if !self.piece.as_ref().is_some_and(goes_on) {
            self.end()?;
            if is_timed {
                self.writer.begin_track_of(self.head.clone(), Some(mode))?;
            }
        }
        let arrays = self.numbers.len();
        let piece = self.piece.get_or_insert_with(|| Piece {
            is_timed,
            mode,
            len: 0,
            arrays: if is_timed { vec![Array::default(); arrays] } else { Vec::new() },
            first: Vec::new(),
        });
        let is_named = name_of(fix).is_some();
        self.has_names |= is_named;
        let is_elsewhere = |name: &str| is_named && is_of_place(name);
        if piece.len == 0 {
            each_series(fix, &mut |name, _, value| {
                if !is_elsewhere(name) {
                    piece.first.push((array_name(name).to_owned(), value.to_string()));
                }
            });
        }
        if is_timed {
            each_series(fix, &mut |name, _, value| {
                if is_elsewhere(name) {
                    return;
                }
                let number = self.numbers.get(name);
                if let Some(array) = number.and_then(|number| piece.arrays.get_mut(*number)) {
                    array.set(piece.len, value);
                }
            });
        }
        piece.len += 1;
        if is_timed {
            self.writer.point(time, place)
        } else {
            self.line.push(place);
            Ok(())
        }
    }

    /// Writes the place of a fix that has a name.
    fn named(&mut self, sample: &Sample) -> robolog_core::Result<()> {
        let Value::GnssFix(fix) = &sample.value else { return Ok(()) };
        let time = sample.time.filter(|time| time.clock() == Clock::Unix);
        named_place(fix).map_or(Ok(()), |place| self.place(time, &place))
    }

    fn feature(&mut self, time: Option<Timestamp>, feature: &Feature) -> robolog_core::Result<()> {
        let folder = feature.properties.as_ref().and_then(|row| row.get("folder")).and_then(of_cell);
        self.open_folder(folder.map(|folder| (folder.clone(), folder)))?;
        self.place(time, feature)
    }

    fn place(&mut self, time: Option<Timestamp>, feature: &Feature) -> robolog_core::Result<()> {
        let is_icon = |symbol: &&str| {
            let ends = [".png", ".jpg", ".jpeg", ".gif", ".svg"];
            let is_address = symbol.contains("://") || symbol.contains(".kml#") || symbol.contains(".kmz#");
            symbol.starts_with('#') || is_address || ends.iter().any(|end| symbol.ends_with(end))
        };
        let symbol = feature.symbol.as_deref();
        let icon = symbol.filter(is_icon);
        let texts = [("symbol", symbol.filter(|symbol| !is_icon(symbol))), ("type", feature.kind.as_deref())];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text?.to_owned())));
        let placemark = Placemark {
            name: feature.name.clone(),
            description: feature.description.clone(),
            time: time.map(|time| When::At(time.into())),
            extended_data: data::values(texts.chain(properties(feature.properties.as_ref()))),
            geometry: Some(shape(&feature.geometry)),
        };
        self.writer.placemark_with(&placemark, icon, feature.link.as_deref())
    }
}

/// Attributes without an element of their own.
fn others(attributes: &Attributes) -> impl Iterator<Item = (&str, &str)> {
    attributes.iter().filter(|(key, _)| !matches!(*key, "name" | "description" | "folder"))
}

/// Properties as data; the folder is an element.
fn properties(row: Option<&Row>) -> impl Iterator<Item = (&str, String)> {
    let cells = row.into_iter().flat_map(Row::iter).filter(|(field, _)| field.name != "folder");
    cells.filter_map(|(field, cell)| Some((&*field.name, of_cell(cell)?)))
}

const fn mode(has_altitudes: bool) -> AltitudeMode {
    if has_altitudes { AltitudeMode::Absolute } else { AltitudeMode::ClampToGround }
}

fn shape(geometry: &robolog_core::Geometry) -> Geometry {
    use robolog_core::Geometry as Shape;
    let line = |positions: &[robolog_core::Position]| Line {
        altitude_mode: Some(mode(positions.iter().any(|position| position.altitude_msl.is_some()))),
        coordinates: coordinates(positions),
    };
    match geometry {
        Shape::Point(position) => Geometry::Point(line(std::slice::from_ref(position))),
        // The schema requires at least two coordinates in a line.
        Shape::LineString(positions) if positions.len() < 2 => Geometry::Point(line(positions)),
        Shape::LineString(positions) => Geometry::LineString(line(positions)),
        Shape::Polygon(rings) => {
            let all = line(rings.first().map_or(&[][..], Vec::as_slice));
            Geometry::Polygon(Polygon {
                altitude_mode: all.altitude_mode,
                outer: all.coordinates,
                inner: rings.iter().skip(1).map(|ring| coordinates(ring)).collect(),
            })
        }
        Shape::Collection(parts) => Geometry::MultiGeometry(parts.iter().map(shape).collect()),
        // Shapes that core adds later are empty until they are written here.
        _ => Geometry::MultiGeometry(Vec::new()),
    }
}

fn coordinates(positions: &[robolog_core::Position]) -> Vec<Coordinate> {
    positions
        .iter()
        .map(|position| Coordinate {
            longitude: position.longitude,
            latitude: position.latitude,
            altitude: position.altitude_msl.filter(|altitude| altitude.is_finite()),
        })
        .collect()
}
