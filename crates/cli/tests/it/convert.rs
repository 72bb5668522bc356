//! `convert` on logs, captures and folders.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use serde_json::Value as Json;

use crate::run::{fixture, fixture_of, robolog, s, with_input};

/// Positions at 2 Hz, a heading at 1 Hz that crosses north, and a mode.
const MISSION: &str = "%% LOGSTART 1000\n\
    0.0 NAV_X pNav 0.0\n\
    0.0 NAV_HEADING pNav 350\n\
    0.3 MODE pHelm PARK\n\
    0.5 NAV_X pNav 1.0\n\
    1.0 NAV_X pNav 3.0\n\
    1.0 NAV_HEADING pNav 10\n";

#[test]
fn a_wide_table_has_a_row_for_each_tick_and_a_column_for_each_variable() {
    let dir = tempfile::tempdir().unwrap();
    let (log, out) = (dir.path().join("m.alog"), dir.path().join("nav.csv"));
    fs::write(&log, MISSION).unwrap();
    let wide = ["--wide", "--rate", "4"];
    robolog([&["convert", s(&log), "-o", s(&out)][..], &wide].concat()).exits(0);
    let held = "time_ns,NAV_X,NAV_HEADING,MODE\n\
                1000000000000,0.0,350.0,\n\
                1000250000000,0.0,350.0,\n\
                1000500000000,1.0,350.0,PARK\n\
                1000750000000,1.0,350.0,PARK\n\
                1001000000000,3.0,10.0,PARK\n";
    assert_eq!(fs::read_to_string(&out).unwrap(), held);
    let beside: Json =
        serde_json::from_str(&fs::read_to_string(dir.path().join("nav.csv-metadata.json")).unwrap()).unwrap();
    assert_eq!(beside["tableSchema"]["columns"][2]["name"], "NAV_HEADING");

    let more = ["--interpolate", "--time-columns", "relative,iso", "--channel", "NAV_*", "-f"];
    robolog([&["convert", s(&log), "-o", s(&out)][..], &wide, &more].concat()).exits(0);
    let interpolated = "t,time,NAV_X,NAV_HEADING\n\
                        0.0,1970-01-01T00:16:40.000000000Z,0.0,350.0\n\
                        0.25,1970-01-01T00:16:40.250000000Z,0.5,355.0\n\
                        0.5,1970-01-01T00:16:40.500000000Z,1.0,0.0\n\
                        0.75,1970-01-01T00:16:40.750000000Z,2.0,5.0\n\
                        1.0,1970-01-01T00:16:41.000000000Z,3.0,10.0\n";
    assert_eq!(fs::read_to_string(&out).unwrap(), interpolated);

    // A pipe gives the same, and so do other table formats.
    let piped =
        with_input([&["convert", "-", "--to", "csv", "-o", "-"][..], &wide].concat(), MISSION.as_bytes());
    assert_eq!((piped.status, piped.text().as_str()), (0, held), "{}", piped.err);
    for to in ["parquet", "jsonl", "mcap"] {
        let out = dir.path().join(to);
        let run = robolog([&["convert", s(&log), "--to", to, "-o", s(&out)][..], &wide].concat());
        assert!(run.status == 0 && out.is_file(), "{to}: {}", run.err);
    }
}

#[test]
fn a_wide_table_needs_a_rate_and_a_target_of_rows() {
    let log = fixture_of("alog", "nav.alog");
    for (words, status) in [
        (&["--wide", "-o", "x.csv"][..], 2),
        (&["--rate", "1", "-o", "x.csv"], 2),
        (&["--wide", "--rate", "0", "-o", "x.csv"], 2),
        (&["--wide", "--rate", "1", "--hold", "--interpolate", "-o", "x.csv"], 2),
        (&["--wide", "--rate", "1", "--per", "channel", "-o", "x"], 2),
        (&["--wide", "--rate", "1", "-o", "x.tum"], 1),
        (&["--derive", "yaw", "-o", "x.mcap"], 1),
    ] {
        let run = robolog([&["convert", s(&log)][..], words].concat());
        assert_eq!(run.status, status, "{words:?}: {}", run.err);
        assert!(!Path::new(words[words.len() - 1]).exists());
    }
}

#[test]
fn samples_without_a_row_are_noted_and_lost_only_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("wide.csv");
    let log = fixture_of("koblenz-log", "drive.log");
    let args = ["convert", s(&log), "--wide", "--rate", "1", "-f", "-o", s(&out)];
    robolog(args).exits(0).says("a wide table holds numbers and texts with a time; --to mcap");
    assert_eq!(robolog([&args[..], &["--strict"]].concat()).status, 3);
}

