//! Incomplete files and folders under temporary names.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{NamedTempFile, TempDir};

/// Beginning and end of temporary names.
pub(super) const NAME: (&str, &str) = (".robolog-", ".partial");

/// Temporary files and folders.
#[derive(Debug)]
struct Known {
    /// The files and folders that this process is writing.
    unfinished: BTreeSet<PathBuf>,
    /// How many of this process were completed.
    complete: u64,
    /// The folders already searched for what other processes left unfinished.
    searched: BTreeSet<PathBuf>,
    abandoned: Vec<PathBuf>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    unfinished: BTreeSet::new(),
    complete: 0,
    searched: BTreeSet::new(),
    abandoned: Vec::new(),
});

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was unfinished and complete when a program ended by a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// Outputs that were removed.
    pub unfinished: usize,
    /// Outputs that were complete before.
    pub complete: u64,
}

/// Removes all incomplete files and folders, for a program ended by a signal. Waits for a file that is being renamed at
/// this moment. Afterwards no target can be begun or completed, so the caller must exit.
pub fn remove_partial() -> Interrupted {
    let known = known();
    for path in &known.unfinished {
        // Each is a file or a folder, or gone already.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    let interrupted = Interrupted { unfinished: known.unfinished.len(), complete: known.complete };
    // Keep the lock, so that nothing is created afterwards.
    std::mem::forget(known);
    interrupted
}

/// The incomplete files and folders that killed programs left beside the outputs of this process. They can be deleted.
/// Always empty except on Unix.
pub fn abandoned() -> Vec<PathBuf> {
    known().abandoned.clone()
}

impl Known {
    /// Looks for abandoned ones in a folder, once.
    fn search(&mut self, folder: &Path) {
        if !self.searched.insert(folder.to_owned()) {
            return;
        }
        let names = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            (name.starts_with(NAME.0) && name.ends_with(NAME.1)).then_some(name)
        });
        self.abandoned.extend(names.map(|name| folder.join(name)).filter(|path| is_abandoned(path)));
    }
}

/// Whether no process has it open: each locks its own.
#[cfg(unix)]
fn is_abandoned(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// On other systems, a lock keeps the process itself from writing.
#[cfg(not(unix))]
fn is_abandoned(_: &Path) -> bool {
    false
}

/// Opens and locks a temporary file or folder, so that other processes know that it is still being written.
fn locked(path: &Path) -> Option<File> {
    let file = cfg!(unix).then(|| File::open(path).ok()).flatten()?;
    // Some file systems have no locks.
    let _ = file.try_lock();
    Some(file)
}

/// A temporary file or folder that [`remove_partial`] removes. Removed when dropped.
#[derive(Debug)]
pub(super) struct Partial<T> {
    inner: Option<T>,
    path: PathBuf,
    _lock: Option<File>,
}

impl Partial<NamedTempFile> {
    /// Creates a file in `folder`.
    pub(super) fn file(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        let mut known = known();
        known.search(folder);
        let inner = builder.tempfile_in(folder)?;
        let path = inner.path().to_owned();
        known.unfinished.insert(path.clone());
        Ok(Self { inner: Some(inner), _lock: locked(&path), path })
    }

    /// A second handle.
    pub(super) fn reopen(&self) -> io::Result<File> {
        match &self.inner {
            Some(file) => file.reopen(),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Partial<TempDir> {
    /// Creates a folder in `folder`.
    pub(super) fn folder(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        let mut known = known();
        known.search(folder);
        let inner = builder.tempdir_in(folder)?;
        let path = inner.path().to_owned();
        known.unfinished.insert(path.clone());
        Ok(Self { inner: Some(inner), _lock: locked(&path), path })
    }
}

impl<T> Partial<T> {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Passes it to `work`, which a signal does not interrupt. Afterwards it counts as complete.
    pub(super) fn complete<O>(mut self, work: impl FnOnce(T) -> io::Result<O>) -> io::Result<O> {
        let mut known = known();
        known.unfinished.remove(&self.path);
        match self.inner.take() {
            Some(inner) => work(inner).inspect(|_| known.complete += 1),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl<T> Drop for Partial<T> {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            let mut known = known();
            drop(inner);
            known.unfinished.remove(&self.path);
        }
    }
}
