//! Files and folders that are whole or absent.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempDir};

use crate::{Error, Result};

/// A file on its way: written under a temporary name beside its target, renamed when whole. Dropped, it leaves nothing.
#[derive(Debug)]
#[must_use = "the file appears when it is persisted"]
pub struct Target {
    file: NamedTempFile,
    path: PathBuf,
    force: bool,
}

impl Target {
    /// Begins a file at `path`. Fails when it is there already and `force` is not set, and when it is one of `inputs`
    /// by any name. A symbolic link at `path` counts as being there; with `force` the link itself is replaced.
    pub fn create(path: &Path, force: bool, inputs: &[&Path]) -> Result<Self> {
        check(path, force, inputs)?;
        let file = tempfile::Builder::new()
            .prefix(".robolog-")
            .suffix(".partial")
            .tempfile_in(parent(path))
            .map_err(|e| Error::file(path, e))?;
        Ok(Self { file, path: path.to_owned(), force })
    }

    /// A handle to write with.
    pub fn writer(&self) -> Result<io::BufWriter<File>> {
        let file = self.file.reopen().map_err(|e| Error::file(&self.path, e))?;
        Ok(io::BufWriter::with_capacity(1 << 20, file))
    }

    /// Where it is for the time being.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Brings what was written to the disk and gives it its name.
    pub fn persist(self) -> Result<()> {
        let Self { file, path, force } = self;
        set_default_permissions(file.as_file());
        file.as_file().sync_all().map_err(|e| Error::file(&path, e))?;
        let persisted = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        match persisted {
            Ok(_) => sync_folder(parent(&path)),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => return Err(Error::Exists(path)),
            Err(e) => return Err(Error::file(path, e.error)),
        }
        Ok(())
    }

    /// Begins a folder at `path`, in the same way. With `force` a folder that is there is replaced only if it is empty
    /// or holds an `index.csv` of ours.
    pub fn folder(path: &Path, force: bool) -> Result<Folder> {
        let there = fs::symlink_metadata(path);
        let replaceable = |path: &Path| {
            path.join("index.csv").is_file()
                || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
        };
        match there {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::file(path, e)),
            Ok(meta) if force && meta.is_dir() && replaceable(path) => {}
            Ok(_) => return Err(Error::Exists(path.to_owned())),
        }
        let temporary = tempfile::Builder::new()
            .prefix(".robolog-")
            .suffix(".partial")
            .tempdir_in(parent(path))
            .map_err(|e| Error::file(path, e))?;
        Ok(Folder { temporary, path: path.to_owned() })
    }
}

/// A folder on its way.
#[derive(Debug)]
#[must_use = "the folder appears when it is persisted"]
pub struct Folder {
    temporary: TempDir,
    path: PathBuf,
}

impl Folder {
    /// Where to put its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives it its name.
    pub fn persist(self) -> Result<()> {
        let Self { temporary, path } = self;
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(|e| Error::file(&path, e))?;
        }
        let from = temporary.keep();
        set_folder_permissions(&from);
        fs::rename(&from, &path).map_err(|e| Error::file(&path, e))?;
        sync_folder(parent(&path));
        Ok(())
    }
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn check(path: &Path, force: bool, inputs: &[&Path]) -> Result<()> {
    let same = |input: &&Path| match (fs::canonicalize(input), fs::canonicalize(path)) {
        (Ok(a), Ok(b)) => a == b || same_inode(&a, &b),
        _ => false,
    };
    if inputs.iter().any(same) {
        return Err(Error::IsInput(path.to_owned()));
    }
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => Err(Error::file(path, io::Error::from(io::ErrorKind::IsADirectory))),
        Ok(_) if !force => Err(Error::Exists(path.to_owned())),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |path: &Path| fs::metadata(path).map(|m| (m.dev(), m.ino())).ok();
    id(a).is_some() && id(a) == id(b)
}

#[cfg(not(unix))]
fn same_inode(_: &Path, _: &Path) -> bool {
    false
}

/// Temporary files are private; a finished one is as readable as any other file the user makes.
#[cfg(unix)]
fn set_default_permissions(file: &File) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = file.set_permissions(fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn set_default_permissions(_: &File) {}

#[cfg(unix)]
fn set_folder_permissions(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o755));
}

#[cfg(not(unix))]
fn set_folder_permissions(_: &Path) {}

/// The new name itself must reach the disk; where folders cannot be synced there is nothing to be done.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
