//! Placemarks to samples, counts and splits.
//!
//! | shape | sample | channel | time |
//! |---|---|---|---|
//! | `gx:Track`, also in `gx:MultiTrack` | a fix for each position, with its arrays and angles | `track1`, counted through the document | its `when` |
//! | a `Point` with a time, without a name or description | a fix | `points` | that of its placemark, or the beginning of its span |
//! | everything else in a placemark | a feature | `placemarks` | the same, or none |
//!
//! Altitudes are above mean sea level: those of `absolute`, and those without an `altitudeMode`. Then the standard has
//! viewers ignore them, but loggers and converters write heights above sea level. Altitudes of all other modes are left
//! out, and so are those without a mode of a feature that has none but 0. Longitudes are from -180 to 180 degrees.

mod count;
mod folders;
mod links;
mod shapes;

use std::{ops::Range, sync::LazyLock};

use memchr::memmem::{self, Finder};
use robolog_core::{
    Attributes, Feature, GnssFix, Result, Severity, Timestamp, Value,
    format::{Lent, LentByName, SurveyBuilder, Wanted},
};

use robolog_xml::{
    Carried, Kind, OF_FEATURES, OF_FIXES, Rows, Stack, Wrapped, column, note_another_document,
    note_unfinished, wrapped, written_times,
};

pub use self::count::Details;
use self::{
    count::{Counts, note_fault, note_times},
    folders::Folders,
    shapes::Arrays,
};
use super::{
    AltitudeMode, Coordinate, Header, Kml, Placemark, Record, Track, When,
    about::About,
    channels::{Channels, Shape},
    layout::Name,
    record::Damage,
};

/// Options for decoding placemarks: none so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {}

/// Makes samples and counts of placemarks: see [`robolog_core::format::Decoder`].
///
/// ```
/// use robolog_kml::{Decoder, Error, Options, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = std::fs::read("examples/gx_track.kml").unwrap();
/// let reader = robolog_kml::Reader::new(&file)?;
/// let mut decoder = Decoder::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     decoder.samples(&record?, &mut sink)?;
/// }
/// decoder.last_samples(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    stack: Stack,
    end: u64,
    channels: Channels,
    /// Of tracks.
    lent: Lent,
    /// Of places.
    places: LentByName,
    counts: Counts,
    wrapped: Wrapped,
    folders: Folders,
    of_fixes: Rows,
    of_features: Rows,
    /// The tags around placemarks, and the placemarks that may contain tracks, which are counted.
    carried: Carried,
}

/// The frame of all positions.
const FRAME: &str = "wgs84";

