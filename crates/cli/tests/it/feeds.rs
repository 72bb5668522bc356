//! Several inputs, transforms, frames and bags, from the command line.

use std::{ffi::OsString, fs, path::Path};

use crate::run::{Run, fixture, fixture_of, robolog};

fn convert(words: &[&str], files: &[&Path], out: &Path) -> Run {
    let mut args: Vec<OsString> = vec!["convert".into()];
    args.extend(files.iter().map(|file| file.as_os_str().to_owned()));
    args.extend(words.iter().map(OsString::from));
    args.extend(["-o".into(), out.as_os_str().to_owned()]);
    robolog(args)
}

fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn recordings_of_two_formats_become_one() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let out = dir.join("all.jsonl");
    let files = [&*fixture("v11_type1.lvx"), &*fixture_of("carla-rec", "v0_9_15.log")];
    let run = convert(&["--merge"], &files, &out);
    assert_eq!(run.status, 1, "a device's time does not compare with that of the day: {}", run.err);
    assert!(run.err.contains("--epoch or --clock") && !out.exists(), "{}", run.err);
    let run = convert(&["--merge", "--epoch", "2024-05-17T10:00:00Z"], &files, &out);
    assert_eq!(run.status, 0, "{}", run.err);
    let lines = lines(&out);
    let of = |stem: &str| lines.iter().filter(|l| l["channel"].as_str().unwrap().starts_with(stem)).count();
    assert_eq!(of("v11_type1/"), 2);
    assert_eq!(of("v11_type1/").checked_add(of("v0_9_15/")), Some(lines.len()));
    // The table of actors is complete at the end, and applies from the beginning.
    let in_order = lines.iter().filter(|l| l["channel"] != "v0_9_15/actors");
    let times: Vec<i64> = in_order.filter_map(|l| l["t_ns"].as_i64()).collect();
    assert!(times.len() > 20 && times.is_sorted());
    let run =
        convert(&["--merge", "--epoch", "0", "--epoch", "0", "--epoch", "0"], &files, &dir.join("x.jsonl"));
    assert!(run.status == 1 && run.err.contains("--epoch is given 3 times for 2 inputs"), "{}", run.err);
}

#[test]
fn transforms_and_frames_are_those_of_the_user() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let (yaml, out) = (dir.join("mounts.yaml"), dir.join("all.jsonl"));
    fs::write(&yaml, "- {parent: base_link, child: lidar, translation: [0.1, 0, 0.5], rpy: [0, 0, 1.5]}\n")
        .unwrap();
    let words = ["--transforms", yaml.to_str().unwrap(), "--frame-id", "*/points=lidar"];
    let run = convert(&words, &[&*fixture("room.lvx")], &out);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("2 transforms"), "{}", run.err);
    let lines = lines(&out);
    let children: Vec<_> =
        lines.iter().filter(|l| l["kind"] == "transform").map(|l| &l["value"]["child_frame_id"]).collect();
    // The recording has a transform of its own.
    assert!(children.len() == 2 && children.iter().any(|child| **child == "lidar"), "{children:?}");
    fs::write(&yaml, "- {parent: base_link, child: lidar, translation: [0.1, 0]}\n").unwrap();
    let run = convert(&words, &[&*fixture("room.lvx")], &dir.join("other.jsonl"));
    assert!(run.status == 1 && run.err.contains("3 numbers"), "{}", run.err);
}

