//! Runs the documentation examples of each crate from its archive alone.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{Outcome, cargo_path, output, root, run, target_folder};

/// Unpacks the archives of these packages into a workspace, where they also replace each other as dependencies, and
/// runs their doctests.
pub(super) fn test(packages: &[String]) -> Outcome {
    let target = target_folder();
    let folder = target.join("unpacked");
    let _ = fs::remove_dir_all(&folder);
    for package in packages {
        let (archive, into) = (archive(&target.join("package"), package)?, folder.join(package));
        fs::create_dir_all(&into).map_err(|e| format!("{}: {e}", into.display()))?;
        let mut tar = Command::new("tar");
        // With the current time (-m): times in an archive are constant, so cargo would not rebuild.
        tar.arg("-xmzf").arg(&archive).args(["--strip-components=1", "-C"]).arg(&into);
        output(&mut tar, &format!("tar -xmzf {}", archive.display()))?;
    }
    let patches: Vec<String> =
        packages.iter().map(|package| format!("{package} = {{ path = \"{package}\" }}")).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = {packages:?}\n\n[patch.crates-io]\n{}\n",
        patches.join("\n")
    );
    write(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    let lock = fs::read(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write(&folder.join("Cargo.lock"), &lock)?;
    let mut cargo = Command::new(cargo_path());
    cargo.args(["test", "--doc", "--workspace", "--all-features", "--no-fail-fast"]);
    cargo
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target.join("unpacked-target"));
    run(&mut cargo, "cargo test --doc (of the unpacked archives)")
}

/// The archive of a package, of any version.
fn archive(folder: &Path, package: &str) -> Outcome<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let is_of = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let version =
            name.strip_prefix(package).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".crate"));
        version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    };
    let found = entries.filter_map(|entry| Some(entry.ok()?.path())).find(|path| is_of(path));
    found.ok_or_else(|| format!("{}: no archive of {package}", folder.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
