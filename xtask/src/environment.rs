//! Python with the packages that scripts import.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{Outcome, exists, output};

/// The interpreter of a virtual environment in `folder` with these files of requirements. The error names what could
/// not be installed.
pub(crate) fn virtual_environment(folder: &Path, requirements: &[&str]) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["--version"]) {
        return Err("Python 3 is not installed".to_owned());
    }
    output(Command::new(python).args(["-m", "venv"]).arg(folder), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    let inner = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    for file in requirements {
        let words = ["-m", "pip", "install", "--quiet", "--requirement", file];
        output(Command::new(&inner).args(words), &format!("pip install --requirement {file}"))
            .map_err(|why| format!("what {file} names cannot be installed: {why}"))?;
    }
    Ok(inner)
}
