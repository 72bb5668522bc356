//! A file whose errors name the target.

use std::{
    fmt,
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::Path,
    sync::Arc,
};

use crate::{Error, WriteSeek};

/// Beginning of the `metadata.yaml` of a bag of ROS 2 that robolog wrote.
pub const BAG_START: &str = "# Written by robolog\n";

/// New position of a stream at `at` after seeking to `to`; `end` returns the end, called only if needed.
///
/// ```
/// use std::io::SeekFrom;
/// use robolog_sinks::output::seek_place;
/// assert_eq!(seek_place(SeekFrom::Current(-2), 5, || Ok(9))?, 3);
/// assert_eq!(seek_place(SeekFrom::End(1), 5, || Ok(9))?, 10);
/// assert!(seek_place(SeekFrom::Current(-6), 5, || Ok(9)).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Returns an error for a position before the start, and the error of `end`.
pub fn seek_place(to: SeekFrom, at: u64, end: impl FnOnce() -> io::Result<u64>) -> io::Result<u64> {
    let (from, by) = match to {
        SeekFrom::Start(place) => return Ok(place),
        SeekFrom::Current(by) => (at, by),
        SeekFrom::End(by) => (end()?, by),
    };
    from.checked_add_signed(by).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// A file of a target. Its errors become [`Error::File`] with the name of the target, through readers and writers of
/// any format: a full disk is not a fault of the input.
#[derive(Debug)]
pub struct OutputFile {
    file: Out,
    target: Arc<Path>,
}

enum Out {
    File(File),
    /// An output without a file system.
    Elsewhere(Box<dyn WriteSeek + Send>),
}

/// An error of the file of a target.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
struct Failure {
    target: Arc<Path>,
    source: io::Error,
}

impl OutputFile {
    /// Writes to a file; its errors name `target`.
    pub fn new(file: File, target: &Path) -> Self {
        Self { file: Out::File(file), target: target.into() }
    }

    /// Writes to `out`, which must be empty: bytes in memory, or a file of a browser.
    pub fn of(out: impl WriteSeek + Send + 'static, target: impl AsRef<Path>) -> Self {
        Self { file: Out::Elsewhere(Box::new(out)), target: target.as_ref().into() }
    }

    /// The name of the target.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A second handle, which shares the position.
    pub fn try_clone(&self) -> io::Result<Self> {
        let Out::File(file) = &self.file else { return Err(io::ErrorKind::Unsupported.into()) };
        Ok(Self { file: Out::File(file.try_clone()?), target: Arc::clone(&self.target) })
    }

    fn failed(&self, source: io::Error) -> io::Error {
        io::Error::new(source.kind(), Failure { target: Arc::clone(&self.target), source })
    }
}

impl Out {
    fn writer(&mut self) -> &mut dyn WriteSeek {
        match self {
            Self::File(file) => file,
            Self::Elsewhere(out) => out,
        }
    }
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.fmt(f),
            Self::Elsewhere(_) => f.write_str("Elsewhere"),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.writer().write(bytes).map_err(|e| self.failed(e))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.writer().flush().map_err(|e| self.failed(e))
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.writer().seek(to).map_err(|e| self.failed(e))
    }
}

/// The error of a target's file in this error, if any.
pub fn failure(error: &io::Error) -> Option<Error> {
    let Failure { target, source } = error.get_ref()?.downcast_ref()?;
    let source = match source.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(source.kind(), source.to_string()),
    };
    Some(Error::file(&**target, source))
}

#[test]
fn a_failure_names_the_target() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("read-only");
    File::create(&path).unwrap();
    let mut out = OutputFile::new(File::open(&path).unwrap(), Path::new("drive.lvx"));
    let failed = out.write(b"bytes").unwrap_err();
    let text = Error::from(robolog_core::Error::io(failed, 12)).at(Path::new("input.lvx")).to_string();
    assert!(text.starts_with("drive.lvx: ") && !text.contains("input"), "{text}");
}
