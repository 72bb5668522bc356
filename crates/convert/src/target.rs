//! Files and folders that are whole or absent.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempDir};

use crate::{Error, Result, csvw};

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
        let mut builder = beside();
        // Temporary files are private; this one will be as readable as any other file that the user makes.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(parent(path)).map_err(|e| Error::file(path, e))?;
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
        file.as_file().sync_all().map_err(|e| Error::file(&path, e))?;
        let persisted = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        match persisted {
            Ok(_) => sync_folder(parent(&path)),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => return Err(Error::Exists(path)),
            Err(e) => return Err(Error::file(path, e.error)),
        }
        Ok(())
    }

    /// Begins a folder at `path`, in the same way. With `force` a folder that is there is replaced, but only if it is
    /// empty or holds nothing beyond an `_index.csv` (or `index.csv`), or the `metadata.yaml` of a bag that was made here, and the files
    /// listed there: what someone put beside them stays.
    pub fn folder(path: &Path, force: bool, inputs: &[&Path]) -> Result<Folder> {
        // Without a slash at its end, which would follow a link.
        let path: PathBuf = path.components().collect();
        match fs::symlink_metadata(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::file(path, e)),
            Ok(_) if force && inputs.iter().any(|input| is_within(input, &path)) => {
                return Err(Error::HoldsInput(path));
            }
            Ok(_) => check_replaceable(&path, force)?,
        }
        let temporary = beside().tempdir_in(parent(&path)).map_err(|e| Error::file(&path, e))?;
        Ok(Folder { temporary, path, force })
    }
}

/// The table of files in a folder that was made here. Spark, `PyArrow` and `DuckDB` skip names that begin with an
/// underscore.
pub(crate) const INDEX: &str = "_index.csv";

/// What earlier versions called it.
const OLD_INDEX: &str = "index.csv";

/// Its columns.
pub(crate) const INDEX_HEADER: [&str; 4] = ["file", "time_ns", "channel", "values"];

fn is_within(file: &Path, folder: &Path) -> bool {
    match (fs::canonicalize(file), fs::canonicalize(folder)) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

fn check_replaceable(path: &Path, force: bool) -> Result<()> {
    if !force {
        return Err(Error::Exists(path.to_owned()));
    }
    let is_dir = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    if is_dir && holds_only_ours(path)? { Ok(()) } else { Err(Error::NotOurs(path.to_owned())) }
}

/// The table of contents of a bag that was made here.
pub(crate) const BAG: &str = "metadata.yaml";

/// What it begins with then.
pub(crate) const BAG_START: &str = "# Written by robolog\n";

/// Whether a folder holds files that its `_index.csv` or its `metadata.yaml` lists, and folders with such files, and
/// nothing else.
fn holds_only_ours(folder: &Path) -> Result<bool> {
    let mut listed = BTreeSet::new();
    for name in [INDEX, OLD_INDEX] {
        let Ok(mut index) = csv::Reader::from_path(folder.join(name)) else { continue };
        if !index.headers().is_ok_and(|header| *header == INDEX_HEADER[..]) {
            return Ok(false);
        }
        listed.extend([PathBuf::from(name), PathBuf::from(csvw::OF_FOLDER)]);
        let mut row = csv::StringRecord::new();
        while index.read_record(&mut row).is_ok_and(|more| more) {
            listed.extend(row.get(0).map(PathBuf::from));
        }
    }
    if let Ok(metadata) = fs::read_to_string(folder.join(BAG))
        && metadata.starts_with(BAG_START)
    {
        listed.insert(PathBuf::from(BAG));
        let files = metadata.lines().filter_map(|line| line.trim().strip_prefix("- path: "));
        listed.extend(files.map(|file| PathBuf::from(file.trim_matches('"'))));
    }
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let at = folder.join(&inner);
        let failed = |e| Error::file(&at, e);
        for entry in fs::read_dir(&at).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (kind, path) = (entry.file_type().map_err(failed)?, inner.join(entry.file_name()));
            let leads_to_listed = || listed.iter().any(|file| file.starts_with(&path));
            match kind {
                kind if kind.is_file() && listed.contains(&path) => {}
                kind if kind.is_dir() && leads_to_listed() => folders.push(path),
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}

/// A folder on its way.
#[derive(Debug)]
#[must_use = "the folder appears when it is persisted"]
pub struct Folder {
    temporary: TempDir,
    path: PathBuf,
    force: bool,
}

impl Folder {
    /// Where to put its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives it its name. What it replaces steps aside first, and comes back if that fails.
    pub fn persist(self) -> Result<()> {
        let Self { temporary, path, force } = self;
        let failed = |e| Error::file(&path, e);
        let aside = beside().tempdir_in(parent(&path)).map_err(failed)?;
        let old = aside.path().join("old");
        let replaces = fs::symlink_metadata(&path).is_ok();
        if replaces {
            // Once more: a conversion takes its time.
            check_replaceable(&path, force)?;
            fs::rename(&path, &old).map_err(failed)?;
        }
        if let Err(e) = fs::rename(temporary.path(), &path) {
            if replaces && fs::rename(&old, &path).is_err() {
                // Better a folder with an odd name than none.
                let _ = aside.keep();
            }
            return Err(failed(e));
        }
        sync_folder(parent(&path));
        Ok(())
    }
}

/// What makes temporary names that say whose they are.
fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".robolog-").suffix(".partial");
    builder
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

/// The new name itself must reach the disk; where folders cannot be synced there is nothing to be done.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
