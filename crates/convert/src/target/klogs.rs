//! Folders of `.klog` files of a split log.

use std::{collections::BTreeSet, ffi::OsStr, fs, path::Path};

use crate::{Error, Result};

/// Summary file of a split log.
const SUMMARY: &str = "summary.klog";

/// Line of the summary that distinguishes a folder made by robolog from one of MOOS-IvP's `alogsplit`.
pub const KLOGS_MADE_HERE: &str = "made_by=robolog";

/// Whether a folder holds only a log split by robolog: as many `.klog` files as its summary lists.
pub(super) fn holds_only_klogs(folder: &Path) -> Result<bool> {
    let Ok(summary) = fs::read_to_string(folder.join(SUMMARY)) else { return Ok(false) };
    if !summary.lines().any(|line| line == KLOGS_MADE_HERE) {
        return Ok(false);
    }
    let mut files = BTreeSet::new();
    let failed = |e| Error::file(folder, e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_klog = Path::new(&entry.file_name()).extension() == Some(OsStr::new("klog"));
        if !is_klog || !entry.file_type().map_err(failed)?.is_file() {
            return Ok(false);
        }
        files.insert(entry.file_name());
    }
    let listed = summary.lines().filter(|line| line.starts_with("var=")).count();
    Ok(files.len() == listed + 1)
}
