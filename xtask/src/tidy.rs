//! `cargo xtask tidy [-v]`: the house rules that can be read off the text of the repository.

mod dependencies;
mod imports;
mod links;
mod source;
mod text;
mod tree;
mod workflows;

use std::{fs, process::Command};

use crate::{
    shell::{Outcome, output, root},
    workspace,
};

/// A line of a file and what is wrong there; line 0 is the file as a whole.
type Finding = (usize, String);

/// A file of the checkout that git would track.
struct File {
    /// Its path from the root, with forward slashes.
    path: String,
    /// Its text; binary files have none.
    text: Option<String>,
}

pub(crate) fn run(verbose: bool) -> Outcome {
    let files = files()?;
    let crates = workspace::crates()?;
    let mut found = Vec::new();
    for file in &files {
        let Some(text) = &file.text else { continue };
        let mut findings = text::check(&file.path, text);
        findings.extend(source::check(&file.path, text));
        findings.extend(imports::check(&file.path, text));
        findings.extend(workflows::check(&file.path, text));
        found.extend(findings.into_iter().map(|(line, message)| format!("{}:{line}: {message}", file.path)));
        if let Some(note) = source::long(&file.path, text).filter(|_| verbose) {
            println!("note: {}: {note}", file.path);
        }
    }
    found.extend(dependencies::check(&crates)?);
    found.extend(tree::check(&files, &crates));
    found.extend(links::check(&files));
    if found.is_empty() {
        println!("{} files are tidy", files.len());
        return Ok(());
    }
    Err(format!("{} findings\n{}", found.len(), found.join("\n")))
}

fn files() -> Outcome<Vec<File>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = output(&mut git, "git ls-files")?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        // A tracked file may be gone from the folder.
        if let Ok(bytes) = fs::read(root().join(path)) {
            files.push(File { path: path.to_owned(), text: String::from_utf8(bytes).ok() });
        }
    }
    Ok(files)
}
