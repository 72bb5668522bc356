//! What to do about a file that cannot be opened.

use std::{fs, io::ErrorKind, path::Path};

use robolog_convert::{Error, nearest};
use robolog_core::text::name_of;

use super::path as shown;

/// Names of a folder that are looked at.
const LOOKED_AT: usize = 10_000;

/// What somebody may have meant who named a file that does not exist, or a folder where a file is read.
pub(super) fn hint(error: &Error) -> String {
    match error {
        Error::Input { source, .. } => hint(source),
        Error::File { path, source } => match source.kind() {
            ErrorKind::NotFound if source.get_ref().is_none() => neighbour(path),
            ErrorKind::IsADirectory if source.get_ref().is_none() && path.is_dir() => {
                ": name a file in it".into()
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The file with the most similar name in the same folder, or the folder that does not exist.
fn neighbour(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.exists() {
        return String::new();
    }
    let Ok(files) = fs::read_dir(folder) else {
        return if folder.exists() {
            String::new()
        } else {
            format!("; there is no folder {}", shown(folder))
        };
    };
    let names = files.take(LOOKED_AT).filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    // Names of one kind are alike by their extension alone.
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
    let wanted = name_of(path);
    let near = nearest(&stem(&wanted), stems.iter().map(String::as_str));
    let mut alike = names.iter().filter(|name| Some(&*stem(name)) == near);
    let is_same_kind = |name: &&String| Path::new(name.as_str()).extension() == path.extension();
    alike
        .clone()
        .find(is_same_kind)
        .or_else(|| alike.next())
        .map_or_else(String::new, |name| format!("; did you mean {}?", shown(&path.with_file_name(name))))
}

/// Prints an error for each file that does not exist; returns whether there is one. `instead` says what a name without an
/// extension may have been meant for.
pub(crate) fn are_missing(files: &[impl AsRef<Path>], instead: impl Fn(&str) -> String) -> bool {
    let mut is_one_missing = false;
    for file in files.iter().map(AsRef::as_ref) {
        let Err(error) = fs::symlink_metadata(file) else { continue };
        if file == Path::new("-") || error.kind() != ErrorKind::NotFound {
            continue;
        }
        is_one_missing = true;
        let error = Error::file(file, error);
        let name = file.to_string_lossy();
        let is_word = file.extension().is_none() && file.components().count() == 1;
        match hint(&error) {
            near if near.is_empty() && is_word => {
                super::say(format_args!("robolog: {error}; {}", instead(&name)));
            }
            _ => super::error(Some(file), &error),
        }
    }
    is_one_missing
}
