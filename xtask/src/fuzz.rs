//! `cargo xtask fuzz`: a target under libFuzzer, or the smoke run that needs nothing installed.

use std::process::Command;

use crate::shell::{Outcome, built_with_tests, exists, program, run as run_command};

const USAGE: &str = "takes --smoke, or a target and perhaps --seconds N";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    match parse(arguments)? {
        Wanted::Smoke => {
            let smoke = built_with_tests()?.join(program("robolog-fuzz"));
            run_command(Command::new(smoke).arg("--smoke"), "robolog-fuzz --smoke")
        }
        Wanted::Target { name, seconds } => target(&name, seconds),
    }
}

#[derive(Debug, PartialEq)]
enum Wanted {
    Smoke,
    Target { name: String, seconds: u32 },
}

fn parse(arguments: &[String]) -> Outcome<Wanted> {
    let mut words = arguments.iter();
    let (mut smoke, mut name, mut seconds) = (false, None, 60);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--smoke" => smoke = true,
            "--seconds" => seconds = words.next().and_then(|n| n.parse().ok()).ok_or(USAGE)?,
            other if other.starts_with('-') || name.is_some() => return Err(USAGE.to_owned()),
            other => name = Some(other.to_owned()),
        }
    }
    match (smoke, name) {
        (true, None) => Ok(Wanted::Smoke),
        (false, Some(name)) => Ok(Wanted::Target { name, seconds }),
        _ => Err(USAGE.to_owned()),
    }
}

/// The variable that names the target of the one program under libFuzzer.
const VARIABLE: &str = "ROBOLOG_TARGET";

fn target(name: &str, seconds: u32) -> Outcome {
    if !exists("cargo", &["fuzz", "--version"]) {
        return Err("cargo-fuzz is not installed; `cargo install --locked cargo-fuzz` brings it, and \
                    `cargo xtask fuzz --smoke` does without"
            .to_owned());
    }
    // New finds go into the first folder; the seeds are where it starts from.
    let (corpus, seeds) = (format!("crates/fuzz/corpus/{name}"), format!("crates/fuzz/corpus/{name}.seeds"));
    std::fs::create_dir_all(&corpus).map_err(|e| format!("{corpus}: {e}"))?;
    let smoke = built_with_tests()?.join(program("robolog-fuzz"));
    run_command(Command::new(smoke).args(["--seeds", name, &seeds]), &format!("the seeds of {name}"))?;
    let artifacts = format!("crates/fuzz/artifacts/{name}");
    std::fs::create_dir_all(&artifacts).map_err(|e| format!("{artifacts}: {e}"))?;
    let time = format!("-max_total_time={seconds}");
    let prefix = format!("-artifact_prefix={artifacts}/");
    let dictionary = format!("-dict=crates/fuzz/dictionaries/{}", dictionary(name));
    // Without a sanitizer it runs on the stable toolchain; the code under test has no unsafe.
    let words =
        ["fuzz", "run", "--fuzz-dir", "crates/fuzz", "--sanitizer", "none", "any", &corpus, &seeds, "--"];
    let options = [&*time, &prefix, &dictionary, "-max_len=65536", "-print_final_stats=1"];
    let mut command = Command::new("cargo");
    run_command(command.args(words).args(options).env(VARIABLE, name), &format!("cargo {}", words.join(" ")))
}

/// The words of the target's inputs.
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
fn arguments_are_smoke_or_a_target() {
    let parse = |text: &str| parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(parse("--smoke"), Ok(Wanted::Smoke));
    assert_eq!(parse("lvx --seconds 5"), Ok(Wanted::Target { name: "lvx".to_owned(), seconds: 5 }));
    assert!(parse("--smoke lvx").is_err());
    assert!(parse("").is_err());
    assert!(parse("lvx --seconds many").is_err());
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
