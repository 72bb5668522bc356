//! The verbs: a file each.

pub(crate) mod alog;
pub(crate) mod carla;
pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod cut;
pub(crate) mod docs;
pub(crate) mod effibox;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod koblenz;
pub(crate) mod merge;
pub(crate) mod recover;

mod rewrite;
mod summary;

use std::path::Path;

use robolog_convert::{Input, Limit, Result, Settings};
use robolog_core::Timestamp;

use crate::{Status, progress::Context, render};

/// Opens a file, or standard input for `-`.
fn open(path: &Path) -> Result<Input> {
    if path == Path::new("-") { Input::stdin() } else { Input::open(path) }
}

/// Tells `limit` when the recording begins, where a bound counts from there.
fn begin(
    limit: &mut Limit,
    input: &Input,
    format: Option<&str>,
    settings: &Settings,
    context: Context,
) -> Result<()> {
    if let Some(start) = start(limit, input, format, settings, context)? {
        limit.begin_at(start);
    }
    Ok(())
}

/// When the recording begins, where a bound of `limit` counts from there: one pass more over a file. A pipe is read only
/// once, and must not be opened again: there the first stamp counts.
fn start(
    limit: &Limit,
    input: &Input,
    format: Option<&str>,
    settings: &Settings,
    context: Context,
) -> Result<Option<Timestamp>> {
    let file = input.path().filter(|_| limit.is_relative() && input.len().is_some());
    let Some(file) = file else { return Ok(None) };
    let span = summary::survey(Input::open(file)?, format, context)?.summary.span;
    Ok(span.and_then(|(start, _)| settings.moved(start)))
}

/// Runs `work` on each file, says what goes wrong, and gives the worst status.
fn each<'a>(
    files: impl IntoIterator<Item = &'a Path>,
    mut work: impl FnMut(&'a Path) -> Result<Status>,
) -> Result<Status> {
    let mut worst = Status::Done;
    for file in files {
        worst = worst.max(match work(file) {
            Ok(status) => status,
            Err(error) if error.is_broken_pipe() => return Err(error),
            Err(error) => {
                render::error(Some(file), &error);
                Status::of(&error)
            }
        });
    }
    Ok(worst)
}
