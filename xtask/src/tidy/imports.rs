//! Rules for layers: core knows no format, and the libraries open files only in functions named for it.

use super::Finding;
use crate::workspace::FORMATS;

/// Words that belong to one format.
const WORDS: [&str; 6] = ["lvx", "livox", "koblenz", "carla", "effibox", "velodyne"];

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.ends_with(".rs") {
        return Vec::new();
    }
    let Some((folder, file)) = path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if folder == "core" {
        found.extend(format_names(text));
        found.extend(files(text, false, ["known_length.rs", "output.rs", "stream.rs"].contains(&file)));
    } else if FORMATS.contains(&folder) || folder == "velodyne" {
        let opens = ["open", "dataset"].iter().any(|name| file.split(['/', '.']).any(|part| part == *name));
        found.extend(files(text, opens, true));
    }
    found
}

/// core names no format, in code or in comments.
fn format_names(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.to_lowercase();
        // Many words end in "alog", so it counts only as a whole word.
        let alone = line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "alog");
        let name = WORDS.into_iter().find(|word| line.contains(word)).or(alone.then_some("alog"));
        found.extend(name.map(|name| (number, format!("core names a format: {name}"))));
    }
    found
}

/// Whether the line is an import or part of one.
fn is_import(line: &str) -> bool {
    line.starts_with("use ") || line == "fs::File,"
}

/// Files are opened only in a module made for it, or in a function called `open` or `create`.
fn files(text: &str, whole_file: bool, in_open: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut function = String::new();
    let opens = in_open && (text.contains("fn open") || text.contains("fn create"));
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        if let Some(name) = function_name(line) {
            name.clone_into(&mut function);
        }
        let uses = ["std::fs", "fs::File", "File::open", "File::create", "fs::read", "fs::write"];
        // Hidden lines of doctests begin with `# `.
        let is_text = ["//", "# "].iter().any(|start| line.starts_with(start));
        let touches = !is_text && uses.iter().any(|word| line.contains(word));
        let allowed =
            whole_file || (opens && (["open", "create"].contains(&function.as_str()) || is_import(line)));
        if touches && !allowed {
            found.push((number, "opens files outside `open`".to_owned()));
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let only_qualifiers = before.split_whitespace().all(|word| {
        ["pub", "const", "async"].contains(&word) || word.starts_with("pub(") || word.ends_with(')')
    });
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (only_qualifiers && !line.starts_with("//")).then_some(&after[..end])
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn core_must_not_name_formats() {
        assert_eq!(check("crates/core/src/time.rs", "//\n/// As in an Lvx file.\n")[0].0, 2);
        assert_eq!(check("crates/core/src/time.rs", "mod alog;\n").len(), 1);
        assert!(check("crates/core/src/time.rs", "/// A catalog.\n").is_empty());
        assert!(check("crates/convert/src/source.rs", "use lvx::Reader;\n").is_empty());
    }

    #[test]
    fn only_open_opens() {
        let text = "use std::fs::File;\nimpl A {\n    pub fn open() {\n        File::open(p)\n    }\n}\n";
        assert!(check("crates/core/src/stream.rs", text).is_empty());
        assert!(check("crates/lvx/src/lib.rs", text).is_empty());
        assert_eq!(check("crates/core/src/reader.rs", text).len(), 2);
        assert_eq!(check("crates/lvx/src/lib.rs", &text.replace("fn open", "fn load")).len(), 2);
        assert!(check("crates/effibox/src/dataset.rs", &text.replace("fn open", "fn load")).is_empty());
    }
}
