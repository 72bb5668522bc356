//! `split` and `merge`: parts open on their own, and join to the whole.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::run::{fixture, fixture_of, robolog, s, with_input};

fn parts(folder: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    parts
}

/// Splits `file`, checks that each part opens on its own, and merges them again.
fn round_trip(file: &Path, by: &[&str], dir: &Path) -> (usize, Vec<u8>) {
    let (folder, whole) = (dir.join("parts"), dir.join("whole"));
    let _ = fs::remove_dir_all(&folder);
    let run = robolog([&["split", s(file), "-o", s(&folder)], by].concat());
    assert_eq!(run.status, 0, "{}: {}", file.display(), run.err);
    let parts = parts(&folder);
    let format = robolog(["info", "--json", s(file)]).json()[0]["format"].as_str().unwrap().to_owned();
    // Each part is opened on its own; a run for all is as good as one for each.
    let check = robolog(["check", "--format", &format].into_iter().chain(parts.iter().map(|part| s(part))));
    assert_eq!(check.status, 0, "{}: {}", file.display(), check.text());
    if let [one] = parts.as_slice() {
        return (1, fs::read(one).unwrap());
    }
    let mut args =
        vec!["merge".to_owned(), "-f".into(), "--format".into(), format, "-o".into(), s(&whole).into()];
    // In any order on the command line.
    args.extend(parts.iter().map(|part| s(part).to_owned()));
    let merge = robolog(args);
    assert_eq!(merge.status, 0, "{}: {}", file.display(), merge.err);
    (parts.len(), fs::read(&whole).unwrap())
}

/// The fixtures of a folder that `check` finds sound, or one in three of them.
fn sound(folder: &str) -> impl Iterator<Item = PathBuf> {
    let is_recording =
        |path: &PathBuf| !path.extension().is_some_and(|e| e == "json" || e == "md" || e == "blog");
    let files = parts(&fixture_of(folder, "")).into_iter().filter(|path| path.is_file()).filter(is_recording);
    testkit::one_in(3, files.filter(|path| robolog(["check", "-q", s(path)]).status == 0))
}

/// Names of fixtures whose merged parts differ from the whole in some byte.
fn not_the_same(folder: &str, others: &[&str]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    let mut divided = 0;
    for file in sound(folder) {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if others.contains(&&*name) {
            continue;
        }
        // Other text encodings become UTF-8, compressed files are decompressed, and wrong indexes are corrected; the
        // contents are equal.
        let is_changed = ["latin1", "utf16", ".kmz", ".gz", "index_"].iter().any(|part| name.contains(part));
        let bytes = fs::read(&file).unwrap();
        for by in [["--parts", "3"], ["--size", "700"]] {
            let (number, whole) = round_trip(&file, &by, dir.path());
            divided += usize::from(number > 1);
            if is_changed {
                let whole_file = dir.path().join("whole");
                fs::write(&whole_file, &whole).unwrap();
                assert_eq!(robolog(["diff", s(&file), s(&whole_file)]).status, 0, "{name}");
            } else if whole != bytes {
                found.push(format!("{name} {}", by[0]));
            }
        }
    }
    assert!(divided > usize::from(testkit::is_thorough()), "{folder}: {divided} were divided");
    found
}

#[test]
fn the_parts_of_every_sound_lvx_are_the_whole_again() {
    assert_eq!(not_the_same("lvx", &[]), [""; 0]);
}

#[test]
fn the_parts_of_every_sound_log_of_moos_are_the_whole_again() {
    assert_eq!(not_the_same("alog", &[]), [""; 0]);
}

#[test]
fn the_parts_of_every_sound_carla_recording_are_the_whole_again() {
    assert_eq!(not_the_same("carla-rec", &[]), [""; 0]);
}

#[test]
fn the_parts_of_every_sound_koblenz_log_are_the_whole_again() {
    assert_eq!(not_the_same("koblenz-log", &[]), [""; 0]);
}

#[test]
fn the_parts_of_every_sound_document_and_log_of_sentences_are_the_whole_again() {
    for folder in ["gpx", "kml", "nmea"] {
        assert_eq!(not_the_same(folder, &[]), [""; 0], "{folder}");
    }
}

