//! Rules for files that must exist together.

use super::File;
use crate::workspace::Crate;

/// Modules that every format crate has, as a file or a folder.
const HOUSE: [&str; 9] =
    ["lib", "format", "header", "layout", "record", "payload", "sample", "survey", "writer"];
/// Modules that a decoder replaces.
const DECODED: [&str; 2] = ["sample", "survey"];
/// Headings of the README of each package, in order.
const HEADINGS: [&str; 5] = ["Example", "What it does", "Good to know", "What it does not do", "Features"];
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

pub(super) fn check(files: &[File], crates: &[Crate]) -> Vec<String> {
    let mut found: Vec<String> =
        LICENCES.iter().filter(|name| text(files, name).is_none()).map(absent).collect();
    for one in crates.iter().filter(|one| one.folder.starts_with("crates/")) {
        found.extend(beside(files, &one.folder, one.manifest.publishable()));
        if one.manifest.publishable() {
            found.extend(headings(files, &one.folder));
        }
        if one.is_format() {
            found.extend(house(files, &one.folder));
        }
    }
    found.extend(truths(files));
    found
}

/// A crate ships alone, so it has its own licences, README and changelog.
fn beside(files: &[File], folder: &str, publishable: bool) -> Vec<String> {
    if !publishable {
        return Vec::new();
    }
    let mut found = Vec::new();
    for name in ["README.md", "CHANGELOG.md"].map(|name| format!("{folder}/{name}")) {
        if text(files, &name).is_none() {
            found.push(absent(name));
        }
    }
    for name in LICENCES {
        let own = format!("{folder}/{name}");
        if text(files, &own) != text(files, name) {
            found.push(format!("{own}: is not the root's text"));
        }
    }
    found
}

/// Every README answers the same questions.
fn headings(files: &[File], folder: &str) -> Option<String> {
    let path = format!("{folder}/README.md");
    let headings: Vec<&str> =
        text(files, &path)?.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    (headings != HEADINGS).then(|| format!("{path}: its headings are not {}", HEADINGS.join(", ")))
}

fn house(files: &[File], folder: &str) -> Vec<String> {
    let stands = |name: &str| {
        let stem = format!("{folder}/src/{name}");
        files
            .iter()
            .any(|file| file.path == format!("{stem}.rs") || file.path.starts_with(&format!("{stem}/")))
    };
    // A data set is many files: the crate's format is that of their tables.
    let place = |name: &&str| match (folder, *name) {
        ("crates/effibox", "format") => "table".to_owned(),
        ("crates/effibox", name) if name != "lib" => format!("table/{name}"),
        (_, name) => name.to_owned(),
    };
    let is_decoded = stands("decode");
    let wanted = HOUSE.iter().filter(|name| !is_decoded || !DECODED.contains(name));
    let places = wanted.map(place).filter(|place| !stands(place));
    places.map(|place| absent(format!("{folder}/src/{place}.rs"))).collect()
}

/// Every fixture has a truth file.
fn truths(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let mut parts = file.path.split('/');
        let (Some("testdata"), Some(format), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        if format == "fuzz" || file.path.ends_with(".json") || file.path.ends_with(".md") {
            continue;
        }
        let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
        let truth = format!("{stem}.truth.json");
        if text(files, &truth).is_none() && !in_a_set(files, &file.path) {
            found.push(absent(truth));
        }
    }
    found
}

/// Whether a folder above has one truth for all its files.
fn in_a_set(files: &[File], path: &str) -> bool {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders.into_iter().any(|folder| text(files, &format!("{folder}/truth.json")).is_some())
}

fn text<'a>(files: &'a [File], path: &str) -> Option<&'a str> {
    files.iter().find(|file| file.path == path).and_then(|file| file.text.as_deref())
}

fn absent(path: impl std::fmt::Display) -> String {
    format!("{path}: is not there")
}

#[cfg(test)]
mod tests {
    use super::{HEADINGS, beside, headings, house, truths};
    use crate::tidy::File;

    fn files(paths: &[&str]) -> Vec<File> {
        paths.iter().map(|path| File { path: (*path).to_owned(), text: Some("same".to_owned()) }).collect()
    }

    #[test]
    fn papers_must_stand_beside_each_crate() {
        let mut tree =
            files(&["LICENSE-MIT", "LICENSE-APACHE", "crates/a/LICENSE-MIT", "crates/a/README.md"]);
        assert_eq!(beside(&tree, "crates/a", true).len(), 2);
        assert!(beside(&tree, "crates/a", false).is_empty());
        tree[2].text = Some("another".to_owned());
        assert_eq!(beside(&tree, "crates/a", true).len(), 3);
    }

    #[test]
    fn readmes_have_the_same_headings() {
        let readme = |text: String| [File { path: "crates/a/README.md".to_owned(), text: Some(text) }];
        let whole = HEADINGS.map(|heading| format!("## {heading}\n### More\n")).concat();
        assert_eq!(headings(&readme(format!("# a\n{whole}")), "crates/a"), None);
        assert!(headings(&readme(whole.replace("Example", "Open")), "crates/a").is_some());
    }

    #[test]
    fn formats_have_the_house_files() {
        let mut paths = ["lib", "layout", "format", "header", "record", "survey", "writer", "sample"]
            .map(|name| format!("crates/lvx/src/{name}.rs"))
            .to_vec();
        let tree = |paths: &[String]| files(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(house(&tree(&paths), "crates/lvx"), ["crates/lvx/src/payload.rs: is not there"]);
        paths.push("crates/lvx/src/payload/points.rs".to_owned());
        assert!(house(&tree(&paths), "crates/lvx").is_empty());
        assert_eq!(house(&tree(&paths), "crates/gpx").len(), 9);
        let set = files(&["crates/effibox/src/lib.rs", "crates/effibox/src/table.rs"]);
        assert_eq!(house(&set, "crates/effibox").len(), 7);
        assert_eq!(house(&set, "crates/effibox")[0], "crates/effibox/src/table/header.rs: is not there");
    }

    #[test]
    fn fixtures_have_truths() {
        let tree = files(&[
            "testdata/README.md",
            "testdata/lvx/a.lvx",
            "testdata/lvx/a.truth.json",
            "testdata/lvx/b.lvx",
        ]);
        assert_eq!(truths(&tree), ["testdata/lvx/b.truth.json: is not there"]);
        let set = files(&["testdata/effibox/set/truth.json", "testdata/effibox/set/can/a.txt"]);
        assert!(truths(&set).is_empty());
    }
}
