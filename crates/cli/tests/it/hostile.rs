//! Every verb on every damaged fixture, within half a gigabyte of address space and ten seconds: it exits with a
//! documented status, prints no control characters, and leaves the input unchanged and no partial output.

#![cfg(target_os = "linux")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// Status, standard output, standard error.
fn limited(args: &[&str]) -> (i32, Vec<u8>, Vec<u8>) {
    let script = "ulimit -v 524288 && ulimit -t 10 && exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_robolog")])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().expect("ended by a signal"), output.stdout, output.stderr)
}

fn is_printable(text: &[u8]) -> bool {
    text.iter().all(|b| *b >= b' ' && *b != 0x7f || matches!(b, b'\n' | b'\t'))
}

fn every_verb(file: &Path, dir: &Path) -> usize {
    let before = fs::read(file).unwrap();
    let name = file.to_str().unwrap();
    let out = |extension: &str| dir.join("out").with_extension(extension).to_str().unwrap().to_owned();
    let (lvx, ply, pcd, csv) = (out("lvx"), out("ply"), out("pcd"), out("csv"));
    let folder = out("d");
    let runs: [&[&str]; 13] = [
        &["info", name],
        &["info", "--json", name],
        &["check", name],
        &["cat", name],
        &["cat", "--raw", name],
        &["index", name],
        &["cut", name, "-o", &lvx, "--force", "--end", "0.1"],
        &["recover", name, "-o", &lvx, "--force"],
        &["merge", name, name, "-o", &lvx, "--force"],
        &["convert", name, "-o", &ply, "--force"],
        &["convert", name, "-o", &pcd, "--force", "--pcd-data", "binary_compressed"],
        &["convert", name, "-o", &csv, "--force", "--drop-no-return", "--apply-extrinsics"],
        &["convert", name, "-o", &folder, "--force", "--per", "frame", "--to", "jsonl"],
    ];
    for args in runs {
        let (status, stdout, stderr) = limited(args);
        assert!([0, 1, 3].contains(&status), "{args:?}: {status}: {}", String::from_utf8_lossy(&stderr));
        assert!(is_printable(&stdout) && is_printable(&stderr), "{args:?} prints control characters");
        // Faults are reported; `check` prints them on standard output.
        let told = stderr.starts_with(b"robolog: ") || args[0] == "check" && !stdout.is_empty();
        assert!(status == 0 || told, "{args:?}: {status} without a word");
    }
    assert!(fs::read(file).unwrap() == before, "{name} was changed");
    for entry in fs::read_dir(dir).unwrap() {
        let found = entry.unwrap().file_name().into_string().unwrap();
        assert!(found.starts_with("out") || found == "input.lvx", "{found} was left behind");
    }
    runs.len()
}

#[test]
fn every_verb_on_every_fixture() {
    let mut runs = 0;
    let small = testkit::fixtures("lvx", "lvx").into_iter().filter(|f| f.bytes.len() < 10_000);
    for fixture in testkit::one_in(3, small) {
        let dir = tempfile::tempdir().unwrap();
        runs += every_verb(&fixture.path, dir.path());
    }
    println!("{runs} runs");
    assert!(runs > testkit::bound(90, 300));
}

#[test]
fn hostile_names_and_lengths() {
    let room = testkit::fixture("lvx/v11_type2.lvx");
    let patch = |at: usize, bytes: &[u8]| {
        let mut file = room.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let files = [
        patch(29, b"\x1b[2J\x07\x9b31m\r\n../"),
        patch(29, b"../../../etc/pw\0"),
        patch(29, &[0xff; 16]),
        patch(24 + 4, &[255]),
        patch(88 + 8, &u64::MAX.to_le_bytes()),
        patch(88 + 8, &(1_u64 << 40).to_le_bytes()),
        patch(88 + 24 + 11, &u64::MAX.to_le_bytes()),
        patch(88, &0_u64.to_le_bytes()),
        vec![0; 100_000],
        b"livox_tech".to_vec(),
    ];
    for file in files {
        let dir = tempfile::tempdir().unwrap();
        let input = dir.path().join("input.lvx");
        fs::write(&input, file).unwrap();
        every_verb(&input, dir.path());
    }
}