#[test]
fn parts_by_time_begin_where_the_time_is_due() {
    let dir = tempfile::tempdir().unwrap();
    let (file, folder) = (dir.path().join("m.alog"), dir.path().join("parts"));
    let log = "%% LOGSTART  1714983600.0\n0.5  A  p  1\n9.9  A  p  2\n10.6  A  p  3\n10.4  A  p  4\n31.0  A  p  5\n";
    fs::write(&file, log).unwrap();
    let run = robolog(["split", s(&file), "--every", "10s", "-o", s(&folder)]).exits(0);
    assert!(run.err.ends_with("parts: 3 parts, 5 records, 146 bytes\n"), "{}", run.err);
    let lines = |part: &PathBuf| fs::read_to_string(part).unwrap().lines().skip(1).count();
    let all = parts(&folder);
    assert_eq!(all.iter().map(lines).collect::<Vec<_>>(), [2, 2, 1]);
    assert!(all[0].ends_with("m-000.alog") && all[2].ends_with("m-002.alog"));
    // From a pipe too.
    let other = dir.path().join("piped");
    let run = with_input(["split", "-", "--every", "10s", "-o", s(&other)], log.as_bytes());
    assert_eq!((run.status, parts(&other).len()), (0, 3), "{}", run.err);
    assert!(parts(&other)[0].ends_with("part-000.alog"));
}

#[test]
fn a_folder_that_holds_something_is_not_replaced_but_that_of_earlier_parts_is() {
    let dir = tempfile::tempdir().unwrap();
    let (file, folder) = (fixture("room.lvx"), dir.path().join("parts"));
    fs::create_dir(&folder).unwrap();
    let split =
        |force: &[&str]| robolog([&["split", s(&file), "--parts", "2", "-o", s(&folder)], force].concat());
    assert_eq!(split(&[]).status, 0, "an empty folder is used");
    let before = parts(&folder);
    assert_eq!(split(&[]).status, 1);
    assert_eq!(split(&["-f"]).status, 0);
    assert_eq!(parts(&folder), before);
    fs::write(folder.join("mine.txt"), "mine").unwrap();
    let run = split(&["-f"]);
    assert!(run.status == 1 && folder.join("mine.txt").exists(), "{}", run.err);
}

#[test]
fn what_cannot_be_split_is_refused_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("parts");
    let file = fixture("room.lvx");
    for by in
        [&[][..], &["--every", "0"], &["--size", "0"], &["--parts", "0"], &["--every", "1s", "--parts", "2"]]
    {
        robolog([&["split", s(&file), "-o", s(&folder)], by].concat()).exits(2);
    }
    let run = robolog(["split", s(&file), "--every", "1ns", "-o", s(&folder)]);
    assert!(run.status != 0 && !folder.exists(), "{}", run.err);
    let run = robolog(["split", s(&file), "--parts", "2", "--channel", "none", "-o", s(&folder)]);
    assert!(run.status == 2 && !folder.exists(), "{}", run.err);
    let damaged = fixture("short_tail.lvx");
    let run = robolog(["split", s(&damaged), "--parts", "2", "-o", s(&folder)]);
    assert_eq!((run.status, folder.exists()), (3, true), "{}", run.err);
}

#[test]
fn recordings_that_do_not_go_together_are_not_merged() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let merge = |a: &Path, b: &Path| {
        let run = robolog(["merge", s(a), s(b), "-o", s(&out)]);
        assert!(run.status == 1 && !out.exists(), "{}", run.err);
        run.err
    };
    let (lvx, alog) = (fixture("room.lvx"), fixture_of("alog", "nav.alog"));
    assert!(merge(&lvx, &alog).contains("is alog, and "), "{}", merge(&lvx, &alog));
    let set = fixture_of("effibox", "dataset");
    assert!(merge(&set, &set).contains("robolog convert --merge"), "{}", merge(&set, &set));
    let carla = fixture_of("carla-rec", "v0_9_15.log");
    assert!(merge(&carla, &carla).contains("overlap in time"), "{}", merge(&carla, &carla));
    let map = fixture_of("carla-rec", "empty_map.log");
    let err = merge(&carla, &map);
    assert!(err.contains("map") || err.contains("overlap"), "{err}");
}

