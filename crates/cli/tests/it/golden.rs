//! Output, errors and exit status of each verb on a recording of each format, as snapshots for review.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A recording of each format, with a telling name.
const RECORDINGS: [(&str, &str); 9] = [
    ("room.lvx", "lvx/room.lvx"),
    ("crash.log", "carla-rec/v0_9_15.log"),
    ("mission.alog", "alog/moosivp.alog"),
    ("drive.log", "koblenz-log/drive.log"),
    ("run", "effibox/dataset"),
    ("ride.gpx", "gpx/drive.gpx"),
    ("tour.kml", "kml/gx_track.kml"),
    ("receiver.nmea", "nmea/types.nmea"),
    ("lidar.pcap", "pcap/velodyne.pcap"),
];

/// Damaged recordings.
const DAMAGED: [(&str, &str); 6] = [
    ("short.lvx", "lvx/short_tail.lvx"),
    ("mangled.log", "carla-rec/crlf_mangled.log"),
    ("torn.alog", "alog/torn.alog"),
    ("lost.log", "koblenz-log/lost_bytes.log"),
    ("cut.gpx", "gpx/cut_in_tag.gpx"),
    ("cut.pcap", "pcap/velodyne_cut.pcap"),
];

/// A folder with copies of the recordings.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, fixture) in RECORDINGS.into_iter().chain(DAMAGED) {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(fixture);
        copy(&from, &dir.path().join(name));
    }
    dir
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Runs a command line in the folder, and appends it with its output.
fn run(dir: &TempDir, line: &str, out: &mut String) {
    let words: Vec<&str> = line.split(' ').collect();
    let run = Command::new(env!("CARGO_BIN_EXE_robolog"))
        .args(&words)
        .current_dir(dir.path())
        .env_remove("COLUMNS")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    writeln!(out, "$ robolog {line}").unwrap();
    out.push_str(&String::from_utf8_lossy(&run.stdout));
    for line in String::from_utf8_lossy(&run.stderr).lines() {
        writeln!(out, "! {line}").unwrap();
    }
    match run.status.code() {
        Some(0) => {}
        status => {
            writeln!(out, "= {}", status.map_or("a signal".into(), |status| status.to_string())).unwrap();
        }
    }
    out.push('\n');
}

/// The verb on every recording.
fn each(verb: &str, recordings: &[(&str, &str)], line: impl Fn(&str) -> String) {
    let dir = folder();
    let mut out = String::new();
    for (name, _) in recordings {
        run(&dir, &line(name), &mut out);
    }
    insta::assert_snapshot!(verb, out);
}

/// Runs command lines one after the other in one folder.
fn session(name: &str, lines: &[&str]) {
    let dir = folder();
    let mut out = String::new();
    for line in lines {
        run(&dir, line, &mut out);
    }
    insta::assert_snapshot!(name, out);
}

#[test]
fn info_shows_what_a_recording_contains() {
    each("info", &RECORDINGS, |file| format!("info {file}"));
    each("info_of_damaged", &DAMAGED, |file| format!("info {file}"));
    session("info_of_a_folder", &["info .", "info room.lvx ride.gpx none.gpx"]);
}

#[test]
fn check_finds_what_is_wrong() {
    each("check", &RECORDINGS, |file| format!("check {file}"));
    each("check_of_damaged", &DAMAGED, |file| format!("check {file}"));
}

#[test]
fn cat_prints_samples() {
    each("cat", &RECORDINGS, |file| match file {
        // Clouds and pictures are long.
        "room.lvx" => "cat room.lvx --channel tf_static".into(),
        "drive.log" => "cat drive.log --channel imu -n 2".into(),
        "run" => "cat run --channel */gga -n 2".into(),
        "lidar.pcap" => "cat lidar.pcap --raw -n 2".into(),
        file => format!("cat {file} -n 2"),
    });
}

#[test]
fn index_lists_records() {
    each("index", &RECORDINGS, |file| format!("index {file} -n 3"));
}

#[test]
fn cut_split_merge_and_diff_go_together() {
    each("cut", &RECORDINGS, |file| format!("cut {file} --duration 0.2 -o part.{file}"));
    each("split", &RECORDINGS, |file| format!("split {file} --parts 2 -o {file}.parts"));
    session(
        "merge",
        &[
            "split room.lvx --parts 2 -o a",
            "merge a/room-000.lvx a/room-001.lvx -o again.lvx",
            "diff room.lvx again.lvx",
            "split mission.alog --parts 2 -o b",
            "merge b/mission-000.alog b/mission-001.alog -o again.alog",
            "diff mission.alog again.alog",
            "split ride.gpx --parts 2 -o c",
            "merge c/ride-000.gpx c/ride-001.gpx -o again.gpx",
            "diff ride.gpx again.gpx",
            "diff ride.gpx tour.kml",
            "merge run run -o both",
        ],
    );
}

#[test]
fn recover_saves_what_is_whole() {
    each("recover", &DAMAGED, |file| format!("recover {file} -o saved.{file}"));
    each("recover_of_sound", &RECORDINGS[..3], |file| format!("recover {file} -o saved.{file}"));
}

#[test]
fn convert_says_what_it_wrote() {
    each("convert_csv", &RECORDINGS, |file| format!("convert {file} --per name --to csv -o {file}.tables"));
    each("convert_mcap", &RECORDINGS, |file| format!("convert {file} -o {file}.mcap"));
    each("convert_las", &RECORDINGS, |file| format!("convert {file} -o {file}.las"));
    each("convert_gpx", &RECORDINGS, |file| format!("convert {file} -o {file}.gpx"));
    each("convert_tum", &RECORDINGS, |file| format!("convert {file} -o {file}.tum"));
}

