//! Verbs on LiDAR recordings: LVX, Koblenz logs and captures.

use std::{collections::BTreeMap, fs, path::Path};

use crate::run::{fixture, fixture_of, robolog, s};

/// Samples by channel from `info` and from `cat`, and the status of each verb.
fn readings(file: &str, recovered: &Path) -> ([BTreeMap<String, u64>; 2], [i32; 4]) {
    let info = robolog(["info", "--json", file]);
    let mut counted = BTreeMap::new();
    for channel in info.json().first().map_or(&vec![], |info| info["channels"].as_array().unwrap()) {
        let records = channel["records"].as_u64().unwrap();
        if records > 0 {
            counted.insert(channel["name"].as_str().unwrap().to_owned(), records);
        }
    }
    let cat = robolog(["cat", file]);
    let mut printed = BTreeMap::new();
    for sample in cat.json() {
        *printed.entry(sample["channel"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let check = robolog(["check", file]).status;
    let recover = robolog(["recover", file, "-f", "-o", s(recovered)]).status;
    ([counted, printed], [check, info.status, cat.status, recover])
}

#[test]
fn verbs_agree_about_every_fixture() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("recovered");
    let files = testkit::fixtures("lvx", "lvx").into_iter().chain(testkit::fixtures("koblenz-log", "log"));
    let captures = ["pcap", "pcapng"].map(|extension| testkit::fixtures("pcap", extension));
    let files = files.chain(captures.into_iter().flatten());
    let mut agreed = 0;
    for file in testkit::one_in(3, files) {
        let ([counted, printed], statuses) = readings(s(&file.path), &out);
        assert_eq!(counted, printed, "{}", file.name);
        if printed.is_empty() {
            continue;
        }
        assert!(statuses.iter().all(|status| *status == statuses[0]), "{}: {statuses:?}", file.name);
        let ([_, again], [check, ..]) = readings(s(&out), &dir.path().join("twice"));
        assert_eq!((again, check), (printed, 0), "{}: what is recovered", file.name);
        agreed += 1;
    }
    println!("{agreed} files agreed upon");
    assert!(agreed > testkit::bound(25, 85), "{agreed}");
}

/// The stamps of one frame may be a microsecond apart.
#[test]
fn one_frame_has_no_rate() {
    let dir = tempfile::tempdir().unwrap();
    let file = testkit::fixture("lvx/room.lvx");
    // The offset of the next frame is 8 bytes after the start of the first frame, which follows the only device.
    let at = 29 + 59 + 8;
    let next = u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let path = dir.path().join("one.lvx");
    fs::write(&path, &file[..usize::try_from(next).unwrap()]).unwrap();
    let one = robolog(["info", s(&path)]).text();
    assert!(one.contains("1536 points"), "{one}");
    assert!(!one.contains("points/s"), "{one}");
    fs::write(&path, &file).unwrap();
    assert!(robolog(["info", s(&path)]).text().contains("30913 points/s"));
}

/// The lowest point of a cloud, converted to PCD because its numbers are text.
fn lowest(file: &str, args: &[&str]) -> f64 {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("cloud.pcd");
    let run = robolog([&["convert", file, "--pcd-data", "ascii", "-o", s(&out)], args].concat());
    assert!(matches!(run.status, 0 | 3), "{}", run.err);
    let text = fs::read_to_string(out).unwrap();
    let heights = text.lines().skip_while(|line| !line.starts_with("DATA")).skip(1);
    let heights = heights.map(|line| line.split(' ').nth(2).unwrap().parse::<f64>().unwrap());
    heights.fold(f64::MAX, f64::min)
}

#[test]
fn points_of_several_devices_are_moved_as_the_file_says() {
    let room = fixture("room.lvx");
    let room = s(&room);
    let here = lowest(room, &["--apply-extrinsics", "never"]);
    for args in [&[][..], &["--apply-extrinsics", "file"], &["--apply-extrinsics", "always"]] {
        let moved = lowest(room, args);
        // The device is mounted one metre up; shots without a return stay at the origin.
        assert!((moved - here - 1.0).abs() < 2e-3 || moved > here + 0.9, "{args:?}: {moved} of {here}");
    }
    let dir = tempfile::tempdir().unwrap();
    let disabled = dir.path().join("disabled.lvx");
    let mut bytes = fs::read(room).unwrap();
    bytes[29 + 34] = 0;
    fs::write(&disabled, bytes).unwrap();
    assert!((lowest(s(&disabled), &[]) - here).abs() < 1e-9);
    assert!(lowest(s(&disabled), &["--apply-extrinsics", "always"]) > here + 0.9);
    let info = robolog(["info", "--json", s(&disabled)]).json();
    assert_eq!(info[0]["details"]["devices"][0]["extrinsic_enable"], 0);
}

#[test]
fn fixes_of_a_log_have_the_dates_of_the_receiver_in_tracks() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("track.gpx");
    let log = fixture_of("koblenz-log", "gps.log");
    robolog(["convert", s(&log), "-o", s(&out)]).exits(0);
    let text = fs::read_to_string(out).unwrap();
    assert!(
        text.contains("<time>") && text.matches("<time>").count() >= text.matches("<trkpt").count(),
        "{text}"
    );
}

#[test]
fn angles_of_unknown_scanners_are_given_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("scans.pcd");
    let log = fixture_of("koblenz-log", "laser.log");
    let args = ["convert", s(&log), "--channel", "laser/_", "--pcd-data", "ascii", "-o", s(&out)];
    robolog(args).exits(1).says("--laser-angles");
    robolog([&args[..], &["--laser-angles", "-90,0.5"]].concat()).exits(0);
    for (args, status) in
        [(["--quaternion", "xyzw"], 0), (["--quaternion", "zyxw"], 2), (["--acceleration", "g"], 0)]
    {
        let log = fixture_of("koblenz-log", "pose_wxyz.log");
        let out = dir.path().join("imu.jsonl");
        let run = robolog([&["convert", s(&log), "-f", "-o", s(&out)], &args[..]].concat());
        assert_eq!(run.status, status, "{args:?}: {}", run.err);
    }
}

