//! The contract of the command line: exit status, streams, complete or absent files.

use std::fs;

use crate::run::{fixture, names, robolog, s, with_input};

#[test]
fn info_has_every_key_and_one_object_a_recording() {
    let (whole, cut) = (fixture("room.lvx"), fixture("short_tail.lvx"));
    let run = robolog(["info", "--json", s(&whole), s(&cut)]);
    assert_eq!(run.status, 3, "the worst status: {}", run.err);
    let objects = run.json();
    assert_eq!(objects.len(), 2);
    for object in &objects {
        for key in [
            "format",
            "variant",
            "path",
            "bytes",
            "records",
            "complete",
            "lost_bytes",
            "clock",
            "start_ns",
            "end_ns",
            "duration_s",
            "channels",
            "warnings",
            "details",
        ] {
            assert!(object.get(key).is_some(), "{key}");
        }
        for key in ["frames", "packages", "points", "imu_samples", "frame_ms", "devices"] {
            assert!(object["details"].get(key).is_some(), "{key}");
        }
        for key in [
            "sn",
            "hub_sn",
            "index",
            "lidar_id",
            "device_type",
            "packages",
            "points",
            "imu_samples",
            "start_ns",
            "end_ns",
        ] {
            assert!(object["details"]["devices"][0].get(key).is_some(), "{key}");
        }
    }
    assert_eq!(objects[0]["complete"], true);
    assert_eq!(objects[0]["bytes"], fs::metadata(&whole).unwrap().len());
    assert_eq!(objects[1]["complete"], false);
    assert!(objects[1]["lost_bytes"].as_u64().unwrap() > 0);
    let empty = &robolog(["info", "--json", s(&fixture("header_only.lvx"))]).json()[0];
    assert!(empty["start_ns"].is_null() && empty["duration_s"].is_null() && empty["clock"] == "unknown");
}

#[test]
fn wrong_usage_is_2_and_what_cannot_be_done_is_1() {
    assert_eq!(robolog(["info"]).status, 2);
    assert_eq!(robolog(["info", "--no-such-option", "x"]).status, 2);
    assert_eq!(robolog(["cat", "x.lvx", "--start", "yesterday"]).status, 2);
    robolog(["info", "x.pcap", "--model", "mid-71"])
        .exits(2)
        .says("mid-70, mid-100")
        .says("vlp-16, puck-hi-res");
    assert_eq!(robolog(["cat", s(&fixture("room.lvx")), "--channel", "[a"]).status, 2);
    let missing = robolog(["info", "no-such-file.lvx"]).exits(1);
    assert!(missing.err.starts_with("robolog: no-such-file.lvx: "), "{}", missing.err);
    let foreign = with_input(["info", "-"], b"\x1b[31mnot a recording\x07");
    assert_eq!((foreign.status, foreign.out.len()), (1, 0));
    assert!(foreign.err.contains("unknown format") && !foreign.err.contains('\x1b'), "{}", foreign.err);
    let empty = with_input(["info", "-"], b"");
    assert_eq!((empty.status, &*empty.err), (1, "robolog: -: the file is empty\n"));
    let photo = with_input(["info", "-"], b"\xff\xd8\xff\xe0\0\x10JFIF");
    assert_eq!((photo.status, &*photo.err), (1, "robolog: -: JPEG image, not a recording\n"));
    let cloud = with_input(["check", "-"], b"LASF\0\0");
    assert!(cloud.err.contains("LAS point cloud, not a recording: robolog writes these"), "{}", cloud.err);
    with_input(["info", "--format", "carla", "-"], b"x")
        .exits(2)
        .says("there is no format \"carla\"; did you mean carla-rec?");
    with_input(["info", "--format", "nonesuch", "-"], b"x")
        .exits(2)
        .says("choose one of alog, carla-rec, gpx");
}

