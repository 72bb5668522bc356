//! The recordings in a folder.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

#[cfg(feature = "from-effibox")]
use effibox::dataset::{Dataset, Interface};
use robolog_core::Limits;

use crate::{Error, Input, Result};

/// Maximum depth of folders to search.
const DEPTH: usize = 32;

/// Extensions of recordings that are never part of a data set.
const FOREIGN: [&str; 12] =
    ["lvx", "lvx2", "lvx3", "alog", "xlog", "ylog", "klog", "slog", "rec", "log", "pcap", "pcapng"];

/// Extensions of recordings that are part of a data set if an interface lies beside them.
#[cfg(feature = "from-effibox")]
const STRAYS: [&str; 5] = ["nmea", "nma", "gpx", "kml", "kmz"];

/// Prefix of the files of a data set's interfaces.
#[cfg(feature = "from-effibox")]
const INTERFACE: &str = "Bus_Interface";

/// Returns the recordings at a path, sorted by name: the path itself if it is a file or a folder that is one recording,
/// such as a data set or the files of a split log; otherwise all recordings below the folder.
///
/// ```
/// let found = robolog_convert::recordings("examples", robolog_core::Limits::default())?;
/// assert!(found.files.iter().any(|file| file.ends_with("room.lvx")));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
///
/// Returns an error if a folder cannot be read or holds no recording. Does not open a file.
pub fn recordings(path: impl AsRef<Path>, limits: Limits) -> Result<Found> {
    recordings_but(path, limits, &|_, _| false)
}

/// Like [`recordings`], but takes files for which `is_known` returns true as recordings without opening them.
pub fn recordings_but(path: impl AsRef<Path>, limits: Limits, is_known: Known<'_>) -> Result<Found> {
    let path = path.as_ref();
    let mut found = Found { limits, ..Found::default() };
    if !path.is_dir() || is_recording(path, limits)? {
        found.files.push(path.to_owned());
        return Ok(found);
    }
    found.look(path, 0, is_known)?;
    if found.files.is_empty() {
        return Err(Error::file(path, io::Error::other("no recordings in this folder")));
    }
    Ok(found)
}

/// Whether a folder is one recording and holds no others.
fn is_recording(folder: &Path, limits: Limits) -> Result<bool> {
    Ok(match Input::open_with(folder, limits) {
        Err(error) if error.is_of_machine() => return Err(error),
        #[cfg(feature = "from-effibox")]
        Ok(input) if input.is_dataset() => input.dataset().is_some_and(is_one),
        // The files of a split log, one for each variable.
        Ok(_) => !holds_other_logs(folder),
        Err(_) => false,
    })
}

/// Whether a folder holds logs other than those of a split log.
fn holds_other_logs(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.filter_map(io::Result::ok).any(|entry| {
        let path = entry.path();
        let is_log = |e: &std::ffi::OsStr| {
            FOREIGN.iter().any(|known| *known != "klog" && e.eq_ignore_ascii_case(known))
        };
        path.extension().is_some_and(is_log)
    })
}

/// Whether the files are one data set: it has more than tracks, or has lost the rest, and interfaces lie in the folder or
/// each in a folder of its own. If they lie deeper, each folder is a data set.
#[cfg(feature = "from-effibox")]
fn is_one(dataset: &Dataset) -> bool {
    let is_deep = |interface: &Interface| interface.folder.contains('/');
    let is_set = dataset.is_recovered() || dataset.interfaces().iter().any(has_data);
    is_set && !dataset.interfaces().iter().any(is_deep)
}

/// Whether an interface has more than tracks.
#[cfg(feature = "from-effibox")]
fn has_data(interface: &Interface) -> bool {
    let has_files = interface.images.is_some() || interface.scans.is_some();
    has_files || !interface.tables.is_empty() || interface.sentences.is_some()
}

/// Whether a folder holds recordings outside its data set: of a format that data sets do not have, or tracks and
/// sentences that neither have the name of an interface nor lie beside a file that has. Goes by names, so that millions
/// of images need not be opened.
#[cfg(feature = "from-effibox")]
pub(crate) fn is_mixed(folder: &Path, dataset: &Dataset, limits: Limits) -> bool {
    let is_track = |interface: &Interface| !has_data(interface) && !interface.tracks.is_empty();
    let has_others = dataset.other_files() > 0 || dataset.interfaces().iter().any(is_track);
    has_others && holds_foreign(folder, 0, limits)
}

#[cfg(feature = "from-effibox")]
fn holds_foreign(folder: &Path, depth: usize, limits: Limits) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let (mut is_of_set, mut has_strays) = (false, false);
    for entry in entries.filter_map(io::Result::ok) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEPTH && holds_foreign(&path, depth + 1, limits) => {
                return true;
            }
            Ok(kind) if kind.is_file() => {
                let is_named = name.starts_with(INTERFACE);
                is_of_set |= is_named;
                if is_named || !FOREIGN.iter().chain(&STRAYS).any(|known| has_extension(&name, known)) {
                    continue;
                }
                let format = Input::open_with(&path, limits).and_then(|input| input.format());
                match format {
                    Ok("effibox") | Err(_) => {}
                    Ok("gpx" | "kml" | "nmea") => has_strays = true,
                    Ok(_) => return true,
                }
            }
            _ => {}
        }
    }
    has_strays && !is_of_set
}

