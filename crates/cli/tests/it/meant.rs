//! What people type who do not know the program yet, and what it answers.

use std::{fs, path::Path, process::Command};

use crate::run::fixture_of;

/// The files of a first day, in a folder of their own.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("drive.lvx", fixture_of("lvx", "room.lvx")),
        ("mission.alog", fixture_of("alog", "nav.alog")),
        ("crash.log", fixture_of("carla-rec", "v0_9_15.log")),
        ("walk.gpx", fixture_of("gpx", "drive.gpx")),
        ("bad.lvx", fixture_of("lvx", "bad_magic.lvx")),
        ("-x.lvx", fixture_of("lvx", "room.lvx")),
        ("logs/mission.alog", fixture_of("alog", "nav.alog")),
        ("logs/second.alog", fixture_of("alog", "nav.alog")),
    ];
    fs::create_dir(dir.path().join("logs")).unwrap();
    for (name, from) in files {
        fs::copy(from, dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("old.ply"), "ply\n").unwrap();
    fs::write(dir.path().join("ride.fit"), b"\x0e\x10\x43\x08\0\0\0\0.FIT").unwrap();
    dir
}

/// Status, standard output and standard error of a line typed in that folder.
fn typed(dir: &Path, line: &str) -> (i32, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_robolog"))
        .args(line.split(' ').map(|word| word.trim_matches('\'')))
        .current_dir(dir)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code().unwrap(), text(&run.stdout), text(&run.stderr))
}

/// Each line, its status, and a part of the answer; nothing else is printed.
const LINES: [(&str, i32, &str); 52] = [
    ("show drive.lvx", 2, "here that is robolog info or view"),
    ("repair bad.lvx", 2, "here that is robolog recover"),
    ("drve.lvx", 1, "drve.lvx: No such file or directory; did you mean drive.lvx?"),
    ("convert drve.lvx -o x.ply", 1, "did you mean drive.lvx?"),
    ("info logs/mision.alog", 1, "did you mean logs/mission.alog?"),
    ("info none/mission.alog", 1, "there is no folder none"),
    ("convert drive.lvx --to laz", 2, "-o names the output: robolog convert drive.lvx --to laz -o drive.laz"),
    ("cut mission.alog --start 1", 2, "robolog cut mission.alog --start 1 -o mission_cut.alog"),
    ("convert drive.lvx cloud.ply", 2, "-o stands before an output: robolog convert drive.lvx -o cloud.ply"),
    ("convert drive.lvx old.ply", 2, "-o stands before an output: robolog convert drive.lvx -o old.ply"),
    ("drive.lvx -o x.laz", 2, "robolog convert drive.lvx -o x.laz"),
    ("cut mission.alog --start 10 --end 5 -o x.alog", 2, "Usage: robolog cut [OPTIONS]"),
    ("index drive.lvx -o x", 2, "unexpected argument '-o' found\n\nUsage: robolog index"),
    ("--chanel NAV_X cat mission.alog", 2, "tip: 'cat --channel' exists"),
    ("info -x.lvx", 2, "to pass '-x' as a value, use '-- -x'"),
    ("events crash.log -o x.laz", 2, "events are rows, but laz holds points only; choose csv"),
    ("convert crash.log --actor heroo -o x.csv", 2, "no actor matches heroo; did you mean hero?"),
    ("convert crash.log -o x.db3", 2, "--to rosbag2 -o FOLDER"),
    (
        "convert crash.log --to rosbag -o x",
        2,
        "robolog: there is no output format \"rosbag\"; did you mean rosbag2",
    ),
    ("alog grep NAV_X mission.alog", 1, "variables stand behind the log: mission.alog NAV_X"),
    ("cat mission.alog NAV_X", 1, "NAV_X: No such file or directory; --channel NAV_X chooses a channel"),
    ("alog grep mission.alog nav_x", 1, "no variable matches 'nav_x'; did you mean NAV_X?"),
    ("aloggrep mission.alog NAV_X", 2, "robolog alog grep mission.alog NAV_X"),
    ("convert drive.lvx --trajectory @x -o x.laz", 2, "no channel matches 'x'"),
    ("cut mission.alog --start 10m -o y.alog", 1, "the recording spans "),
    ("cut mission.alog --start 10 --end 5 -o y.alog", 2, "--end 5 is not after --start 10"),
    ("cut logs --start 1 -o y.alog", 1, "logs: is a directory: name a file in it"),
    ("edit mission.alog -o y.alog", 2, "say what to do: --shift, "),
    ("convert --help point", 2, "did you mean points?"),
    ("convert drive.lvx --rate", 2, "--rate"),
    ("convert mission.alog --channel 'NAV_*' --wide --rate 0.001 -o x.csv", 1, "leave out --wide --rate"),
    // A choice is missing.
    ("convert logs -o z.mcap", 2, "logs holds 2 recordings: choose a format"),
    ("convert mission.alog crash.log -o z.mcap", 2, "several inputs: choose a format"),
    ("events mission.alog --kind contakt", 2, "did you mean contact?"),
    ("plot drive.lvx -o x.pdf", 2, "use png or svg"),
    // A folder is named like a file.
    ("report drive.lvx -o x.pdf", 2, "a folder is written"),
    ("convert crash.log --rosbag2-dir -o bag.mcap", 2, "name it without .mcap, such as bag"),
    ("convert crash.log --to rosbag2 -o r.db3", 2, "name it without .db3, such as r"),
    ("convert drive.lvx --to lvx2 -o x.lvx2", 2, "--to lvx writes LVX 1.1"),
    ("info ride.fit", 1, "Garmin FIT file, not a recording: gpsbabel makes GPX of it"),
    ("info old.ply", 1, "PLY point cloud, not a recording"),
    // Options that have nothing to do.
    (
        "convert drive.lvx -o 1.ply --crs EPSG:25832",
        0,
        "--crs had nothing to do: it is for las, laz and copc, not for ply",
    ),
    ("convert walk.gpx -o 2.csv --range 2,30", 0, "--range had nothing to do: no point clouds"),
    ("convert walk.gpx -o 3.csv --voxel 1", 0, "--voxel had nothing to do: no point clouds"),
    ("convert walk.gpx -o 4.csv --ring 1", 0, "--ring had nothing to do: no point clouds"),
    (
        "convert walk.gpx -o 5.csv --las-version 1.2",
        0,
        "--las-version had nothing to do: it is for las and laz",
    ),
    ("convert crash.log -o 6.mcap --voxel 1", 0, "--voxel had nothing to do: no point clouds"),
    ("convert drive.lvx -o 7.pcd --points velodyne", 0, "--points had nothing to do: it is for mcap and bag"),
    ("convert mission.alog -o 8.mcap --carla-map X", 0, "--carla-map had nothing to do: it is for carla-rec"),
    ("convert mission.alog -o 9.mcap --apply-extrinsics always", 0, "it is for lvx recordings"),
    (
        "convert logs --to csv -o tables/ --channel 'NAV_*' --wide --rate 10 --axes ros",
        0,
        "tables/: note: --axes had nothing to do",
    ),
    ("check bad.lvx", 0, ""),
];

