//! `cargo run --release -p robolog-fuzz -- --smoke [TARGET] [--seconds N]`: the fuzz targets without libFuzzer.
//!
//! `cargo run --release -p robolog-fuzz -- TARGET FILE...` gives one target the files, such as those of `artifacts`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use robolog_fuzz::{
    smoke,
    targets::{TARGETS, Target},
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, files @ ..] = &arguments[..]
        && let (Some(target), false) = (TARGETS.iter().find(|t| t.name == *name), files.is_empty())
        && files.iter().all(|file| Path::new(file).is_file())
    {
        return replay(target, files);
    }
    let (targets, time) = match parse(&arguments) {
        Ok(wanted) => wanted,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    for target in targets {
        match smoke::run(target, time) {
            Ok(outcome) => {
                println!("{}: {} inputs, {} failures", target.name, outcome.inputs, outcome.failures.len());
                for path in &outcome.failures {
                    println!("  {}", path.display());
                }
                failed |= !outcome.failures.is_empty();
            }
            Err(error) => {
                eprintln!("{}: {error}", target.name);
                failed = true;
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Gives the target each file. What it finds goes to stderr as a panic does.
fn replay(target: &Target, files: &[String]) -> ExitCode {
    let mut failures = 0;
    for file in files {
        let outcome = fs::read(file).map(|data| catch_unwind(AssertUnwindSafe(|| (target.run)(&data))));
        let is_good = matches!(outcome, Ok(Ok(())));
        println!("{file}: {}", if is_good { "passed" } else { "failed" });
        failures += u32::from(!is_good);
    }
    ExitCode::from(u8::from(failures > 0))
}

fn parse(arguments: &[String]) -> Result<(Vec<&'static Target>, Duration), String> {
    let names = || TARGETS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
    let (mut smoke, mut targets, mut seconds) = (false, Vec::new(), 5);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--smoke" => smoke = true,
            "--seconds" => {
                seconds = words.next().and_then(|n| n.parse().ok()).ok_or("--seconds takes a number")?;
            }
            name => {
                let target = TARGETS.iter().find(|t| t.name == name);
                targets.push(target.ok_or_else(|| format!("no target {name}; there are {}", names()))?);
            }
        }
    }
    if !smoke {
        return Err(format!(
            "usage: --smoke [TARGET] [--seconds N], or TARGET FILE...; the targets are {}",
            names()
        ));
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    Ok((targets, Duration::from_secs(seconds)))
}
