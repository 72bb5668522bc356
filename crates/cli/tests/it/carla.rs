//! `robolog carla`, and other verbs on CARLA recordings.

use std::{collections::BTreeMap, fs};

use crate::run::{fixture, fixture_of, robolog, s, with_input};

fn log(name: &str) -> String {
    fixture_of("carla-rec", name).to_str().unwrap().to_owned()
}

#[test]
fn the_queries_answer_from_files_and_pipes() {
    let file = log("v0_9_15.log");
    let info = robolog(["carla", "info", &file, "--utc"]);
    assert_eq!((info.status, info.err.as_str()), (0, ""));
    assert!(info.text().starts_with("Version: 1\nMap: "), "{}", info.text());
    assert!(
        info.text()
            .contains("\nDate: 06/12/24 12:00:00\n\nFrame 1 at 0 seconds\n Create 24: spectator (0) at (")
    );
    let piped = with_input(["carla", "info", "-", "--utc"], &fs::read(&file).unwrap());
    assert!(piped.status == 0 && piped.out == info.out);
    let all = robolog(["carla", "info", &file, "--utc", "--all"]).text();
    assert!(all.contains("\n Positions: ") && all.contains(" Rotation: ("));
    let older = robolog(["carla", "info", &file, "--utc", "--all", "--wording", "0.9.10"]).text();
    assert!(older.contains(") Rotation (") && older.contains(" Brake "), "{older}");
    assert!(older.lines().count() < all.lines().count(), "frames ended without a blank line then");
}

#[test]
fn raw_packets_are_judged_by_the_whole_recording() {
    let mut file = fs::read(log("v0_9_15.log")).unwrap();
    let sound = with_input(["cat", "--raw", "-"], &file);
    assert_eq!((sound.status, sound.err.as_str()), (0, ""));
    // The count of the first packet of wheels; by itself it may be of another kind.
    let mut at = 28 + usize::from(u16::from_le_bytes([file[26], file[27]]));
    while file[at] != 21 {
        at += 5 + u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap()) as usize;
    }
    file[at + 5] ^= 1;
    let damaged = with_input(["cat", "--raw", "-"], &file);
    let faults = damaged.text().lines().filter(|line| line.contains("\"error\":")).count();
    assert_eq!((damaged.status, faults), (3, 1), "{}", damaged.err);
}

#[test]
fn dates_are_in_the_zone_of_the_machine_unless_utc_is_asked_for() {
    let file = log("v0_9_15.log");
    let ask = |utc: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_robolog"));
        let output =
            command.args(["carla", "info", &file]).args(utc).env("TZ", "UTC-05:00").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(ask(&[]).contains("Date: 06/12/24 17:00:00"), "{}", ask(&[]));
    assert!(ask(&["--utc"]).contains("Date: 06/12/24 12:00:00"));
}

#[test]
fn other_formats_and_wrong_letters_are_refused() {
    let lvx = robolog(["carla", "info", s(&fixture("room.lvx"))]);
    assert!(lvx.status == 1 && lvx.err.contains("is lvx, not carla-rec"), "{}", lvx.err);
    for types in ["x", "av?", "zz"] {
        assert_eq!(
            robolog(["carla", "collisions", &log("collisions.log"), "--types", types]).status,
            2,
            "{types}"
        );
    }
    robolog(["info", "--format", "carla-rec:1.0", &log("v0_9_15.log")]).exits(2).says("carla-rec:0.9.16");
    assert_eq!(robolog(["info", "--format", "carla-rec:0.9.15", &log("v0_9_15.log")]).status, 0);
    // Doubles instead of floats: nothing fits.
    assert_eq!(robolog(["info", "--format", "carla-rec:ue5", &log("v0_9_15.log")]).status, 3);
}

