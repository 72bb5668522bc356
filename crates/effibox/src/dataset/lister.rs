//! What a storage lists: the files of a data set.

use std::io::Read;

use super::fault::Result;

/// An entry that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Skipped {
    /// The path, escaped.
    pub path: String,
    /// Why it is not read.
    pub why: &'static str,
    /// Whether data is lost with it: a damaged member of an archive, and not a link or a device.
    pub is_damage: bool,
}

/// Receives the paths and sizes of files in the data set, and the entries that are not read.
pub(crate) trait Lister {
    fn file(&mut self, path: &str, size: Size<'_>) -> Result<()>;
    fn skipped(&mut self, path: &str, why: &'static str);
    /// A member of an archive that cannot be read.
    fn damaged(&mut self, path: &str, why: &'static str);
}

/// Returns the size of a file in bytes. In a folder it asks the system, which is needed for few of the files.
pub(crate) type Size<'a> = &'a mut dyn FnMut() -> Result<u64>;

/// The bytes of a file.
pub(crate) type Stream = Box<dyn Read + Send>;