#[test]
fn odometry_gets_heading_speed_and_distance() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("poses.csv");
    let log = fixture_of("carla-rec", "v0_9_15.log");
    let args = ["convert", s(&log), "--derive", "yaw,speed,distance", "--hero", "-o", s(&out)];
    robolog(args).exits(0);
    let table = fs::read_to_string(&out).unwrap();
    assert!(table.lines().next().unwrap().ends_with(",wz,yaw,speed,distance"), "{table}");
    let units = fs::read_to_string(dir.path().join("poses.csv-metadata.json")).unwrap();
    assert!(
        units.contains(r#""name":"yaw","schema:unitText":"rad""#) || units.contains("\"rad\""),
        "{units}"
    );
}

#[test]
fn several_trajectories_are_listed_and_never_chosen_in_silence() {
    let dir = tempfile::tempdir().unwrap();
    let log = fixture_of("carla-rec", "v0_9_15.log");
    for to in ["tum", "kitti", "euroc", "kitti-times"] {
        let out = dir.path().join(to);
        let args = ["convert", s(&log), "--to", to, "-o", s(&out)];
        let run = robolog(args);
        assert_eq!((run.status, out.exists()), (2, false), "{to}: {}", run.err);
        assert!(run.err.contains("--channel") && run.err.contains(" poses, "), "{to}: {}", run.err);
        for choice in ["--hero", "--longest"] {
            let run = robolog([&args[..], &[choice, "-f"]].concat());
            assert!(run.status == 0 && out.is_file(), "{to} {choice}: {}", run.err);
        }
    }
}

#[test]
fn captures_go_straight_into_any_target() {
    let dir = tempfile::tempdir().unwrap();
    let (velodyne, livox) = (fixture_of("pcap", "velodyne.pcap"), fixture_of("pcap", "livox_sdk2.pcapng"));
    for (to, capture) in [
        ("pcd", &velodyne),
        ("ply", &velodyne),
        ("csv", &velodyne),
        ("jsonl", &velodyne),
        ("las", &livox),
        ("laz", &velodyne),
        ("e57", &livox),
        ("parquet", &livox),
        ("mcap", &livox),
        ("gpx", &velodyne),
        ("kml", &velodyne),
        ("geojson", &velodyne),
        ("lvx", &velodyne),
        ("lvx", &livox),
        ("koblenz-log", &velodyne),
    ] {
        let out = dir.path().join(to);
        let run = robolog(["convert", s(capture), "--to", to, "-f", "-o", s(&out)]);
        assert!(run.status == 0 && out.is_file(), "{to}: {}", run.err);
    }
    let out = dir.path().join("imu.csv");
    let run = robolog(["convert", s(&livox), "--channel", "*/imu", "-o", s(&out)]);
    assert_eq!((run.status, fs::read_to_string(out).unwrap().lines().count()), (0, 2), "{}", run.err);
}

/// The truth file beside a capture.
fn truth(name: &str) -> Json {
    serde_json::from_slice(&testkit::fixture(&format!("pcap/{name}.truth.json"))).unwrap()
}

#[test]
fn what_a_capture_holds_is_what_was_laid_into_it() {
    let info = |name: &str| robolog(["info", "--json", s(&fixture_of("pcap", name))]).json()[0].clone();
    let (velodyne, want) = (info("velodyne.pcap"), truth("velodyne"));
    for key in ["datagrams", "velodyne_packets", "position_packets"] {
        assert_eq!(velodyne["details"][key], want[key], "{key}");
    }
    let late = velodyne["start_ns"].as_i64().unwrap() - want["first_ns"].as_i64().unwrap();
    // A packet is captured after its last point, 1.3 ms after its first.
    assert!((-1_400_000..10_000_000).contains(&late), "{late}");
    let values = |info: &Json, channel: &str| -> u64 {
        let channels = info["channels"].as_array().unwrap();
        let of = channels.iter().filter(|c| c["name"].as_str().unwrap().ends_with(channel));
        of.map(|c| c["values"].as_u64().unwrap()).sum()
    };
    assert_eq!(values(&velodyne, "/points"), want["returns"].as_u64().unwrap());
    assert_eq!(values(&velodyne, "/gps/fix"), 2, "a sentence that is repeated is one fix");
    let cat = robolog(["cat", s(&fixture_of("pcap", "velodyne.pcap")), "--channel", "*/gps/fix"]).json();
    for (fix, want) in cat.iter().zip(want["fixes"].as_array().unwrap()) {
        for (key, want) in ["latitude", "longitude"].iter().zip(want.as_array().unwrap()) {
            let difference = fix["value"][key].as_f64().unwrap() - want.as_f64().unwrap();
            assert!(difference.abs() < 1e-6, "{fix}");
        }
    }
    let (cut, want) = (info("velodyne_cut.pcap"), truth("velodyne_cut"));
    assert_eq!((&cut["lost_bytes"], &cut["complete"]), (&want["lost_bytes"], &false.into()));

    let (livox, want) = (info("livox_sdk2.pcapng"), truth("livox_sdk2"));
    assert_eq!(values(&livox, "/points"), want["points"].as_u64().unwrap());
    assert_eq!(values(&livox, "/imu"), want["imu_samples"].as_u64().unwrap());
    for key in ["datagrams", "sdk2_packets"] {
        assert_eq!(livox["details"][key], want[key], "{key}");
    }
}

