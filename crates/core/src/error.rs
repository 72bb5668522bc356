//! One error type for every crate: what is wrong, in which structure, at which byte.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use crate::text::{Escaped, Printable};

/// Result of every fallible function of the robolog crates.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A fault with the byte offset at which it was found.
///
/// One word wide, so that `Result<T>` stays as small as `T` allows.
///
/// ```
/// use robolog_core::{Error, ErrorKind};
/// let e = Error::invalid("data type", 9, "0 to 8", 0x1a2b).within("package");
/// assert_eq!(e.to_string(), "package: invalid data type: found 9, expected 0 to 8 (at byte 0x1a2b)");
/// assert_eq!(format!("{e:?}"), e.to_string());
/// assert_eq!(e.offset(), 0x1a2b);
/// assert!(matches!(e.kind(), ErrorKind::Invalid { .. }));
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: u64,
    within: Option<&'static str>,
    path: Option<PathBuf>,
}

/// An error of another library, kept as the cause without exposing its type.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The ways in which reading or writing a recording fails.
///
/// ```
/// use robolog_core::{Error, ErrorKind};
/// let error = Error::truncated(12, 0x400).within("frame");
/// match error.kind() {
///     ErrorKind::Truncated { needed } => assert_eq!((*needed, error.offset()), (12, 0x400)),
///     other => panic!("{other}"), // more kinds may come
/// }
/// assert_eq!(error.to_string(), "frame: the input ends 12 bytes too early (at byte 0x400)");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is not of this format at all.
    #[error("not {expected}: the file {found}")]
    Magic {
        /// How the file begins, escaped.
        found: String,
        /// The format that was expected.
        expected: &'static str,
    },
    /// The format is right, but its version is not supported.
    #[error("version {found} cannot be read, expected {expected}")]
    Version {
        /// The version found.
        found: String,
        /// The supported versions.
        expected: &'static str,
    },
    /// The input ends inside a structure.
    #[error("the input ends {needed} byte{} too early", if *.needed == 1 { "" } else { "s" })]
    Truncated {
        /// Additional bytes needed, as far as known.
        needed: u64,
    },
    /// The file became shorter while it was read.
    #[error("the file was {len} bytes long when it was opened, and became shorter while it was read")]
    Shrunk {
        /// Its length before.
        len: u64,
    },
    /// A field holds an invalid value.
    #[error("invalid {what}: found {found}, expected {expected}")]
    Invalid {
        /// The field, in the words of the format's specification.
        what: &'static str,
        /// The value found.
        found: String,
        /// The values allowed.
        expected: String,
    },
    /// Something is not there that must be.
    #[error("no {what}")]
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// Something is there that must not be.
    #[error("{what}")]
    Unexpected {
        /// What was found, as a sentence without a verb: `an end tag without an open element`.
        what: String,
    },
    /// A length or count exceeds the caller's [`Limits`](crate::Limits).
    #[error("{what} of {len} exceeds the limit of {limit}")]
    Limit {
        /// What is limited.
        what: &'static str,
        /// The size found.
        len: u64,
        /// The size allowed.
        limit: u64,
    },
    /// A text field cannot be parsed.
    #[error("column {column}: {found:?} is not {expected}")]
    Text {
        /// What the field should hold.
        expected: &'static str,
        /// The field's text, escaped.
        found: String,
        /// Column in the line, in bytes from 1.
        column: u64,
    },
    /// Recognised but not supported.
    #[error("{what} cannot be read: {why}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// A declared binary layout did not fit.
    #[error("layout: {0}")]
    Layout(#[source] BoxError),
    /// XML is not well-formed.
    #[error("xml: {0}")]
    Xml(#[source] BoxError),
    /// The underlying reader or writer failed.
    #[error(transparent)]
    Io(io::Error),
}

impl Error {
    /// An error of `kind` found at byte `offset` of the input.
    #[cold]
    pub fn new(kind: ErrorKind, offset: u64) -> Self {
        Self(Box::new(Inner { kind, offset, within: None, path: None }))
    }

    /// The field `what` at `offset` holds `found` where only `expected` is allowed.
    #[cold]
    pub fn invalid(
        what: &'static str,
        found: impl fmt::Display,
        expected: impl fmt::Display,
        offset: u64,
    ) -> Self {
        let kind = ErrorKind::Invalid { what, found: found.to_string(), expected: expected.to_string() };
        Self::new(kind, offset)
    }

    /// The input ends `needed` bytes before the end of the structure that begins at `offset`.
    #[cold]
    pub fn truncated(needed: usize, offset: u64) -> Self {
        Self::new(ErrorKind::Truncated { needed: needed as u64 }, offset)
    }

    /// The first bytes of the input, `start`, are not those of the format `expected`.
    #[cold]
    pub fn magic(start: &[u8], expected: &'static str) -> Self {
        let start = start.get(..16).unwrap_or(start);
        let found =
            if start.is_empty() { "is empty".into() } else { format!("begins with \"{}\"", Escaped(start)) };
        Self::new(ErrorKind::Magic { found, expected }, 0)
    }

    /// There is no `what` at `offset`.
    #[cold]
    pub fn missing(what: &'static str, offset: u64) -> Self {
        Self::new(ErrorKind::Missing { what }, offset)
    }

    /// There is `what` at `offset`, such as `an end tag without an open element`.
    #[cold]
    pub fn unexpected(what: impl fmt::Display, offset: u64) -> Self {
        Self::new(ErrorKind::Unexpected { what: what.to_string() }, offset)
    }

    /// Reading or writing failed at `offset` of the stream.
    #[cold]
    pub fn io(source: io::Error, offset: u64) -> Self {
        Self::new(ErrorKind::Io(source), offset)
    }

    /// The file at `path` cannot be opened or created.
    ///
    /// ```
    /// use robolog_core::Error;
    /// let error = Error::file(std::io::Error::other("unplugged"), "drive.bin");
    /// assert_eq!(error.to_string(), "drive.bin: unplugged");
    /// assert_eq!(error.path(), Some("drive.bin".as_ref()));
    /// ```
    #[cold]
    pub fn file(source: io::Error, path: impl Into<PathBuf>) -> Self {
        let mut error = Self::io(source, 0);
        error.0.path = Some(path.into());
        error
    }

    /// Names the structure that contains the fault; an inner name is kept.
    #[cold]
    #[must_use]
    pub fn within(mut self, structure: &'static str) -> Self {
        self.0.within.get_or_insert(structure);
        self
    }

    /// The same error, found at another byte.
    #[cold]
    pub(crate) fn moved(mut self, offset: u64) -> Self {
        self.0.offset = offset;
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Whether the source has no data for now but may have more later: it timed out, would block, or was interrupted.
    ///
    /// ```
    /// use std::io::ErrorKind::{TimedOut, WouldBlock, UnexpectedEof};
    /// let stalls = |kind: std::io::ErrorKind| robolog_core::Error::io(kind.into(), 0).is_stall();
    /// assert!(stalls(TimedOut) && stalls(WouldBlock) && !stalls(UnexpectedEof));
    /// ```
    pub fn is_stall(&self) -> bool {
        use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        matches!(self.kind(), ErrorKind::Io(e) if matches!(e.kind(), Interrupted | TimedOut | WouldBlock))
    }

    /// The byte of the input at which it was found.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// Whether the machine failed rather than the recording: see [`is_of_machine`].
    pub fn is_of_machine(&self) -> bool {
        matches!(self.kind(), ErrorKind::Io(e) if is_of_machine(e))
    }

    /// The file that cannot be opened or created, for such an error.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The structure that contains the fault, if known.
    pub fn structure(&self) -> Option<&'static str> {
        self.0.within
    }
}

/// Whether this failure is unrelated to the file being read: too many open files, memory or disk full, disk failure.
///
/// ```
/// use std::io;
/// assert!(robolog_core::format::is_of_machine(&io::ErrorKind::OutOfMemory.into()));
/// assert!(!robolog_core::format::is_of_machine(&io::ErrorKind::NotFound.into()));
/// ```
pub fn is_of_machine(error: &io::Error) -> bool {
    // The values of EIO, ENFILE and EMFILE on Linux, macOS and the BSDs; Windows counts open files differently.
    const CODES: [i32; 3] = if cfg!(windows) { [4, 4, 1117] } else { [5, 23, 24] };
    let kinds = [io::ErrorKind::OutOfMemory, io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
    kinds.contains(&error.kind()) || error.raw_os_error().is_some_and(|code| CODES.contains(&code))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            return write!(f, "{}: {}", Escaped(path.as_os_str().as_encoded_bytes()), self.0.kind);
        }
        if let Some(structure) = self.0.within {
            write!(f, "{structure}: ")?;
        }
        // Escaped here, so that code that puts text of a file into an error need not care.
        write!(f, "{} (at byte {:#x})", Printable(&self.0.kind), self.0.offset)
    }
}

/// The [`Display`](fmt::Display) text, so that `fn main() -> Result<()>` prints a readable message.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_file_in_an_error_commands_no_terminal() {
        let found = "$GP\x1b]0;title\x07\u{9b}31m\u{feff}\u{202e}";
        let error = Error::invalid("sentence", found, "a right one\n", 7);
        assert_eq!(
            error.to_string(),
            r"invalid sentence: found $GP\u{1b}]0;title\u{7}\u{9b}31m\u{feff}\u{202e}, expected a right one\u{a} (at byte 0x7)"
        );
    }

    #[cfg(unix)]
    #[test]
    fn open_files_memory_and_the_disk_are_of_the_machine() {
        for code in [5, 12, 23, 24, 28] {
            assert!(Error::io(io::Error::from_raw_os_error(code), 0).is_of_machine(), "{code}");
        }
        for code in [2, 13, 21] {
            assert!(!Error::io(io::Error::from_raw_os_error(code), 0).is_of_machine(), "{code}");
        }
        assert!(!Error::truncated(1, 0).is_of_machine());
    }
}
