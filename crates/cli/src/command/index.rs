//! `robolog index`: offsets and times of records.

use std::{
    io::{self, BufWriter, Write},
    ops::ControlFlow,
};

use robolog_convert::{Error, Report, Result, Source, Visit, is_end_mark, source::Stream};
use robolog_core::{Event, Finding, Severity, StreamReader, Timestamp, format::survey_each};
use serde_json::json;

use crate::{args::IndexArgs, progress::Context, render, status::Status};

pub(crate) fn run(args: &IndexArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        let out = BufWriter::new(io::stdout().lock());
        let list = List { out, json: args.json, most: args.most.most.unwrap_or(u64::MAX) };
        let (report, findings) = context.open(file)?.visit(args.format.name.as_deref(), list)??;
        render::losses(file, &report);
        for finding in &findings {
            render::note(file, &finding.message);
        }
        Ok(Status::lossy_if(!report.is_complete() || !findings.is_empty()))
    })
}

struct List<W> {
    out: W,
    json: bool,
    most: u64,
}

impl<W: Write> Visit for List<W> {
    /// A summary, including findings other than damage between records: they are known after reading everything.
    type Output = Result<(Report, Vec<Finding>)>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Self::Output {
        let (mut report, mut timer, mut failure) = (Report::default(), F::timer(), None);
        let (summary, is_partial) = survey_each(&mut reader, &mut |step| {
            match step.event {
                Event::Record(record) if is_end_mark::<F>(&record) => {}
                Event::Record(_) if report.records >= self.most => return ControlFlow::Break(()),
                Event::Record(record) => {
                    let line = self.line(report.records, step.offset, timer(&record));
                    report.records += 1;
                    if let Err(error) = line {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => {}
            }
            ControlFlow::Continue(())
        })?;
        if let Some(failure) = failure {
            return Err(Error::from(failure));
        }
        self.out.flush()?;
        let is_fault = |finding: &Finding| {
            let is_told = || report.damage.iter().any(|damage| damage.error.to_string() == finding.message);
            finding.severity == Severity::Error && !is_told()
        };
        let findings = if is_partial { Vec::new() } else { summary.findings };
        let findings = findings.into_iter().filter(is_fault).collect();
        Ok((report, findings))
    }
}

impl<W: Write> List<W> {
    fn line(&mut self, number: u64, at: u64, time: Option<Timestamp>) -> io::Result<()> {
        if self.json {
            let t_ns = time.map(Timestamp::nanos);
            writeln!(self.out, "{}", json!({ "record": number, "offset": at, "t_ns": t_ns }))
        } else {
            let time = time.map_or_else(|| "-".into(), |t| t.to_string());
            writeln!(self.out, "{number:>8}  {at:#012x}  {time}")
        }
    }
}