#[test]
fn what_is_typed_wrong_is_answered_by_what_was_meant() {
    let dir = folder();
    for (line, status, answer) in LINES {
        let (found, out, err) = typed(dir.path(), line);
        assert!(found == status && err.contains(answer), "robolog {line}: status {found}\n{err}");
        assert!(status == 0 || out.is_empty(), "robolog {line} prints:\n{out}");
        for wrong in ["x.pdf", "bag.mcap", "r.db3", "x.laz", "x.lvx2"] {
            assert!(!dir.path().join(wrong).exists(), "robolog {line} leaves {wrong}");
        }
    }
}

#[test]
fn what_works_has_no_note() {
    let dir = folder();
    for line in [
        "convert drive.lvx -o 1.ply --voxel 0.1 --range 1,30 --keep-no-returns",
        "convert drive.lvx -o 2.mcap --points velodyne --apply-extrinsics always --mcap-compression none",
        "convert mission.alog -o 3.csv --channel 'NAV_*' --wide --rate 10Hz --csv-safe off --time-columns iso",
        "convert crash.log -o 4.mcap --axes ros",
        "convert drive.lvx -o 5.las --las-version 1.2 --las-intensity normalized",
    ] {
        let (status, _, err) = typed(dir.path(), line);
        assert!(status == 0 && !err.contains("nothing to do"), "robolog {line}: {status}\n{err}");
    }
}

#[test]
fn a_wrong_magic_code_names_what_mends_it() {
    let dir = folder();
    let says = |line: &str| {
        let (status, out, err) = typed(dir.path(), line);
        assert_eq!(status, 0, "{line}: {err}");
        out + &err
    };
    for line in ["check bad.lvx", "info bad.lvx", "recover bad.lvx -o copy.lvx"] {
        let text = says(line);
        assert!(text.contains("robolog convert FILE -o NEW.lvx writes it anew"), "{line}: {text}");
    }
    says("convert bad.lvx -o mended.lvx");
    assert!(!says("check mended.lvx").contains("magic"));
}

#[test]
fn a_theme_is_found_by_help_too() {
    let dir = folder();
    let (status, out, _) = typed(dir.path(), "help convert points");
    assert!(status == 0 && out.contains("--voxel"), "{out}");
    let (status, out, _) = typed(dir.path(), "convert --help targets");
    assert!(status == 0 && out.contains("lvx2") && out.contains("pcap"), "{out}");
    let (_, out, _) = typed(dir.path(), "--help");
    for part in ["GPX", "robolog FILE", "robolog convert --help targets"] {
        assert!(out.contains(part), "no {part} in:\n{out}");
    }
}

#[test]
fn packages_and_frames_are_not_called_records() {
    let dir = folder();
    let (_, _, err) = typed(dir.path(), "cut drive.lvx --start 0 -o a.lvx");
    assert!(err.contains("160 packages"), "{err}");
    let (_, _, err) = typed(dir.path(), "cut crash.log --start 0 -o a.log");
    assert!(err.contains("frames"), "{err}");
}
