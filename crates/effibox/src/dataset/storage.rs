//! Storage of the files: a folder, or an archive.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use robolog_core::format::KnownLength;

use super::{
    Limits,
    archive::{self, Archive},
    fault::{Fault, Result},
    lister::{Lister, Size, Stream},
    name::is_inside,
};

/// The files of a data set.
#[derive(Debug)]
pub(crate) enum Storage {
    Folder(PathBuf),
    Archive(Archive),
}

/// Maximum depth of folders.
const DEPTH: usize = 32;

impl Storage {
    pub(crate) fn open(path: &Path, limits: &Limits, lister: &mut dyn Lister) -> Result<Self> {
        if fs::metadata(path).map_err(|e| Fault::path(path, e))?.is_dir() {
            let storage = Self::Folder(path.to_owned());
            storage.list(lister)?;
            return Ok(storage);
        }
        let archive = Archive::open(path, limits, lister)?;
        archive.list(lister)?;
        Ok(Self::Archive(archive))
    }

    /// Lists all files, always in the same order.
    pub(crate) fn list(&self, lister: &mut dyn Lister) -> Result<()> {
        match self {
            Self::Folder(root) => list_folder(root, lister),
            Self::Archive(archive) => archive.list(lister),
        }
    }

    /// Whether a file can be read without all files before it.
    pub(crate) fn is_random(&self) -> bool {
        !matches!(self, Self::Archive(Archive { kind: archive::ArchiveKind::TarGz, .. }))
    }

    /// Bytes that may be expanded to compare checksums; `None` if files have none of their own.
    pub(crate) fn budget_for_checksums(&self) -> Option<u64> {
        match self {
            Self::Archive(archive) => archive.budget_for_checksums(),
            Self::Folder(_) => None,
        }
    }

    /// The bytes of a file; `None` if there is no file with this path.
    pub(crate) fn stream(&self, path: &str) -> Result<Option<Stream>> {
        let root = match self {
            Self::Archive(archive) => return archive.stream(path),
            Self::Folder(root) => root,
        };
        if !is_inside(path) {
            return Ok(None);
        }
        let full = root.join(path);
        // A link may have appeared since the listing.
        let len = match fs::symlink_metadata(&full) {
            Ok(meta) if meta.is_file() => meta.len(),
            Ok(_) => return Ok(None),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Fault::io(path, e)),
        };
        let file = File::open(&full).map_err(|e| Fault::io(path, e))?;
        Ok(Some(Box::new(KnownLength::new(file, len))))
    }

    /// Passes the bytes of every file for which `want` returns true to `show`, in stored order: one pass.
    pub(crate) fn walk(
        &self,
        want: &mut dyn FnMut(&str, u64) -> bool,
        visit: &mut dyn FnMut(&str, &mut dyn Read) -> Result<()>,
    ) -> Result<()> {
        if let Self::Archive(archive) = self
            && archive.kind == archive::ArchiveKind::TarGz
        {
            return archive.walk(want, visit);
        }
        self.list(&mut Walker { storage: self, want, visit })
    }
}

struct Walker<'a> {
    storage: &'a Storage,
    want: &'a mut dyn FnMut(&str, u64) -> bool,
    visit: &'a mut dyn FnMut(&str, &mut dyn Read) -> Result<()>,
}

impl Lister for Walker<'_> {
    fn file(&mut self, path: &str, size: Size<'_>) -> Result<()> {
        if !(self.want)(path, size()?) {
            return Ok(());
        }
        match self.storage.stream(path)? {
            Some(mut stream) => (self.visit)(path, &mut stream),
            None => Ok(()),
        }
    }

    fn skipped(&mut self, _: &str, _: &'static str) {}

    fn damaged(&mut self, _: &str, _: &'static str) {}
}

/// All files below `root`, without following links, in the order of the system: only pending folders are held.
fn list_folder(root: &Path, lister: &mut dyn Lister) -> Result<()> {
    let mut waiting = vec![(String::new(), 0_usize)];
    while let Some((folder, depth)) = waiting.pop() {
        let full = root.join(&folder);
        let failed = |e| Fault::path(&full, e);
        for entry in fs::read_dir(&full).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let path =
                |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let Some(text) = name.to_str().filter(|name| is_inside(name)) else {
                lister.skipped(&path(&name.to_string_lossy()), "its name is not portable");
                continue;
            };
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_symlink() {
                lister.skipped(&path(text), "links are not followed");
            } else if kind.is_dir() && depth >= DEPTH {
                lister.skipped(&path(text), "it lies too deep");
            } else if kind.is_dir() {
                waiting.push((path(text), depth + 1));
            } else if kind.is_file() {
                lister.file(&path(text), &mut || Ok(entry.metadata().map_err(failed)?.len()))?;
            } else {
                lister.skipped(&path(text), "it is no file but a pipe, a socket or a device");
            }
        }
    }
    Ok(())
}
