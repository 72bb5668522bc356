//! Errors with the file they are in.

use std::{fmt, path::Path};

use robolog_core::{Error, ErrorKind};

/// An error with its file, and its line if it has one.
///
/// ```
/// for sample in effibox::open("examples/dataset")?.samples() {
///     if let Err(fault) = sample {
///         println!("{}:{}: {}", fault.file(), fault.line(), fault.error());
///     }
/// }
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[derive(Debug)]
pub struct Fault {
    file: String,
    line: u64,
    error: Error,
}

/// Result of functions on data sets.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

impl Fault {
    /// An error in `file`.
    #[cold]
    pub fn new(file: impl Into<String>, error: Error) -> Self {
        Self { file: file.into(), line: 0, error }
    }

    /// An error in line `line` of `file`, counted from 1.
    #[cold]
    pub fn at_line(file: impl Into<String>, line: u64, error: Error) -> Self {
        Self { file: file.into(), line, error }
    }

    #[cold]
    pub(crate) fn io(file: impl Into<String>, error: std::io::Error) -> Self {
        Self::new(file, Error::io(error, 0))
    }

    #[cold]
    pub(crate) fn path(path: &Path, error: std::io::Error) -> Self {
        Self::io(path.display().to_string(), error)
    }

    /// Fails with this fault if the machine failed rather than the file, which costs itself alone.
    pub(crate) fn of_machine(self) -> Result<()> {
        if self.error.is_of_machine() { Err(self) } else { Ok(()) }
    }

    /// Whether an image or a scan lacks its row, or a row its file.
    pub(crate) fn is_gap(&self) -> bool {
        match self.error.kind() {
            ErrorKind::Io(e) => e.kind() == std::io::ErrorKind::NotFound,
            ErrorKind::Invalid { what: "images" | "scans", .. } => true,
            _ => false,
        }
    }

    /// Whether a list of missing files explains it: a gap, or a row of `.dates` that keeps the place of a file.
    pub(crate) fn is_explained(&self) -> bool {
        self.is_gap() || (self.line > 0 && is_dates(&self.file))
    }

    /// Whether reading the file cannot go on.
    pub(crate) fn is_end(&self) -> bool {
        self.line == 0 || matches!(self.error.kind(), ErrorKind::Io(_))
    }

    /// The file, as a path within the data set.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1; 0 if the error has no line.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column in the line, counted from 1 in bytes, if the error has one.
    pub fn column(&self) -> Option<u64> {
        match self.error.kind() {
            ErrorKind::Text { column, .. } => Some(*column),
            _ => None,
        }
    }

    /// The error itself.
    pub fn error(&self) -> &Error {
        &self.error
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", robolog_core::text::Escaped(self.file.as_bytes()))?;
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{}", self.error)
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<Fault> for Error {
    /// The error without the file.
    fn from(fault: Fault) -> Self {
        fault.error
    }
}

/// Whether a file is a list of images, scans or sentences, by its name.
pub(crate) fn is_dates(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "dates")
}
