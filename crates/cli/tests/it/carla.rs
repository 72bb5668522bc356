//! `robolog carla`, and what the other verbs do with CARLA recordings.

use std::{fs, path::Path};

use crate::run::{fixture, fixture_of, robolog, with_input};

fn log(name: &str) -> String {
    fixture_of("carla-rec", name).to_str().unwrap().to_owned()
}

fn s(path: &Path) -> &str {
    path.to_str().unwrap()
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
    assert!(lvx.status == 1 && lvx.err.contains("asks CARLA recordings only"), "{}", lvx.err);
    for types in ["x", "av?", "zz"] {
        assert_eq!(
            robolog(["carla", "collisions", &log("collisions.log"), "--types", types]).status,
            2,
            "{types}"
        );
    }
    let forced = robolog(["info", "--format", "carla-rec:1.0", &log("v0_9_15.log")]);
    assert!(forced.status == 1 && forced.err.contains("carla-rec:0.9.16"), "{}", forced.err);
    assert_eq!(robolog(["info", "--format", "carla-rec:0.9.15", &log("v0_9_15.log")]).status, 0);
    // Doubles where floats are: nothing fits.
    assert_eq!(robolog(["info", "--format", "carla-rec:ue5", &log("v0_9_15.log")]).status, 3);
}

#[test]
fn damage_is_said_and_the_rest_is_answered() {
    let cut = robolog(["carla", "info", &log("trunc_in_position.log"), "--all", "--utc"]);
    assert_eq!(cut.status, 3);
    assert!(cut.err.contains("packet 6 (Position)"), "{}", cut.err);
    assert!(cut.text().contains("\nFrames: 3\n"), "{}", cut.text());
    let check = robolog(["check", &log("trunc_in_position.log")]).text();
    assert!(
        check.contains("cut inside packet 6 (Position) at offset 0x885, 2 whole frames before it"),
        "{check}"
    );
}

#[test]
fn tables_come_out_by_kind_and_trajectories_by_channel() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables");
    let file = log("v0_9_16.log");
    let run = robolog(["convert", &file, "--to", "csv", "--per", "kind", "-o", s(&tables)]);
    assert_eq!(run.status, 0, "{}", run.err);
    for table in ["frames", "actors", "poses", "controls", "lights", "traffic_lights", "kinematics"] {
        let text = fs::read_to_string(tables.join(format!("{table}.csv"))).unwrap();
        assert!(text.starts_with("time_ns,channel,") && text.lines().count() > 1, "{table}: {text}");
    }
    let tracks = dir.path().join("tracks");
    let channel = ["--channel", "actor_25/poses", "--per", "channel"];
    let run = robolog(["convert", &file, "--to", "tum", "-o", s(&tracks)].iter().chain(&channel));
    assert_eq!(run.status, 0, "{}", run.err);
    let track = fs::read_to_string(tracks.join("actor_25_poses.tum")).unwrap();
    assert!(track.lines().count() == 4 && track.lines().all(|line| line.split(' ').count() == 8), "{track}");
    // NaN survives tables and is null in JSON.
    let file = log("v0_9_12_wheel48.log");
    let run = robolog(["convert", &file, "--to", "csv", "--per", "kind", "-o", s(&dir.path().join("nan"))]);
    assert_eq!(run.status, 0, "{}", run.err);
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
    let run = robolog(["cut", &file, "--frames", "3..4", "-o", s(&part)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let text = robolog(["carla", "info", s(&part), "--utc"]).text();
    assert!(text.contains("Frame 3 at ") && text.contains(" Create 25: vehicle."), "{text}");
    assert!(!text.contains("Frame 1 ") && !text.contains("Frame 4 "), "{text}");
    assert_eq!(robolog(["check", s(&part)]).status, 0);
    let none = robolog(["cut", &file, "--frames", "7..9", "-o", s(&dir.path().join("none.log"))]);
    assert!(
        none.status == 1 && none.err.contains("nothing in the recording is within the limits"),
        "{}",
        none.err
    );
    assert_eq!(robolog(["cut", &file, "--frames", "9..7", "-o", "x.log"]).status, 2);
}

#[test]
fn what_is_recovered_holds_whole_frames() {
    let dir = tempfile::tempdir().unwrap();
    for (name, frames) in
        [("trunc_in_position", 2), ("trunc_after_packet", 3), ("zero_tail", 4), ("bad_size_huge", 3)]
    {
        let out = dir.path().join(name);
        let run = robolog(["recover", &log(&format!("{name}.log")), "-o", s(&out)]);
        assert_eq!(run.status, 3, "{name}: {}", run.err);
        let info = &robolog(["info", "--json", s(&out)]).json()[0];
        assert_eq!(
            (&info["complete"], info["details"]["frames"].as_u64()),
            (&true.into(), Some(frames)),
            "{name}"
        );
    }
}
