//! The rows of a run, one JSON line each, in a file beside the catalogue. After an interruption, the next run continues
//! from them.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use robolog_convert::{Error, Result};
use serde_json::Value as Json;

use super::row::Known;

#[derive(Debug)]
pub(super) struct Journal {
    /// `None` if the catalogue is not a regular file: then no run continues.
    path: Option<PathBuf>,
    /// Created when first needed.
    file: Option<File>,
    len: u64,
    rows: HashMap<String, (Known, RowSpan)>,
    /// When the earlier run added its last row.
    pub(super) modified: Option<SystemTime>,
}

/// Position of a row in bytes.
#[derive(Debug, Clone, Copy)]
struct RowSpan {
    at: u64,
    len: usize,
}

impl Journal {
    /// Opens the journal of the catalogue at `output`, with the rows of an interrupted run; `is_new` drops them.
    pub(super) fn open(output: &Path, is_new: bool) -> Result<Self> {
        let is_file = output != Path::new("-") && fs::metadata(output).is_ok_and(|meta| meta.is_file());
        let has_place = is_file || output != Path::new("-") && !output.exists();
        let path = has_place.then(|| {
            let mut name = output.as_os_str().to_owned();
            name.push(".journal");
            PathBuf::from(name)
        });
        let mut journal = Self { path, file: None, len: 0, rows: HashMap::new(), modified: None };
        if journal.path.as_ref().is_some_and(|path| path.exists()) {
            journal.named(|journal| journal.read(is_new))?;
        }
        Ok(journal)
    }

    /// Adds the journal's name to errors of `work`.
    fn named<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> Result<T> {
        work(self).map_err(|error| match &self.path {
            Some(path) => Error::file(path, error),
            None => Error::Write(error),
        })
    }

    /// The file, locked against other runs.
    fn file(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            let mut options = OpenOptions::new();
            let file = match &self.path {
                Some(path) => options.create(true).read(true).append(true).open(path)?,
                None => tempfile::tempfile()?,
            };
            file.try_lock().map_err(|_| io::Error::other("another run writes this catalogue"))?;
            self.file = Some(file);
        }
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Reads the existing rows. Truncates the file at the first line that is cut off or not a row.
    fn read(&mut self, is_new: bool) -> io::Result<()> {
        let file = self.file()?;
        let modified = file.metadata()?.modified()?;
        let (mut at, mut rows) = (0_u64, HashMap::new());
        let mut lines = BufReader::new(file.try_clone()?);
        let mut line = Vec::new();
        while !is_new && lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let row = serde_json::from_slice::<Json>(&line).ok();
            let Some((path, known)) = row.as_ref().and_then(Known::of) else { break };
            rows.insert(path, (known, RowSpan { at, len: line.len() }));
            at += line.len() as u64;
            line.clear();
        }
        file.set_len(at)?;
        (self.len, self.rows, self.modified) = (at, rows, Some(modified));
        Ok(())
    }

    pub(super) fn get(&self, path: &str) -> Option<&Known> {
        self.rows.get(path).map(|(known, _)| known)
    }

    /// Adds a row and writes it at once, so that it survives an interruption.
    pub(super) fn add(&mut self, row: &Json) -> Result<()> {
        let mut line = row.to_string();
        line.push('\n');
        self.named(|journal| journal.file()?.write_all(line.as_bytes()))?;
        if let Some((path, known)) = Known::of(row) {
            self.rows.insert(path, (known, RowSpan { at: self.len, len: line.len() }));
        }
        self.len += line.len() as u64;
        Ok(())
    }

    /// Reads back the row of a path.
    pub(super) fn row(&mut self, path: &str) -> Result<Json> {
        let place = self.rows.get(path).map(|(_, place)| *place);
        self.named(|journal| {
            let place = place.ok_or(io::ErrorKind::NotFound)?;
            let mut line = vec![0; place.len];
            let file = journal.file()?;
            file.seek(SeekFrom::Start(place.at))?;
            file.read_exact(&mut line)?;
            Ok(serde_json::from_slice(&line)?)
        })
    }

    /// Removes the file: the catalogue now has all rows.
    pub(super) fn remove(self) -> Result<()> {
        match (&self.path, &self.file) {
            (Some(path), Some(_)) => fs::remove_file(path).map_err(|e| Error::file(path, e)),
            _ => Ok(()),
        }
    }
}
