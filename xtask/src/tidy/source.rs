//! Rules for Rust sources.

use super::Finding;

const WANTED_LINES: usize = 300;
const MOST_LINES: usize = 500;

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.ends_with(".rs") {
        return Vec::new();
    }
    let mut found = counted_bytes(text);
    found.extend(reasons(text));
    if is_shipped(path) {
        found.extend(prints(text));
    }
    let writes = ["crates/convert/src/", "crates/sinks/src/"].iter().any(|folder| path.starts_with(folder));
    if writes && !path.ends_with("/spool.rs") {
        found.extend(files(text));
    }
    let lines = text.lines().count();
    if lines > MOST_LINES && !may_be_long(path) {
        found.push((0, format!("{lines} lines; {MOST_LINES} is the limit")));
    }
    found
}

/// A note on a file that is longer than recommended but allowed.
pub(super) fn long(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (path.ends_with(".rs") && lines > WANTED_LINES && !may_be_long(path))
        .then(|| format!("{lines} lines; {WANTED_LINES} are wanted"))
}

fn may_be_long(path: &str) -> bool {
    path.contains("/tests/") || path.starts_with("xtask/src/fixtures/")
}

/// binrw allocates the whole `count` of a byte vector before it reads a byte: a length in a file becomes memory.
fn counted_bytes(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut counted = false;
    for (number, item) in items(text) {
        if item.starts_with('#') {
            let binrw = item.starts_with("#[br");
            counted |=
                binrw && item.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "count");
        } else if !item.starts_with("//") {
            if counted && item.contains("Vec<u8>") {
                found.push((number, "bytes by binrw's `count`; take a checked slice".to_owned()));
            }
            counted = false;
        }
    }
    found
}

fn is_shipped(path: &str) -> bool {
    let is_tool = ["crates/fuzz/", "crates/testkit/"].iter().any(|tool| path.starts_with(tool));
    path.starts_with("crates/") && path.contains("/src/") && !is_tool
}

/// The print macros of the standard library panic when the reader closes the pipe.
fn prints(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_text = |item: &str| ["//", "#[doc"].iter().any(|start| item.starts_with(start));
    for (number, item) in items(text).into_iter().filter(|(_, item)| !is_text(item)) {
        if ["println!(", "print!("].iter().any(|name| item.contains(name)) {
            found
                .push((number, "a print that ends the program; write, and go on when that fails".to_owned()));
        }
    }
    found
}

/// Data that waits for a target waits in a spool, which also works without a file system.
fn files(text: &str) -> Vec<Finding> {
    let made = items(text).into_iter().filter(|(_, item)| item.contains("tempfile::tempfile("));
    made.map(|(number, _)| (number, "a temporary file; take `Spools`".to_owned())).collect()
}

/// Each exception from a lint gives its reason.
fn reasons(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, item) in items(text) {
        let exempts = item.starts_with('#') && ["allow(", "expect("].iter().any(|word| item.contains(word));
        if exempts && !item.contains("reason") {
            found.push((number, "a lint's exception without a reason".to_owned()));
        }
    }
    found
}

/// Lines without indentation, with multi-line attributes joined, each with the number of its first line.
fn items(text: &str) -> Vec<(usize, String)> {
    let mut items = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let mut item = line.trim().to_owned();
        let attribute = item.starts_with("#[") || item.starts_with("#![");
        while attribute && item.matches('[').count() > item.matches(']').count() {
            let Some((_, next)) = lines.next() else { break };
            item.push(' ');
            item.push_str(next.trim());
        }
        if !item.is_empty() {
            items.push((number, item));
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::{check, counted_bytes, long, reasons};

    #[test]
    fn byte_vectors_by_count_are_found() {
        let bad = "struct A {\n    len: u32,\n    #[br(count = len)]\n    /// Text.\n    text: Vec<u8>,\n}\n";
        assert_eq!(counted_bytes(bad)[0].0, 5);
        assert_eq!(counted_bytes(&bad.replace("= len)", "= len,\n        if(len > 0))")).len(), 1);
        assert!(counted_bytes(&bad.replace("Vec<u8>", "Vec<u16>")).is_empty());
        assert!(counted_bytes("#[br(args(device_count))]\ntext: Vec<u8>,\n").is_empty());
    }

    #[test]
    fn exceptions_without_reason_are_found() {
        assert_eq!(reasons("\n#[allow(dead_code)]\nfn a() {}\n")[0].0, 2);
        assert_eq!(reasons("#[cfg_attr(test, expect(\n    unused\n))]\n").len(), 1);
        assert!(reasons("#![allow(\n    unused,\n    reason = \"x\"\n)]\n").is_empty());
    }

    #[test]
    fn prints_are_found_where_users_run_them() {
        let text = "/// println!(\"in an example\");\nfn a() {\n    eprintln!(\"x\");\n}\n";
        assert_eq!(check("crates/cli/src/a.rs", text).iter().map(|f| f.0).collect::<Vec<_>>(), [3]);
        for path in ["crates/cli/tests/it/a.rs", "crates/fuzz/src/main.rs", "xtask/src/main.rs"] {
            assert!(check(path, text).is_empty(), "{path}");
        }
    }

    #[test]
    fn temporary_files_beside_spools_are_found() {
        let text = "fn a() {\n    tempfile::tempfile()?;\n}\n";
        assert_eq!(check("crates/convert/src/sink/a.rs", text)[0].0, 2);
        assert_eq!(check("crates/sinks/src/a.rs", text)[0].0, 2);
        assert!(check("crates/sinks/src/spool.rs", text).is_empty());
    }

    #[test]
    fn long_files_are_found() {
        let (too_long, longish) = ("//\n".repeat(501), "//\n".repeat(301));
        assert_eq!(check("crates/core/src/a.rs", &too_long).len(), 1);
        assert!(check("crates/core/tests/a.rs", &too_long).is_empty());
        assert!(check("crates/core/src/a.rs", &longish).is_empty());
        assert!(long("crates/core/src/a.rs", &longish).is_some());
    }
}