#[test]
fn an_index_tells_the_times_of_blocks_of_pcapng() {
    let index = robolog(["index", "--json", s(&fixture_of("pcap", "livox_sdk2.pcapng"))]);
    let times: Vec<_> = index.json().iter().map(|row| row["t_ns"].as_i64()).collect();
    let first = truth("livox_sdk2")["first_ns"].as_i64().unwrap();
    assert_eq!(times[..4], [None, None, Some(first), Some(first + 2_000_000)]);
    assert!(times[2..].iter().all(Option::is_some));
}

#[test]
fn real_captures_are_read_by_every_verb() {
    let Some(data) = testkit::data_dir("velodyne") else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut fixes = Vec::new();
    let mut captures: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()).collect();
    captures.retain(|path| path.extension().is_some_and(|extension| extension == "pcap"));
    captures.sort();
    assert_eq!(captures.len(), 14);
    for capture in &captures {
        let info = robolog(["info", "--json", s(capture)]);
        // Some captures are cut.
        let status = if info.json()[0]["complete"] == true { 0 } else { 3 };
        assert_eq!(info.status, status, "{}: {}", s(capture), info.err);
        let channels = info.json()[0]["channels"].as_array().unwrap().clone();
        for channel in channels.iter().filter(|c| c["name"].as_str().unwrap().ends_with("/gps/fix")) {
            fixes.push(channel["records"].as_u64().unwrap());
        }
        for verb in ["check", "index", "cat"] {
            assert_eq!(robolog([verb, s(capture)]).status, status, "{verb} {}", s(capture));
        }
        let has_points = channels.iter().any(|c| c["kind"] == "point_cloud");
        let (to, out) =
            if has_points { ("ply", dir.path().join("x.ply")) } else { ("csv", dir.path().join("x.csv")) };
        let chosen: &[&str] = if has_points { &[] } else { &["--channel", "*/gps/fix"] };
        let args = ["convert", s(capture), "--to", to, "-f", "-o", s(&out), "--calibration", "builtin"];
        let run = robolog([&args[..], chosen].concat());
        assert_eq!(run.status, status, "{}: {}", s(capture), run.err);
    }
    assert_eq!(fixes, [1, 1, 1, 1], "one sentence in each capture with a receiver");
}

/// A folder with two good recordings and a bad one in between.
fn recordings(dir: &Path) -> [String; 3] {
    let bad = dir.join("b.lvx");
    fs::write(&bad, "livox_tech but no more").unwrap();
    let copy = |from: &str, to: &str| {
        let to = dir.join(to);
        fs::copy(fixture(from), &to).unwrap();
        s(&to).to_owned()
    };
    [copy("v11_type2.lvx", "a.lvx"), s(&bad).to_owned(), copy("room.lvx", "c.lvx")]
}

