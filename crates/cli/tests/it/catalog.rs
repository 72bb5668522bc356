//! `catalog`: tables of recordings, created and updated.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::run::{Run, fixture_of, robolog};

/// A folder `logs` with recordings, one of them damaged, and a file that is not a recording.
fn logs() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("logs/sub")).unwrap();
    for (name, format, from) in [
        ("crash.log", "carla-rec", "v0_9_15.log"),
        ("drive.gpx", "gpx", "drive.gpx"),
        ("drive.log", "koblenz-log", "drive.log"),
        ("nav.alog", "alog", "nav.alog"),
        ("short.lvx", "lvx", "short_tail.lvx"),
        ("sub/one.alog", "alog", "one_entry.alog"),
    ] {
        fs::copy(fixture_of(format, from), log(&dir, name)).unwrap();
    }
    fs::write(log(&dir, "notes.txt"), "no recording\n").unwrap();
    dir
}

fn log(dir: &TempDir, name: &str) -> PathBuf {
    dir.path().join("logs").join(name)
}

fn catalog(dir: &TempDir, out: &str, more: &[&str]) -> Run {
    let (logs, out) = (dir.path().join("logs"), dir.path().join(out));
    robolog([&["catalog", logs.to_str().unwrap(), "-o", out.to_str().unwrap()], more].concat())
}

fn read(dir: &TempDir, out: &str) -> Vec<u8> {
    fs::read(dir.path().join(out)).unwrap()
}

