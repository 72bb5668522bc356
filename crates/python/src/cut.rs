//! A part of a recording, byte for byte.

use std::path::Path;

use robolog_convert::{
    Copied, Error, Report, Result, Rewrite, Settings,
    target::{Existing, Target},
};

use crate::{limit::Query, opened::Opened, pulse::Pulse};

/// Copies the selected records to a new file.
pub(crate) fn run(
    opened: &Opened,
    output: &Path,
    force: bool,
    query: &Query,
    pulse: &Pulse,
) -> Result<Report> {
    let mut limit = opened.limit(query, &Settings::default(), pulse)?;
    let input = opened.input(pulse)?;
    if input.is_dataset() {
        return Err(Error::Target("a data set is cut by the program: robolog cut".into()));
    }
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let inputs: Vec<&Path> = opened.source.path().into_iter().collect();
    let target = Target::create(output, existing, &inputs)?;
    let is_limited = !limit.is_unlimited();
    let progress = &mut |at| Ok(pulse.tick(Some(at))?);
    let rewrite = Rewrite { out: target.writer()?, limit: &mut limit, frames: None, edit: None, progress };
    let Copied { parts, mut report, .. } =
        robolog_convert::rewrite(input, opened.format.as_deref(), rewrite)?;
    if parts == 0 && report.records > 0 && is_limited {
        return Err(Error::Empty("nothing in the recording is within the limits".into()));
    }
    target.persist()?;
    report.files = 1;
    Ok(report)
}