#[test]
fn damage_is_said_and_the_rest_is_answered() {
    let cut = robolog(["carla", "info", &log("trunc_in_position.log"), "--all", "--utc"]);
    assert_eq!(cut.status, 3);
    assert!(cut.err.contains("packet 6 (Position)"), "{}", cut.err);
    assert!(cut.text().contains("\nFrames: 3\n"), "{}", cut.text());
    let check = robolog(["check", &log("trunc_in_position.log")]).text();
    assert!(check.contains("cut inside packet 6 (Position), 2 whole frames before it"), "{check}");
}

#[test]
fn tables_come_out_by_kind_and_trajectories_by_channel() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables");
    let file = log("v0_9_16.log");
    robolog(["convert", &file, "--to", "csv", "--per", "name", "-o", s(&tables)]).exits(0);
    for table in ["frames", "actors", "poses", "controls", "lights", "traffic_lights", "kinematics"] {
        let text = fs::read_to_string(tables.join(format!("{table}.csv"))).unwrap();
        assert!(text.starts_with("time_ns,channel,") && text.lines().count() > 1, "{table}: {text}");
    }
    let tracks = dir.path().join("tracks");
    let channel = ["--channel", "actor_25/poses", "--per", "channel"];
    robolog(["convert", &file, "--to", "tum", "-o", s(&tracks)].iter().chain(&channel)).exits(0);
    let track = fs::read_to_string(tracks.join("actor_25_poses.tum")).unwrap();
    assert!(track.lines().count() == 4 && track.lines().all(|line| line.split(' ').count() == 8), "{track}");
    // NaN is kept in tables, and is null in JSON.
    let file = log("v0_9_12_wheel48.log");
    robolog(["convert", &file, "--to", "csv", "--per", "name", "-o", s(&dir.path().join("nan"))]).exits(0);
    let boxes = fs::read_to_string(dir.path().join("nan/bounding_boxes.csv")).unwrap();
    assert!(boxes.contains("NaN,NaN,NaN,inf,inf,inf"), "{boxes}");
    let lines = robolog(["cat", &file, "--channel", "*/bounding_boxes"]).json();
    assert!(lines.iter().any(|line| line["value"]["x"].is_null() && line["value"]["extent_x"].is_null()));
}

#[test]
fn a_cut_by_frames_stands_on_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let (part, all) = (dir.path().join("part.log"), dir.path().join("all.log"));
    let file = log("v0_9_15.log");
    assert_eq!(robolog(["cut", &file, "-o", s(&all)]).status, 0);
    assert!(fs::read(&all).unwrap() == fs::read(&file).unwrap());
    robolog(["cut", &file, "--frames", "3..4", "-o", s(&part)]).exits(0);
    let text = robolog(["carla", "info", s(&part), "--utc"]).text();
    assert!(text.contains("Frame 3 at ") && text.contains(" Create 25: vehicle."), "{text}");
    assert!(!text.contains("Frame 1 ") && !text.contains("Frame 4 "), "{text}");
    assert_eq!(robolog(["check", s(&part)]).status, 0);
    robolog(["cut", &file, "--frames", "7..9", "-o", s(&dir.path().join("none.log"))])
        .exits(1)
        .says("nothing in the recording is within the limits");
    assert_eq!(robolog(["cut", &file, "--frames", "9..7", "-o", "x.log"]).status, 2);
}

#[test]
fn what_is_recovered_holds_every_frame() {
    let dir = tempfile::tempdir().unwrap();
    for (name, frames) in
        [("trunc_in_position", 3), ("trunc_after_packet", 4), ("zero_tail", 4), ("bad_size_huge", 4)]
    {
        let out = dir.path().join(name);
        robolog(["recover", &log(&format!("{name}.log")), "-o", s(&out)]).exits(3);
        let info = &robolog(["info", "--json", s(&out)]).json()[0];
        assert_eq!(
            (&info["complete"], info["details"]["frames"].as_u64()),
            (&true.into(), Some(frames)),
            "{name}"
        );
    }
}

