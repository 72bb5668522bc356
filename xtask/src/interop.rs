//! `cargo xtask interop`: programs that share no code with us read the clouds we write.

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
    let mut command = Command::new(python);
    command.arg(Path::new("xtask").join("interop").join("clouds.py"));
    command.arg(target.join("release").join(format!("robolog{}", std::env::consts::EXE_SUFFIX)));
    command.arg(environment.join("clouds")).arg(Path::new("testdata").join("lvx"));
    command.args(data_folder().map(|folder| folder.join("lvx")).filter(|folder| folder.is_dir()));
    run_command(&mut command, "python xtask/interop/clouds.py")
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
