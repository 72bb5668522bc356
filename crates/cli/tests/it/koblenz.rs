//! Verbs on Koblenz logs, and `robolog koblenz`.

use std::{fs, path::Path};

use crate::run::{fixture_of, robolog, s};
use serde_json::json;

fn log(name: &str) -> String {
    fixture_of("koblenz-log", name).to_str().unwrap().to_owned()
}

fn details(file: &str) -> serde_json::Value {
    robolog(["info", "--json", file]).json()[0]["details"].clone()
}

#[test]
fn every_index_is_mended_and_a_right_one_stays() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["index_absent", "index_zeros", "index_stale", "index_hostile", "index_count_of_messages"] {
        let out = dir.path().join(name);
        robolog(["koblenz", "reindex", &log(&format!("{name}.log")), "-o", s(&out)]).exits(0);
        let got = details(s(&out));
        assert_eq!((&got["index"]["state"], &got["messages"]), (&json!("valid"), &json!(43)), "{name}");
    }
    let out = dir.path().join("same.log");
    assert_eq!(robolog(["koblenz", "reindex", &log("drive.log"), "-o", s(&out)]).status, 0);
    assert!(fs::read(&out).unwrap() == fs::read(log("drive.log")).unwrap());
    let run = robolog(["koblenz", "reindex", &log("lost_bytes.log"), "-o", s(&dir.path().join("l.log"))]);
    assert_eq!(run.status, 3);
    assert!(run.err.contains("25 bytes left out"), "{}", run.err);
}

#[test]
fn damage_costs_what_it_touched_and_the_bytes_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("sound.log");
    let run = robolog(["recover", "-v", &log("lost_twice.log"), "-o", s(&out)]).exits(3);
    for lost in ["0x9f to 0xf3", "0xa6d to 0xa99"] {
        assert!(run.err.contains(lost), "{lost}: {}", run.err);
    }
    let check = robolog(["check", s(&out)]);
    assert_eq!(check.status, 0, "{}{}", check.text(), check.err);
    assert_eq!(details(s(&out))["messages"], details(&log("lost_twice.log"))["messages"]);
}

#[test]
fn cuts_by_time_and_sensor_have_a_right_index() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("cut.log");
    let args =
        ["cut", &log("drive.log"), "--start", "1", "--end", "2.5", "--channel", "laser/*", "-o", s(&out)];
    robolog(args).exits(0);
    let got = details(s(&out));
    let kinds: Vec<&String> = got["by_type"].as_object().unwrap().keys().collect();
    assert_eq!(kinds, ["LaserRange2DDataM"]);
    assert_eq!(got["index"]["state"], "valid");
}

#[test]
fn the_reading_of_sizes_can_be_forced() {
    let file = log("size_whole.log");
    assert_eq!(details(&file)["size_counts"], "whole");
    let forced = robolog(["info", "--json", "--format", "koblenz-log:payload", &file]);
    assert_eq!((forced.status, &forced.json()[0]["details"]["size_counts"]), (3, &json!("payload")));
    robolog(["info", "--format", "koblenz-log:half", &file]).exits(2).says("koblenz-log:after");
}

#[test]
fn an_epoch_gives_dates() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("gps.jsonl");
    let epoch = details(&log("gps.log"))["epoch_ns"].as_i64().unwrap();
    let seconds = format!("{}", epoch / 1_000_000_000);
    robolog(["convert", &log("gps.log"), "--epoch", &seconds, "-o", s(&out)]).exits(0);
    let text = fs::read_to_string(&out).unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let stamp = first["t_ns"].as_i64().unwrap();
    // 2009-07-17, within a few seconds.
    assert!((stamp - epoch).abs() < 10_000_000_000, "{stamp}");
}

#[test]
fn packets_go_into_a_capture_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let (capture, back) = (dir.path().join("p.pcap"), dir.path().join("back.log"));
    for name in ["velodyne_hdl64e_s1.log", "velodyne_vlp16.log", "velodyne_vls128.log"] {
        robolog(["convert", &log(name), "-f", "-o", s(&capture)]).exits(0);
        robolog(["convert", s(&capture), "-f", "--to", "koblenz-log", "-o", s(&back)]).exits(0);
        assert_eq!(details(s(&back))["velodyne_packets"], details(&log(name))["velodyne_packets"], "{name}");
        assert_eq!(
            details(s(&back))["velodyne"]["model"],
            details(&log(name))["velodyne"]["model"],
            "{name}"
        );
    }
    robolog(["convert", &log("gps.log"), "-f", "-o", s(&capture)]).exits(1).says("no Velodyne packet");
}

