//! Outputs that must not be empty, collide, or destroy existing files.

use std::{fs, path::Path};

use crate::run::{fixture, fixture_of, names, robolog, s, with_input};

/// The fixture's LVX 1.1 header has 88 bytes, its frame headers 24, and its packages 19 + 96 * 14.
fn without_returns(frames: usize) -> Vec<u8> {
    let mut file = fs::read(fixture("v11_type2.lvx")).unwrap();
    let frame = (file.len() - 88) / 2;
    for f in 0..frames {
        for package in 0..2 {
            let at = 88 + f * frame + 24 + package * 1363 + 19;
            file[at..at + 1344].fill(0);
        }
    }
    file
}

#[test]
fn files_of_several_inputs_have_the_extension_of_the_target() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.alog"), dir.path().join("b.alog"));
    for file in [&a, &b] {
        fs::write(file, REPORT).unwrap();
    }
    let targets = [("euroc", "csv"), ("kitti-times", "times.txt"), ("carla-rec", "log"), ("tum", "tum")];
    for (to, extension) in targets {
        let out = dir.path().join(to);
        let chosen = ["--channel", "NODE_REPORT/odometry"];
        robolog([&["convert", s(&a), s(&b), "--to", to, "-o", s(&out)][..], &chosen].concat()).exits(0);
        let want = ["_manifest.jsonl".to_owned(), format!("a.{extension}"), format!("b.{extension}")];
        assert_eq!(names(&out), want);
    }
}

/// A log with a position.
const REPORT: &str = "%% LOGSTART 1000\n0.5 NODE_REPORT pReport NAME=x,X=1,Y=2\n";

/// A file written in place is for a while neither the old one nor the new one.
#[test]
fn a_file_is_replaced_and_never_written_into() {
    let dir = tempfile::tempdir().unwrap();
    let (out, former) = (dir.path().join("out"), dir.path().join("former"));
    let room = fixture("room.lvx");
    let verbs: [&[&str]; 4] = [
        &["recover", s(&room)],
        &["cut", s(&room), "--end", "0.2s"],
        &["convert", s(&room), "--to", "ply"],
        &["merge", s(&room), s(&room)],
    ];
    for words in verbs {
        fs::write(&out, "old").unwrap();
        fs::hard_link(&out, &former).unwrap();
        robolog([words, &["--force", "-o", s(&out)]].concat()).exits(0);
        assert!(fs::metadata(&out).unwrap().len() > 1000, "{words:?}");
        assert_eq!(fs::read(&former).unwrap(), b"old", "{words:?}");
        fs::remove_file(&former).unwrap();
    }
}

#[test]
fn what_a_recording_says_of_devices_and_actors_may_be_told() {
    let dir = tempfile::tempdir().unwrap();
    let [log, actors, lvx] = ["a.alog", "actors.log", "again.lvx"].map(|name| dir.path().join(name));
    fs::write(&log, REPORT).unwrap();
    let words =
        ["convert", s(&log), "-o", s(&actors), "--to", "carla-rec", "--channel", "NODE_REPORT/odometry"];
    let told = ["--carla-map", "Town10HD", "--carla-blueprint", "vehicle.mini.cooper"];
    robolog([&words[..], &told].concat()).exits(0);
    let bytes = fs::read(&actors).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("Town10HD") && has("vehicle.mini.cooper") && !has("tesla"));

    robolog(["convert", s(&fixture("v11_type2.lvx")), "-o", s(&lvx), "--model", "Avia"]).exits(0);
    let info = robolog(["info", "--json", s(&lvx)]).json();
    assert_eq!(info[0]["details"]["devices"][0]["device_type"], 7, "{}", info[0]);
}

#[test]
fn clouds_without_a_point_are_no_success() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("zeros.lvx");
    fs::write(&file, without_returns(2)).unwrap();
    for extension in ["ply", "pcd", "csv"] {
        let out = dir.path().join("out").with_extension(extension);
        let run = robolog(["convert", s(&file), "--drop-no-return", "-o", s(&out)]);
        assert!(run.status == 1 && run.err.contains("2 point clouds without a point"), "{}", run.err);
    }
    let out = dir.path().join("out");
    let per = ["--drop-no-return", "--per", "frame", "--to", "pcd", "-o", s(&out)];
    assert_eq!(robolog([&["convert", s(&file)], &per[..]].concat()).status, 1);
    assert_eq!(names(dir.path()), ["zeros.lvx"]);

    fs::write(&file, without_returns(1)).unwrap();
    assert_eq!(robolog([&["convert", s(&file)], &per[..]].concat()).status, 0);
    assert_eq!(names(&out), ["000000_TELE15SAMPLE001_points.pcd", "_index.csv"]);
    assert!(fs::metadata(out.join("000000_TELE15SAMPLE001_points.pcd")).unwrap().len() > 1000);
    assert_eq!(fs::read_to_string(out.join("_index.csv")).unwrap().lines().count(), 2);
}

