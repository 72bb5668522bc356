//! `robolog convert`: samples in another format.

mod aligned;
mod captures;
mod choose;
mod idle;
mod manifest;
mod several;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    slice,
};

use robolog_convert::{
    Count, Destination, Error, Feed, Input, Opening, Per, Plan, Reason, Report, Result, Selection, Settings,
    SinkOptions, TargetSpec, convert, convert_into_bag, convert_into_folder, csvw,
    sink::{Holds, Need},
    source::dates_tracks,
    target::Target,
    targets, transforms,
};
use robolog_core::Sample;

use super::{
    inputs::expand,
    overview::{self, Overview, joined},
};
use crate::{
    args::{ConvertArgs, check_folder_name, points},
    progress::Context,
    render,
    status::Status,
};
use captures::{capture, names_pcap, names_recording, packets};

/// The target inside a ROS 2 bag.
const BAG: &str = "mcap";

/// Result of a conversion.
#[derive(Debug, Clone, Default)]
struct Done {
    /// Whether something was lost.
    lossy: bool,
    /// Samples read, and samples in the output.
    samples: u64,
    written: u64,
    /// Options that had nothing to do.
    idle: Vec<idle::Idle>,
}

pub(crate) fn run(args: &ConvertArgs, context: Context) -> Result<Status> {
    let (files, status) = found(args, context);
    args.reading.check(files.len())?;
    if args.rosbag2_dir && (args.per().is_some() || args.tables.wide) {
        return Err(Error::Target(
            "a bag of ROS 2 is a folder of its own: leave out --per, --wide and --hive".into(),
        ));
    }
    check_target(args)?;
    let finish = |done: Done, file: &Path| {
        if !context.quiet {
            idle::say(file, &done.idle);
        }
        Status::lossy_if(done.lossy)
    };
    let one = |files: &[&Path]| -> Result<Status> {
        let done = job(files, 0, &args.out.output, args, context)?;
        Ok(finish(done, files.first().copied().unwrap_or(&args.out.output)))
    };
    let is_into_folder = args.per().is_none() && !args.rosbag2_dir && targets::is_folder(&args.out.output);
    let outcome = match files.as_slice() {
        _ if args.merge && is_into_folder => {
            let needs_name =
                io::Error::new(io::ErrorKind::IsADirectory, "a folder: --merge writes one file, name it");
            return Err(Error::file(&args.out.output, needs_name));
        }
        _ if args.merge => one(&files.iter().map(|(file, _)| file.as_path()).collect::<Vec<_>>()),
        [(file, None)] if is_into_folder => super::each([file.as_path()], |file| {
            let done = several::into_folder(file, args, context)?;
            Ok(finish(done, file))
        }),
        [(file, None)] => super::each([file.as_path()], |file| one(&[file])),
        [] => Ok(status),
        files => several::run(files, args, context),
    };
    Ok(outcome?.max(status))
}

/// Returns an error for a target that does not exist, and for a bag of ROS 2 named like a file: no input is to blame.
fn check_target(args: &ConvertArgs) -> Result<()> {
    /// Targets that are written from captures and logs alone, and the name of the bag of ROS 2.
    const OTHERS: [&str; 6] = ["rosbag2", "lvx2", "pcap", "koblenz-log", "log", "vel"];
    if let Some(name) = &args.to {
        let is_known = OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other));
        match targets::by_name(name) {
            Err(Error::NoSuchTarget { name, known }) if !is_known => {
                return Err(Error::NoSuchTarget { name, known: format!("{known}, {}", OTHERS.join(", ")) });
            }
            _ => {}
        }
    }
    // `--per` says that a folder is wanted, whatever its name.
    if args.rosbag2_dir {
        let holds = "the MCAP file and its metadata.yaml";
        check_folder_name(&args.out.output, &["mcap", "db3", "bag"], holds)?;
    }
    Ok(())
}

/// All recordings with the folders they were found in, and the status: not `Done` if a folder has none.
fn found(args: &ConvertArgs, context: Context) -> (Vec<several::Found>, Status) {
    let (mut files, mut status) = (Vec::new(), Status::Done);
    for argument in &args.files {
        let found = expand(slice::from_ref(argument), context);
        status = status.max(found.status);
        let below = |file: &PathBuf| (file != argument).then(|| argument.clone());
        files.extend(found.files.into_iter().map(|file| (file.clone(), below(&file))));
    }
    let is_partial = status != Status::Done && !files.is_empty();
    (files, if is_partial { Status::Lossy } else { status })
}

