//! `robolog convert`: samples in another format.

use std::path::Path;

use robolog_convert::{Report, Result, TargetFormat, convert, convert_into_folder, sink, target::Target};

use crate::{Status, args::ConvertArgs, progress::Context, render};

pub(crate) fn run(args: &ConvertArgs, context: Context) -> Result<Status> {
    let many = args.files.len() > 1;
    super::each(args.files.iter().map(AsRef::as_ref), |file: &Path| {
        let name = args.to.as_deref();
        let output = if many {
            // Several inputs: a file or folder each, named after the input, in a folder that is made at need.
            let stem = file.file_stem().unwrap_or(file.as_os_str());
            std::fs::create_dir_all(&args.out.output)
                .map_err(|e| robolog_convert::Error::file(&args.out.output, e))?;
            let mut output = args.out.output.join(stem);
            if args.per.is_none() {
                output.set_extension(TargetFormat::from_name(name.unwrap_or_default())?.name());
            }
            output
        } else {
            args.out.output.clone()
        };
        let target = match name {
            Some(name) => TargetFormat::from_name(name)?,
            None => TargetFormat::from_path(&output)?,
        };
        let report = one(file, &output, target, args, context)?;
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
    output: &Path,
    target: TargetFormat,
    args: &ConvertArgs,
    context: Context,
) -> Result<Report> {
    let input = super::open(file)?;
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
