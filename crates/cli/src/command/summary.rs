//! A survey of a recording of any format, with a progress bar.

use robolog_convert::{Input, Result, Surveyed};

use crate::progress::Context;

/// Surveys an input.
pub(crate) fn survey(input: Input, format: Option<&str>, context: Context) -> Result<Surveyed> {
    let mut progress = context.progress(input.len());
    robolog_convert::survey(input, format, &mut |at| progress.set(at))
}