#[test]
fn a_folder_is_replaced_only_when_it_holds_what_was_converted_into_it() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    fs::create_dir(&project).unwrap();
    let file = project.join("in.lvx");
    fs::copy(fixture("v11_type2.lvx"), &file).unwrap();
    fs::write(project.join("index.csv"), "file,time_ns,channel,values\nnotes.txt,,,\nin.lvx,,,\n").unwrap();
    fs::write(project.join("notes.txt"), "precious").unwrap();
    let convert = |file: &Path, to: &str, out: &Path, force: bool| {
        let force = if force { &["--force"][..] } else { &[] };
        robolog([&["convert", s(file), "--per", "frame", "--to", to, "-o", s(out)], force].concat())
    };
    let run = convert(&file, "pcd", &project, true);
    assert!(run.status == 1 && run.err.contains("holds the input"), "{}", run.err);
    assert_eq!(names(&project), ["in.lvx", "index.csv", "notes.txt"]);

    let outside = fixture("v11_type2.lvx");
    fs::write(project.join("index.csv"), "file,time_ns,channel,values\nin.lvx,,,\n").unwrap();
    let run = convert(&outside, "pcd", &project, true);
    assert!(run.status == 1 && run.err.contains("not replaced"), "{}", run.err);
    fs::write(project.join("index.csv"), "a,b\n1,2\n").unwrap();
    assert_eq!(convert(&outside, "pcd", &project, true).status, 1);
    assert_eq!(names(&project), ["in.lvx", "index.csv", "notes.txt"]);

    let out = dir.path().join("frames");
    assert_eq!(convert(&outside, "pcd", &out, false).status, 0);
    assert_eq!(convert(&outside, "ply", &out, false).status, 1);
    assert!(names(&out).iter().any(|name| name.contains(".pcd")));
    assert_eq!(convert(&outside, "ply", &out, true).status, 0);
    assert!(!names(&out).iter().any(|name| name.contains(".pcd")), "{:?}", names(&out));
    fs::write(out.join("mine.txt"), "precious").unwrap();
    assert_eq!(convert(&outside, "pcd", &out, true).status, 1);
    assert_eq!(fs::read_to_string(out.join("mine.txt")).unwrap(), "precious");
    assert_eq!(names(dir.path()), ["frames", "project"], "nothing is left beside them");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    for out in [s(&link).to_owned(), format!("{}/", s(&link))] {
        let args = ["--per", "frame", "--to", "pcd", "--force", "-o", &out];
        assert_eq!(robolog([&["convert", s(&fixture("v11_type2.lvx"))], &args[..]].concat()).status, 1);
    }
    assert!(names(&real).is_empty() && fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn several_inputs_never_become_one_output() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let copy = |from: &str, to: &str| {
        let to = dir.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(fixture(from), &to).unwrap();
        to
    };
    let (one, two) = (copy("v11_type2.lvx", "run.1.lvx"), copy("v11_type0.lvx", "run.2.lvx"));
    let run = robolog(["convert", s(&one), s(&two), "--to", "ply", "-o", s(&out)]);
    assert_eq!(
        (run.status, names(&out)),
        (0, vec!["_manifest.jsonl".into(), "run.1.ply".into(), "run.2.ply".into()]),
        "{}",
        run.err
    );

    let (a, b) = (copy("v11_type2.lvx", "a/x.lvx"), copy("v11_type0.lvx", "b/X.lvx"));
    let c = copy("v11_type0.lvx", "c/x.lvx");
    let other = dir.path().join("other");
    let run = robolog(["convert", s(&a), s(&b), s(&c), "--to", "ply", "-o", s(&other), "--force"]);
    assert!(run.status == 1 && run.err.contains("two inputs would become"), "{}", run.err);
    assert_eq!(robolog(["convert", s(&one), s(&two), "-o", s(&other)]).status, 2);
    assert_eq!(robolog(["convert", "no.lvx", "none.lvx", "--to", "ply", "-o", s(&other)]).status, 1);
    assert!(!other.exists(), "a folder in which nothing came to be is not left");
}

