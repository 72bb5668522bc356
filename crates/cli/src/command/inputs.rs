//! The recordings that the FILEs of a command line name: a folder stands for all recordings below it.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use effibox::dataset::{Dataset, Interface};
use robolog_convert::{Error, Input, Result};

use crate::{Status, progress::Context, render};

/// Recordings to work on, in order.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// Files, folders that are one recording each, and `-` for standard input.
    pub(crate) files: Vec<PathBuf>,
    /// `Failed` where a folder holds no recording or cannot be read; the error is printed already.
    pub(crate) status: Status,
}

/// Folders are looked into so deep.
const DEPTH: usize = 32;

/// Extensions of recordings that are no part of a data set.
const FOREIGN: [&str; 11] =
    ["lvx", "lvx2", "lvx3", "alog", "xlog", "ylog", "klog", "rec", "log", "pcap", "pcapng"];

/// Replaces each folder by the recordings in it, in order of their names, unless the folder is a recording itself: a data
/// set, or the files that a log was split into. What else a folder holds is counted in a note on stderr.
///
/// A file that is given by name stays in the list, whatever it is.
pub(crate) fn expand(files: &[PathBuf], context: Context) -> Inputs {
    let mut inputs = Inputs { files: Vec::new(), status: Status::Done };
    for file in files {
        match of_argument(file, context) {
            Ok(found) => inputs.files.extend(found),
            Err(error) => {
                render::error(Some(file), &error);
                inputs.status = Status::Failed;
            }
        }
    }
    inputs
}

impl Inputs {
    /// Runs `work` on each recording, prints what goes wrong, and gives the worst status.
    pub(crate) fn each(&self, work: impl FnMut(&Path) -> Result<Status>) -> Result<Status> {
        let worst = super::each(self.files.iter().map(AsRef::as_ref), work)?;
        Ok(worst.max(self.status))
    }
}

fn of_argument(file: &Path, context: Context) -> Result<Vec<PathBuf>> {
    if file == Path::new("-") || !file.is_dir() || is_recording(file, context) {
        return Ok(vec![file.to_owned()]);
    }
    let mut found = Found::default();
    found.look(file, 0, context)?;
    if let (Some(skipped), false) = (found.skipped(), context.quiet) {
        render::note(file, format_args!("note: skipped {skipped}"));
    }
    if found.files.is_empty() {
        return Err(Error::file(file, io::Error::other("no recordings in this folder")));
    }
    Ok(found.files)
}

/// Whether a folder is one recording, and holds no others.
fn is_recording(folder: &Path, context: Context) -> bool {
    match context.open(folder) {
        Ok(input) => match input.dataset() {
            Some(dataset) => {
                is_one(dataset) && (dataset.other_files() == 0 || !holds_foreign(folder, 0, context))
            }
            // The files that a log was split into, one for each variable.
            None => !holds_other_logs(folder),
        },
        Err(_) => false,
    }
}

/// Whether logs lie in a folder that are no part of a log that was split.
fn holds_other_logs(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.filter_map(io::Result::ok).any(|entry| {
        let path = entry.path();
        let is_log =
            |e: &OsStr| FOREIGN.iter().any(|known| *known != "klog" && e.eq_ignore_ascii_case(known));
        path.extension().is_some_and(is_log)
    })
}

/// Whether the files are of one data set: there is more than tracks, and interfaces lie in the folder or in folders of
/// their own. Where they lie deeper, each folder is a data set.
fn is_one(dataset: &Dataset) -> bool {
    let is_deep = |interface: &Interface| interface.folder.contains('/');
    let has_data = |interface: &Interface| {
        let has_files = interface.images.is_some() || interface.scans.is_some();
        has_files || !interface.tables.is_empty() || interface.sentences.is_some()
    };
    dataset.interfaces().iter().any(has_data) && !dataset.interfaces().iter().any(is_deep)
}

/// Whether a recording of another format than those of a data set lies below a folder. Millions of images are not opened
/// for that: names tell them.
fn holds_foreign(folder: &Path, depth: usize, context: Context) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.filter_map(io::Result::ok).any(|entry| {
        let path = entry.path();
        let is_foreign =
            || path.extension().is_some_and(|e| FOREIGN.iter().any(|known| e.eq_ignore_ascii_case(known)));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                depth < DEPTH && holds_foreign(&path, depth.saturating_add(1), context)
            }
            Ok(kind) if kind.is_file() && is_foreign() => {
                let format = context.open(&path).and_then(|input| input.format());
                format.is_ok_and(|format| !matches!(format, "effibox" | "gpx" | "kml" | "nmea"))
            }
            _ => false,
        }
    })
}

