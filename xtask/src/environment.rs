//! Python with the packages that scripts import.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{Outcome, exists, output, root};

/// Exits with 0 if Python is new enough.
const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// The interpreter of a virtual environment in `folder` with these files of requirements, which are installed when they
/// change. The error names what could not be installed.
pub(crate) fn virtual_environment(folder: &Path, requirements: &[&str]) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["-c", IS_NEW_ENOUGH]) {
        return Err("Python 3.10 or newer is not installed".to_owned());
    }
    let inner = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let read = |file: &&str| fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"));
    let wanted = requirements.iter().map(read).collect::<Outcome<String>>()?;
    // The requirements of the last complete installation.
    let installed = folder.join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|last| last == wanted) && exists(&inner, &["--version"]) {
        return Ok(inner);
    }
    output(Command::new(python).args(["-m", "venv"]).arg(folder), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    for file in requirements {
        let words = ["-m", "pip", "install", "--quiet", "--requirement", file];
        output(Command::new(&inner).args(words), &format!("pip install --requirement {file}"))
            .map_err(|why| format!("what {file} names cannot be installed: {why}"))?;
    }
    fs::write(&installed, wanted).map_err(|e| format!("{}: {e}", installed.display()))?;
    Ok(inner)
}
