//! `robolog recover`: copies the readable part of a damaged recording.

use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

use effibox::dataset::Dataset;
use robolog_convert::{Copied, Error, Input, Limit, Result, Rewrite, Surveyed, of_data_set};
use robolog_core::{Finding, Severity};

use super::{copy, cut::SetTarget, inputs::expand, summary::survey};
use crate::{
    args::{FormatArg, OutArgs, RecoverArgs},
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &RecoverArgs, context: Context) -> Result<Status> {
    if args.file.is_dir() {
        let inputs = expand(std::slice::from_ref(&args.file), context);
        // A data set is one recording.
        if inputs.files != [args.file.clone()] {
            return inputs.each(|file| one(&beside(args, file)?, context));
        }
    }
    one(args, context)
}

/// Recovers a recording of a folder into the output folder.
fn beside(args: &RecoverArgs, file: &Path) -> Result<RecoverArgs> {
    let name = file.strip_prefix(&args.file).unwrap_or(file);
    let output = args.out.output.join(name);
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
    }
    let out = OutArgs::new(output, args.out.force);
    Ok(RecoverArgs { file: file.to_owned(), out, format: FormatArg { name: args.format.name.clone() } })
}

fn one(args: &RecoverArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        let input = context.open(file)?;
        if let Some(dataset) = input.dataset() {
            return data_set(file, dataset, args, context);
        }
        let out = &args.out.for_copy(file)?;
        let format = args.format.name.as_deref();
        let name = format.map_or_else(|| input.format().map(str::to_owned), |name| Ok(name.to_owned()))?;
        // If the input can be read again, compare it with the copy.
        let before = match input.len() {
            Some(_) => Some(survey(context.open(file)?, Some(&name), context)?),
            None => None,
        };
        let (target, copied) = copied(file, input, &name, out, context)?;
        render::losses(file, &copied.report);
        let after = match &before {
            // A copy with the same bytes reads as the recording does, unless that is shorter by now.
            Some(before) if file.is_file() && are_equal(file, target.path(), before.bytes)? => before,
            _ => &of_copy(target.path(), file, &name, context)?,
        };
        // As the recording itself was recognised.
        if format.is_none() && context.open(target.path())?.read_as(file).format().is_err() {
            let why = "what can be read of it does not look like that format any more";
            return Err(Error::Target(
                format!("the recovered file is not recognised as {name}: {why}").into(),
            ));
        }
        if after.summary.records == 0 && copied.parts == 0 && copied.report.damages > 0 {
            return Err(Error::Empty("no record of the recording can be read".into()));
        }
        if let Some(why) = unsound(after) {
            return Err(Error::Target(why.into()));
        }
        let is_whole = before.as_ref().is_none_or(|before| compare(file, before, after));
        copy::end(target, out, &[file])?;
        let report = copied.report;
        copy::say_if_unknown(out, format, &name, context)?;
        if !context.quiet {
            let records = render::count(after.summary.records, "record");
            let lost = match (report.is_complete(), report.lost_bytes) {
                (true, _) => match warned(after) {
                    Some(warning) => {
                        format!("the input is sound but for a warning, which the copy has too: {warning}")
                    }
                    None => "the input is sound".into(),
                },
                (false, lost) => format!("{} lost", render::count(lost, "byte")),
            };
            render::note(&out.output, format_args!("{records}, {lost}"));
        }
        Ok(Status::lossy_if(!report.is_complete() || !is_whole))
    })
}

/// Copies all readable records.
fn copied(
    file: &Path,
    input: Input,
    format: &str,
    out: &OutArgs,
    context: Context,
) -> Result<(robolog_convert::target::Target, Copied)> {
    let len = input.len();
    let target = copy::begin(out, copy::format_of(&input, Some(format))?, &[file])?;
    let mut limit = Limit::default();
    let mut progress = context.progress(len);
    let progress = &mut |at| Ok(progress.at(at)?);
    let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames: None, edit: None, progress };
    let copied = robolog_convert::rewrite(input, Some(format), rewrite)?;
    Ok((target, copied))
}