/// What a folder holds.
#[derive(Debug, Default)]
struct Found {
    files: Vec<PathBuf>,
    /// Files of no known format.
    others: u64,
    /// Files and folders that cannot be opened.
    unreadable: u64,
    /// Links to folders, and folders that lie too deep.
    not_followed: u64,
    /// Pipes, sockets, devices.
    special: u64,
}

impl Found {
    /// Fails when the folder cannot be read; what lies below it is counted.
    fn look(&mut self, folder: &Path, depth: usize, context: Context) -> Result<()> {
        let entries = fs::read_dir(folder).map_err(|e| Error::file(folder, e))?;
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                Err(_) => count(&mut self.unreadable),
            }
        }
        paths.sort();
        for path in paths {
            // Hidden ones are of the system and of tools.
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            let (Ok(own), Ok(target)) = (fs::symlink_metadata(&path), fs::metadata(&path)) else {
                count(&mut self.unreadable);
                continue;
            };
            if target.is_dir() {
                // Links to folders can lead in circles, and to files that are listed already.
                if own.is_symlink() || depth >= DEPTH {
                    count(&mut self.not_followed);
                } else if is_recording(&path, context) {
                    self.files.push(path);
                } else if self.look(&path, depth.saturating_add(1), context).is_err() {
                    count(&mut self.unreadable);
                }
            } else if target.is_file() {
                self.file(path, context);
            } else {
                count(&mut self.special);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf, context: Context) {
        // A mission of MOOS begins with comments as a log does.
        if path.extension().is_some_and(|e| e == "_moos" || e == "moos") {
            return count(&mut self.others);
        }
        // An archive holds a data set, or nothing that is read.
        let outcome = context.open(&path).map(|input: Input| input.is_dataset() || input.format().is_ok());
        match outcome {
            Ok(true) => self.files.push(path),
            Ok(false) | Err(Error::Recording(_) | Error::DataSet(_)) => count(&mut self.others),
            Err(_) => count(&mut self.unreadable),
        }
    }

    /// What was met and is not in the list, in words.
    fn skipped(&self) -> Option<String> {
        let words = [
            (self.others, "file that is no recording", "files that are no recordings"),
            (self.unreadable, "that cannot be opened", "that cannot be opened"),
            (self.not_followed, "link to a folder", "links to folders"),
            (self.special, "pipe or device", "pipes or devices"),
        ];
        let parts: Vec<String> = words
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

fn count(n: &mut u64) {
    *n = n.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::When;

    fn context() -> Context {
        Context {
            quiet: true,
            verbose: 0,
            progress: When::Never,
            color: When::Never,
            limits: robolog_core::Limits::default(),
        }
    }

    fn names(inputs: &Inputs, root: &Path) -> Vec<String> {
        let below = |file: &PathBuf| file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        inputs.files.iter().map(below).collect()
    }

    #[test]
    fn a_folder_stands_for_the_recordings_below_it_in_order_of_name() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let log = "%% LOGSTART 1600000000\n1.0 A pX 1 \n";
        fs::create_dir(root.join("m")).unwrap();
        for name in ["b.alog", "m/c.alog", "a.alog", "z.alog", ".hidden.alog"] {
            fs::write(root.join(name), log).unwrap();
        }
        fs::write(root.join("notes.md"), "# no recording").unwrap();
        fs::write(root.join("empty"), "").unwrap();
        let inputs = expand(&[root.to_owned()], context());
        assert_eq!(names(&inputs, root), ["a.alog", "b.alog", "m/c.alog", "z.alog"]);
        let mut found = Found::default();
        found.look(root, 0, context()).unwrap();
        assert_eq!(found.skipped().unwrap(), "2 files that are no recordings");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_counted_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::write(root.join("a.alog"), "%% LOGSTART 1600000000\n1.0 A pX 1 \n").unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
        std::os::unix::fs::symlink("a.alog", root.join("b.alog")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("broken")).unwrap();
        let mut found = Found::default();
        found.look(root, 0, context()).unwrap();
        assert_eq!(found.files, [root.join("a.alog"), root.join("b.alog")]);
        assert_eq!(found.skipped().unwrap(), "1 that cannot be opened, 1 link to a folder");
    }

    #[test]
    fn an_empty_folder_fails_and_the_other_files_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let inputs = expand(&[dir.path().to_owned(), "no-such-file".into(), "-".into()], context());
        assert_eq!(inputs.files, [Path::new("no-such-file"), Path::new("-")]);
        assert_eq!(inputs.status, Status::Failed);
    }
}
