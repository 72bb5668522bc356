//! Entries to samples, counts and splits.
//!
//! Every variable is a channel: numbers as scalars, everything else as text, except these:
//!
//! | variable | value | frame | beside it |
//! |---|---|---|---|
//! | `ODOMETRY_POSE`, `RAW_ODOMETRY_POSE` | odometry | `map` | `NAME/fields`: `Vel`, `Raw`, speed, angles and rates as a row |
//! | `LMS_LASER_2D_LEFT`, `LMS_LASER_2D_RIGHT` | laser scan | `laser/left`, `laser/right` | `NAME/fields`: `ID`, `scanCount` and angles as a row |
//! | `CAMERA_FILE_WRITE` | row | | with [`Options::pictures`], `NAME/ladybug/0` and so on: the named pictures, by camera |
//! | any with a `$..GGA` sentence, such as `GPS_RAW` | text | | `NAME/gnss_fix`: the fix, in the antenna's frame `gps` |
//! | `GPS`, `VEHICLE_GEOMETRY`, `IJOYSTICK_STATUS`, `IPLATFORM_STATUS`, `NODE_REPORT*` | row: a field for each key | | |
//!
//! Further channels are `NODE_REPORT/odometry` and `NODE_REPORT/fix`; `NAV/odometry` and `NAV/fix`, which join the
//! `NAV_` variables of the same time; and `tf_static`, the mounting of New College's scanners in `base_link`, before
//! the first scan of each. Units are metres and radians; x is east and y north in `map`, x ahead in the body.
//!
//! A latitude and longitude of exactly 0 mean an unknown position and make no fix. [`Details::extent`] is the bounding
//! box of all fixes, including other vehicles; a log with local positions only has none.
//!
//! A row of a synchronous log is a scalar for each column with news, on the channel of the column's name.
//!
//! A sample has the Unix time inside its value if that is within an hour of the column's time, otherwise the column's
//! time. Without LOGSTART, times are seconds of the log.

mod carry;
mod count;
mod frame;
mod ivp;
mod known;
mod message;
mod new_college;
mod nmea;
mod options;
mod pictures;
mod rows;
mod tally;

use std::{collections::HashMap, ops::Range, sync::Arc};

use robolog_core::{
    Attributes, Columns as _, Field, Result, Row, Timestamp, Value,
    format::{LentByName, ReorderBound, SurveyBuilder, Wanted},
};

use self::{
    carry::Carried,
    count::Counts,
    frame::{BODY, Frame, Frames, Side},
    ivp::{Joined, Nav},
    known::Known,
    message::Message,
    pictures::Pictures,
};
pub use self::{
    count::{Details, Variable},
    ivp::NodeReport,
    options::{Options, TimeFrom},
};
use crate::{Alog, Header, Kind, RawText, Record, Seconds};

/// Makes samples and counts of entries: see [`robolog_core::format::Decoder`].
///
/// ```
/// use alog::{Decoder, Error, Options, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = std::fs::read("examples/moosivp.alog").unwrap();
/// let reader = alog::Reader::new(&file)?;
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
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    header: Header,
    lent: LentByName,
    rows: HashMap<Vec<u8>, Arc<[Field]>>,
    nav: Nav,
    frames: Frames,
    /// Scanners whose mounting is delivered.
    mounted: Vec<Side>,
    pictures: Option<Pictures>,
    /// Whether the entries of a variable can be skipped.
    unwanted: HashMap<Vec<u8>, bool>,
    counts: Counts,
    carried: Carried,
    /// Of all channels: the vehicle.
    attributes: Attributes,
}

/// Channel of the mounting of New College's scanners.
const MOUNTS: &[u8] = b"tf_static";

/// Channels of reports, and of the joined `NAV_` variables.
const REPORT_ODOMETRY: &[u8] = b"NODE_REPORT/odometry";
const REPORT_FIX: &[u8] = b"NODE_REPORT/fix";
const NAV_ODOMETRY: &[u8] = b"NAV/odometry";
const NAV_FIX: &[u8] = b"NAV/fix";

/// Maximum number of channels whose samples are kept, 400 bytes each.
const LENT: usize = 1 << 14;
/// Maximum number of channels kept by name.
const CHANNELS: usize = 1 << 16;
/// Applications stamp entries, so these are slightly out of order; a time inside a value is within an hour of its
/// column's.
const ORDER: ReorderBound = ReorderBound { order: 60 * SECOND, reach: 3600 * SECOND };
const SECOND: i64 = 1_000_000_000;

