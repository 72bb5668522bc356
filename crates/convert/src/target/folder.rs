//! Folders that are whole or absent.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{
    Existing, OutputFile, beside, identity, klogs::holds_only_klogs, parent, partial::Partial,
    parts::holds_only_parts, sync_folder,
};
use crate::{Error, Reason, Result};

/// The table of files in a folder that was made here. Spark, `PyArrow` and `DuckDB` skip names that begin with an
/// underscore.
pub(crate) const INDEX: &str = "_index.csv";

/// The units of the tables in such a folder.
pub(crate) const UNITS: &str = "_csv-metadata.json";

/// What earlier versions called it.
const OLD_INDEX: &str = "index.csv";

/// Its columns.
pub(crate) const INDEX_HEADER: [&str; 4] = ["file", "time_ns", "channel", "values"];

/// The table of contents of a bag that was made here.
pub(crate) const BAG: &str = "metadata.yaml";

/// What it begins with then.
pub(crate) const BAG_START: &str = "# Written by robolog\n";

/// A folder on its way.
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
        // Without a slash at its end, which would follow a link.
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

    /// Where to put its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// A new file in it.
    pub fn file(&self, name: &str) -> Result<OutputFile> {
        let file = File::create_new(self.path().join(name)).map_err(|e| Error::file(&self.path, e))?;
        Ok(OutputFile::new(file, &self.path))
    }

    /// Brings what was written to the disk and gives the folder its name. What it replaces steps aside first, and comes
    /// back if that fails.
    pub fn persist(self) -> Result<()> {
        let inner = self.path().to_owned();
        self.persist_inner(&inner)
    }

    /// The same with the folder `inner` inside it: for a writer that makes its own folder.
    pub fn persist_inner(self, inner: &Path) -> Result<()> {
        let Self { temporary, path, existing } = self;
        let failed = |e| Error::file(&path, e);
        sync_all(inner).map_err(failed)?;
        let aside = Partial::folder(&beside(), parent(&path)).map_err(failed)?;
        // Once more: a conversion takes its time.
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
                        // It has another name now.
                        let _ = temporary.keep();
                    }
                    Ok(true)
                }
                Err(_) if replaces && fs::rename(&old, &path).is_err() => Ok(false),
                Err(e) => Err(e),
            }
        });
        if !renamed.map_err(failed)? {
            // Better a folder with an odd name than none.
            let kept = aside.complete(|aside| Ok(aside.keep())).map_err(failed)?;
            return Err(Error::Target(Reason::FormerFolder(kept.join("old"))));
        }
        sync_folder(parent(&path));
        Ok(())
    }
}

/// Brings all files below a folder to the disk, and the names of them.
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

/// Whether a folder holds files that its `_index.csv` or its `metadata.yaml` lists, and folders with such files, and
/// nothing else.
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
