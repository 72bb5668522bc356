//! Finds out whether an output is an input, whatever their names.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// Name of standard input and standard output.
pub(crate) const STANDARD: &str = "-";

/// Identity of a file: device and inode, where the system has them.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    #[cfg(unix)]
    Inode(u64, u64),
    #[cfg(not(unix))]
    Path(PathBuf),
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "as where paths tell files apart")]
fn identity(_: &Path, meta: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some(Identity::Inode(meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok().map(Identity::Path)
}

/// File that standard input is redirected from.
#[cfg(unix)]
fn standard_input() -> Option<Identity> {
    use std::os::fd::AsFd as _;
    let file = fs::File::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
    let meta = file.metadata().ok()?;
    if meta.is_file() { identity(Path::new(STANDARD), &meta) } else { None }
}

#[cfg(not(unix))]
fn standard_input() -> Option<Identity> {
    None
}

/// Whether standard output is redirected to the file at `input`, or to that of standard input: the program would read
/// its own output.
#[cfg(unix)]
pub fn is_standard_output(input: &Path) -> bool {
    use std::os::fd::AsFd as _;
    let copy = std::io::stdout().as_fd().try_clone_to_owned();
    let meta = copy.and_then(|copy| fs::File::from(copy).metadata());
    let Ok(meta) = meta else { return false };
    meta.is_file() && of_file(input).is_some_and(|found| identity(input, &meta) == Some(found))
}

/// Elsewhere files are identified by name, and standard output has none.
#[cfg(not(unix))]
pub fn is_standard_output(_: &Path) -> bool {
    false
}

/// Identity of an input that is a file.
fn of_file(input: &Path) -> Option<Identity> {
    if input == Path::new(STANDARD) {
        return standard_input();
    }
    let meta = fs::metadata(input).ok()?;
    if meta.is_file() { identity(input, &meta) } else { None }
}

/// Returns an error if the file at `output` is one of `inputs`, or lies in an input folder.
pub(super) fn check_file(output: &Path, meta: &Metadata, inputs: &[&Path]) -> Result<()> {
    let Some(wanted) = identity(output, meta) else { return Ok(()) };
    for input in inputs {
        if of_file(input).is_some_and(|found| found == wanted) {
            return Err(Error::IsInput(output.to_owned()));
        }
        if has(input, true, &mut |found| *found == wanted) {
            return Err(Error::InInput(output.to_owned()));
        }
    }
    Ok(())
}

/// Returns an error if the folder at `output`, to be replaced, holds one of `inputs` or lies in one.
pub(super) fn check_folder(output: &Path, inputs: &[&Path]) -> Result<()> {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    let Some(folder) = canonical(output) else { return Ok(()) };
    let paths: Vec<PathBuf> = inputs.iter().filter_map(|input| canonical(input)).collect();
    let files: BTreeSet<Identity> = inputs.iter().filter_map(|input| of_file(input)).collect();
    if paths.iter().any(|input| input.starts_with(&folder))
        || has(output, false, &mut |found| files.contains(found))
    {
        return Err(Error::HoldsInput(output.to_owned()));
    }
    if paths.iter().any(|input| folder.starts_with(input)) {
        return Err(Error::InInput(output.to_owned()));
    }
    Ok(())
}

/// Whether a file below `folder` is the one searched for. Skips folders that cannot be listed, which cannot be inputs
/// either.
fn has(folder: &Path, through_links: bool, is_it: &mut dyn FnMut(&Identity) -> bool) -> bool {
    let mut seen = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let meta = if through_links { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
            let Ok(meta) = meta else { continue };
            let Some(found) = identity(&path, &meta) else { continue };
            if meta.is_dir() {
                // A link may lead to a folder above.
                if seen.insert(found) {
                    folders.push(path);
                }
            } else if is_it(&found) {
                return true;
            }
        }
    }
    false
}
