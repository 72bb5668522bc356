//! The verbs, one file each.

pub(crate) mod align;
pub(crate) mod alog;
pub(crate) mod carla;
pub(crate) mod cat;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod convert;
mod copy;
pub(crate) mod cut;
pub(crate) mod diff;
pub(crate) mod docs;
pub(crate) mod edit;
pub(crate) mod effibox;
pub(crate) mod events;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod inputs;
pub(crate) mod koblenz;
pub(crate) mod lvx;
pub(crate) mod merge;
pub(crate) mod recover;
#[cfg(feature = "report")]
pub(crate) mod report;
#[cfg(feature = "mcap")]
pub(crate) mod rerun;
pub(crate) mod split;
pub(crate) mod view;

mod identity;
mod overview;
mod spool;
mod summary;

use std::path::Path;

pub(crate) use overview::{Overview, can_be_read_again};
use robolog_convert::Result;

use crate::{call, render, status::Status};

/// Runs `work` on each file, prints errors, and returns the worst status.
fn each<'a>(
    files: impl IntoIterator<Item = &'a Path>,
    mut work: impl FnMut(&'a Path) -> Result<Status>,
) -> Result<Status> {
    let mut worst = Status::Done;
    for file in files {
        worst = worst.max(match work(file) {
            Ok(status) => status,
            Err(error) if error.is_broken_pipe() || call::is_called() => return Err(error),
            Err(error) => {
                render::error(Some(file), &error);
                Status::of(&error)
            }
        });
    }
    Ok(worst)
}