fn rows(dir: &TempDir, out: &str) -> Vec<Json> {
    String::from_utf8(read(dir, out))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A number of an extent, as in the table.
fn corner(degrees: f64) -> String {
    degrees.to_le_bytes().map(|byte| format!("{byte:02X}")).concat()
}

/// The rows, without the folder in paths.
fn names(rows: &[Json]) -> Vec<&str> {
    rows.iter().map(|row| row["path"].as_str().unwrap().rsplit("logs/").next().unwrap()).collect()
}

#[test]
fn a_row_says_what_a_recording_holds() {
    let dir = logs();
    let run = catalog(&dir, "c.jsonl", &[]);
    assert_eq!(run.status, 3, "{}", run.err);
    assert!(run.err.contains("c.jsonl: 6 recordings: kept 0, read 6, 1 damaged"), "{}", run.err);
    assert!(run.err.contains("skipped 1 file that is no recording"), "{}", run.err);
    let rows = rows(&dir, "c.jsonl");
    assert_eq!(
        names(&rows),
        ["crash.log", "drive.gpx", "drive.log", "nav.alog", "short.lvx", "sub/one.alog"]
    );
    let [crash, gpx, koblenz, nav, short, one] = &rows[..] else { panic!("{rows:?}") };
    // The bytes of these files are defined in xtask.
    assert_eq!((&crash["map"], &crash["collisions"]), (&json!("Town10HD_Opt"), &json!(2)));
    assert_eq!(crash["events"], Json::Null, "not asked for");
    assert_eq!(gpx["start"], "2009-07-17T08:58:42Z");
    assert_eq!((&gpx["end"], &gpx["duration"]), (&json!("2009-07-17T08:58:47Z"), &json!(5.0)));
    let channel = &gpx["channels"][0];
    assert_eq!((&channel["kind"], &channel["count"]), (&json!("gnss_fix"), &json!(6)));
    let units: Json = serde_json::from_str(channel["units"].as_str().unwrap()).unwrap();
    assert_eq!((&units["latitude"], &units["speed"]), (&json!("deg"), &json!("m/s")));
    let point = |longitude: f64, latitude: f64| [corner(longitude), corner(latitude)].concat();
    let south_west = point(3.109_927_167, 45.760_157_67);
    let extent = gpx["extent"].as_str().unwrap();
    assert!(extent.starts_with("01030000000100000005000000") && extent.contains(&south_west), "{extent}");
    // Its stamps count from a start, with the date from its receiver.
    assert!(koblenz["start"].as_str().unwrap().starts_with("2009-07-17T09:59:5"), "{koblenz}");
    assert_eq!(koblenz["devices"], json!(["HDL-64E S1", "front"]));
    assert_eq!(
        (&nav["format"], &nav["sound"], &short["extent"]),
        (&json!("alog"), &json!(true), &Json::Null)
    );
    let extent = nav["extent"].as_str().unwrap();
    for corner in [point(-70.33040, 43.82512), point(-70.33026, 43.82519)] {
        assert!(extent.contains(&corner), "{extent}");
    }
    assert_eq!((&short["sound"], &short["finding_count"]), (&json!(false), &json!(1)));
    assert!(short["findings"][0].as_str().unwrap().contains("346 bytes too early"), "{short}");
    assert_eq!((&short["devices"], &short["bytes"]), (&json!(["AVIASAMPLE00001"]), &json!(2726)));
    assert_eq!((&one["start"], &one["clock"]), (&Json::Null, &json!("relative")));
}

#[test]
fn what_did_not_change_is_kept_and_what_did_is_read_again() {
    for out in ["c.parquet", "c.csv", "c.jsonl"] {
        let dir = logs();
        let first = catalog(&dir, out, &[]);
        assert!(first.err.contains("kept 0, read 6, 1 damaged"), "{}", first.err);
        let (bytes, made) =
            (read(&dir, out), fs::metadata(dir.path().join(out)).unwrap().modified().unwrap());
        let again = catalog(&dir, out, &[]);
        assert!(again.err.contains("kept 6, read 0, 1 damaged") && again.status == 3, "{}", again.err);
        assert_eq!(read(&dir, out), bytes);
        assert_eq!(fs::metadata(dir.path().join(out)).unwrap().modified().unwrap(), made, "written again");

        // One grows, one is touched, one is removed, one is added, and one of the same size and time gets another first
        // byte.
        let nav = fs::read(log(&dir, "nav.alog")).unwrap();
        fs::write(log(&dir, "nav.alog"), [&nav[..], b"9.0  NAV_X  pNav  1.5\n"].concat()).unwrap();
        let yesterday = SystemTime::now() - Duration::from_secs(86_400);
        let touched = File::options().append(true).open(log(&dir, "crash.log")).unwrap();
        touched.set_modified(yesterday).unwrap();
        fs::remove_file(log(&dir, "drive.log")).unwrap();
        fs::copy(log(&dir, "drive.gpx"), log(&dir, "another.gpx")).unwrap();
        let one = log(&dir, "sub/one.alog");
        let time = fs::metadata(&one).unwrap().modified().unwrap();
        let text = fs::read_to_string(&one).unwrap().replace("NAV_X", "NAV_Y");
        fs::write(&one, text).unwrap();
        File::options().append(true).open(&one).unwrap().set_modified(time).unwrap();
        let changed = catalog(&dir, out, &[]);
        assert!(changed.err.contains("6 recordings: kept 3, read 3, 1 damaged"), "{}", changed.err);
        assert_ne!(read(&dir, out), bytes);

        // A new catalogue is equal, and so is one in another format.
        let fresh = format!("fresh.{out}");
        catalog(&dir, &fresh, &[]);
        assert!(read(&dir, out) == read(&dir, &fresh), "{out}");
        let forced = catalog(&dir, out, &["--force"]);
        assert!(forced.err.contains("kept 0, read 6"), "{}", forced.err);
        assert!(read(&dir, out) == read(&dir, &fresh), "{out}");
        // This changes the times of MOOS logs.
        let other = catalog(&dir, out, &["--time", "relative"]);
        assert!(other.err.contains("kept 0, read 6"), "{}", other.err);
        assert!(!dir.path().join(format!("{out}.journal")).exists());
    }
}

/// Sets the time of a file to a day ago.
fn age(file: &Path) {
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    File::options().append(true).open(file).unwrap().set_modified(yesterday).unwrap();
}

#[test]
fn what_has_its_size_and_time_is_not_opened() {
    for out in ["c.parquet", "c.csv", "c.jsonl"] {
        let dir = logs();
        let nav = log(&dir, "nav.alog");
        age(&nav);
        let time = fs::metadata(&nav).unwrap().modified().unwrap();
        catalog(&dir, out, &[]);
        // Opening it would find no recording.
        fs::write(&nav, vec![0xff; usize::try_from(fs::metadata(&nav).unwrap().len()).unwrap()]).unwrap();
        File::options().append(true).open(&nav).unwrap().set_modified(time).unwrap();
        fs::remove_file(log(&dir, "drive.log")).unwrap();
        let again = catalog(&dir, out, &[]);
        assert!(again.err.contains("5 recordings: kept 5, read 0"), "{}", again.err);
    }
}

/// Unchanged rows are copied as they are, with lists, nulls and groups, in several row groups, too.
#[cfg(feature = "parquet")]
#[test]
fn rows_of_parquet_are_copied_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("logs")).unwrap();
    // A few of these rows fill a row group because they have many channels.
    let entries = |n: usize, name: &str| {
        let entry = |i| format!("{i}.5  {name}_{i:05}_{}  pNav  1.5", "x".repeat(150));
        (0..n).map(entry).collect::<Vec<_>>().join("\n") + "\n"
    };
    for (i, name) in ["A", "B", "C", "D", "E"].iter().enumerate() {
        let file = log(&dir, &format!("{name}.alog"));
        fs::write(&file, format!("%% LOGSTART 160000000{i}\n{}", entries(9_000 + i, name))).unwrap();
        age(&file);
    }
    fs::copy(fixture_of("lvx", "short_tail.lvx"), log(&dir, "short.lvx")).unwrap();
    fs::copy(fixture_of("gpx", "drive.gpx"), log(&dir, "drive.gpx")).unwrap();
    catalog(&dir, "c.parquet", &[]);
    fs::write(log(&dir, "C.alog"), format!("%% LOGSTART 1600000009\n{}", entries(5, "C"))).unwrap();
    fs::remove_file(log(&dir, "A.alog")).unwrap();
    age(&log(&dir, "short.lvx"));
    let again = catalog(&dir, "c.parquet", &[]);
    assert!(again.err.contains("6 recordings: kept 5, read 1"), "{}", again.err);
    catalog(&dir, "fresh.parquet", &[]);
    assert!(read(&dir, "c.parquet") == read(&dir, "fresh.parquet"));
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_goes_on() {
    for out in ["c.parquet", "c.csv", "c.jsonl"] {
        let dir = logs();
        catalog(&dir, &format!("whole.{out}"), &[]);
        // A limit on the file size, in blocks of 512 bytes, ends the run in the middle of a row.
        let line = format!(
            "ulimit -c 0; ulimit -f 18; exec '{}' catalog logs -o {out}",
            env!("CARGO_BIN_EXE_robolog")
        );
        let killed =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap();
        assert_eq!(killed.status.code(), None, "{killed:?}");
        assert!(!dir.path().join(out).exists());
        let journal = read(&dir, &format!("{out}.journal"));
        assert!(journal.len() == 18 * 512 && !journal.ends_with(b"\n"), "{}", journal.len());
        let rows = journal.split(|byte| *byte == b'\n').count() - 1;
        assert!((1..6).contains(&rows), "{rows}");
        let line = format!("exec '{}' catalog logs -o {out}", env!("CARGO_BIN_EXE_robolog"));
        let run =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.contains(&format!("kept {rows}, read {}", 6 - rows)), "{said}");
        assert!(!dir.path().join(format!("{out}.journal")).exists());
        let line = format!("exec '{}' catalog logs -o whole.{out} -f", env!("CARGO_BIN_EXE_robolog"));
        std::process::Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap();
        assert!(read(&dir, out) == read(&dir, &format!("whole.{out}")), "{out}");
    }
}

