//! What is being written, under a temporary name until it is whole.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{NamedTempFile, TempDir};

/// All that this process has under a temporary name.
static PARTIAL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn partial() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every file and folder that is not whole yet: for a program that a signal ends. A file that is getting its
/// name at this moment gets it first. Afterwards no target can be begun or completed, so the caller must exit.
pub fn remove_partial() {
    let partial = partial();
    for path in &*partial {
        // Each is a file or a folder; what is gone already needs no removing.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    // The lock is kept: what is removed stays removed.
    std::mem::forget(partial);
}

/// A temporary file or folder that [`remove_partial`] knows of. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct Partial<T> {
    inner: Option<T>,
    path: PathBuf,
}

impl Partial<NamedTempFile> {
    /// A file in `folder`.
    pub(super) fn file(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        let mut partial = partial();
        let inner = builder.tempfile_in(folder)?;
        let path = inner.path().to_owned();
        partial.insert(path.clone());
        Ok(Self { inner: Some(inner), path })
    }

    /// A second handle to it.
    pub(super) fn reopen(&self) -> io::Result<File> {
        match &self.inner {
            Some(file) => file.reopen(),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Partial<TempDir> {
    /// A folder in `folder`.
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

    /// Hands it to `work`, which a signal does not interrupt. Afterwards it is partial no more.
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
