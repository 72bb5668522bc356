//! `robolog cat`: samples or records as JSON, one a line.

use std::io::{self, BufWriter, Write};

use robolog_convert::{
    Error, Feed, Report, Result, Settings, Source, Visit, convert, deliver, json::Lines, sink::jsonl::Jsonl,
    source::Stream,
};
use robolog_core::{Event, StreamReader, Timed};

use super::overview::{self, Overview};
use crate::{Status, args::CatArgs, progress::Context, render};

pub(crate) fn run(args: &CatArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |path| {
        let input = context.open(path)?;
        let format = args.format.name.as_deref();
        let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let report = if args.raw {
            input.visit(format, Raw { out: Lines::new(out) })??
        } else {
            let mut progress = context.progress(input.len());
            let mut limit = args.limit.clone().with(&args.time);
            let span = Overview::new(&input, format, context).span(&limit, &Settings::default())?;
            overview::place(&mut limit, span);
            let mut sink = Jsonl::new(out);
            // Limits that leave nothing are a mistake of the user; a recording without samples is none.
            let deliver = if limit.is_unlimited() { deliver } else { convert };
            let feed = Feed::new(input).with_format(format).with_limit(limit);
            let report = deliver(vec![feed], &mut sink, &mut |at| progress.set(at));
            sink.flush()?;
            let report = report?;
            if report.written.is_empty() && !context.quiet {
                render::note(path, "note: no samples");
            }
            report
        };
        render::losses(path, &report);
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}

struct Raw<W> {
    out: Lines<W>,
}

impl<W: Write> Visit for Raw<W> {
    type Output = Result<Report>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let mut report = Report::default();
        loop {
            let at = reader.position();
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records = report.records.saturating_add(1);
                    let value = F::raw(&record).map_err(|e| Error::Write(e.into()))?;
                    self.out.raw(at, record.time(), F::NAME, &value)?;
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
        }
        self.out.into_inner().flush()?;
        Ok(report)
    }
}
