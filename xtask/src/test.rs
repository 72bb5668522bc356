//! `cargo xtask test [--thorough]`: runs unit, integration and doc tests. Snapshots are compared, never rewritten. Tests
//! of damaged inputs, of files and of failing operations visit a part of them; a job of the night visits all.
//!
//! It needs Rust alone. What it builds is a part of what the other steps build, with the same features, so nothing is compiled
//! twice: neither examples nor the fuzzer, which `fuzz --smoke` tests.

use std::{
    cmp::Reverse,
    ffi::OsStr,
    fs,
    process::{Command, Stdio},
};

use crate::shell::{Built, Outcome, built, cargo_with, side_by_side};

/// Kilobytes that the tests may have in temporary files at a time, with room to spare.
const TEMPORARY: u64 = 4 << 20;

const MEMORY: &str = "/dev/shm";

/// Snapshots are compared, never written.
pub(crate) const COMPARE: (&str, &str) = ("INSTA_UPDATE", "no");

/// Tests visit all damaged inputs, files and failing operations, and all crates check what they assert in debug builds.
const THOROUGH: [(&str, &str); 2] =
    [("ROBOLOG_THOROUGH", "1"), ("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "true")];

/// The packages with tests for everybody.
const TESTS: [&str; 5] = ["test", "--workspace", "--all-features", "--exclude", "robolog-fuzz"];

/// Programs at a time: many end with one long test.
const AT_A_TIME: usize = 2;

pub(crate) fn run(thorough: bool) -> Outcome {
    let mut variables = vec![COMPARE];
    if thorough {
        variables.extend(THOROUGH);
    }
    // The program waits until its outputs are on the disk: a hundred thousand times in one of the tests.
    if std::env::var_os("TMPDIR").is_none() && has_memory_folder() {
        variables.push(("TMPDIR", MEMORY));
    }
    let mut programs = built(&variables, &[&TESTS[..], &["--tests"]].concat())?;
    // The large ones take longest.
    programs.sort_by_key(|built| Reverse(fs::metadata(&built.program).map_or(0, |meta| meta.len())));
    let (mut sum, mut broken) = (0, Vec::new());
    let run = |built: &Built| program(built, "", &variables, &[]);
    side_by_side(&programs, AT_A_TIME, run, |Built { package, target, .. }, outcome| {
        match outcome {
            Ok(Tested { passed, failed: 0, .. }) => {
                println!("{package} {target}: {passed} passed");
                sum += passed;
                return;
            }
            Ok(Tested { printed: why, .. }) | Err(why) => println!("{package} {target}:\n{why}"),
        }
        broken.push(format!("{package} {target}"));
    });
    println!("{sum} tests of {} programs passed", programs.len() - broken.len());
    if !broken.is_empty() {
        return Err(format!("tests failed: {}", broken.join(", ")));
    }
    cargo_with(&variables, &[&TESTS[..], &["--doc"]].concat())
}

/// What the tests of a program did.
pub(crate) struct Tested {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) printed: String,
}

/// Runs a test program as cargo does, itself or by `runner`.
pub(crate) fn program(
    built: &Built,
    runner: &str,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> Outcome<Tested> {
    let mut words = runner.split_whitespace().map(OsStr::new).chain([built.program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(arguments).current_dir(&built.folder).env("CARGO_MANIFEST_DIR", &built.folder);
    command.envs(variables.iter().copied()).stdin(Stdio::null());
    let shown = built.program.display();
    let done = command.output().map_err(|e| format!("{shown} could not be started: {e}"))?;
    let printed = String::from_utf8_lossy(&done.stdout);
    let (passed, failed) = counts(&printed).unwrap_or_default();
    if done.status.success() {
        return Ok(Tested { passed, failed, printed: printed.into_owned() });
    }
    let printed = format!("{printed}{}{shown}: {}", String::from_utf8_lossy(&done.stderr), done.status);
    // A program that ends early fails, whatever it counted.
    Ok(Tested { passed, failed: failed.max(1), printed })
}

/// Numbers of passed and failed tests, from the last line of a test program's output.
fn counts(printed: &str) -> Option<(u32, u32)> {
    let result = printed.lines().rev().find_map(|line| line.strip_prefix("test result: "))?;
    let mut numbers = result.split(' ').filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Whether there is a folder in memory that is large enough and from which programs can be started.
fn has_memory_folder() -> bool {
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let is_mounted = mounts.lines().any(|mount| {
        let words: Vec<_> = mount.split(' ').collect();
        matches!(words[..], [_, MEMORY, "tmpfs", options, ..] if !options.split(',').any(|o| o == "noexec"))
    });
    is_mounted && free_kilobytes().is_some_and(|free| free >= TEMPORARY)
}

fn free_kilobytes() -> Option<u64> {
    let df = Command::new("df").args(["-k", "--output=avail", MEMORY]).output().ok()?;
    String::from_utf8_lossy(&df.stdout).lines().last()?.trim().parse().ok()
}

#[test]
fn tests_are_counted() {
    assert_eq!(counts("test a ... ok\n\ntest result: ok. 9 passed; 0 failed; 1 ignored\n\n"), Some((9, 0)));
    assert_eq!(counts("test result: FAILED. 3 passed; 2 failed; 0 ignored; 4 measured"), Some((3, 2)));
    assert_eq!(counts("running 3 tests\ntest a ... ok\n"), None);
}
