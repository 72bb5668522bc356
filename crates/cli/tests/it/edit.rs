//! `edit`: expected results are laid out by hand.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::run::{Run, fixture, fixture_of, robolog, s};

/// The output of `edit` for a file with these bytes.
fn edited(name: &str, bytes: &[u8], steps: &[&str]) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join(name), dir.path().join(format!("out_{name}")));
    fs::write(&file, bytes).unwrap();
    let run = edit(&file, &out, steps);
    assert_eq!(run.status, 0, "{}", run.err);
    fs::read(out).unwrap()
}

fn edit(file: &Path, out: &Path, steps: &[&str]) -> Run {
    let words = ["edit", s(file), "-o", s(out)];
    robolog(words.into_iter().chain(steps.iter().copied()))
}

const LOG: &str = "\
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%% LOG FILE:       ./a/a.alog
%% FILE OPENED ON  Thu Jan  1 01:00:00 1970
%% LOGSTART           1714983600.12
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
0.50277         DB_TIME              MOOSDB_alpha    1714983600.62   \n\
1.05446         NODE_REPORT          pNodeReporter   NAME=alpha,TIME=1714983601.10,X=1 \n\
1.25004         NAV_X                uSimMarineV22   12.50000     \n";

#[test]
fn an_alog_is_shifted_by_its_start_and_the_times_that_stand_for_those_of_entries() {
    let wanted =
        LOG.replace("1714983600.12\n", "1714983601.62\n").replace("TIME=1714983601.10", "TIME=1714983602.60");
    assert_eq!(String::from_utf8(edited("a.alog", LOG.as_bytes(), &["--shift", "1.5s"])).unwrap(), wanted);
    // A log without a start is shifted entry by entry, and columns keep their places.
    let bare = "9.50277         DB_UPTIME            MOOSDB          1.00000      \n";
    let wanted = "10.00277        DB_UPTIME            MOOSDB          1.00000      \n";
    let out = edited("a.xlog", bare.as_bytes(), &["--shift", "0.5"]);
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
}

#[test]
fn a_recording_starts_when_it_is_told_to() {
    let out = edited("a.alog", LOG.as_bytes(), &["--start-at", "2030-01-01T00:00:00Z"]);
    let start = "1893456000.00000";
    // The first entry is exactly half a second after LOGSTART.
    assert!(String::from_utf8(out).unwrap().contains("LOGSTART           1893455999.49723\n"), "{start}");
    let dir = tempfile::tempdir().unwrap();
    let run = edit(
        &fixture_of("koblenz-log", "drive.log"),
        &dir.path().join("x.log"),
        &["--start-at", "2030-01-01T00:00:00Z"],
    );
    assert_eq!(run.status, 1);
    assert!(run.err.contains("relative clock"), "{}", run.err);
}

#[test]
fn variables_get_other_names_in_the_order_of_the_steps() {
    let steps = ["--rename", "NAV_*=GPS_*", "--drop", "DB_*", "--prefix", "A_LONG_PREFIX_"];
    let wanted = LOG
        .replace("0.50277         DB_TIME              MOOSDB_alpha    1714983600.62   \n", "")
        .replace("NODE_REPORT          pN", "A_LONG_PREFIX_NODE_REPORT pN")
        .replace("NAV_X                uS", "A_LONG_PREFIX_GPS_X  uS");
    assert_eq!(String::from_utf8(edited("a.alog", LOG.as_bytes(), &steps)).unwrap(), wanted);
    let kept = edited("a.alog", LOG.as_bytes(), &["--keep", "NAV_*", "--keep", "DB_*"]);
    let wanted = LOG.replace(
        "1.05446         NODE_REPORT          pNodeReporter   NAME=alpha,TIME=1714983601.10,X=1 \n",
        "",
    );
    assert_eq!(String::from_utf8(kept).unwrap(), wanted);
}

#[test]
fn sentences_get_times_dates_and_checksums() {
    // Checksums were computed independently.
    let log = "$GPZDA,235959.50,31,12,2023,00,00*60\r\n\
               $GPRMC,235959,A,4807.038,N,01131.000,E,022.4,084.4,311223,003.1,W*69\r\n\
               $GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n\
               $PGRME,15.0,M,45.0,M,25.0,M*1C\r\n";
    let wanted = "$GPZDA,000001.00,01,01,2024,00,00*63\r\n\
                  $GPRMC,000000.5,A,4807.038,N,01131.000,E,022.4,084.4,010124,003.1,W*75\r\n\
                  $GPGLL,4916.45,N,12311.12,W,225445.5,A*2B\r\n\
                  $PGRME,15.0,M,45.0,M,25.0,M*1C\r\n";
    assert_eq!(String::from_utf8(edited("a.nmea", log.as_bytes(), &["--shift", "1.5s"])).unwrap(), wanted);
}

