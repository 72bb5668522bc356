//! Counts and findings of a log.

use std::collections::BTreeMap;

use robolog_core::{
    Attributes, FixQuality, Severity, format::SurveyBuilder, geodetic::Bounds, slices::past, text::Escaped,
};

use super::{
    At, Known,
    known::Holds,
    tally::{Applications, Tallies, VARIABLES},
};
use crate::{
    Header, Kind, RawText, Record,
    layout::{self, COMMENT},
    time::{Seconds, Warp},
};

/// Details of a MOOS log.
///
/// ```
/// let details = alog::survey("examples/moosivp.alog")?.details;
/// assert_eq!((details.entries, details.variables["NAV_X"]), (34, 1));
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Entries.
    pub entries: u64,
    /// Comment lines, including the header's.
    pub comments: u64,
    /// Lines that continue a value.
    pub continuation_lines: u64,
    /// Entries whose value is a number.
    pub numeric_values: u64,
    /// Entries whose value is empty.
    pub empty_values: u64,
    /// Entries with a negative time, before LOGSTART.
    pub negative_times: u64,
    /// Entries earlier than the previous one.
    pub out_of_order: u64,
    /// LOGSTART as written in the header: entries count seconds from it.
    pub logstart: Option<String>,
    /// How much faster than real time the community ran.
    pub time_warp: f64,
    /// Path to which the logger wrote it.
    pub log_file: Option<String>,
    /// Entries by variable.
    pub variables: BTreeMap<String, u64>,
    /// Counts of each variable.
    pub per_variable: Vec<Variable>,
    /// Number of applications, without the suffixes of their names.
    pub sources: u64,
    /// The bounding box of all fixes whose quality is not `None`.
    pub extent: Option<Bounds>,
}

/// Counts of one variable.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Variable {
    /// Its name, escaped.
    pub name: String,
    /// Entries.
    pub entries: u64,
    /// Entries whose value is a number.
    pub numbers: u64,
    /// Bytes of all values.
    pub bytes: u64,
    /// The earliest time, in seconds of the log.
    pub first: Option<f64>,
    /// The latest time, in seconds of the log.
    pub last: Option<f64>,
    /// Applications that wrote it.
    pub sources: Vec<String>,
}

/// Counts of entries and variables. Samples of variables are counted without being made.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) details: Details,
    tallies: Tallies,
    applications: Applications,
    last: Option<Seconds>,
    /// Entries of variables beyond that limit.
    beyond: u64,
    /// Variables with columns.
    with_rows: usize,
    /// Lines that MOOS-IvP's tools printed around entries, and the offset of the first.
    tool_lines: u64,
    first_tool_line: Option<u64>,
}

/// Maximum number of variables whose message columns are listed; logs have a few.
const ROWS: usize = 256;

/// Reports the faults of a header.
pub(super) fn begin(header: &Header, notes: &mut SurveyBuilder) {
    if header.logstart_text.is_some() && header.logstart().is_none() {
        let message = "LOGSTART is not a number: times count from the start of the log";
        notes.find(Severity::Warning, "logstart", 0, message);
    }
    if header.has_unknown_warp() {
        let message = "LOGSTART is after the year 2096: a time warp of unknown factor multiplied it; times count from the \
                       start of the log";
        notes.find(Severity::Warning, "time-warp", 0, message);
    }
    if header.begins_in_future() {
        let message =
            "LOGSTART is after today: a time warp may have multiplied it, or the logger's clock was wrong";
        notes.find(Severity::Warning, "future", 0, message);
    }
    if header.warp() != Warp::NONE {
        let is_wall = !header.times().is_of_mission();
        let times = if is_wall { "real time" } else { "the mission's" };
        let factor = header.warp().factor();
        let message = format_args!(
            "time warp {factor}: times are {times}; the mission's clock ran {factor} times as fast"
        );
        notes.find(Severity::Note, "time-warp", 0, message);
    }
}

fn text(bytes: &[u8]) -> String {
    Escaped(bytes).to_string()
}

impl Details {
    /// Extends the bounding box by a fix, unless its receiver has none.
    pub(super) fn fix(&mut self, latitude: f64, longitude: f64, quality: FixQuality) {
        if quality != FixQuality::None {
            self.extent = Bounds::with(self.extent, latitude, longitude);
        }
    }
}

impl Counts {
    pub(super) fn new(header: &Header) -> Self {
        let details = Details {
            comments: header.lines,
            logstart: header.logstart_text.as_deref().map(text),
            time_warp: header.warp().factor(),
            log_file: header.log_file.as_deref().map(text),
            ..Details::default()
        };
        Self {
            details,
            tallies: Tallies::default(),
            applications: Applications::default(),
            last: None,
            beyond: 0,
            with_rows: 0,
            tool_lines: header.tool_lines,
            first_tool_line: (header.tool_lines > 0).then_some(0),
        }
    }

    /// Counts the lines of a record.
    pub(super) fn lines(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) {
        let details = &mut self.details;
        let (line, behind) = record.first_line();
        if !behind.is_empty() {
            details.continuation_lines += record.continuation_lines();
        }
        if record.kind() == Kind::Comment {
            details.comments += u64::from(record.bytes().len() > 2);
            if !record.bytes().starts_with(COMMENT) && layout::is_tool_text(record.bytes()) == Some(true) {
                self.tool_lines += 1;
                self.first_tool_line.get_or_insert(record.offset());
            }
            return;
        }
        details.entries += 1;
        if record.kind() == Kind::Row {
            return;
        }
        if let Some((byte, at)) = record.control() {
            let name = text(&record.name());
            let message =
                format_args!("the value of {name} has the control character {byte:#04x}: it is kept");
            notes.find(Severity::Warning, "control-character", at, message);
        }
        if let Some(inside) = record.joined(line) {
            let message =
                "an entry seems to begin inside of a line: it is read as a part of the value before it";
            notes.find(Severity::Warning, "joined-entries", past(record.offset(), inside), message);
        }
    }

