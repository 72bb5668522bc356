//! `diff`: compares recordings, whatever their order of records.

use std::{fs, path::Path};

use crate::run::{fixture, fixture_of, robolog, s, with_input};

#[test]
fn a_recording_is_the_same_as_itself_in_every_format() {
    for (format, name) in [
        ("lvx", "room.lvx"),
        ("alog", "nav.alog"),
        ("carla-rec", "v0_9_15.log"),
        ("koblenz-log", "drive.log"),
        ("gpx", "drive.gpx"),
        ("effibox", "dataset"),
    ] {
        let file = fixture_of(format, name);
        // Parts of the data set are damaged.
        let due = robolog(["check", s(&file)]).status;
        let run = robolog(["diff", s(&file), s(&file)]);
        assert_eq!((run.status, run.out.len()), (due, 0), "{name}: {}{}", run.text(), run.err);
        assert!(run.err.contains("the same: "), "{}", run.err);
    }
}

#[test]
fn channels_counts_and_the_first_value_that_differs_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.alog"), dir.path().join("b.alog"));
    fs::write(&a, "%% LOGSTART  0\n1.0  X  p  1\n2.0  Y  p  7\n3.0  X  p  2.5\n").unwrap();
    fs::write(&b, "%% LOGSTART  0\n1.0  X  p  1\n3.0  X  p  2.75\n3.5  Z  p  1\n").unwrap();
    let run = robolog(["diff", s(&a), s(&b)]).exits(1);
    let text = run.text();
    assert!(
        text.contains("Y: only in the first, 1 sample\n") && text.contains("Z: only in the second"),
        "{text}"
    );
    assert!(text.contains("X: sample 1 at ") && text.ends_with(": data is 2.5, 2.75\n"), "{text}");
    let json = &robolog(["diff", "--json", s(&a), s(&b)]).json()[0];
    assert_eq!(json["same"], false);
    assert_eq!(json["difference"]["values"], serde_json::json!([2.5, 2.75]));
    assert_eq!(json["difference"]["t_ns"], 3_000_000_000_i64);
    assert_eq!(json["changes"][0]["what"], "only");
    let near = robolog(["diff", s(&a), s(&b), "--tolerance", "0.25", "--channel", "X"]);
    assert_eq!(near.status, 0, "{}{}", near.text(), near.err);
    robolog(["diff", s(&a), s(&b), "--channel", "x"]).exits(2).says("did you mean X?");
}

#[test]
fn the_order_in_which_channels_alternate_does_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.alog"), dir.path().join("b.alog"));
    fs::write(&a, "%% LOGSTART  0\n1.0  X  p  1\n2.0  Y  p  7\n3.0  X  p  2\n4.0  Y  p  8\n").unwrap();
    let other = "%% LOGSTART  0\n2.0  Y  p  7\n4.0  Y  p  8\n1.0  X  p  1\n3.0  X  p  2\n";
    fs::write(&b, other).unwrap();
    assert_eq!(robolog(["diff", s(&a), s(&b)]).status, 0);
    with_input(["diff", s(&a), "-"], other.as_bytes()).exits(0);
}

#[test]
fn a_round_trip_through_another_format_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    let (file, kml) = (fixture_of("alog", "nav.alog"), dir.path().join("again.alog"));
    robolog(["cut", s(&file), "-o", s(&kml)]).exits(0);
    assert_eq!(robolog(["diff", s(&file), s(&kml)]).status, 0);
    robolog(["diff", s(&file), s(&fixture("room.lvx"))]).exits(1);
    let text = dir.path().join("text.txt");
    fs::write(&text, "no recording").unwrap();
    robolog(["diff", s(&file), s(&text)]).exits(1).says("text.txt");
    assert_eq!(robolog(["diff", s(&file)]).status, 2);
}

