//! A survey of a recording, whatever its format, with a bar on the terminal.

use robolog_convert::{Input, Result, Surveyed};

use crate::progress::Context;

/// Surveys an input.
pub(crate) fn survey(input: Input, format: Option<&str>, context: Context) -> Result<Surveyed> {
    let mut progress = context.progress(input.len());
    robolog_convert::survey(input, format, &mut |at| progress.set(at))
}
