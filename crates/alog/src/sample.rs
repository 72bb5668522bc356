//! Entries to samples.
//!
//! Every variable is a channel: numbers as they are, everything else as text, and these as what they are:
//!
//! | variable | value | frame | beside it |
//! |---|---|---|---|
//! | `ODOMETRY_POSE`, `RAW_ODOMETRY_POSE` | odometry | `map` | `NAME/fields`: `Vel`, `Raw`, speed, angles and rates as a row |
//! | `LMS_LASER_2D_LEFT`, `LMS_LASER_2D_RIGHT` | laser scan | `laser/left`, `laser/right` | `NAME/fields`: `ID`, `scanCount` and angles as a row |
//! | `CAMERA_FILE_WRITE` | row | | with [`Options::pictures`], `NAME/ladybug/0` and so on: the pictures that it names, by camera |
//! | any with a `$..GGA` sentence, such as `GPS_RAW` | text | | `NAME/gnss_fix`: the fix, in the antenna's frame `gps` |
//! | `GPS`, `VEHICLE_GEOMETRY`, `IJOYSTICK_STATUS`, `IPLATFORM_STATUS`, `NODE_REPORT*` | row: a field for each key | | |
//!
//! Beside them, `NODE_REPORT/odometry` and `NODE_REPORT/fix`, and `NAV/odometry` and `NAV/fix`, which join the `NAV_`
//! variables of one moment; and `tf_static`, where the scanners of New College sit in `base_link`, before the first scan
//! of each. Metres, radians, x east and y north there, x ahead for the body.
//!
//! A sample has the unix time inside its value where there is one within an hour of its column's time, and else that of
//! its column; all have seconds of the log where the log does not say what those count from.

mod frame;
mod ivp;
mod known;
mod message;
mod new_college;
mod nmea;
mod pictures;
mod seek;
mod split;

use std::{collections::HashMap, sync::Arc};

use robolog_core::{
    ChannelNames, Columns as _, Error, Field, Result, Row, Sample, Timestamp, Value as SampleValue,
};

pub use self::ivp::NodeReport;
pub(crate) use self::{
    frame::Side,
    ivp::{Joined, Nav},
    known::Known,
    message::{Message, has_fields},
    seek::FirstEntries,
    split::Entries,
};
use self::{
    frame::{BODY, Frame, Frames},
    pictures::Pictures,
};
use crate::{Alog, Header, Kind, RawText, Record};

/// Which time samples get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TimeFrom {
    /// The unix time behind `time=` inside the value where there is one within an hour of the column's, and else
    /// the column.
    #[default]
    Embedded,
    /// The column.
    Column,
    /// The column, in seconds since the log began, whatever LOGSTART says.
    Relative,
    /// As [`Embedded`](Self::Embedded), in seconds since the log began by the mission's own clock, which a time warp makes
    /// faster than one on a wall: see [`Header::set_times`].
    Mission,
}

impl TimeFrom {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Embedded, Self::Column, Self::Relative, Self::Mission];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Column => "column",
            Self::Relative => "relative",
            Self::Mission => "mission",
        }
    }

    /// Whether a time inside a value counts.
    pub(crate) const fn is_embedded(self) -> bool {
        matches!(self, Self::Embedded | Self::Mission)
    }

    /// Whether times count on the mission's own clock.
    pub const fn is_of_mission(self) -> bool {
        matches!(self, Self::Relative | Self::Mission)
    }
}

robolog_core::names!(TimeFrom, "time of samples");

/// What can be chosen when entries become samples.
///
/// ```
/// use alog::{Options, TimeFrom};
/// let mut options = Options::default();
/// options.time = TimeFrom::Relative;
/// let first = alog::open("examples/moosivp.alog")?.samples_with(options).next();
/// let time = first.expect("there is one")?.time.expect("it has a time");
/// assert_eq!(time.clock(), alog::Clock::Relative);
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which time samples get.
    pub time: TimeFrom,
    /// How much faster than real time the community ran; guessed from the log where it is not given.
    pub warp: Option<crate::Warp>,
    /// Reads the pictures that entries of `CAMERA_FILE_WRITE` name, each when its entry comes, from the folder that the log
    /// lies in or below it: where they lay when the log was written does not count, and nothing outside of the folder is
    /// read. One that is not there is damage of its entry. One record's limit bounds each.
    pub pictures: bool,
}

/// Makes samples of entries: see [`robolog_core::Sampling`].
///
/// ```
/// use alog::{Error, Options, Sampler, robolog_core::{Sample, Sampling}};
///
/// # let file = std::fs::read("examples/moosivp.alog").unwrap();
/// let reader = alog::Reader::new(&file)?;
/// let mut sampler = Sampler::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     sampler.push(&record?, &mut sink)?;
/// }
/// sampler.finish(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    header: Header,
    channels: ChannelNames,
    rows: HashMap<Vec<u8>, Arc<[Field]>>,
    nav: Nav,
    frames: Frames,
    mounted: Mounted,
    pictures: Option<Pictures>,
    /// Whether the entries of a variable can be left out.
    unwanted: HashMap<Vec<u8>, bool>,
}

