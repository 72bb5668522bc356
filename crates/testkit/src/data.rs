//! Test inputs: the repository's fixtures, and recordings outside it.

use std::{fs, path::PathBuf};

/// A file of `testdata`.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// Its name without the extension.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testkit lies two deep")
        .to_owned()
}

/// The folder of the repository's recordings of a format.
pub(crate) fn testdata(format: &str) -> PathBuf {
    root().join("testdata").join(format)
}

/// All files of `testdata/<format>` with this extension, by name. Never empty.
pub fn fixtures(format: &str, extension: &str) -> Vec<Fixture> {
    let dir = testdata(format);
    let entries = fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| Fixture {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            bytes: fs::read(&path).unwrap(),
            path,
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!found.is_empty(), "no .{extension} in {}", dir.display());
    found
}

/// The bytes of `testdata/<path>`.
pub fn fixture(path: &str) -> Vec<u8> {
    let path = root().join("testdata").join(path);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The folder of real recordings, which are not part of the repository: `ROBOLOG_DATA`, or `../shared/data` next to the
/// checkout. Prints a note if it does not exist.
pub fn data_dir(format: &str) -> Option<PathBuf> {
    let base = std::env::var_os("ROBOLOG_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let dir = base.join(format);
    if dir.is_dir() {
        println!("with the recordings of {format}");
        return Some(dir);
    }
    println!("no folder of {format} recordings: skipped");
    None
}
