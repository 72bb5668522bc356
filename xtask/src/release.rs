//! `cargo xtask release --dry-run`: builds all files of a release for this machine and checks them.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    dist::{self, copy, create, sha256},
    foxglove, publish, sbom, semver,
    shell::{Outcome, cargo_output, on_runner, output, root, run as run_command, target_folder},
    web,
};

/// Installs an archive after checking its checksum.
const INSTALLER: &str = ".github/install.sh";
/// The checksums, in the format of `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";

pub(crate) fn run() -> Outcome {
    if on_runner() {
        publish::has_an_address()?;
    }
    let target = target_folder();
    let folder = target.join("release-files");
    let _ = fs::remove_dir_all(&folder);
    create(&folder)?;
    let mut skipped = Vec::new();

    semver::run()?;
    place(&dist::run()?, &folder)?;
    bill_of_materials(&folder)?;
    wheel(&folder)?;
    match web::build()? {
        Ok(built) => npm(&built.package, &folder)?,
        Err(why) => skipped.push(why),
    }
    match foxglove::build()? {
        Ok(extension) => place(&extension, &folder)?,
        Err(why) => skipped.push(why),
    }
    // Each package is built from its archive, which takes longest.
    for archive in files(&publish::run()?)?.iter().filter(|path| has_extension(path, "crate")) {
        place(archive, &folder)?;
    }
    place(&root().join(INSTALLER), &folder)?;

    let mut sums = String::new();
    for file in files(&folder)? {
        let (sum, bytes) = sha256(&file)?;
        let name = name_of(&file);
        println!("{:>8} kB  {:>5} files  {name}", bytes.div_ceil(1000), entries(&file)?);
        let _ = writeln!(sums, "{sum}  {name}");
    }
    fs::write(folder.join(SUMS), sums).map_err(|e| format!("{SUMS}: {e}"))?;
    installed(&folder)?;
    for why in &skipped {
        println!("not made: {why}");
    }
    if on_runner() && !skipped.is_empty() {
        return Err(format!("{} files were not made", skipped.len()));
    }
    println!("{}: published by the release workflow alone", folder.display());
    Ok(())
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn place(file: &Path, folder: &Path) -> Outcome {
    copy(file, &folder.join(name_of(file)))
}

/// The files of a folder, sorted by name.
fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let failed = |e| format!("{}: {e}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Number of files in an archive, or 1 for another file. Returns an error if the archive cannot be listed.
fn entries(file: &Path) -> Outcome<usize> {
    let name = name_of(file);
    let listed = if [".crate", ".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end)) {
        output(Command::new("tar").arg("-tzf").arg(file), &format!("tar -tzf {name}"))?
    } else if has_extension(file, "whl") || has_extension(file, "foxe") || has_extension(file, "zip") {
        output(python().args(["-m", "zipfile", "-l"]).arg(file), &format!("python -m zipfile -l {name}"))?
    } else {
        return Ok(1);
    };
    Ok(listed.lines().filter(|line| !line.ends_with('/') && !line.starts_with("File Name")).count())
}

fn python() -> Command {
    Command::new(if cfg!(windows) { "python" } else { "python3" })
}

/// Builds the wheel for this machine, with pip as in an installation from source.
fn wheel(folder: &Path) -> Outcome {
    let mut pip = python();
    pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]).arg(folder).arg("crates/python");
    run_command(&mut pip, "python -m pip wheel crates/python")
}

/// Packs the archive that `npm publish` would upload.
fn npm(package: &Path, folder: &Path) -> Outcome {
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(folder).arg(package);
    run_command(&mut pack, "npm pack")
}

/// Writes the bill of materials and compares it with the packages compiled for this machine's archive.
fn bill_of_materials(folder: &Path) -> Outcome {
    let bill = sbom::run()?;
    let text = fs::read_to_string(&bill).map_err(|e| format!("{}: {e}", bill.display()))?;
    let messages = cargo_output(&[&dist::BUILD[..], &["--message-format=json"]].concat())?;
    println!("the bill names all {} compiled packages", sbom::check(&text, &messages)?);
    place(&bill, folder)
}

/// Installs from the folder like a user from the release's page, and checks that a modified archive is refused.
fn installed(folder: &Path) -> Outcome {
    if cfg!(windows) {
        return Ok(());
    }
    let into = folder.join("installed");
    let install = |from: &Path| {
        let mut command = Command::new("sh");
        command.arg(folder.join("install.sh")).env("ROBOLOG_FROM", from).env("ROBOLOG_INTO", &into);
        output(&mut command, "sh install.sh")
    };
    install(folder)?;
    let told =
        output(Command::new(into.join("robolog")).arg("--version"), "the installed robolog --version")?;
    print!("installed: {told}");
    let changed = folder.join("changed");
    create(&changed)?;
    for file in files(folder)?.iter().filter(|file| name_of(file).ends_with(".tar.gz")) {
        let mut bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        bytes.push(0);
        fs::write(changed.join(name_of(file)), bytes).map_err(|e| format!("{}: {e}", changed.display()))?;
    }
    copy(&folder.join(SUMS), &changed.join(SUMS))?;
    if install(&changed).is_ok() {
        return Err("install.sh installs an archive whose checksum is wrong".to_owned());
    }
    for made in [into, changed] {
        fs::remove_dir_all(&made).map_err(|e| format!("{}: {e}", made.display()))?;
    }
    Ok(())
}
