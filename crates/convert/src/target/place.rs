//! The place of an output: a file or a stream.

use std::{
    fs::{self, File, FileType, Metadata, OpenOptions},
    io::{self, IsTerminal as _, Read, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use robolog_core::slices::Part as _;

use super::{Existing, identity};
use crate::{Error, Result};

/// Place of an output.
#[derive(Debug)]
pub(super) enum OutputPlace {
    /// A regular file, existing or not.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether to replace an existing one.
        existing: Existing,
    },
    /// A stream, written in place.
    Stream(Stream),
}

/// Standard output, or a FIFO or device.
#[derive(Debug)]
pub(super) enum Stream {
    Standard,
    Special(File),
}

impl OutputPlace {
    pub(super) fn of(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self> {
        if is_standard_output(path) {
            return Ok(Self::Stream(Stream::Standard));
        }
        let refused = |why| Error::file(path, io::Error::new(io::ErrorKind::InvalidInput, why));
        let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
        let meta = match fs::metadata(path) {
            Ok(meta) => meta,
            Err(e) if e.kind() == io::ErrorKind::NotFound && !is_link => {
                return Ok(Self::File { path: path.to_owned(), existing });
            }
            Err(e) => return Err(Error::file(path, e)),
        };
        if meta.is_file() {
            identity::check_file(path, &meta, inputs)?;
            if is_link {
                // Users may expect the link or its target to be replaced.
                return Err(refused("a symbolic link is not replaced: name the file that it points to"));
            }
            if !existing.is_replaced() {
                return Err(Error::Exists(path.to_owned()));
            }
            return Ok(Self::File { path: path.to_owned(), existing });
        }
        if meta.is_dir() {
            return Err(Error::file(path, io::ErrorKind::IsADirectory.into()));
        }
        if !is_written_in_place(meta.file_type()) {
            return Err(refused("neither a file nor a pipe: it is not overwritten"));
        }
        let file = OpenOptions::new().write(true).open(path).map_err(|e| Error::file(path, e))?;
        Ok(Self::Stream(Stream::Special(file)))
    }
}

/// Whether a path is a name of standard output. Opened by such a name, a file would be written from its start, or
/// replaced.
fn is_standard_output(path: &Path) -> bool {
    [identity::STANDARD, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

#[cfg(unix)]
fn is_written_in_place(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_written_in_place(_: FileType) -> bool {
    false
}

/// The regular file to replace at `path`, if it exists. Returns an error if something else is there by now.
pub(super) fn replaced(path: &Path, existing: Existing) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() && existing.is_replaced() => Ok(Some(meta)),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

impl Stream {
    pub(super) fn is_terminal(&self) -> bool {
        match self {
            Self::Standard => io::stdout().is_terminal(),
            Self::Special(file) => file.is_terminal(),
        }
    }

    /// Writes the contents of `whole`.
    pub(super) fn take(&mut self, whole: &mut File) -> io::Result<()> {
        match self {
            Self::Standard => {
                let mut out = io::stdout().lock();
                io::copy(whole, &mut out)?;
                out.flush()
            }
            Self::Special(file) => io::copy(whole, file).map(|_| ()),
        }
    }
}

/// Whether a file holds no terminal control characters. Reads it from the start, and rewinds it.
pub(super) fn is_text(file: &mut File) -> io::Result<bool> {
    let mut buffer = [0; 1 << 14];
    let mut is_text = true;
    while is_text {
        let n = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let read = buffer.part(..n);
        is_text = read.iter().all(|b| !b.is_ascii_control() || b"\t\r\n".contains(b));
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(is_text)
}
