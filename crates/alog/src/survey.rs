//! Counts of a log, and what is odd about it.

mod rows;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use robolog_core::{Notes, Rhythm, Severity, Timestamp, slices::past, text::Escaped};

use self::rows::Rows;
use crate::{
    Alog, Header, Kind, RawText, Record,
    sample::{
        Joined, Known, MOUNTS, Mounted, NAV_FIX, NAV_ODOMETRY, Nav, NodeReport, REPORT_FIX, REPORT_ODOMETRY,
    },
    time::{Seconds, Warp},
};

/// What only a MOOS log knows.
///
/// ```
/// let details = alog::survey("examples/moosivp.alog")?.details;
/// assert_eq!((details.entries, details.variables["NAV_X"]), (34, 1));
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Entries.
    pub entries: u64,
    /// Lines of comments, those of the header included.
    pub comments: u64,
    /// Lines that continue a value.
    pub continuation_lines: u64,
    /// Entries whose value is a number.
    pub numeric_values: u64,
    /// Entries whose value is empty.
    pub empty_values: u64,
    /// Entries before the log began.
    pub negative_times: u64,
    /// Entries that are earlier than the one before.
    pub out_of_order: u64,
    /// What entries count from, as it stands in the file.
    pub logstart: Option<String>,
    /// How much faster than real time the community ran.
    pub time_warp: f64,
    /// Where the logger wrote it.
    pub log_file: Option<String>,
    /// Entries by variable.
    pub variables: BTreeMap<String, u64>,
    /// What is known of each variable.
    pub per_variable: Vec<Variable>,
    /// Applications, without what they add to their names.
    pub sources: u64,
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
    /// The latest.
    pub last: Option<f64>,
    /// Applications that wrote it.
    pub sources: Vec<String>,
}

/// Counts of a channel's samples.
#[derive(Debug, Default)]
struct SampleCount {
    kind: &'static str,
    count: u64,
    /// Ranges of scans, and otherwise samples.
    values: u64,
    span: Option<(Timestamp, Timestamp)>,
    rhythm: Rhythm,
}

impl SampleCount {
    fn add(&mut self, kind: &'static str, values: u64, time: Option<Timestamp>) {
        // A channel is of the first kind that is no text: numbers and texts of one variable are text.
        let text_or_number = |kind| matches!(kind, "" | "text" | "scalar");
        if self.kind.is_empty() || (text_or_number(self.kind) && !text_or_number(kind)) {
            self.kind = kind;
        } else if self.kind == "scalar" && kind == "text" {
            self.kind = "text";
        }
        self.count += 1;
        if let Some(time) = time {
            self.rhythm.add(time);
        }
        self.values = self.values.saturating_add(values);
        self.span = match (self.span, time) {
            (Some((first, last)), Some(time)) if time.clock() == first.clock() => Some((
                if time.nanos() < first.nanos() { time } else { first },
                if time.nanos() > last.nanos() { time } else { last },
            )),
            (None, Some(time)) => Some((time, time)),
            (span, _) => span,
        };
    }

