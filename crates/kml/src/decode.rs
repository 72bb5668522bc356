//! Points, lines and tracks to samples, counts and splits.
//!
//! | shape | channel | time |
//! |---|---|---|
//! | `Point` | `points` | that of its placemark, or the beginning of its span |
//! | coordinates of a `LineString` | `linestring1`, counted through the document | none |
//! | `gx:Track`, also in `gx:MultiTrack` | `track1`, counted through the document | its `when` |
//!
//! Altitudes are above mean sea level: those of `absolute`, and those without an `altitudeMode`. Then the standard has
//! viewers ignore them, but loggers and converters write heights above sea level. Altitudes of all other modes are left
//! out. Longitudes are from -180 to 180 degrees. Rings and polygons are areas: they make no samples.

mod count;
mod links;

use std::{ops::Range, sync::Arc};

use memchr::memmem;
use robolog_core::{GnssFix, Result, Sample, SurveyBuilder, Timestamp, Value, Wanted};

use robolog_xml::{Carried, Stack, Wrapped, note_another_document, note_unfinished, wrapped};

pub use self::count::Details;
use self::count::{Counts, note_fault};
use super::{
    AltitudeMode, Coordinate, Header, Kml, Record,
    channels::{Channels, Shape},
    record::Damage,
};

/// Options for decoding placemarks: none so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {}

/// Makes samples and counts of placemarks: see [`robolog_core::Decoder`].
///
/// ```
/// use robolog_kml::{Decoder, Error, Options, robolog_core::{Sample, Decoder as _}};
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
    frame_id: Arc<str>,
    counts: Counts,
    wrapped: Wrapped,
    /// The tags around placemarks, and the placemarks that may contain lines or tracks, which are counted.
    carried: Carried,
}

impl robolog_core::Decoder for Decoder {
    type Format = Kml;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, _: Options) -> Self {
        Self {
            stack: Stack::new(&header.root),
            end: 0,
            channels: Channels::default(),
            frame_id: "wgs84".into(),
            counts: Counts::default(),
            wrapped: Wrapped::default(),
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
            if !is_element || has(b"LineString") || has(b"Track") {
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
            let outcome = self.stack.follow(record.tag(), record.markup_offset());
            return outcome.or_else(|error| out.fault("markup", error));
        }
        let mut damage = Damage::default();
        let placemark = record.placemark_with(&mut |fault| match out.notes() {
            Some(notes) => note_fault(fault, notes),
            None => damage.note(fault),
        });
        let placemark = match (placemark, out.notes()) {
            (Err(error), Some(notes)) => {
                notes.damage(&error, record.offset()..self.end);
                return Ok(());
            }
            (placemark, _) => placemark?,
        };
        let Self { channels, counts, wrapped, frame_id, .. } = self;
        channels.visit(&placemark, &mut |channel, time, part| {
            if let Some(notes) = out.notes() {
                counts.part(&channel, time, part, notes);
                part.each_place(&mut |place| wrapped.see(place.longitude, record.markup_offset()));
                return Ok(());
            }
            let mut deliver = |time: Option<Timestamp>, place: Coordinate, mode| {
                wrapped.see(place.longitude, record.markup_offset());
                out.sample(&mut Sample {
                    attributes: robolog_core::Attributes::default(),
                    time,
                    offset: record.markup_offset(),
                    channel: Arc::clone(&channel),
                    frame_id: Arc::clone(frame_id),
                    value: Value::GnssFix(place.to_fix(mode)),
                })
            };
            match part {
                Shape::Point(place, mode) => deliver(time, place, mode),
                Shape::Line(places, mode) => places.iter().try_for_each(|place| deliver(None, *place, mode)),
                Shape::Track(track) => {
                    track.points().try_for_each(|(time, place)| deliver(time, place, track.altitude_mode))
                }
            }
        })?;
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

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.wrapped.note(notes);
        self.counts.finish(notes)
    }
}

impl Decoder {
    /// Number of longitudes beyond 180 degrees so far, which were read as west of Greenwich.
    pub fn wrapped(&self) -> u64 {
        self.wrapped.count()
    }
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
