//! `cargo xtask interop`: programs that share no code with us read the clouds and texts we write.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    conformance::data_folder,
    shell::{Outcome, cargo, exists, no_arguments, on_runner, output, root, run as run_command},
};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let environment = target.join("interop");
    let python = match environment_python(&environment) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\ninterop: 0 passed, 0 failed, skipped");
            return Ok(());
        }
    };
    cargo(&["build", "--release", "-p", "robolog"])?;
    let mut command = Command::new(&python);
    command.arg(Path::new("xtask").join("interop").join("clouds.py"));
    command.arg(target.join("release").join(format!("robolog{}", std::env::consts::EXE_SUFFIX)));
    command.arg(environment.join("clouds")).arg(Path::new("testdata").join("lvx"));
    command.args(data_folder().map(|folder| folder.join("lvx")).filter(|folder| folder.is_dir()));
    run_command(&mut command, "python xtask/interop/clouds.py")?;
    let mut command = Command::new(&python);
    command.arg(Path::new("xtask").join("interop").join("tables.py"));
    command.arg(target.join("release").join(format!("robolog{}", std::env::consts::EXE_SUFFIX)));
    command.arg(environment.join("tables")).arg("testdata");
    if let Some(folder) = data_folder() {
        let folders = ["lvx", "alog", "carla-rec"].map(|name| folder.join(name));
        command.args(folders.iter().filter(|folder| folder.is_dir()));
    }
    run_command(&mut command, "python xtask/interop/tables.py")?;
    carla_texts(&target)
}

/// What `robolog carla info` prints, read by a parser that was written from the grammar alone.
fn carla_texts(target: &Path) -> Outcome {
    let mut command = Command::new(if cfg!(windows) { "python" } else { "python3" });
    command.arg(Path::new("xtask").join("interop").join("carla_text.py"));
    command.arg(target.join("release").join(format!("robolog{}", std::env::consts::EXE_SUFFIX)));
    command.args(carla_recordings(Path::new("testdata/carla-rec"))?);
    if let Some(folder) =
        data_folder().map(|folder| folder.join("carla-rec")).filter(|folder| folder.is_dir())
    {
        command.args(carla_recordings(&folder)?);
    }
    run_command(&mut command, "python xtask/interop/carla_text.py")
}

/// The recordings of a folder whose text can be read: whole ones, in which no attribute has lines of its own, no packet
/// lies behind the last frame, and of which the parser's own reader knows all packets.
fn carla_recordings(folder: &Path) -> Outcome<Vec<PathBuf>> {
    const NOT_READ: [&str; 4] = ["attributes_odd", "packets_outside", "ue5_f64", "wheels_vs_biker"];
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| {
        let extension = path.extension().and_then(|e| e.to_str());
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let truth = std::fs::read_to_string(path.with_extension("truth.json"));
        let whole = truth.map_or(true, |text| text.contains("\"complete\": true"));
        matches!(extension, Some("log" | "rec")) && whole && !NOT_READ.contains(&stem)
    });
    found.sort();
    Ok(found)
}

/// The interpreter of an environment with the readers in it; an error says what of it is not to be had.
fn environment_python(environment: &Path) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["--version"]) {
        return Err("Python 3 is not installed".to_owned());
    }
    output(Command::new(python).args(["-m", "venv"]).arg(environment), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    let inner =
        if cfg!(windows) { environment.join("Scripts/python.exe") } else { environment.join("bin/python") };
    let words = ["-m", "pip", "install", "--quiet", "--requirement", "xtask/interop/requirements.txt"];
    output(Command::new(&inner).args(words), "pip install --requirement xtask/interop/requirements.txt")
        .map_err(|why| format!("the readers cannot be installed: {why}"))?;
    Ok(inner)
}
