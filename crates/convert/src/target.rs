//! Files and folders that are whole or absent.

mod behind;
mod existing;
mod folder;
pub(crate) mod identity;
mod klogs;
mod output;
mod partial;
mod parts;
mod place;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

pub use self::{
    behind::WriteBehind, existing::Existing, identity::is_standard_output, klogs::KLOGS_MADE_HERE,
};
use crate::{Error, Reason, Result};
#[cfg(feature = "to-mcap")]
pub(crate) use folder::BAG_START;
pub use folder::Folder;
pub(crate) use folder::{BAG, INDEX, INDEX_HEADER, UNITS};
pub use output::OutputFile;
pub(crate) use output::failure;
use partial::Partial;
pub use partial::remove_partial;
use place::Place;

/// A file on its way: written under a temporary name and renamed when whole. Dropped, it leaves nothing.
///
/// The temporary file lies beside its target. What goes to standard output, a FIFO or a device lies in the folder of
/// temporary files, and is copied there when it is whole.
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
    place: Place,
}

impl Target {
    /// Begins a file at `path`, which is never one of `inputs`, nor a file in an input that is a folder, by whatever
    /// name.
    ///
    /// `-` is standard output, and as an input standard input. A file that is there already is replaced where
    /// `existing` says so, and keeps its mode. A FIFO or a character device is written to in place. Anything else is refused, a
    /// symbolic link to a file too.
    pub fn create(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self> {
        let place = Place::of(path, existing, inputs)?;
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix files have a mode"))]
        let mut builder = beside();
        let file = match &place {
            Place::File { path, .. } => {
                // Temporary files are private; this one will be as readable as any other file that the user makes.
                #[cfg(unix)]
                builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
                Partial::file(&builder, parent(path))
            }
            Place::Stream(_) => Partial::file(&builder, &std::env::temp_dir()),
        };
        let file = file.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => {
                Error::file(parent(path), io::Error::new(e.kind(), "there is no such folder"))
            }
            _ => Error::file(path, e),
        })?;
        Ok(Self { file, path: path.to_owned(), place })
    }

    /// A handle to write with.
    pub fn writer(&self) -> Result<io::BufWriter<OutputFile>> {
        let file = self.file.reopen().map_err(|e| Error::file(&self.path, e))?;
        Ok(io::BufWriter::with_capacity(1 << 20, OutputFile::new(file, &self.path)))
    }

    /// A handle whose bytes a thread of its own writes, where there are two cores.
    pub fn write_behind(&self) -> Result<WriteBehind> {
        let file = self.file.reopen().map_err(|e| Error::file(&self.path, e))?;
        Ok(WriteBehind::new(OutputFile::new(file, &self.path)))
    }

    /// Where it is for the time being.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Brings what was written to the disk and gives it its name.
    ///
    /// Fails when something else appeared there meanwhile. Binary data does not go to a terminal.
    pub fn persist(self) -> Result<()> {
        let Self { file, path, place } = self;
        match place {
            Place::Stream(mut stream) => {
                let failed = |e: io::Error| match e.kind() {
                    // Its reader has seen enough.
                    io::ErrorKind::BrokenPipe => Error::Write(e),
                    _ => Error::file(&path, e),
                };
                let mut whole = File::open(file.path()).map_err(failed)?;
                if stream.is_terminal() && !place::is_text(&mut whole).map_err(failed)? {
                    return Err(Error::Target(Reason::Terminal));
                }
                stream.take(&mut whole).map_err(failed)
            }
            Place::File { path: at, existing } => {
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

    /// Begins a folder at `path`, in the same way. [`Existing::Replace`] replaces a folder that is there only if it is
    /// empty or holds nothing beyond an `_index.csv`, or the `metadata.yaml` of a bag that was made here, and the files
    /// listed there, or the numbered parts of one recording: what someone put beside them stays. It never holds an input, nor lies in one.
    pub fn folder(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Folder> {
        Folder::create(path, existing, inputs)
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

/// The new name itself must reach the disk; where folders cannot be synced there is nothing to be done.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
