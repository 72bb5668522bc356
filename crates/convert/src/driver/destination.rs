//! Destination and options of files in a folder.

use std::path::Path;

use crate::{sink::SinkOptions, target::Existing};

/// Destination and options of files in a folder.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// Path of the new folder.
    pub path: &'a Path,
    /// Whether to replace an existing folder.
    pub existing: Existing,
    /// Options for its files.
    pub options: &'a SinkOptions,
}
