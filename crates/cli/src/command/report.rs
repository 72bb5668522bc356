//! `robolog report` and `robolog plot`: HTML pages and pictures of recordings.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    str::FromStr as _,
};

use robolog_convert::{
    Error, Input, Reason, Report, Result,
    target::{Existing, Target},
};
use robolog_core::{
    Limits,
    slices::known,
    text::{file_name, name_of},
};
use robolog_events::{Event, Thresholds};
use robolog_report::{Entry, Options, Page, PlotFormat, Source, Spooled, Verdict};

use super::{Overview, events, overview::can_be_read_again};
use crate::{
    args::{
        check_folder_name,
        common::OutArgs,
        report::{PlotArgs, ReportArgs},
    },
    progress::Context,
    render,
    status::Status,
};

/// Maximum depth of nested folders.
const DEEP: usize = 4;

pub(crate) fn run(args: &ReportArgs, context: Context) -> Result<Status> {
    let context = limited(context);
    let files = recordings(&args.files)?;
    args.reading.check(files.len())?;
    // A folder of recordings becomes a folder of pages.
    let is_folder = files.len() > 2 || files.iter().any(|(_, is_named)| !is_named);
    let out = args.out.beside(&args.files, if is_folder { "-report" } else { ".html" })?;
    let output = &out.output;
    let is_page = output == Path::new("-") || output.extension().is_some_and(|e| e == "html" || e == "htm");
    if !is_page {
        let others = ["pdf", "png", "svg", "jpg", "txt", "md", "json", "csv", "xml"];
        check_folder_name(output, &others, "a page (.html) for each recording")?;
    }
    let inputs: Vec<&Path> = files.iter().map(|(file, _)| file.as_path()).collect();
    if is_page && !inputs.is_empty() {
        Target::check(output, out.existing(), &inputs)?;
    }
    match files.as_slice() {
        [] => Err(Error::Empty("no recordings in the folder".into())),
        [(file, _)] if is_page => {
            let page = page(file, 0, args, context)?;
            write(page.html.as_bytes(), output, out.existing(), file)?;
            if !context.quiet {
                render::note(output, format_args!("{}", about(&page)));
            }
            Ok(status(&page))
        }
        [(reference, _), (other, _)] if is_page => compare(reference, other, (args, &out), context),
        files if is_page && files.iter().all(|(_, is_named)| *is_named) => {
            multiples(files, (args, &out), context)
        }
        _ if is_page => Err(Error::Target(
            format!(
                "{} recordings in folders, but a page shows those that are named: give a folder with -o",
                files.len()
            )
            .into(),
        )),
        files => folder(files, (args, &out), context),
    }
}

/// Writes a page about two recordings; the first is the reference.
fn compare(
    reference: &Path,
    other: &Path,
    (args, out): (&ReportArgs, &OutArgs),
    context: Context,
) -> Result<Status> {
    let output = &out.output;
    let options = options(args, context);
    let mut progress = context.progress(None);
    let page = robolog_report::compare(reference, other, &options, &mut |at| progress.set(at))?;
    drop(progress);
    write(page.html.as_bytes(), output, out.existing(), reference)?;
    if !context.quiet {
        if let Some((metres, seconds)) = page.closest {
            render::note(
                output,
                format_args!("different vehicles, closest {metres:.3} m apart at {seconds:.3} s"),
            );
        }
        if page.errors.is_empty() && page.closest.is_none() {
            render::note(output, "no channel of poses is in both: the page shows what each has");
        }
        for error in &page.errors {
            let (ate, rpe) = (error.ate.rmse, error.rpe.rmse);
            let words = format_args!(
                "{}: ATE {ate:.3} m, RPE {rpe:.3} m (RMSE, {} pairs)",
                error.channel, error.pairs
            );
            render::note(output, words);
        }
    }
    Ok(Status::Done)
}

/// Maximum number of recordings on one page.
const MOST: usize = 24;

/// Writes a page of several recordings side by side.
fn multiples(
    files: &[(PathBuf, bool)],
    (args, out): (&ReportArgs, &OutArgs),
    context: Context,
) -> Result<Status> {
    if files.len() > MOST {
        let why =
            format!("{} recordings, but a page shows at most {MOST}: give a folder with -o", files.len());
        return Err(Error::Target(why.into()));
    }
    let paths: Vec<&Path> = files.iter().map(|(file, _)| file.as_path()).collect();
    let spooled = paths.iter().map(|file| spooled(file)).collect::<Result<Vec<_>>>()?;
    let sources: Vec<Source<'_>> = paths.iter().copied().zip(&spooled).map(source).collect();
    let options = options(args, context);
    let mut progress = context.progress(None);
    let page = robolog_report::multiples(&sources, &options, &mut |at| progress.set(at))?;
    drop(progress);
    for (file, read) in paths.iter().zip(&page.read) {
        render::losses(file, read);
    }
    write(
        page.html.as_bytes(),
        &out.output,
        out.existing(),
        paths.first().copied().unwrap_or(Path::new("")),
    )?;
    if !context.quiet {
        let recordings = render::count(files.len() as u64, "recording");
        render::note(&out.output, format_args!("{recordings}, {}", page.verdict.words()));
    }
    let is_whole = page.verdict != Verdict::Damaged && page.read.iter().all(Report::is_complete);
    Ok(if is_whole { Status::Done } else { Status::Lossy })
}