    /// Adds the channel to the notes, if it has anything.
    fn report(&self, name: &[u8], notes: &mut Notes) {
        if self.count > 0 {
            let name = String::from_utf8_lossy(name);
            notes.tally(&name, self.kind, self.count, self.values, self.span);
            notes.rhythm(&name, self.rhythm.clone());
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    entries: u64,
    numbers: u64,
    bytes: u64,
    /// In seconds of the log, by the column.
    span: Option<(Seconds, Seconds)>,
    /// Numbers of its applications, in order.
    sources: Vec<u32>,
    /// The last of them.
    source: u32,
    known: Known,
    /// Where it stands among the variables that are joined.
    nav: Option<usize>,
    /// The variable's own channel.
    own: SampleCount,
    /// The channel beside it; few variables have one.
    beside: Option<Box<Beside>>,
    /// The columns of its messages; few variables have any.
    rows: Option<Box<Rows>>,
    /// The first entry whose moment no timestamp can hold.
    timeless: Option<Box<(u64, Seconds)>>,
}

/// A second channel of a variable.
#[derive(Debug, Default)]
struct Beside {
    /// What its name adds to the variable's.
    suffix: &'static [u8],
    samples: SampleCount,
}

/// The names of applications by number, each held once.
#[derive(Debug, Default)]
struct Applications {
    names: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
}

impl Applications {
    fn name(&self, number: u32) -> Option<&[u8]> {
        self.names.get(usize::try_from(number).ok()?).map(|name| &**name)
    }

    fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let (shared, number) = (Arc::from(name), u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(Arc::clone(&shared));
        self.numbers.insert(shared, number);
        number
    }
}

impl Tally {
    fn new(name: &[u8]) -> Self {
        Self { known: Known::of(name), nav: Nav::place(name), ..Self::default() }
    }

    fn add(&mut self, bytes: usize, seconds: Option<Seconds>, is_number: bool) {
        self.entries += 1;
        self.numbers += u64::from(is_number);
        self.bytes += bytes as u64;
        self.span = widened(self.span, seconds);
    }

    fn add_source(&mut self, application: &[u8], applications: &mut Applications) {
        let is_last = !self.sources.is_empty() && applications.name(self.source) == Some(application);
        if is_last || self.sources.len() >= SOURCES {
            return;
        }
        self.source = applications.number(application);
        if let Err(place) = self.sources.binary_search(&self.source) {
            self.sources.insert(place, self.source);
        }
    }
}

/// The most sources of a variable that are counted one by one.
const SOURCES: usize = 256;
/// The most variables whose messages' columns are listed; logs have a few.
const ROWS: usize = 256;
/// The most variables that are counted one by one; logs have hundreds.
const VARIABLES: usize = 1 << 16;

/// Counts by variable.
#[derive(Debug, Default)]
struct Tallies {
    list: Vec<(Arc<[u8]>, Tally)>,
    places: HashMap<Arc<[u8]>, usize>,
    /// Where variables were found last, by a few of their bytes: most entries are found without a hash.
    recent: Vec<usize>,
}

impl Tallies {
    /// The counts of a variable; `None` when there are too many.
    fn of(&mut self, name: &[u8]) -> Option<&mut Tally> {
        let byte = |at: usize| name.get(at).copied().map_or(0, usize::from);
        let last = name.len().saturating_sub(1);
        let sum =
            byte(0).wrapping_add(byte(last).wrapping_mul(31)).wrapping_add(byte(last / 2).wrapping_mul(7));
        let slot = sum.wrapping_add(name.len().wrapping_mul(61)) % 1024;
        if self.recent.is_empty() {
            self.recent = vec![usize::MAX; 1024];
        }
        let guess = self.recent.get(slot).copied().unwrap_or(usize::MAX);
        let place = if self.list.get(guess).is_some_and(|(other, _)| **other == *name) {
            guess
        } else {
            let found = self.places.get(name).copied();
            let place = match found {
                Some(place) => place,
                None if self.list.len() >= VARIABLES => return None,
                None => {
                    let (shared, place) = (Arc::<[u8]>::from(name), self.list.len());
                    self.places.insert(Arc::clone(&shared), place);
                    self.list.push((shared, Tally::new(name)));
                    place
                }
            };
            if let Some(recent) = self.recent.get_mut(slot) {
                *recent = place;
            }
            place
        };
        self.list.get_mut(place).map(|(_, tally)| tally)
    }
}

/// Counts entries: see [`robolog_core::survey`].
///
/// ```
/// let summary = alog::survey("examples/moosivp.alog")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    header: Header,
    details: Details,
    tallies: Tallies,
    applications: Applications,
    last: Option<Seconds>,
    nav: Nav,
    mounted: Mounted,
    mounts: SampleCount,
    /// Of the channels that no variable has for itself.
    derived: [SampleCount; 4],
    /// Entries of variables beyond that limit.
    beyond: u64,
    /// Variables with columns of their own.
    with_rows: usize,
}

/// The names of what is derived: of reports, then of the `NAV_` variables.
const DERIVED: [&[u8]; 4] = [REPORT_ODOMETRY, REPORT_FIX, NAV_ODOMETRY, NAV_FIX];

fn widened(span: Option<(Seconds, Seconds)>, seconds: Option<Seconds>) -> Option<(Seconds, Seconds)> {
    let Some(seconds) = seconds else { return span };
    let (first, last) = span.unwrap_or((seconds, seconds));
    Some((first.min(seconds), last.max(seconds)))
}

impl robolog_core::Surveying for Survey {
    type Format = Alog;
    type Details = Details;

