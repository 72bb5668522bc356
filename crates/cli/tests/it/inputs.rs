//! Several files and folders.

use std::{fs, path::Path};

use crate::run::{fixture, fixture_of, robolog, s};

#[test]
fn several_files_are_a_line_each_and_whole_when_asked_for() {
    let (sound, cut) = (fixture("room.lvx"), fixture("short_tail.lvx"));
    let run = robolog(["info", s(&sound), s(&cut)]);
    let text = run.text();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((run.status, lines.len()), (3, 3), "{text}");
    for head in ["FILE", "FORMAT", "SIZE", "START", "DURATION", "CHANNELS", "STATE"] {
        assert!(lines[0].contains(head), "{text}");
    }
    assert!(lines[1].starts_with(s(&sound)) && lines[1].contains("  lvx  "), "{text}");
    assert!(lines[2].contains("  damaged, ") && lines[2].ends_with(" lost"), "{text}");
    let all = robolog(["info", "-v", s(&sound), s(&cut)]).text();
    assert_eq!(all.matches("  CHANNEL").count(), 2, "{all}");
}

#[test]
fn a_folder_is_all_recordings_in_it_and_the_rest_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("b");
    fs::create_dir(&below).unwrap();
    fs::copy(fixture("room.lvx"), dir.path().join("c.lvx")).unwrap();
    fs::copy(fixture("v11_type2.lvx"), below.join("x.lvx")).unwrap();
    fs::copy(fixture_of("alog", "nav.alog"), dir.path().join("a.alog")).unwrap();
    fs::write(dir.path().join("README"), "read me").unwrap();
    let run = robolog(["info", "--json", s(dir.path())]);
    let paths: Vec<_> = run.json().iter().map(|info| info["path"].as_str().unwrap().to_owned()).collect();
    let wanted = ["a.alog", "b/x.lvx", "c.lvx"].map(|name| s(&dir.path().join(name)).to_owned());
    assert_eq!(paths, wanted, "{}", run.err);
    assert_eq!(run.err, format!("robolog: {}: note: skipped 1 file that is no recording\n", s(dir.path())));
    let check = robolog(["check", "-q", s(dir.path())]);
    assert_eq!((check.status, check.err.as_str()), (0, ""));
    assert_eq!(check.text().lines().filter(|line| line.contains(": sound: ")).count(), 3);
}

#[test]
fn a_folder_with_a_data_set_is_one_recording_and_beside_others_one_of_them() {
    let dataset = fixture_of("effibox", "dataset");
    let run = robolog(["info", "--json", "-q", s(&dataset)]);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["format"], "effibox");
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("run");
    fs::create_dir(&copy).unwrap();
    copy_folder(&dataset, &copy);
    fs::copy(fixture("room.lvx"), dir.path().join("room.lvx")).unwrap();
    let run = robolog(["info", "--json", "-q", s(dir.path())]);
    let formats: Vec<_> = run.json().iter().map(|info| info["format"].as_str().unwrap().to_owned()).collect();
    assert_eq!(formats, ["lvx", "effibox"], "{}", run.err);
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).unwrap();
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

#[test]
fn a_folder_without_recordings_and_a_missing_file_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let room = fixture("room.lvx");
    let run = robolog(["info", s(dir.path()), s(&room), "no-such.lvx"])
        .exits(1)
        .says("no recordings in this folder")
        .says("no-such.lvx");
    assert!(run.text().contains(s(&room)), "the others are told of: {}", run.text());
}

#[cfg(unix)]
#[test]
fn fifos_and_circles_of_links_in_a_folder_are_counted_and_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(fixture("room.lvx"), dir.path().join("room.lvx")).unwrap();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
    let fifo = dir.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let run = robolog(["info", "--json", s(dir.path())]);
    assert_eq!((run.status, run.json().len()), (0, 1), "{}", run.err);
    assert!(run.err.ends_with(": note: skipped 1 link to a folder, 1 pipe or device\n"), "{}", run.err);
}

#[test]
fn a_folder_of_tracks_or_of_data_sets_is_several_recordings() {
    let root = fixture("room.lvx").ancestors().nth(2).unwrap().to_owned();
    let run = robolog(["info", "--json", "-q", s(&root.join("gpx"))]);
    let tracks = run.json();
    assert!(tracks.len() > 35 && tracks.iter().all(|info| info["format"] != "effibox"), "{}", run.err);
    let run = robolog(["info", "--json", "-q", s(&root)]);
    let formats = run.json();
    let count = |format: &str| formats.iter().filter(|info| info["format"] == format).count();
    assert!(count("effibox") >= 5 && count("gpx") > 20 && count("kml") > 10 && count("nmea") > 10);
    assert!(count("alog") > 40, "a part of a log beside whole logs is no folder of parts");
}

#[test]
fn tracks_and_sentences_beside_a_data_set_are_recordings_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    };
    copy_folder(&fixture_of("effibox", "dataset"), &folder("run"));
    fs::copy(fixture_of("gpx", "drive.gpx"), folder("tracks").join("ride.gpx")).unwrap();
    fs::copy(fixture_of("nmea", "checksums.nmea"), folder("sentences").join("gps.nmea")).unwrap();
    let run = robolog(["info", "--json", "-q", s(dir.path())]);
    let formats: Vec<_> = run.json().iter().map(|info| info["format"].as_str().unwrap().to_owned()).collect();
    assert_eq!(formats, ["effibox", "nmea", "gpx"], "{}", run.err);
    let out = dir.path().join("out.mcap");
    let run = robolog(["convert", s(dir.path()), "-o", s(&out)]);
    let said = format!("{} holds 3 recordings: choose a format with --to", s(dir.path()));
    assert!(run.status == 2 && run.err.contains(&said) && run.err.contains("name the files"), "{}", run.err);
    let run = robolog(["cut", s(dir.path()), "-o", s(&out)]).exits(1).says("several formats");
    assert!(run.err.contains("name the files") && !out.exists(), "{}", run.err);
    // A track beside the files of an interface belongs to the data set.
    let track = dir.path().join("run/ride.gpx");
    fs::copy(fixture_of("gpx", "drive.gpx"), &track).unwrap();
    fs::write(dir.path().join("run/Bus_InterfaceGps_x_GGA_all.txt"), "").unwrap();
    assert_eq!(robolog(["info", "--json", "-q", s(&dir.path().join("run"))]).json().len(), 1);
}

#[test]
fn other_verbs_take_folders_too() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a.alog", "b.alog"] {
        fs::copy(fixture_of("alog", "nav.alog"), dir.path().join(name)).unwrap();
    }
    let one = robolog(["cat", s(&dir.path().join("a.alog"))]).json().len();
    let cat = robolog(["cat", s(dir.path())]).json();
    assert_eq!(cat.len(), 2 * one);
    assert!(cat[0]["file"].as_str().unwrap().ends_with("a.alog"));
    let grep = robolog(["alog", "grep", s(dir.path()), "NAV_X"]).text();
    assert!(grep.contains("a.alog:") && grep.contains("b.alog:"), "{grep}");
    let out = dir.path().join("merged.out.alog");
    assert_eq!(robolog(["merge", s(dir.path()), "-o", s(&out)]).status, 0);
    let entries = |log: &Path| robolog(["cat", s(log), "--channel", "NAV_X"]).json().len();
    assert_eq!(entries(&out), 2 * entries(&dir.path().join("a.alog")));
    robolog(["merge", s(&dir.path().join("a.alog")), "-o", "-"]).exits(2).says("two recordings or more");
}