/// Whether a name has an extension, compressed or not.
#[cfg(feature = "from-effibox")]
fn has_extension(name: &str, extension: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    plain.rsplit_once('.').is_some_and(|(_, own)| own == extension)
}

/// Returns whether a file is known to be a recording.
pub type Known<'a> = &'a dyn Fn(&Path, &fs::Metadata) -> bool;

/// Contents of a folder.
#[derive(Debug, Default)]
pub struct Found {
    /// Recordings found.
    pub files: Vec<PathBuf>,
    limits: Limits,
    /// Files of no known format.
    others: u64,
    /// Files and folders that cannot be opened.
    unreadable: Vec<PathBuf>,
    /// Links to folders, and folders nested too deep.
    not_followed: u64,
    /// Pipes, sockets, devices.
    special: u64,
}

impl Found {
    /// Returns an error if the folder cannot be read; counts unreadable entries below it.
    fn look(&mut self, folder: &Path, depth: usize, is_known: Known<'_>) -> Result<()> {
        let entries = fs::read_dir(folder).map_err(|e| Error::file(folder, e))?;
        let mut names: Vec<(OsString, bool)> = Vec::new();
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?.is_symlink()))) {
                // Hidden files belong to the system and to tools.
                Ok((name, _)) if name.as_encoded_bytes().starts_with(b".") => {}
                Ok(entry) => names.push(entry),
                Err(e) => self.unread(folder, Error::file(folder, e))?,
            }
        }
        names.sort();
        for (name, is_link) in names {
            let path = folder.join(name);
            let target = match fs::metadata(&path) {
                Ok(target) => target,
                Err(e) => {
                    self.unread(&path, Error::file(&path, e))?;
                    continue;
                }
            };
            if target.is_dir() {
                // Links to folders can form cycles, and lead to files that are listed already.
                if is_link || depth >= DEPTH {
                    count(&mut self.not_followed);
                } else if is_recording(&path, self.limits)? {
                    self.files.push(path);
                } else if let Err(error) = self.look(&path, depth + 1, is_known) {
                    self.unread(&path, error)?;
                }
            } else if target.is_file() && is_known(&path, &target) {
                self.files.push(path);
            } else if target.is_file() {
                self.file(path)?;
            } else {
                count(&mut self.special);
            }
        }
        Ok(())
    }

    /// Counts an unreadable entry; returns errors of the machine, after which nothing is known of the folder.
    fn unread(&mut self, path: &Path, error: Error) -> Result<()> {
        if error.is_of_machine() {
            return Err(error);
        }
        self.unreadable.push(path.to_owned());
        Ok(())
    }

    /// Files and folders that cannot be opened; they may be recordings.
    pub fn unreadable(&self) -> &[PathBuf] {
        &self.unreadable
    }

    /// Takes the unreadable files and folders, so that [`skipped`](Self::skipped) no longer counts them.
    pub fn take_unreadable(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.unreadable)
    }

    fn file(&mut self, path: PathBuf) -> Result<()> {
        // A MOOS mission file begins with comments, like a log.
        if path.extension().is_some_and(|e| e == "_moos" || e == "moos") {
            count(&mut self.others);
            return Ok(());
        }
        // An archive is a data set, or is not readable here.
        let outcome =
            Input::open_with(&path, self.limits).map(|input| input.is_dataset() || input.format().is_ok());
        match outcome {
            Ok(true) => self.files.push(path),
            Err(error) if error.is_of_machine() => return Err(error),
            Ok(false) | Err(Error::Recording(_) | Error::DataSet { .. }) => count(&mut self.others),
            Err(_) => self.unreadable.push(path),
        }
        Ok(())
    }

    /// Describes the entries that are not in the list.
    pub fn skipped(&self) -> Option<String> {
        let words = [
            (self.others, "file that is no recording", "files that are no recordings"),
            (self.unreadable.len() as u64, "that cannot be opened", "that cannot be opened"),
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
    *n += 1;
}

#[cfg(all(test, feature = "from-alog"))]
mod tests {
    use super::*;

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
        let found = recordings(root, Limits::default()).unwrap();
        let below = |file: &PathBuf| file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let names: Vec<_> = found.files.iter().map(below).collect();
        assert_eq!(names, ["a.alog", "b.alog", "m/c.alog", "z.alog"]);
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
        let found = recordings(root, Limits::default()).unwrap();
        assert_eq!(found.files, [root.join("a.alog"), root.join("b.alog")]);
        assert_eq!(found.skipped().unwrap(), "1 that cannot be opened, 1 link to a folder");
    }
}
