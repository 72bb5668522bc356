//! Entries to samples.
//!
//! Every variable is a channel: numbers as they are, everything else as text, and these as what they are:
//!
//! | variable | value |
//! |---|---|
//! | `ODOMETRY_POSE`, `RAW_ODOMETRY_POSE` | odometry |
//! | `LMS_LASER_2D_LEFT`, `LMS_LASER_2D_RIGHT` | laser scan |
//! | `CAMERA_FILE_WRITE`, `GPS`, `VEHICLE_GEOMETRY`, `IJOYSTICK_STATUS`, `IPLATFORM_STATUS`, `NODE_REPORT*` | row: a field for each key |
//!
//! Beside them, `NAME/gnss_fix` for each text of a variable `NAME` that is a `$..GGA` sentence, such as those of
//! `GPS_RAW`; `NODE_REPORT/odometry` and `NODE_REPORT/fix`, and `NAV/odometry` and `NAV/fix`, which join the `NAV_`
//! variables of one moment. Metres, radians, x east and y north there, x ahead for the body.

mod ivp;
mod known;
mod new_college;
mod nmea;

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use robolog_core::{
    Cell, Clock, Error, Field, FieldKind, Result, Row, Sample, Timestamp, Value as SampleValue,
};

pub use self::ivp::NodeReport;
pub(crate) use self::{
    ivp::{Joined, Nav},
    known::Known,
};
use crate::{Alog, Header, Kind, Record, Value, time::Seconds};

/// Which time samples get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeFrom {
    /// The `time=` inside the value where there is one, and else the column.
    #[default]
    Embedded,
    /// The column.
    Column,
    /// The column, in seconds since the log began, whatever LOGSTART says.
    Relative,
}

/// What can be chosen when entries become samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which time samples get.
    pub time: TimeFrom,
    /// How much faster than real time the community ran; guessed from the log where it is not given.
    pub warp: Option<crate::Warp>,
}

/// Makes samples of entries: see [`robolog_core::Sampler`].
#[derive(Debug)]
pub struct Sampler {
    header: Header,
    options: Options,
    channels: HashMap<Vec<u8>, Arc<str>>,
    rows: HashMap<Vec<u8>, Arc<[Field]>>,
    nav: Nav,
    frame_id: Arc<str>,
}

/// What reports say, and what is joined of the `NAV_` variables.
pub(crate) const REPORT_ODOMETRY: &[u8] = b"NODE_REPORT/odometry";
pub(crate) const REPORT_FIX: &[u8] = b"NODE_REPORT/fix";
pub(crate) const NAV_ODOMETRY: &[u8] = b"NAV/odometry";
pub(crate) const NAV_FIX: &[u8] = b"NAV/fix";

/// What follows a variable's name for the positions in its texts.
pub(crate) const FIX_IN_TEXT: &[u8] = b"/gnss_fix";

/// So many channels are remembered by name.
const CHANNELS: usize = 1 << 16;

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

impl robolog_core::Sampler for Sampler {
    type Format = Alog;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = header.clone();
        if let Some(warp) = options.warp {
            header.set_warp(warp);
        }
        Self {
            header,
            options,
            channels: HashMap::new(),
            rows: HashMap::new(),
            nav: Nav::default(),
            frame_id: "map".into(),
        }
    }

    fn push<E: From<Error>>(&mut self, record: &Record<'_>, sink: Sink<'_, E>) -> Result<(), E> {
        if record.kind() != Kind::Entry {
            return Ok(());
        }
        let (name, value, offset) = (record.name(), record.value(), record.offset());
        let time = self.moment(record, value);
        let untold = match (time, record.seconds()) {
            (None, Some(seconds)) => Some(too_far(seconds, offset)),
            _ => None,
        };
        if let Some(error) = untold {
            return Err(error.into());
        }
        if let Some(number) = value.number() {
            self.deliver(name, SampleValue::Scalar(number), time, offset, sink)?;
            return self.nav(record, number, time, sink);
        }
        let known = Known::of(name);
        if known == Known::Report {
            let report = NodeReport::parse(value);
            if let Some(odometry) = report.odometry() {
                self.deliver(REPORT_ODOMETRY, SampleValue::Odometry(odometry), time, offset, sink)?;
            }
            if let Some(fix) = report.fix() {
                self.deliver(REPORT_FIX, SampleValue::GnssFix(fix), time, offset, sink)?;
            }
        }
        if let Some(fix) = known.fix(value) {
            let channel = [name, FIX_IN_TEXT].concat();
            self.deliver(&channel, SampleValue::GnssFix(fix), time, offset, sink)?;
        }
        let typed = self.typed(known, name, value);
        let text = || SampleValue::Text(String::from_utf8_lossy(value.bytes()).into_owned());
        self.deliver(name, typed.unwrap_or_else(text), time, offset, sink)
    }

    fn finish<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let joined = self.nav.finish();
        self.joined(joined, sink)
    }
}

