//! Contents and faults of a recording, counted in one pass.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

mod observer;
mod rows;
mod tallies;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt, io,
    ops::{ControlFlow, Range},
    sync::Arc,
    time::Duration,
};

pub use self::observer::{Observer, survey_observed};
use self::{
    rows::Lists,
    tallies::{Tallies, Tally},
};
use crate::{
    Attributes, Clock, Error, Event, Field, Result, Sample, StreamReader, Timestamp, Value,
    clock_runs::ClockRuns,
    columns::Column,
    format::{Decoder as _, DetailsOf, Format, OptionsOf, Recording, Rhythm},
    slices::{InRange as _, length},
};

/// How bad a [`Finding`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Other readers may have trouble; nothing is lost.
    Warning,
    /// The file violates its format, or data is lost.
    Error,
}

/// A finding of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A short stable word, such as `offset-chain` or `truncated`.
    pub code: &'static str,
    /// Offset in the file.
    pub offset: u64,
    /// A human-readable message.
    pub message: String,
}

/// Counts of one channel.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Channel {
    /// Name of the channel, as in [`Sample::channel`](crate::Sample::channel).
    pub name: String,
    /// Kind of its values, as in [`Value::kind`](crate::Value::kind).
    pub kind: &'static str,
    /// Number of records, or parts of records.
    pub records: u64,
    /// Number of values in them: points of a cloud, ranges of a scan.
    pub values: u64,
    /// The earliest and latest time, on the clock of most stamps. Outliers do not count: see [`Summary::span`].
    pub span: Option<(Timestamp, Timestamp)>,
    /// The median interval between its times, if they are evenly spaced: see [`Rhythm`](crate::format::Rhythm).
    pub interval: Option<Duration>,
    /// The columns of its table, after time and channel: the kind's own, then the columns of all its rows. Empty if too
    /// many channels have their own rows to list them.
    #[cfg_attr(feature = "serde", serde(serialize_with = "columns"))]
    pub columns: Arc<[Column]>,
    /// What the recording says of the channel as a whole.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Attributes::is_empty"))]
    pub attributes: Attributes,
}

/// The result of a [`survey`]; `D` is the format-specific information.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary<D> {
    /// Version and dialect, for display.
    pub variant: String,
    /// Bytes read.
    pub bytes: u64,
    /// Number of records.
    pub records: u64,
    /// Whether the input ends with a complete record, and nothing was skipped.
    pub complete: bool,
    /// Bytes that belong to no complete record.
    pub lost_bytes: u64,
    /// Number of places where bytes were lost.
    pub losses: u64,
    /// The clock of most stamps.
    pub clock: Option<Clock>,
    /// The earliest and latest time on that clock: the start and end of the recording. A few stamps that are days away
    /// from all others do not count; each group of them is a finding, `time-outlier`.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Unix time of time stamp 0, if stamps count from a start and the recording gives its date.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub epoch: Option<Timestamp>,
    /// The channels, sorted by name.
    pub channels: Vec<Channel>,
    /// The findings, in file order; at most [`SurveyBuilder::KEPT`](crate::format::SurveyBuilder::KEPT) per
    /// code.
    pub findings: Vec<Finding>,
    /// Format-specific information.
    pub details: D,
}

/// As a list: serde supports shared slices only with another feature.
#[cfg(feature = "serde")]
fn columns<S: serde::Serializer>(columns: &Arc<[Column]>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&**columns, serializer)
}

impl<D> Summary<D> {
    /// The same summary with other details, such as a form shared by all formats.
    pub fn with_details<E>(self, details: E) -> Summary<E> {
        Summary {
            variant: self.variant,
            bytes: self.bytes,
            records: self.records,
            complete: self.complete,
            lost_bytes: self.lost_bytes,
            losses: self.losses,
            clock: self.clock,
            span: self.span,
            epoch: self.epoch,
            channels: self.channels,
            findings: self.findings,
            details,
        }
    }

    /// The rate of a channel in hertz, from the median interval between its times. Records of the same time count once.
    /// Losses, pauses and incomplete turns at either end do not affect it.
    ///
    /// `None` if the channel has no rate: few records, bursts or otherwise uneven records, times on another clock than
    /// the main one, or records in less than a tenth of the recording.
    pub fn rate_hz(&self, channel: &Channel) -> Option<f64> {
        let nanos = |(start, end): (Timestamp, Timestamp)| end.since(start).filter(|nanos| *nanos > 0);
        let (own, all) = (nanos(channel.span?)?, nanos(self.span?)?);
        let interval = channel.interval.filter(|_| own.saturating_mul(10) >= all)?;
        Some(interval.as_secs_f64().recip())
    }