#[test]
fn a_damaged_capture_gives_what_is_whole_and_status_3() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let mut file = fs::read(dir.join("livox_tele15_small.pcap")).unwrap();
    let mut at = 24;
    for _ in 0..901 {
        at += 16 + u32::from_le_bytes(file[at + 8..at + 12].try_into().unwrap()) as usize;
    }
    file[at + 11] = 0x7f;
    let dir = tempfile::tempdir().unwrap();
    let (damaged, out) = (dir.path().join("damaged.pcap"), dir.path().join("out.lvx"));
    fs::write(&damaged, file).unwrap();
    for verb in ["info", "check", "cat", "index"] {
        assert_eq!(robolog([verb, s(&damaged)]).status, 3, "{verb}");
    }
    let sound = dir.path().join("sound.pcap");
    assert_eq!(robolog(["recover", s(&damaged), "-o", s(&sound)]).status, 3);
    assert_eq!(robolog(["check", s(&sound)]).status, 0);
    assert_eq!(robolog(["cat", s(&sound)]).json().len(), robolog(["cat", s(&damaged)]).json().len());
    let run = robolog(["convert", s(&damaged), "-o", s(&out)]).exits(3);
    assert!(run.err.contains("999 packages") && run.err.len() < 1000, "{}", run.err);
}

#[test]
fn a_capture_is_a_recording_for_every_verb() {
    let captures = [
        // Points and measurements as counted by independent readers of the packets.
        ("lvx", "livox_tele15_small.pcap", 88_896, 74),
        ("lvx", "mid360_sdk2_synthetic.pcap", 67_200, 70),
        ("velodyne", "mrpt_vlp16_gps.pcap", 0, 0),
    ];
    for (folder, name, points, imu) in captures {
        let Some(data) = testkit::data_dir(folder) else { return };
        let (file, dir) = (data.join(name), tempfile::tempdir().unwrap());
        let file = s(&file);
        let channels = robolog(["info", "--json", file]).json()[0]["channels"].as_array().unwrap().clone();
        let of = |kind: &str, what: &str| -> u64 {
            let of_kind = channels.iter().filter(|c| c["kind"] == kind);
            of_kind.map(|c| c[what].as_u64().unwrap()).sum()
        };
        if points > 0 {
            assert_eq!((of("point_cloud", "values"), of("imu", "records")), (points, imu), "{name}");
        } else {
            assert!(of("point_cloud", "values") > 0, "{name}");
        }
        let samples = robolog(["cat", file]).json();
        let records = ["point_cloud", "imu", "gnss_fix", "row"].map(|kind| of(kind, "records"));
        assert_eq!(samples.len() as u64, records.iter().sum::<u64>(), "{name}");
        let stamps: Vec<i64> = samples.iter().map(|sample| sample["t_ns"].as_i64().unwrap()).collect();
        assert!(stamps.iter().all(|t| *t > 1_000_000_000_000_000_000), "{name}: times of capture");
        let cloud = dir.path().join("cloud.ply");
        robolog(["convert", "-q", file, "-o", s(&cloud)]).exits(0);
        let (same, part) = (dir.path().join("same.pcap"), dir.path().join("part.pcap"));
        for verb in ["cut", "recover"] {
            assert_eq!(robolog([verb, file, "-f", "-o", s(&same)]).status, 0, "{name}");
            assert!(
                fs::read(&same).unwrap() == fs::read(file).unwrap(),
                "{verb} of {name} is the same bytes"
            );
        }
        robolog(["cut", file, "--channel", "*/points", "--duration", "0.2", "-o", s(&part)]).exits(0);
        assert_eq!(robolog(["check", s(&part)]).status, 0, "{name}");
        let kept = robolog(["cat", s(&part)]).json();
        assert!(!kept.is_empty() && kept.iter().all(|sample| sample["kind"] == "point_cloud"), "{name}");
        assert_eq!(
            robolog(["index", file]).text().lines().count(),
            robolog(["cat", "--raw", file]).json().len()
        );
    }
}

/// A header of zeros hides the format: with `--format`, the copy equals the original file.
#[test]
fn a_wiped_header_is_read_by_its_format_and_written_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("wiped.lvx"), dir.path().join("out.lvx"));
    let sound = fs::read(fixture("room.lvx")).unwrap();
    let mut wiped = sound.clone();
    wiped[..29].fill(0);
    fs::write(&file, wiped).unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    assert_eq!(robolog(["recover", file, "-o", out]).status, 1, "no format");
    let check = robolog(["check", "--format", "lvx", file]);
    assert!(check.status == 1 || check.status == 3, "{}", check.err);
    let told = "the first frame looks like LVX 1.1 with 1 device";
    assert!(check.text().contains(told), "{}", check.text());
    let run = robolog(["recover", "--format", "lvx", file, "-o", out]);
    assert_eq!(run.status, 3, "{}", run.err);
    assert!(run.err.contains(told) && run.err.contains("10 records, 0 bytes lost"), "{}", run.err);
    assert!(fs::read(out).unwrap() == sound);
    // All verbs that read samples report it, too.
    for verb in [&["cat", "-n", "1"][..], &["convert", "--to", "jsonl", "-o", "-"]] {
        let run = robolog([verb, &["--format", "lvx", file]].concat());
        assert!(run.status == 3 && run.err.contains(told), "{verb:?}: {}: {}", run.status, run.err);
    }
}