#[test]
fn points_and_placemarks_get_other_times_and_nothing_else() {
    let gpx = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
               <metadata><time>2020-01-01T00:00:00Z</time></metadata>\n<trk><trkseg>\n\
               <trkpt lat=\"1\" lon=\"2\"><!-- <time>2020 --><time> 2020-02-28T23:59:59.000+01:00 </time></trkpt>\n\
               </trkseg></trk></gpx>\n";
    let wanted = gpx.replace("2020-02-28T23:59:59.000+01:00", "2020-02-29T00:00:00.500+01:00");
    assert_eq!(String::from_utf8(edited("a.gpx", gpx.as_bytes(), &["--shift", "1.5s"])).unwrap(), wanted);
    let kml = fs::read_to_string(fixture_of("kml", "gx_track.kml")).unwrap();
    assert!(kml.contains("<when>2009-07-17T08:58:42Z</when>"), "{kml}");
    let wanted = kml.replace("<when>2009-07-17T", "<when>2009-07-18T");
    let out = edited("a.kml", kml.as_bytes(), &["--shift", "86400s"]);
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
}

#[test]
fn a_map_gets_another_name() {
    let file = fs::read(fixture_of("carla-rec", "v0_9_15.log")).unwrap();
    let out = edited("a.log", &file, &["--map-name", "Elsewhere_Opt"]);
    // Version, magic of 16 bytes, date of 8; then the length and the name.
    let len = usize::from(u16::from_le_bytes([file[26], file[27]]));
    assert_eq!(out[..26], file[..26]);
    assert_eq!(&out[26..41], b"\x0d\x00Elsewhere_Opt");
    assert_eq!(out[41..], file[28 + len..]);
}

#[test]
fn rows_of_tables_get_other_times() {
    let name = "Bus_InterfaceCan_can0_Steering.txt";
    let out = edited(name, b"20012 0.01 313\n40011 0.0101 317\n", &["--shift", "-0.012s"]);
    // The name gives the columns, so the copy has the same name.
    assert_eq!(out, b"8012 0.01 313\n28011 0.0101 317\n");
}

#[test]
fn what_a_format_does_not_hold_is_refused_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let refused = |file: PathBuf, steps: &[&str], status: i32, said: &str| {
        let run = edit(&file, &out, steps);
        assert_eq!(run.status, status, "{}", run.err);
        assert!(run.err.contains(said), "{}", run.err);
        assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "{said}");
    };
    let alog = || fixture_of("alog", "moosivp.alog");
    refused(
        fixture("room.lvx"),
        &["--rename", "*=x"],
        1,
        "lvx: cannot change names of channels; formats that can: alog",
    );
    refused(alog(), &["--map-name", "x"], 1, "formats that can: carla-rec");
    refused(alog(), &["--drop", "nav_x"], 2, "did you mean NAV_X?");
    refused(alog(), &["--rename", "NAV_X=a b"], 1, "text without blanks");
    refused(alog(), &["--keep", "NAV_X", "--drop", "*"], 1, "nothing is left");
    refused(fixture_of("alog", "warp_10.alog"), &["--shift", "1s"], 1, "time warp");
    refused(fixture("v11_pps_wrap.lvx"), &["--shift", "1s"], 1, "restarts with each pulse");
    refused(fixture("v11_type0.lvx"), &["--shift", "-2000000000s"], 1, "a time before the clock's zero");
    refused(alog(), &[], 2, "say what to do: --shift, ");
    refused(alog(), &["--rename", "NAV"], 2, "expected OLD=NEW");
}

#[test]
fn every_fixture_that_can_be_shifted_comes_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("testdata");
    let dir = tempfile::tempdir().unwrap();
    let mut same = 0;
    for folder in ["alog", "nmea", "lvx", "koblenz-log", "carla-rec"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in testkit::one_in(3, files) {
            let name = file.file_name().unwrap().to_str().unwrap();
            // A leap second cannot be shifted back: no other second maps to it.
            let is_odd = name == "second_60.nmea";
            // An index with wrong offsets is rewritten.
            let is_odd = is_odd || name.starts_with("index_");
            if name.ends_with(".json") || name.ends_with(".gz") || is_odd {
                continue;
            }
            let (there, back) = (dir.path().join(name), dir.path().join(format!("back_{name}")));
            // Sound recordings only: copies of others have less.
            if edit(&file, &there, &["-f", "--shift", "3s"]).status != 0 {
                continue;
            }
            assert_eq!(edit(&there, &back, &["-f", "--shift", "-3s"]).status, 0, "{name}");
            assert!(fs::read(&back).unwrap() == fs::read(&file).unwrap(), "{name} does not come back");
            same += 1;
        }
    }
    assert!(same > testkit::bound(25, 100), "{same} came back");
}

