//! `cargo xtask interop [--heavy]`: independent programs read the files that robolog writes.

mod scripts;

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use crate::{
    conformance::data_folder,
    environment::virtual_environment,
    fixtures,
    shell::{Outcome, built_with_tests, on_runner, printed, side_by_side, target_folder},
};
use scripts::{HEAVY, Place, SCRIPTS};

const READERS: &str = "xtask/interop/requirements.txt";
const HEAVY_READERS: &str = "xtask/interop/requirements-heavy.txt";

/// The folder of the environment and of the scripts' files.
fn folder() -> PathBuf {
    target_folder().join("interop")
}

/// The interpreter with the readers.
pub(crate) fn environment(heavy: bool) -> Outcome<PathBuf> {
    let readers = if heavy { &[READERS, HEAVY_READERS][..] } else { &[READERS] };
    virtual_environment(&folder(), readers)
}

pub(crate) fn run(heavy: bool) -> Outcome {
    let python = match environment(heavy) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\ninterop: 0 passed, 0 failed, skipped");
            return Ok(());
        }
    };
    let programs = built_with_tests()?;
    if data_folder().is_some() {
        fixtures::real(&folder().join("koblenz_real"))?;
    }
    let (mut scripts, mut skipped) = (Vec::new(), 0_u32);
    for script in SCRIPTS.iter().chain(if heavy { &HEAVY[..] } else { &[] }) {
        let name = script.name;
        let work = folder().join(name);
        let real_logs = folder().join("koblenz_real");
        let place = Place { programs: programs.clone(), work, data: data_folder(), real_logs };
        if let Some(arguments) = script.arguments(&place) {
            scripts.push((name, arguments));
        } else {
            println!("{name}: skipped: there are no real recordings, or its programs are not installed");
            skipped += 1;
        }
    }
    let failed = run_scripts(&python, &scripts);
    println!("interop: {} passed, {} failed, {skipped} skipped", scripts.len() - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("scripts failed: {}", failed.join(", "))) }
}

/// Runs scripts in parallel and prints the output of each when it ends. Returns the names of those that failed.
fn run_scripts(python: &Path, scripts: &[(&'static str, Vec<PathBuf>)]) -> Vec<&'static str> {
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let path = |name: &str| format!("xtask/interop/{name}.py");
    let run = |(name, arguments): &(&str, Vec<PathBuf>)| {
        printed(Command::new(python).arg(path(name)).args(arguments), &path(name))
    };
    let mut failed = Vec::new();
    side_by_side(scripts, workers, run, |(name, _), result| {
        failed.extend(result.is_err().then_some(*name));
        let (Ok(text) | Err(text)) = result;
        println!("$ python {}\n{text}", path(name));
    });
    failed
}
