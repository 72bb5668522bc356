//! `sort` and `merge`: all entries in order of time.

use std::{io::Write, path::Path};

use ::alog::{Kind, Record, Seconds};
use robolog_convert::{Error, Report, Result, target::Target};

use robolog_core::slices::{Part as _, known};

use super::{finish, open, records, same_community, sorter::Sorter};
use crate::{
    args::{
        OutArgs,
        alog::{MergeArgs, SortArgs},
    },
    progress::Context,
    render,
    status::Status,
};

pub(super) fn sort(args: &SortArgs, context: Context) -> Result<Status> {
    super::super::each([&*args.file], |file| {
        let mut reader = open(file, context)?;
        let to = args.out.for_copy(file)?;
        let target = Target::create(&to.output, to.existing(), &[file])?;
        let mut out = target.writer()?;
        out.write_all(reader.header_bytes())?;
        let mut sorter = Sorter::new(folder(&to.output), memory(args.memory));
        let mut time = Seconds::from_nanos(i128::MIN);
        let report = records(&mut reader, &mut |record| {
            // Lines that are not entries stay after the entry before them.
            time = record.seconds().unwrap_or(time);
            sorter.push(time, record.bytes())
        })?;
        sorter.finish(&mut out)?;
        out.flush()?;
        drop(out);
        target.persist()?;
        Ok(finish(file, &to.output, &report, report.records, context))
    })
}

pub(super) fn merge(args: &MergeArgs, context: Context) -> Result<Status> {
    let files: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    let out = args.out.for_merge(files.first().copied().unwrap_or(Path::new("")))?;
    same_community(&files, &files, &out, context)?;
    merge_by_start(&files, &files, &out, args.memory, context)
}

/// Whether logs have different LOGSTARTs; logs without one do not count.
pub(crate) fn start_apart(paths: &[&Path], context: Context) -> bool {
    let starts = paths.iter().filter_map(|path| open(path, context).ok()?.header().logstart());
    let starts: Vec<_> = starts.collect();
    starts.iter().any(|start| starts.first() != Some(start))
}

/// Joins the logs at `paths` on the time axis of the earliest; `files` are their names for messages.
pub(crate) fn merge_by_start(
    files: &[&Path],
    paths: &[&Path],
    to: &OutArgs,
    megabytes: usize,
    context: Context,
) -> Result<Status> {
    let mut logs = Vec::new();
    for (file, path) in files.iter().zip(paths) {
        let reader = open(path, context).inspect_err(|error| render::error(Some(file), error));
        let Ok(reader) = reader else { return Ok(Status::Failed) };
        let Some(start) = reader.header().logstart() else {
            render::note(file, "has no LOGSTART: start time unknown");
            return Ok(Status::Failed);
        };
        logs.push((start, file, reader));
    }
    let warps: Vec<f64> = logs.iter().map(|(.., reader)| reader.header().warp().factor()).collect();
    if warps.iter().any(|warp| warps.first().is_some_and(|first| (warp - first).abs() > f64::EPSILON)) {
        return Err(Error::Target("the logs ran at different time warps".into()));
    }
    // Of equal starts, take the first one named.
    let Some(first) = logs.iter().enumerate().min_by_key(|(i, log)| (log.0, *i)).map(|(i, _)| i) else {
        return Ok(Status::Failed);
    };
    let target = Target::create(&to.output, to.existing(), files)?;
    let mut out = target.writer()?;
    let Some((zero, ..)) = logs.get(first).map(|log| (log.0, log.1)) else { return Ok(Status::Failed) };
    if let Some((.., reader)) = logs.get(first) {
        out.write_all(reader.header_bytes())?;
    }
    let mut sorter = Sorter::new(folder(&to.output), memory(megabytes));
    let mut total = Report::default();
    for (start, file, reader) in &mut logs {
        let shift = known(start.minus(zero));
        let mut time = Seconds::from_nanos(i128::MIN);
        let report = records(reader, &mut |record| {
            if record.kind() != Kind::Entry {
                return Ok(());
            }
            time = record.seconds().and_then(|t| t.plus(shift)).unwrap_or(time);
            sorter.push(time, &shifted(record, time, shift))
        })?;
        render::losses(file, &report);
        total.records += report.records;
        total.damages += report.damages;
    }
    sorter.finish(&mut out)?;
    out.flush()?;
    drop(out);
    target.persist()?;
    if !context.quiet {
        render::note(&to.output, format_args!("{} entries of {} logs", total.records, files.len()));
    }
    Ok(if total.damages == 0 { Status::Done } else { Status::Lossy })
}

/// The entry with another time: only the text of the time and the blanks after it change.
fn shifted(record: &Record<'_>, time: Seconds, shift: Seconds) -> Vec<u8> {
    let bytes = record.bytes();
    if shift == Seconds::default() {
        return bytes.to_vec();
    }
    let old = record.time_text();
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let said = decimals(&String::from_utf8_lossy(old)).max(decimals(&shift.to_string()));
    let mut text = time.with_decimals(said);
    let rest = bytes.part(old.len()..);
    let blanks = rest.iter().take_while(|b| **b == b' ').count();
    // The column keeps its width while there are blanks.
    let width = (old.len() + blanks).max(text.len() + 1);
    while text.len() < width {
        text.push(' ');
    }
    [text.as_bytes(), rest.part(blanks..)].concat()
}

fn folder(output: &Path) -> &Path {
    output.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

fn memory(megabytes: usize) -> usize {
    megabytes.saturating_mul(1 << 20).max(1 << 20)
}