/// Scanners whose mounting was already delivered.
#[derive(Debug, Default)]
pub(crate) struct Mounted(Vec<Side>);

impl Mounted {
    pub(crate) fn has(&self, side: Side) -> bool {
        self.0.contains(&side)
    }

    /// Whether it is the first time that this is asked.
    pub(crate) fn is_new(&mut self, side: Side) -> bool {
        let is_new = !self.0.contains(&side);
        if is_new {
            self.0.push(side);
        }
        is_new
    }
}

/// Where the scanners of New College sit.
pub(crate) const MOUNTS: &[u8] = b"tf_static";

/// What reports say, and what is joined of the `NAV_` variables.
pub(crate) const REPORT_ODOMETRY: &[u8] = b"NODE_REPORT/odometry";
pub(crate) const REPORT_FIX: &[u8] = b"NODE_REPORT/fix";
pub(crate) const NAV_ODOMETRY: &[u8] = b"NAV/odometry";
pub(crate) const NAV_FIX: &[u8] = b"NAV/fix";

/// At most this many channels are remembered by name.
const CHANNELS: usize = 1 << 16;

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

impl robolog_core::Sampling for Sampler {
    type Format = Alog;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = header.clone();
        if let Some(warp) = options.warp {
            header.set_warp(warp);
        }
        if options.time != TimeFrom::default() {
            header.set_times(options.time);
        }
        Self {
            channels: ChannelNames::new(CHANNELS),
            rows: HashMap::new(),
            nav: Nav::default(),
            frames: Frames::default(),
            mounted: Mounted::default(),
            pictures: options.pictures.then(|| Pictures::new(header.folder(), header.limits.record)),
            unwanted: HashMap::new(),
            header,
        }
    }

    fn push<E: From<Error>>(&mut self, record: &Record<'_>, sink: Sink<'_, E>) -> Result<(), E> {
        let torn = record.torn();
        if record.kind() != Kind::Entry {
            return torn.map_or(Ok(()), |error| Err(error.into()));
        }
        let (name, value, offset) = (record.name().bytes(), record.value(), record.offset());
        let number = value.number();
        let seconds =
            record.seconds().map(|s| if number.is_some() { s } else { self.header.seconds(s, value) });
        let at = At { time: seconds.and_then(|seconds| self.header.time(seconds)), offset };
        match number {
            Some(number) => {
                self.deliver(name, Frame::Map, SampleValue::Scalar(number), at, sink)?;
                self.nav(record, number, at.time, sink)?;
            }
            None => self.value(name, value, at, sink)?,
        }
        torn.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Without the pictures of the entry.
    fn push_unwanted<E: From<Error>>(&mut self, record: &Record<'_>, sink: Sink<'_, E>) -> Result<(), E> {
        let pictures = self.pictures.take();
        let outcome = self.push(record, sink);
        self.pictures = pictures;
        outcome
    }

    /// Judged once for each variable. The last record of a torn log is never left out.
    fn is_unwanted(&mut self, record: &Record<'_>, wants: &dyn Fn(&str) -> bool) -> bool {
        if record.kind() != Kind::Entry || record.torn().is_some() {
            return false;
        }
        let name = record.name().bytes();
        if let Some(is_unwanted) = self.unwanted.get(name) {
            return *is_unwanted;
        }
        let mut wants = |channel: &[u8]| wants(&self.channels.share(channel));
        let is_unwanted = !known::may_make(name, self.pictures.is_some(), &mut wants);
        if self.unwanted.len() < CHANNELS {
            self.unwanted.insert(name.to_vec(), is_unwanted);
        }
        is_unwanted
    }

    fn pass(&mut self, record: &Record<'_>) -> Result<()> {
        self.push_unwanted(record, &mut |_| Ok(()))
    }

    fn finish<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let joined = self.nav.finish();
        self.joined(joined, sink)
    }
}

/// Where an entry lies, and when it was made.
#[derive(Debug, Clone, Copy)]
struct At {
    time: Option<Timestamp>,
    offset: u64,
}