#[test]
fn report_makes_a_page() {
    each("report", &RECORDINGS, |file| format!("report {file} -o {file}.html"));
}

#[test]
fn catalog_lists_recordings() {
    session(
        "catalog",
        &[
            "catalog . -o c.csv",
            "catalog . -o c.csv",
            "cut room.lvx --end 0.2s -o part.lvx",
            "catalog . -o c.csv",
            "catalog . -o c.csv --force",
            "catalog . -o c.xlsx",
            "catalog none.lvx -o none.csv",
        ],
    );
}

#[test]
fn plot_draws_what_is_asked_for() {
    session(
        "plot",
        &[
            "plot room.lvx -o room.svg",
            "plot lidar.pcap -o lidar.png",
            "plot ride.gpx -o ride.svg",
            "plot crash.log --channel */poses -o paths.svg",
            "plot mission.alog --channel NAV_Q -o none.svg",
            "plot ride.gpx -o ride.bmp",
            "plot ride.gpx -o ride.png",
        ],
    );
}

#[test]
fn groups_do_what_one_format_needs() {
    session(
        "groups",
        &[
            "alog grep mission.alog NAV_*",
            "alog grep mission.alog NODE_REPORT --keys NAME,X,Y",
            "alog pare mission.alog --drop NAV_* -o small.alog",
            "carla collisions crash.log",
            "carla blocked crash.log",
            "effibox verify run",
            "koblenz reindex drive.log -o indexed.log",
            "koblenz reindex room.lvx -o indexed2.log",
            "lvx mount room.lvx --rpy 0,1.5,-90 --xyz 0.1,0,1.8 -o mounted.lvx",
            "info mounted.lvx",
            "lvx mount room.lvx --device HORIZONROOM0002 --off -o off.lvx",
            "lvx mount drive.log --off -o off.lvx",
        ],
    );
}

#[test]
fn errors_name_the_file_the_fault_and_the_way_out() {
    let dir = folder();
    let write = |name: &str, bytes: &[u8]| fs::write(dir.path().join(name), bytes).unwrap();
    write("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF");
    write("cloud.las", b"LASF\0\0\0\0");
    write("old.bag", b"#ROSBAG V2.0\n");
    write("empty.log", b"");
    write("notes.txt", b"hello\n");
    write("taken.mcap", b"precious");
    let mut out = String::new();
    for line in [
        "info photo.jpg",
        "info cloud.las",
        "info old.bag",
        "info empty.log",
        "info notes.txt",
        "info nothing.lvx",
        "inof room.lvx",
        "info --format carla crash.log",
        "cat mission.alog --channel nav_x",
        "cat mission.alog --start 1h",
        "cat mission.alog --start yesterday",
        "convert room.lvx -o nav.txt",
        "convert room.lvx --to lass -o nav",
        "convert room.lvx --to las -o nav.laz",
        "convert room.lvx -o taken.mcap",
        "convert room.lvx -o room.lvx -f",
        "convert room.lvx -o no/such/folder/x.mcap",
        "convert crash.log -o poses.tum",
        "convert ride.gpx -o ride.las",
        "cut room.lvx -o y.mcap",
        "convert room.lvx ride.gpx -o both.mcap",
    ] {
        run(&dir, line, &mut out);
    }
    insta::assert_snapshot!("errors", out);
}

#[test]
fn help_fits_a_screen() {
    let verbs = [
        "", "info", "check", "cat", "cut", "split", "merge", "diff", "recover", "convert", "index", "catalog",
    ];
    let dir = tempfile::tempdir().unwrap();
    let mut out = String::new();
    for verb in verbs {
        run(&dir, format!("{verb} -h").trim_start(), &mut out);
    }
    for help in out.split("$ robolog ") {
        assert!(help.lines().count() <= 60, "more than a screen:\n{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "wide:\n{help}");
    }
    insta::assert_snapshot!("help", out);
    let mut long = String::new();
    run(&dir, "convert --help", &mut long);
    assert!(long.lines().count() <= 120, "more than two screens:\n{long}");
    for theme in ["points", "targets"] {
        run(&dir, &format!("convert --help {theme}"), &mut long);
    }
    insta::assert_snapshot!("help_of_convert", long);
}

#[test]
fn what_people_type_is_understood_or_corrected() {
    let dir = folder();
    let mut out = String::new();
    for line in [
        "convert mission.alog --to rosbag2 -o bag/",
        "convert mission.alog mission.csv",
        "plot mission.alog mission.svg",
        "cut room.lvx part.lvx",
        "convert room.lvx -o room.lasz",
        "convert mission.alog -o mission.db3",
        "convert mission.alog -o mission.xlsx",
        "convert mission.alog -o mission.quatsch",
        "convert mission.alog --to quatsch -o mission",
        "convert mission.alog -o tables/",
        "convert mission.alog --chanel NAV_X -o x.csv",
        "cat mission.alog --calibration db.xml",
        "cut mission.alog --voxel 0.1 -o x.alog",
        "check mission.alog --channel NAV_X",
        "conver mission.alog -o x.csv",
        "info mision.alog",
        "diff mission.alog",
        "cut mission.alog --channel NAV_Z -o x.alog",
        "edit mission.alog --rename nav_x=b -o x.alog",
        "events mission.alog --kind hard",
    ] {
        run(&dir, line, &mut out);
    }
    insta::assert_snapshot!("mistyped", out);
}