/// How recordings are read together.
fn options(args: &ReportArgs, context: Context) -> Options {
    let mut options = Options::default();
    options.format.clone_from(&args.format.name);
    options.limits = context.limits;
    options.limit = args.limit();
    options.settings.alog.time = context.time;
    options
}

/// A file, or what was kept of a pipe.
fn source<'a>((file, spooled): (&'a Path, &'a Option<Spooled>)) -> Source<'a> {
    spooled.as_ref().map_or(Source::Path(file), Source::Spooled)
}

/// Writes a folder of pages with an index page.
fn folder(
    files: &[(PathBuf, bool)],
    (args, out): (&ReportArgs, &OutArgs),
    context: Context,
) -> Result<Status> {
    let folder = &out.output;
    fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
    let index = folder.join("index.html");
    Target::check(&index, out.existing(), &[])?;
    let mut entries = Vec::new();
    let mut names = BTreeSet::new();
    let mut skipped = 0_u64;
    let mut worst = Status::Done;
    for (number, (file, is_named)) in files.iter().enumerate() {
        let shown = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        match page(file, number, args, context) {
            Ok(page) => {
                let name = name(file, &mut names);
                write(page.html.as_bytes(), &folder.join(&name), out.existing(), file)?;
                worst = worst.max(status(&page));
                entries.push(page.entry.with_link(name));
            }
            // Other files in folders are skipped.
            Err(Error::UnknownFormat(_) | Error::Foreign(_) | Error::EmptyFile) if !is_named => {
                skipped += 1;
            }
            Err(error) => {
                render::error(Some(file), &error);
                worst = worst.max(Status::of(&error));
                entries.push(Entry::unreadable(&shown, &error.to_string()));
            }
        }
    }
    let title = args.files.first().map_or(Cow::Borrowed(""), |file| name_of(file));
    let first = args.files.first().map_or(Path::new(""), PathBuf::as_path);
    write(robolog_report::index(&title, &entries).as_bytes(), &index, out.existing(), first)?;
    if !context.quiet {
        let pages = render::count(entries.len() as u64, "recording");
        let others = if skipped > 0 {
            format!(", {} skipped", render::count(skipped, "other file"))
        } else {
            String::new()
        };
        render::note(&index, format_args!("{pages}{others}"));
    }
    Ok(worst)
}

pub(crate) fn plot(args: &PlotArgs, context: Context) -> Result<Status> {
    let context = limited(context);
    let first = args.files.first().cloned().unwrap_or_default();
    let mut plotting = args.plotting();
    let form = args.to.unwrap_or_default().to_string();
    let out = args.out.beside(&args.files, &format!(".{form}"))?;
    let named = first.with_extension(form);
    let named = PathBuf::from(named.file_name().unwrap_or_default());
    let out = out.inside(&first, &named)?;
    let output = &out.output;
    plotting.format = match args.to {
        Some(format) => format,
        None => PlotFormat::from_str(&output.extension().unwrap_or_default().to_string_lossy())
            .map_err(|error| Error::Target(Reason::Choose(error.to_string())))?,
    };
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    Target::check(output, out.existing(), &inputs)?;
    let mut options = Options::default();
    options.format.clone_from(&args.format.name);
    options.limits = context.limits;
    options.settings.alog.time = context.time;
    if !args.marks.is_empty() {
        options.marks = marks(args, context)?;
    }
    let spooled = args.files.iter().map(|file| spooled(file)).collect::<Result<Vec<_>>>()?;
    let sources: Vec<Source<'_>> =
        args.files.iter().map(PathBuf::as_path).zip(&spooled).map(source).collect();
    let len = |file: &PathBuf| Some(fs::metadata(file).ok()?.len());
    let mut progress = context.progress(args.files.iter().map(len).sum());
    let picture = robolog_report::plot(&sources, &plotting, &options, &mut |at| progress.set(at));
    let picture = picture.map_err(|error| if args.files.len() == 1 { error.at(&first) } else { error })?;
    drop(progress);
    for (file, read) in args.files.iter().zip(&picture.read) {
        render::losses(file, read);
    }
    write(&picture.bytes, output, out.existing(), &first)?;
    if args.out.named().is_none() && !context.quiet {
        render::note(output, render::bytes(picture.bytes.len() as u64));
    }
    Ok(Status::lossy_if(picture.read.iter().any(|read| read.damages > 0)))
}

