//! Committed files that a task generates: writes them, or compares them and names the command that updates them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::shell::{Outcome, root};

/// A generated file, with its path from the workspace's root.
pub(crate) struct Generated {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// Writes the files, or with `check` compares them with the committed ones. Files in `folders` that no task writes are
/// removed, or with `check` reported.
pub(crate) fn settle(files: &[Generated], folders: &[PathBuf], check: bool, repair: &str) -> Outcome {
    let mut wrong = Vec::new();
    for file in files {
        let path = root().join(&file.path);
        if fs::read(&path).is_ok_and(|found| found == file.bytes) {
            continue;
        }
        if check {
            wrong.push(format!("{} is not what would be written", file.path.display()));
        } else {
            write(&path, &file.bytes)?;
            println!("wrote {}", file.path.display());
        }
    }
    for path in strays(files, folders)? {
        if check {
            wrong.push(format!("{} is written by no task", path.display()));
        } else {
            fs::remove_file(root().join(&path)).map_err(|e| format!("{}: {e}", path.display()))?;
            println!("removed {}", path.display());
        }
    }
    if wrong.is_empty() {
        println!("all {} files are as they should be", files.len());
        return Ok(());
    }
    Err(format!("{}\n`{repair}` repairs it", wrong.join("\n")))
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let parent = path.parent().ok_or("a generated file has a folder")?;
    fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

fn strays(files: &[Generated], folders: &[PathBuf]) -> Outcome<Vec<PathBuf>> {
    let mut strays = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(root().join(folder)) else { continue };
        for entry in entries {
            let path = folder.join(entry.map_err(|e| e.to_string())?.file_name());
            if !files.iter().any(|file| file.path == path) {
                strays.push(path);
            }
        }
    }
    strays.sort();
    Ok(strays)
}