    /// The row channels, grouped by identical columns, in the order of each group's first name.
    pub fn tables(&self) -> Vec<Vec<&Channel>> {
        let mut tables: Vec<Vec<&Channel>> = Vec::new();
        let mut places: HashMap<&[Column], usize> = HashMap::new();
        for channel in self.channels.iter().filter(|channel| channel.kind == ROW) {
            let place = *places.entry(&*channel.columns).or_insert(tables.len());
            match tables.get_mut(place) {
                Some(table) => table.push(channel),
                None => tables.push(vec![channel]),
            }
        }
        tables
    }

    /// Whether the only errors are that something exceeds the reader's [`Limits`](crate::Limits), and that the recording
    /// ends there: it need not be damaged.
    pub fn is_limited(&self) -> bool {
        let limited = |found: &&Finding| found.code == LIMIT;
        let limits: BTreeSet<u64> = self.findings.iter().filter(limited).map(|found| found.offset).collect();
        let mut errors = self.findings.iter().filter(|found| found.severity == Severity::Error);
        !limits.is_empty() && errors.all(|found| limits.contains(&found.offset))
    }

    /// Whether there are no errors among the findings.
    pub fn is_ok(&self) -> bool {
        self.complete && self.findings.iter().all(|f| f.severity < Severity::Error)
    }
}

/// 1980-01-06 in nanoseconds of unix time. No robot was recorded before that.
const FIRST_GPS: i64 = 315_964_800_000_000_000;

/// The code of what exceeds the reader's limits.
const LIMIT: &str = "limit";

/// The [`Value::kind`] of rows.
const ROW: &str = "row";

/// What a survey collects besides the format's details.
#[derive(Debug, Default)]
pub struct SurveyBuilder {
    findings: Vec<Finding>,
    per_code: BTreeMap<&'static str, u64>,
    lost_bytes: u64,
    losses: u64,
    channels: Tallies,
    /// Offset of the current record.
    offset: u64,
    /// Stamps of records that are tallied together.
    stamps: ClockRuns,
    /// Records that are not counted.
    marks: u64,
    /// Unix time of time stamp 0.
    epoch: Option<Timestamp>,
    observer: Option<Box<dyn Observer>>,
}

impl SurveyBuilder {
    /// Maximum number of findings kept per code; further ones are only counted.
    pub const KEPT: u64 = 100;

    /// Records a finding.
    pub fn find(&mut self, severity: Severity, code: &'static str, offset: u64, message: impl fmt::Display) {
        let seen = self.per_code.entry(code).or_default();
        *seen += 1;
        if *seen <= Self::KEPT {
            self.findings.push(Finding { severity, code, offset, message: message.to_string() });
        }
    }

    /// Records damage: the error, and the bytes that belong to no complete record because of it.
    pub fn damage(&mut self, error: &Error, lost: Range<u64>) {
        let code = match error.kind() {
            crate::ErrorKind::Truncated { .. } | crate::ErrorKind::Shrunk { .. } => "truncated",
            crate::ErrorKind::Limit { .. } => LIMIT,
            crate::ErrorKind::Unsupported { .. } => "unsupported",
            _ => "damaged",
        };
        let bytes = length(&lost);
        self.lost_bytes = self.lost_bytes.plus(bytes);
        self.losses += u64::from(bytes > 0);
        self.find(Severity::Error, code, error.offset(), error);
    }

    /// Does not count the current record as one: it is a mark of the format, such as that of the end.
    pub fn skip_record(&mut self) {
        self.marks += 1;
    }

    /// Offset of the current record; after the last one, of the end of the input.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Counts one record of a channel with `values` values.
    pub fn count(&mut self, channel: &str, kind: &'static str, values: u64, time: Option<Timestamp>) {
        self.tally(channel, kind, 1, values, time.map(|t| (t, t)));
    }

