//! Rules for Rust sources.

use super::Finding;

const WANTED_LINES: usize = 300;
const MOST_LINES: usize = 500;

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.ends_with(".rs") {
        return Vec::new();
    }
    let mut found = Vec::new();
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

/// Data that waits for a target waits in a spool, which also works without a file system.
fn files(text: &str) -> Vec<Finding> {
    let made = (1..).zip(text.lines()).filter(|(_, line)| line.contains("tempfile::tempfile("));
    made.map(|(number, _)| (number, "a temporary file; take `Spools`".to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{check, long};

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
