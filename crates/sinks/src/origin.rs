//! The recording that samples come from, for targets that name it.

use std::sync::Arc;

/// The recording that samples come from, for targets that name it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Origin {
    /// File name, without folders.
    pub name: String,
    /// Format.
    pub format: &'static str,
    /// Version or dialect, if the beginning of the recording names it.
    pub variant: String,
    /// Header of the recording, byte for byte.
    pub header: Arc<[u8]>,
}

impl Origin {
    /// A recording by the name of its file, its format and variant, and its header.
    pub fn new(name: String, format: &'static str, variant: String, header: &[u8]) -> Self {
        Self { name, format, variant, header: header.into() }
    }
}