#[test]
fn a_bag_is_replaced_only_when_it_is_ours() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let out = dir.join("bag");
    let make = |words: &[&str]| convert(words, &[&*fixture("room.lvx")], &out);
    assert_eq!(make(&["--rosbag2-dir"]).status, 0);
    let yaml = fs::read_to_string(out.join("metadata.yaml")).unwrap();
    assert!(yaml.contains("- \"bag_0.mcap\"") && yaml.contains("message_count: 11"), "{yaml}");
    assert!(fs::read(out.join("bag_0.mcap")).unwrap().starts_with(b"\x89MCAP0\r\n"));
    assert_eq!(make(&["--rosbag2-dir"]).status, 1, "is there already");
    assert_eq!(make(&["--rosbag2-dir", "--force"]).status, 0);
    fs::write(out.join("notes.txt"), "mine").unwrap();
    assert_eq!(make(&["--rosbag2-dir", "--force"]).status, 1);
    fs::remove_file(out.join("notes.txt")).unwrap();
    fs::write(out.join("metadata.yaml"), yaml.replace("# Written by robolog\n", "")).unwrap();
    assert_eq!(make(&["--rosbag2-dir", "--force"]).status, 1, "a bag of someone else's");
    let run = convert(&["--rosbag2-dir", "--to", "pcd"], &[&*fixture("room.lvx")], &dir.join("x"));
    assert!(run.status == 1 && run.err.contains("of mcap"), "{}", run.err);
    let run = convert(&["--rosbag2-dir", "--schema", "foxglove"], &[&*fixture("room.lvx")], &dir.join("x"));
    assert!(run.status == 1 && run.err.contains("ROS 2 messages"), "{}", run.err);
    assert!(!dir.join("x").exists());
}

#[test]
fn a_folder_of_hive_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let out = dir.join("tables");
    let words = ["--per", "channel", "--to", "parquet", "--hive"];
    let make = |more: &[&str]| convert(&[&words, more].concat(), &[&*fixture("room.lvx")], &out);
    assert_eq!(make(&[]).status, 0);
    assert_eq!(make(&["--force"]).status, 0);
    fs::create_dir(out.join("kind=mine")).unwrap();
    assert_eq!(make(&["--force"]).status, 1);
}

#[test]
fn trajectories_go_onto_the_map() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("track.geojson");
    let log = fixture_of("carla-rec", "v0_9_15.log");
    let run = convert(&[], &[&*log], &out);
    assert!(run.status == 1 && run.err.contains("--origin"), "{}", run.err);
    let run = convert(&["--origin", "48.5,11.25,400"], &[&*log], &out);
    // Rows cannot be shown on a map.
    assert!(run.status == 0 && run.err.contains("19 GNSS fixes"), "{}", run.err);
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let features = json["features"].as_array().unwrap();
    // A line for each actor, and a point for one that has a single place.
    let mut places = Vec::new();
    for feature in features {
        let coordinates = feature["geometry"]["coordinates"].as_array().unwrap();
        let is_line = coordinates[0].is_array();
        places.extend(if is_line { coordinates.clone() } else { vec![coordinates.clone().into()] });
    }
    assert_eq!((features.len(), places.len()), (5, 19));
    for at in places {
        let near = |i: usize, want: f64| (at[i].as_f64().unwrap() - want).abs() < 0.01;
        assert!(near(0, 11.25) && near(1, 48.5), "{at}");
    }
    for odd in ["48", "91,0", "a,b", "1,2,3,4", "0,0,inf"] {
        assert_eq!(convert(&["--origin", odd], &[&*log], &out).status, 2, "{odd}");
    }
}

/// Accelerometers and gyrometer share a topic in a bag: a message for each row of both, because they are sent together.
#[test]
fn a_bag_has_one_topic_of_inertial_measurements() {
    let dir = tempfile::tempdir().unwrap();
    let data = fixture_of("effibox", "dataset");
    let topics = |out: &Path, args: &[&str]| {
        let run = robolog(
            [&["convert", data.to_str().unwrap(), "--rosbag2-dir", "-o", out.to_str().unwrap()], args]
                .concat(),
        );
        assert!(run.status == 0 || run.status == 3, "{}", run.err);
        let yaml = fs::read_to_string(out.join("metadata.yaml")).unwrap();
        let of = |name: &str| {
            let (_, rest) = yaml.split_once(&format!("name: \"/Bus_InterfaceCan_can0/{name}\"\n"))?;
            let count = rest.split_once("message_count: ")?.1.lines().next()?;
            count.trim().parse::<u64>().ok()
        };
        ["imu", "acc", "gyro", "acc/raw", "gyro/raw"].map(of)
    };
    let all = topics(&dir.path().join("all"), &[]);
    assert_eq!(all, [Some(150), None, None, Some(150), Some(150)]);
    // A channel chosen by name keeps its name.
    let chosen = topics(&dir.path().join("chosen"), &["--channel", "*/gyro"]);
    assert_eq!(chosen, [None, None, Some(150), None, None]);
}
