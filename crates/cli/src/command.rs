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
#[cfg(feature = "report")]
pub(crate) mod report;
#[cfg(feature = "mcap")]
pub(crate) mod rerun;

mod rewrite;
mod summary;

use std::path::Path;

use robolog_convert::{Error, Input, Limit, Result, Settings};
use robolog_core::Timestamp;

use crate::{Status, progress::Context, render};

/// Opens a file, or standard input for `-`.
fn open(path: &Path) -> Result<Input> {
    if path == Path::new("-") { Input::stdin() } else { Input::open(path) }
}

/// When a recording begins and ends.
type Span = (Timestamp, Timestamp);

/// Tells `limit` when the recording begins and ends.
fn begin(
    limit: &mut Limit,
    input: &Input,
    format: Option<&str>,
    settings: &Settings,
    context: Context,
) -> Result<()> {
    place(limit, span(limit, input, format, settings, context)?);
    Ok(())
}

/// Tells `limit` of the span, where it is known.
fn place(limit: &mut Limit, span: Option<Span>) {
    if let Some((start, end)) = span {
        limit.begin_at(start);
        limit.end_at(end);
    }
}

/// When the recording begins and ends: one pass more over a file. A pipe is read only once: there the first stamp is the
/// start. Fails when a bound of `limit` counts from the end of a pipe.
fn span(
    limit: &Limit,
    input: &Input,
    format: Option<&str>,
    settings: &Settings,
    context: Context,
) -> Result<Option<Span>> {
    let Some(file) = input.path().filter(|path| can_be_read_again(path)) else {
        return if limit.needs_end() {
            Err(Error::Target("a time from the end needs a file, not a pipe".into()))
        } else {
            Ok(None)
        };
    };
    let span = summary::survey(Input::open(file)?, format, context)?.summary.span;
    Ok(span.and_then(|(start, end)| settings.moved(start).zip(settings.moved(end))))
}

fn can_be_read_again(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() || meta.is_dir())
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
