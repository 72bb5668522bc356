//! `robolog index`: where records lie and when they were recorded.

use std::io::{self, BufWriter, Write};

use robolog_convert::{Report, Result, Source, Visit, source::Stream};
use robolog_core::{Event, StreamReader, Timestamp};
use serde_json::json;

use crate::{Status, args::IndexArgs, progress::Context, render};

pub(crate) fn run(args: &IndexArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        let out = BufWriter::new(io::stdout().lock());
        let list = List { out, json: args.json, most: args.most.most.unwrap_or(u64::MAX) };
        let report = context.open(file)?.visit(args.format.name.as_deref(), list)??;
        render::losses(file, &report);
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}

struct List<W> {
    out: W,
    json: bool,
    most: u64,
}

impl<W: Write> Visit for List<W> {
    type Output = Result<Report>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        let (mut report, mut timer) = (Report::default(), F::timer());
        while report.records < self.most {
            let at = reader.position();
            match reader.next_event()? {
                Event::Record(record) => {
                    let time = timer(&record);
                    if self.json {
                        let t_ns = time.map(Timestamp::nanos);
                        writeln!(
                            self.out,
                            "{}",
                            json!({ "record": report.records, "offset": at, "t_ns": t_ns })
                        )?;
                    } else {
                        let time = time.map_or_else(|| "-".into(), |t| t.to_string());
                        writeln!(self.out, "{:>8}  {at:#012x}  {time}", report.records)?;
                    }
                    report.records += 1;
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
        }
        self.out.flush()?;
        Ok(report)
    }
}
