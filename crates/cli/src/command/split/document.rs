//! Documents: container elements go into every part, their content into one.

use std::path::Path;

use robolog_convert::{Limit, Report, Result, Source, Visit, source::Stream};
use robolog_core::{Error, ErrorKind, Event, StreamReader, format::Copier as _, slices::ending_at};

use super::{Out, Parts, Plan};
use crate::progress::Context;

/// Maximum number of parts written in one pass; more would be too many open files.
const OPEN: u64 = 64;

/// A document to split.
pub(super) struct Document<'a> {
    pub(super) path: &'a Path,
    pub(super) format: Option<&'a str>,
    pub(super) plan: Plan,
    pub(super) limit: &'a mut Limit,
    pub(super) parts: &'a mut Parts,
    pub(super) context: Context,
}

impl Document<'_> {
    pub(super) fn run<F: Source>(self, first: StreamReader<Stream, F>) -> Result<Report> {
        let Self { path, format, plan, limit, parts, context } = self;
        plan.check_times()?;
        let slots = plan.slots();
        let mut kept = Vec::new();
        let first_limit = limit.clone();
        let mut pass = Pass { plan: plan.clone(), limit, parts, kept: &mut kept, from: 0 };
        let report = pass.run(first)?;
        loop {
            let from = pass.from + OPEN;
            if from >= slots {
                break;
            }
            let mut limit = first_limit.clone();
            let next = Pass {
                plan: plan.clone(),
                limit: &mut limit,
                parts: &mut *pass.parts,
                kept: &mut *pass.kept,
                from,
            };
            // The first pass reported the damage.
            context.open(path)?.visit(format, next)??;
            pass.from = from;
        }
        if kept.iter().any(|n| *n > 0) {
            parts.retain(&|number| kept.get(number).is_some_and(|n| *n > 0))?;
            parts.note_record();
        } else {
            parts.retain(&|number| number == 0)?;
        }
        Ok(report)
    }
}

/// Writes the parts of one pass.
struct Pass<'a> {
    plan: Plan,
    limit: &'a mut Limit,
    parts: &'a mut Parts,
    /// Content kept in each part so far.
    kept: &'a mut Vec<u64>,
    /// The first part of this pass.
    from: u64,
}

impl Visit for Pass<'_> {
    type Output = Result<Report>;

    fn visit<F: Source>(mut self, reader: StreamReader<Stream, F>) -> Result<Report> {
        self.run(reader)
    }
}

impl Pass<'_> {
    fn run<F: Source>(&mut self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let mut report = Report::default();
        let header_bytes = reader.header_bytes().to_vec();
        let to = (self.from + OPEN).min(self.plan.slots());
        let mut writers = Vec::new();
        for _ in self.from..to {
            let out = self.parts.next()?;
            writers.push(F::Copier::<Out>::new(out, reader.header(), &header_bytes)?);
            self.kept.push(0);
        }
        // A point without a time goes where the one before it went, within its container.
        let (mut slot, mut is_first) = (0_u64, true);
        loop {
            let at = reader.position();
            let (event, end) = reader.next_event_and_end()?;
            match event {
                Event::Record(record) => {
                    report.records += 1;
                    let is_shared = F::Copier::<Out>::is_shared(&record);
                    if is_shared {
                        (slot, is_first) = (0, true);
                    } else if std::mem::take(&mut is_first) || !F::Copier::<Out>::continues(&record) {
                        let time = robolog_core::format::Timed::time(&record);
                        slot = self.plan.slot(time, at).map_or(slot, |new| new.max(slot));
                    }
                    for (number, writer) in (self.from..to).zip(&mut writers) {
                        if !is_shared && number != slot {
                            continue;
                        }
                        let limit = &mut *self.limit;
                        let mut is_kept = false;
                        let (outcome, lost) = writer.copy_counted(&record, &mut |channel, time| {
                            let keep = limit.wants(channel, time);
                            is_kept |= keep;
                            keep
                        });
                        if let Some(kept) = self.kept.get_mut(usize::try_from(number).unwrap_or(usize::MAX)) {
                            *kept += u64::from(is_kept);
                        }
                        if let Err(error) = outcome
                            && (!is_shared || number == self.from)
                        {
                            note(&mut report, error, ending_at(end, lost))?;
                        }
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
        }
        if let Some(error) = writers.first().and_then(robolog_core::format::Copier::unfinished) {
            report.damage(error, 0..0);
        }
        for writer in writers {
            writer.finish()?;
        }
        self.limit.check_channels()?;
        report.unjudged = self.limit.unjudged();
        Ok(report)
    }
}

fn note(report: &mut Report, error: Error, lost: std::ops::Range<u64>) -> Result<()> {
    if matches!(error.kind(), ErrorKind::Io(_)) {
        return Err(error.into());
    }
    report.damage(error, lost);
    Ok(())
}
