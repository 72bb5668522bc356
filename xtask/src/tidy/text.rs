//! Rules for every text file.

use super::Finding;

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    // The formats decide the content of fixtures and digests.
    let is_laid = path.starts_with("testdata/") || (path.contains("/examples/") && !path.ends_with(".rs"));
    let is_binary = path.ends_with(".bin");
    if is_binary || is_laid && ![".json", ".md", ".py"].iter().any(|end| path.ends_with(end)) {
        return Vec::new();
    }
    let mut found = machine_paths(text);
    if !path.ends_with(".snap") {
        found.extend(whitespace(text));
    }
    if path.ends_with(".rs") {
        found.extend(tabs(text));
    }
    found
}

/// Finds paths that exist on one machine only.
fn machine_paths(text: &str) -> Vec<Finding> {
    let folders = ["home", "root", "tmp", "work", "Users"].map(|name| format!("/{name}/"));
    let starts = |line: &str, folder: &str| {
        // Inside a longer path or an address, it is not a root folder.
        line.match_indices(folder).any(|(at, _)| {
            !line[..at]
                .ends_with(|c: char| c.is_alphanumeric() || ['.', '_', '-', '}', ')', '*'].contains(&c))
        })
    };
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(folder) = folders.iter().find(|folder| starts(line, folder)) {
            found.push((number, format!("a path of one machine: {folder}")));
        }
    }
    found
}

fn whitespace(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        if line.ends_with([' ', '\t', '\r']) {
            found.push((number, "blanks at the end of a line".to_owned()));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        found.push((text.lines().count(), "no newline at the end of the file".to_owned()));
    }
    found
}

fn tabs(text: &str) -> Vec<Finding> {
    let tabbed = (1..).zip(text.lines()).filter(|(_, line)| line.contains('\t'));
    tabbed.map(|(number, _)| (number, "a tab".to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{machine_paths, tabs, whitespace};

    #[test]
    fn machine_paths_are_found() {
        let path = ["", "tmp", "cloud.ply"].join("/");
        assert_eq!(machine_paths(&format!("fine\nwrite to {path}\n"))[0].0, 2);
        assert!(machine_paths("target/home/x, crates/home/y").is_empty());
    }

    #[test]
    fn blanks_at_line_ends_are_found() {
        assert_eq!(whitespace("a\nb \nc\n")[0].0, 2);
        assert_eq!(whitespace("a\nb"), [(2, "no newline at the end of the file".to_owned())]);
        assert_eq!(whitespace("a\r\n").len(), 1);
        assert!(whitespace("a\n").is_empty());
    }

    #[test]
    fn tabs_are_found() {
        assert_eq!(tabs("a\n\tb\n")[0].0, 2);
    }
}
