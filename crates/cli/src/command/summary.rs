//! A survey of a recording of any format, with a progress bar.

use std::{fs, path::Path};

use robolog_convert::{Error, Input, Result, Surveyed};

use super::overview::can_be_read_again;
use crate::progress::Context;

/// Surveys an input.
pub(crate) fn survey(input: Input, format: Option<&str>, context: Context) -> Result<Surveyed> {
    let mut progress = context.progress(input.len());
    robolog_convert::survey(input, format, &mut |at| progress.set(at))
}

/// Surveys an input with the figures of its track: where they cost nothing, or everywhere with `decodes`.
pub(crate) fn survey_with_journey(
    path: &Path,
    format: Option<&str>,
    decodes: bool,
    context: Context,
) -> Result<Surveyed> {
    if decodes && !can_be_read_again(path) {
        return Err(Error::Target("--track needs a file, which may be read twice, not a pipe".into()));
    }
    let mut progress = context.progress(fs::metadata(path).map(|meta| meta.len()).ok());
    let open = || context.open(path);
    robolog_convert::journey::survey_with_journey(&open, format, decodes, &mut |at| progress.set(at))
}