    /// Counts a sample, and the columns of a row.
    pub fn sample(&mut self, sample: &Sample) {
        let values = match &sample.value {
            Value::PointCloud(cloud) => cloud.len(),
            Value::LaserScan(scan) => scan.ranges.len(),
            Value::Satellites(sky) => sky.satellites.len(),
            _ => 1,
        };
        let Some(tally) = self.channels.of(&sample.channel, sample.value.kind()) else { return };
        tally.add((1, values as u64), sample.time.map(|time| (time, time)), self.offset);
        if let Some(row) = sample.value.row() {
            tally.rows.add(&row.fields);
        }
        if !sample.attributes.is_empty() {
            tally.set(&sample.attributes);
        }
        if let Some(observer) = &mut self.observer {
            observer.sample(sample);
        }
    }

    /// Sets the attributes of a channel, which must have been counted.
    pub fn attributes(&mut self, channel: &str, attributes: &Attributes) {
        if let Some(tally) = self.channels.get(channel) {
            tally.set(attributes);
        }
    }

    /// Adds the columns of a channel's rows, which must have been counted. They are combined with those of its other
    /// rows.
    pub fn columns(&mut self, channel: &str, fields: &Arc<[Field]>) {
        if let Some(tally) = self.channels.get(channel) {
            tally.rows.add(fields);
        }
    }

    /// Adds the time of a record that is tallied later with others, so that an outlier among them is found.
    pub fn stamp(&mut self, time: Option<Timestamp>) {
        if let Some(time) = time {
            self.stamps.add((time, time), 1, self.offset);
        }
    }

    /// Counts several records of a channel at once; `span` is their earliest and latest stamps.
    pub fn tally(
        &mut self,
        channel: &str,
        kind: &'static str,
        records: u64,
        values: u64,
        span: Option<(Timestamp, Timestamp)>,
    ) {
        let Some(tally) = self.channels.of(channel, kind) else { return };
        tally.add((records, values), span, self.offset);
        if records == 1
            && let Some((time, _)) = span
            && let Some(observer) = &mut self.observer
        {
            observer.stamp(channel, kind, time);
        }
    }

    /// Sets the Unix time of time stamp 0: see [`Summary::epoch`].
    pub fn epoch(&mut self, epoch: Option<Timestamp>) {
        self.epoch = epoch;
    }

    /// Sets the intervals between the records of a tallied channel.
    pub fn rhythm(&mut self, channel: &str, rhythm: Rhythm) {
        if let Some(tally) = self.channels.get(channel) {
            tally.rhythm = rhythm;
        }
    }

    /// Ends the survey of an input with this number of records and bytes.
    pub fn into_summary<D>(self, variant: String, records: u64, bytes: u64, details: D) -> Summary<D> {
        let damaged = self.lost_bytes > 0 || self.findings.iter().any(|f| f.severity == Severity::Error);
        let (losses, records, epoch) = (self.losses, records.minus(self.marks), self.epoch);
        let (findings, lost_bytes, clock, channels) = self.into_channels();
        let spans = || channels.iter().filter_map(|c| c.span);
        let start = spans().map(|s| s.0).min_by_key(|t| t.nanos());
        let end = spans().map(|s| s.1).max_by_key(|t| t.nanos());
        Summary {
            variant,
            bytes,
            records,
            complete: !damaged,
            lost_bytes,
            losses,
            clock,
            span: start.zip(end),
            epoch,
            channels,
            findings,
            details,
        }
    }