#[test]
fn a_data_set_is_one_row_and_is_read_again_when_a_file_in_it_changes() {
    let dir = tempfile::tempdir().unwrap();
    let set = dir.path().join("logs/set");
    fs::create_dir_all(set.join("Bus_InterfaceCan_can0")).unwrap();
    let from = fixture_of("effibox", "dataset_estimated").join("Bus_InterfaceCan_can0");
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), set.join("Bus_InterfaceCan_can0").join(entry.file_name())).unwrap();
    }
    catalog(&dir, "c.jsonl", &[]);
    let rows = rows(&dir, "c.jsonl");
    assert_eq!((names(&rows), &rows[0]["format"]), (vec!["set"], &json!("effibox")));
    assert_eq!((&rows[0]["devices"], &rows[0]["extent"]), (&json!(["Bus_InterfaceCan_can0"]), &Json::Null));
    assert!(catalog(&dir, "c.jsonl", &[]).err.contains("kept 1, read 0"));
    // Latitude and longitude in radians, pi / 4 and pi / 60: a point.
    let fix = "1 0 0 0 0.7853981633974483 0.05235987755982988 0 8 32322 2 1 -1\n";
    fs::write(set.join("Bus_InterfaceCan_can0/Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt"), fix).unwrap();
    assert!(catalog(&dir, "c.jsonl", &[]).err.contains("kept 0, read 1"));
    let point = ["0101000000", &corner(3.0), &corner(45.0)].concat();
    assert_eq!(self::rows(&dir, "c.jsonl")[0]["extent"], json!(point));
}

