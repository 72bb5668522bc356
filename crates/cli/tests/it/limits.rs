//! Time limits, and errors if they cannot be applied.

use std::fs;

use crate::run::{fixture, robolog, with_input};
use serde_json::Value;

fn cat(file: &str, limits: &[&str]) -> Vec<Value> {
    robolog([&["cat", file], limits].concat()).json()
}

#[test]
fn seconds_count_from_the_earliest_stamp_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("m.alog");
    // The first stamp in the file is not the earliest.
    let log = "%% LOGSTART  1714983600.0\n3.0  A  p  1\n1.0  A  p  2\n2.5  B  p  3\n5.0  A  p  4\n";
    fs::write(&file, log).unwrap();
    let file = file.to_str().unwrap();
    let start = robolog(["info", "--json", file]).json()[0]["start_ns"].as_i64();
    assert_eq!(start, Some(1_714_983_601_000_000_000));
    let seconds = |samples: &[Value]| samples.iter().map(|s| s["t"].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(seconds(&cat(file, &[])), [2.0, 0.0, 1.5, 4.0]);
    assert_eq!(seconds(&cat(file, &["--start", "0"])), [2.0, 0.0, 1.5, 4.0], "nothing lies before the start");
    let part = cat(file, &["--start", "1.5"]);
    assert_eq!(seconds(&part), [2.0, 1.5, 4.0], "t counts from the start, not from --start");
    // A pipe is read to its end first.
    for limits in [&[][..], &["--start", "1.5"], &["--end", "-1"], &["-n", "1"]] {
        let named = robolog([&["cat", file], limits].concat()).exits(0);
        let piped = with_input([&["cat", "-"], limits].concat(), log.as_bytes()).exits(0);
        assert!(named.out == piped.out, "{limits:?}: {}", piped.text());
    }
}

#[test]
fn the_samples_of_several_devices_are_in_order_and_their_mounts_hold_all_the_time() {
    let file = fixture("v11_two_devices.lvx");
    let file = file.to_str().unwrap();
    for (limits, left) in [(&[][..], 5), (&["--start", "0.04"], 2)] {
        let (mounts, timed): (Vec<_>, Vec<_>) =
            cat(file, limits).into_iter().partition(|sample| sample["kind"] == "transform");
        assert!(mounts.len() == 2 && mounts.iter().all(|mount| mount["t_ns"].is_null()));
        assert!(timed.len() == left && timed.is_sorted_by_key(|sample| sample["t_ns"].as_i64()), "{timed:?}");
    }
}

#[test]
fn samples_of_one_type_are_taken_as_info_calls_it() {
    let file = fixture("v11_two_devices.lvx");
    let file = file.to_str().unwrap();
    let all = cat(file, &[]);
    for kinds in ["transform", "point_cloud", "point_cloud,imu"] {
        let of = |sample: &&Value| kinds.split(',').any(|kind| sample["kind"] == kind);
        let want: Vec<_> = all.iter().filter(of).cloned().collect();
        assert!(!want.is_empty() && want.len() < all.len());
        assert_eq!((cat(file, &["--type", kinds]), cat(file, &["--kind", kinds])), (want.clone(), want));
    }
    robolog(["cat", file, "--kind", "points"]).exits(2).says("point_cloud");
}

#[test]
fn a_channel_left_out_does_not_move_the_start() {
    let file = fixture("next_zero.lvx");
    let file = file.to_str().unwrap();
    let all = cat(file, &[]);
    let first = all[0]["channel"].as_str().unwrap();
    let other = all.iter().find(|s| s["channel"] != first).unwrap()["channel"].as_str().unwrap();
    let chosen = cat(file, &["--channel", other]);
    let same: Vec<_> = all.iter().filter(|s| s["channel"] == other).cloned().collect();
    assert_eq!(chosen, same, "the same objects, chosen or not");
    assert!(chosen[0]["t"] != 0.0);
}

#[test]
fn stamps_of_another_clock_are_told_and_never_let_through() {
    let relative = fixture("v11_pps_wrap.lvx");
    let run = robolog(["cat", relative.to_str().unwrap(), "--end", "2001-01-01T00:00:00Z"]);
    assert_eq!((run.status, run.out.len()), (1, 0), "{}", run.err);
    assert!(run.err.contains("the times of 3 samples cannot be compared with the limits"), "{}", run.err);
    let change = fixture("v11_clock_change.lvx");
    let run = robolog(["cat", change.to_str().unwrap(), "--start", "0"]);
    assert_eq!((run.status, run.json().len()), (0, 3), "one clock: {}", run.err);
    assert!(run.err.contains("earlier stamps continue them backwards"), "{}", run.err);
}

#[test]
fn a_capture_is_not_quietly_converted_past_its_limits() {
    let dir = tempfile::tempdir().unwrap();
    let capture = dir.path().join("empty.pcap");
    let mut header = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    header.extend([0; 8]);
    header.extend([0xff, 0xff, 0, 0, 1, 0, 0, 0]);
    fs::write(&capture, header).unwrap();
    let (capture, out) = (capture.to_str().unwrap(), dir.path().join("out.lvx"));
    for limits in [&["--start", "1"][..], &["--channel", "*"], &["--per", "frame"]] {
        let run = robolog([&["convert", capture, "-o", out.to_str().unwrap()], limits].concat());
        assert!(run.status == 1 && run.err.contains("converted whole"), "{limits:?}: {}", run.err);
    }
    assert!(!out.exists());
}

