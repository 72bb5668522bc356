//! One snapshot per fixture, without a test function for each.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use crate::data::testdata;

/// A test that compares the digest of each fixture below `testdata/<folder>` with a snapshot of the fixture's name. `digest`
/// gets the path below `testdata`. A failure names its files; a snapshot without a fixture fails too.
#[macro_export]
macro_rules! snapshots {
    ($folder:literal, $extensions:expr, $digest:expr) => {
        #[test]
        fn each_fixture_is_as_its_snapshot() {
            let stored = ::std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots");
            $crate::each_fixture($folder, &$extensions, &stored, module_path!(), &|name, path| {
                insta::assert_snapshot!(name, $digest(path));
            });
        }
    };
}

/// Calls `compare` with the name and path of each fixture, and fails with the names of those it panicked for. The snapshots
/// of the test's `module` lie in the folder `stored`.
pub fn each_fixture(
    folder: &str,
    extensions: &[&str],
    stored: &Path,
    module: &str,
    compare: &dyn Fn(&str, &str),
) {
    let mut paths = Vec::new();
    below(folder, extensions, &mut paths);
    assert!(!paths.is_empty(), "no {extensions:?} below {folder}");
    paths.sort();
    let names: Vec<String> = paths.iter().map(|path| name(path, folder)).collect();
    let mut wrong: Vec<&str> = Vec::new();
    for (path, name) in paths.iter().zip(&names) {
        if catch_unwind(AssertUnwindSafe(|| compare(name, path))).is_err() {
            wrong.push(path);
        }
    }
    assert!(wrong.is_empty(), "not as their snapshots: {}", wrong.join(", "));
    let strays = strays(stored, &module.replace("::", "__"), &names);
    assert!(strays.is_empty(), "snapshots without a fixture: {}", strays.join(", "));
}

fn below(folder: &str, extensions: &[&str], paths: &mut Vec<String>) {
    let dir = testdata(folder);
    for entry in fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            below(&path, extensions, paths);
        } else if path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension)) {
            paths.push(path);
        }
    }
}

/// The file's name in snake case, with its extension if it lies deeper than the folder.
fn name(path: &str, folder: &str) -> String {
    let (dir, file) = path.rsplit_once('/').unwrap();
    let kept = if dir == folder { file.rsplit_once('.').unwrap().0 } else { file };
    let mut name = String::new();
    for c in kept.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }) {
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    name
}

/// The stored snapshots of the module that belong to no name.
fn strays(stored: &Path, module: &str, names: &[String]) -> Vec<String> {
    let files = fs::read_dir(stored).unwrap().map(|entry| entry.unwrap().file_name());
    files
        .filter_map(|file| {
            let file = file.to_string_lossy().into_owned();
            let name = file.strip_prefix(module)?.strip_prefix("__")?.strip_suffix(".snap")?;
            (!names.iter().any(|known| known == name)).then_some(file)
        })
        .collect()
}

#[test]
fn names_are_in_snake_case() {
    assert_eq!(name("lvx/Short--tail.lvx", "lvx"), "short_tail");
    assert_eq!(name("set/deep/Gps__dev.txt", "set"), "gps_dev_txt");
}