#[test]
fn documents_of_different_tracks_become_one_that_has_them_all() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b, out) = (dir.path().join("a.gpx"), dir.path().join("b.gpx"), dir.path().join("out.gpx"));
    let gpx = |inner: &str, spaces: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"{spaces}>\n{inner}\n</gpx>\n"
        )
    };
    let point = |tag: &str, lat: u8, more: &str| format!("<{tag} lat=\"{lat}\" lon=\"8\">{more}</{tag}>");
    let track = |name: &str, lat| {
        format!("<trk><name>{name}</name><trkseg>{}</trkseg></trk>", point("trkpt", lat, ""))
    };
    fs::write(
        &a,
        gpx(&format!("<metadata><name>a</name></metadata>{}{}", point("wpt", 1, ""), track("one", 2)), ""),
    )
    .unwrap();
    let more = format!("<metadata><name>b</name></metadata>{}{}", point("wpt", 3, "<x:y/>"), track("two", 4));
    fs::write(&b, gpx(&more, " xmlns:x=\"urn:x\"")).unwrap();
    robolog(["merge", s(&a), s(&b), "-o", s(&out)]).exits(0);
    assert_eq!(robolog(["check", s(&out)]).status, 0, "{}", fs::read_to_string(&out).unwrap());
    let info = &robolog(["info", "--json", s(&out)]).json()[0]["details"];
    assert_eq!((info["tracks"].as_u64(), info["waypoints"].as_u64()), (Some(2), Some(2)));
    let text = fs::read_to_string(&out).unwrap();
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in {text}"));
    assert!(place("lat=\"3\"") < place("<trk>"), "waypoints stand before tracks: {text}");
    assert!(text.contains("xmlns:x=\"urn:x\"") && !text.contains("<name>b</name>"), "{text}");
    // Another version.
    fs::write(&b, gpx("", "").replace("GPX/1/1", "GPX/1/0")).unwrap();
    robolog(["merge", s(&a), s(&b), "-f", "-o", s(&out)]).exits(1).says("b.gpx");
}

/// A truncated document is damaged, and its open elements are closed in the merged document.
#[test]
fn documents_that_end_early_are_said_and_do_not_spoil_what_is_merged() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b, out) = (dir.path().join("a.gpx"), dir.path().join("b.gpx"), dir.path().join("out.gpx"));
    let head = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\">";
    let point = |lat: u8| format!("<trkpt lat=\"{lat}\" lon=\"8\"></trkpt>");
    fs::write(&a, format!("{head}<trk><name>one</name><trkseg>{}", point(1))).unwrap();
    fs::write(&b, format!("{head}<trk><name>two</name><trkseg>{}</trkseg></trk></gpx>", point(2))).unwrap();
    for files in [[&a, &b], [&b, &a]] {
        robolog(["merge", s(files[0]), s(files[1]), "-f", "-o", s(&out)])
            .exits(3)
            .says("a.gpx: ")
            .says("<trkseg> open");
        let text = fs::read_to_string(&out).unwrap();
        assert_eq!(robolog(["check", s(&out)]).status, 0, "{text}");
        assert_eq!(robolog(["info", "--json", s(&out)]).json()[0]["details"]["trackpoints"], 2, "{text}");
    }
}

#[test]
fn placemarks_of_several_documents_of_kml_are_in_one() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.kml");
    let kml = |name: &str| {
        let file = dir.path().join(name);
        let text = format!(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>{name}</name><Placemark><Point><coordinates>8,47</coordinates></Point></Placemark></Document></kml>"
        );
        fs::write(&file, text).unwrap();
        file
    };
    robolog(["merge", s(&kml("a.kml")), s(&kml("b.kml")), "-o", s(&out)]).exits(0);
    assert_eq!(robolog(["check", s(&out)]).status, 0, "{}", fs::read_to_string(&out).unwrap());
    let info = &robolog(["info", "--json", s(&out)]).json()[0]["details"];
    assert_eq!(info["placemarks"].as_u64(), Some(2), "{}", fs::read_to_string(&out).unwrap());
}