#[test]
fn a_file_for_each_device_holds_all_its_channels() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("devices");
    let file = fixture("next_zero.lvx");
    robolog(["convert", s(&file), "--per", "device", "--to", "jsonl", "-o", s(&out)]);
    assert_eq!(names(&out), ["AVIASAMPLE00001.jsonl", "_index.csv"]);
    let lines = fs::read_to_string(out.join("AVIASAMPLE00001.jsonl")).unwrap();
    assert!(lines.lines().any(|line| line.contains("/imu")) && lines.contains("/points"));
    assert_eq!(lines.lines().count(), robolog(["cat", s(&file)]).json().len());
}

#[test]
fn a_table_for_each_kind_of_channel() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (fixture("next_zero.lvx"), dir.path().join("tables"));
    let run = robolog(["convert", s(&file), "--per", "name", "--to", "csv", "-o", s(&out)]);
    assert_eq!(names(&out), ["_csv-metadata.json", "_index.csv", "imu.csv", "points.csv"]);
    assert!(run.status == 3 && !run.err.contains("left out"), "only the recording's own damage: {}", run.err);
    let lines = |name| fs::read_to_string(out.join(name)).unwrap().lines().count();
    assert_eq!((lines("imu.csv"), lines("points.csv")), (1 + 4, 1 + 360));
}

#[test]
fn a_table_of_what_nobody_chose_says_how_to_choose() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (fixture("v11_type6.lvx"), dir.path().join("out.csv"));
    let run =
        robolog(["convert", s(&file), "-o", s(&out.with_extension("")), "--per", "frame", "--to", "csv"]);
    assert!(run.status == 1 && run.err.contains("cannot hold 4 IMU samples: --channel GLOB"), "{}", run.err);
    assert!(run.err.contains("--per name") && !out.exists(), "{}", run.err);
    let run = robolog(["convert", s(&file), "-o", s(&out)]);
    assert_eq!(run.status, 0, "the recording holds one kind of values: {}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 1 + 4);
    let run = robolog(["convert", s(&file), "-o", s(&out.with_extension("pcd"))]);
    assert!(run.status == 1 && !run.err.contains("--"), "{}", run.err);
}

#[test]
fn a_trajectory_is_that_of_one_channel() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (fixture("v11_type6.lvx"), dir.path().join("out"));
    for to in ["tum", "kitti"] {
        for per in ["kind", "device", "frame"] {
            let run = robolog(["convert", s(&file), "--per", per, "--to", to, "-o", s(&out)]);
            assert!(run.status == 1 && run.err.contains("use --per channel"), "{}", run.err);
        }
        let run = robolog(["convert", s(&file), "--per", "channel", "--to", to, "-o", s(&out)]);
        assert!(run.status == 1 && run.err.contains("cannot hold 4 IMU samples"), "{}", run.err);
    }
    assert!(names(dir.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn outputs_are_as_private_as_the_user_wants() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    for (mask, file_mode, folder_mode) in [("077", 0o600, 0o700), ("022", 0o644, 0o755)] {
        let (file, folder) = (dir.path().join(mask).with_extension("ply"), dir.path().join(mask));
        let script = format!(
            "umask {mask}; \"$0\" convert \"$1\" -q -o \"$2\" && \"$0\" convert \"$1\" -q --per frame --to ply -o \"$3\""
        );
        let status = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_robolog")])
            .args([&fixture("v11_type2.lvx"), &file, &folder])
            .status()
            .unwrap();
        assert!(status.success());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&folder)), (file_mode, folder_mode));
    }
}

#[test]
fn a_target_that_this_build_lacks_is_named_with_its_feature() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for (words, message, is_built) in [
        (&["--to", "arrow"][..], "no arrow; build with --features arrow", cfg!(feature = "arrow")),
        (
            &["--to", "mcap", "--mcap-compression", "lz4"],
            "no MCAP compression lz4; build with --features lz4",
            cfg!(feature = "lz4"),
        ),
    ] {
        let run = robolog([&["convert", s(&fixture("room.lvx")), "-o", s(&out), "--force"], words].concat());
        if is_built {
            assert_eq!(run.status, 0, "{words:?}: {}", run.err);
        } else {
            assert_eq!(run.status, 1, "{words:?}");
            assert!(run.err.contains(&format!("this build has {message}")), "{words:?}: {}", run.err);
            assert!(!out.exists(), "{words:?}");
        }
    }
}

