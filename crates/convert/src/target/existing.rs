//! What becomes of a file that is there already.

/// What becomes of a file or folder that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// It stays, and nothing is written.
    #[default]
    Keep,
    /// It is replaced.
    Replace,
}

impl Existing {
    /// Whether it is replaced.
    pub fn is_replaced(self) -> bool {
        self == Self::Replace
    }
}