#[test]
fn what_cannot_be_read_is_a_row_and_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("logs")).unwrap();
    let none = catalog(&dir, "c.csv", &[]);
    assert!(none.status == 1 && none.err.contains("no recordings in this folder"), "{}", none.err);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left");
    fs::copy(fixture_of("alog", "nav.alog"), log(&dir, "nav.alog")).unwrap();
    let photo = log(&dir, "photo.jpg");
    fs::write(&photo, b"\xff\xd8\xff\xe0\0\x10JFIF").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", log(&dir, "broken.lvx")).unwrap();
    for _ in 0..2 {
        let run = catalog(&dir, "c.jsonl", &[photo.to_str().unwrap()]);
        let rows = rows(&dir, "c.jsonl");
        let broken = usize::from(cfg!(unix));
        assert_eq!((run.status, rows.len()), (3, 2 + broken), "{}", run.err);
        let photo = rows.last().unwrap();
        assert!(photo["findings"][0].as_str().unwrap().contains("JPEG image, not a recording"), "{photo}");
        assert_eq!((&photo["format"], &photo["sound"]), (&Json::Null, &json!(false)));
        assert!(
            run.err.contains(&format!("read {}", rows.len())) || run.err.contains("kept 1"),
            "{}",
            run.err
        );
    }
}

#[test]
fn what_is_no_catalogue_stays() {
    let dir = logs();
    let inside = |name: &str| format!("logs/{name}");
    fs::write(dir.path().join("c.parquet"), "precious").unwrap();
    fs::write(dir.path().join("c.csv"), "a,b\n1,2\n").unwrap();
    fs::write(dir.path().join("c.jsonl"), "{}\n").unwrap();
    for out in ["c.parquet", "c.csv", "c.jsonl"] {
        let (before, run) = (read(&dir, out), catalog(&dir, out, &[]));
        assert!(run.status == 1 && run.err.contains("not a catalogue"), "{}", run.err);
        assert_eq!(read(&dir, out), before);
        assert_eq!(catalog(&dir, out, &["-f"]).status, 3);
    }
    fs::copy(log(&dir, "nav.alog"), log(&dir, "nav.csv")).unwrap();
    let run = catalog(&dir, &inside("nav.csv"), &["-f"]);
    assert!(run.status == 1 && run.err.contains("is the input itself"), "{}", run.err);
    for (words, status, said) in [
        (&["-o", "c.xlsx"][..], 2, "did you mean csv or parquet?"),
        (&["-o", "c.csv", "--to", "parquet"], 2, "the name says csv, but parquet is asked for"),
        (&["-o", "c.csv", "-"], 1, "not standard input"),
    ] {
        let run = robolog([&["catalog", dir.path().to_str().unwrap()], words].concat());
        assert!(run.status == status && run.err.contains(said), "{}", run.err);
    }
    // With a pipe as output, no run can continue.
    let run = catalog(&dir, "c.csv", &["--to", "csv"]);
    assert_eq!(run.status, 3);
    let out = robolog(["catalog", dir.path().join("logs").to_str().unwrap(), "-o", "-", "--to", "jsonl"]);
    assert_eq!((out.json().len(), Path::new("-.journal").exists()), (7, false));
}