#[test]
fn check_names_code_offset_and_verdict() {
    let good = robolog(["check", s(&fixture("v11_type2.lvx"))]);
    assert_eq!((good.status, good.err.as_str()), (0, ""));
    assert!(good.text().ends_with(": sound: LVX 1.1, 2 records\n"), "{}", good.text());
    let (bad_file, good_file) = (fixture("next_zero.lvx"), fixture("v11_type2.lvx"));
    let bad = robolog(["check", "--json", s(&bad_file), s(&good_file)]).exits(3);
    let reports = bad.json();
    let paths: Vec<_> = reports.iter().map(|report| report["path"].as_str()).collect();
    assert_eq!(paths, [Some(s(&bad_file)), Some(s(&good_file))]);
    let report = &reports[0];
    assert_eq!((report["ok"].as_bool(), report["format"].as_str()), (Some(false), Some("lvx")));
    let finding = &report["findings"][0];
    assert_eq!((finding["severity"].as_str(), finding["offset"].as_u64()), (Some("error"), Some(842)));
    assert!(finding["code"].is_string() && finding["message"].is_string());
}

#[test]
fn cat_prints_an_object_a_line_from_files_and_pipes_alike() {
    let file = fixture("v11_type6.lvx");
    let from_file = robolog(["cat", s(&file)]);
    let from_pipe = with_input(["cat", "-"], &fs::read(&file).unwrap());
    assert_eq!((from_file.status, from_pipe.status), (0, 0), "{}", from_file.err);
    assert!(from_file.out == from_pipe.out);
    let objects = from_file.json();
    assert_eq!(objects.len(), 4);
    for object in &objects {
        assert_eq!(object["kind"], "imu");
        assert!(object["value"]["linear_acceleration"]["z"].is_f64());
        assert!(object["t"].is_f64() && object["t_ns"].is_i64() && object["offset"].is_u64());
    }
    let raw = robolog(["cat", "--raw", s(&file)]).json();
    assert_eq!(raw.len(), 2, "a frame a line");
    assert_eq!(raw[0]["value"]["packages"][0]["data_type"], 6);
}

#[test]
fn cut_without_limits_is_the_input_and_with_limits_what_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("v11_two_devices.lvx");
    let out = dir.path().join("same.lvx");
    assert_eq!(robolog(["cut", s(&file), "-o", s(&out)]).status, 0);
    assert!(fs::read(&out).unwrap() == fs::read(&file).unwrap());

    let all = robolog(["info", "--json", s(&file)]).json();
    let name = all[0]["channels"][0]["name"].as_str().unwrap().to_owned();
    let part = dir.path().join("part.lvx");
    assert_eq!(robolog(["cut", s(&file), "--channel", &name, "-o", s(&part)]).status, 0);
    let info = robolog(["info", "--json", s(&part)]).json();
    assert_eq!(recorded(&info[0]).len(), 1);
    assert_eq!(info[0]["channels"][0], all[0]["channels"][0]);

    let none = dir.path().join("none.lvx");
    let run = robolog(["cut", s(&file), "--start", "1h", "-o", s(&none)]);
    assert_eq!(run.status, 1, "an empty output is no success");
    assert_eq!(names(dir.path()), ["part.lvx", "same.lvx"], "nothing is left behind");
}

