//! The rows that a run has made: a line of JSON each, in a file beside the catalogue, by which a run that was killed goes
//! on.

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
    /// `None` where the catalogue is no file of its own: then nobody goes on.
    path: Option<PathBuf>,
    /// Made when it is needed.
    file: Option<File>,
    len: u64,
    rows: HashMap<String, (Known, Place)>,
    /// When the last row was added that an earlier run made.
    pub(super) modified: Option<SystemTime>,
}

/// Where a row lies.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: u64,
    len: usize,
}

impl Journal {
    /// The journal of the catalogue at `output`, with the rows of a run that was killed; without them where `is_new`.
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

    /// An error of `work` names the journal.
    fn named<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> Result<T> {
        work(self).map_err(|error| match &self.path {
            Some(path) => Error::file(path, error),
            None => Error::Write(error),
        })
    }

    /// The file, which another run must not write at the same time.
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

    /// Takes the rows that are there. What was cut off, or is no row, goes.
    fn read(&mut self, is_new: bool) -> io::Result<()> {
        let file = self.file()?;
        let modified = file.metadata()?.modified()?;
        let (mut at, mut rows) = (0_u64, HashMap::new());
        let mut lines = BufReader::new(file.try_clone()?);
        let mut line = Vec::new();
        while !is_new && lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let row = serde_json::from_slice::<Json>(&line).ok();
            let Some((path, known)) = row.as_ref().and_then(Known::of) else { break };
            rows.insert(path, (known, Place { at, len: line.len() }));
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

    /// Adds a row, at once, so that a run that is killed has it.
    pub(super) fn add(&mut self, row: &Json) -> Result<()> {
        let mut line = row.to_string();
        line.push('\n');
        self.named(|journal| journal.file()?.write_all(line.as_bytes()))?;
        if let Some((path, known)) = Known::of(row) {
            self.rows.insert(path, (known, Place { at: self.len, len: line.len() }));
        }
        self.len += line.len() as u64;
        Ok(())
    }

    /// The row of a path that it has.
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

    /// The catalogue has all of it.
    pub(super) fn remove(self) -> Result<()> {
        match (&self.path, &self.file) {
            (Some(path), Some(_)) => fs::remove_file(path).map_err(|e| Error::file(path, e)),
            _ => Ok(()),
        }
    }
}
