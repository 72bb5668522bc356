//! Packets of LiDARs: captures into recordings, and recordings into captures.

use std::path::Path;

use robolog_convert::{Error, Input, Report, Result, pcap, target::Target};

use crate::{Status, args::ConvertArgs, progress::Context, render};

/// Packets of LiDARs have one target: a recording.
pub(super) fn capture(
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
        return Err(Error::Target(message.into()));
    }
    if !is_file {
        return Err(Error::Target("a capture is read twice: give a file, not a pipe".into()));
    }
    if args.per.is_some() || !args.limit().is_unlimited() {
        return Err(Error::Target("a capture is converted as a whole: cut or split what comes of it".into()));
    }
    let out = Target::create(output, args.out.existing(), &[file])?;
    if to_log {
        let (_, report) = pcap::to_log(&mut || Ok(Input::open(file)?.into_stream()), out.writer()?)?;
        out.persist()?;
        if !context.quiet {
            let (packets, messages) = (report.packets, report.messages);
            render::note(output, format_args!("{packets} packets in {messages} messages"));
        }
        return Ok(tell(file, &report.reading, report.left_out, "packets with positions", args.strict));
    }
    let model = args.writing.device_type.map(lvx::DeviceType);
    let (_, report) = pcap::to_lvx(&mut || Ok(Input::open(file)?.into_stream()), out.writer()?, model)?;
    out.persist()?;
    let status = tell(file, &report.reading, report.left_out, "packets", args.strict);
    if !context.quiet {
        let version = report.version.map(|v| v.to_string()).unwrap_or_default();
        let (packages, frames) = (report.packages, report.frames);
        render::note(output, format_args!("{version}, {packages} packages in {frames} frames"));
    }
    Ok(status)
}

/// Says what a capture lost on its way.
fn tell(file: &Path, reading: &Report, left_out: u64, what: &str, strict: bool) -> Status {
    render::losses(file, reading);
    if left_out > 0 {
        render::note(file, format_args!("note: skipped {left_out} {what}: the target has no place for them"));
    }
    if reading.damages > 0 || strict && left_out > 0 { Status::Lossy } else { Status::Done }
}

pub(super) fn names_pcap(args: &ConvertArgs, output: &Path) -> bool {
    args.to.as_deref().map_or_else(|| output.extension().is_some_and(|e| e == "pcap"), |to| to == "pcap")
}

/// Packets of a Velodyne out of a log into a capture.
pub(super) fn packets(
    file: &Path,
    input: Input,
    output: &Path,
    args: &ConvertArgs,
    context: Context,
) -> Result<Status> {
    let format = match &args.format.name {
        Some(name) => name.clone(),
        None => input.format()?.to_owned(),
    };
    if format != "koblenz-log" {
        return Err(Error::Target(
            format!("packets are written of Koblenz logs alone, not of {format}").into(),
        ));
    }
    let (settings, mut limit) = (args.reading.settings(&input, 0, Some(&format))?, args.limit());
    if limit.is_relative() {
        super::super::begin(&mut limit, &input, Some(&format), &settings, context)?;
    }
    let out = Target::create(output, args.out.existing(), &[file])?;
    let (_, report) = pcap::from_log(input.into_stream(), &settings, &mut limit, out.writer()?)?;
    out.persist()?;
    render::losses(file, &report);
    if !context.quiet {
        let packets = report.written.values().map(|n| n.samples).sum::<u64>();
        render::note(output, format_args!("{packets} packets"));
    }
    Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
}
