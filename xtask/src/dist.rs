//! `cargo xtask dist`: the release archive for this machine's target, with programs, completions, manual page and
//! licences, and its SHA-256 in a file beside it.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest as _, Sha256};

use crate::{
    manifest::Manifest,
    shell::{Outcome, cargo, output, program, root, run as run_command, target_folder},
};

/// The build of the programs.
pub(crate) const BUILD: [&str; 8] =
    ["build", "--profile", "dist", "--locked", "-p", "robolog", "--all-features", "--bins"];
const PROGRAMS: [&str; 2] = ["robolog", "rerun-importer-robolog"];
/// Shells, and the names of their completion files.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "robolog.bash"),
    ("elvish", "robolog.elv"),
    ("fish", "robolog.fish"),
    ("powershell", "_robolog.ps1"),
    ("zsh", "_robolog"),
];
/// Other files of the archive, from the crate's folder.
const TEXTS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Builds the archive, runs the program in it, and returns its path.
pub(crate) fn run() -> Outcome<PathBuf> {
    let manifest = Manifest::read(&root().join("crates/cli"))?;
    let version = manifest.get(&["package", "version"]).and_then(|version| version.as_str());
    let name = format!("robolog-{}-{}", version.ok_or("crates/cli has no version")?, host()?);
    cargo(&BUILD)?;
    let target = target_folder();
    let (built, folder) = (target.join("dist"), target.join("archives"));
    let staged = folder.join(&name);
    if staged.exists() {
        fs::remove_dir_all(&staged).map_err(|e| format!("{}: {e}", staged.display()))?;
    }
    stage(&built, &staged)?;
    let archive = packed(&folder, &name)?;
    // Runs the packed program, not the built one.
    let tried = folder.join("tried");
    let _ = fs::remove_dir_all(&tried);
    create(&tried)?;
    let mut unpack = Command::new("tar");
    run_command(unpack.arg("-xf").arg(&archive).arg("-C").arg(&tried), "tar -xf the archive")?;
    let unpacked = tried.join(&name).join(program("robolog"));
    let told = output(Command::new(&unpacked).arg("--version"), "robolog --version")?;
    let room = output(Command::new(&unpacked).args(["info", "testdata/lvx/room.lvx"]), "robolog info")?;
    if !room.contains("10 records") {
        return Err(format!("the packed program says of room.lvx:\n{room}"));
    }
    fs::remove_dir_all(&tried).map_err(|e| format!("{}: {e}", tried.display()))?;
    let (sum, bytes) = sha256(&archive)?;
    let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = folder.join(format!("{file}.sha256"));
    fs::write(&beside, format!("{sum}  {file}\n")).map_err(|e| format!("{}: {e}", beside.display()))?;
    println!("{}: {} kB, {}", archive.display(), bytes / 1000, told.trim());
    Ok(archive)
}

/// The SHA-256 of a file in hexadecimal digits, and its size.
pub(crate) fn sha256(file: &Path) -> Outcome<(String, usize)> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut sum = String::new();
    for byte in Sha256::digest(&bytes) {
        let _ = write!(sum, "{byte:02x}");
    }
    Ok((sum, bytes.len()))
}

/// The compiler's default target.
fn host() -> Outcome<String> {
    let told = output(Command::new("rustc").arg("-vV"), "rustc -vV")?;
    let line = told.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc names no host".to_owned())
}

/// Copies the files of the archive into a folder.
fn stage(built: &Path, staged: &Path) -> Outcome {
    let (completions, manual) = (staged.join("completions"), staged.join("man"));
    create(&completions)?;
    create(&manual)?;
    for name in PROGRAMS.map(program) {
        copy(&built.join(&name), &staged.join(&name))?;
    }
    for name in TEXTS {
        copy(&root().join("crates/cli").join(name), &staged.join(name))?;
    }
    let robolog = built.join(program("robolog"));
    let told =
        |words: &[&str]| output(Command::new(&robolog).args(words), &format!("robolog {}", words.join(" ")));
    let write =
        |path: PathBuf, text: String| fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()));
    for (shell, name) in COMPLETIONS {
        write(completions.join(name), told(&["completions", shell])?)?;
    }
    write(manual.join("robolog.1"), told(&["man"])?)
}

/// Packs the folder `name` in `folder`. On Windows, tar writes zip, by the extension.
fn packed(folder: &Path, name: &str) -> Outcome<PathBuf> {
    let archive = folder.join(format!("{name}.{}", if cfg!(windows) { "zip" } else { "tar.gz" }));
    let mut command = Command::new("tar");
    command.arg("-a").arg("-cf").arg(&archive).arg("-C").arg(folder).arg(name);
    run_command(&mut command, "tar -a -cf the archive")?;
    Ok(archive)
}

pub(crate) fn create(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}
