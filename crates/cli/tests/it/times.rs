//! The start of a recording, and times relative to it.

use std::{fs, path::Path};

use crate::run::{fixture, fixture_of, robolog, s, with_input};

/// A log of a minute whose first stamp is an outlier, decades earlier.
const WILD: i64 = 60;

fn wild(dir: &Path) -> std::path::PathBuf {
    let log = dir.join("wild.alog");
    let entries = (0..WILD).map(|n| format!("{n}.0 NAV_X pNav {n}\n")).collect::<Vec<_>>().concat();
    fs::write(&log, format!("%% LOGSTART 1600000000\n-1500000000.0 NAV_X pNav 9\n{entries}")).unwrap();
    log
}

#[test]
fn a_wild_stamp_does_not_move_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let log = wild(dir.path());
    let info = robolog(["info", "--json", s(&log)]).json();
    assert_eq!(info[0]["start_ns"], 1_600_000_000_000_000_000_i64, "{}", info[0]);
    assert_eq!(info[0]["duration_s"], 59.0);
    let part = robolog(["cat", s(&log), "--start", "0", "--end", "10"]).json();
    assert_eq!(part.len(), 10);
    let out = dir.path().join("part.alog");
    assert_eq!(robolog(["cut", s(&log), "--start", "0", "--end", "60", "-o", s(&out)]).status, 0);
    assert_eq!(robolog(["cat", s(&out)]).json().len(), 60);
    let check = robolog(["check", "--json", s(&log)]).json();
    let findings = check[0]["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["code"] == "time-outlier").unwrap();
    assert!(
        found["offset"] == 23 && found["message"].as_str().unwrap().contains("far from all others"),
        "{found}"
    );
}

#[test]
fn t_counts_from_the_same_start_whatever_the_limits() {
    let dir = tempfile::tempdir().unwrap();
    let log = wild(dir.path());
    let two = fixture("v11_two_devices.lvx");
    for file in [s(&log), s(&two)] {
        let all = robolog(["cat", file]).json();
        let part = robolog(["cat", file, "--start", "0.02"]).json();
        // The first sample of a channel has its attributes too.
        let mut later = part.iter().find(|sample| !sample["t_ns"].is_null()).unwrap().clone();
        later.as_object_mut().unwrap().remove("attributes");
        assert!(all.contains(&later), "the same object: {later}");
        assert_eq!(robolog(["convert", file, "--to", "jsonl", "-o", "-"]).json(), all);
    }
    let all = robolog(["cat", s(&two)]).json();
    assert!(all.iter().all(|sample| sample["t"].as_f64().is_none_or(|t| t >= 0.0)), "the earliest is 0");
}

#[test]
fn the_epoch_that_a_recording_tells_is_taken_when_asked() {
    // From an independent reading of the bytes: see the truth files beside the fixtures.
    for (file, channel, first) in [
        ("koblenz-log/gps.log", "gps/fix", 1_247_824_797_972_500_000_i64),
        ("effibox/dataset_dated/clock", "*/gga", 1_247_788_790_000_000_000),
    ] {
        let (format, name) = file.split_once('/').unwrap();
        let file = fixture_of(format, name);
        let stamp = |more: &[&str]| {
            let run = robolog(
                [&["convert", s(&file), "--channel", channel, "--to", "jsonl", "-o", "-"], more].concat(),
            );
            assert_eq!(run.status, 0, "{}", run.err);
            run.json()[0]["t_ns"].as_i64().unwrap()
        };
        assert!(stamp(&[]) < 1_000_000_000_000, "{name}: stamps count from the start");
        let near = |stamp: i64| (stamp - first).abs() < 50_000_000;
        assert!(near(stamp(&["--epoch", "auto"])), "{name}");
        // Limits count on the dated clock too.
        assert!(near(stamp(&["--epoch", "auto", "--start", "0"])), "{name}");
    }
    let relative = fixture("v11_pps_wrap.lvx");
    let run = robolog(["convert", s(&relative), "--epoch", "auto", "--to", "jsonl", "-o", "-"]);
    assert!(run.status == 1 && run.err.contains("has no start date"), "{}", run.err);
}

#[test]
fn times_are_given_in_four_ways() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("minute.alog");
    let entries = (0..60).map(|n| format!("{n}.0 NAV_X pNav {n}\n")).collect::<Vec<_>>().concat();
    fs::write(&log, format!("%% LOGSTART 1600000000\n{entries}")).unwrap();
    let file = s(&log);
    let values = |limits: &[&str]| {
        let run = robolog([&["cat", file], limits].concat());
        let read = run.json();
        let value = |sample: Option<&serde_json::Value>| sample.map(|s| s["value"]["data"].as_f64().unwrap());
        (value(read.first()), value(read.last()))
    };
    let (first, last) = (Some(10.0), Some(19.0));
    for limits in [
        &["--start", "10", "--end", "20"][..],
        &["--start", "10s", "--duration", "10"],
        &["--start", "2020-09-13T12:26:50Z", "--end", "20s"],
        &["--start", "@1600000010", "--end", "@1600000019.5"],
        &["--start", "-49s", "--end", "-39"],
        &["--start", "-49", "--duration", "10s"],
    ] {
        assert_eq!(values(limits), (first, last), "{limits:?}");
    }
    assert_eq!(values(&["--duration", "10"]), (Some(0.0), Some(9.0)));
    let out = dir.path().join("out.jsonl");
    let run = robolog(["convert", file, "--start", "-9s", "-o", s(&out)]);
    assert_eq!((run.status, fs::read_to_string(&out).unwrap().lines().count()), (0, 10), "{}", run.err);
    for gone in ["--from", "--until"] {
        assert_eq!(robolog(["cut", file, gone, "1", "-o", "x"]).status, 2);
    }
    assert_eq!(robolog(["cat", file, "--to", "1"]).status, 2, "--to names a format, and cat has none");
    assert_eq!(robolog(["cat", file, "--end", "1", "--duration", "1"]).status, 2);
    with_input(["cat", "-", "--start", "-9s"], &fs::read(&log).unwrap()).exits(0);
}
