//! Limits on a reader's memory, whatever a file claims.

use std::io::{self, Read};

/// Upper bounds on the memory one input can make a reader use.
///
/// A length in a file is only a claim: it is checked against the bytes present before anything is allocated. These
/// limits bound the size of a single record.
///
/// ```
/// use robolog_core::Limits;
/// let small = Limits::default().with_record(1 << 20);
/// assert_eq!(small.record, 1 << 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum bytes of one record, and of a stream reader's window.
    pub record: usize,
    /// Maximum expansion of a compressed input, as a multiple of its size, beyond the first [64
    /// MiB](Self::EXPAND_FREE).
    pub expand: u64,
}

impl Limits {
    /// No limits: for trusted input.
    pub const fn none() -> Self {
        Self { record: usize::MAX, expand: u64::MAX }
    }

    /// Bytes to which any compressed input may expand.
    pub const EXPAND_FREE: u64 = 64 << 20;
    /// Default maximum expansion of a compressed input, as a multiple of its size. Text logs compress about thirtyfold.
    pub const EXPAND: u64 = 100;

    /// Sets the maximum bytes of a record.
    #[must_use]
    pub const fn with_record(mut self, bytes: usize) -> Self {
        self.record = bytes;
        self
    }

    /// Sets the maximum expansion of a compressed input, as a multiple of its size.
    #[must_use]
    pub const fn with_expand(mut self, times: u64) -> Self {
        self.expand = times;
        self
    }
}

/// Appends what is left of `input`; of more than `limit` bytes, so many and one more, which shows that there are too many.
/// No stated size is trusted.
///
/// ```
/// use robolog_core::format::read_one_over;
/// let mut bytes = Vec::new();
/// read_one_over(&b"abcdef"[..], 3, &mut bytes)?;
/// assert_eq!(bytes, b"abcd");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_one_over(input: impl Read, limit: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.take((limit as u64).saturating_add(1)).read_to_end(bytes)
}

impl Default for Limits {
    /// Sized for real recordings: records up to 256 MiB, compressed up to a hundredfold.
    fn default() -> Self {
        Self { record: 256 << 20, expand: Self::EXPAND }
    }
}
