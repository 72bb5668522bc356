//! `robolog alog`: the toolbox for MOOS logs.

mod community;
mod extract;
mod filter;
mod helm;
mod merge;
mod scan;
mod sorter;
mod split;

use std::{
    io::{self, BufWriter, IsTerminal as _, Write},
    path::Path,
};

use ::alog::{Kind, Record, StreamReader};
use robolog_convert::{
    Error, Report, Result,
    source::Stream,
    target::{Existing, OutputFile, Target},
};
use robolog_core::Event;

pub(crate) use self::{
    community::same_community,
    merge::{merge_by_start, start_apart},
};
use crate::{args::OutArgs, args::alog::Alog, progress::Context, render, status::Status};

pub(crate) fn run(args: &Alog, context: Context) -> Result<Status> {
    match args {
        Alog::Grep(args) => filter::grep(args, context),
        Alog::Sort(args) => merge::sort(args, context),
        Alog::Merge(args) => merge::merge(args, context),
        Alog::Split(args) => split::split(args, context),
        Alog::Pare(args) => filter::pare(args, context),
        Alog::Dedup(args) => filter::dedup(args, context),
        Alog::Payloads(args) => extract::payloads(args, context),
        Alog::Scan(args) => scan::scan(args, context),
        Alog::Clip(args) => scan::clip(args, context),
        Alog::Rm(args) => filter::remove(args, context),
        Alog::Iter(args) => scan::iterations(args, context),
        Alog::Avg(args) => helm::averages(args, context),
        Alog::Cd(args) => helm::encounters(args, context),
        Alog::Helm(args) => helm::helm(args, context),
        Alog::Table(args) => extract::table(args, context),
    }
}

/// Opens a log of entries.
fn open(file: &Path, context: Context) -> Result<StreamReader<Stream>> {
    let reader: StreamReader<Stream> = context.open(file)?.reader(None)?;
    if reader.header().columns().is_some() {
        let instead = "a synchronous log is a table, without entries: use alog table, cat, cut or convert";
        return Err(Error::Target(instead.into()));
    }
    Ok(reader)
}

/// Passes all records to `each` in file order, and reports damage.
fn records(
    reader: &mut StreamReader<Stream>,
    each: &mut dyn FnMut(&Record<'_>) -> Result<()>,
) -> Result<Report> {
    let mut report = Report::default();
    loop {
        match reader.next_event()? {
            Event::Record(record) => {
                report.records += u64::from(record.kind() == Kind::Entry);
                each(&record)?;
            }
            Event::Damage { error, lost } => report.damage(error, lost),
            Event::End => return Ok(report),
        }
    }
}

/// Copies the entries for which `keep` returns true to a new log, and everything that is not an entry.
fn copy(
    file: &Path,
    out: &OutArgs,
    context: Context,
    keep: &mut dyn FnMut(&Record<'_>) -> bool,
) -> Result<Status> {
    super::each([file], |file| {
        let mut reader = open(file, context)?;
        let out = out.for_copy(file)?;
        let target = Target::create(&out.output, out.existing(), &[file])?;
        let mut writer = ::alog::Writer::with_header_bytes(target.writer()?, reader.header_bytes())?;
        let mut kept = 0_u64;
        let report = records(&mut reader, &mut |record| {
            if record.kind() != Kind::Entry || keep(record) {
                kept += u64::from(record.kind() == Kind::Entry);
                writer.write(record)?;
            }
            Ok(())
        })?;
        writer.finish()?;
        target.persist()?;
        Ok(finish(file, &out.output, &report, kept, context))
    })
}

/// Prints losses and the number of entries written.
fn finish(file: &Path, out: &Path, report: &Report, kept: u64, context: Context) -> Status {
    render::losses(file, report);
    if !context.quiet {
        render::note(out, format_args!("{kept} of {} entries", report.records));
    }
    if report.is_complete() { Status::Done } else { Status::Lossy }
}

/// Standard output, or a file that appears only when complete.
enum Out {
    Standard(Box<dyn Write>),
    File(BufWriter<OutputFile>, Target),
}

impl Out {
    fn new(path: Option<&Path>, existing: Existing, inputs: &[&Path]) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let out = io::stdout();
            // On a terminal, control characters are escaped.
            return Ok(Self::Standard(if out.is_terminal() {
                Box::new(render::Safe::new(out))
            } else {
                Box::new(BufWriter::new(out))
            }));
        };
        let target = Target::create(path, existing, inputs)?;
        Ok(Self::File(target.writer()?, target))
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Standard(mut out) => Ok(out.flush()?),
            Self::File(mut out, target) => {
                out.flush()?;
                drop(out);
                target.persist()
            }
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File(out, _) => out.flush(),
        }
    }
}
