//! `robolog cut`: a part of a recording, byte for byte.

use robolog_convert::{Error, Result, target::Target};

use super::rewrite::{Copied, Rewrite};
use crate::{Status, args::CutArgs, progress::Context, render};

pub(crate) fn run(args: &CutArgs, context: Context) -> Result<Status> {
    let CutArgs { file, out, time, frames, limit, format } = args;
    super::each([file.as_path()], |file| {
        let input = super::open(file)?;
        let (len, format) = (input.len(), format.name.as_deref());
        let mut limit = limit.clone().with(time);
        super::begin(&mut limit, &input, format, &robolog_convert::Settings::default(), context)?;
        let target = Target::create(&out.output, out.force, &[file])?;
        let (frames, progress) = (frames.clone(), context.progress(len));
        let is_limited = frames.is_some() || !limit.is_unlimited();
        let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames, progress };
        let Copied { parts, report } = input.visit(format, rewrite)??;
        render::losses(file, &report);
        if parts == 0 && report.records > 0 && is_limited {
            return Err(Error::Empty("nothing in the recording is within the limits".into()));
        }
        target.persist()?;
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}
