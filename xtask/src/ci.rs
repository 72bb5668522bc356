//! `cargo xtask ci`: every check in the order in which it fails soonest, with the seconds that each took.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use crate::shell::{Outcome, program, root, run as run_command, target_folder};

/// Takes a minute or two, most of it Clippy.
const FIRST: [&str; 7] =
    ["fmt", "tidy", "clippy", "fixtures --check", "snapshots --check", "matrix --check", "powers --check"];
/// The tests and what uses their build. Conformance is part of the tests: they find the data folder themselves. The npm package
/// has a job of its own in the workflow: its module takes four minutes of a processor.
const TESTS: [&str; 5] = ["test", "fuzz --smoke", "bench --smoke", "interop", "python"];
/// Runs beside the tests, at a lower priority: the build of the tests and the last tests of each program do not keep two cores
/// busy. A job of the workflow counts all loops: their optimised build takes half as long as all other steps.
const BESIDE: [&str; 5] = ["doc", "alone", "features", "package", "instructions --few"];

/// A step that has ended.
struct Done {
    step: &'static str,
    seconds: f64,
    outcome: Outcome,
    /// The output, unless it was passed through.
    log: Option<PathBuf>,
}

pub(crate) fn run() -> Outcome {
    // A build directory is locked while cargo builds in it, so what runs beside the tests has its own. Clippy runs there, too:
    // it checks the dependencies that the other checks need.
    let checks = target_folder().join("checks");
    fs::create_dir_all(&checks).map_err(|e| format!("{}: {e}", checks.display()))?;
    // A copy of this program, since the build of the tests replaces the original.
    let tasks = checks.join(program("xtask"));
    let original = std::env::current_exe().map_err(|e| e.to_string())?;
    fs::copy(original, &tasks).map_err(|e| format!("{}: {e}", tasks.display()))?;
    let (start, failed) = (Instant::now(), AtomicBool::new(false));
    let shown =
        |step: &'static str| passed_through(step, &tasks, (step == "clippy").then_some(checks.as_path()));
    let mut done = in_turn(&FIRST, &failed, shown);
    let (tests, beside) = thread::scope(|scope| {
        let beside = scope.spawn(|| in_turn(&BESIDE, &failed, |step| logged(step, &tasks, &checks)));
        (in_turn(&TESTS, &failed, shown), beside.join())
    });
    done.extend(tests);
    done.extend(beside.map_err(|_| "a thread panicked".to_owned())?);
    for Done { step, log, .. } in &done {
        if let Some(log) = log {
            let text = fs::read(log).map_err(|e| format!("{}: {e}", log.display()))?;
            println!("\n$ cargo xtask {step}\n{}", String::from_utf8_lossy(&text));
        }
    }
    println!("\n{:<24} seconds", "task");
    for Done { step, seconds, .. } in &done {
        println!("{step:<24} {seconds:>7.1}");
    }
    println!("{:<24} {:>7.1}\n", "all", start.elapsed().as_secs_f64());
    let passed = done.iter().filter(|one| one.outcome.is_ok()).count();
    println!("ci: {passed} passed, {} failed", done.len() - passed);
    let failures: Vec<String> = done.into_iter().filter_map(|one| one.outcome.err()).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Runs steps until one fails, here or in the other thread.
fn in_turn(
    steps: &[&'static str],
    failed: &AtomicBool,
    run: impl Fn(&'static str) -> (Outcome, Option<PathBuf>),
) -> Vec<Done> {
    let mut done = Vec::new();
    for &step in steps {
        if failed.load(Ordering::Relaxed) {
            break;
        }
        let start = Instant::now();
        let (outcome, log) = run(step);
        let outcome = outcome.map_err(|why| format!("{why}\n`cargo xtask {step}` repeats it"));
        failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
        done.push(Done { step, seconds: start.elapsed().as_secs_f64(), outcome, log });
    }
    done
}

fn passed_through(step: &str, tasks: &Path, target: Option<&Path>) -> (Outcome, Option<PathBuf>) {
    println!();
    let mut task = Command::new(tasks);
    task.args(step.split(' ')).envs(target.map(|target| ("CARGO_TARGET_DIR", target)));
    (run_command(&mut task, &format!("cargo xtask {step}")), None)
}

/// Runs a step with its output in a file.
fn logged(step: &str, tasks: &Path, target: &Path) -> (Outcome, Option<PathBuf>) {
    let log = target.join(format!("{}.log", step.replace(' ', "_")));
    let run = || {
        let failed = |e| format!("{}: {e}", log.display());
        let file = File::create(&log).map_err(failed)?;
        let mut task = Command::new(if cfg!(unix) { Path::new("nice") } else { tasks });
        if cfg!(unix) {
            task.args(["-n", "10"]).arg(tasks);
        }
        task.args(step.split(' ')).env("CARGO_TARGET_DIR", target);
        task.stdin(Stdio::null()).stdout(file.try_clone().map_err(failed)?).stderr(file);
        match task.current_dir(root()).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("`cargo xtask {step}` failed ({status})")),
            Err(e) => Err(format!("`cargo xtask {step}` could not be started: {e}")),
        }
    };
    let outcome = run();
    (outcome, log.is_file().then_some(log))
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use clap::Parser as _;

    use super::{AtomicBool, BESIDE, FIRST, TESTS, in_turn, logged};
    use crate::Arguments;

    #[test]
    fn every_step_is_a_task() {
        for step in [&FIRST[..], &TESTS, &BESIDE].concat() {
            assert!(
                Arguments::try_parse_from(["xtask"].into_iter().chain(step.split(' '))).is_ok(),
                "{step}"
            );
        }
    }

    #[test]
    fn a_failure_ends_all_turns() {
        let failed = AtomicBool::new(false);
        let run = |step: &'static str| (if step == "b" { Err("no".to_owned()) } else { Ok(()) }, None);
        let done = in_turn(&["a", "b", "c"], &failed, run);
        let steps: Vec<(&str, bool)> = done.iter().map(|one| (one.step, one.outcome.is_ok())).collect();
        assert_eq!(steps, [("a", true), ("b", false)]);
        assert!(in_turn(&["d"], &failed, run).is_empty());
    }

    /// This program of tests stands in for the tasks.
    #[test]
    fn a_step_beside_the_tests_has_its_output_in_a_file() {
        let folder = env::temp_dir().join(format!("xtask-ci-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let tasks = env::current_exe().unwrap();
        let (outcome, log) = logged("every_step_is_a_task", &tasks, &folder);
        assert_eq!(outcome, Ok(()));
        assert!(fs::read_to_string(log.unwrap()).unwrap().contains("1 passed"));
        let (outcome, log) = logged("--no-such-option", &tasks, &folder);
        assert!(outcome.unwrap_err().contains("`cargo xtask --no-such-option` failed"));
        assert!(!fs::read(log.unwrap()).unwrap().is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
