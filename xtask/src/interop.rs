//! `cargo xtask interop [--heavy]`: independent programs read the files that robolog writes.

mod scripts;

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use crate::{
    conformance::data_folder,
    environment::virtual_environment,
    fixtures,
    shell::{Outcome, built_with_tests, on_runner, printed, target_folder},
};
use scripts::{HEAVY, Place, SCRIPTS};

const READERS: &str = "xtask/interop/requirements.txt";
const HEAVY_READERS: &str = "xtask/interop/requirements-heavy.txt";

pub(crate) fn run(heavy: bool) -> Outcome {
    let target = target_folder();
    let environment = target.join("interop");
    let readers = if heavy { &[READERS, HEAVY_READERS][..] } else { &[READERS] };
    let python = match virtual_environment(&environment, readers) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\ninterop: 0 passed, 0 failed, skipped");
            return Ok(());
        }
    };
    let programs = built_with_tests()?;
    if data_folder().is_some() {
        fixtures::real(&environment.join("koblenz_real"))?;
    }
    let (mut scripts, mut skipped) = (Vec::new(), 0_u32);
    for script in SCRIPTS.iter().chain(if heavy { &HEAVY[..] } else { &[] }) {
        let name = script.name;
        let work = environment.join(name);
        let real_logs = environment.join("koblenz_real");
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
    let (next, (sender, results)) = (AtomicUsize::new(0), mpsc::channel());
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while let Some((name, arguments)) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let script = format!("xtask/interop/{name}.py");
                    let outcome = printed(Command::new(python).arg(&script).args(arguments), &script);
                    if sender.send((*name, outcome)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut failed = Vec::new();
        for (name, result) in results {
            failed.extend(result.is_err().then_some(name));
            let (Ok(text) | Err(text)) = result;
            println!("$ python xtask/interop/{name}.py\n{text}");
        }
        failed
    })
}
