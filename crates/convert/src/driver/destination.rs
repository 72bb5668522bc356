//! Where files go, and how they are written.

use std::path::Path;

use crate::{sink::SinkOptions, target::Existing};

/// Where files go, and how they are written.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// The folder that is made.
    pub path: &'a Path,
    /// What becomes of a folder that is there already.
    pub existing: Existing,
    /// How its files are written.
    pub options: &'a SinkOptions,
}