#[test]
fn one_of_several_trajectories_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (log("v0_9_15.log"), dir.path().join("run.tum"));
    for to in ["tum", "kitti", "euroc", "kitti-times"] {
        let run = robolog(["convert", &file, "--to", to, "-o", s(&dir.path().join("run"))]).exits(2);
        assert!(
            run.err.contains("the target holds one") && run.err.contains("\n  actor_25/poses (4 poses, ")
        );
        assert!(!out.exists() && fs::read_dir(dir.path()).unwrap().count() == 0, "{to}: something is left");
    }
    let poses = |words: &[&str]| {
        robolog([&["convert", &file, "-f", "-o", s(&out)], words].concat()).exits(0);
        fs::read_to_string(&out).unwrap()
    };
    let [named, hero] = [&["--channel", "actor_25/poses"][..], &["--hero"]].map(poses);
    assert!(named.lines().count() == 4 && named == hero);
    // No other trajectory is longer.
    let longest = length(&poses(&["--longest"]));
    for line in robolog(["cat", &file, "--channel", "*/poses"]).json() {
        assert!(length(&poses(&["--channel", line["channel"].as_str().unwrap()])) <= longest);
    }
    let none = robolog(["convert", &log("blocked.log"), "--hero", "-o", s(&dir.path().join("none.tum"))]);
    assert!(none.status == 2 && none.err.contains("no actor has the role_name hero"), "{}", none.err);
    assert_eq!(robolog(["convert", &file, "--hero", "--longest", "-o", s(&out)]).status, 2);
}

/// Length of the trajectory in a TUM file, in metres.
fn length(tum: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap();
    let places: Vec<[f64; 3]> = tum
        .lines()
        .map(|line| line.split(' ').skip(1).take(3).map(number).collect::<Vec<_>>().try_into().unwrap())
        .collect();
    let step = |pair: &[[f64; 3]]| (0..3).map(|i| (pair[1][i] - pair[0][i]).powi(2)).sum::<f64>().sqrt();
    places.windows(2).map(step).sum()
}

/// If `check` finds damage, the other verbs exit with 3, and all counts agree.
#[test]
fn verbs_agree_about_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = 0;
    for fixture in testkit::one_in(3, testkit::fixtures("carla-rec", "log")) {
        let (file, name) = (s(&fixture.path).to_owned(), &fixture.name);
        let check = robolog(["check", &file]);
        if check.status == 1 {
            continue;
        }
        let info = &robolog(["info", "--json", &file]).json()[0];
        let mut counted = BTreeMap::<String, u64>::new();
        for channel in info["channels"].as_array().unwrap() {
            counted.insert(channel["name"].as_str().unwrap().into(), channel["records"].as_u64().unwrap());
        }
        let cat = robolog(["cat", &file]);
        let mut delivered = BTreeMap::<String, u64>::new();
        for line in cat.json() {
            *delivered.entry(line["channel"].as_str().unwrap().into()).or_default() += 1;
        }
        assert_eq!(delivered, counted, "{name}: cat and info");
        let out = dir.path().join(name);
        let recover = robolog(["recover", &file, "-o", s(&out)]);
        if delivered.is_empty() {
            continue;
        }
        assert_eq!([cat.status, recover.status], [check.status; 2], "{name}: {}{}", cat.err, recover.err);
        assert_eq!(robolog(["check", s(&out)]).status, 0, "{name}");
        let lost = info["lost_bytes"].as_u64().unwrap();
        if lost > 0 {
            assert!(recover.err.contains(&format!(" {lost} byte")), "{name}, {lost}: {}", recover.err);
        }
        files += 1;
    }
    assert!(files > testkit::bound(9, 30), "only {files}");
}

#[test]
fn info_names_the_heroes() {
    let text = robolog(["info", &log("v0_9_15.log")]).text();
    assert!(text.contains("  hero        actor 25, a "), "{text}");
}
