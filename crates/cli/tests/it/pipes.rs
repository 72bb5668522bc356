//! Verbs in shell pipelines, FIFOs, and files that are never replaced.

#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::{fixture, fixture_of, robolog, s, with_input};

/// Runs a shell command in which `$R` is the program.
fn shell(line: &str, dir: &Path) -> (i32, String) {
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(dir).env("R", env!("CARGO_BIN_EXE_robolog"));
    let output = command.output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn recordings() -> Vec<PathBuf> {
    let first = |folder: &str, extension: &str| {
        let mut files: Vec<PathBuf> =
            fs::read_dir(fixture_of(folder, "")).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|path| {
            path.extension().is_some_and(|e| e == extension)
                && robolog(["check", "-q", s(path)]).status == 0
                && robolog(["cat", "-q", s(path)]).out.len() > 1000
        });
        files.sort();
        files.into_iter().next().unwrap()
    };
    vec![
        fixture("room.lvx"),
        fixture_of("alog", "nav.alog"),
        fixture_of("carla-rec", "v0_9_15.log"),
        fixture_of("koblenz-log", "drive.log"),
        first("gpx", "gpx"),
        first("kml", "kml"),
        first("nmea", "nmea"),
    ]
}

#[test]
fn a_cut_goes_through_a_pipe_into_a_conversion_in_every_format() {
    let dir = tempfile::tempdir().unwrap();
    for file in recordings() {
        let line = format!(
            "\"$R\" cut - -o - < '{0}' | \"$R\" convert - --calibration builtin -f -o piped.jsonl \
             && \"$R\" convert '{0}' --calibration builtin -f -o named.jsonl",
            s(&file)
        );
        let (status, err) = shell(&line, dir.path());
        assert_eq!(status, 0, "{}: {err}", file.display());
        let [piped, named] =
            ["piped.jsonl", "named.jsonl"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
        assert!(piped.lines().count() > 0);
        assert_eq!(piped.lines().count(), named.lines().count(), "{}", file.display());
    }
}

#[test]
fn a_pipe_becomes_an_mcap_file() {
    let dir = tempfile::tempdir().unwrap();
    let line = format!("\"$R\" cut - -o - < '{}' | \"$R\" convert - -o x.mcap", s(&fixture("room.lvx")));
    let (status, err) = shell(&line, dir.path());
    assert_eq!(status, 0, "{err}");
    assert!(fs::read(dir.path().join("x.mcap")).unwrap().starts_with(b"\x89MCAP0"));
}

#[test]
fn fifos_and_devices_are_written_to_in_place_and_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("room.lvx");
    let line = format!("mkfifo pipe && (cat pipe > got & \"$R\" cut '{}' -f -o pipe; wait)", s(&file));
    let (status, err) = shell(&line, dir.path());
    assert_eq!(status, 0, "{err}");
    assert!(fs::read(dir.path().join("got")).unwrap() == fs::read(&file).unwrap());
    let kind = fs::symlink_metadata(dir.path().join("pipe")).unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&kind));
    assert_eq!(robolog(["cut", s(&file), "-f", "-o", "/dev/null"]).status, 0);
    let meta = fs::metadata("/dev/null").unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_char_device(&meta));
    fs::create_dir(dir.path().join("folder")).unwrap();
    // A folder stays a folder: the copy goes into it, under its own name.
    robolog(["cut", s(&file), "-f", "-o", s(&dir.path().join("folder"))]).exits(0);
    assert!(fs::read(dir.path().join("folder/room.lvx")).unwrap() == fs::read(&file).unwrap());
    let run = robolog(["cut", s(&file), "-o", "/dev/stdout"]);
    assert!(run.out == fs::read(&file).unwrap(), "{}", run.err);
}

#[test]
fn standard_input_is_read_by_every_verb_that_reads_one_recording() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.lvx");
    let bytes = fs::read(fixture("room.lvx")).unwrap();
    let copy = s(&out);
    for args in [
        &["info", "-"][..],
        &["check", "-"],
        &["cat", "-"],
        &["cat", "--raw", "-"],
        &["index", "-"],
        &["cut", "-", "-f", "-o", copy],
        &["recover", "-", "-f", "-o", copy],
        &["merge", "-", s(&fixture("room.lvx")), "-f", "-o", copy],
    ] {
        with_input(args, &bytes).exits(0);
    }
}

#[test]
fn the_first_n_are_enough_and_the_reader_may_leave() {
    let file = fixture("room.lvx");
    for verb in [&["cat"][..], &["cat", "--raw"], &["index"]] {
        let run = robolog([verb, &["-n", "1", s(&file)]].concat());
        assert_eq!((run.status, run.text().lines().count()), (0, 1), "{verb:?}: {}", run.err);
    }
    let dir = tempfile::tempdir().unwrap();
    let (part, table) = (dir.path().join("part.lvx"), dir.path().join("part.jsonl"));
    assert_eq!(robolog(["cut", s(&file), "-n", "1", "-o", s(&part)]).status, 0);
    assert!(fs::metadata(&part).unwrap().len() < fs::metadata(&file).unwrap().len());
    assert_eq!(robolog(["check", s(&part)]).status, 0);
    assert_eq!(robolog(["convert", s(&file), "-n", "2", "-o", s(&table)]).status, 0);
    assert_eq!(fs::read_to_string(&table).unwrap().lines().count(), 2);
    let (status, err) = shell(&format!("\"$R\" cat '{}' | head -1", s(&file)), dir.path());
    assert_eq!((status, &*err), (0, ""));
}