#[test]
fn one_bad_recording_does_not_stop_the_others_and_a_conversion_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let files = recordings(dir.path());
    let out = dir.path().join("lake");
    let convert = |more: &[&str]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        robolog([&["convert"], &files[..], &["--to", "parquet", "--hive", "-o", s(&out)], more].concat())
    };
    let run = convert(&[]);
    assert_eq!(run.status, 3, "{}", run.err);
    assert!(run.err.contains("3 recordings: 2 converted, 1 failed;"), "{}", run.err);
    let table = |name: &str| out.join(format!("recording={name}/kind=point_cloud"));
    assert!(table("a").is_dir() && table("c").is_dir() && !out.join("recording=b").exists());

    // Nothing is converted again, except changed inputs if their outputs may be replaced.
    let run = convert(&["--resume"]);
    assert!(run.status == 3 && run.err.contains("0 converted, 2 already there, 1 failed"), "{}", run.err);
    fs::copy(fixture("v11_type0.lvx"), &files[1]).unwrap();
    let run = convert(&["--resume"]);
    assert!(run.status == 0 && run.err.contains("1 converted, 2 already there;"), "{}", run.err);
    let run = convert(&["--resume", "--drop-no-return", "-f"]);
    assert!(run.status == 0 && run.err.contains("3 recordings converted;"), "other options: {}", run.err);
    fs::remove_dir_all(table("a")).unwrap();
    fs::remove_dir_all(out.join("recording=a")).unwrap();
    let run = convert(&["--resume", "--drop-no-return"]);
    assert!(run.status == 0 && run.err.contains("1 converted, 2 already there;"), "{}", run.err);
}

#[test]
fn an_input_that_changed_within_its_size_and_time_is_converted_again() {
    let dir = tempfile::tempdir().unwrap();
    let (log, other) = (dir.path().join("a.alog"), dir.path().join("b.alog"));
    let write = |value: u8, time: SystemTime| {
        fs::write(&log, format!("%% LOGSTART 1600000000\n1.0 DEPTH p {value}\n")).unwrap();
        fs::File::options().write(true).open(&log).unwrap().set_modified(time).unwrap();
    };
    fs::write(&other, MISSION).unwrap();
    let (out, time) = (dir.path().join("out"), SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    write(1, time);
    let words = ["convert", s(&log), s(&other), "--to", "jsonl", "--resume", "-f", "-o", s(&out)];
    assert_eq!(robolog(words).status, 0);
    assert!(robolog(words).err.contains("0 converted, 2 already there;"));
    write(2, time);
    let run = robolog(words);
    assert!(run.err.contains("1 converted, 1 already there;"), "{}", run.err);
    assert!(fs::read_to_string(out.join("a.jsonl")).unwrap().contains("\"data\":2.0"));
}

#[test]
fn recordings_of_one_name_keep_outputs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let (lvx, alog) = (dir.path().join("x.lvx"), dir.path().join("x.alog"));
    fs::copy(fixture("room.lvx"), &lvx).unwrap();
    fs::write(&alog, MISSION).unwrap();
    let out = dir.path().join("out");
    robolog(["convert", s(&lvx), s(&alog), "--to", "jsonl", "-o", s(&out)]).exits(0);
    assert!(out.join("x.jsonl").is_file() && out.join("x.alog.jsonl").is_file());
}

#[test]
fn kinds_without_a_place_are_noted_and_fail_only_when_that_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let drive = fixture_of("koblenz-log", "drive.log");
    let out = dir.path().join("drive.ply");
    let args = ["convert", s(&drive), "-f", "-o", s(&out), "--calibration", "builtin"];
    robolog(args).exits(0).says("note: skipped ");
    assert_eq!(robolog([&args[..], &["--strict"]].concat()).status, 3);
    assert_eq!(robolog([&args[..], &["--strict", "--channel", "*/points"]].concat()).status, 0);
}

#[test]
fn a_folder_is_converted_with_the_folders_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let run_folder = dir.path().join("run");
    fs::create_dir_all(run_folder.join("day 1")).unwrap();
    fs::write(run_folder.join("m.alog"), MISSION).unwrap();
    fs::write(run_folder.join("day 1/m.alog"), MISSION).unwrap();
    fs::write(run_folder.join("notes.txt"), "nothing").unwrap();
    let out = dir.path().join("out");
    let run = robolog(["convert", s(&run_folder), "--to", "jsonl", "-o", s(&out)]).exits(0);
    assert!(out.join("m.jsonl").is_file() && out.join("day 1/m.jsonl").is_file(), "{}", run.err);
    let lake = dir.path().join("lake");
    let run = robolog(["convert", s(&run_folder), "--to", "parquet", "--hive", "-o", s(&lake)]).exits(0);
    let path = "recording=day%201%2Fm/kind=scalar/channel=NAV_X/part-0.parquet";
    assert!(lake.join(path).is_file() && lake.join("recording=m").is_dir(), "{}", run.err);
    let run = robolog(["convert", s(&run_folder), "--to", "parquet", "--hive", "--resume", "-o", s(&lake)]);
    assert!(run.status == 0 && run.err.contains("2 already there"), "{}", run.err);
}
