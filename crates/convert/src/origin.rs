//! What a target can say of the recording that its samples come from.

use std::sync::Arc;

/// What a target can say of the recording that its samples come from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Origin {
    /// The name of its file, without folders.
    pub name: String,
    /// Its format.
    pub format: &'static str,
    /// The version or dialect, as far as the beginning of the recording names it.
    pub variant: String,
    /// The recording's header as it stands there.
    pub header: Arc<[u8]>,
}
