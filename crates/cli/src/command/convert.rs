//! `robolog convert`: samples in another format.

mod captures;

use std::{
    cmp::Ordering,
    fs,
    path::{Path, PathBuf},
};

use robolog_convert::{
    Error, Feed, Input, Report, Result, TargetFormat, convert, convert_into_bag, convert_into_folder, pcap,
    sink, target::Target, transforms,
};

use crate::{Status, args::ConvertArgs, progress::Context, render};
use captures::{capture, names_pcap, packets};

pub(crate) fn run(args: &ConvertArgs, context: Context) -> Result<Status> {
    args.reading.check(args.files.len())?;
    if args.merge {
        let files: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
        return job(&files, 0, &args.out.output, args, context);
    }
    let outputs = outputs(args)?;
    let folder = (args.files.len() > 1).then_some(args.out.output.as_path());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
    }
    let mut outputs = outputs.iter().enumerate();
    let outcome = super::each(args.files.iter().map(AsRef::as_ref), |file: &Path| {
        let (number, output) = outputs.next().unwrap_or((0, &args.out.output));
        job(&[file], number, output, args, context)
    });
    if let Some(folder) = folder {
        // Only when nothing came to be in it.
        let _ = fs::remove_dir(folder);
    }
    outcome
}

/// One output of one input, or of several, of which the first has the number `first` among all.
fn job(files: &[&Path], first: usize, output: &Path, args: &ConvertArgs, context: Context) -> Result<Status> {
    let mut inputs = files.iter().map(|file| super::open(file)).collect::<Result<Vec<_>>>()?;
    if let [file] = files
        && (names_pcap(args, output) || inputs.iter().any(|input| pcap::detect(input.start())))
        && let Some(input) = inputs.pop()
    {
        return if names_pcap(args, output) {
            packets(file, input, output, args, context)
        } else {
            capture(file, input.len().is_some(), output, args, context)
        };
    }
    let target = match &args.to {
        Some(name) => TargetFormat::from_name(name)?,
        None if args.rosbag2_dir => TargetFormat::Mcap,
        None => TargetFormat::from_path(output)?,
    };
    let len = inputs.iter().map(Input::len).sum();
    let feeds = feeds(inputs, first, args, context)?;
    let mut progress = context.progress(len);
    let progress = &mut |at| progress.set(at);
    let report = write(feeds, files, output, target, args, progress).map_err(|error| match error {
        // Which file could not be written.
        Error::Write(e) => Error::file(output, e),
        error => error,
    })?;
    render::losses_of(files, &report);
    if !context.quiet {
        let written: Vec<_> = report
            .written
            .iter()
            .map(|(kind, n)| format!("{} {kind} ({} values)", n.samples, n.values))
            .collect();
        let in_files = if args.per.is_some() { format!(" in {} files", report.files) } else { String::new() };
        render::note(output, format_args!("{}{in_files}", written.join(", ")));
    }
    Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
}

/// Where each input's output goes: several inputs get a file or folder each, named after them, in a folder.
fn outputs(args: &ConvertArgs) -> Result<Vec<PathBuf>> {
    if let [_] = args.files.as_slice() {
        return Ok(vec![args.out.output.clone()]);
    }
    let Some(to) = &args.to else {
        return Err(Error::Target(
            "several inputs: --to must say what they are to be, or --merge makes one of them".into(),
        ));
    };
    // Captures become what is no target elsewhere.
    let extension = match TargetFormat::from_name(to) {
        Ok(target) => target.extension(),
        Err(_) => to,
    };
    let mut outputs: Vec<PathBuf> = Vec::new();
    for file in &args.files {
        // The name is kept as it is: what stands behind another dot is no extension to be replaced.
        let mut name = file.file_stem().unwrap_or(file.as_os_str()).to_owned();
        if args.per.is_none() {
            name.push(".");
            name.push(extension);
        }
        let output = args.out.output.join(name);
        // There are file systems that do not tell capitals apart.
        let folded = |path: &Path| path.to_string_lossy().to_lowercase();
        if outputs.iter().any(|other| folded(other) == folded(&output)) {
            let message = format!("two of the inputs would become {}", render::path(&output));
            return Err(Error::Target(message));
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// What is to be read: the inputs, each as it is to be read, and the user's transforms.
fn feeds(inputs: Vec<Input>, first: usize, args: &ConvertArgs, context: Context) -> Result<Vec<Feed>> {
    let format = args.format.name.as_deref();
    let settings =
        (first..).zip(&inputs).map(|(number, input)| args.reading.settings_of(input, number, format));
    let settings = settings.collect::<Result<Vec<_>>>()?;
    // What counts from the start counts from that of the earliest.
    let limit = args.limit();
    let starts = inputs
        .iter()
        .zip(&settings)
        .filter_map(|(input, settings)| super::start(&limit, input, format, settings, context).transpose());
    let starts = starts.collect::<Result<Vec<_>>>()?;
    let start = starts
        .iter()
        .copied()
        .reduce(|a, b| if b.partial_cmp(&a).is_some_and(Ordering::is_lt) { b } else { a });
    let mut feeds = Vec::new();
    for (input, settings) in inputs.into_iter().zip(settings) {
        let mut limit = limit.clone();
        if let Some(start) = start {
            limit.begin_at(start);
        }
        let stem = input.path().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let feed = Feed::new(input).with_format(format).with_settings(settings).with_limit(limit);
        feeds.push(match stem {
            Some(stem) if args.merge => feed.below(&stem),
            _ => feed,
        });
    }
    if let Some(path) = &args.transforms {
        let text = fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
        feeds.push(Feed::of_samples(transforms::from_yaml(&text)?));
    }
    Ok(feeds)
}

fn write(
    feeds: Vec<Feed>,
    files: &[&Path],
    output: &Path,
    target: TargetFormat,
    args: &ConvertArgs,
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let (options, force) = (args.writing.options(), args.out.force);
    if let Some(per) = args.per() {
        return convert_into_folder(feeds, output, (target, &options), (per, force), progress);
    }
    if args.rosbag2_dir {
        if target != TargetFormat::Mcap {
            return Err(Error::Target(format!(
                "--rosbag2-dir makes a bag of mcap, not of {}",
                target.name()
            )));
        }
        return convert_into_bag(feeds, output, (&options, force), progress);
    }
    let out = Target::create(output, force, files)?;
    let mut sink = sink::open(target, out.writer()?, &options, args.limit().chooses_channels())?;
    let report = convert(feeds, &mut *sink, progress)?;
    sink.finish()?;
    out.persist()?;
    Ok(report)
}