#[test]
fn a_copy_into_a_folder_keeps_the_name_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (there, new) = (dir.path().join("there"), format!("{}/", s(&dir.path().join("new"))));
    fs::create_dir(&there).unwrap();
    let room = fixture("room.lvx");
    let verbs: [&[&str]; 3] =
        [&["recover", s(&room)], &["cut", s(&room), "--end", "0.2s"], &["edit", s(&room), "--shift", "1s"]];
    for verb in verbs {
        for folder in [s(&there), &new] {
            robolog([verb, &["-o", folder, "--force"]].concat()).exits(0);
            assert_eq!(names(Path::new(folder)), ["room.lvx"]);
            robolog([verb, &["-o", folder]].concat()).exits(1).says("room.lvx");
        }
    }
}

/// Other verbs with a folder as output: copies keep their names, merged files are called `merged`.
#[test]
fn every_verb_writes_into_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let (room, log) = (fixture("room.lvx"), fixture_of("alog", "nav.alog"));
    let (mounted, drive) = (fixture("v11_type2.lvx"), fixture_of("koblenz-log", "drive.log"));
    let (room, log, mounted, drive) = (s(&room), s(&log), s(&mounted), s(&drive));
    let verbs: [(&[&str], &[&str]); 12] = [
        (&["merge", room, room], &["merged.lvx"]),
        (&["merge", log, log], &["merged.alog"]),
        (&["alog", "merge", log, log], &["merged.alog"]),
        (&["alog", "sort", log], &["nav.alog"]),
        (&["alog", "dedup", log], &["nav.alog"]),
        (&["alog", "pare", log, "--rate", "1"], &["nav.alog"]),
        (&["alog", "grep", log, "NAV_*"], &["nav.alog"]),
        (&["lvx", "mount", mounted, "--xyz", "0,1,2"], &["v11_type2.lvx"]),
        (&["koblenz", "reindex", drive], &["drive.log"]),
        (&["plot", log, "--to", "svg"], &["nav.svg"]),
        (&["report", log], &["index.html", "nav.alog.html"]),
        (&["split", room, "--parts", "2"], &["room-000.lvx", "room-001.lvx"]),
    ];
    for (number, (words, expected)) in verbs.into_iter().enumerate() {
        let folder = format!("{}/", s(&dir.path().join(number.to_string())));
        robolog([words, &["-o", &folder]].concat()).exits(0);
        assert_eq!(names(Path::new(&folder)), expected, "{words:?}");
    }
}

/// Standard input has no name for its copy: no file is called `-`.
#[test]
fn what_comes_from_standard_input_needs_a_name_in_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let there = dir.path().join("there");
    fs::create_dir(&there).unwrap();
    let (room, log) =
        (fs::read(fixture("room.lvx")).unwrap(), fs::read(fixture_of("alog", "nav.alog")).unwrap());
    let other = fixture("room.lvx");
    let verbs: [(&[&str], &[u8]); 8] = [
        (&["cut", "-", "--end", "0.2s"], &room),
        (&["recover", "-"], &room),
        (&["edit", "-", "--shift", "1s"], &room),
        (&["merge", "-", s(&other)], &room),
        (&["convert", "-", "--to", "pcd"], &room),
        (&["convert", "-", s(&other), "--to", "pcd"], &room),
        (&["alog", "sort", "-"], &log),
        (&["plot", "-", "--to", "svg"], &log),
    ];
    for (words, input) in verbs {
        let run = with_input([words, &["-o", s(&there)]].concat(), input);
        let wanted = "there: is a folder, and standard input has no name: name the file";
        assert!(run.status == 1 && run.err.contains(wanted), "{words:?}: {}", run.err);
        assert!(names(&there).is_empty(), "{words:?}: {:?}", names(&there));
    }
}

#[test]
fn a_folder_goes_again_where_nothing_came_of_a_verb() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text.lvx");
    fs::write(&text, "no recording").unwrap();
    let text = s(&text);
    let verbs: [&[&str]; 7] = [
        &["cut", text, "--end", "1s"],
        &["recover", text],
        &["edit", text, "--shift", "1s"],
        &["merge", text, text],
        &["alog", "grep", text, "NAV_*"],
        &["alog", "sort", text],
        &["plot", text, "--to", "svg"],
    ];
    for words in verbs {
        let folder = format!("{}/", s(&dir.path().join("new/one")));
        robolog([words, &["-o", &folder]].concat()).exits(1);
        assert_eq!(names(dir.path()), ["text.lvx"], "{words:?}");
    }
}