impl robolog_core::format::Decoder for Decoder {
    type Format = Kml;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, _: Options) -> Self {
        Self {
            stack: Stack::new(&header.root),
            end: 0,
            channels: Channels::default(),
            lent: Lent::new("", FRAME),
            // Of points and of shapes.
            places: LentByName::new(2),
            counts: Counts::default(),
            wrapped: Wrapped::default(),
            folders: Folders::default(),
            of_fixes: Rows::new(column, OF_FIXES),
            of_features: Rows::new(column, OF_FEATURES),
            carried: Carried::default(),
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.counts = Counts::of(header, notes);
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        self.end = record.raw().end();
        let is_element = record.kind().element().is_some();
        if let Some(range) = out.range() {
            let has = |name: &[u8]| memmem::find(record.markup(), name).is_some();
            if !is_element || has(b"Track") {
                self.carried.push(range);
            }
            return Ok(());
        }
        if let Some(notes) = out.notes() {
            note_another_document(record, &self.stack, notes);
            self.counts.elements(record);
            self.counts.link(record, &self.stack);
        }
        if !is_element {
            return self.around(record).or_else(|error| out.fault("markup", error));
        }
        self.folders.text(record.text());
        let mut damage = Damage::default();
        let read = record.placemark_and_about(&mut |fault| match out.notes() {
            Some(notes) => note_fault(fault, notes),
            None => damage.note(fault),
        });
        let (mut placemark, about) = match (read, out.notes()) {
            (Err(error), Some(notes)) => {
                notes.damage(&error, record.offset()..self.end);
                return Ok(());
            }
            (read, _) => read?,
        };
        if let Some(notes) = out.notes() {
            let times = placemark.time.iter().flat_map(When::times);
            note_times(times, record.markup_offset(), notes);
        }
        self.place(record, &mut placemark, &about, out)?;
        self.tracks(record, &placemark, &about, out)?;
        damage.into_result()
    }

    /// Returns an error if the document has no end.
    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        if let Some(notes) = out.notes() {
            note_unfinished(&self.stack, notes.offset(), notes);
            return Ok(());
        }
        self.stack.unfinished(self.end).map_or(Ok(()), Err)
    }

    /// Splits begin with placemarks.
    fn prerequisites(&self, next: &Record<'_>) -> Option<Vec<Range<u64>>> {
        next.kind().element().and_then(|_| self.carried.ranges())
    }

    fn written_times(part: &[u8], is_last: bool, each: &mut dyn FnMut(Timestamp)) -> Option<usize> {
        static NAMES: LazyLock<[Finder<'_>; 3]> =
            LazyLock::new(|| [Name::When, Name::Begin, Name::End].map(|name| Finder::new(name.written())));
        written_times(part, &*NAMES, is_last, each)
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.wrapped.note(notes);
        if let left_out @ 1.. = self.of_fixes.left_out() + self.of_features.left_out() {
            let message =
                format_args!("{left_out} values of placemarks with more than {} are not read", Rows::MOST);
            notes.find(Severity::Warning, "values", 0, message);
        }
        self.counts.finish(notes)
    }
}

impl Decoder {
    /// Number of longitudes beyond 180 degrees so far, which were read as west of Greenwich.
    pub fn wrapped(&self) -> u64 {
        self.wrapped.count()
    }

    /// Follows a record that is no placemark, as a recovered copy has it: an end tag of an outer element ends the inner
    /// ones, and others that do not match are left out.
    fn around(&mut self, record: &Record<'_>) -> Result<()> {
        let name = record.tag().name();
        let is_closing = record.kind() == Kind::End && self.stack.is_around(name);
        if is_closing {
            self.folders.close(record.text(), self.stack.ends(Some(name)));
        }
        let outcome = self.stack.follow(record.tag(), record.markup_offset());
        if is_closing || outcome.is_ok() {
            self.folders.follow(record, !is_closing, &self.stack);
        }
        outcome
    }

    /// Delivers a placemark without its tracks.
    fn place(
        &mut self,
        record: &Record<'_>,
        placemark: &mut Placemark,
        about: &About,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let Some((channel, shape)) = placemark.place() else { return Ok(()) };
        self.see(record, shape, out);
        let value = match shape {
            Shape::Fix(place, mode) => {
                let rows = &mut self.of_fixes;
                rows.cell(b"symbol", about.symbol.clone().into());
                rows.cell(b"link", about.link.clone().into());
                about.add(rows, false, &[]);
                let measured = rows.finish().map(Box::new);
                Value::GnssFix(GnssFix { measured, ..place.to_fix(mode) })
            }
            _ => match self.feature(placemark, about) {
                Some(feature) => Value::Feature(Box::new(feature)),
                None => return Ok(()),
            },
        };
        let lent = self.places.of(channel.as_bytes(), || FRAME.into());
        lent.map_or(Ok(()), |lent| lent.deliver(placemark.begin(), record.markup_offset(), value, out))
    }

    /// Delivers the tracks of a placemark.
    fn tracks(
        &mut self,
        record: &Record<'_>,
        placemark: &Placemark,
        about: &About,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let mut channels = std::mem::take(&mut self.channels);
        let outcome = channels.tracks(placemark, &mut |channel, track| {
            self.see(record, Shape::Track(track), out);
            let attributes = self.attributes(placemark, about);
            each(
                track,
                self.lent.in_channel(&channel).with_attributes(&attributes),
                record.markup_offset(),
                out,
            )
        });
        self.channels = channels;
        outcome
    }