/// Converts one input, or several merged, to one output. `first` is the number of the first of them among all inputs.
fn job(files: &[&Path], first: usize, output: &Path, args: &ConvertArgs, context: Context) -> Result<Done> {
    let mut inputs = files.iter().map(|file| context.open(file)).collect::<Result<Vec<_>>>()?;
    let takes_packets = args.points.is_empty();
    if !takes_packets && names_pcap(args, output) {
        return Err(Error::Target(
            "a capture holds packets as they are: points cannot be removed or moved".into(),
        ));
    }
    if takes_packets
        && let [file] = files
        && (names_pcap(args, output)
            || names_recording(args, output)
                && inputs.iter().any(|input| robolog_capture::detect(input.start())))
        && let Some(input) = inputs.pop()
    {
        if names_pcap(args, output) {
            return packets(file, input, output, args, context);
        }
        match capture(file, input.len().is_some(), output, args, context) {
            // Packets of another LiDAR: write their samples.
            Err(Error::Empty(Reason::Capture(_))) => inputs.push(input),
            outcome => return outcome,
        }
    }
    if captures::asks_for_lvx2(args, output) {
        let message =
            "LVX2 is written from captures of second-generation LiDARs alone; --to lvx writes LVX 1.1";
        return Err(Error::Target(Reason::Choose(message.into())));
    }
    let target = match &args.to {
        Some(name) if args.per().is_some() || args.rosbag2_dir => targets::by_name(name)?,
        Some(name) => targets::asked(name, output)?,
        None if args.rosbag2_dir => targets::by_name(BAG)?,
        None => targets::by_path(output)?,
    };
    if args.per().is_none() && !args.rosbag2_dir {
        Target::check(output, args.out.existing(), files)?;
    }
    let len = inputs.iter().map(Input::len).sum();
    let formats: Vec<String> = inputs.iter().filter_map(|input| format_of(input, args)).collect();
    let (feeds, selection, transforms) = feeds(inputs, target, first, args, context)?;
    let makes_points = target.holds.points()
        && args.per().map_or(selection, |per| per.selection(selection)) != Selection::Everything;
    let origin = feeds.first().and_then(|feed| feed.settings().origin);
    let way = points::Job { target, per: args.per(), transforms: &transforms, files, makes_points };
    let points::Planned { plan, shift, is_whole } = args.points.plan(feeds, &way, context)?;
    let mut options = args.writing.options();
    options.tables = args.tables.options();
    options.lvx.device_type = context.livox().map(|model| model.device_type().0);
    options.las.origin = origin;
    options.las.shift = shift;
    options.las.withhold = args.points.keep_no_returns;
    let mut progress = context.progress(len);
    let progress = &mut |at| progress.set(at);
    let written = write(plan, files, output, target, (options, selection), args, progress);
    let (report, columns) = written.map_err(|error| match error {
        // Add the name of the output.
        Error::Write(e) => Error::file(output, e),
        error => error,
    })?;
    render::losses_of(files, &report);
    render::removed(output, &report, context.quiet);
    if !context.quiet {
        let why = if args.tables.wide {
            "a wide table holds numbers and texts with a time".to_owned()
        } else {
            render::holds(target)
        };
        // The transforms file comes after all recordings.
        let read: Vec<&Path> = files.iter().copied().chain(args.transforms.as_deref()).collect();
        render::skipped(&read, &report, &why, context.verbose > 0);
        let is_table = matches!(target.holds, Holds::Table | Holds::Columns);
        render::written(output, &report, args.per().is_some(), is_table, columns.as_deref());
    }
    let lacks = || report.skipped().next().is_some() || report.notes.iter().any(|note| note.is_lacking());
    let lossy = !is_whole || !report.is_complete() || args.strict && lacks();
    let sum = |counts: &BTreeMap<_, Count>| counts.values().map(|n| n.samples).sum::<u64>();
    let (written, left_out) = (sum(&report.written), sum(&report.left_out));
    let idle = idle::idle(args, target, &formats, &report);
    Ok(Done { lossy, samples: written + left_out, written, idle })
}

/// The name of a recording's format, without its dialect.
fn format_of(input: &Input, args: &ConvertArgs) -> Option<String> {
    match &args.format.name {
        Some(name) => name.split(':').next().map(str::to_owned),
        None if input.is_dataset() => Some("effibox".to_owned()),
        None => input.format().ok().map(str::to_owned),
    }
}

