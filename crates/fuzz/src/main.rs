//! `cargo run --release -p robolog-fuzz -- --smoke [TARGET] [--seconds N]`: the fuzz targets without libFuzzer.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::{process::ExitCode, time::Duration};

use robolog_fuzz::{
    smoke,
    targets::{TARGETS, Target},
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
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
                let (failures, open) = (outcome.failures.len(), outcome.open);
                println!(
                    "{}: {} inputs, {failures} failures, {open} of open findings",
                    target.name, outcome.inputs
                );
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
        return Err(format!("usage: --smoke [TARGET] [--seconds N]; the targets are {}", names()));
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    Ok((targets, Duration::from_secs(seconds)))
}
