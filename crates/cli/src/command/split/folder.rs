//! The folder of parts.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use robolog_convert::{
    Error, Result,
    target::{Existing, Folder, Target},
};
use robolog_core::text::file_name;

use super::Counted;
use crate::args::OutArgs;

/// The parts, in a folder that appears only when complete.
#[derive(Debug)]
pub(super) struct Parts {
    folder: Folder,
    target: PathBuf,
    stem: String,
    extension: String,
    written: Vec<Part>,
    has_records: bool,
}

#[derive(Debug)]
struct Part {
    name: String,
    len: Rc<Cell<u64>>,
}

impl Parts {
    /// Creates a folder for the parts of `file`. An empty folder is reused; a folder of parts is replaced with
    /// `--force`.
    pub(super) fn create(out: &OutArgs, file: &Path) -> Result<Self> {
        let is_empty = fs::read_dir(&out.output).is_ok_and(|mut entries| entries.next().is_none());
        let existing = if is_empty { Existing::Replace } else { out.existing() };
        let folder = Target::folder(&out.output, existing, &[file])?;
        let name = Path::new(file.file_name().unwrap_or_default());
        let is_compressed = name.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
        let name = if is_compressed { Path::new(name.file_stem().unwrap_or_default()) } else { name };
        let text = |part: Option<&std::ffi::OsStr>| part.map(|part| file_name(part.as_encoded_bytes()));
        let is_stream = file == Path::new("-");
        let stem = text(name.file_stem()).filter(|_| !is_stream).unwrap_or_else(|| "part".into());
        let extension = text(name.extension()).filter(|_| !is_stream && file.is_file()).unwrap_or_default();
        let target = out.output.clone();
        Ok(Self { folder, target, stem, extension, written: Vec::new(), has_records: false })
    }

    /// The extension of the format, if the name of the recording has none.
    pub(super) fn set_extension(&mut self, extension: &str) {
        // A KMZ archive holds KML.
        if self.extension.is_empty() || self.extension.eq_ignore_ascii_case("kmz") {
            extension.clone_into(&mut self.extension);
        }
    }

    /// Final path of the folder.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    pub(super) fn len(&self) -> u64 {
        self.written.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.written.iter().map(|part| part.len.get()).sum()
    }

    pub(super) fn has_records(&self) -> bool {
        self.has_records
    }

    pub(super) fn note_record(&mut self) {
        self.has_records = true;
    }

    /// Opens the next part.
    pub(super) fn next(&mut self) -> Result<Counted> {
        let name = self.name(self.written.len());
        let out = Counted::new(self.folder.file(&name)?);
        self.written.push(Part { name, len: out.len() });
        Ok(out)
    }

    /// Adds the next part as a folder, with its size.
    pub(super) fn next_folder(&mut self) -> (PathBuf, Rc<Cell<u64>>) {
        let len = Rc::default();
        let name = format!("{}-{:03}", self.stem, self.written.len());
        let path = self.folder.path().join(&name);
        self.written.push(Part { name, len: Rc::clone(&len) });
        (path, len)
    }

    fn name(&self, number: usize) -> String {
        format!("{}-{number:03}.{}", self.stem, self.extension)
    }

    /// Drops the parts for which `keep` returns false, and renumbers the others.
    pub(super) fn retain(&mut self, keep: &dyn Fn(usize) -> bool) -> Result<()> {
        let folder = self.folder.path().to_owned();
        let mut kept: Vec<Part> = Vec::new();
        for (number, part) in std::mem::take(&mut self.written).into_iter().enumerate() {
            let from = folder.join(&part.name);
            if !keep(number) {
                fs::remove_file(&from).map_err(|e| Error::file(&from, e))?;
                continue;
            }
            let name = self.name(kept.len());
            if name != part.name {
                fs::rename(&from, folder.join(&name)).map_err(|e| Error::file(&from, e))?;
            }
            kept.push(Part { name, ..part });
        }
        self.written = kept;
        Ok(())
    }

    pub(super) fn persist(self) -> Result<()> {
        self.folder.persist()
    }
}