#[test]
fn logs_of_moos_with_other_starts_are_merged_on_one_axis() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b, out) = (dir.path().join("a.alog"), dir.path().join("b.alog"), dir.path().join("out.alog"));
    fs::write(&a, "%% LOGSTART  1714983600.0\n1.0  A  p  1\n3.0  A  p  3\n").unwrap();
    fs::write(&b, "%% LOGSTART  1714983601.0\n1.0  B  p  2\n").unwrap();
    robolog(["merge", s(&b), s(&a), "-o", s(&out)]).exits(0);
    let text = fs::read_to_string(&out).unwrap();
    let values: Vec<_> = text.lines().filter_map(|line| line.split_whitespace().nth(3)).collect();
    assert_eq!(values, ["1", "2", "3"], "{text}");
    assert_eq!(text.matches("LOGSTART").count(), 1);
}

#[test]
fn a_data_set_is_split_into_folders() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("parts");
    let set = fixture_of("effibox", "dataset");
    robolog(["split", s(&set), "--parts", "2", "-o", s(&folder)]).exits(0);
    let parts = parts(&folder);
    assert_eq!(parts.len(), 2);
    let records = |path: &Path| robolog(["info", "--json", s(path)]).json()[0]["records"].as_u64().unwrap();
    assert!(parts.iter().all(|part| records(part) > 0 && records(part) < records(&set)));
}

/// A block of pcapng.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let len = u32::try_from(body.len() + 12).unwrap().to_le_bytes();
    [&kind.to_le_bytes()[..], &len, body, &len].concat()
}

#[test]
fn the_parts_of_captures_are_the_whole_again() {
    let dir = tempfile::tempdir().unwrap();
    let (ng, old) = (dir.path().join("x.pcapng"), dir.path().join("x.pcap"));
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let mut capture = [block(0x0a0d_0d0a, &section), block(1, &[1, 0, 0, 0, 0, 0, 4, 0])].concat();
    for second in 0..9_u32 {
        let stamp = (u64::from(second) + 1_700_000_000) * 1_000_000;
        let (high, low) = ((stamp >> 32) as u32, (stamp & 0xffff_ffff) as u32);
        let numbers = [0, high, low, 60, 60].map(u32::to_le_bytes).concat();
        capture.extend(block(6, &[&numbers[..], &[u8::try_from(second).unwrap(); 60]].concat()));
    }
    fs::write(&ng, &capture).unwrap();
    for by in [["--parts", "3"], ["--size", "300"], ["--every", "4s"]] {
        let (number, whole) = capture_round_trip(&ng, &by, dir.path());
        assert!(number > 1 && whole == capture, "{by:?}: {number} parts");
    }
    let log = fixture_of("koblenz-log", "velodyne_vlp16.log");
    robolog(["convert", s(&log), "-o", s(&old)]).exits(0);
    let (number, whole) = capture_round_trip(&old, &["--size", "3000"], dir.path());
    assert!(number > 1 && whole == fs::read(&old).unwrap(), "{number} parts");
}

fn capture_round_trip(file: &Path, by: &[&str], dir: &Path) -> (usize, Vec<u8>) {
    let (folder, whole) = (dir.join("parts"), dir.join("whole"));
    robolog([&["split", s(file), "-f", "-o", s(&folder)], by].concat()).exits(0);
    let parts = parts(&folder);
    let mut args = vec!["merge", "-f", "-o", s(&whole)];
    args.extend(parts.iter().rev().map(|part| s(part)));
    robolog(args).exits(0);
    (parts.len(), fs::read(&whole).unwrap())
}

/// The part changes at the damaged packet.
#[test]
fn what_one_part_lost_is_not_counted_with_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("one-byte.pcap");
    let mut bytes = fs::read(fixture_of("pcap", "velodyne.pcap")).unwrap();
    bytes[1559] ^= 1;
    fs::write(&file, bytes).unwrap();
    for number in ["2", "3", "5"] {
        let folder = dir.path().join(number);
        let run = robolog(["split", "--parts", number, "-o", s(&folder), s(&file)]);
        assert_eq!(run.status, 3, "{}", run.err);
        assert!(run.err.contains("570 bytes lost"), "{}", run.err);
    }
}

