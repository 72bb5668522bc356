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

fn target(name: &str, seconds: u32) -> Outcome {
    if !exists("cargo", &["fuzz", "--version"]) {
        return Err("cargo-fuzz is not installed; `cargo install --locked cargo-fuzz` brings it, and \
                    `cargo xtask fuzz --smoke` does without"
            .to_owned());
    }
    let time = format!("-max_total_time={seconds}");
    // New finds go into the first folder; the fixtures are where it starts from. A target is named after its format.
    let corpus = format!("crates/fuzz/corpus/{name}");
    std::fs::create_dir_all(&corpus).map_err(|e| format!("{corpus}: {e}"))?;
    let format = name.strip_suffix("_rewrite").unwrap_or(name).replace('_', "-");
    let fixtures = format!("testdata/{}", if format == "effibox-table" { "effibox" } else { &format });
    // Without a sanitizer it runs on the stable toolchain; the code under test has no unsafe.
    let words = [
        "fuzz",
        "run",
        "--fuzz-dir",
        "crates/fuzz",
        "--sanitizer",
        "none",
        name,
        &corpus,
        &fixtures,
        "--",
        &time,
        "-max_len=65536",
    ];
    run_command(Command::new("cargo").args(words), &format!("cargo {}", words.join(" ")))
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
