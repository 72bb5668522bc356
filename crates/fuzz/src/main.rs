//! `cargo run --release -p robolog-fuzz -- --smoke [TARGET] [--seconds N]`: the fuzz targets without libFuzzer.
//!
//! `cargo run --release -p robolog-fuzz -- TARGET FILE...` gives one target the files, such as those of `artifacts`.
//! `--list` prints the names of all targets, `--seeds TARGET FOLDER` writes the seeds of a target.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::{
    fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use robolog_fuzz::{
    laws::{self, campaign, worker},
    smoke,
    targets::{TARGETS, Target, by_name},
};

/// Counts heap memory, which a mutant must not exhaust.
#[global_allocator]
static HEAP: testkit::PeakAlloc = testkit::PeakAlloc;

/// Seconds per target of a smoke run: half a minute for all targets on two cores.
const SECONDS: f64 = 0.9;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--list"] => {
            for target in TARGETS {
                println!("{}", target.name);
            }
            return ExitCode::SUCCESS;
        }
        ["--seeds", name, folder] => {
            let outcome = by_name(name).ok_or(io::ErrorKind::NotFound.into()).and_then(|t| seeds(t, folder));
            return outcome.map_or_else(|error| wrong(&format!("{name}: {error}")), |()| ExitCode::SUCCESS);
        }
        ["--laws", ref options @ ..] => return laws(options, &arguments),
        [name, ref files @ ..] if !files.is_empty() && files.iter().all(|file| Path::new(file).is_file()) => {
            if let Some(target) = by_name(name) {
                return replay(target, files);
            }
        }
        _ => {}
    }
    let (targets, time) = match parse(&words) {
        Ok(wanted) => wanted,
        Err(message) => return wrong(&message),
    };
    let failed = AtomicBool::new(false);
    smoke::run_all(&targets, time, &|target, outcome| match outcome {
        Ok(outcome) => {
            println!("{}: {} inputs, {} failures", target.name, outcome.inputs, outcome.failures.len());
            for path in &outcome.failures {
                println!("  {}", path.display());
            }
            failed.fetch_or(!outcome.failures.is_empty(), Ordering::Relaxed);
        }
        Err(error) => {
            eprintln!("{}: {error}", target.name);
            failed.store(true, Ordering::Relaxed);
        }
    });
    ExitCode::from(u8::from(failed.into_inner()))
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

/// Runs a campaign, one of its processes, or one mutant.
fn laws(words: &[&str], all: &[String]) -> ExitCode {
    let mut options = laws::Options::default();
    let (mut first, mut step, mut mutant, mut times) = (None, 1, None, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--times" => {
                times = true;
                continue;
            }
            "--visible" => {
                options.visible = true;
                continue;
            }
            _ => {}
        }
        let Some(value) = words.next() else { return wrong(&format!("{word} takes a value")) };
        let number = || value.parse::<u64>().map_err(|_| format!("{word} takes a number, not {value}"));
        let outcome = match *word {
            "--mutants" => number().map(|n| options.mutants = n),
            "--seed" => number().map(|n| options.seed = n),
            "--every" => number().map(|n| options.every = n.max(1)),
            "--jobs" => number().map(|n| options.jobs = n),
            "--patience" => number().map(|n| options.patience = n),
            "--first" => number().map(|n| first = Some(n)),
            "--step" => number().map(|n| step = n.max(1)),
            "--mutant" => number().map(|n| mutant = Some(n)),
            "--data" => {
                options.data = Some(value.into());
                Ok(())
            }
            "--program" => {
                options.program = Some(value.into());
                Ok(())
            }
            "--only" => {
                (*value).clone_into(&mut options.only);
                Ok(())
            }
            _ => Err(format!("no option {word}")),
        };
        if let Err(message) = outcome {
            return wrong(&message);
        }
    }
    let outcome = match (first, mutant) {
        (Some(first), _) => worker::run(&options, first, step, HEAP).map(|()| true),
        (None, Some(mutant)) => worker::repeat(&options, mutant, HEAP),
        (None, None) => campaign::run(&options, all).map(|outcome| {
            outcome.show(times);
            !outcome.has_failed()
        }),
    };
    outcome.map_or_else(|error| wrong(&error.to_string()), |is_good| ExitCode::from(u8::from(!is_good)))
}

/// Writes the target's seeds into a folder.
fn seeds(target: &Target, folder: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, seed) in target.seeds.inputs().iter().enumerate() {
        fs::write(Path::new(folder).join(format!("seed-{number:03}")), seed)?;
    }
    Ok(())
}

/// Runs the target on each file. Failures go to stderr like a panic.
fn replay(target: &Target, files: &[&str]) -> ExitCode {
    let mut failed = false;
    for file in files {
        let outcome = fs::read(file).map(|data| catch_unwind(AssertUnwindSafe(|| (target.run)(&data))));
        let is_good = matches!(outcome, Ok(Ok(())));
        println!("{file}: {}", if is_good { "passed" } else { "failed" });
        failed |= !is_good;
    }
    ExitCode::from(u8::from(failed))
}

fn parse(arguments: &[&str]) -> Result<(Vec<&'static Target>, Duration), String> {
    let names = || TARGETS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
    let (mut smoke, mut targets, mut seconds) = (false, Vec::new(), SECONDS);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--smoke" => smoke = true,
            "--seconds" => {
                let number = words.next().and_then(|n| n.parse().ok());
                seconds = number.filter(|n| (0.0..1e6).contains(n)).ok_or("--seconds takes a number")?;
            }
            name => {
                targets
                    .push(by_name(name).ok_or_else(|| format!("no target {name}; there are {}", names()))?);
            }
        }
    }
    if !smoke {
        return Err(format!(
            "usage: --smoke [TARGET] [--seconds N], --list, --seeds TARGET FOLDER, or TARGET FILE...; the targets are {}",
            names()
        ));
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    Ok((targets, Duration::from_secs_f64(seconds)))
}
