//! Data sets: folders and archives of many files.

use std::path::Path;

use effibox::dataset::{Dataset, Fault, InterfaceKind};

use super::ZIP;
use crate::{Error, Result};

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::DataSet(Box::new(fault))
    }
}

/// Whether a file with these first bytes may be an archive that holds a data set: tar, zip.
fn is_archive(start: &[u8]) -> bool {
    start.starts_with(ZIP) || start.get(257..262) == Some(b"ustar")
}

/// The data set in an archive, whose first bytes are `start` once gzip is undone; `None` when it is none.
pub(super) fn archive(path: &Path, start: &[u8]) -> Result<Option<Dataset>> {
    if !is_archive(start) {
        return Ok(None);
    }
    folder(path)
}

/// The data set in a folder or an archive; `None` when no file in it is one's.
pub(super) fn folder(path: &Path) -> Result<Option<Dataset>> {
    let dataset = Dataset::open(path)?;
    let is_one = dataset.interfaces().iter().any(|interface| interface.kind != InterfaceKind::Other);
    Ok(is_one.then_some(dataset))
}
