//! `cargo xtask test`: runs unit, integration and doc tests. Snapshots are compared, never rewritten.

use std::{fs, process::Command};

use crate::shell::{EVERYTHING, Outcome, cargo_with};

/// Kilobytes that the tests may have in temporary files at a time, with room to spare.
const TEMPORARY: u64 = 4 << 20;

const MEMORY: &str = "/dev/shm";

pub(crate) fn run() -> Outcome {
    let mut variables = vec![("INSTA_UPDATE", "no")];
    // The program waits until its outputs are on the disk: a hundred thousand times in one of the tests.
    if std::env::var_os("TMPDIR").is_none() && has_memory_folder() {
        variables.push(("TMPDIR", MEMORY));
    }
    cargo_with(&variables, &EVERYTHING)
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
