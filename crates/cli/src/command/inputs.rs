//! The recordings named by the FILE arguments: a folder means all recordings below it.

use std::path::{Path, PathBuf};

use robolog_convert::{Result, recordings};

use crate::{call, progress::Context, render, status::Status};

/// Recordings to process, in order.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// Files, folders that are one recording each, and `-` for standard input.
    pub(crate) files: Vec<PathBuf>,
    /// `Failed` if a folder has no recording or cannot be read; the error is already printed.
    pub(crate) status: Status,
}

/// Replaces each folder by the recordings below it, in order of name, unless the folder is itself a recording: a data
/// set, or the files of a split log. A note on stderr counts the other files.
///
/// A file given by name always stays in the list.
pub(crate) fn expand(files: &[PathBuf], context: Context) -> Inputs {
    let mut inputs = Inputs { files: Vec::new(), status: Status::Done };
    for file in files {
        match of_argument(file, context) {
            Ok(found) => inputs.files.extend(found),
            Err(error) => {
                render::error(Some(file), &error);
                inputs.status = Status::Failed;
            }
        }
    }
    inputs
}

impl Inputs {
    /// Runs `work` on each recording, prints errors, and returns the worst status.
    pub(crate) fn each(&self, work: impl FnMut(&Path) -> Result<Status>) -> Result<Status> {
        let worst = super::each(self.files.iter().map(AsRef::as_ref), work)?;
        Ok(worst.max(self.status))
    }
}

fn of_argument(file: &Path, context: Context) -> Result<Vec<PathBuf>> {
    if call::opens(file) {
        return Ok(vec![file.to_owned()]);
    }
    let found = recordings(file, context.limits)?;
    if let (Some(skipped), false) = (found.skipped(), context.quiet) {
        render::note(file, format_args!("note: skipped {skipped}"));
    }
    Ok(found.files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::When;

    fn context() -> Context {
        Context {
            max_memory: None,
            quiet: true,
            verbose: 0,
            progress: When::Never,
            color: When::Never,
            limits: robolog_core::Limits::default(),
            time: alog::TimeFrom::default(),
            model: None,
        }
    }

    #[test]
    fn an_empty_folder_fails_and_the_other_files_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let inputs = expand(&[dir.path().to_owned(), "no-such-file".into(), "-".into()], context());
        assert_eq!(inputs.files, [Path::new("no-such-file"), Path::new("-")]);
        assert_eq!(inputs.status, Status::Failed);
    }
}
