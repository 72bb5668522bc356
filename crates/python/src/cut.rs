//! A part of a recording, byte for byte.

use std::{fs::File, io::BufWriter, path::Path};

use robolog_convert::{
    Error, Limit, Report, Result, Source, Visit,
    source::Stream,
    target::{Existing, Target},
};
use robolog_core::{ErrorKind, Event, Rewriting, StreamReader};

use crate::{limit::Query, pulse::Pulse, recording::Recording};

/// Copies what the query asks for into a new file.
pub(crate) fn run(
    recording: &Recording,
    output: &Path,
    force: bool,
    query: &Query,
    pulse: &Pulse,
) -> Result<Report> {
    let mut limit = query.limit();
    if limit.is_relative()
        && let Some((start, end)) = recording.span(&robolog_convert::Settings::default(), pulse)?
    {
        limit.begin_at(start);
        limit.end_at(end);
    }
    let input = recording.input(pulse)?;
    if input.is_dataset() {
        return Err(Error::Target("a data set is cut by the program: robolog cut".into()));
    }
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let inputs: Vec<&Path> = recording.source.path().into_iter().collect();
    let target = Target::create(output, existing, &inputs)?;
    let copy = Copy { out: target.writer()?, is_limited: !limit.is_unlimited(), limit, pulse };
    let report = input.visit(recording.format.as_deref(), copy)??;
    target.persist()?;
    Ok(report)
}

struct Copy<'a> {
    out: BufWriter<File>,
    limit: Limit,
    is_limited: bool,
    pulse: &'a Pulse,
}

impl Visit for Copy<'_> {
    type Output = Result<Report>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let Self { out, mut limit, is_limited, pulse } = self;
        let mut report = Report { files: 1, ..Report::default() };
        let header = reader.header_bytes().to_vec();
        let mut writer = F::Rewriter::new(out, reader.header(), &header)?;
        let mut parts = 0_u64;
        loop {
            let mut fault = None;
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records = report.records.saturating_add(1);
                    let before = writer.left_out();
                    let mut keep = |channel: &str, time| {
                        let keep = limit.wants(channel, time);
                        parts = parts.saturating_add(u64::from(keep));
                        keep
                    };
                    match writer.copy(&record, &mut keep) {
                        Ok(_) => {}
                        Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error.into()),
                        Err(error) => fault = Some((error, writer.left_out().saturating_sub(before))),
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            let end = reader.position();
            if let Some((error, left_out)) = fault {
                report.damage(error, end.saturating_sub(left_out)..end);
            }
            pulse.tick(Some(end))?;
        }
        if let Some(error) = writer.unfinished() {
            report.damage(error, 0..0);
        }
        writer.finish()?;
        report.unjudged = limit.unjudged();
        if parts == 0 && report.records > 0 && is_limited {
            return Err(Error::Empty("nothing in the recording is within the limits".into()));
        }
        Ok(report)
    }
}
