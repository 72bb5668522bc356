//! Folders with the parts of one recording.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Error, Result};

/// Whether a folder holds only the parts of a recording: files of one name and extension, numbered from 000 without
/// gaps.
pub(super) fn holds_only_parts(folder: &Path) -> Result<bool> {
    let failed = |e| Error::file(folder, e);
    let mut names: Option<(String, String)> = None;
    let mut numbers = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let Some((stem, number, extension)) = name.to_str().and_then(of_part) else { return Ok(false) };
        let found = (stem.to_owned(), extension.to_owned());
        if !entry.file_type().map_err(failed)?.is_file()
            || *names.get_or_insert_with(|| found.clone()) != found
        {
            return Ok(false);
        }
        numbers.insert(number);
    }
    Ok(numbers.iter().copied().eq(0..numbers.len() as u64))
}

/// Splits a name like `drive-007.lvx` into stem, number and extension.
fn of_part(name: &str) -> Option<(&str, u64, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    let is_number = number.len() >= 3 && number.bytes().all(|b| b.is_ascii_digit());
    Some((stem, number.parse().ok().filter(|_| is_number)?, extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_files_of_one_name() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(dir.path().join(name), "x").unwrap();
        let is_ours = || holds_only_parts(dir.path()).unwrap();
        put("a-000.lvx");
        put("a-001.lvx");
        assert!(is_ours());
        put("a-003.lvx");
        assert!(!is_ours(), "a gap");
        put("a-002.lvx");
        assert!(is_ours());
        put("notes.txt");
        assert!(!is_ours());
    }
}