    fn into_channels(mut self) -> (Vec<Finding>, u64, Option<Clock>, Vec<Channel>) {
        let mut stamps = ClockRuns::default();
        for tally in self.channels.iter() {
            stamps.join(&tally.stamps);
        }
        let votes = stamps.votes();
        let clock = votes.iter().max_by_key(|v| v.1).map(|v| v.0);
        // A tally has only its first and last times.
        let single = if clock.is_some_and(|clock| self.stamps.has(clock)) { &self.stamps } else { &stamps };
        let outliers = clock.map(|clock| single.outliers(clock)).unwrap_or_default();
        let usual = clock.and_then(|clock| single.span(clock, &outliers, None));
        for outlier in &outliers {
            let (n, from, to) = (outlier.stamps, outlier.from, outlier.to);
            let message = if n == 1 {
                format!(
                    "a stamp of {from} lies far from all others; the recording does not start or end there"
                )
            } else {
                format!(
                    "{n} stamps, {from} to {to}, lie far from all others; the recording does not start or end there"
                )
            };
            self.find(Severity::Warning, "time-outlier", outlier.offset, message);
        }
        if let (Some(clock), true) = (clock, votes.len() > 1) {
            let message =
                format_args!("time stamps change clocks; only times on the {clock} clock are shown");
            self.find(Severity::Warning, "clock-change", 0, message);
        }
        if let Some((start, end)) = usual
            && clock == Some(Clock::Unix)
            && end.nanos() < FIRST_GPS
        {
            let message = format!(
                "the times, {start} to {end}, lie before the first day of GPS: the clock was not set"
            );
            self.find(Severity::Warning, "time-unset", 0, message);
        }
        for (code, seen) in std::mem::take(&mut self.per_code) {
            if let more @ 1.. = seen.saturating_sub(Self::KEPT) {
                let message = format!("{more} more {code} findings not listed");
                self.findings.push(Finding { severity: Severity::Note, code, offset: 0, message });
            }
        }
        let mut lists = Lists::default();
        let channel = |(name, tally): (String, Tally)| {
            let span = clock.and_then(|clock| tally.stamps.span(clock, &outliers, usual));
            let length = span.and_then(|(start, end)| end.since(start));
            let interval = length.and_then(|nanos| tally.rhythm.interval(nanos));
            let Tally { kind, records, values, rows, attributes, .. } = tally;
            let columns = lists.of(kind, &rows);
            Channel { name, kind, records, values, span, interval, columns, attributes }
        };
        (self.findings, self.lost_bytes, clock, self.channels.sorted().map(channel).collect())
    }
}

/// Reads a recording to its end, past any damage, and counts its contents.
///
/// Memory does not grow with the recording. Returns only stream errors.
pub fn survey<F: Recording>(reader: &mut StreamReader<impl io::Read, F>) -> Result<Summary<DetailsOf<F>>> {
    survey_with(reader, &mut |_| {})
}

/// Like [`survey`]; calls `progress` with the position after each record.
pub fn survey_with<F: Recording>(
    reader: &mut StreamReader<impl io::Read, F>,
    progress: &mut dyn FnMut(u64),
) -> Result<Summary<DetailsOf<F>>> {
    let (summary, _) = survey_each(reader, &mut |step| {
        progress(step.end);
        ControlFlow::Continue(())
    })?;
    Ok(summary)
}

/// A step of a survey: see [`survey_each`].
#[derive(Debug)]
pub struct SurveyStep<'a, F: Format> {
    /// Offset of its first byte.
    pub offset: u64,
    /// Offset of the next step.
    pub end: u64,
    /// The record or damage.
    pub event: Event<'a, F>,
}

/// Like [`survey`]; passes each record and damage to `each` once it is counted. `each` may stop early: the rest is then
/// not counted, and the second value is true.
pub fn survey_each<F: Recording>(
    reader: &mut StreamReader<impl io::Read, F>,
    each: &mut dyn FnMut(SurveyStep<'_, F>) -> ControlFlow<()>,
) -> Result<(Summary<DetailsOf<F>>, bool)> {
    let decoder = F::Decoder::new(reader.header(), OptionsOf::<F>::default());
    survey_by(decoder, reader, None, each)
}

/// Like [`survey_each`], with a decoder that the caller made, and an observer.
pub fn survey_by<F: Recording>(
    mut decoder: F::Decoder,
    reader: &mut StreamReader<impl io::Read, F>,
    observer: Option<Box<dyn Observer>>,
    each: &mut dyn FnMut(SurveyStep<'_, F>) -> ControlFlow<()>,
) -> Result<(Summary<DetailsOf<F>>, bool)> {
    let mut notes = SurveyBuilder { observer, ..SurveyBuilder::default() };
    decoder.begin(reader.header(), &mut notes);
    let (mut records, mut is_partial) = (0_u64, false);
    while !is_partial {
        let offset = reader.position();
        notes.offset = offset;
        let (event, end) = reader.next_event_and_end()?;
        match &event {
            Event::Record(record) => {
                records += 1;
                decoder.count(record, &mut notes);
            }
            Event::Damage { error, lost } => decoder.damage(error, lost.clone(), &mut notes),
            Event::End => break,
        }
        is_partial = each(SurveyStep { offset, end, event }).is_break();
    }
    notes.offset = reader.position();
    let (variant, details) = decoder.counted(&mut notes);
    Ok((notes.into_summary(variant, records, reader.position(), details), is_partial))
}
