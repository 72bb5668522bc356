//! MOOS logs: one variable per number.

mod variables;

use std::{
    collections::{HashMap, HashSet},
    io::{BufWriter, Write},
    sync::Arc,
};

use ::alog::{Header, Seconds, Writer, layout::Columns};
use robolog_core::{Clock, Sample, Timestamp, Value};

use self::variables::variables;
use super::{Holds, Lacks, Need, Selection, TargetSpec, takes, unused};
use crate::{Error, Outcome, Result, Sink};

/// Logs of MOOS.
pub static ALOG: TargetSpec = TargetSpec {
    name: "alog",
    extensions: &["alog"],
    about: "a log of MOOS: variables",
    holds: Holds::Messages,
    lacks: Lacks::ATTRIBUTES.and(Lacks::RECEIVER),
    needs: &[Need::Start],
    takes: |sample, _| sample.time.is_some() && has_variables(&sample.value),
    instead: takes::no_advice,
    open: |out, opening| Ok(Box::new(Alog::new(BufWriter::new(out), opening.selection))),
};

const fn has_variables(value: &Value) -> bool {
    matches!(
        value,
        Value::Scalar(_)
            | Value::Text(_)
            | Value::Row(_)
            | Value::Pose(_)
            | Value::Odometry(_)
            | Value::GnssFix(_)
            | Value::Imu(_)
    )
}

/// Writes numbers, texts, rows, poses, odometry, GNSS fixes and IMU samples as variables of a MOOS log.
///
/// | kind | variables |
/// |---|---|
/// | numbers, texts | `CHANNEL` |
/// | rows | `CHANNEL_FIELD` for each cell that is not null; booleans are `true` and `false` |
/// | poses, odometry | `_X`, `_Y`, `_Z` (m), `_HEADING` (degrees clockwise from the y axis), `_PITCH`, `_ROLL` (rad) |
/// | odometry with a velocity | `_SPEED`, `_VX`, `_VY`, `_VZ` (m/s), `_WX`, `_WY`, `_WZ` (rad/s) along the body's axes |
/// | GNSS fixes | `_LAT`, `_LONG` (degrees), `_ALTITUDE`, `_ALTITUDE_MSL` (m), `_HDOP`, `_VDOP`, `_PDOP`, `_QUALITY`, `_SATELLITES`, `_GROUND_SPEED` (m/s), `_COURSE` (degrees), and whatever else was measured, such as `_HEART_RATE` |
/// | imu | `_QX`, `_QY`, `_QZ`, `_QW`, `_WX`, `_WY`, `_WZ` (rad/s), `_AX`, `_AY`, `_AZ` (m/s²) |
///
/// If channels were selected, the first channel with poses is written as `NAV_X`, `NAV_Y`, `NAV_Z`, `NAV_HEADING` and
/// `NAV_SPEED`, and the first with fixes as `NAV_LAT` and `NAV_LONG`, the names MOOS programs use for navigation; this
/// assumes x points east and y north. In names, slashes, whitespace and control characters become underscores;
/// duplicate names get a number. Numbers are plain decimals that read back exactly; an unknown velocity has no
/// variable.
///
/// Entries are stamped in seconds since the start of the recording, with nine decimals. Unix time sets LOGSTART; with
/// other clocks there is no LOGSTART, and entries count from the clock's zero. Line breaks in text are kept. Text that
/// begins with whitespace, or has a line that reads as an entry or a comment, is left out because the format has no
/// quoting. Readers take text that looks like a number for a number. Samples without a time, on another clock than the
/// first, or of other kinds are left out.
#[derive(Debug)]
pub struct Alog<W> {
    state: State<W>,
    selection: Selection,
    start: Option<Timestamp>,
    names: Names,
    buffer: Vec<u8>,
}

#[derive(Debug)]
enum State<W> {
    Waiting(Option<W>),
    Open(Writer<W>, Timestamp),
}

/// Source name of every entry.
const SOURCE: &str = "robolog";
/// Maximum number of variables; the rest are left out.
const VARIABLES: usize = 1 << 16;

/// Variable names of the channels.
#[derive(Debug, Default)]
struct Names {
    /// By channel and suffix.
    known: HashMap<String, Arc<str>>,
    taken: HashSet<Arc<str>>,
    /// Channels written as `NAV`.
    poses: Option<Arc<str>>,
    fixes: Option<Arc<str>>,
    key: String,
}

