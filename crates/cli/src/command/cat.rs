//! `robolog cat`: samples or records as JSON lines, or as a table for people.

mod table;

use std::{
    io::{self, BufWriter, IsTerminal as _, Write},
    path::Path,
};

use carla_rec::CarlaRec;
use robolog_convert::{
    Error, Feed, Limit, Report, Result, Settings, Sink, Source, Visit, convert, deliver, is_end_mark,
    json::Lines, sink::jsonl::Jsonl, source::Stream,
};
use robolog_core::{
    Event, StreamReader,
    format::{Format as _, Timed},
};

use self::table::Table;
use super::{inputs::expand, overview::Overview, spool::Spooled};
use crate::{args::CatArgs, progress::Context, render, status::Status};

pub(crate) fn run(args: &CatArgs, context: Context) -> Result<Status> {
    // Nothing is printed before a mistake.
    let instead = |name: &str| format!("--channel {} chooses a channel", render::quoted(name));
    if render::are_missing(&args.files, instead) {
        return Ok(Status::Failed);
    }
    let inputs = expand(&args.files, context);
    let files = &inputs.files;
    let is_table = !args.raw && !args.json && io::stdout().is_terminal();
    let limit = args.kind.limit(args.limit.with(&args.time)).with_most(args.most.most);
    let mut ended_early = false;
    let status = inputs.each(|path| {
        let printing = Printing { path, is_one: files.len() == 1, is_table };
        let report =
            if args.raw { printing.records(args, context) } else { printing.samples(args, &limit, context) }?;
        ended_early |= report.ended_early;
        render::losses(path, &report);
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })?;
    if files.len() > 1 && !ended_early {
        // With several recordings, a channel need not be in each.
        limit.check_channels()?;
    }
    Ok(status)
}

/// Prints a recording.
struct Printing<'a> {
    path: &'a Path,
    /// Whether it is the only recording.
    is_one: bool,
    is_table: bool,
}

impl Printing<'_> {
    fn lines(&self) -> Lines<BufWriter<io::StdoutLock<'static>>> {
        let lines = Lines::new(BufWriter::with_capacity(1 << 16, io::stdout().lock()));
        if self.is_one { lines } else { lines.with_file(&self.path.to_string_lossy()) }
    }

    fn samples(&self, args: &CatArgs, all: &Limit, context: Context) -> Result<Report> {
        let (path, format) = (self.path, args.format.name.as_deref());
        // Times count from the earliest sample, which need not be the first.
        let spooled = Spooled::new(path)?;
        let input = context.open(spooled.path())?;
        let mut progress = context.progress(input.len());
        let mut limit = if self.is_one { all.clone() } else { all.clone().unchecked() };
        Overview::new(&input, format, context).place(&mut limit, &Settings::default())?;
        // Limits that leave nothing are an error, unless the recording has no samples or is one of several.
        let deliver = if limit.is_unlimited() || !self.is_one { deliver } else { convert };
        let feed = Feed::new(input).with_format(format).with_limit(limit);
        let deliver = |sink: &mut dyn Sink| deliver(vec![feed], sink, &mut |at| progress.set(at));
        let report = if self.is_table {
            let mut table = Table::new(render::Safe::new(io::stdout().lock()));
            table.head((!self.is_one).then(|| render::path(path)))?;
            let report = deliver(&mut table);
            table.flush()?;
            report?
        } else {
            let mut sink = Jsonl::of(self.lines());
            let report = deliver(&mut sink);
            sink.flush()?;
            report?
        };
        if report.written.is_empty() && !context.quiet {
            render::note(path, "note: no samples");
        }
        Ok(report)
    }

    fn records(&self, args: &CatArgs, context: Context) -> Result<Report> {
        let (most, format) = (args.most.most.unwrap_or(u64::MAX), args.format.name.as_deref());
        let spooled = Spooled::new(self.path)?;
        let open = || context.open(spooled.path());
        let raw = Raw { out: self.lines(), most };
        let is_carla = |name: &str| name.split(':').next() == Some(CarlaRec::NAME);
        if format
            .map_or_else(|| open()?.format().map(is_carla), |format| Ok(is_carla(format)))
            .unwrap_or(false)
        {
            // A packet by itself may not show what it is.
            let dialect = carla_rec::learn(&mut open()?.reader::<CarlaRec>(format)?)?;
            let mut reader = open()?.reader::<CarlaRec>(format)?;
            reader.header_mut().dialect = dialect;
            return raw.visit(reader);
        }
        open()?.visit(format, raw)?
    }
}

struct Raw<W> {
    out: Lines<W>,
    most: u64,
}

impl<W: Write> Visit for Raw<W> {
    type Output = Result<Report>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let mut report = Report::default();
        while report.records < self.most {
            let at = reader.position();
            match reader.next_event()? {
                Event::Record(record) if is_end_mark::<F>(&record) => {}
                Event::Record(record) => {
                    report.records += 1;
                    let value = F::raw(&record).map_err(|e| Error::Write(e.into()))?;
                    if F::NAME == CarlaRec::NAME && value.contains("\"error\":") {
                        let error =
                            robolog_core::Error::invalid("packet", "another body", "that of its kind", at);
                        report.damage(error.within("CARLA packet"), at..at);
                    }
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