    /// Notes where a part of a placemark is.
    fn see(&mut self, record: &Record<'_>, part: Shape<'_>, out: &mut Wanted<'_>) {
        part.each_place(&mut |place| self.wrapped.see(place.longitude, record.markup_offset()));
        if out.notes().is_some() {
            self.counts.extend(part);
        }
    }

    /// A placemark without its tracks, whose shapes are taken.
    fn feature(&mut self, placemark: &mut Placemark, about: &About) -> Option<Feature> {
        let mut feature = Feature::new(placemark.geometry.as_mut()?.take_shape()?);
        feature.name = filled(placemark.name.as_deref());
        feature.description = filled(placemark.description.as_deref());
        feature.symbol.clone_from(&about.symbol);
        feature.link.clone_from(&about.link);
        // KML has no elements for texts of symbols and types: they are data.
        let mut taken = Vec::new();
        let slots =
            [("symbol", &mut feature.symbol), ("type", &mut feature.kind), ("link", &mut feature.link)];
        for (name, slot) in slots.into_iter().filter(|(_, slot)| slot.is_none()) {
            if let Some((at, text)) = about.datum(name).filter(|(_, text)| !text.trim().is_empty()) {
                *slot = Some(text.to_owned());
                taken.push(at);
            }
        }
        let rows = &mut self.of_features;
        rows.cell(b"folder", self.folders.path().into());
        about.add(rows, true, &taken);
        feature.properties = rows.finish();
        Some(feature)
    }

    /// What the placemark of a track says of it.
    fn attributes(&self, placemark: &Placemark, about: &About) -> Attributes {
        let mut rows = Rows::new(column, &[]);
        let mut text = |path: &[u8], text: Option<String>| rows.cell(path, text.into());
        text(b"name", filled(placemark.name.as_deref()));
        text(b"description", filled(placemark.description.as_deref()));
        text(b"symbol", about.symbol.clone());
        text(b"link", about.link.clone());
        text(b"folder", self.folders.path());
        about.add_texts(&mut rows);
        rows.attributes()
    }
}

/// A text that is not blank.
fn filled(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Delivers the positions of a track.
fn each(track: &Track, lent: &mut Lent, offset: u64, out: &mut Wanted<'_>) -> Result<()> {
    let arrays = Arrays::read(track, OF_FIXES);
    if let Some(notes) = out.notes() {
        Counts::track(lent.channel(), track, offset, notes);
        if !arrays.fields.is_empty() {
            notes.columns(lent.channel(), &arrays.fields);
        }
        notes.attributes(lent.channel(), lent.attributes());
        return Ok(());
    }
    for (at, time, place) in track.places_and_times() {
        let mut fix = place.to_fix(track.altitude_mode);
        arrays.measure(at, &mut fix);
        lent.deliver(time, offset, Value::GnssFix(fix), out)?;
    }
    Ok(())
}

impl Coordinate {
    /// Converts to a fix with a longitude from -180 to 180 degrees; keeps the altitude if it is above mean sea level,
    /// as that without a mode is by custom.
    pub fn to_fix(&self, mode: Option<AltitudeMode>) -> GnssFix {
        GnssFix {
            latitude: self.latitude,
            longitude: wrapped(self.longitude),
            altitude_msl: self.altitude.filter(|_| matches!(mode, None | Some(AltitudeMode::Absolute))),
            ..GnssFix::default()
        }
    }
}

impl From<&GnssFix> for Coordinate {
    fn from(fix: &GnssFix) -> Self {
        let altitude = fix.altitude_msl.or(fix.altitude);
        Self { longitude: fix.longitude, latitude: fix.latitude, altitude }
    }
}
