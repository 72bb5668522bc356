//! Points to samples, counts and splits.
//!
//! A point of a track is a [`GnssFix`] of the channel `track1/segment1`, counted through the document; of `track1` outside
//! of a segment. So is a point of a route that has a time, of the channel `route1`. The others are features: waypoints, the
//! line of a route, and its named points. Speed in metres per second, course in radians.

mod count;
mod further;
mod head;
mod route;

use std::{ops::Range, sync::LazyLock};

use memchr::memmem::Finder;
use robolog_core::{
    Attributes, FixQuality, GnssFix, Result, Severity, Timestamp, Value,
    format::{Lent, SurveyBuilder, Wanted},
    slices::Part as _,
};

use robolog_xml::{
    Carried, Kind, Rows, Wrapped, note_another_document, note_unfinished, variant, wrapped, written_times,
};

pub use self::count::Details;
use self::{
    further::Further,
    head::Heads,
    route::{Line, Lines},
};
use super::{Fix, Gpx, Header, PointKind, Position, Record, context::Context};

/// Reference of `ele`, which the schema does not define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Elevation {
    /// Mean sea level, as is customary. With `geoidheight`, the height above the ellipsoid is known too.
    #[default]
    SeaLevel,
    /// The ellipsoid of WGS 84, as the logger of the Institut Pascal data set writes it.
    Ellipsoid,
}

impl Elevation {
    /// All values.
    pub const ALL: [Self; 2] = [Self::SeaLevel, Self::Ellipsoid];

    /// Name of the option's value.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeaLevel => "sea-level",
            Self::Ellipsoid => "ellipsoid",
        }
    }
}

robolog_core::names!(Elevation, "zero of elevations");

/// Options for decoding points.
///
/// ```
/// use robolog_gpx::{Elevation, Options, robolog_core::Value};
/// let mut options = Options::default();
/// options.elevation = Elevation::Ellipsoid;
/// for sample in robolog_gpx::open("examples/drive.gpx")?.samples_with(options) {
///     let Value::GnssFix(fix) = sample?.value else { continue };
///     assert!(fix.altitude.is_some());
/// }
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Reference of `ele`.
    pub elevation: Elevation,
}

/// Makes samples and counts of points: see [`robolog_core::format::Decoder`].
///
/// ```
/// use robolog_gpx::{Decoder, Error, Options, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = std::fs::read("examples/drive.gpx").unwrap();
/// let reader = robolog_gpx::Reader::new(&file)?;
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
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    context: Context,
    options: Options,
    lent: Lent,
    has_root: bool,
    end: u64,
    details: Details,
    wrapped: Wrapped,
    heads: Heads,
    further: Further,
    line: Option<Line>,
    lines: Lines,
    /// The tags around points, and the first point of each run of a channel, by which channels are counted.
    carried: Carried,
}

impl robolog_core::format::Decoder for Decoder {
    type Format = Gpx;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        Self {
            context: Context::new(header),
            options,
            lent: Lent::new("", "wgs84"),
            has_root: header.root.tag().is_some(),
            end: 0,
            details: Details::default(),
            wrapped: Wrapped::default(),
            heads: Heads::new(header),
            further: Further::default(),
            line: None,
            lines: Lines::default(),
            carried: Carried::default(),
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.details = Details::of(header, notes);
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        self.end = record.raw().end();
        if let Some(range) = out.range() {
            self.keep(record, range);
            return Ok(());
        }
        if let Some(notes) = out.notes() {
            note_another_document(record, self.context.open(), notes);
            self.details.count(record);
        }
        let stray = self.context.stray_text(record);
        let has_text = stray.is_none();
        let stray = stray.map_or(Ok(()), |error| out.fault("markup", error));
        let outcome = match record.point() {
            Some(point) => {
                if has_text {
                    self.heads.text(record.text());
                }
                self.context.push(record)?;
                self.point(point, record, out)
            }
            None => self.around(record, has_text, out),
        };
        outcome.and(stray)
    }

    /// Returns an error if the document has no root element or no end.
    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let ends = self.context.open().ends(None);
        self.heads.close(b"", ends.map(|(end, depth)| ([b"\n", &end[..]].concat(), depth)));
        self.end_line(out)?;
        if let Some(notes) = out.notes() {
            note_unfinished(self.context.open(), notes.offset(), notes);
            return Ok(());
        }
        if !self.has_root {
            return Err(Header::no_root());
        }
        self.context.open().unfinished(self.end).map_or(Ok(()), Err)
    }

    /// Splits begin with points, but not within the line of a route.
    fn prerequisites(&self, next: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let is_between = next.point().is_some() && !self.lines.is_in(self.context.route());
        is_between.then(|| self.carried.ranges()).flatten()
    }

    fn written_times(part: &[u8], is_last: bool, each: &mut dyn FnMut(Timestamp)) -> Option<usize> {
        static NAMES: LazyLock<[Finder<'_>; 1]> = LazyLock::new(|| ["time"].map(Finder::new));
        written_times(part, &*NAMES, is_last, each)
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.wrapped.note(notes);
        if let left_out @ 1.. = self.further.left_out() {
            let message =
                format_args!("{left_out} values of points with more than {} are not read", Rows::MOST);
            notes.find(Severity::Warning, "values", 0, message);
        }
        (variant("GPX", self.details.version.as_deref()), self.details)
    }
}

