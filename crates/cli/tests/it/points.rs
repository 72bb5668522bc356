//! Point options of `convert`.

use std::{fmt::Write as _, fs};

use crate::run::{fixture, robolog};

/// Runs `convert` on an LVX fixture, to a file in a new folder, with shots without a return. Returns the status, stderr
/// and the points of the file.
fn convert(name: &str, to: &str, options: &[&str]) -> (i32, String, usize) {
    convert_returns(name, to, &[options, &["--keep-no-returns"]].concat())
}

/// The same without shots without a return.
fn convert_returns(name: &str, to: &str, options: &[&str]) -> (i32, String, usize) {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture(name);
    let out = dir.path().join(to);
    let paths = [file.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let run = robolog(["convert"].iter().chain(&paths).chain(options));
    let points = fs::read(&out).map_or(0, |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().find_map(|line| line.strip_prefix("POINTS "));
        line.and_then(|n| n.parse().ok()).unwrap_or_default()
    });
    (run.status, run.err, points)
}

#[test]
fn a_shot_without_a_return_is_no_point_of_a_file_of_points() {
    for options in [&[][..], &["--apply-extrinsics"]] {
        let (status, said, points) = convert_returns("room.lvx", "a.pcd", options);
        assert_eq!((status, points), (0, 15360 - 1042), "{said}");
        assert!(said.contains("left out 1042 points of shots without a return; --keep-no-returns"), "{said}");
    }
    let (_, said, _) = convert_returns("room.lvx", "a.mcap", &[]);
    assert!(said.contains("15360 points"), "messages keep what was recorded: {said}");
}

#[test]
fn points_that_are_removed_are_told_and_no_loss() {
    let (status, said, points) = convert("room.lvx", "a.pcd", &["--range", "0.5,"]);
    assert_eq!((status, points), (0, 15360 - 1042), "{said}");
    assert!(said.contains("a.pcd: --range removed 1042 points\n"), "{said}");
    let (status, said, _) = convert("room.lvx", "a.pcd", &["--range", "0.5,", "--quiet"]);
    assert_eq!((status, &*said), (0, ""));
    let (status, said, _) = convert("room.lvx", "a.pcd", &["--range", "1000,"]);
    assert!(
        status == 1 && said.contains("nothing written: no point is left: removed 15360 by range"),
        "{said}"
    );
}

#[test]
fn values_that_are_wrong_name_the_option_and_show_an_example() {
    for (option, value, like) in [
        ("--crop", "1,2", "-10,10,-5,5,-2,3"),
        ("--range", "a", "0.5,80"),
        ("--ring", "x", "0..16"),
        ("--voxel", "0", "0.1"),
        ("--return", "best", "first, last, strongest"),
        ("--min-intensity", "NaN", "10"),
        ("--trajectory-gap", "0", "0.5"),
    ] {
        let (status, said, _) =
            convert("room.lvx", "a.pcd", &[&format!("{option}={value}"), "--trajectory", "@a"]);
        assert!(status == 2 && said.contains(option) && said.contains(like), "{option}: {said}");
    }
}

