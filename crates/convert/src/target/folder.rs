//! Folders that are complete or absent.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use robolog_sinks::output::BAG_START;
use tempfile::TempDir;

use super::{
    Existing, OutputFile, beside, identity, klogs::holds_only_klogs, parent, partial::Partial,
    parts::holds_only_parts, sync_folder,
};
use crate::{Error, Reason, Result};

/// Index of the files in a folder made by robolog. Spark, `PyArrow` and `DuckDB` skip names that begin with an
/// underscore.
pub(crate) const INDEX: &str = "_index.csv";

/// Units of the tables in such a folder.
pub(crate) const UNITS: &str = "_csv-metadata.json";

/// Its name in earlier versions.
const OLD_INDEX: &str = "index.csv";

/// Columns of the index.
pub(crate) const INDEX_HEADER: [&str; 4] = ["file", "time_ns", "channel", "values"];

/// Metadata file of a bag.
pub(crate) const BAG: &str = "metadata.yaml";

/// An open output folder.
#[derive(Debug)]
#[must_use = "the folder appears when it is persisted"]
pub struct Folder {
    temporary: Partial<TempDir>,
    path: PathBuf,
    existing: Existing,
}

impl Folder {
    pub(super) fn create(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self> {
        if path == Path::new(identity::STANDARD) {
            return Err(Error::Target(Reason::FolderToStandardOutput));
        }
        // Without a trailing slash, which would follow a link.
        let path: PathBuf = path.components().collect();
        match fs::symlink_metadata(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::file(path, e)),
            Ok(_) => {
                if existing.is_replaced() {
                    identity::check_folder(&path, inputs)?;
                }
                check_replaceable(&path, existing)?;
            }
        }
        let temporary = Partial::folder(&beside(), parent(&path)).map_err(|e| Error::file(&path, e))?;
        Ok(Self { temporary, path, existing })
    }

    /// Path for its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Creates a file in it.
    pub fn file(&self, name: &str) -> Result<OutputFile> {
        let file = File::create_new(self.path().join(name)).map_err(|e| Error::file(&self.path, e))?;
        Ok(OutputFile::new(file, &self.path))
    }

    /// Syncs the files to disk and renames the folder to its target. Moves a replaced folder aside first, and restores
    /// it on failure.
    pub fn persist(self) -> Result<()> {
        let inner = self.path().to_owned();
        self.persist_inner(&inner)
    }

    /// Like [`persist`](Self::persist) for the folder `inner` inside it, for a writer that makes its own folder.
    pub fn persist_inner(self, inner: &Path) -> Result<()> {
        let Self { temporary, path, existing } = self;
        let failed = |e| Error::file(&path, e);
        sync_all(inner).map_err(failed)?;
        let aside = Partial::folder(&beside(), parent(&path)).map_err(failed)?;
        // Checked again, since a conversion can take long.
        let replaces = fs::symlink_metadata(&path).is_ok();
        if replaces {
            check_replaceable(&path, existing)?;
        }
        let old = aside.path().join("old");
        let renamed = temporary.complete(|temporary| {
            if replaces {
                fs::rename(&path, &old)?;
            }
            match fs::rename(inner, &path) {
                Ok(()) => {
                    if inner == temporary.path() {
                        // It has been renamed.
                        let _ = temporary.keep();
                    }
                    Ok(true)
                }
                Err(_) if replaces && fs::rename(&old, &path).is_err() => Ok(false),
                Err(e) => Err(e),
            }
        });
        if !renamed.map_err(failed)? {
            // Keep it under its temporary name rather than lose it.
            let kept = aside.complete(|aside| Ok(aside.keep())).map_err(failed)?;
            return Err(Error::Target(Reason::FormerFolder(kept.join("old"))));
        }
        sync_folder(parent(&path));
        Ok(())
    }
}

/// Syncs all files below a folder and their names to disk.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_all(&entry.path())?;
        } else if kind.is_file() {
            File::open(entry.path())?.sync_all()?;
        }
    }
    sync_folder(folder);
    Ok(())
}

fn check_replaceable(path: &Path, existing: Existing) -> Result<()> {
    if !existing.is_replaced() {
        return Err(Error::Exists(path.to_owned()));
    }
    let is_dir = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let is_ours =
        || Ok::<_, Error>(holds_only_ours(path)? || holds_only_klogs(path)? || holds_only_parts(path)?);
    if is_dir && is_ours()? { Ok(()) } else { Err(Error::NotOurs(path.to_owned())) }
}

/// Whether a folder holds only files that its `_index.csv` or `metadata.yaml` lists, and folders of such files.
fn holds_only_ours(folder: &Path) -> Result<bool> {
    let mut listed = BTreeSet::new();
    for name in [INDEX, OLD_INDEX] {
        let Ok(mut index) = csv::Reader::from_path(folder.join(name)) else { continue };
        if !index.headers().is_ok_and(|header| *header == INDEX_HEADER[..]) {
            return Ok(false);
        }
        listed.extend([PathBuf::from(name), PathBuf::from(UNITS)]);
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