/// The samples of a recording by channel, each with time and value.
fn held(file: &Path) -> std::collections::BTreeMap<String, Vec<String>> {
    let cat = robolog(["cat", "-q", s(file)]);
    assert!(cat.status == 0 || cat.status == 3, "{}: {}", file.display(), cat.err);
    let mut held = std::collections::BTreeMap::<_, Vec<_>>::new();
    for sample in cat.json() {
        let channel = sample["channel"].as_str().unwrap().to_owned();
        held.entry(channel).or_default().push(format!("{} {}", sample["t_ns"], sample["value"]));
    }
    held
}

#[test]
fn parts_of_logs_of_sentences_open_by_themselves_and_hold_the_samples_of_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let folders = [Some(fixture_of("nmea", "")), testkit::data_dir("effibox/nmea")];
    let mut divided = 0;
    for file in testkit::one_in(8, folders.iter().flatten().flat_map(|folder| parts(folder))) {
        let info = robolog(["info", "--json", "-q", s(&file)]);
        if !file.is_file() || info.status == 1 || info.json()[0]["format"] != "nmea" {
            continue;
        }
        let whole = held(&file);
        for number in ["2", "5"] {
            let folder = dir.path().join("parts");
            let run = robolog(["split", "-q", "-f", "--parts", number, "-o", s(&folder), s(&file)]);
            assert_ne!(run.status, 1, "{}: {}", file.display(), run.err);
            let mut sum = std::collections::BTreeMap::<String, Vec<String>>::new();
            for part in parts(&folder) {
                assert!(fs::metadata(&part).unwrap().len() > 0, "{}", part.display());
                for (channel, samples) in held(&part) {
                    sum.entry(channel).or_default().extend(samples);
                }
                divided += 1;
            }
            assert!(sum == whole, "{} in {number} parts", file.display());
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    assert!(divided > testkit::bound(5, 50), "{divided}");
}

/// Numbers of records and values of each channel, by name and kind.
type Counts = std::collections::BTreeMap<(String, String), [u64; 2]>;

/// The format of a recording and its counts; `None` if it is not a recording.
fn counts(file: &Path) -> Option<(i32, String, Counts)> {
    let info = robolog(["info", "--json", "-q", s(file)]);
    let json = if matches!(info.status, 0 | 3) { info.json().into_iter().next()? } else { return None };
    let mut counts = Counts::new();
    for channel in json["channels"].as_array()? {
        let text = |key: &str| channel[key].as_str().unwrap().to_owned();
        let number = |key: &str| channel[key].as_u64().unwrap();
        // KML lines and tracks are numbered per file; a single table has the name of its file.
        let name = match json["format"].as_str()? {
            "kml" => text("name").trim_end_matches(|c: char| c.is_ascii_digit()).to_owned(),
            "effibox" => text("name").rsplit('/').next().unwrap_or_default().to_owned(),
            _ => text("name"),
        };
        // A MOOS variable with numbers and texts is a channel of each kind.
        let kind = text("kind").replace("scalar", "text");
        let sum = counts.entry((name, kind)).or_default();
        *sum = [sum[0] + number("records"), sum[1] + number("values")];
    }
    Some((info.status, json["format"].as_str()?.to_owned(), counts))
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in parts(folder) {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Every part of every recording is detected from its bytes and name, is sound, and holds its share of the whole.
#[test]
fn the_parts_of_all_real_recordings_open_by_themselves_and_hold_the_whole() {
    let mut files = Vec::new();
    for format in ["alog", "carla-rec", "effibox", "koblenz-log", "lvx", "velodyne"] {
        if let Some(folder) = testkit::data_dir(format) {
            let mut all = Vec::new();
            files_below(&folder, &mut all);
            files.extend(testkit::one_in(12, all));
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("parts");
    let (mut divided, mut faults) = (std::collections::BTreeMap::<String, u64>::new(), Vec::new());
    for file in &files {
        let Some((status, format, whole)) = counts(file) else { continue };
        let run = robolog(["split", "-q", "-f", "--parts", "3", "-o", s(&folder), s(file)]);
        if run.status != status {
            faults.push(format!(
                "{}: split ends with {}, info with {status}: {}",
                s(file),
                run.status,
                run.err
            ));
        }
        if run.status == 1 {
            continue;
        }
        let (mut sum, mut number) = (Counts::new(), 0);
        for part in parts(&folder) {
            match counts(&part) {
                Some((0, of_part, counts)) if of_part == format => {
                    number += 1;
                    for (channel, [records, values]) in counts {
                        let sum = sum.entry(channel).or_default();
                        *sum = [sum[0] + records, sum[1] + values];
                    }
                }
                other => faults.push(format!("{}: {} is {other:?}", s(file), s(&part))),
            }
        }
        for (channel, all) in &whole {
            let parts = sum.remove(channel).unwrap_or_default();
            let most = |at: usize, more: u64| {
                all[at] <= parts[at] && parts[at] <= all[at] + more * u64::saturating_sub(number, 1)
            };
            let is_right = match (&*channel.1, &*format) {
                // Repeated in each part.
                ("transform", _) => parts[0] > 0,
                // A border may divide a cloud or a satellite list, but loses no point or satellite.
                ("point_cloud", _) | ("satellites", "effibox") => most(0, 1) && parts[1] == all[1],
                // A part of a simulation begins with its actors; a receiver repeats its last sentence.
                ("row", "carla-rec") => parts[0] >= all[0],
                // A border may divide a route.
                ("gnss_fix" | "row", "pcap") | ("feature", "gpx") => most(0, 1),
                // Samples joined from several variables of one time, which a border may separate.
                (_, "alog") if channel.0.starts_with("NAV/") => {
                    parts[0] + number > all[0] && parts[0] <= all[0] + number
                }
                _ => parts == *all,
            };
            if !is_right {
                faults.push(format!("{}: {channel:?} {all:?}, in {number} parts {parts:?}", s(file)));
            }
        }
        faults.extend(sum.iter().map(|more| format!("{}: {more:?} in parts alone", s(file))));
        *divided.entry(format).or_default() += u64::from(number > 1);
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("divided: {divided:?}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn parts_begin_at_events_and_behind_gaps() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.alog");
    let line = |time: f64, name: &str, value: &str| format!("{time:.3}  {name}  pApp  {value}\n");
    let head = "%% LOGSTART           1714983600.12\n";
    let [a, b, c, d] = [
        line(1.0, "DEPLOY", "false") + &line(2.0, "X", "1"),
        line(3.0, "DEPLOY", "true") + &line(4.0, "X", "2"),
        line(50.0, "DEPLOY", "false") + &line(51.0, "DEPLOY", "false"),
        line(52.0, "DEPLOY", "true"),
    ];
    fs::write(&file, format!("{head}{a}{b}{c}{d}")).unwrap();
    let parts = |options: &[&str]| -> Vec<String> {
        let out = dir.path().join("parts");
        let words = ["split", file.to_str().unwrap(), "-f", "-o", out.to_str().unwrap()];
        robolog(words.into_iter().chain(options.iter().copied())).exits(0);
        let mut paths: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    };
    assert_eq!(
        parts(&["--on", "DEPLOY=true"]),
        [format!("{head}{a}"), format!("{head}{b}{c}"), format!("{head}{d}")]
    );
    assert_eq!(parts(&["--gap", "30s"]), [format!("{head}{a}{b}"), format!("{head}{c}{d}")]);
}

#[test]
fn a_folder_of_recordings_is_recovered_file_by_file() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("from"), dir.path().join("to"));
    fs::create_dir_all(from.join("deep")).unwrap();
    let file = fs::read(fixture("room.lvx")).unwrap();
    fs::write(from.join("whole.lvx"), &file).unwrap();
    fs::write(from.join("deep/cut.lvx"), &file[..file.len() - 5]).unwrap();
    robolog(["recover", from.to_str().unwrap(), "-o", to.to_str().unwrap()]).exits(3);
    assert_eq!(fs::read(to.join("whole.lvx")).unwrap(), file);
    assert!(to.join("deep/cut.lvx").is_file());
}

#[test]
fn what_merge_cannot_read_is_left_out_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let point = |lat: &str| format!("<wpt lat=\"{lat}\" lon=\"3.5\"></wpt>\n");
    let document = |name: &str, lats: [&str; 2]| {
        let file = dir.path().join(name);
        let points = lats.map(point).concat();
        fs::write(&file, format!("<gpx version=\"1.1\" creator=\"a\">\n{points}</gpx>\n")).unwrap();
        file
    };
    let (whole, damaged) = (document("a.gpx", ["45.1", "45.2"]), document("b.gpx", ["45.3", "4c.4"]));
    let out = dir.path().join("all.gpx");
    robolog(["merge", s(&whole), s(&damaged), "-o", s(&out)]).exits(3).says("b.gpx: ").says("4c.4");
    let text = fs::read_to_string(&out).unwrap();
    assert!(["45.1", "45.2", "45.3"].iter().all(|lat| text.contains(&point(lat))), "{text}");
    assert!(!text.contains("4c.4"), "{text}");
    assert_eq!(robolog(["check", s(&out)]).status, 0, "{text}");

    // A frame without its end, followed by the frames of another recording.
    let log = fixture_of("carla-rec", "map_not_utf8.log");
    let open = dir.path().join("open.log");
    fs::write(&open, &fs::read(&log).unwrap()[..862]).unwrap();
    let out = dir.path().join("all.log");
    let run = robolog(["merge", s(&open), s(Path::new(&log)), "-o", s(&out)]);
    assert!(run.status == 3 && run.err.contains("open.log: ") && run.err.contains("FrameEnd"), "{}", run.err);
}

#[test]
fn parts_of_a_log_with_two_starts_have_the_times_of_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.alog");
    let log = "%% LOGSTART 1700000000.5\nno entry\n%% LOGSTART 1800000000.5\n1.0 A pA 1\n2.0 A pA 2\n";
    fs::write(&file, log).unwrap();
    let folder = dir.path().join("parts");
    assert_eq!(robolog(["split", s(&file), "--parts", "2", "-o", s(&folder)]).status, 3);
    let times = |file: &Path| -> Vec<i64> {
        let text = String::from_utf8(robolog(["cat", s(file)]).out).unwrap();
        let rows = text.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
        rows.map(|row| row["t_ns"].as_i64().unwrap()).collect()
    };
    let due = [1_800_000_001_500_000_000, 1_800_000_002_500_000_000];
    assert_eq!(times(&file), due);
    assert_eq!(parts(&folder).iter().flat_map(|part| times(part)).collect::<Vec<_>>(), due);
}

#[test]
fn parts_of_which_the_first_has_no_time_are_the_whole_again() {
    let dir = tempfile::tempdir().unwrap();
    let sentence = |body: &str| format!("${body}*{:02X}\r\n", body.bytes().fold(0, |sum, byte| sum ^ byte));
    let untimed = sentence("PERC,1");
    let fix = sentence("GPGGA,170655.000,4111.59923,N,11156.56692,W,1,20,0.54,1443.9,M,-16.5,M,,");
    let later = sentence("GPRMC,022021.00,A,3644.759368,S,17444.072860,E,0.0,301.9,071020,18.3,E,A");
    let date = sentence("GPZDA,170655.000,06,10,2020,00,00");
    let opening = format!("# robolog part after 2020-10-06 61615.000000000 s\r\n{date}");
    let texts = [untimed.clone(), opening + &fix, later.clone()];
    let names = ["a-000.nmea", "a-001.nmea", "a-002.nmea"].map(|name| dir.path().join(name));
    names.iter().zip(texts).for_each(|(name, text)| fs::write(name, text).unwrap());
    let out = dir.path().join("whole.nmea");
    robolog(["merge", s(&names[0]), s(&names[1]), s(&names[2]), "-o", s(&out)]).exits(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), untimed + &fix + &later);
}