#[test]
fn a_voxel_is_of_the_file_where_clouds_are_joined_and_of_a_cloud_elsewhere() {
    let (_, of_file, joined) = convert("room.lvx", "a.pcd", &["--voxel", "1"]);
    let (_, of_clouds, _) = convert("room.lvx", "a.mcap", &["--voxel", "1"]);
    let removed = |said: &str| -> usize {
        let count = said.split("--voxel removed ").nth(1).and_then(|rest| rest.split(' ').next());
        count.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    assert_eq!(removed(&of_file) + joined, 15360);
    assert!(removed(&of_clouds) < removed(&of_file), "each cloud has its own cells");
}

#[test]
fn clouds_are_placed_by_a_trajectory_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let still = |t: [f64; 2]| format!("{} 0 0 0 0 0 0 1\n{} 0 0 0 0 0 0 1\n", t[0], t[1]);
    let all = path("all.tum", &still([1_715_940_000.0, 1_715_940_000.9]));
    let (status, said, points) = convert("room.lvx", "a.pcd", &["--trajectory", &all]);
    assert_eq!((status, points), (0, 15360), "{said}");
    // Poses of the first 0.2 s: later points are left out.
    let part = path("part.tum", &still([1_715_940_000.0, 1_715_940_000.2]));
    let (status, said, points) = convert("room.lvx", "a.pcd", &["--trajectory", &part]);
    assert!(status == 3 && (1..15360).contains(&points), "{said}");
    assert!(said.contains("--trajectory left out ") && said.contains("no pose at their time"), "{said}");
    // A text with times from its start: refused until the offset of the clocks is given.
    let short = path("short.tum", &still([0.0, 0.9]));
    let (status, said, _) = convert("room.lvx", "a.pcd", &["--trajectory", &short]);
    assert!(status == 1 && said.contains("with --trajectory-offset"), "{said}");
    let options = ["--trajectory", &*short, "--trajectory-offset", "1715940000"];
    assert_eq!(convert("room.lvx", "a.pcd", &options).2, 15360);
    // With a trajectory, mounts may be given for targets that hold no transforms.
    let mounts = path("m.yaml", "- {parent: base, child: elsewhere, translation: [0, 0, 1]}");
    let options = ["--trajectory", &*all, "--transforms", &mounts];
    let (status, said, _) = convert("room.lvx", "a.pcd", &options);
    assert!(status == 1 && said.contains("no transform from the points' frame"), "{said}");
    let (status, said, _) = convert("room.lvx", "a.pcd", &["--trajectory", "@nothing"]);
    assert!(status == 2 && said.contains("no channel matches 'nothing'"), "{said}");
    let (status, said, _) = convert("room.lvx", "a.las", &["--trajectory", &all, "--crs", "EPSG:32632"]);
    assert_eq!(status, 0, "{said}");
}

/// 70 bytes of a trajectory are zeroed, in the middle of an entry: the other poses are used, and the loss is reported.
#[test]
fn damage_of_a_trajectory_is_a_loss() {
    let dir = tempfile::tempdir().unwrap();
    let log = |name: &str, hole: bool| {
        let mut text = "%% LOGSTART           1715940000\n".to_owned();
        for i in 0..20 {
            for (name, value) in [("NAV_X", i), ("NAV_Y", 0), ("NAV_HEADING", 90)] {
                let time = f64::from(i) * 0.05;
                writeln!(text, "{time:<16.5}{name:<21}{:<16}{value}", "pSim").unwrap();
            }
        }
        let mut bytes = text.into_bytes();
        if hole {
            bytes[1600..1670].fill(0);
        }
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (sound, holed) = (log("sound.alog", false), log("holed.alog", true));
    let convert = |file: &str| convert("room.lvx", "a.pcd", &["--trajectory", file]);
    let (status, said, points) = convert(&sound);
    assert_eq!((status, points), (0, 15360), "{said}");
    let (status, said, points) = convert(&holed);
    assert_eq!((status, points), (3, 15360), "{said}");
    assert!(said.contains("holed.alog: alog: invalid entry") && said.contains("; 111 bytes lost"), "{said}");
}

#[test]
fn a_trajectory_may_take_more_where_more_memory_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.tum");
    // 20,000 poses in a second: at 64 bytes each, more than a sixteenth of 16 MiB, and less than a sixteenth of 32 MiB.
    let mut text = String::new();
    for i in 0..20_000 {
        writeln!(text, "1715940000.{:05} 0 0 0 0 0 0 1", i * 5).unwrap();
    }
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let (status, said, _) = convert("room.lvx", "a.pcd", &["--trajectory", path, "--max-memory", "16M"]);
    let wanted = "trajectory: more than 16384 poses do not fit into memory: --max-memory allows more";
    assert!(status == 1 && said.contains(wanted), "{said}");
    let (status, said, points) = convert("room.lvx", "a.pcd", &["--trajectory", path, "--max-memory", "32M"]);
    assert_eq!((status, points), (0, 15360), "{said}");
}
