//! `robolog split`: parts of a recording that open on their own.

mod counted;
mod data_set;
mod document;
mod folder;
mod plan;
mod sequence;

use std::{num::NonZeroU64, path::Path};

use robolog_convert::{Error, Limit, Report, Result, Settings, Source, Visit, source::Stream};
use robolog_core::{
    StreamReader,
    format::{Copier as _, MergeMode},
};

use self::{counted::Counted, document::Document, folder::Parts, plan::Plan, sequence::Sequence};
use super::{
    overview::{self, Overview},
    spool::Spooled,
};
use crate::{args::parts::SplitArgs, progress::Context, render, status::Status};

/// The output of a part.
type Out = Counted;

pub(crate) fn run(args: &SplitArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        let spooled = Spooled::new(file)?;
        let (path, format) = (spooled.path(), args.format.name.as_deref());
        let input = context.open(path)?;
        let mut limit = args.limit.with(&args.time);
        Overview::new(&input, format, context).choose(&mut limit)?;
        if limit.is_relative() {
            let span = Overview::new(&input, format, context).span(&limit, &Settings::default())?;
            overview::place(&mut limit, span);
        }
        let plan = Plan::new(&args.by, path, format, context)?;
        let mut parts = Parts::create(&args.out, file)?;
        if let Some(dataset) = input.dataset() {
            if !limit.is_unlimited() {
                return Err(Error::Target("a data set is split as a whole: cut it first".into()));
            }
            let status = data_set::split(dataset, &plan, &mut parts, file)?;
            finish(parts, context, (args.by.parts, None))?;
            return Ok(status);
        }
        let visit = Split { path, format, plan, limit: &mut limit, parts: &mut parts, context };
        let report = input.visit(format, visit)??;
        render::losses(file, &report);
        if let (false, Some((start, end))) = (parts.has_records(), limit.span()) {
            return Err(Error::OutsideRange { start, end });
        }
        finish(parts, context, (args.by.parts, Some(report.records)))?;
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}

/// Completes the folder and prints its contents.
fn finish(parts: Parts, context: Context, (asked, records): (Option<NonZeroU64>, Option<u64>)) -> Result<()> {
    let (count, bytes, path) = (parts.len(), parts.bytes(), parts.target().to_owned());
    parts.persist()?;
    if !context.quiet {
        if asked.is_some_and(|asked| asked.get() > count) {
            render::note(
                &path,
                "note: fewer parts than asked for: each begins with a record that opens on its own",
            );
        }
        let records = records.map_or_else(String::new, |n| format!(", {}", render::count(n, "record")));
        render::note(
            &path,
            format_args!("{}{records}, {}", render::count(count, "part"), render::bytes(bytes)),
        );
    }
    Ok(())
}

struct Split<'a> {
    path: &'a Path,
    format: Option<&'a str>,
    plan: Plan,
    limit: &'a mut Limit,
    parts: &'a mut Parts,
    context: Context,
}

impl Visit for Split<'_> {
    type Output = Result<Report>;

    fn visit<F: Source>(self, reader: StreamReader<Stream, F>) -> Result<Report> {
        let Self { path, format, plan, limit, parts, context } = self;
        parts.set_extension(F::EXTENSIONS.first().copied().unwrap_or(F::NAME));
        let progress = context.progress(Some(plan.bytes()).filter(|bytes| *bytes > 0));
        match F::Copier::<Out>::merge_mode(reader.header()) {
            MergeMode::Document => Document { path, format, plan, limit, parts, context }.run::<F>(reader),
            _ => Sequence::new(plan, limit, progress).run(reader, parts),
        }
    }
}