impl Sampler {
    /// What is no number: see [`known::Holds`], which the survey counts by.
    fn value<E: From<Error>>(
        &mut self,
        name: &[u8],
        value: RawText<'_>,
        at: At,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let known = Known::of(name);
        match known {
            Known::Odometry => {
                if let Some(odometry) = new_college::odometry(value) {
                    self.deliver(name, Frame::Map, SampleValue::Odometry(odometry), at, sink)?;
                    return self.fields(name, new_college::OdometryFields::of(value).into_row(), at, sink);
                }
            }
            Known::Scan(side) => {
                if let Some(scan) = new_college::laser(value) {
                    self.mount(side, at, sink)?;
                    self.deliver(name, Frame::Laser(side), SampleValue::LaserScan(scan), at, sink)?;
                    return self.fields(name, new_college::LaserFields::of(value).into_row(), at, sink);
                }
            }
            Known::Row | Known::Report => {
                if known == Known::Report {
                    self.report(value, at, sink)?;
                }
                if let Some(row) = self.row(name, value) {
                    self.deliver(name, Frame::Map, row, at, sink)?;
                    return if name == known::CAMERA { self.pictures(value, at, sink) } else { Ok(()) };
                }
            }
            Known::Text => {}
        }
        let text = String::from_utf8_lossy(value.bytes()).into_owned();
        self.deliver(name, Frame::Map, SampleValue::Text(text), at, sink)?;
        let may_be_fix = known == Known::Text && nmea::may_be_sentence(value);
        match may_be_fix.then(|| nmea::gga(value)).flatten() {
            Some(fix) => {
                let channel = [name, known::FIX].concat();
                self.deliver(&channel, Frame::Antenna, SampleValue::GnssFix(fix), at, sink)
            }
            None => Ok(()),
        }
    }

    /// What a message says beside its main value.
    fn fields<E: From<Error>>(&mut self, name: &[u8], row: Row, at: At, sink: Sink<'_, E>) -> Result<(), E> {
        let channel = [name, known::FIELDS].concat();
        self.deliver(&channel, Frame::None, SampleValue::Row(row), at, sink)
    }

    /// Where a scanner sits, before its first scan: that holds all the time.
    fn mount<E: From<Error>>(&mut self, side: Side, at: At, sink: Sink<'_, E>) -> Result<(), E> {
        if !self.mounted.is_new(side) {
            return Ok(());
        }
        let at = At { time: None, ..at };
        self.deliver(MOUNTS, Frame::Body(BODY), SampleValue::Transform(side.mount()), at, sink)
    }

    /// Where a vehicle says that it is.
    fn report<E: From<Error>>(&mut self, value: RawText<'_>, at: At, sink: Sink<'_, E>) -> Result<(), E> {
        let report = NodeReport::parse(value);
        if let Some(odometry) = report.odometry() {
            self.deliver(REPORT_ODOMETRY, Frame::Map, SampleValue::Odometry(odometry), at, sink)?;
        }
        if let Some(fix) = report.fix() {
            let frame = Frame::Body(report.frame_id());
            self.deliver(REPORT_FIX, frame, SampleValue::GnssFix(fix), at, sink)?;
        }
        Ok(())
    }

    /// The pictures that an entry names, where they are wanted.
    fn pictures<E: From<Error>>(&mut self, value: RawText<'_>, at: At, sink: Sink<'_, E>) -> Result<(), E> {
        let Some(mut pictures) = self.pictures.take() else { return Ok(()) };
        let outcome = pictures.read(value, at.offset, &mut |camera, image| {
            let channel = [known::CAMERA, b"/", camera.as_bytes()].concat();
            self.deliver(&channel, Frame::Body(camera), SampleValue::Image(image), at, sink)
        });
        self.pictures = Some(pictures);
        outcome
    }

    /// A field for each key.
    fn row(&mut self, name: &[u8], value: RawText<'_>) -> Option<SampleValue> {
        let message = Message::parse(value)?;
        let fields = self.rows.get(name).filter(|fields| message.has(fields)).cloned();
        let fields = fields.unwrap_or_else(|| message.fields());
        if self.rows.len() < CHANNELS {
            self.rows.insert(name.to_vec(), fields.clone());
        }
        Some(SampleValue::Row(Row::new(fields, message.into_cells().collect())))
    }

    /// The moment that a number of a `NAV_` variable ends.
    fn nav<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        number: f64,
        time: Option<Timestamp>,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let Some((place, seconds)) = Nav::place(&record.name()).zip(record.seconds()) else { return Ok(()) };
        let joined = self.nav.push(place, seconds, number, (time, record.offset()));
        self.joined(joined, sink)
    }

    fn joined<E: From<Error>>(&mut self, joined: Option<Joined>, sink: Sink<'_, E>) -> Result<(), E> {
        let Some(joined) = joined else { return Ok(()) };
        let at = At { time: joined.time, offset: joined.offset };
        if let Some(odometry) = joined.odometry() {
            self.deliver(NAV_ODOMETRY, Frame::Map, SampleValue::Odometry(odometry), at, sink)?;
        }
        if let Some(fix) = joined.fix() {
            self.deliver(NAV_FIX, Frame::Body(BODY), SampleValue::GnssFix(fix), at, sink)?;
        }
        Ok(())
    }

    fn deliver<E: From<Error>>(
        &mut self,
        channel: &[u8],
        frame: Frame<'_>,
        value: SampleValue,
        At { time, offset }: At,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let (channel, frame_id) = (self.channels.share(channel), self.frames.name(frame));
        sink(&mut Sample { time, offset, channel, frame_id, value })
    }
}