/// The events that a plot marks.
fn marks(args: &PlotArgs, context: Context) -> Result<Vec<Event>> {
    let files: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    if !files.iter().all(|file| can_be_read_again(file)) {
        return Err(Error::Target("--mark needs a file, which is read twice, not a pipe".into()));
    }
    let (kinds, format) = (events::kinds(&args.marks)?, args.format.name.as_deref());
    let found = events::find(&files, format, &Thresholds::default(), context)?;
    Ok(found.events.into_iter().filter(|event| kinds.contains(&event.kind)).collect())
}

/// The default limits of a page.
fn limited(context: Context) -> Context {
    let is_default = context.limits == Limits::default();
    let limits = if is_default { Options::default().limits } else { context.limits };
    Context { limits, ..context }
}

/// A copy of a pipe, which must be read twice; `None` for files.
fn spooled(file: &Path) -> Result<Option<Spooled>> {
    if file == Path::new("-") {
        return Spooled::new("standard input", &mut robolog_convert::standard_input()?).map(Some);
    }
    let is_pipe = fs::metadata(file).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
    if is_pipe { Spooled::of_pipe(file).map(Some) } else { Ok(None) }
}

fn page(file: &Path, number: usize, args: &ReportArgs, context: Context) -> Result<Page> {
    let mut options = Options::default();
    options.format.clone_from(&args.format.name);
    options.limits = context.limits;
    let spooled = spooled(file)?;
    let (input, source) = match &spooled {
        Some(spooled) => (context.clocked(spooled.open(context.limits)?), Source::Spooled(spooled)),
        None => (context.open(file)?, Source::Path(file)),
    };
    let overview = Overview::new(&input, args.format.name.as_deref(), context);
    options.settings = args.reading.settings(&input, &overview, number)?;
    options.limit = args.limit();
    let mut progress = context.progress(fs::metadata(file).map(|meta| meta.len()).ok());
    let page = robolog_report::report(source, &options, &mut |at| progress.set(at))?;
    drop(progress);
    render::losses(file, &page.read);
    Ok(page)
}

fn status(page: &Page) -> Status {
    let is_whole = page.verdict != Verdict::Damaged && page.read.is_complete();
    if is_whole { Status::Done } else { Status::Lossy }
}

fn about(page: &Page) -> String {
    let bytes = render::bytes(page.html.len() as u64);
    format!("{}, {bytes}", page.verdict.words())
}

fn write(bytes: &[u8], path: &Path, existing: Existing, input: &Path) -> Result<()> {
    let target = Target::create(path, existing, &[input])?;
    let mut out = target.writer()?;
    out.write_all(bytes)?;
    out.flush()?;
    drop(out);
    target.persist()
}

/// The recordings named by the arguments, each with whether it was named itself.
fn recordings(files: &[PathBuf]) -> Result<Vec<(PathBuf, bool)>> {
    let mut found = Vec::new();
    for file in files {
        // A folder can be a recording: a data set, or the files of a split log.
        let is_recording = || Input::open(file).is_ok();
        if file.is_dir() && !is_recording() {
            look(file, DEEP, &mut found)?;
        } else {
            found.push((file.clone(), true));
        }
    }
    Ok(found)
}

fn look(folder: &Path, deep: usize, found: &mut Vec<(PathBuf, bool)>) -> Result<()> {
    let failed = |e| Error::file(folder, e);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    for path in paths {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden {
            continue;
        }
        if path.is_file() || path.is_dir() && Input::open(&path).is_ok() {
            found.push((path, false));
        } else if path.is_dir()
            && let Some(deep) = deep.checked_sub(1)
        {
            look(&path, deep, found)?;
        }
    }
    Ok(())
}

/// A unique name for a recording's page.
fn name(file: &Path, names: &mut BTreeSet<String>) -> String {
    let stem = file.file_name().unwrap_or(file.as_os_str());
    let stem = file_name(stem.as_encoded_bytes());
    let numbered = (2..u32::MAX).map(|n| format!("{stem}-{n}.html"));
    let mut all = std::iter::once(format!("{stem}.html")).chain(numbered);
    let name = known(all.find(|name| name != "index.html" && !names.contains(name)));
    names.insert(name.clone());
    name
}
