//! `robolog convert`: samples in another format.

mod captures;
mod choose;

use std::{
    fs,
    path::{Path, PathBuf},
};

use robolog_convert::{
    Destination, Error, Feed, Input, Opening, Per, Report, Result, Settings, TargetSpec, convert,
    convert_into_bag, convert_into_folder, csvw, pcap, sink::Need, source::dates_tracks, target::Target,
    targets, transforms,
};

use super::overview::{self, Overview, joined};
use crate::{Status, args::ConvertArgs, progress::Context, render};
use captures::{capture, names_pcap, names_recording, packets};

/// What a bag of ROS 2 is made of.
const BAG: &str = "mcap";

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
    let mut inputs = files.iter().map(|file| context.open(file)).collect::<Result<Vec<_>>>()?;
    if let [file] = files
        && (names_pcap(args, output)
            || names_recording(args, output) && inputs.iter().any(|input| pcap::detect(input.start())))
        && let Some(input) = inputs.pop()
    {
        return if names_pcap(args, output) {
            packets(file, input, output, args, context)
        } else {
            capture(file, input.len().is_some(), output, args, context)
        };
    }
    let target = match &args.to {
        Some(name) if args.per.is_some() || args.rosbag2_dir => targets::by_name(name)?,
        Some(name) => targets::asked(name, output)?,
        None if args.rosbag2_dir => targets::by_name(BAG)?,
        None => targets::by_path(output)?,
    };
    let len = inputs.iter().map(Input::len).sum();
    let feeds = feeds(inputs, target, first, args, context)?;
    let mut progress = context.progress(len);
    let progress = &mut |at| progress.set(at);
    let report = write(feeds, files, output, target, args, progress).map_err(|error| match error {
        // Which file could not be written.
        Error::Write(e) => Error::file(output, e),
        error => error,
    })?;
    render::losses_of(files, &report);
    if let ([file, ..], false) = (files, context.quiet) {
        render::skipped(file, &report, target);
    }
    if !context.quiet {
        let written: Vec<_> = report
            .written
            .iter()
            .map(|(kind, n)| format!("{} {kind} ({} values)", n.samples, n.values))
            .collect();
        let in_files = if args.per.is_some() { format!(" in {} files", report.files) } else { String::new() };
        render::note(output, format_args!("{}{in_files}", written.join(", ")));
    }
    let is_done = report.is_complete() && !(args.strict && report.skipped().next().is_some());
    Ok(if is_done { Status::Done } else { Status::Lossy })
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
    let extension = match targets::by_name(to) {
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
            return Err(Error::Target(message.into()));
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// What is to be read: the inputs, each as it is to be read, and the user's transforms.
fn feeds(
    inputs: Vec<Input>,
    target: &'static TargetSpec,
    first: usize,
    args: &ConvertArgs,
    context: Context,
) -> Result<Vec<Feed>> {
    let format = args.format.name.as_deref();
    // What counts from the start counts from that of the earliest, and from the end from that of the latest.
    let limit = args.limit();
    let is_relative = limit.is_relative() || target.needs(Need::Start);
    let (mut span, mut all_settings) = (None, Vec::new());
    for (number, input) in (first..).zip(&inputs) {
        let overview = Overview::new(input, format, context);
        let settings = settings(number, input, &overview, target, args)?;
        if is_relative {
            span = joined(span, overview.span(&limit, &settings)?);
        }
        all_settings.push(settings);
    }
    let mut feeds = Vec::new();
    for (input, settings) in inputs.into_iter().zip(all_settings) {
        let mut limit = match choose::channels(&input, &settings, args, context)? {
            Some(channels) => limit.clone().with_channels(channels),
            None => limit.clone(),
        };
        overview::place(&mut limit, span);
        let stem = input.path().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let mut feed = Feed::new(input).with_format(format).with_settings(settings).with_limit(limit);
        if let Some(calibration) = &args.reading.calibration {
            feed = feed.reads(calibration);
        }
        feeds.push(match stem {
            Some(stem) if args.merge => feed.below(&stem),
            _ => feed,
        });
    }
    if let Some(path) = &args.transforms {
        let text = fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
        feeds.push(Feed::of_samples(transforms::from_yaml(&text)?).reads(path));
    }
    Ok(feeds)
}

/// How an input is read for a target.
fn settings(
    number: usize,
    input: &Input,
    overview: &Overview<'_>,
    target: &'static TargetSpec,
    args: &ConvertArgs,
) -> Result<Settings> {
    let is_mixed = target.needs(Need::OneFrame) && matches!(args.per(), None | Some(Per::Kind));
    let mut settings = args.reading.settings_for(input, overview, number, is_mixed)?;
    // A track has dates or no times at all.
    if settings.epoch.is_none() && target.needs(Need::Dates) {
        let format = match &args.format.name {
            Some(name) => name.split_once(':').map_or(name.as_str(), |(name, _)| name),
            None if input.is_dataset() => "",
            None => input.format()?,
        };
        if dates_tracks(format) {
            settings.epoch = overview.epoch()?;
        }
    }
    Ok(settings)
}

fn write(
    feeds: Vec<Feed>,
    files: &[&Path],
    output: &Path,
    target: &'static TargetSpec,
    args: &ConvertArgs,
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let (mut options, existing) = (args.writing.options(), args.out.existing());
    options.las.origin = feeds.first().and_then(|feed| feed.settings().origin);
    let to = Destination { path: output, existing, options: &options };
    if let Some(per) = args.per() {
        return convert_into_folder(feeds, target, per, &to, progress);
    }
    if args.rosbag2_dir {
        if target.name != BAG {
            let message = format!("--rosbag2-dir makes a bag of {BAG}, not of {}", target.name);
            return Err(Error::Target(message.into()));
        }
        return convert_into_bag(feeds, &to, progress);
    }
    if options.tables.hive {
        return Err(Error::Target("--hive lays out a folder: add --per channel or --per kind".into()));
    }
    let beside = [&args.transforms, &args.reading.calibration];
    let inputs: Vec<&Path> =
        files.iter().copied().chain(beside.into_iter().flatten().map(AsRef::as_ref)).collect();
    let out = Target::create(output, existing, &inputs)?;
    let described = if target.needs(Need::Units) { csvw::beside(output, existing, &inputs)? } else { None };
    let mut sink = target.open(out.writer()?, &Opening::new(options, args.selection()))?;
    let report = convert(feeds, &mut *sink, progress)?;
    let columns = sink.columns()?;
    sink.finish()?;
    out.persist()?;
    if let Some(document) = described.filter(|_| !columns.is_empty()) {
        csvw::describe(document, output, &columns)?;
    }
    Ok(report)
}