#[test]
fn cut_without_limits_keeps_frames_without_packages() {
    let dir = tempfile::tempdir().unwrap();
    let (empty, same) = (dir.path().join("empty.lvx"), dir.path().join("same.lvx"));
    let mut file = fs::read(fixture("v11_type2.lvx")).unwrap();
    file.truncate(88);
    for index in 0..3_u64 {
        let at = file.len() as u64;
        for field in [at, at + 24, index] {
            file.extend(field.to_le_bytes());
        }
    }
    fs::write(&empty, &file).unwrap();
    assert_eq!(robolog(["check", empty.to_str().unwrap()]).status, 0);
    robolog(["cut", empty.to_str().unwrap(), "-o", same.to_str().unwrap()]).exits(0);
    assert!(fs::read(&same).unwrap() == file);
    let damaged = fixture("unknown_type.lvx");
    let none = dir.path().join("none.lvx");
    let run =
        robolog(["cut", damaged.to_str().unwrap(), "--channel", "nothing", "-o", none.to_str().unwrap()]);
    assert!(run.status == 2 && !none.exists(), "nothing was within the limits: {}", run.err);
}

#[test]
fn a_glob_that_matches_no_channel_names_the_nearest() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("m.alog"), dir.path().join("out.alog"));
    let log = "%% LOGSTART  1714983600.0\n1.0  NAV_X  p  1\n2.0  NAV_Y  p  2\n";
    fs::write(&file, log).unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    for verb in [
        &["cat", file][..],
        &["cut", file, "-o", out],
        &["convert", file, "-o", "/dev/null", "--to", "jsonl"],
    ] {
        let run = robolog([verb, &["--channel", "nav_x"]].concat()).exits(2);
        assert!(
            run.err.ends_with("m.alog: no channel matches 'nav_x'; did you mean NAV_X?\n"),
            "{}",
            run.err
        );
        let run = robolog([verb, &["--exclude", "lidar"]].concat());
        assert!(run.status == 2 && run.err.ends_with("no channel matches 'lidar'\n"), "{}", run.err);
    }
    assert!(!std::path::Path::new(out).exists());
    let piped = with_input(["cat", "-", "--channel", "NAV_Y", "--channel", "NAV_Z"], log.as_bytes());
    assert_eq!((piped.status, piped.json().len()), (2, 1), "{}", piped.err);
    // One found by then is enough.
    let few = robolog(["cat", file, "-n", "1", "--channel", "NAV_X", "--channel", "NAV_Z"]);
    assert_eq!((few.status, few.json().len()), (0, 1), "{}", few.err);
}

#[test]
fn excluded_channels_are_left_out_by_every_verb() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("m.alog"), dir.path().join("out.alog"));
    fs::write(&file, "%% LOGSTART  1714983600.0\n1.0  NAV_X  p  1\n2.0  NAV_Y  p  2\n3.0  DB  p  3\n")
        .unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let names = |samples: &[Value]| {
        samples.iter().map(|s| s["channel"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&cat(file, &["--exclude", "NAV_*"])), ["DB"]);
    assert_eq!(names(&cat(file, &["--channel", "NAV_*", "--exclude", "*_X"])), ["NAV_Y"]);
    assert_eq!(robolog(["cut", file, "--exclude", "DB", "-o", out]).status, 0);
    assert_eq!(names(&cat(out, &[])), ["NAV_X", "NAV_Y"]);
}

#[test]
fn a_range_that_holds_nothing_tells_what_the_recording_spans() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("m.alog"), dir.path().join("out.alog"));
    fs::write(&file, "%% LOGSTART  1714983600.0\n1.0  A  p  1\n2.5  A  p  2\n").unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let span = "m.alog: no samples in that range; the recording spans 2024-05-06T08:20:01.000000000Z to 08:20:02.500000000Z, 1.5 s\n";
    for verb in [
        &["cat", file][..],
        &["cut", file, "-o", out],
        &["convert", file, "-o", "/dev/null", "--to", "jsonl"],
    ] {
        let run = robolog([verb, &["--start", "1h"]].concat());
        assert!(run.status == 1 && run.err.ends_with(span), "{verb:?}: {}", run.err);
    }
}

#[test]
fn several_files_are_printed_with_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let files = ["a.alog", "b.alog"].map(|name| dir.path().join(name));
    for (file, variable) in files.iter().zip(["NAV_X", "NAV_Y"]) {
        fs::write(file, format!("%% LOGSTART  0\n1.0  {variable}  p  1\n")).unwrap();
    }
    let [a, b] = files.each_ref().map(|file| file.to_str().unwrap());
    let lines = robolog(["cat", a, b]).json();
    assert_eq!((&lines[0]["file"], &lines[1]["file"]), (&Value::from(a), &Value::from(b)));
    let run = robolog(["cat", a, b, "--channel", "NAV_Y"]);
    assert_eq!((run.status, run.json().len()), (0, 1), "a channel need not be in all: {}", run.err);
    robolog(["cat", a, b, "--channel", "NAV_Z"])
        .exits(2)
        .says("no channel matches 'NAV_Z'; did you mean NAV_");
    let grep = robolog(["alog", "grep", a, b, "NAV_*"]).text();
    assert_eq!(grep, format!("{a}:1.0  NAV_X  p  1\n{b}:1.0  NAV_Y  p  1\n"));
    let table = robolog(["alog", "grep", a, b, "NAV_*", "--csv"]).text();
    assert_eq!(table.lines().next(), Some("file,time,variable,source,value"));
    let carla = crate::run::fixture_of("carla-rec", "collisions.log");
    let carla = carla.to_str().unwrap();
    let run = robolog(["carla", "collisions", carla, carla]);
    assert_eq!((run.status, run.text().matches("==> ").count()), (0, 2), "{}", run.err);
}
