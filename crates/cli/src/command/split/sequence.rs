//! Formats of records: one pass, part after part.

use std::{cell::Cell, ops::Range, rc::Rc};

use robolog_convert::{Limit, Report, Result, Source, is_end_mark, source::Stream};
use robolog_core::{
    Error, ErrorKind, Event, StreamReader, Timestamp,
    format::Copier as _,
    slices::{InRange as _, ending_at},
};

use super::{
    Out, Parts, Plan,
    plan::{By, MOST_PARTS},
};
use crate::progress::Progress;

/// Ends parts when due.
pub(super) struct Sequence<'a> {
    plan: Plan,
    limit: &'a mut Limit,
    progress: Progress,
    report: Report,
    /// The current part: its number in the plan, and its length.
    slot: u64,
    len: Rc<Cell<u64>>,
    /// The latest time so far.
    latest: Option<Timestamp>,
    /// Possible starts of parts: the offset of the last one, and the longest distance between two.
    unit: (u64, u64),
}

impl<'a> Sequence<'a> {
    pub(super) fn new(plan: Plan, limit: &'a mut Limit, progress: Progress) -> Self {
        let (report, len) = (Report::default(), Rc::default());
        Self { plan, limit, progress, report, slot: 0, len, latest: None, unit: (0, 0) }
    }

    pub(super) fn run<F: Source>(
        mut self,
        mut reader: StreamReader<Stream, F>,
        parts: &mut Parts,
    ) -> Result<Report> {
        let header_bytes = reader.header_bytes().to_vec();
        let mut writer = F::Copier::<Out>::new(self.begin(parts)?, reader.header(), &header_bytes)?;
        let mut has_begun = false;
        self.unit.0 = reader.position();
        loop {
            let at = reader.position();
            let (event, end) = reader.next_event_and_end()?;
            match event {
                Event::Record(record) => {
                    self.report.records += u64::from(!is_end_mark::<F>(&record));
                    let time = writer.time_of(&record);
                    self.plan.meet(time);
                    if writer.can_part(&record) {
                        if self.is_due(time, at, end) && has_begun && parts.len() < MOST_PARTS {
                            if let Some(error) = writer.unfinished() {
                                self.report.damage(error, 0..0);
                            }
                            let (_, next) = writer.part(self.begin(parts)?, &header_bytes)?;
                            writer = next;
                        }
                        has_begun = true;
                    }
                    self.latest = match (self.latest, time) {
                        (Some(latest), Some(time)) => Some(latest.later(time)),
                        (latest, time) => latest.or(time),
                    };
                    let mut kept = false;
                    let limit = &mut *self.limit;
                    let (outcome, lost) = writer.copy_counted(&record, &mut |channel, time| {
                        let keep = limit.wants(channel, time);
                        kept |= keep;
                        keep
                    });
                    if kept {
                        parts.note_record();
                    }
                    self.note(outcome.err(), ending_at(end, lost))?;
                }
                Event::Damage { error, lost } => self.report.damage(error, lost),
                Event::End => break,
            }
            self.progress.set(end);
        }
        if let Some(error) = writer.unfinished() {
            self.report.damage(error, 0..0);
        }
        writer.finish()?;
        self.limit.check_channels()?;
        self.plan.check_times()?;
        self.report.unjudged = self.limit.unjudged();
        Ok(self.report)
    }

    fn begin(&mut self, parts: &mut Parts) -> Result<Out> {
        let out = parts.next()?;
        self.len = out.len();
        Ok(out)
    }

    fn note(&mut self, error: Option<Error>, lost: Range<u64>) -> Result<()> {
        match error {
            Some(error) if matches!(error.kind(), ErrorKind::Io(_)) => Err(error.into()),
            Some(error) => {
                self.report.damage(error, lost);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Whether a part begins at this possible start. `merge` orders parts by time, so parts by size and number begin
    /// where no earlier record is later, if such a place is near.
    fn is_due(&mut self, time: Option<Timestamp>, at: u64, end: u64) -> bool {
        let (from, longest) = self.unit;
        self.unit = (at, longest.max(at.minus(from)));
        let is_in_order = self.latest.zip(time).is_none_or(|(latest, time)| time >= latest);
        match self.plan.by {
            By::Time(_) | By::Moments => {
                let slot = self.plan.slot(time, at).filter(|slot| *slot > self.slot);
                self.slot = slot.unwrap_or(self.slot);
                slot.is_some()
            }
            By::Size(size) => {
                let next = self.unit.1.max(end - at);
                let len = self.len.get();
                let is_far = len > size.saturating_add(size.wrapping_div(8));
                len.saturating_add(next) > size && (is_in_order || is_far)
            }
            By::Number(parts) => {
                let later =
                    at.saturating_sub(self.plan.bytes().checked_div(parts.saturating_mul(8)).unwrap_or(0));
                let is_far = self.plan.slot(None, later).is_some_and(|slot| slot > self.slot);
                let slot =
                    self.plan.slot(None, at).filter(|slot| *slot > self.slot && (is_in_order || is_far));
                self.slot = slot.unwrap_or(self.slot);
                slot.is_some()
            }
        }
    }
}
