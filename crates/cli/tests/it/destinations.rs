//! Destinations of outputs: a folder, one picture each, or none; and notes about skipped samples.

use std::{fs, path::Path};

use crate::run::{Run, fixture, fixture_of, names, robolog, s};

fn skipped(run: &Run) -> Vec<&str> {
    run.err.lines().filter(|line| line.contains("skipped")).collect()
}

#[test]
fn all_images_of_a_data_set_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let (out, one) = (dir.path().join("imgs"), dir.path().join("one.png"));
    let set = fixture_of("effibox", "dataset");
    robolog(["convert", s(&set), "--to", "images", "-o", s(&out)]);
    let files = names(&out);
    // Eight images and the index.
    assert_eq!((files.len(), files[8].as_str()), (9, "_index.csv"), "{files:?}");
    for name in &files[..8] {
        assert!(fs::read(out.join(name)).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
    robolog(["convert", s(&set), "--to", "images", "-o", s(&one)]);
    assert!(fs::read(&one).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"), "named as one picture");
}

#[test]
fn a_cloud_optimized_file_is_named_by_both_its_extensions() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("x.COPC.laz");
    let room = fixture("room.lvx");
    let run = robolog(["convert", s(&room), "-o", s(&out), "--to", "laz"]);
    assert!(run.status == 2 && run.err.contains("the name says copc, but laz is asked for"), "{}", run.err);
    assert!(names(dir.path()).is_empty());
    assert_eq!(robolog(["convert", s(&room), "-o", s(&out)]).status, 0);
    let laz = dir.path().join("copc.laz");
    assert_eq!(robolog(["convert", s(&room), "-o", s(&laz)]).status, 0);
    // The COPC record comes first, at its fixed offset.
    assert_eq!(&fs::read(&out).unwrap()[377..381], b"copc");
    assert_ne!(&fs::read(&laz).unwrap()[377..381], b"copc");
}

#[test]
fn an_output_that_is_a_folder_takes_a_file_named_as_the_input() {
    let dir = tempfile::tempdir().unwrap();
    let room = fixture("room.lvx");
    let (new, there) = (format!("{}/", s(&dir.path().join("new"))), dir.path().join("there"));
    fs::create_dir(&there).unwrap();
    for out in [&*new, s(&there)] {
        let run = robolog(["convert", s(&room), "--to", "las", "-o", out]);
        assert_eq!((run.status, names(Path::new(out))), (0, vec!["room.las".into()]), "{}", run.err);
        robolog(["convert", s(&room), "--to", "las", "-o", out]).exits(1).says("room.las: exists already");
        robolog(["convert", s(&room), "-o", out]).exits(2).says("--to NAME chooses a format");
        let merge = robolog(["convert", s(&room), "--merge", "--to", "las", "-o", out]);
        assert!(merge.status == 1 && merge.err.contains("--merge writes one file"), "{}", merge.err);
    }
    let gone = format!("{}/", s(&dir.path().join("gone")));
    let run = robolog(["convert", s(&fixture_of("gpx", "drive.gpx")), "--to", "las", "-o", &gone]);
    assert_eq!(run.status, 1, "a track holds no points: {}", run.err);
    assert_eq!(names(dir.path()), ["new", "there"]);
}

/// The input is no recording: a verb that reads it first says so instead.
#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_recording_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| s(&dir.path().join(name)).to_owned();
    fs::write(path("log"), "no recording").unwrap();
    let verbs = [("report", "x.html"), ("plot", "x.svg"), ("events", "x.csv")];
    for (verb, out) in verbs {
        fs::write(path(out), "").unwrap();
        robolog([verb, &path("log"), "-o", &path(out)]).exits(1).says("exists already");
        robolog([verb, &path("log"), "-o", &path(&format!("gone/{out}"))]).exits(1).says("no such folder");
    }
    robolog(["events", &path("log"), "-o", &path("x.nothing")]).exits(2).says("unknown output format");
    fs::create_dir(path("pages")).unwrap();
    fs::write(path("pages/index.html"), "").unwrap();
    robolog(["report", s(dir.path()), "-o", &path("pages")]).exits(1).says("index.html: exists already");
    let torn = path("torn.gpx");
    fs::write(&torn, "<gpx><trk><trkseg><trkpt lat='1' lon='2'").unwrap();
    robolog(["convert", &torn, "-o", &path("x.csv")]).exits(1).says("exists already");
    assert_eq!(names(dir.path()), ["log", "pages", "torn.gpx", "x.csv", "x.html", "x.svg"]);
}