/// The inputs with their settings, the selection, and the user's transforms. The selection is `Channels` if the user
/// names some, or if a table is to hold a recording with one kind of values.
fn feeds(
    inputs: Vec<Input>,
    target: &'static TargetSpec,
    first: usize,
    args: &ConvertArgs,
    context: Context,
) -> Result<(Vec<Feed>, Selection, Vec<Sample>)> {
    let format = args.format.name.as_deref();
    // Relative times count from the earliest start and from the latest end of all inputs.
    let limit = args.limit();
    let is_relative = limit.is_relative() || target.needs(Need::Start) || args.tables.needs_start();
    let is_table = matches!(target.holds, Holds::Table | Holds::Columns) && args.per().is_none();
    let (mut selection, is_alone) = (args.selection(), inputs.len() == 1);
    let (mut span, mut start, mut all_settings) = (None, None, Vec::new());
    let mut aligner = aligned::Aligner::default();
    for (number, input) in (first..).zip(&inputs) {
        let overview = Overview::new(input, format, context);
        let mut settings = settings(number, input, &overview, target, args)?;
        aligner.align(input, &mut settings, args, context)?;
        if is_relative {
            start = if is_alone { overview.start(&limit, &settings)? } else { None };
            if start.is_none() {
                span = joined(span, overview.span(&limit, &settings)?);
            }
        }
        if is_table && is_alone && selection == Selection::Everything && overview.has_one_kind()? {
            selection = Selection::Channels;
        }
        all_settings.push(settings);
    }
    let mut feeds = Vec::new();
    for (input, settings) in inputs.into_iter().zip(all_settings) {
        let mut limit = match choose::channels(&input, &settings, args, context)? {
            Some(channels) => limit.clone().with_channels(channels),
            None => limit.clone(),
        };
        Overview::new(&input, format, context).choose(&mut limit)?;
        match start {
            Some(start) => limit.begin_at(start),
            None => overview::place(&mut limit, span),
        }
        let stem = input.path().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let mut feed = Feed::new(input).with_format(format).with_settings(settings).with_limit(limit);
        if let Some(calibration) = args.reading.calibration_file() {
            feed = feed.reads(calibration);
        }
        feeds.push(match stem {
            Some(stem) if args.merge => feed.below(&stem),
            _ => feed,
        });
    }
    let mut mounts = Vec::new();
    if let Some(path) = &args.transforms {
        let text = fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
        mounts = transforms::from_yaml(&text)?;
        if mounts.iter().any(|sample| (target.takes)(sample, Selection::Channels)) {
            feeds.push(Feed::of_samples(mounts.clone()).reads(path));
        } else if !args.points.has_trajectory() {
            return Err(Error::Target(Reason::NoTransforms { target: target.name }));
        }
    }
    Ok((feeds, selection, mounts))
}

/// The settings to read an input for a target.
fn settings(
    number: usize,
    input: &Input,
    overview: &Overview<'_>,
    target: &'static TargetSpec,
    args: &ConvertArgs,
) -> Result<Settings> {
    let is_mixed = target.needs(Need::OneFrame) && matches!(args.per(), None | Some(Per::Name));
    let mut settings = args.reading.settings_for(input, overview, number, is_mixed)?;
    // Tracks have dates or no times at all.
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

/// Writes the output. Returns the report, and the path of the file that describes the columns of a CSV table.
fn write(
    plan: Plan,
    files: &[&Path],
    output: &Path,
    target: &'static TargetSpec,
    (options, selection): (SinkOptions, Selection),
    args: &ConvertArgs,
    progress: &mut dyn FnMut(u64),
) -> Result<(Report, Option<PathBuf>)> {
    let existing = args.out.existing();
    let to = Destination { path: output, existing, options: &options };
    if let Some(per) = args.per() {
        return Ok((convert_into_folder(plan, target, per, &to, progress)?, None));
    }
    if args.rosbag2_dir {
        if target.name != BAG {
            let message = format!("--rosbag2-dir makes a bag of {BAG}, not of {}", target.name);
            return Err(Error::Target(message.into()));
        }
        return Ok((convert_into_bag(plan, &to, progress)?, None));
    }
    let beside = [args.transforms.as_deref(), args.reading.calibration_file(), args.points.trajectory_file()];
    let inputs: Vec<&Path> = files.iter().copied().chain(beside.into_iter().flatten()).collect();
    let out = Target::create(output, existing, &inputs)?;
    let described = if target.needs(Need::Units) { csvw::beside(output, existing, &inputs)? } else { None };
    let mut sink = target.open(out.write_behind()?, &Opening::new(options, selection))?;
    let report = convert(plan, &mut *sink, progress)?;
    let columns = sink.columns()?;
    sink.finish()?;
    let described = match described.filter(|_| !columns.is_empty()) {
        Some(document) => Some(csvw::describe(document, output, &columns)?),
        None => None,
    };
    // Neither the table nor its description exists without the other.
    out.persist().inspect_err(|_| {
        if let Some(document) = &described {
            let _ = fs::remove_file(document);
        }
    })?;
    Ok((report, described))
}
