//! Data sets: folders and archives of many files.

use std::{io, path::Path};

use effibox::dataset::{self, Dataset, Fault, InterfaceKind};
use robolog_core::Limits;

use super::ZIP;
use crate::{Error, Result, folder::is_mixed};

/// The error of a data set as that of a conversion.
///
/// ```
/// let missing = effibox::dataset::Dataset::open("no/such/folder").map_err(robolog_convert::of_data_set);
/// assert!(missing.unwrap_err().to_string().starts_with("no/such/folder: "));
/// ```
pub fn of_data_set(fault: Fault) -> Error {
    Error::DataSet { is_of_machine: fault.error().is_of_machine(), fault: Box::new(fault) }
}

/// Whether a file with these first bytes may be an archive of a data set: tar, zip. By its name, if the first member is
/// damaged.
fn is_archive(path: &Path, start: &[u8]) -> bool {
    let is_named = || dataset::Packing::of_name(path).is_some() && super::detect(start).is_none();
    start.starts_with(ZIP) || start.get(257..262) == Some(b"ustar") || is_named()
}

/// Opens the data set in an archive with the decompressed first bytes `start`; `None` if it is none.
pub(super) fn archive(path: &Path, start: &[u8], limits: Limits) -> Result<Option<Dataset>> {
    if start.is_empty() || !is_archive(path, start) {
        return Ok(None);
    }
    listed(path, limits)
}

/// Opens the data set in a folder; `None` if no file belongs to one. Returns an error if there are other recordings
/// beside it.
pub(super) fn folder(path: &Path, limits: Limits) -> Result<Option<Dataset>> {
    let dataset = listed(path, limits)?;
    if dataset.as_ref().is_some_and(|dataset| is_mixed(path, dataset, limits)) {
        let what = "holds recordings of several formats, and is no data set: name the files";
        return Err(Error::file(path, io::Error::other(what)));
    }
    Ok(dataset)
}

/// Opens the data set in a folder or an archive; `None` if no file belongs to one.
fn listed(path: &Path, limits: Limits) -> Result<Option<Dataset>> {
    let dataset = Dataset::with_limits(path, of_files(limits)).map_err(of_data_set)?;
    let is_one = dataset.interfaces().iter().any(|interface| interface.kind != InterfaceKind::Other);
    Ok(is_one.then_some(dataset))
}

/// The same limits for files read as a whole, and for the list of an archive's members.
fn of_files(limits: Limits) -> dataset::Limits {
    /// The name and place of a member take some hundred bytes; a byte of a record takes sixteen.
    const MEMBER: usize = 20;
    let mut files = dataset::Limits::default();
    files.file_bytes = files.file_bytes.min(limits.record);
    files.members = files.members.min(limits.record.wrapping_div(MEMBER) as u64);
    files
}