#[test]
fn kinds_without_a_place_are_one_line_of_the_recording_that_has_them() {
    let dir = tempfile::tempdir().unwrap();
    let (out, yaml) = (dir.path().join("out"), dir.path().join("mount.yaml"));
    let (log, nav) = (fixture_of("koblenz-log", "drive.log"), dir.path().join("nav.alog"));
    let run = robolog(["convert", s(&log), "--to", "gpx", "-f", "-o", s(&out)]);
    let line = format!(
        "robolog: {}: note: skipped 40 IMU samples, 8 laser scans, 8 rows and 2 others (-v names them): gpx holds GNSS \
         fixes and features only; --to mcap keeps them",
        s(&log)
    );
    assert_eq!(skipped(&run), [line.as_str()], "{}", run.err);
    let run = robolog(["convert", "-v", s(&log), "--to", "gpx", "-f", "-o", s(&out)]);
    let all = "skipped 40 IMU samples, 8 laser scans, 8 rows, 1 image and 1 point cloud:";
    assert!(skipped(&run).len() == 1 && run.err.contains(all), "{}", run.err);

    fs::write(&yaml, "- {parent: a, child: b, translation: [1, 0, 0]}").unwrap();
    let room = fixture("v11_type2.lvx");
    let run = robolog(["convert", s(&room), "--to", "ply", "--transforms", s(&yaml), "-f", "-o", s(&out)]);
    let named = |run: &Run, file: &Path| skipped(run).iter().filter(|line| line.contains(s(file))).count();
    assert!(run.status == 2 && run.err.contains("ply cannot hold transforms"), "{}", run.err);

    fs::write(&nav, "%% LOGSTART 1600000000\n1.0 DEPTH p 1\n").unwrap();
    let words = ["--merge", "--epoch", "2009-07-17T08:00:00Z", "--to", "gpx", "-f", "-o", s(&out)];
    let run = robolog([&["convert", s(&log), s(&nav)], &words[..]].concat());
    assert_eq!((named(&run, &log), named(&run, &nav), skipped(&run).len()), (1, 1, 2), "{}", run.err);
}

#[test]
fn a_place_off_the_globe_is_no_fix_and_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let (gpx, out) = (dir.path().join("pole.gpx"), dir.path().join("pole.kml"));
    let point = |latitude: u32| format!("<wpt lat=\"{latitude}\" lon=\"3\"/>");
    fs::write(&gpx, format!("<gpx version=\"1.1\">{}{}</gpx>", point(45), point(95))).unwrap();
    let run = robolog(["convert", s(&gpx), "-o", s(&out)]);
    assert!(run.err.contains("invalid latitude: found 95, expected -90 to 90 degrees"), "{}", run.err);
    assert_eq!(run.status, 3);
    let own = |line: &str| line.starts_with("robolog: ") && !line.contains("robolog_");
    assert!(run.err.lines().all(own) && !run.err.contains("WARN"), "{}", run.err);
}

#[test]
fn a_cut_by_a_channel_of_samples_says_that_records_are_cut_whole() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for (file, channel, of_records) in [
        (fixture_of("koblenz-log", "drive.log"), "gps/time", "gps/fix"),
        (fixture_of("carla-rec", "v0_9_15.log"), "actor_*/poses", "frames"),
        (fixture("room.lvx"), "tf_static", "/points"),
        (fixture_of("alog", "nav.alog"), "NAV/fix", "NAV_X"),
    ] {
        assert_eq!(robolog(["cat", "-q", s(&file), "--channel", channel]).status, 0, "{channel}");
        let run = robolog(["cut", s(&file), "--channel", channel, "-o", s(&out)]);
        assert_eq!(run.status, 2, "{}", run.err);
        assert!(run.err.contains("records are copied whole") && run.err.contains(of_records), "{}", run.err);
        assert!(run.err.contains("robolog convert"), "{}", run.err);
        let run = robolog(["cut", s(&file), "--channel", "neither", "-o", s(&out)]);
        assert!(run.status == 2 && run.err.contains("no channel matches 'neither'"), "{}", run.err);
    }
    assert!(robolog(["cut", "--help"]).text().contains("Records are copied whole"));
    assert!(names(dir.path()).is_empty());
}
