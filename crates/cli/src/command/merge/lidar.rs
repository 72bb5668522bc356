//! LVX: frames in order of time, with joined device lists.

use std::path::Path;

use robolog_convert::Result;

use super::{Job, Merged, Out, next::Next};
use crate::render;

pub(super) fn merge(job: &Job<'_>, target: &Path, out: Out) -> Result<Merged> {
    let inputs = job.lanes::<lvx::Lvx>()?.into_iter().map(Next::into_reader).collect();
    let (_, report) = lvx::merge(inputs, out)?;
    for (input, file) in report.inputs.iter().zip(&job.files) {
        for damage in &input.damage {
            render::damage(file, &damage.error, &damage.lost);
        }
    }
    for finding in &report.findings {
        render::note(target, &finding.message);
    }
    Ok(Merged { records: report.frames(), is_whole: report.is_whole() })
}
