//! `robolog merge`: several recordings of one format as one.

use robolog_convert::{Error, Result, target::Target};
use robolog_core::StreamReader;

use crate::{Status, args::MergeArgs, progress::Context, render};

pub(crate) fn run(args: &MergeArgs, context: Context) -> Result<Status> {
    let inputs = args.files.iter().map(|file| {
        let input = super::open(file)?;
        match input.format()? {
            "lvx" => Ok(StreamReader::<_, lvx::Lvx>::new(input.into_stream())?),
            other => Err(Error::Target(format!("{other} recordings cannot be merged").into())),
        }
    });
    let inputs: Vec<_> = inputs
        .zip(&args.files)
        .map(|(input, file)| input.inspect_err(|error| render::error(Some(file), error)).ok())
        .collect();
    let Some(inputs) = inputs.into_iter().collect::<Option<Vec<_>>>() else { return Ok(Status::Failed) };

    let files: Vec<_> = args.files.iter().map(AsRef::as_ref).collect();
    let target = Target::create(&args.out.output, args.out.existing(), &files)?;
    let (_, report) = lvx::merge(inputs, target.writer()?)?;
    for (input, file) in report.inputs.iter().zip(&args.files) {
        for damage in &input.damage {
            render::damage(file, &damage.error, &damage.lost);
        }
    }
    for finding in &report.findings {
        render::note(&args.out.output, &finding.message);
    }
    if report.frames() == 0 {
        return Err(Error::Empty("the recordings hold no record".into()));
    }
    target.persist()?;
    if !context.quiet {
        let message = format_args!("{} records of {} inputs", report.frames(), args.files.len());
        render::note(&args.out.output, message);
    }
    Ok(if report.is_whole() { Status::Done } else { Status::Lossy })
}