    /// Counts the samples in the channels of an entry's variable: `column` and `seconds` are the times of the entry and
    /// of its samples, in seconds of the log. Returns the variable's meaning if it makes further samples.
    pub(super) fn entry(
        &mut self,
        record: &Record<'_>,
        (value, number): (RawText<'_>, Option<f64>),
        (column, seconds): (Option<Seconds>, Option<Seconds>),
        At { time, offset }: At,
        notes: &mut SurveyBuilder,
    ) -> Option<Known> {
        let details = &mut self.details;
        details.numeric_values += u64::from(number.is_some());
        details.empty_values += u64::from(number.is_none() && value.is_empty());
        self.order(column, offset, notes);
        let details = &mut self.details;
        let Some(tally) = self.tallies.of(&record.name()) else {
            self.beyond += 1;
            return None;
        };
        tally.add(value.bytes().len(), column, number.is_some());
        tally.add_source(&record.application(), &mut self.applications);
        notes.stamp(time);
        if let (None, Some(seconds), None) = (time, seconds, &tally.timeless) {
            tally.timeless = Some(Box::new((offset, seconds)));
        }
        if number.is_some() {
            tally.own.add("scalar", 1, time);
            return None;
        }
        let holds = tally.known.holds(value);
        let (kind, values) = holds.kind();
        tally.own.add(kind, values, time);
        if kind == "row" && (tally.rows.is_some() || self.with_rows < ROWS) {
            self.with_rows += usize::from(tally.rows.is_none());
            tally.rows.get_or_insert_default().add(&record.name(), value);
        }
        if let Holds::Fix { latitude, longitude, quality } = holds {
            details.fix(latitude, longitude, quality);
        }
        if let Some(kind) = holds.beside() {
            tally.beside.get_or_insert_default().add(kind, 1, time);
        }
        match tally.known {
            Known::Scan(_) if kind != "laser_scan" => None,
            known => Some(known),
        }
    }

    /// Checks that the times of entries do not go backwards.
    #[inline]
    pub(super) fn order(&mut self, column: Option<Seconds>, offset: u64, notes: &mut SurveyBuilder) {
        let Some(seconds) = column else { return };
        self.details.negative_times += u64::from(seconds < Seconds::default());
        if let Some(last) = self.last.filter(|last| seconds < *last) {
            self.details.out_of_order += 1;
            let message = format_args!("{seconds} s follows {last} s");
            notes.find(Severity::Note, "time-backwards", offset, message);
        }
        self.last = Some(seconds);
    }

    /// Counts a number of a row's column.
    pub(super) fn number(
        &mut self,
        name: &[u8],
        column: Option<Seconds>,
        At { time, offset }: At,
        notes: &mut SurveyBuilder,
    ) {
        self.details.numeric_values += 1;
        let Some(tally) = self.tallies.of(name) else {
            self.beyond += 1;
            return;
        };
        tally.add(0, column, true);
        notes.stamp(time);
        if let (None, Some(seconds), None) = (time, column, &tally.timeless) {
            tally.timeless = Some(Box::new((offset, seconds)));
        }
        tally.own.add("scalar", 1, time);
    }

    pub(super) fn finish(mut self, attributes: &Attributes, notes: &mut SurveyBuilder) -> Details {
        for (channel, tally) in self.tallies.sorted() {
            let name = text(&channel);
            if let Some((at, seconds)) = tally.timeless.map(|found| *found) {
                let message =
                    format_args!("{name}: {seconds} s is no date within 292 years of 1970: no time is given");
                notes.find(Severity::Warning, "time-range", at, message);
            }
            tally.own.report(&channel, attributes, notes);
            if let Some(rows) = tally.rows {
                rows.report(&channel, notes);
            }
            if let Some(beside) = tally.beside {
                let channel = [&*channel, tally.known.suffix()].concat();
                beside.report(&channel, attributes, notes);
                if let Some(fields) = tally.known.fields(&channel) {
                    notes.columns(&String::from_utf8_lossy(&channel), &fields);
                }
            }
            let mut sources: Vec<&[u8]> =
                tally.sources.iter().filter_map(|number| self.applications.name(*number)).collect();
            sources.sort_unstable();
            self.details.variables.insert(name.clone(), tally.entries);
            self.details.per_variable.push(Variable {
                name,
                entries: tally.entries,
                numbers: tally.numbers,
                bytes: tally.bytes,
                first: tally.span.map(|s| s.0.as_f64()),
                last: tally.span.map(|s| s.1.as_f64()),
                sources: sources.into_iter().map(text).collect(),
            });
        }
        self.details.sources = self.applications.count();
        if let Some(first) = self.first_tool_line {
            let message = format_args!(
                "{} lines that aloggrep printed around the entries are skipped",
                self.tool_lines
            );
            notes.find(Severity::Note, "tool-text", first, message);
        }
        if self.beyond > 0 {
            let message = format_args!(
                "{} entries are of more than {VARIABLES} variables, and not listed",
                self.beyond
            );
            notes.find(Severity::Warning, "many-variables", 0, message);
        }
        self.details
    }
}
