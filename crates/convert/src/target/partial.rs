//! Incomplete files and folders under temporary names.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{NamedTempFile, TempDir};

/// Temporary files and folders of this process.
static PARTIAL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn partial() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all incomplete files and folders, for a program ended by a signal. Waits for a file that is being renamed at
/// this moment. Afterwards no target can be begun or completed, so the caller must exit.
pub fn remove_partial() {
    let partial = partial();
    for path in &*partial {
        // Each is a file or a folder, or gone already.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    // Keep the lock, so that nothing is created afterwards.
    std::mem::forget(partial);
}

/// A temporary file or folder that [`remove_partial`] removes. Removed when dropped.
#[derive(Debug)]
pub(super) struct Partial<T> {
    inner: Option<T>,
    path: PathBuf,
}

impl Partial<NamedTempFile> {
    /// Creates a file in `folder`.
    pub(super) fn file(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        let mut partial = partial();
        let inner = builder.tempfile_in(folder)?;
        let path = inner.path().to_owned();
        partial.insert(path.clone());
        Ok(Self { inner: Some(inner), path })
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
        let mut partial = partial();
        let inner = builder.tempdir_in(folder)?;
        let path = inner.path().to_owned();
        partial.insert(path.clone());
        Ok(Self { inner: Some(inner), path })
    }
}

impl<T> Partial<T> {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Passes it to `work`, which a signal does not interrupt. Afterwards it counts as complete.
    pub(super) fn complete<O>(mut self, work: impl FnOnce(T) -> io::Result<O>) -> io::Result<O> {
        let mut partial = partial();
        partial.remove(&self.path);
        match self.inner.take() {
            Some(inner) => work(inner),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl<T> Drop for Partial<T> {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            let mut partial = partial();
            drop(inner);
            partial.remove(&self.path);
        }
    }
}
