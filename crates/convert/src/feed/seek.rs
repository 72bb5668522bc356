//! Finds the parts of a file to read for time limits.

use std::{io::Read as _, ops::Range};

use robolog_core::{
    Event, Sample, StreamReader, TimeIndex, Timestamp,
    format::{Decoder as _, ReorderBound},
};

use crate::{
    Error, Input, Limit, Result, Settings, Source, Visit,
    source::{PlainFile, Stream},
};

/// Bytes at the start that are always read.
const HEAD: u64 = 512 << 10;

/// Maximum span of the first records, a day in nanoseconds; a time farther off is an outlier.
const NEAR: i64 = 86_400_000_000_000;

/// Bytes of a document whose times are sought at once.
const PART: usize = 1 << 20;

/// An hour in nanoseconds: times of a document that are farther apart belong to different groups, as in a survey.
const GAP: i64 = 3_600_000_000_000;

/// The sample with the earliest time is looked for in the first part of a document: one byte in this many.
const FIRST: u64 = 8;

/// Parts of a file to read: the first records, those around the time limits, and the last ones of a format with an end
/// mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// End of the first records, and the offset at which to go on.
    skip: Option<(u64, u64)>,
    /// End of the records to read.
    end: Option<u64>,
    /// Offset of the last records, read after `end`.
    last: Option<u64>,
    /// Whether something was skipped so far.
    is_partial: bool,
}

/// The first records of a file whose times are in order, as far as examined.
struct Head<F: Source> {
    reader: StreamReader<Stream, F>,
    /// Offset of the first record, and the end of the first records.
    start: u64,
    end: u64,
    /// Has seen the first records.
    judge: F::Decoder,
    bound: ReorderBound,
    moments: TimeIndex,
    earliest: Option<Timestamp>,
}

impl<F: Source> Head<F> {
    /// `None` if everything must be read.
    fn open(file: &PlainFile, settings: &Settings) -> Result<Option<Self>> {
        if file.len <= HEAD * 2 {
            return Ok(None);
        }
        let mut reader = file.open::<F>()?;
        let start = reader.position();
        let mut judge = F::Decoder::new(reader.header(), F::options(settings));
        let (mut earliest, mut last): (Option<Timestamp>, Option<Timestamp>) = (None, None);
        while reader.position() < start + HEAD {
            match reader.next_event()? {
                Event::Record(record) => {
                    judge.follow(&record, 0..0);
                    let time = judge.span(&record).map(|(earliest, _)| earliest);
                    earliest = earliest.zip(time).map(|(a, b)| a.earlier(b)).or(earliest).or(time);
                    last = time.or(last);
                }
                Event::Damage { .. } | Event::End => return Ok(None),
            }
        }
        // A time far from the others is an outlier, not the start.
        let is_near = |earliest: &Timestamp| last.and_then(|last| last.since(*earliest)) < Some(NEAR);
        let earliest = earliest.filter(is_near);
        let end = reader.position();
        let Some(bound) = judge.reorder_bound() else { return Ok(None) };
        let earliest = earliest.filter(|_| judge.knows_start());
        let moments = TimeIndex::find(&mut reader, (end, file.len), &judge, bound)?;
        Ok(moments.map(|moments| Self { reader, start, end, judge, bound, moments, earliest }))
    }

    /// Earliest time of a sample if the times of records do not give it: makes samples up to the record after which
    /// none can be earlier. `None` if everything must be read.
    fn earliest(mut self, settings: &Settings) -> Result<Option<Timestamp>> {
        if self.earliest.is_some() {
            return Ok(self.earliest);
        }
        self.reader.seek(self.start)?;
        let mut decoder = F::Decoder::new(self.reader.header(), F::options(settings));
        let (mut earliest, mut is_end): (Option<Timestamp>, bool) = (None, false);
        while !is_end {
            let mut latest = None;
            let mut see = |time: Timestamp| {
                latest = Some(time);
                earliest = Some(earliest.map_or(time, |earliest| earliest.earlier(time)));
            };
            let seen = match self.reader.next_event()? {
                Event::Record(record) => {
                    let seen = decoder.times(&record, &mut see);
                    latest = self.judge.span(&record).map(|(time, _)| time).or(latest);
                    seen
                }
                Event::Damage { .. } => return Ok(None),
                Event::End => {
                    is_end = true;
                    decoder.last_samples(&mut |sample: &mut Sample| {
                        sample.time.into_iter().for_each(&mut see);
                        Ok(())
                    })
                }
            };
            if seen.is_err() {
                return Ok(None);
            }
            match latest.zip(earliest).map(|(latest, earliest)| latest.since(earliest)) {
                // Far away, or of another clock.
                Some(ahead) if ahead.is_none_or(|ahead| ahead > NEAR) => return Ok(None),
                Some(ahead) if ahead > Some(self.bound.total()) => break,
                _ => {}
            }
        }
        Ok(earliest)
    }
}

