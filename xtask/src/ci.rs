//! `cargo xtask ci`: every check in the order in which it fails soonest, with the seconds that each took.

use std::{thread, time::Instant};

use clap::Parser as _;

use crate::{Arguments, Task, interop, python, shell::Outcome};

/// The first step that needs packages for Python.
const PACKAGES: &str = "interop";

/// Runs all steps but `without`, which has passed already.
pub(crate) fn run(without: Option<&str>) -> Outcome {
    if let Some(unknown) = without.filter(|without| !STEPS.contains(without)) {
        return Err(format!("no step is called {unknown}"));
    }
    // Packages for Python arrive while the tests are compiled. The steps that need them say what could not be installed.
    let mut fetching =
        Some(thread::spawn(|| drop((interop::environment(false), python::environment(false)))));
    let mut took = Vec::new();
    let mut failed = None;
    for step in STEPS.into_iter().filter(|step| Some(*step) != without) {
        println!("\n== cargo xtask {step}");
        let start = Instant::now();
        if let Some(fetching) = fetching.take_if(|_| step == PACKAGES) {
            fetching.join().map_err(|_| "the fetching of packages panicked".to_owned())?;
        }
        let outcome = task(step);
        took.push((step, start.elapsed().as_secs_f64()));
        if let Err(message) = outcome {
            failed = Some(format!("{message}\n`cargo xtask {step}` repeats it"));
            break;
        }
    }
    println!("\n{:<24} seconds", "task");
    for (step, seconds) in &took {
        println!("{step:<24} {seconds:>7.1}");
    }
    println!("{:<24} {:>7.1}\n", "all", took.iter().map(|(_, seconds)| seconds).sum::<f64>());
    let failures = usize::from(failed.is_some());
    println!("ci: {} passed, {failures} failed", took.len() - failures);
    failed.map_or(Ok(()), Err)
}

/// The tests come first, then the checks that use their build. Conformance is part of the tests: they find the data folder. Jobs
/// of the workflow, beside each other, do what needs builds of its own: `instructions` counts the hot loops, whose optimised
/// build takes half as long as everything else; `alone` and `features` build each crate and each feature without the others;
/// `web` tests the npm package, whose module takes four minutes of a processor.
const STEPS: [&str; 14] = [
    "fmt",
    "tidy",
    "clippy",
    "fixtures --check",
    "matrix --check",
    "powers --check",
    "test",
    "fuzz --smoke",
    "bench --smoke",
    "interop",
    "python",
    "doc",
    "book",
    "package",
];

fn task(step: &str) -> Outcome {
    parsed(step).map_err(|e| e.to_string())?.run()
}

fn parsed(step: &str) -> Result<Task, clap::Error> {
    Arguments::try_parse_from(["xtask"].into_iter().chain(step.split(' '))).map(|parsed| parsed.task)
}

#[test]
fn every_step_is_a_task() {
    for step in STEPS {
        assert!(parsed(step).is_ok(), "{step}");
    }
    assert!(STEPS.contains(&PACKAGES));
}