#[test]
fn recover_saves_what_can_be_read_and_says_what_was_lost() {
    let dir = tempfile::tempdir().unwrap();
    for (name, lost) in
        [("short_tail", true), ("next_zero", true), ("trailing_garbage", true), ("v11_type2", false)]
    {
        let out = dir.path().join(name);
        let run = robolog(["recover", s(&fixture(&format!("{name}.lvx"))), "-o", s(&out)]);
        assert_eq!(run.status, if lost { 3 } else { 0 }, "{name}: {}", run.err);
        assert_eq!(robolog(["check", s(&out)]).status, 0, "{name}");
        assert_eq!(run.err.contains(" lost\n"), lost, "{name}: {}", run.err);
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_half_done_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("room.lvx");
    let out = dir.path().join("cloud.ply");
    fs::write(&out, "precious").unwrap();
    robolog(["convert", s(&file), "-o", s(&out)]).exits(1).says("--force");
    assert_eq!(fs::read(&out).unwrap(), b"precious");
    let run = robolog(["convert", s(&file), "-o", s(&out), "--force", "--apply-extrinsics=never"]);
    assert!(run.status == 0 && run.err.contains("note: skipped 1 transform: ply"), "{}", run.err);
    let run = robolog(["convert", s(&file), "-o", s(&out), "--force"]);
    assert!(run.status == 0 && !run.err.contains("skipped"), "the points are moved by it: {}", run.err);
    assert!(fs::read(&out).unwrap().starts_with(b"ply\n"));

    let own = dir.path().join("own.lvx");
    fs::copy(&file, &own).unwrap();
    robolog(["cut", s(&own), "-o", s(&own), "--force"]).exits(1).says("input itself");
    assert!(fs::read(&own).unwrap() == fs::read(&file).unwrap());

    let run = robolog(["convert", s(&fixture("lvx3_listing.lvx")), "-o", s(&dir.path().join("no.pcd"))]);
    assert!(run.status == 1 && run.err.contains("closed codec"), "{}", run.err);
    let run = robolog(["convert", s(&file), "-o", s(&dir.path().join("no.stl"))]);
    let unknown = format!(
        "robolog: {}: unknown output format \".stl\"; did you mean ply or pcd? --to NAME",
        dir.path().join("no.stl").display()
    );
    assert!(run.status == 2 && run.err.starts_with(&unknown), "{}", run.err);
    let run = robolog(["convert", s(&file), "--to", "las", "-o", s(&dir.path().join("no.laz"))]);
    assert!(run.status == 2 && run.err.contains("the name says laz, but las is asked for"), "{}", run.err);
    let run = robolog(["convert", s(&file), "--to", "mcpa", "-o", s(&dir.path().join("no.mcap"))]);
    assert!(run.status == 2 && run.err.contains("did you mean mcap?"), "{}", run.err);
    assert_eq!(names(dir.path()), ["cloud.ply", "own.lvx"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_into_other_files() {
    let dir = tempfile::tempdir().unwrap();
    let (victim, link) = (dir.path().join("victim"), dir.path().join("link.ply"));
    fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    let file = fixture("room.lvx");
    assert_eq!(robolog(["convert", s(&file), "-o", s(&link)]).status, 1);
    let run = robolog(["convert", s(&file), "-o", s(&link), "--force", "--apply-extrinsics"]);
    assert!(run.status == 1 && run.err.contains("name the file that it points to"), "{}", run.err);
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let hard = dir.path().join("hard.lvx");
    let own = dir.path().join("own.lvx");
    fs::copy(&file, &own).unwrap();
    fs::hard_link(&own, &hard).unwrap();
    assert_eq!(robolog(["cut", s(&own), "-o", s(&hard), "--force"]).status, 1, "the input by another name");
}

#[test]
fn what_a_target_cannot_hold_is_noted_and_a_loss_only_when_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("next_zero.lvx");
    let out = dir.path().join("points.csv");
    let run = robolog(["convert", s(&file), "-o", s(&out)]);
    assert!(run.err.contains("note: skipped 4 IMU samples: csv is a table of one kind"), "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 1 + 360);
    // The recording itself is damaged, so the status does not depend on the note.
    let sound = fixture("v11_type2.lvx");
    let ply = dir.path().join("points.ply");
    let several = fixture("v11_two_devices.lvx");
    let status = |more: &[&str]| {
        let words = ["convert", s(&several), "-f", "-o", s(&ply)];
        robolog([&words[..], more].concat()).status
    };
    assert_eq!((status(&[]), status(&["--strict"])), (0, 3));
    assert_eq!(status(&["--channel", "*"]), 3, "asked for by name");

    // Transforms that would move nothing are refused.
    let transforms = dir.path().join("mount.yaml");
    fs::write(&transforms, "- {parent: a, child: b, translation: [1, 0, 0]}").unwrap();
    for name in ["points.las", "points.pcd"] {
        let out = dir.path().join(name);
        let run = robolog(["convert", s(&sound), "--transforms", s(&transforms), "-o", s(&out)]);
        assert!(run.status == 2 && !out.exists(), "{}", run.err);
        let why = "cannot hold transforms, and moves no points by them: --to mcap";
        assert!(run.err.contains(why), "{}", run.err);
    }
    // Points relative to their sensor are not in a map's coordinate system.
    let las = dir.path().join("points.las");
    let run = robolog(["convert", s(&sound), "--crs", "EPSG:25832", "-o", s(&las)]);
    assert!(
        run.status == 2 && !las.exists() && run.err.contains("give it with --origin LAT,LON"),
        "{}",
        run.err
    );
    let words = ["convert", s(&sound), "--crs", "EPSG:25832", "--origin", "50.35,7.6,100", "-o", s(&las)];
    assert_eq!(robolog(words).status, 0);

    let imu = dir.path().join("imu.csv");
    robolog(["convert", s(&fixture("v11_type6.lvx")), "--channel", "*/imu", "-o", s(&imu)]).exits(0);
    let text = fs::read_to_string(&imu).unwrap();
    assert!(
        text.starts_with("time_ns,channel,frame_id,qx,qy,qz,qw,wx,wy,wz,ax,ay,az\n")
            && text.lines().count() == 5,
        "{text}"
    );
    let run = robolog(["convert", s(&fixture("v11_type6.lvx")), "-o", s(&dir.path().join("none.pcd"))]);
    assert!(run.status == 1 && run.err.contains("4 IMU samples"), "{}", run.err);
}

#[test]
fn a_folder_per_frame_or_channel_comes_with_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("v11_two_devices.lvx");
    for (per, files) in [("frame", None), ("channel", Some(2))] {
        let out = dir.path().join(per);
        let run = robolog(["convert", s(&file), "--per", per, "--to", "pcd", "-o", s(&out)]);
        assert!(run.status == 0 || run.status == 3, "{}", run.err);
        let listed = fs::read_to_string(out.join("_index.csv")).unwrap();
        let rows: Vec<_> =
            listed.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect();
        let mut written = names(&out);
        written.retain(|name| name != "_index.csv");
        if let Some(files) = files {
            assert_eq!(written.len(), files);
        }
        assert!(rows.iter().all(|row| written.contains(row)), "{rows:?}");
        assert!(written.iter().all(|name| rows.contains(name)), "{written:?}");
    }
    assert_eq!(
        robolog(["convert", s(&file), "--per", "frame", "--to", "pcd", "-o", s(&dir.path().join("frame"))])
            .status,
        1
    );
}

#[test]
fn several_inputs_go_into_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (a, b) = (fixture("v11_type2.lvx"), fixture("v11_type0.lvx"));
    robolog(["convert", s(&a), s(&b), "--to", "ply", "-o", s(&out)]).exits(0);
    assert_eq!(names(&out), ["_manifest.jsonl", "v11_type0.ply", "v11_type2.ply"]);
}

/// Channels of records; the mounting of devices is in the header.
fn recorded(info: &serde_json::Value) -> Vec<&serde_json::Value> {
    let channels = info["channels"].as_array().unwrap();
    channels.iter().filter(|channel| channel["name"] != "tf_static").collect()
}

#[test]
fn merge_joins_what_cut_took_apart() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("v11_two_devices.lvx");
    let info = robolog(["info", "--json", s(&file)]).json();
    let mut parts = Vec::new();
    for (i, channel) in recorded(&info[0]).into_iter().enumerate() {
        let part = dir.path().join(format!("{i}.lvx"));
        let name = channel["name"].as_str().unwrap();
        assert_eq!(robolog(["cut", s(&file), "--channel", name, "-o", s(&part)]).status, 0);
        parts.push(part);
    }
    let out = dir.path().join("merged.lvx");
    let args = ["merge", "-o", s(&out)].into_iter().chain(parts.iter().map(|p| s(p)));
    robolog(args).exits(0);
    let merged = robolog(["info", "--json", s(&out)]).json();
    assert_eq!(merged[0]["channels"], info[0]["channels"]);
}

#[test]
fn completions_and_manual_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let run = robolog(["completions", shell]);
        assert!(run.status == 0 && run.text().contains("robolog"), "{shell}");
    }
    let man = robolog(["man"]).text();
    assert!(man.contains(".TH robolog") && man.contains("extrinsics"), "{}", man.len());
}