impl robolog_core::format::Decoder for Decoder {
    type Format = Alog;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = header.clone();
        if let Some(warp) = options.warp {
            header.set_warp(warp);
        }
        if options.time != TimeFrom::default() {
            header.set_times(options.time);
        }
        Self {
            lent: LentByName::new(LENT),
            rows: HashMap::new(),
            nav: Nav::default(),
            frames: Frames::default(),
            mounted: Vec::new(),
            pictures: options.pictures.then(|| Pictures::new(header.folder(), header.limits.record)),
            unwanted: HashMap::new(),
            counts: Counts::new(&header),
            carried: Carried::new(&options),
            attributes: header.vehicle().map(|name| ("vehicle", name.to_owned())).into_iter().collect(),
            header,
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        count::begin(header, notes);
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if let Some(range) = out.range() {
            self.carry_to(record, range);
            return Ok(());
        }
        if let Some(notes) = out.notes() {
            self.counts.lines(record, notes);
        }
        match record.kind() {
            Kind::Entry => self.entry(record, out)?,
            Kind::Row => self.table_row(record, out)?,
            Kind::Comment => {}
        }
        record.torn().map_or(Ok(()), Err)
    }

    /// Decided once per variable. The last record of a torn log is never skipped.
    fn is_unwanted(&mut self, record: &Record<'_>, wants: &dyn Fn(&str) -> bool) -> bool {
        if record.kind() != Kind::Entry || record.torn().is_some() {
            return false;
        }
        let name = record.name().bytes();
        if let Some(is_unwanted) = self.unwanted.get(name) {
            return *is_unwanted;
        }
        let mut wants = |channel: &[u8]| wants(&String::from_utf8_lossy(channel));
        let is_unwanted = !known::may_make(name, self.pictures.is_some(), &mut wants);
        if self.unwanted.len() < CHANNELS {
            self.unwanted.insert(name.to_vec(), is_unwanted);
        }
        is_unwanted
    }

    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let joined = self.nav.finish();
        self.joined(joined, out)
    }

    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        self.carried.ranges(&self.nav)
    }

    /// `None` with scanners, whose mounts come before their first scans.
    fn reorder_bound(&self) -> Option<ReorderBound> {
        self.carried.has_order().then_some(ORDER)
    }

    /// Values may contain earlier times.
    fn knows_start(&self) -> bool {
        false
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        let variant = match self.header.lines {
            0 => "MOOS log without a header",
            _ if self.header.is_table() => "MOOS synchronous log",
            _ => "MOOS log",
        };
        (variant.to_owned(), self.counts.finish(&self.attributes, notes))
    }
}

/// Offset and time of an entry.
#[derive(Debug, Clone, Copy)]
struct At {
    time: Option<Timestamp>,
    offset: u64,
}

impl Decoder {
    /// Delivers or counts the samples of an entry.
    fn entry(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let (name, value, offset) = (record.name().bytes(), record.value(), record.offset());
        let number = value.number();
        let column = record.seconds();
        let seconds = column.map(|s| if number.is_some() { s } else { self.header.seconds(s, value) });
        let at = At { time: seconds.and_then(|seconds| self.header.time(seconds)), offset };
        if let Some(notes) = out.notes() {
            // Samples of variables are counted, not made.
            match self.counts.entry(record, (value, number), (column, seconds), at, notes) {
                Some(Known::Scan(side)) => self.mount(side, at, out)?,
                Some(Known::Report) => self.report(value, at, out)?,
                _ => {}
            }
        } else if out.time(at.time) {
            // The joined variables have times of their entries.
            return Ok(());
        } else if let Some(number) = number {
            self.deliver(name, Frame::Map, Value::Scalar(number), at, out)?;
        } else {
            self.value(name, value, at, out)?;
        }
        number.map_or(Ok(()), |number| self.navigate(name, column, number, at, out))
    }

    /// Delivers or counts the numbers of a synchronous log's row: a sample for each column with news.
    fn table_row(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let column = record.seconds();
        let time = column.and_then(|seconds| self.header.time(seconds));
        let at = At { time, offset: record.offset() };
        if let Some(notes) = out.notes() {
            self.counts.order(column, at.offset, notes);
        }
        let columns = self.header.listed();
        for (name, number) in columns.names().zip(record.numbers()) {
            let Some(number) = number else { continue };
            if let Some(notes) = out.notes() {
                self.counts.number(name, column, at, notes);
            } else {
                self.deliver(name, Frame::Map, Value::Scalar(number), at, out)?;
            }
            self.navigate(name, column, number, at, out)?;
        }
        Ok(())
    }

    /// Delivers the joined variables before a number that begins a new time.
    fn navigate(
        &mut self,
        name: &[u8],
        column: Option<Seconds>,
        number: f64,
        At { time, offset }: At,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let Some((place, column)) = Nav::place(name).zip(column) else { return Ok(()) };
        let joined = self.nav.push(place, column, number, (time, offset));
        self.joined(joined, out)
    }

