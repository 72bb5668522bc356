//! How much a reader may hold, whatever a file claims.

/// Upper bounds on what one input can make a reader hold in memory.
///
/// A length in a file is a claim. It is compared with the bytes present before anything is allocated; these limits
/// bound what remains: how large a single record, string or line may be and how deep values may nest.
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
    /// Bytes of one string field.
    pub string: usize,
    /// Bytes of one line of text.
    pub line: usize,
    /// Levels of nesting in structured values and XML.
    pub depth: usize,
}

impl Limits {
    /// No limits: for input that the caller made.
    pub const fn none() -> Self {
        Self { record: usize::MAX, string: usize::MAX, line: usize::MAX, depth: usize::MAX }
    }

    /// The same with at most `bytes` in a record.
    #[must_use]
    pub const fn with_record(mut self, bytes: usize) -> Self {
        self.record = bytes;
        self
    }

    /// The same with at most `bytes` in a string.
    #[must_use]
    pub const fn with_string(mut self, bytes: usize) -> Self {
        self.string = bytes;
        self
    }

    /// The same with at most `bytes` in a line.
    #[must_use]
    pub const fn with_line(mut self, bytes: usize) -> Self {
        self.line = bytes;
        self
    }

    /// The same with at most `levels` of nesting.
    #[must_use]
    pub const fn with_depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }
}

impl Default for Limits {
    /// Sized for real recordings: records of 256 MiB, strings of 64 KiB, lines of 16 MiB, 64 levels.
    fn default() -> Self {
        Self { record: 256 << 20, string: 64 << 10, line: 16 << 20, depth: 64 }
    }
}