/// A moment that 64 bits of nanoseconds cannot hold.
#[cold]
fn too_far(seconds: Seconds, at: u64) -> Error {
    let expected = "a moment within 292 years of 1970: give the time warp, or take relative times";
    Error::invalid("time", format_args!("{seconds} s"), expected, at).within("alog entry")
}

impl Sampler {
    fn moment(&self, record: &Record<'_>, value: Value<'_>) -> Option<Timestamp> {
        let embedded = || {
            let keys = ["time", "TIME", "UTC_TIME"];
            let text = keys.iter().find_map(|key| value.get(key))?;
            self.header.embedded_time(Seconds::parse(text.trimmed())?)
        };
        let wanted = self.options.time == TimeFrom::Embedded && value.number().is_none();
        let embedded = if wanted { embedded() } else { None };
        if self.options.time == TimeFrom::Relative {
            return record.seconds()?.on(Clock::Relative);
        }
        embedded.or_else(|| self.header.time(record.seconds()?))
    }

    /// What a variable is known to hold.
    fn typed(&mut self, known: Known, name: &[u8], value: Value<'_>) -> Option<SampleValue> {
        match known {
            Known::Row | Known::Report => self.row(name, value),
            _ => known.value(value),
        }
    }

    /// A field for each key. Items without a key belong to the key before them.
    fn row(&mut self, name: &[u8], value: Value<'_>) -> Option<SampleValue> {
        let mut items: Vec<(String, String, Option<f64>)> = Vec::new();
        for item in value.items() {
            let text = String::from_utf8_lossy(item.value.bytes()).into_owned();
            match (item.key, items.last_mut()) {
                (Some(key), _) => {
                    items.push((String::from_utf8_lossy(key).into_owned(), text, item.value.number()));
                }
                (None, Some((_, list, number))) => {
                    if !list.is_empty() {
                        list.push(',');
                    }
                    list.push_str(&text);
                    *number = None;
                }
                (None, None) => return None,
            }
        }
        if items.is_empty() {
            return None;
        }
        let same = |fields: &&Arc<[Field]>| {
            fields.len() == items.len()
                && fields.iter().zip(&items).all(|(field, (key, _, number))| {
                    field.name == *key && (field.kind == FieldKind::Float) == number.is_some()
                })
        };
        let fields = self.rows.get(name).filter(same).cloned().unwrap_or_else(|| {
            let field = |(key, _, number): &(String, String, Option<f64>)| Field {
                name: Cow::Owned(key.clone()),
                unit: None,
                kind: if number.is_some() { FieldKind::Float } else { FieldKind::Text },
            };
            items.iter().map(field).collect()
        });
        if self.rows.len() < CHANNELS {
            self.rows.insert(name.to_vec(), fields.clone());
        }
        let cells = items.into_iter().map(|(_, text, number)| number.map_or(Cell::Text(text), Cell::Float));
        Some(SampleValue::Row(Row::new(fields, cells.collect())))
    }

    /// The moment that a number of a `NAV_` variable ends.
    fn nav<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        number: f64,
        time: Option<Timestamp>,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let Some((place, seconds)) = Nav::place(record.name()).zip(record.seconds()) else { return Ok(()) };
        let joined = self.nav.push(place, seconds, number, (time, record.offset()));
        self.joined(joined, sink)
    }

    fn joined<E: From<Error>>(&mut self, joined: Option<Joined>, sink: Sink<'_, E>) -> Result<(), E> {
        let Some(joined) = joined else { return Ok(()) };
        let (time, offset) = (joined.time, joined.offset);
        if let Some(odometry) = joined.odometry() {
            self.deliver(NAV_ODOMETRY, SampleValue::Odometry(odometry), time, offset, sink)?;
        }
        if let Some(fix) = joined.fix() {
            self.deliver(NAV_FIX, SampleValue::GnssFix(fix), time, offset, sink)?;
        }
        Ok(())
    }

    fn deliver<E: From<Error>>(
        &mut self,
        channel: &[u8],
        value: SampleValue,
        time: Option<Timestamp>,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let channel = self.channel(channel);
        sink(&mut Sample { time, offset, channel, frame_id: self.frame_id.clone(), value })
    }

    fn channel(&mut self, name: &[u8]) -> Arc<str> {
        if let Some(channel) = self.channels.get(name) {
            return channel.clone();
        }
        if self.channels.len() >= CHANNELS {
            self.channels.clear();
        }
        let channel: Arc<str> = String::from_utf8_lossy(name).into();
        self.channels.insert(name.to_vec(), channel.clone());
        channel
    }
}