    fn new(header: &Header, notes: &mut Notes) -> Self {
        let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| Escaped(bytes).to_string());
        if header.logstart_text.is_some() && header.logstart().is_none() {
            notes.find(
                Severity::Warning,
                "logstart",
                0,
                "LOGSTART is no number: times are those of the log alone",
            );
        }
        if header.has_unknown_warp() {
            let message = "LOGSTART lies beyond the year 2096: a time warp multiplied it, and nothing says which; times \
                           count from the start of the log";
            notes.find(Severity::Warning, "time-warp", 0, message);
        }
        if header.warp() != Warp::NONE {
            let message = format_args!("times run {} times as fast as the clock", header.warp().factor());
            notes.find(Severity::Note, "time-warp", 0, message);
        }
        Self {
            header: header.clone(),
            details: Details {
                entries: 0,
                comments: header.lines,
                continuation_lines: 0,
                numeric_values: 0,
                empty_values: 0,
                negative_times: 0,
                out_of_order: 0,
                logstart: text(&header.logstart_text),
                time_warp: header.warp().factor(),
                log_file: text(&header.log_file),
                variables: BTreeMap::new(),
                per_variable: Vec::new(),
                sources: 0,
            },
            tallies: Tallies::default(),
            applications: Applications::default(),
            last: None,
            nav: Nav::default(),
            mounted: Mounted::default(),
            mounts: SampleCount::default(),
            derived: Default::default(),
            beyond: 0,
            with_rows: 0,
        }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        let at = record.offset();
        let increase = |n: &mut u64, by: u64| *n += by;
        increase(&mut self.details.continuation_lines, record.continuation_lines());
        if let Some(error) = record.torn() {
            notes.damage(&error, 0..0);
        }
        if record.kind() == Kind::Comment {
            return increase(&mut self.details.comments, 1);
        }
        increase(&mut self.details.entries, 1);
        let bytes = record.bytes();
        let line = memchr::memchr(b'\n', bytes).and_then(|end| bytes.get(..end)).unwrap_or(bytes);
        if let Some(inside) = record.joined(line) {
            let at = past(at, inside);
            let message =
                "an entry seems to begin inside of a line: it is read as a part of the value before it";
            notes.find(Severity::Warning, "joined-entries", at, message);
        }
        let value = record.value();
        let number = value.number();
        let is_number = number.is_some();
        increase(&mut self.details.numeric_values, is_number.into());
        increase(&mut self.details.empty_values, (!is_number && value.is_empty()).into());
        let seconds = record.seconds();
        if let Some(seconds) = seconds {
            increase(&mut self.details.negative_times, u64::from(seconds < Seconds::default()));
            if let Some(last) = self.last.filter(|last| seconds < *last) {
                increase(&mut self.details.out_of_order, 1);
                let message = format_args!("{seconds} s follows {last} s");
                notes.find(Severity::Note, "time-backwards", at, message);
            }
            self.last = Some(seconds);
        }
        let Some(tally) = self.tallies.of(&record.name()) else {
            return increase(&mut self.beyond, 1);
        };
        tally.add(value.bytes().len(), seconds, is_number);
        tally.add_source(&record.application(), &mut self.applications);
        let embedded = |seconds| if is_number { seconds } else { self.header.seconds(seconds, value) };
        let moment = seconds.map(embedded);
        let time = moment.and_then(|seconds| self.header.time(seconds));
        notes.stamp(time);
        if let (None, Some(seconds), None) = (time, moment, &tally.timeless) {
            tally.timeless = Some(Box::new((at, seconds)));
        }
        let Some(number) = number else {
            let holds = tally.known.holds(value);
            let (kind, values) = holds.kind();
            if let (Known::Scan(side), "laser_scan") = (tally.known, kind)
                && self.mounted.is_new(side)
            {
                self.mounts.add("transform", 1, None);
            }
            tally.own.add(kind, values, time);
            if kind == "row" && (tally.rows.is_some() || self.with_rows < ROWS) {
                self.with_rows += usize::from(tally.rows.is_none());
                tally.rows.get_or_insert_default().add(value);
            }
            if let Some((suffix, kind)) = holds.beside() {
                let beside = tally.beside.get_or_insert_default();
                beside.suffix = suffix;
                beside.samples.add(kind, 1, time);
            }
            if tally.known == Known::Report {
                self.report(value, time);
            }
            return;
        };
        tally.own.add("scalar", 1, time);
        if let Some((place, seconds)) = tally.nav.zip(seconds) {
            let joined = self.nav.push(place, seconds, number, (time, at));
            self.joined(joined);
        }
    }

