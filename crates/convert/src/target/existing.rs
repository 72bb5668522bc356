//! Handling of existing outputs.

/// Handling of an existing file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Keep it, and write nothing.
    #[default]
    Keep,
    /// Replace it.
    Replace,
}

impl Existing {
    /// Whether to replace it.
    pub fn is_replaced(self) -> bool {
        self == Self::Replace
    }
}