    /// Delivers the samples of a value that is not a number: see [`known::Holds`], by which they are counted.
    fn value(&mut self, name: &[u8], value: RawText<'_>, at: At, out: &mut Wanted<'_>) -> Result<()> {
        let known = Known::of(name);
        match known {
            Known::Odometry => {
                if let Some((odometry, fields)) = new_college::odometry(value) {
                    self.deliver(name, Frame::Map, Value::Odometry(odometry), at, out)?;
                    let cells = fields.into_cells();
                    let row = Row { fields: new_college::OdometryFields::fields_of(name), cells };
                    return self.fields(name, row, at, out);
                }
            }
            Known::Scan(side) => {
                if let Some((scan, fields)) = new_college::laser(value) {
                    self.mount(side, at, out)?;
                    self.deliver(name, Frame::Laser(side), Value::LaserScan(scan), at, out)?;
                    return self.fields(name, fields.into_row(), at, out);
                }
            }
            Known::Row | Known::Report => {
                if known == Known::Report {
                    self.report(value, at, out)?;
                }
                if let Some(row) = self.row(name, value) {
                    self.deliver(name, Frame::Map, row, at, out)?;
                    return if name == known::CAMERA { self.pictures(value, at, out) } else { Ok(()) };
                }
            }
            Known::Text => {}
        }
        self.deliver(name, Frame::Map, Value::Text(value.to_text()), at, out)?;
        let may_be_fix = known == Known::Text && nmea::may_be_sentence(value);
        match may_be_fix.then(|| nmea::gga(value)).flatten() {
            Some(fix) => {
                let channel = [name, known::FIX].concat();
                self.deliver(&channel, Frame::Antenna, Value::GnssFix(fix), at, out)
            }
            None => Ok(()),
        }
    }

    /// Delivers the other fields of a message as a row.
    fn fields(&mut self, name: &[u8], row: Row, at: At, out: &mut Wanted<'_>) -> Result<()> {
        let channel = [name, known::FIELDS].concat();
        self.deliver(&channel, Frame::None, Value::Row(row), at, out)
    }

    /// Delivers the mounting of a scanner before its first scan, as valid for all times.
    fn mount(&mut self, side: Side, at: At, out: &mut Wanted<'_>) -> Result<()> {
        if self.mounted.contains(&side) {
            return Ok(());
        }
        self.mounted.push(side);
        let at = At { time: None, ..at };
        self.deliver(MOUNTS, Frame::Body(BODY), Value::Transform(side.mount()), at, out)
    }

    /// Delivers the position of a vehicle's report.
    fn report(&mut self, value: RawText<'_>, at: At, out: &mut Wanted<'_>) -> Result<()> {
        let report = NodeReport::parse(value);
        if let Some(odometry) = report.odometry() {
            self.deliver(REPORT_ODOMETRY, Frame::Map, Value::Odometry(odometry), at, out)?;
        }
        if let Some(fix) = report.fix() {
            let frame = Frame::Body(report.frame_id());
            self.deliver(REPORT_FIX, frame, Value::GnssFix(fix), at, out)?;
        }
        Ok(())
    }

    /// Delivers the pictures that an entry names, if pictures are wanted.
    fn pictures(&mut self, value: RawText<'_>, at: At, out: &mut Wanted<'_>) -> Result<()> {
        if out.skips_values() {
            return Ok(());
        }
        let Some(mut pictures) = self.pictures.take() else { return Ok(()) };
        let outcome = pictures.read(value, at.offset, &mut |camera, image| {
            let channel = [known::CAMERA, b"/", camera.as_bytes()].concat();
            self.deliver(&channel, Frame::Body(camera), Value::Image(image), at, out)
        });
        self.pictures = Some(pictures);
        outcome
    }

    /// A field for each key.
    fn row(&mut self, name: &[u8], value: RawText<'_>) -> Option<Value> {
        let known = self.rows.get(name);
        if let Some((fields, cells)) = known.and_then(|fields| Some((fields, message::cells(value, fields)?)))
        {
            return Some(Value::Row(Row::new(Arc::clone(fields), cells)));
        }
        let message = Message::parse(name, value)?;
        // The names of a geometry's fields are not its keys.
        let fields = known.filter(|fields| message.has(fields)).cloned().unwrap_or_else(|| message.fields());
        if self.rows.len() < CHANNELS {
            self.rows.insert(name.to_vec(), fields.clone());
        }
        Some(Value::Row(Row::new(fields, message.into_cells().collect())))
    }

    /// Delivers joined `NAV_` variables.
    fn joined(&mut self, joined: Option<Joined>, out: &mut Wanted<'_>) -> Result<()> {
        let Some(joined) = joined else { return Ok(()) };
        let at = At { time: joined.time, offset: joined.offset };
        if let Some(odometry) = joined.odometry() {
            self.deliver(NAV_ODOMETRY, Frame::Map, Value::Odometry(odometry), at, out)?;
        }
        if let Some(fix) = joined.fix() {
            self.deliver(NAV_FIX, Frame::Body(BODY), Value::GnssFix(fix), at, out)?;
        }
        Ok(())
    }

    fn deliver(
        &mut self,
        channel: &[u8],
        frame: Frame<'_>,
        value: Value,
        At { time, offset }: At,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        if let (Value::GnssFix(fix), Some(_)) = (&value, out.notes()) {
            self.counts.details.fix(fix.latitude, fix.longitude, fix.quality);
        }
        let frame_id = self.frames.name(frame);
        let Some(lent) = self.lent.of(channel, || Arc::clone(frame_id)) else { return Ok(()) };
        lent.in_frame(frame_id).with_attributes(&self.attributes).deliver(time, offset, value, out)
    }
}
