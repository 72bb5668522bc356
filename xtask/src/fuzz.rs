//! `cargo xtask fuzz`: a target under libFuzzer, the smoke run, which needs no other programs, or the laws.

use std::{path::PathBuf, process::Command};

use clap::Args;

use crate::{
    shell::{EVERYTHING, Outcome, built, built_with_tests, exists, program, run as run_command},
    test::{self, Tested},
};

/// Environment variable with the target's name: all targets are in one program.
const VARIABLE: &str = "ROBOLOG_TARGET";

/// The mutants on which the laws are checked.
#[derive(Debug, Default, PartialEq, Args)]
pub(crate) struct Campaign {
    /// Number of mutants; 1000 by default
    #[arg(long, value_name = "N", requires = "laws", conflicts_with = "target")]
    mutants: Option<u64>,
    /// Seed of the mutants
    #[arg(long, value_name = "N", requires = "laws", conflicts_with = "target")]
    seed: Option<u64>,
    /// Also mutate the recordings of this folder
    #[arg(long, value_name = "DIR", requires = "laws", conflicts_with = "target")]
    data: Option<PathBuf>,
    /// Only subjects whose names contain this
    #[arg(long, value_name = "TEXT", requires = "laws", conflicts_with = "target")]
    only: Option<String>,
    /// Run the program on one in N mutants; 8 by default
    #[arg(long, value_name = "N", requires = "laws", conflicts_with = "target")]
    every: Option<u64>,
    /// Only this mutant
    #[arg(long, value_name = "N", requires = "laws", conflicts_with = "target")]
    mutant: Option<u64>,
    /// Only intact subjects, with damage that must be noticed
    #[arg(long, requires = "laws", conflicts_with = "target")]
    visible: bool,
    /// Print the time of each law
    #[arg(long, requires = "laws", conflicts_with = "target")]
    times: bool,
}

/// Seconds for which the smoke run fuzzes each target, and mutants on which it checks the laws. The nightly run does more.
const SECONDS: &str = "0.5";
const MUTANTS: u64 = 500;

/// Tests the fuzzer itself, runs every target for half a second without libFuzzer, then the laws.
pub(crate) fn smoke() -> Outcome {
    let tests = built(&[], &[&EVERYTHING[..], &["--lib"]].concat())?;
    for own in tests.iter().filter(|built| built.package == "robolog-fuzz") {
        let Tested { passed, failed, printed } = test::program(own, "", &[], &[])?;
        if failed > 0 {
            return Err(printed);
        }
        println!("{}: {passed} passed", own.package);
    }
    let smoke = built_with_tests()?.join(program("robolog-fuzz"));
    run_command(Command::new(smoke).args(["--smoke", "--seconds", SECONDS]), "robolog-fuzz --smoke")?;
    laws(&Campaign { mutants: Some(MUTANTS), ..Campaign::default() })
}

/// Checks the laws on mutants.
pub(crate) fn laws(campaign: &Campaign) -> Outcome {
    let Campaign { mutants, seed, data, only, every, mutant, visible, times } = campaign;
    let built = built_with_tests()?;
    let mut command = Command::new(built.join(program("robolog-fuzz")));
    command.arg("--laws").arg("--program").arg(built.join(program("robolog")));
    let numbers = [("--mutants", mutants), ("--seed", seed), ("--every", every), ("--mutant", mutant)];
    for (name, number) in numbers {
        if let Some(number) = number {
            command.arg(name).arg(number.to_string());
        }
    }
    if let Some(data) = data {
        // The program runs in the workspace's root.
        command.arg("--data").arg(std::path::absolute(data).map_err(|e| e.to_string())?);
    }
    if let Some(only) = only {
        command.arg("--only").arg(only);
    }
    for (name, _) in [("--visible", visible), ("--times", times)].into_iter().filter(|(_, wanted)| **wanted) {
        command.arg(name);
    }
    run_command(&mut command, "robolog-fuzz --laws")
}

/// Fuzzes `name` for some seconds.
pub(crate) fn run(name: &str, seconds: u32) -> Outcome {
    if !exists("cargo", &["fuzz", "--version"]) {
        return Err("cargo-fuzz is not installed; `cargo install --locked cargo-fuzz` brings it, and \
                    `cargo xtask fuzz --smoke` does without"
            .to_owned());
    }
    // New inputs go into the first folder; the second holds the seeds.
    let (corpus, seeds) = (format!("crates/fuzz/corpus/{name}"), format!("crates/fuzz/corpus/{name}.seeds"));
    std::fs::create_dir_all(&corpus).map_err(|e| format!("{corpus}: {e}"))?;
    let smoke = built_with_tests()?.join(program("robolog-fuzz"));
    run_command(Command::new(smoke).args(["--seeds", name, &seeds]), &format!("the seeds of {name}"))?;
    let artifacts = format!("crates/fuzz/artifacts/{name}");
    std::fs::create_dir_all(&artifacts).map_err(|e| format!("{artifacts}: {e}"))?;
    let time = format!("-max_total_time={seconds}");
    let prefix = format!("-artifact_prefix={artifacts}/");
    let dictionary = format!("-dict=crates/fuzz/dictionaries/{}", dictionary(name));
    // Without a sanitizer, stable Rust suffices; the code under test has no unsafe code.
    let words =
        ["fuzz", "run", "--fuzz-dir", "crates/fuzz", "--sanitizer", "none", "any", &corpus, &seeds, "--"];
    let options = [&*time, &prefix, &dictionary, "-max_len=65536", "-print_final_stats=1"];
    let mut command = Command::new("cargo");
    run_command(command.args(words).args(options).env(VARIABLE, name), &format!("cargo {}", words.join(" ")))
}

/// The dictionary of the target's inputs.
fn dictionary(name: &str) -> &'static str {
    match name.split('_').next().unwrap_or(name) {
        "alog" | "slog" => "alog.dict",
        "gpx" | "kml" | "kmz" | "calibration" => "xml.dict",
        "nmea" => "nmea.dict",
        "dataset" | "effibox" | "archive" | "pnm" => "effibox.dict",
        "texts" => "texts.dict",
        _ => "binary.dict",
    }
}

#[test]
fn dictionaries_are_there() {
    for target in
        ["alog_rewrite", "slog", "gpx", "calibration", "nmea", "archive_tar", "texts", "lvx2", "sink_csv"]
    {
        let path = crate::shell::root().join("crates/fuzz/dictionaries").join(dictionary(target));
        let text = std::fs::read_to_string(&path).unwrap();
        let words = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let is_word = |line: &str| line.len() > 2 && line.starts_with('"') && line.ends_with('"');
        assert!(words.clone().count() > 10 && words.clone().all(is_word), "{}", path.display());
    }
}