    fn finish(mut self, notes: &mut Notes) -> (String, Details) {
        let joined = self.nav.finish();
        self.joined(joined);
        let text = |bytes: &[u8]| Escaped(bytes).to_string();
        let mut tallies = std::mem::take(&mut self.tallies).list;
        tallies.sort_by(|a, b| a.0.cmp(&b.0));
        for (channel, tally) in tallies {
            let name = text(&channel);
            if let Some((at, seconds)) = tally.timeless.map(|found| *found) {
                let message =
                    format_args!("{name}: {seconds} s is no date within 292 years of 1970: no time is given");
                notes.find(Severity::Warning, "time-range", at, message);
            }
            tally.own.report(&channel, notes);
            if let Some(rows) = tally.rows {
                rows.report(&channel, notes);
            }
            if let Some(beside) = tally.beside {
                let channel = [&*channel, beside.suffix].concat();
                beside.samples.report(&channel, notes);
                if let Some(fields) = tally.known.fields() {
                    notes.columns(&String::from_utf8_lossy(&channel), &fields.into());
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
        self.details.sources = self.applications.names.len() as u64;
        for (name, derived) in DERIVED.into_iter().zip(&self.derived) {
            derived.report(name, notes);
        }
        self.mounts.report(MOUNTS, notes);
        if self.beyond > 0 {
            let message = format_args!(
                "{} entries are of more than {VARIABLES} variables, and not listed",
                self.beyond
            );
            notes.find(Severity::Warning, "many-variables", 0, message);
        }
        let header = if self.header.lines == 0 { "MOOS log without a header" } else { "MOOS log" };
        (header.to_owned(), self.details)
    }
}

impl Survey {
    /// What a report is besides a row.
    fn report(&mut self, value: RawText<'_>, time: Option<Timestamp>) {
        let report = NodeReport::parse(value);
        let [odometry, fix, ..] = &mut self.derived;
        if report.has_odometry() {
            odometry.add("odometry", 1, time);
        }
        if report.has_fix() {
            fix.add("gnss_fix", 1, time);
        }
    }

    fn joined(&mut self, joined: Option<Joined>) {
        let Some(joined) = joined else { return };
        let [.., odometry, fix] = &mut self.derived;
        if joined.xy().is_some() {
            odometry.add("odometry", 1, joined.time);
        }
        if joined.fix().is_some() {
            fix.add("gnss_fix", 1, joined.time);
        }
    }
}
