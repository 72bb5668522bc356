//! `robolog convert`: samples in another format.

use std::{
    fs,
    path::{Path, PathBuf},
};

use robolog_convert::{
    Error, Input, Report, Result, TargetFormat, convert, convert_into_folder, pcap, sink, target::Target,
};

use crate::{Status, args::ConvertArgs, progress::Context, render};

pub(crate) fn run(args: &ConvertArgs, context: Context) -> Result<Status> {
    let outputs = outputs(args)?;
    let folder = (args.files.len() > 1).then_some(args.out.output.as_path());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
    }
    let mut outputs = outputs.iter();
    let outcome = super::each(args.files.iter().map(AsRef::as_ref), |file: &Path| {
        let output = outputs.next().unwrap_or(&args.out.output);
        let input = super::open(file)?;
        if names_pcap(args, output) {
            return packets(file, input, output, args, context);
        }
        if pcap::detect(input.start()) {
            return capture(file, input.len().is_some(), output, args, context);
        }
        let target = match &args.to {
            Some(name) => TargetFormat::from_name(name)?,
            None => TargetFormat::from_path(output)?,
        };
        let report = one(file, input, output, target, args, context).map_err(|error| match error {
            // Which file could not be written.
            Error::Write(e) => Error::file(output, e),
            error => error,
        })?;
        render::losses(file, &report);
        if !context.quiet {
            let written: Vec<_> = report
                .written
                .iter()
                .map(|(kind, n)| format!("{} {kind} ({} values)", n.samples, n.values))
                .collect();
            let files =
                if args.per.is_some() { format!(" in {} files", report.files) } else { String::new() };
            render::note(output, format_args!("{}{files}", written.join(", ")));
        }
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    });
    if let Some(folder) = folder {
        // Only when nothing came to be in it.
        let _ = fs::remove_dir(folder);
    }
    outcome
}

/// Where each input's output goes: several inputs get a file or folder each, named after them, in a folder.
fn outputs(args: &ConvertArgs) -> Result<Vec<PathBuf>> {
    if let [_] = args.files.as_slice() {
        return Ok(vec![args.out.output.clone()]);
    }
    let Some(extension) = &args.to else {
        return Err(Error::Target("several inputs: --to must say what they are to be".into()));
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

fn one(
    file: &Path,
    input: Input,
    output: &Path,
    target: TargetFormat,
    args: &ConvertArgs,
    context: Context,
) -> Result<Report> {
    let (format, settings, mut limit) = (args.format.name.as_deref(), args.reading.settings()?, args.limit());
    super::begin(&mut limit, &input, format, &settings, context)?;
    let mut progress = context.progress(input.len());
    let progress = &mut |at| progress.set(at);
    if let Some(per) = args.per() {
        let options = args.writing.options(file);
        let (what, how) = ((target, &options), (per, args.out.force));
        return convert_into_folder(input, format, &settings, &mut limit, output, what, how, progress);
    }
    let out = Target::create(output, args.out.force, &[file])?;
    let mut sink = sink::open(target, out.writer()?, &args.writing.options(file), limit.chooses_channels())?;
    let report = convert(input, format, &settings, &mut limit, &mut *sink, progress)?;
    sink.finish()?;
    out.persist()?;
    Ok(report)
}

/// Packets of LiDARs have one target: a recording.
fn capture(
    file: &Path,
    is_file: bool,
    output: &Path,
    args: &ConvertArgs,
    context: Context,
) -> Result<Status> {
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    let to = args.to.as_deref().unwrap_or(&extension);
    let to_log = matches!(to, "koblenz-log" | "log" | "vel");
    if !to_log && !matches!(to, "lvx" | "lvx2") {
        let message = format!("a capture can become lvx, lvx2 or koblenz-log, not {to:?}: convert it first");
        return Err(Error::Target(message));
    }
    if !is_file {
        return Err(Error::Target("a capture is read twice: give a file, not a pipe".into()));
    }
    if args.per.is_some() || !args.limit().is_unlimited() {
        return Err(Error::Target("a capture is converted as a whole: cut or split what comes of it".into()));
    }
    let out = Target::create(output, args.out.force, &[file])?;
    if to_log {
        let (_, report) = pcap::to_log(&mut || Ok(Input::open(file)?.into_stream()), out.writer()?)?;
        out.persist()?;
        return Ok(tell_log(file, output, &report, context));
    }
    let model = args.device_type.map(lvx::DeviceType);
    let (_, report) = pcap::to_lvx(&mut || Ok(Input::open(file)?.into_stream()), out.writer()?, model)?;
    out.persist()?;
    if report.truncated {
        render::note(file, "ends inside a packet");
    }
    if report.left_out > 0 {
        render::note(
            file,
            format_args!("left out {} packets: the target has no place for them", report.left_out),
        );
    }
    if !context.quiet {
        let version = report.version.map(|v| v.to_string()).unwrap_or_default();
        let (packages, frames) = (report.packages, report.frames);
        render::note(output, format_args!("{version}, {packages} packages in {frames} frames"));
    }
    Ok(if report.truncated || report.left_out > 0 { Status::Lossy } else { Status::Done })
}

fn tell_log(file: &Path, output: &Path, report: &pcap::LogReport, context: Context) -> Status {
    if report.truncated {
        render::note(file, "ends inside a packet");
    }
    if report.left_out > 0 {
        let left_out = report.left_out;
        render::note(
            file,
            format_args!("left out {left_out} packets with positions: the log has no place for them"),
        );
    }
    if !context.quiet {
        render::note(output, format_args!("{} packets in {} messages", report.packets, report.messages));
    }
    if report.truncated || report.left_out > 0 { Status::Lossy } else { Status::Done }
}

fn names_pcap(args: &ConvertArgs, output: &Path) -> bool {
    args.to.as_deref().map_or_else(|| output.extension().is_some_and(|e| e == "pcap"), |to| to == "pcap")
}

/// Packets of a Velodyne out of a log into a capture.
fn packets(file: &Path, input: Input, output: &Path, args: &ConvertArgs, context: Context) -> Result<Status> {
    let format = match &args.format.name {
        Some(name) => name.clone(),
        None => input.format()?.to_owned(),
    };
    if format != "koblenz-log" {
        return Err(Error::Target(format!("packets are written of Koblenz logs alone, not of {format}")));
    }
    let (settings, mut limit) = (args.reading.settings()?, args.limit());
    super::begin(&mut limit, &input, Some(&format), &settings, context)?;
    let out = Target::create(output, args.out.force, &[file])?;
    let (_, report) = pcap::from_log(input.into_stream(), &settings, &mut limit, out.writer()?)?;
    out.persist()?;
    render::losses(file, &report);
    if !context.quiet {
        let packets = report.written.values().map(|n| n.samples).sum::<u64>();
        render::note(output, format_args!("{packets} packets"));
    }
    Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
}