impl Decoder {
    /// Number of longitudes beyond 180 degrees so far, which were read as west of Greenwich.
    pub fn wrapped(&self) -> u64 {
        self.wrapped.count()
    }

    fn point(&mut self, point: PointKind, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let outcome = match out.notes() {
            Some(notes) => self.details.position(record, self.context.in_track().1, notes),
            None => record.read_with(&mut |_| {}),
        };
        let (position, more) = match outcome {
            Ok(read) => read,
            Err(error) => return out.fault("position", error),
        };
        let offset = record.markup_offset();
        self.wrapped.see(position.longitude, offset);
        let place = || (more.and_then(|more| record.markup().get(more..)), record.tag().prefix());
        self.lent.in_channel(self.context.channel(point, position.time.is_some()));
        if point == PointKind::Waypoint {
            let feature = self.place(place(), &position);
            let lent = self.lent.with_attributes(&Attributes::default());
            return lent.deliver(position.time, offset, Value::Feature(Box::new(feature)), out);
        }
        if self.context.is_planned(point, position.time.is_some()) {
            self.lines.see(self.context.route().unwrap_or_default());
            return self.plan(offset, place(), &position, out);
        }
        let mut fix = position.to_fix(self.options.elevation);
        let is_height_unknown = position.elevation.is_none() && position.geoid_height.is_some();
        if more.is_some() || position.magnetic_variation.is_some() || is_height_unknown {
            self.further.measure(place(), &position, &mut fix);
        }
        let is_in_head = match point {
            PointKind::TrackPoint => self.context.in_track().0,
            _ => self.context.in_route(),
        };
        let none = Attributes::default();
        let attributes = if is_in_head { self.heads.attributes() } else { &none };
        self.lent.with_attributes(attributes).deliver(position.time, offset, Value::GnssFix(fix), out)
    }

    /// Follows a record that is not a point, as a recovered copy has it: an end tag of an outer element ends the inner
    /// ones, and others that do not match are left out.
    fn around(&mut self, record: &Record<'_>, has_text: bool, out: &mut Wanted<'_>) -> Result<()> {
        let open = self.context.open();
        let (before, name) = (open.depth(), record.tag().name());
        let mut bytes = if has_text { record.bytes() } else { record.markup() };
        let is_closing = record.kind() == Kind::End && open.is_around(name);
        if is_closing {
            let text = bytes.part(..bytes.len() - record.markup().len());
            self.heads.close(text, open.ends(Some(name)));
            bytes = record.markup();
        }
        if let Err(error) = self.context.push(record) {
            let outcome = out.fault("markup", error);
            if !is_closing {
                return outcome;
            }
            self.inside(record, bytes, before, out)?;
            return outcome;
        }
        self.inside(record, bytes, before, out)
    }

    /// Follows a record that a copy has, without the text before it if the copy lacks that.
    fn inside(
        &mut self,
        record: &Record<'_>,
        bytes: &[u8],
        before: usize,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        if self.line.is_some() && !self.lines.is_in(self.context.route()) {
            self.end_line(out)?;
        }
        let (in_track, in_segment) = self.context.in_track();
        let is_inside = !in_segment && (in_track || self.context.in_route());
        self.heads.follow(record, bytes, before, self.context.open(), is_inside);
        Ok(())
    }

    /// Follows a record, and keeps its range if another decoder needs it.
    fn keep(&mut self, record: &Record<'_>, range: Range<u64>) {
        // Its faults are reported where its samples are made.
        drop(self.context.push(record));
        if let Some(point) = record.point() {
            let is_route = point == PointKind::RoutePoint;
            let has_time = is_route && record.moment().is_ok_and(|time| time.is_some());
            if self.context.is_in_channel_of(point, has_time) || record.moment().is_err() {
                return;
            }
            self.context.channel(point, has_time);
            if self.context.is_planned(point, has_time) {
                self.lines.see(self.context.route().unwrap_or_default());
            }
        }
        self.carried.push(range);
    }
}

impl Position {
    /// Converts to a fix: longitude from -180 to 180 degrees, speed in metres per second, course in radians.
    pub fn to_fix(&self, elevation: Elevation) -> GnssFix {
        let (height, geoid) = (self.elevation, self.geoid_height);
        let (altitude, altitude_msl) = match elevation {
            Elevation::SeaLevel => (height.zip(geoid).map(|(sea, geoid)| sea + geoid), height),
            Elevation::Ellipsoid => (height, height.zip(geoid).map(|(height, geoid)| height - geoid)),
        };
        GnssFix {
            latitude: self.latitude,
            longitude: wrapped(self.longitude),
            altitude,
            altitude_msl,
            quality: self.fix.map_or(FixQuality::Unknown, Fix::quality),
            satellites: self.satellites,
            hdop: self.hdop,
            vdop: self.vdop,
            pdop: self.pdop,
            speed: self.speed,
            course: self.course.map(f64::to_radians),
            // Some loggers write -1 for no corrections.
            age_of_corrections_s: self.age_of_dgps_data.filter(|age| *age >= 0.0),
            station_id: self.dgps_id,
            ..GnssFix::default()
        }
    }
}
