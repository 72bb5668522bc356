//! Merges records by time, or appends recordings.

use std::cmp::Ordering;

use robolog_convert::{Error, Result, Source};
use robolog_core::{ErrorKind, Timestamp, format::Copier, slices::ending_at};

use super::{Job, Merged, Out, next::Next};

/// Merges all records in order of time. Records of one recording keep their order: where it goes back in time, so does
/// the result.
pub(super) fn by_time<F: Source>(job: &Job<'_>, out: Out) -> Result<Merged> {
    let mut lanes = job.lanes::<F>()?;
    lanes.iter_mut().try_for_each(Next::advance)?;
    let mut joined = Output::begin(&lanes, out)?;
    for (lane, file) in lanes.iter().zip(&job.files).skip(1) {
        joined.follow(lane).map_err(|e| e.at(file))?;
    }
    while let Some(next) = next(&lanes)? {
        let Some(lane) = lanes.get_mut(next) else { break };
        joined.copy(lane)?;
        lane.advance()?;
    }
    if let Some(lane) = lanes.last_mut() {
        joined.end(lane);
    }
    joined.finish(job, lanes)
}

/// Appends the recordings: parts by number, others by start.
///
/// Returns an error if recordings other than parts overlap in time, or if they do not fit together.
pub(super) fn sequence<F: Source>(job: &Job<'_>, out: Out, numbers: Option<Vec<usize>>) -> Result<Merged> {
    let mut lanes = job.lanes::<F>()?;
    lanes.iter_mut().try_for_each(Next::advance)?;
    let are_parts = numbers.is_some();
    let mut order = numbers.unwrap_or_else(|| (0..lanes.len()).collect());
    let start = |lane: &usize| lanes.get(*lane).and_then(|lane| lane.turn);
    if !are_parts && order.iter().all(|lane| start(lane).is_some()) {
        order.sort_by(|a, b| start(a).partial_cmp(&start(b)).unwrap_or(Ordering::Equal));
    }
    let mut joined: Option<Output<F>> = None;
    let mut out = Some(out);
    let mut end: Option<Timestamp> = None;
    for number in order {
        let (Some(lane), Some(file)) = (lanes.get_mut(number), job.files.get(number)) else { continue };
        let joined = match (&mut joined, out.take()) {
            (Some(joined), _) => {
                if let Some((end, start)) =
                    end.zip(lane.turn).filter(|(end, start)| start < end && !are_parts)
                {
                    let message = format!(
                        "begins at {start}, before the previous recording ends, at {end}: they overlap in time"
                    );
                    return Err(Error::Target(message.into()).at(file));
                }
                joined.follow(lane).map_err(|e| e.at(file))?;
                joined
            }
            (none, Some(out)) => none.insert(Output::begin(std::slice::from_ref(lane), out)?),
            (None, None) => break,
        };
        while lane.raw().is_some() {
            joined.copy(lane).map_err(|e| e.at(file))?;
            lane.advance()?;
        }
        joined.end(lane);
        end = lane.turn.or(end);
    }
    joined.map_or_else(|| Ok(Merged { records: 0, is_whole: true }), |joined| joined.finish(job, lanes))
}

/// The recording with the earliest next record; among equal times and records without a time, the one named first.
fn next<F: Source>(lanes: &[Next<F>]) -> Result<Option<usize>> {
    let mut next: Option<(usize, Option<Timestamp>)> = None;
    for (number, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.raw().is_some()) {
        let is_earlier = match (next, lane.turn) {
            (Some((_, None)), _) => false,
            (Some((_, Some(first))), Some(turn)) => {
                let order = turn.partial_cmp(&first).ok_or_else(|| {
                    let (turn, first) = (turn.clock(), first.clock());
                    let message = format!(
                        "times on the {turn} clock cannot be compared with times on the {first} clock"
                    );
                    Error::Target(message.into())
                })?;
                order.is_lt()
            }
            (None, _) | (Some(_), None) => true,
        };
        if is_earlier {
            next = Some((number, lane.turn));
        }
    }
    Ok(next.map(|(number, _)| number))
}

/// The output recording.
struct Output<F: Source> {
    writer: F::Copier<Out>,
    first: Vec<u8>,
    /// The end mark, with the recording that has it.
    end: Option<Vec<u8>>,
    records: u64,
}

impl<F: Source> Output<F> {
    fn begin(lanes: &[Next<F>], out: Out) -> Result<Self> {
        let Some(lane) = lanes.first() else { return Err(Error::Empty("no recording".into())) };
        let writer = F::Copier::<Out>::new(out, lane.header(), lane.header_bytes())?;
        Ok(Self { writer, first: lane.header_bytes().to_vec(), end: None, records: 0 })
    }

    fn follow(&mut self, lane: &Next<F>) -> Result<()> {
        Ok(self.writer.follow(&self.first, lane.header(), lane.header_bytes())?)
    }

    /// Copies the next record of a recording.
    fn copy(&mut self, lane: &mut Next<F>) -> Result<()> {
        let Some(record) = lane.record() else { return Ok(()) };
        if F::Copier::<Out>::is_end(&record) {
            // Others may continue: written at the end.
            drop(record);
            self.end_with(lane);
            return Ok(());
        }
        let (outcome, lost) = self.writer.copy_counted(&record, &mut |_, _| true);
        drop(record);
        let end = lane.raw().map_or(0, |raw| raw.end());
        self.records += 1;
        match outcome {
            Ok(_) => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => Err(error.into()),
            Err(error) => {
                if lost == 0 && is_clash(&error) {
                    return Err(error.into());
                }
                lane.report.damage(error, ending_at(end, lost));
                Ok(())
            }
        }
    }

    /// Keeps the end mark of a recording, with the bytes after it. There is room for those of one recording.
    fn end_with(&mut self, lane: &mut Next<F>) {
        let Some(raw) = lane.raw() else { return };
        let before = self.end.get_or_insert_default();
        if raw.bytes.starts_with(before) {
            *before = raw.bytes.to_vec();
        } else if !before.starts_with(raw.bytes) {
            let lost = raw.offset..raw.end();
            let found = "others than in the recording before";
            let error =
                robolog_core::Error::invalid("bytes after the end mark", found, "the same", lost.start);
            lane.report.damage(error, lost);
        }
    }

    /// Counts losses at the end of a recording.
    fn end(&self, lane: &mut Next<F>) {
        if let Some(error) = self.writer.unfinished() {
            lane.report.damage(error, 0..0);
        }
    }

    fn finish(mut self, job: &Job<'_>, lanes: Vec<Next<F>>) -> Result<Merged> {
        if let (Some(bytes), Some(lane)) = (self.end.take(), lanes.first()) {
            let raw = robolog_core::format::RawRecord { offset: u64::MAX, bytes: &bytes };
            self.writer.copy(&F::record(lane.header(), raw)?, &mut |_, _| true)?;
        }
        self.writer.finish()?;
        let reports: Vec<_> = lanes.into_iter().map(|lane| lane.report).collect();
        Ok(Merged { records: self.records, is_whole: job.report(&reports) })
    }
}

/// Whether the error means that two recordings do not fit together.
fn is_clash(error: &robolog_core::Error) -> bool {
    matches!(error.kind(), ErrorKind::Invalid { what: "number of a new actor", .. })
}