/// Copies what can be read of a data set, to a folder or an archive.
fn data_set(file: &Path, dataset: &Dataset, args: &RecoverArgs, context: Context) -> Result<Status> {
    let before = survey(context.open(file)?, None, context)?;
    let out = &args.out;
    let set = SetTarget::begin(out, file)?;
    let recovered = dataset.recover(set.whole()).map_err(of_data_set)?;
    // What is not even a data set has no file that could be kept.
    let after = context.open(&set.whole()).and_then(|whole| survey(whole, None, context));
    let after = after.map_err(|_| Error::Target("nothing of the data set can be read".into()))?;
    // A video is not read, and not damaged.
    let is_fault = |found: &&Finding| found.severity == Severity::Error && found.code != "unsupported";
    if let Some(fault) = after.summary.findings.iter().find(is_fault) {
        let message =
            format!("what can be read of the data set is not sound, and not written: {}", fault.message);
        return Err(Error::Target(message.into()));
    }
    set.end(out)?;
    for loss in recovered.losses.iter().take(NAMED) {
        render::note(file, format_args!("{}: {}", loss.path, loss.why));
    }
    if let more @ 1.. = recovered.losses.iter().skip(NAMED).len() {
        render::note(
            file,
            format_args!("{}: left_out.txt lists all", render::count(more as u64, "more file")),
        );
    }
    let is_whole =
        compare(file, &before, &after) && recovered.losses.is_empty() && recovered.copied.is_complete();
    let why = unsound(&after);
    if let Some(why) = &why {
        render::note(&out.output, why);
    }
    if !context.quiet {
        let files = render::count(recovered.copied.files, "file");
        render::note(
            &out.output,
            format_args!("{files}, {}", render::count(after.summary.records, "record")),
        );
    }
    Ok(Status::lossy_if(!before.summary.is_ok() || !is_whole || why.is_some()))
}

/// Reads the copy once more, in the format of its name: a recovered file must open.
fn of_copy(path: &Path, file: &Path, format: &str, context: Context) -> Result<Surveyed> {
    survey(context.open(path)?.read_as(file), Some(format), context).map_err(|error| {
        // A document whose only element is damaged leaves nothing.
        let message = match std::fs::metadata(path) {
            Ok(meta) if meta.len() == 0 => "nothing can be recovered: all of it is damaged".to_owned(),
            _ => format!("the recovered file does not open as {format}: {error}"),
        };
        Error::Target(message.into())
    })
}

/// Whether two files have the same bytes, as many as told.
fn are_equal(first: &Path, second: &Path, len: u64) -> Result<bool> {
    let open = |path| File::open(path).map_err(|error| Error::file(path, error));
    let files = [open(first)?, open(second)?];
    for file in &files {
        if file.metadata()?.len() != len {
            return Ok(false);
        }
    }
    let [mut first, mut second] = files.map(|file| BufReader::with_capacity(BUFFER, file));
    loop {
        let (a, b) = (first.fill_buf()?, second.fill_buf()?);
        let len = a.len().min(b.len());
        if a.get(..len) != b.get(..len) {
            return Ok(false);
        }
        if len == 0 {
            return Ok(a.is_empty() && b.is_empty());
        }
        first.consume(len);
        second.consume(len);
    }
}

/// Bytes compared at a time.
const BUFFER: usize = 1 << 18;

/// Maximum number of channels named.
const NAMED: usize = 5;

/// Prints which samples of the recording the copy lacks. Returns whether it has all.
fn compare(file: &Path, before: &Surveyed, after: &Surveyed) -> bool {
    let (before, after) = (&before.summary.channels, &after.summary.channels);
    let kept = |name: &str, kind: &str| {
        let same = after.iter().find(|channel| channel.name == name && channel.kind == kind);
        same.map_or(0, |channel| channel.records)
    };
    let lost: Vec<_> = before
        .iter()
        .filter_map(|channel| {
            let missing = channel.records.saturating_sub(kept(&channel.name, channel.kind));
            (missing > 0).then_some((missing, channel))
        })
        .collect();
    for (missing, channel) in lost.iter().take(NAMED) {
        let (all, name) = (render::count(channel.records, "sample"), &channel.name);
        let why = "a record with them, or with their time or place, is damaged";
        render::note(file, format_args!("left out {missing} of {all} of {name}: {why}"));
    }
    if let more @ 1.. = lost.iter().skip(NAMED).len() {
        let more = render::count(more as u64, "more channel");
        render::note(file, format_args!("left out samples of {more}"));
    }
    lost.is_empty()
}

/// A warning that the copy has too: records are copied as they are.
fn warned(after: &Surveyed) -> Option<String> {
    let warning = after.summary.findings.iter().find(|found| found.severity == Severity::Warning)?;
    Some(format!("{}{}", warning.message, render::remedy(&warning.message)))
}

/// Why the copy is not sound, if so.
fn unsound(after: &Surveyed) -> Option<String> {
    let mut errors = after.summary.findings.iter().filter(|found| found.severity == Severity::Error);
    let Some(first) = errors.next() else {
        let nothing = "nothing of the recovered file can be read: robolog check says why";
        return after.reads_nothing().then(|| nothing.to_owned());
    };
    let more = match errors.count() {
        0 => String::new(),
        more => format!(", and {} more", render::count(more as u64, "fault")),
    };
    Some(format!("the recovered file is not sound: {}{more}", first.message))
}