impl<W: Write> Alog<W> {
    /// Creates a log on `out`.
    pub fn new(out: W, selection: Selection) -> Self {
        let state = State::Waiting(Some(out));
        Self { state, selection, start: None, names: Names::default(), buffer: Vec::new() }
    }

    /// Completes the log and returns the target; `None` after a failure.
    pub fn into_inner(self) -> Result<Option<W>> {
        match self.state {
            State::Waiting(out) => Ok(out),
            State::Open(writer, _) => writer.finish().map(Some).map_err(Error::written),
        }
    }

    /// Returns the log and its zero time, set by the first entry.
    fn open(&mut self, time: Timestamp) -> Result<Option<(&mut Writer<W>, Timestamp)>> {
        if let State::Waiting(out) = &mut self.state {
            let Some(out) = out.take() else { return Ok(None) };
            let is_unix = time.clock() == Clock::Unix;
            let zero = if is_unix {
                self.start.filter(|start| start.clock() == Clock::Unix).unwrap_or(time)
            } else {
                Timestamp::new(0, time.clock())
            };
            let mut header = Header::default();
            if is_unix {
                header = Header::new(SOURCE, Seconds::from_nanos(zero.nanos().into()));
            }
            header.log_file = Some(SOURCE.into());
            let columns = Columns { decimals: 9, ..Columns::MOOS_IVP };
            let writer = Writer::new(out, &header).map_err(Error::written)?.with_columns(columns);
            self.state = State::Open(writer, zero);
        }
        let State::Open(writer, zero) = &mut self.state else { return Ok(None) };
        Ok(Some((writer, *zero)))
    }
}

impl<W: Write> Sink for Alog<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.start.get_or_insert(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time else { return Ok(Outcome::LeftOut) };
        if let State::Open(_, zero) = &self.state
            && zero.clock() != time.clock()
        {
            return Ok(Outcome::LeftOut);
        }
        let variables = variables(&sample.value);
        if variables.is_empty() || variables.iter().any(|(_, content, _)| content.is_ambiguous()) {
            return Ok(Outcome::LeftOut);
        }
        let is_nav = self.selection == Selection::Channels && self.names.is_nav(sample);
        let mut names = Vec::with_capacity(variables.len());
        for (suffix, _, may_be_nav) in &variables {
            let Some(name) = self.names.of(&sample.channel, suffix, is_nav && *may_be_nav) else {
                return Ok(Outcome::LeftOut);
            };
            names.push(name);
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let Some((writer, zero)) = self.open(time)? else { return Ok(Outcome::LeftOut) };
        let since = i128::from(time.nanos()) - i128::from(zero.nanos());
        for (name, (_, content, _)) in names.iter().zip(&variables) {
            buffer.clear();
            content.put(&mut buffer);
            writer.entry(Seconds::from_nanos(since), name, SOURCE, &buffer).map_err(Error::written)?;
        }
        self.buffer = buffer;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl Names {
    /// Whether the sample's channel is the one written as `NAV`.
    fn is_nav(&mut self, sample: &Sample) -> bool {
        let channel = match sample.value {
            Value::Pose(_) | Value::Odometry(_) => &mut self.poses,
            Value::GnssFix(_) => &mut self.fixes,
            _ => return false,
        };
        *channel.get_or_insert_with(|| Arc::clone(&sample.channel)) == sample.channel
    }

    /// Returns the name of a variable; `None` if there are too many.
    fn of(&mut self, channel: &str, suffix: &str, is_nav: bool) -> Option<Arc<str>> {
        self.key.clear();
        self.key.extend([channel, "\0", suffix]);
        if let Some(name) = self.known.get(&self.key) {
            return Some(Arc::clone(name));
        }
        if self.known.len() >= VARIABLES {
            return None;
        }
        let plain: String = if is_nav { "NAV" } else { channel }
            .chars()
            .chain((!suffix.is_empty()).then_some('_'))
            .chain(suffix.chars())
            .map(|c| if c == '/' || c.is_whitespace() || c.is_control() { '_' } else { c })
            .collect();
        let plain = if plain.is_empty() { "_".to_owned() } else { plain };
        let name: Arc<str> = unused(&plain, "_", |name| !self.taken.contains(name)).into();
        self.taken.insert(Arc::clone(&name));
        self.known.insert(self.key.clone(), Arc::clone(&name));
        Some(name)
    }
}