impl Reach {
    /// Opens the file, and finds the parts to read. `None` if everything must be read.
    pub(crate) fn find<F: Source>(
        file: &PlainFile,
        limit: &Limit,
        settings: &Settings,
    ) -> Result<Option<(StreamReader<Stream, F>, Self)>> {
        if limit.bounds() == (None, None) {
            return Ok(None);
        }
        let Some(head) = Head::<F>::open(file, settings)? else { return Ok(None) };
        let Head { mut reader, start, end, judge, bound, mut moments, .. } = head;
        let bound = bound.total();
        let first = |_, latest: Timestamp| {
            let ahead = settings.moved(latest).and_then(|latest| limit.ahead(latest));
            ahead.map_or(0, |ahead| ahead.saturating_sub(bound))
        };
        let last = |earliest: Timestamp, _| {
            let left = settings.moved(earliest).and_then(|earliest| limit.left(earliest));
            left.map_or(i64::MAX, |left| left.saturating_add(bound))
        };
        let Some(from) = moments.look_for(&mut reader, &judge, &first)? else { return Ok(None) };
        let Some(to) = moments.look_for(&mut reader, &judge, &last)? else { return Ok(None) };
        let skip = from.before.filter(|before| *before > end).map(|before| (end, before));
        let mut reach = Self { skip, end: to.behind, ..Self::default() };
        if let Some(behind) = reach.end.filter(|_| F::HAS_END_MARK) {
            let last = moments.near_end(&mut reader, &judge)?.filter(|last| *last > behind);
            reach.end = last.and(reach.end);
            reach.last = last;
        }
        reader.seek(start)?;
        Ok((reach != Self::default()).then_some((reader, reach)))
    }

    /// Reads up to the record at `end`.
    pub(super) fn up_to(end: Option<u64>) -> Self {
        Self { end, ..Self::default() }
    }

    /// Whether these bytes contain anything to read.
    pub(super) fn is_within(&self, bytes: Range<u64>) -> bool {
        let from = self.skip.map_or(0, |(_, from)| from);
        from < bytes.end && self.end.is_none_or(|end| bytes.start < end)
    }

    /// Moves to the next record to read; false if there is none.
    pub(crate) fn advance<F: Source>(&mut self, reader: &mut StreamReader<Stream, F>) -> Result<bool> {
        if let Some((from, to)) = self.skip
            && reader.is_at(from)
        {
            self.skip = None;
            self.is_partial = true;
            reader.seek(to)?;
        }
        let is_over = self.end.is_some_and(|end| reader.is_at(end));
        self.is_partial |= is_over;
        if let Some(last) = self.last.take_if(|_| is_over) {
            self.end = None;
            reader.seek(last)?;
            return Ok(true);
        }
        Ok(!is_over)
    }