#[test]
fn the_date_of_a_receiver_stays_in_a_log_that_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let again = dir.path().join("again.log");
    for (name, fixes) in [("gps.log", 1), ("gps_no_fix.log", 0)] {
        let log = fixture_of("koblenz-log", name);
        robolog(["convert", s(&log), "--to", "koblenz-log", "-f", "-o", s(&again)]).exits(0);
        let receiver = |log: &Path| {
            let samples = robolog(["cat", s(log), "--channel", "gps/*"]).json();
            let of = |sample: serde_json::Value| {
                (sample["t_ns"].clone(), sample["channel"].clone(), sample["value"].clone())
            };
            samples.into_iter().map(of).collect::<Vec<_>>()
        };
        let was = receiver(&log);
        assert!(was.iter().any(|(.., value)| value["utc"].is_i64()), "{name}");
        assert!(was.iter().filter(|(_, channel, _)| channel == "gps/fix").count() >= fixes, "{name}");
        assert_eq!(receiver(&again), was, "{name}");
    }
}

/// `--epoch auto` uses the date that `info` shows: 2009-07-17, from the log's own GPS messages.
#[test]
fn info_shows_the_date_that_the_option_takes() {
    let info = robolog(["info", &log("drive.log")]);
    let nanos = details(&log("drive.log"))["epoch_ns"].as_i64().unwrap();
    let told = "2009-07-17T09:59:56.349Z";
    assert_eq!(nanos / 1_000_000, 1_247_824_796_349, "{told} by `date -u -d @1247824796.349`");
    assert!(info.text().contains(told), "{}", info.text());
    assert!(info.text().contains("--epoch auto"), "{}", info.text());
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("imu.jsonl");
    let args = ["convert", &log("drive.log"), "--channel", "imu", "-o", s(&out)];
    let first = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        line["t_ns"].as_i64().unwrap()
    };
    assert_eq!(robolog(args).status, 0);
    let relative = first(&out);
    robolog([&args[..], &["--epoch", "auto", "-f"]].concat()).exits(0);
    assert_eq!(first(&out) - relative, nanos);
    // A log without a receiver has no such date, and shows none.
    assert!(!robolog(["info", &log("laser.log")]).text().contains("--epoch"));
}

/// Two poses, a message of an unknown type, the end mark and `behind`; sizes count the whole message.
fn ended(behind: &[u8]) -> Vec<u8> {
    let message = |kind: i32, ms: f64, body: &[u8]| {
        let size = u32::try_from(21 + body.len()).unwrap();
        let kind = kind.to_le_bytes();
        [&size.to_le_bytes()[..], b"I", &kind, &100_i32.to_le_bytes(), &ms.to_le_bytes(), body].concat()
    };
    let pose: Vec<u8> = [1_f32, 0.0, 0.0, 0.0, 0.0, 0.0, 9.8].iter().flat_map(|f| f.to_le_bytes()).collect();
    let messages =
        [message(0x1E342, 0.0, &pose), message(0x1E342, 1000.0, &pose), message(0x77777, 2000.0, b"abc")];
    [&b"\xa4VEL\x01\0\x01\0\0\0\0\0"[..], &messages.concat(), &[0xff; 4], behind].concat()
}

#[test]
fn an_end_mark_is_no_message_and_the_bytes_after_it_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let (log, text) = (at("ended.log"), "3 records, 3 notes");
    fs::write(&log, ended(b"what the disk held")).unwrap();
    let check = robolog(["check", s(&log)]).exits(0).text();
    assert!(check.contains(text) && check.contains("18 bytes after the end mark"), "{check}");
    assert_eq!(robolog(["index", s(&log)]).exits(0).text().lines().count(), 3);
    assert_eq!(robolog(["cat", "--raw", s(&log)]).exits(0).text().lines().count(), 3);
    let run = robolog(["recover", s(&log), "-o", s(&at("whole.log"))]).exits(0);
    assert!(run.err.contains("3 records, the input is sound"), "{}", run.err);
    robolog(["cut", s(&log), "-o", s(&at("cut.log"))]).exits(0);
    for copy in ["whole.log", "cut.log"] {
        assert!(fs::read(at(copy)).unwrap() == ended(b"what the disk held"), "{copy}");
    }
    // The last part has one message of an unknown type, whose end the end mark confirms.
    let run = robolog(["split", s(&log), "--every", "1s", "-o", s(&at("parts"))]).exits(0);
    assert!(run.err.contains("3 parts, 3 records"), "{}", run.err);
    let parts = [0, 1, 2].map(|n| at("parts").join(format!("ended-00{n}.log")));
    let merged = at("merged.log");
    robolog(["merge", s(&parts[0]), s(&parts[1]), s(&parts[2]), "-o", s(&merged)]).exits(0);
    assert!(fs::read(merged).unwrap() == ended(b"what the disk held"));
}

#[test]
fn a_merged_log_has_one_end_mark_and_says_what_it_has_no_room_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for (name, behind) in [("plain", &b""[..]), ("more", b"more"), ("other", b"other")] {
        fs::write(at(name), ended(behind)).unwrap();
    }
    for (other, status) in [("plain", 0), ("more", 0), ("other", 3)] {
        let merged = at(&format!("{other}.log"));
        robolog(["merge", s(&at("more")), s(&at(other)), "-o", s(&merged)]).exits(status);
        assert!(fs::read(&merged).unwrap().ends_with(b"\xff\xff\xff\xffmore"), "{other}");
        let check = robolog(["check", s(&merged)]).exits(0).text();
        assert!(check.contains("6 records"), "{check}");
    }
}
