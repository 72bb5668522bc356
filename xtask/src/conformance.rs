//! `cargo xtask conformance [DIR]`: the command line against a folder of recordings with truth files, and people's GPX, KML and
//! NMEA files against other readers.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    environment::virtual_environment,
    shell::{EVERYTHING, Outcome, cargo_with, on_runner, program, root, run as run_command, target_folder},
};

const PUBLIC: &str = "xtask/interop/public.py";
const READERS: &str = "xtask/interop/requirements.txt";

pub(crate) fn run(folder: Option<&Path>) -> Outcome {
    let named = folder.map(|one| std::path::absolute(one).map_err(|e| format!("{}: {e}", one.display())));
    let Some(folder) = named.transpose()?.or_else(data_folder) else {
        println!("conformance: there is no data folder here; name one to compare with it");
        return Ok(());
    };
    if !folder.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    let data = folder.to_str().ok_or("the folder's name is not UTF-8")?;
    cargo_with(
        &[("ROBOLOG_DATA", data)],
        &[&EVERYTHING[..], &["--test", "it", "conformance::", "--", "--nocapture"]].concat(),
    )?;
    public(&folder.join("public"))
}

/// Compares the files of a folder with what other readers find in them.
fn public(folder: &Path) -> Outcome {
    if !folder.is_dir() {
        println!("conformance: there are no public files here");
        return Ok(());
    }
    let python = match virtual_environment(&target_folder().join("interop"), &[READERS]) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\nconformance: public files are skipped");
            return Ok(());
        }
    };
    let robolog = target_folder().join("debug").join(program("robolog"));
    run_command(Command::new(python).arg(PUBLIC).arg(robolog).arg(folder), PUBLIC)
}

/// The folder of recordings beside the checkout, if it exists.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = root().join(Path::new("../shared/data"));
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}
