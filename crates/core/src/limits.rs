//! How much a reader may hold, whatever a file claims.

/// Upper bounds on what one input can make a reader hold in memory.
///
/// A length in a file is a claim. It is compared with the bytes present before anything is allocated; what remains is
/// how large a single record may be.
///
/// ```
/// use robolog_core::Limits;
/// let small = Limits::default().with_record(1 << 20);
/// assert_eq!(small.record, 1 << 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one record; also the most that a stream reader keeps in its window.
    pub record: usize,
    /// How many times its size a compressed input may become, beyond the first [64 MiB](Self::EXPAND_FREE).
    pub expand: u64,
}

impl Limits {
    /// No limits: for input that the caller made.
    pub const fn none() -> Self {
        Self { record: usize::MAX, expand: u64::MAX }
    }

    /// Bytes that any compressed input may become.
    pub const EXPAND_FREE: u64 = 64 << 20;
    /// How many times its size a compressed input may become, unless more is allowed. Text logs shrink to a thirtieth.
    pub const EXPAND: u64 = 100;

    /// The same with at most `bytes` in a record.
    #[must_use]
    pub const fn with_record(mut self, bytes: usize) -> Self {
        self.record = bytes;
        self
    }

    /// The same where a compressed input becomes at most `times` its size.
    #[must_use]
    pub const fn with_expand(mut self, times: u64) -> Self {
        self.expand = times;
        self
    }
}

impl Default for Limits {
    /// Sized for real recordings: records of 256 MiB, compressed to no less than a hundredth.
    fn default() -> Self {
        Self { record: 256 << 20, expand: Self::EXPAND }
    }
}