#[test]
fn a_cut_lies_around_an_event() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("a.alog"), dir.path().join("out.alog"));
    let head = "%% LOG FILE:       ./a/a.alog\n%% LOGSTART           1714983600.5\n";
    let line =
        |time: &str, name: &str, value: &str| format!("{time:<15} {name:<20} pApp            {value} \n");
    let lines = [
        line("1.00000", "DEPLOY", "false"),
        line("4.00000", "X", "1"),
        line("8.47000", "DEPLOY", "true"),
        line("9.00000", "DEPLOY", "true"),
        line("9.47000", "X", "2"),
        line("20.00000", "DEPLOY", "false"),
        line("30.00000", "DEPLOY", "true"),
    ];
    fs::write(&file, format!("{head}{}", lines.concat())).unwrap();
    let cut = |options: &[&str]| {
        robolog(["cut", s(&file), "-f", "-o", s(&out)].into_iter().chain(options.iter().copied()))
    };
    // It becomes true twice, and once stays true.
    let run = cut(&["--around", "DEPLOY=true"]);
    assert_eq!(run.status, 1);
    let said =
        "the event occurs 2 times, at 2024-05-06T08:20:08.970000000Z, 2024-05-06T08:20:30.500000000Z: choose";
    assert!(run.err.contains(said), "{}", run.err);
    assert!(!out.exists());
    // Half-open: the value one second later is excluded.
    let run = cut(&["--around", "DEPLOY=true", "--nth", "1", "--before", "4.47s", "--after", "1s"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{head}{}", lines[1..4].concat()));
    let run = cut(&["--around", "X=2", "--before", "0.6s"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{head}{}", lines[3..5].concat()));
    let offset = format!("{:#x}", head.len() + lines[..5].concat().len());
    assert_eq!(cut(&["--around", &offset]).status, 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{head}{}", lines[5]));
    let run = cut(&["--around", "X=3"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("does not occur"), "{}", run.err);
    for wrong in [&["--around", "X"][..], &["--before", "1"], &["--around", "X=1", "--start", "1"]] {
        assert_eq!(cut(wrong).status, 2, "{wrong:?}");
    }
}

#[test]
fn a_cut_lies_around_a_collision() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (fixture_of("carla-rec", "collisions.log"), dir.path().join("out.log"));
    let times = |file: &Path| {
        let rows = robolog(["cat", s(file), "--channel", "collisions"]).json();
        rows.iter().map(|row| row["t_ns"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let all = times(&file);
    let run = robolog([
        "cut",
        s(&file),
        "--around",
        "collision",
        "--after",
        "0.001s",
        "--before",
        "0",
        "--nth",
        "2",
        "-o",
        s(&out),
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    let second = *all.iter().find(|time| **time > all[0] + 1_000_000).unwrap();
    let left: Vec<_> = all.into_iter().filter(|time| *time == second).collect();
    assert_eq!(times(&out), left);
}

#[test]
fn a_file_without_a_verb_is_shown_and_globs_are_lists() {
    let file = fixture_of("alog", "nav.alog");
    assert_eq!(robolog([s(&file)]).text(), robolog(["info", s(&file)]).text());
    assert_eq!(robolog(["ls", s(&file), "--json"]).text(), robolog(["info", s(&file), "--json"]).text());
    assert_eq!(robolog(["no-such-file-or-verb"]).status, 2);
    let names = |globs: &[&str]| {
        let words = ["cat", s(&file)].into_iter().chain(globs.iter().flat_map(|glob| ["--channel", *glob]));
        let run = robolog(words).exits(0);
        run.text()
    };
    assert_eq!(names(&["NAV_{X,Y},NAV_SPEED"]), names(&["NAV_X", "NAV_Y", "NAV_SPEED"]));
    let run = robolog(["cat", s(&file), "--channel", "NAV_{X,nothing_like_it}"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("no channel matches 'NAV_nothing_like_it'"), "{}", run.err);
    assert_eq!(robolog(["cat", s(&file), "--channel", "NAV_{X"]).status, 2);
}
