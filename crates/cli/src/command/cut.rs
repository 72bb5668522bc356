//! `robolog cut`: copies a part of a recording, byte for byte.

pub(super) mod around;

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use effibox::dataset::{Dataset, Packing, Span};
use glob::Pattern;
use robolog_convert::{
    Bound, Copied, Error, Limit, Result, Rewrite, Settings, of_data_set,
    target::{Existing, Folder, Target},
};
use robolog_core::format::KnownLength;

use super::{
    copy,
    overview::{Overview, can_be_read_again},
    summary::survey,
};
use crate::{
    args::{CutArgs, OutArgs},
    call,
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &CutArgs, context: Context) -> Result<Status> {
    let CutArgs { file, out, time, frames, around, most, limit: limit_args, format } = args;
    super::each([file.as_path()], |file| {
        let input = context.open(file)?;
        let out = &out.for_copy(file)?;
        let (len, format) = (input.len(), format.name.as_deref());
        let is_decoded = input.is_decoded() && len.is_some() && !call::opens(file);
        let mut limit = limit_args.with(time).with_most(most.most);
        if let Some(event) = &around.around {
            let start = || {
                let span =
                    Overview::new(&input, format, context).span(&Limit::default(), &Settings::default())?;
                Ok(span.map(|(start, _)| start))
            };
            let (from, to) = around::bounds(around, event, file, format, context, start)?;
            limit = limit_args.between(Some(from), Some(to)).with_most(most.most);
        }
        let overview = Overview::new(&input, format, context);
        if limit.is_relative() {
            overview.place(&mut limit, &Settings::default())?;
        }
        overview.choose(&mut limit)?;
        if let Some(dataset) = input.dataset() {
            return data_set(file, dataset, out, span(args, &limit)?, context);
        }
        let name = copy::format_of(&input, format)?.to_owned();
        let target = copy::begin(out, &name, &[file])?;
        let (frames, mut progress) = (frames.clone(), context.progress(len));
        let frames_free = frames.is_none();
        let is_limited = frames.is_some() || !limit.is_unlimited();
        let progress = &mut |at| Ok(progress.at(at)?);
        let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames, edit: None, progress };
        let Copied { parts, report, .. } = robolog_convert::rewrite(input, format, rewrite)
            .map_err(|error| of_records(error, file, format, context))?;
        render::losses(file, &report);
        if parts == 0 && report.records > 0 && is_limited {
            if let (true, 0, Some((start, end))) = (frames_free, report.unjudged, report.span) {
                return Err(Error::OutsideRange { start, end });
            }
            return Err(Error::Empty("nothing in the recording is within the limits".into()));
        }
        if is_decoded && !is_limited && report.is_complete() {
            // A sound recording without limits is copied as it is, in its own encoding.
            copy_bytes(file, len, &target, &out.output)?;
        }
        let bytes = std::fs::metadata(target.path()).map_or(0, |meta| meta.len());
        copy::end(target, out, &[file])?;
        copy::say_if_unknown(out, format, &name, context)?;
        if !context.quiet {
            let kept = render::count(parts, copy::unit(&name));
            render::note(&out.output, format_args!("{kept}, {}", render::bytes(bytes)));
        }
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}

/// The error for a glob that matches no channel of records; matching a channel of samples is another error.
fn of_records(error: Error, file: &Path, format: Option<&str>, context: Context) -> Error {
    let Error::NoChannel(missing) = error else { return error };
    let is_of_samples = || {
        let glob = Pattern::new(&missing.pattern).ok().filter(|_| can_be_read_again(file))?;
        let info = survey(context.open(file).ok()?, format, context).ok()?;
        Some(info.summary.channels.iter().any(|channel| glob.matches(&channel.name)))
    };
    if is_of_samples() == Some(true) { Error::WholeRecords(missing) } else { Error::NoChannel(missing) }
}

/// Copies all bytes of a file, which had `len`, into a target; `name` is shown in errors.
fn copy_bytes(from: &Path, len: Option<u64>, target: &Target, name: &Path) -> Result<()> {
    let mut input = KnownLength::open(from, len.unwrap_or(0))?;
    let mut out = File::create(target.path()).map_err(|e| Error::file(name, e))?;
    io::copy(&mut input, &mut out).map_err(|e| Error::file(name, e))?;
    Ok(())
}

/// The span of a data set to copy.
fn span(args: &CutArgs, limit: &Limit) -> Result<Span> {
    if limit.filters_channels() || args.frames.is_some() || args.most.most.is_some() {
        return Err(Error::Target("a data set is cut by time alone".into()));
    }
    let start = limit.start().map_or(0, robolog_core::Timestamp::nanos);
    let end = limit.end().map_or(0, robolog_core::Timestamp::nanos);
    // Microseconds since the acquisition began.
    let rtime = |bound: Option<Bound>| match bound {
        None => Ok(None),
        Some(Bound::FromStart(nanos)) => Ok(Some(start.saturating_add(nanos).div_euclid(1000))),
        Some(Bound::FromEnd(nanos)) => Ok(Some(end.saturating_sub(nanos).div_euclid(1000))),
        Some(Bound::Unix(_)) => {
            Err(Error::Target("a data set has no dates: give seconds from its start".into()))
        }
    };
    let (from, to) = limit.bounds();
    Ok(Span { from: rtime(from)?, to: rtime(to)? })
}

/// Copies a part of a data set to a folder or an archive of the same files.
fn data_set(file: &Path, dataset: &Dataset, out: &OutArgs, span: Span, context: Context) -> Result<Status> {
    let set = SetTarget::begin(out, file)?;
    let copied = dataset.copy(set.whole(), span).map_err(of_data_set)?;
    set.end(out)?;
    if copied.rows == 0 && !span.is_everything() {
        render::note(file, "no row of a table is within the limits");
    }
    let count = render::count;
    for (n, what, why) in [
        (copied.rows_odd, "row", "whose time cannot be read"),
        (copied.skipped, "link or damaged file", "that cannot be read"),
        (copied.damaged, "damaged file", "or what follows the damage"),
    ] {
        if n > 0 {
            render::note(file, format_args!("left out {} {why}", count(n, what)));
        }
    }
    if !context.quiet {
        let whole = if span.is_everything() { 0 } else { copied.whole };
        let whole = if whole > 0 {
            format!(", {whole} of them whole because they have no times")
        } else {
            String::new()
        };
        let (files, rows) = (count(copied.files, "file"), count(copied.rows, "row"));
        render::note(&out.output, format_args!("{files}{whole}, {rows}"));
    }
    Ok(Status::lossy_if(!copied.is_complete()))
}

/// Where a data set is written: a folder, or an archive by its name.
pub(super) struct SetTarget {
    folder: Folder,
    archive: Option<(Target, Packing)>,
}

/// Archives that are not written.
const OTHERS: [&str; 10] = ["gz", "bz2", "xz", "zst", "lz4", "7z", "rar", "tbz", "txz", "kmz"];

impl SetTarget {
    pub(super) fn begin(out: &OutArgs, file: &Path) -> Result<Self> {
        let output = &out.output;
        if let Some(kind) = Packing::of_name(output).filter(|_| !output.is_dir()) {
            let target = Target::create(output, out.existing(), &[file])?;
            // It is never persisted.
            let folder = Target::folder(&output.with_extension("unpacked"), Existing::Keep, &[file])?;
            return Ok(Self { folder, archive: Some((target, kind)) });
        }
        let is_other = |end: &std::ffi::OsStr| OTHERS.iter().any(|other| end.eq_ignore_ascii_case(other));
        if output.extension().is_some_and(is_other) {
            let message = "a data set is written as a folder, a .zip, a .tar or a .tar.gz";
            return Err(Error::Target(message.into()));
        }
        if out.force && output.exists() {
            return Err(Error::Target("a folder of a data set is not replaced: remove it first".into()));
        }
        Ok(Self { folder: Target::folder(output, Existing::Keep, &[file])?, archive: None })
    }

    /// The folder to make.
    pub(super) fn whole(&self) -> PathBuf {
        self.folder.path().join("whole")
    }

    pub(super) fn end(self, out: &OutArgs) -> Result<()> {
        let whole = self.whole();
        let Some((target, kind)) = self.archive else { return self.folder.persist_inner(&whole) };
        let mut written = kind.pack(&whole, target.writer()?).map_err(of_data_set)?;
        written.flush().map_err(|e| Error::file(&out.output, e))?;
        drop(written);
        target.persist()
    }
}
