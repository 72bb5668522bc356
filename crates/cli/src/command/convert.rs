//! `robolog convert`: samples in another format.

use std::path::Path;

use robolog_convert::{
    Error, Input, Report, Result, TargetFormat, convert, convert_into_folder, pcap, sink, target::Target,
};

use crate::{Status, args::ConvertArgs, progress::Context, render};

pub(crate) fn run(args: &ConvertArgs, context: Context) -> Result<Status> {
    let many = args.files.len() > 1;
    super::each(args.files.iter().map(AsRef::as_ref), |file: &Path| {
        let name = args.to.as_deref();
        let output = if many {
            // Several inputs: a file or folder each, named after the input, in a folder that is made at need.
            let stem = file.file_stem().unwrap_or(file.as_os_str());
            std::fs::create_dir_all(&args.out.output).map_err(|e| Error::file(&args.out.output, e))?;
            let mut output = args.out.output.join(stem);
            if args.per.is_none() {
                // What cannot be told fails below.
                output.set_extension(name.unwrap_or_default());
            }
            output
        } else {
            args.out.output.clone()
        };
        let input = super::open(file)?;
        if pcap::detect(input.start()) {
            return capture(file, &output, args, context);
        }
        let target = match name {
            Some(name) => TargetFormat::from_name(name)?,
            None => TargetFormat::from_path(&output)?,
        };
        let report = one(file, input, &output, target, args, context)?;
        render::losses(file, &report);
        if !context.quiet {
            let written: Vec<_> = report
                .written
                .iter()
                .map(|(kind, n)| format!("{} {kind} ({} values)", n.samples, n.values))
                .collect();
            let files =
                if args.per.is_some() { format!(" in {} files", report.files) } else { String::new() };
            render::note(&output, format_args!("{}{files}", written.join(", ")));
        }
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}

fn one(
    file: &Path,
    input: Input,
    output: &Path,
    target: TargetFormat,
    args: &ConvertArgs,
    context: Context,
) -> Result<Report> {
    let mut progress = context.progress(input.len());
    let progress = &mut |at| progress.set(at);
    let (format, settings, mut limit) = (args.format.name.as_deref(), args.settings(), args.limit());
    if let Some(per) = args.per() {
        let (what, how) = ((target, args.pcd_data()), (per, args.out.force));
        return convert_into_folder(input, format, &settings, &mut limit, output, what, how, progress);
    }
    let out = Target::create(output, args.out.force, &[file])?;
    let mut sink = sink::open(target, out.writer()?, args.pcd_data(), limit.chooses_channels())?;
    let report = convert(input, format, &settings, &mut limit, &mut *sink, progress)?;
    sink.finish()?;
    out.persist()?;
    Ok(report)
}

/// Packets of LiDARs have one target: a recording.
fn capture(file: &Path, output: &Path, args: &ConvertArgs, context: Context) -> Result<Status> {
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    let to = args.to.as_deref().unwrap_or(&extension);
    if !matches!(to, "lvx" | "lvx2") {
        return Err(Error::Target(format!("a capture can become lvx or lvx2, not {to:?}: convert it first")));
    }
    if file == Path::new("-") {
        return Err(Error::Target("a capture is read twice: give a file, not standard input".into()));
    }
    let out = Target::create(output, args.out.force, &[file])?;
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
