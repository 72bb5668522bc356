//! Files and folders that are complete or absent.

mod behind;
mod existing;
mod folder;
pub(crate) mod identity;
mod klogs;
mod partial;
mod parts;
mod place;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

pub use robolog_sinks::output::OutputFile;
use tempfile::NamedTempFile;

pub use self::{
    behind::WriteBehind, existing::Existing, identity::is_standard_output, klogs::KLOGS_MADE_HERE,
};
use crate::{Error, Reason, Result};
pub use folder::Folder;
pub(crate) use folder::{BAG, INDEX, INDEX_HEADER, UNITS};
use partial::Partial;
pub use partial::{Interrupted, abandoned, remove_partial};
use place::OutputPlace;

/// An open output file: written under a temporary name and renamed when complete. Leaves nothing when dropped.
///
/// The temporary file lies beside its target. For standard output, a FIFO or a device it lies in the folder of
/// temporary files, and is copied when complete.
///
/// ```
/// use std::io::Write;
/// use robolog_convert::target::{Existing, Target};
/// # let folder = std::env::temp_dir().join(format!("robolog-target-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("notes.txt");
/// let target = Target::create(&path, Existing::Keep, &[])?;
/// let mut out = target.writer()?;
/// out.write_all(b"whole").and_then(|()| out.flush()).unwrap();
/// assert!(!path.exists()); // nobody meets half of it
/// target.persist()?;
/// assert!(path.exists());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the file appears when it is persisted"]
pub struct Target {
    file: Partial<NamedTempFile>,
    path: PathBuf,
    place: OutputPlace,
}

impl Target {
    /// Begins a file at `path`. Refuses one of `inputs` and files in an input folder, under any name.
    ///
    /// `-` is standard output, and among the inputs standard input. Replaces an existing file if `existing` allows, and
    /// keeps its mode. Writes to a FIFO or a character device in place. Refuses anything else, including a symbolic
    /// link to a file.
    pub fn create(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self> {
        let place = OutputPlace::of(path, existing, inputs)?;
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix files have a mode"))]
        let mut builder = beside();
        let file = match &place {
            OutputPlace::File { path, .. } => {
                // Temporary files are private; this one gets the mode of the user's other files.
                #[cfg(unix)]
                builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
                Partial::file(&builder, parent(path))
            }
            OutputPlace::Stream(_) => Partial::file(&builder, &std::env::temp_dir()),
        };
        let file = file.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => no_folder(path),
            _ => Error::file(path, e),
        })?;
        Ok(Self { file, path: path.to_owned(), place })
    }

    /// Refuses what [`create`](Self::create) would refuse by its name: for callers that read for long before they write.
    /// Nothing is created, and no FIFO or device is opened.
    pub fn check(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<()> {
        if !parent(path).is_dir() {
            return Err(no_folder(path));
        }
        match std::fs::metadata(path) {
            Ok(meta) if !meta.is_file() && !meta.is_dir() => Ok(()),
            _ => OutputPlace::of(path, existing, inputs).map(drop),
        }
    }

    /// Returns a buffered writer.
    pub fn writer(&self) -> Result<io::BufWriter<OutputFile>> {
        let file = self.file.reopen().map_err(|e| Error::file(&self.path, e))?;
        Ok(io::BufWriter::with_capacity(1 << 20, OutputFile::new(file, &self.path)))
    }

    /// Returns a writer that writes on a thread of its own if there are two cores.
    pub fn write_behind(&self) -> Result<WriteBehind> {
        let file = self.file.reopen().map_err(|e| Error::file(&self.path, e))?;
        Ok(WriteBehind::new(OutputFile::new(file, &self.path)))
    }

    /// Temporary path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Syncs the file to disk and renames it to its target.
    ///
    /// Returns an error if something else appeared there meanwhile, and for binary data to a terminal.
    pub fn persist(self) -> Result<()> {
        let Self { file, path, place } = self;
        match place {
            OutputPlace::Stream(mut stream) => {
                let failed = |e: io::Error| match e.kind() {
                    // The reader has closed the pipe.
                    io::ErrorKind::BrokenPipe => Error::Write(e),
                    _ => Error::file(&path, e),
                };
                let mut whole = File::open(file.path()).map_err(failed)?;
                if stream.is_terminal() && !place::is_text(&mut whole).map_err(failed)? {
                    return Err(Error::Target(Reason::Terminal));
                }
                stream.take(&mut whole).map_err(failed)
            }
            OutputPlace::File { path: at, existing } => {
                let failed = |e| Error::file(&path, e);
                let former = place::replaced(&at, existing).map_err(failed)?;
                file.complete(|file| {
                    if let Some(former) = former {
                        file.as_file().set_permissions(former.permissions())?;
                    }
                    file.as_file().sync_all()?;
                    if existing.is_replaced() {
                        file.persist(&at)?
                    } else {
                        file.persist_noclobber(&at)?
                    };
                    Ok(())
                })
                .map_err(|e| match e.kind() {
                    io::ErrorKind::AlreadyExists => Error::Exists(path.clone()),
                    _ => Error::file(&path, e),
                })?;
                sync_folder(parent(&at));
                Ok(())
            }
        }
    }

    /// Begins a folder at `path` in the same way. [`Existing::Replace`] replaces an existing folder only if it is empty
    /// or holds nothing but an `_index.csv`, or the `metadata.yaml` of a bag made by robolog, and the files listed
    /// there, or the numbered parts of one recording: other files are never deleted. Refuses a folder that holds an
    /// input or lies in one.
    pub fn folder(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Folder> {
        Folder::create(path, existing, inputs)
    }
}

/// Builder of temporary names, which contain the name of the program.
fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(partial::NAME.0).suffix(partial::NAME.1);
    builder
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The error of a file in a folder that does not exist.
fn no_folder(path: &Path) -> Error {
    Error::file(parent(path), io::Error::new(io::ErrorKind::NotFound, "there is no such folder"))
}

/// Syncs the new name to disk; ignored where folders cannot be synced.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