    /// Whether something was skipped so far.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// The earliest time written in a document, in which elements have any order, if one of its first samples has it. `None`
/// if only a survey can tell.
fn earliest_written<F: Source>(file: &PlainFile, settings: &Settings) -> Result<Option<Timestamp>> {
    let Some(earliest) = Written::of::<F>(file)?.and_then(|written| written.start()) else { return Ok(None) };
    let mut reader = file.open::<F>()?;
    let mut decoder = F::Decoder::new(reader.header(), F::options(settings));
    let mut is_of_sample = false;
    while !is_of_sample && reader.position() <= file.len / FIRST {
        let Event::Record(record) = reader.next_event()? else { return Ok(None) };
        if decoder.times(&record, &mut |time| is_of_sample |= time == earliest).is_err() {
            return Ok(None);
        }
    }
    Ok(is_of_sample.then_some(earliest))
}

/// The times written in a document.
#[derive(Default)]
struct Written {
    /// The earliest and the latest one.
    span: Option<(Timestamp, Timestamp)>,
    /// Whether one is far from all before it.
    has_gap: bool,
}

impl Written {
    /// `None` if the elements must be read to tell the times, as in all formats that are no documents.
    fn of<F: Source>(file: &PlainFile) -> Result<Option<Self>> {
        if F::Decoder::written_times(&[], false, &mut |_| {}).is_none() {
            return Ok(None);
        }
        let (mut bytes, mut part, mut written) = (file.bytes()?, Vec::new(), Self::default());
        loop {
            let room = PART.saturating_sub(part.len()) as u64;
            let read = bytes.by_ref().take(room).read_to_end(&mut part);
            let is_last = read.map_err(|e| Error::file(&file.path, e))? == 0;
            let seen = F::Decoder::written_times(&part, is_last, &mut |time| written.see(time));
            match seen {
                Some(_) if is_last => return Ok(Some(written)),
                Some(seen) if seen > 0 && !written.may_have_outliers() => {
                    drop(part.drain(..seen.min(part.len())));
                }
                _ => return Ok(None),
            }
        }
    }

    fn see(&mut self, time: Timestamp) {
        let (from, to) = self.span.unwrap_or((time, time));
        let gap = |from: Timestamp, to: Timestamp| to.since(from).is_none_or(|gap| gap > GAP);
        self.has_gap |= gap(time, from) || gap(to, time);
        self.span = Some((from.earlier(time), to.later(time)));
    }

    /// Times in several groups over more than a day may be outliers, which are not the start.
    fn may_have_outliers(&self) -> bool {
        self.has_gap && self.span.is_some_and(|(from, to)| to.since(from).is_none_or(|span| span > NEAR))
    }

    fn start(&self) -> Option<Timestamp> {
        self.span.filter(|_| !self.may_have_outliers()).map(|(start, _)| start)
    }
}

/// Start of a recording, with `settings` applied. Found from the first records if the later ones are in order. A MOOS
/// log, whose values contain times too, and a Koblenz log with a Velodyne, whose clouds begin before their messages,
/// are read until no sample can be earlier. Of GPX and KML, whose elements have any order, the times are sought in the
/// text. `None` if only a survey can find it.
pub fn start(input: Input, format: Option<&str>, settings: &Settings) -> Result<Option<Timestamp>> {
    match input.plain_file(format) {
        Some(file) => input.visit(format, Start { file: &file, settings })?,
        None => Ok(None),
    }
}

/// Start of a recording, as [`start`] finds it, and its end, found from its last records in the same way.
pub fn span(
    input: Input,
    format: Option<&str>,
    settings: &Settings,
) -> Result<Option<(Timestamp, Timestamp)>> {
    match input.plain_file(format) {
        Some(file) => input.visit(format, Ends { file: &file, settings })?,
        None => Ok(None),
    }
}

struct Ends<'a> {
    file: &'a PlainFile,
    settings: &'a Settings,
}

impl Visit for Ends<'_> {
    type Output = Result<Option<(Timestamp, Timestamp)>>;

    fn visit<F: Source>(self, _: StreamReader<Stream, F>) -> Self::Output {
        let Some(mut head) = Head::<F>::open(self.file, self.settings)? else { return Ok(None) };
        let Some(start) = head.earliest else { return Ok(None) };
        let latest = head.moments.latest(&mut head.reader, &head.judge)?;
        Ok(latest.and_then(|end| self.settings.moved(start).zip(self.settings.moved(end))))
    }
}

struct Start<'a> {
    file: &'a PlainFile,
    settings: &'a Settings,
}

impl Visit for Start<'_> {
    type Output = Result<Option<Timestamp>>;

    fn visit<F: Source>(self, _: StreamReader<Stream, F>) -> Self::Output {
        let earliest = match Head::<F>::open(self.file, self.settings)? {
            Some(head) => head.earliest(self.settings)?,
            None => earliest_written::<F>(self.file, self.settings)?,
        };
        Ok(earliest.and_then(|earliest| self.settings.moved(earliest)))
    }
}
