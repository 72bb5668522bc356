//! `robolog recover`: what can be read of a damaged recording, as a whole one.

use robolog_convert::{Copied, Error, Limit, Result, Rewrite};

use super::{copy, summary::survey};
use crate::{Status, args::RecoverArgs, progress::Context, render};

pub(crate) fn run(args: &RecoverArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        let input = context.open(file)?;
        let len = input.len();
        let format = args.format.name.as_deref();
        let target = copy::begin(&args.out, copy::format_of(&input, format)?, &[file])?;
        let mut limit = Limit::default();
        let mut progress = context.progress(len);
        let progress = &mut |at| {
            progress.set(at);
            Ok(())
        };
        let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames: None, progress };
        let Copied { parts, report } = robolog_convert::rewrite(input, format, rewrite)?;
        render::losses(file, &report);
        if parts == 0 && report.damages > 0 {
            return Err(Error::Empty("no record of the recording can be read".into()));
        }
        // What is called recovered must be readable: it is read once more before it gets its name.
        let info = survey(context.open(target.path())?, format, context)?;
        if !info.summary.is_ok() {
            return Err(Error::Target("what could be read does not make a sound recording".into()));
        }
        copy::end(target, &args.out, &[file])?;
        if !context.quiet {
            let records = render::count(info.summary.records, "record");
            let lost = match (report.is_complete(), report.lost_bytes) {
                (true, _) => "nothing was damaged".into(),
                (false, lost) => format!("{} lost", render::count(lost, "byte")),
            };
            render::note(&args.out.output, format_args!("{records}, {lost}"));
        }
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}