#[test]
fn damaged_recordings_are_the_same_only_as_far_as_they_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hole.alog");
    let text = "%% LOGSTART  0\n1.0  X  p  1\n2.0  \0\0\0\0\0\0\0\0  p  7\n3.0  X  p  2.5\n4.0  X  p  2.5\n";
    fs::write(&file, text).unwrap();
    assert_eq!(robolog(["check", s(&file)]).status, 3);
    robolog(["diff", s(&file), s(&file)]).exits(3).says("hole.alog: damaged, 1 fault").says("the same: 3");
    let sound = dir.path().join("sound.alog");
    fs::write(&sound, "%% LOGSTART  0\n1.0  X  p  1\n").unwrap();
    assert_eq!(robolog(["diff", s(&file), s(&sound)]).status, 1, "what differs differs");
}

/// The output of `diff` for a recording and its edited copy.
fn edited(dir: &Path, file: &Path, options: &[&str]) -> String {
    let out = dir.join("out").with_extension(file.extension().unwrap());
    let words = ["edit", s(file), "-f", "-o", s(&out)];
    robolog(words.into_iter().chain(options.iter().copied())).exits(0);
    let run = robolog(["diff", s(file), s(&out)]);
    assert_eq!(run.status, 1, "{options:?}: {}{}", run.text(), run.err);
    run.text()
}

#[test]
fn what_an_edit_changed_is_named_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("nav.alog");
    let text = "%% LOGSTART 1700000000.5\n1.0 NAV_X p 1 \n2.0 NAV_Y p 7 \n2.5 DEPTH p 3 \n3.0 NAV_X p 2.5 \n";
    fs::write(&log, text).unwrap();
    let edit = |file: &Path, options: &[&str]| edited(dir.path(), file, options);
    assert_eq!(edit(&log, &["--shift", "-7.25s"]), "all times: -7.250000000 s in the second\n");
    let renamed =
        "NAV_X: called GPS_X in the second, 2 samples\nNAV_Y: called GPS_Y in the second, 1 sample\n";
    assert_eq!(edit(&log, &["--rename", "NAV_*=GPS_*"]), renamed);
    assert_eq!(edit(&log, &["--drop", "NAV_Y"]), "NAV_Y: only in the first, 1 sample\n");
    assert_eq!(
        edit(&log, &["--drop", "NAV_Y", "--rename", "NAV_X=X", "--shift", "2s"]),
        "all times: +2.000000000 s in the second\nNAV_X: called X in the second, 2 samples\n\
         NAV_Y: only in the first, 1 sample\n"
    );
    let carla = fixture_of("carla-rec", "v0_9_15.log");
    assert_eq!(edit(&carla, &["--map-name", "Town01"]), "map (header): Town10HD_Opt, Town01\n");
    // Its header has whole seconds; the rest of a shift is in the elapsed times.
    assert_eq!(edit(&carla, &["--shift", "86401s"]), "all times: +86401.000000000 s in the second\n");
    for file in [fixture("room.lvx"), fixture_of("koblenz-log", "drive.log"), fixture_of("nmea", "days.nmea")]
    {
        let found = edit(&file, &["--shift", "86400.5s"]);
        assert_eq!(found, "all times: +86400.500000000 s in the second\n", "{}", file.display());
    }
    let two = fixture("v11_two_devices.lvx");
    let channels = robolog(["info", "--json", s(&two)]).json()[0]["channels"].clone();
    let first = channels[0]["name"].as_str().unwrap();
    assert_eq!(channels[0]["records"], 1);
    assert_eq!(edit(&two, &["--drop", first]), format!("{first}: only in the first, 1 sample\n"));
}

/// A channel that only resembles a renamed one is a different channel.
#[test]
fn channels_with_other_samples_are_not_renamed() {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a.alog", "b.alog"].map(|name| dir.path().join(name));
    fs::write(&a, "%% LOGSTART  0\n1.0  X  p  1\n1.0  Y  p  1\n3.0  X  p  2\n").unwrap();
    fs::write(&b, "%% LOGSTART  0\n1.0  Z  p  1\n1.0  Y  p  1\n3.0  Z  p  9\n").unwrap();
    let run = robolog(["diff", s(&a), s(&b)]);
    let found = (run.status, run.text());
    assert_eq!(found, (1, "X: only in the first, 2 samples\nZ: only in the second, 2 samples\n".into()));
    let json = &robolog(["diff", "--json", s(&a), s(&b)]).json()[0];
    assert_eq!((&json["compared"], &json["changes"][0]["what"]), (&1.into(), &"only".into()));
}
