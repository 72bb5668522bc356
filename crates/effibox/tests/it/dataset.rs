//! A data set laid by hand, read from a folder and from archives, cut and written back.

use std::{collections::BTreeMap, fs, path::Path};

use crate::tree::{self, CAMERA, CAN, GPS, RANGE, collect};
use effibox::{
    Clock, Timestamp,
    dataset::{Address, Dataset, InterfaceKind, Limits, Options, Span},
    table::{Steering, TableKind},
};
use robolog_core::{Sample, Value};

fn sorted(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_by_key(|s| (s.time.map_or(i64::MIN, Timestamp::nanos), s.channel.to_string()));
    samples
}

#[test]
fn interfaces_are_found_by_name_in_every_storage() {
    let dir = tempfile::tempdir().unwrap();
    for path in tree::everywhere(dir.path(), &tree::files()) {
        let dataset = Dataset::open(&path).unwrap();
        let shown: Vec<_> = dataset.interfaces().iter().map(|i| (i.id.as_str(), i.kind, i.files)).collect();
        let want = [
            ("ntpupdate", InterfaceKind::Clock, 1),
            (CAMERA, InterfaceKind::Camera, 5),
            (CAN, InterfaceKind::Can, 2),
            (GPS, InterfaceKind::Gps, 4),
            (RANGE, InterfaceKind::Range, 4),
        ];
        assert_eq!(shown, want, "{}", path.display());
        assert_eq!(dataset.other_files(), 2);
        let camera = &dataset.interfaces()[1];
        assert_eq!(camera.address, Address::Eui64(2_672_909_685_359_666));
        assert_eq!(camera.mount().unwrap().alias, "f-l-cam");
        let images = camera.images.as_ref().unwrap();
        assert_eq!((images.files, images.first, images.last, images.digits), (4, 1, 4, 10));
        assert_eq!(camera.dates().unwrap().kind, TableKind::CameraDates);
        let network = Address::Network { ip: [172, 27, 30, 21], port: 2112 };
        assert_eq!(dataset.interfaces()[4].address, network);
    }
}

#[test]
fn samples_come_in_order_of_time() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = None;
    for path in tree::everywhere(dir.path(), &tree::files()) {
        let dataset = Dataset::open(&path).unwrap();
        let (samples, faults) = collect(&dataset, Options::default());
        assert_eq!(faults.len(), 1, "{faults:?}");
        let place = format!("{CAN}/{CAN}_Steering.txt: line 3: column 7: \"x\" is not a number");
        assert!(faults[0].starts_with(&place), "{}", faults[0]);
        // 4 images, 3 scans, 3 fixes and rows beside them, 2 dates and 2 fixes of sentences, 2 angles, 3 poses, 1 of
        // the clock.
        assert_eq!(samples.len(), 4 + 3 + 6 + 2 + 2 + 2 + 3 + 1, "{}", path.display());
        if dataset.is_random() {
            let times: Vec<_> =
                samples.iter().filter_map(|s| s.time).filter(|t| t.clock() == Clock::Relative).collect();
            assert!(times.is_sorted_by(|a, b| a <= b), "{times:?}");
        }
        let samples = sorted(samples);
        let first = first.get_or_insert_with(|| samples.clone());
        assert_eq!(&samples, first, "{}", path.display());
    }
    let samples = first.unwrap();
    let of = |channel: String| samples.iter().filter(move |s| *s.channel == *channel).collect::<Vec<_>>();
    let images = of(format!("{CAMERA}/image"));
    let Value::Image(image) = &images[3].value else { panic!() };
    assert_eq!(&image.data[..], [4, 10, 20, 30]);
    assert_eq!(images[3].time, Some(Timestamp::new(1_521_600_000, Clock::Relative)));
    let scans = of(format!("{RANGE}/scan"));
    let Value::LaserScan(scan) = &scans[1].value else { panic!() };
    assert_eq!((scan.ranges[0], scans[1].time.unwrap().nanos()), (0.12, 193_478_000));
    assert_eq!(&*scans[1].frame_id, "hz-laser");
}

#[test]
fn a_start_makes_unix_time() {
    let dir = tempfile::tempdir().unwrap();
    let dataset = Dataset::open(tree::folder(dir.path(), &tree::files())).unwrap();
    let start = Timestamp::from_utc(2010, 9, 10, 8, 58, 41, 523_879_000).unwrap();
    let (samples, _) = collect(&dataset, Options::default().with_start(start).with_tables_only());
    let fix = samples.iter().find(|s| matches!(s.value, Value::GnssFix(_))).unwrap();
    assert_eq!(fix.time.unwrap().to_string(), "2010-09-10T08:58:42.000000000Z");
    assert!(!samples.iter().any(|s| matches!(s.value, Value::Image(_) | Value::LaserScan(_))));
}

#[test]
fn a_copy_of_everything_is_everything() {
    let dir = tempfile::tempdir().unwrap();
    let mut want = tree::files();
    want.sort();
    for (n, path) in tree::everywhere(dir.path(), &want).into_iter().enumerate() {
        let out = dir.path().join(format!("copy{n}"));
        let copied = Dataset::open(&path).unwrap().copy(&out, Span::default()).unwrap();
        assert!(tree::read(&out) == want, "{}", path.display());
        assert_eq!(copied.files, want.len() as u64);
        assert_eq!(copied.bytes, want.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    }
    assert!(
        fs::read_dir(dir.path()).unwrap().all(|e| !e
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("partial"))
    );
}

#[test]
fn a_cut_keeps_what_lies_in_the_span() {
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files();
    for (n, path) in tree::everywhere(dir.path(), &files).into_iter().enumerate() {
        let out = dir.path().join(format!("cut{n}"));
        let dataset = Dataset::open(&path).unwrap();
        let span = Span { from: Some(193_478), to: Some(1_475_353) };
        let copied = dataset.copy(&out, span).unwrap();
        let text = |path: String| fs::read_to_string(out.join(path)).unwrap();
        assert_eq!(text(format!("{CAMERA}/{CAMERA}.dates")), "Version 1\n255049 255049 0\n388331 388331 0\n");
        assert_eq!(text(format!("{RANGE}/{RANGE}.dates")), "Version XXX\r\n193478\r\n1213493\r\n");
        assert!(text(format!("{GPS}/{GPS}_GGA_all.txt")).starts_with("476121 660168.799340458 "));
        assert_eq!(text(format!("{GPS}/{GPS}_GGA_all.txt")).lines().count(), 1);
        // The third fix and later rows are not in the span; offsets count from the first sentence that is.
        let dates = text(format!("{GPS}/{GPS}.dates"));
        let sentences = text(format!("{GPS}/{GPS}.txt"));
        for row in dates.lines().skip(1) {
            let mut cells = row.split(' ');
            let (kind, offset) = (cells.next().unwrap(), cells.next().unwrap().parse::<usize>().unwrap());
            assert!(sentences[offset..].starts_with(&format!("$GP{kind},")), "{row}");
        }
        assert_eq!(text(format!("{CAN}/{CAN}_Steering.txt")), "# by hand\n");
        assert_eq!(text(format!("{CAN}/{CAN}_DeadReckoned_Poses2.txt")), "1054829 0 0 0");
        let names: Vec<_> =
            tree::read(&out).into_iter().map(|(path, _)| path).filter(|p| p.contains('-')).collect();
        let kept = [
            format!("{CAMERA}/{CAMERA}-0000000002.pgm"),
            format!("{CAMERA}/{CAMERA}-0000000003.pgm"),
            format!("{RANGE}/{RANGE}-2-0.txt"),
            format!("{RANGE}/{RANGE}-3-0.txt"),
        ];
        assert_eq!(names, kept);
        // Files copied whole are unchanged.
        for (path, bytes) in &files {
            let is_whole = path.contains('-') || path.contains("GPX") || !path.contains('/');
            if is_whole && out.join(path).exists() {
                assert!(fs::read(out.join(path)).unwrap() == *bytes, "{path}");
            }
        }
        assert_eq!((copied.files_left, copied.rows_odd, copied.whole), (3, 0, 2));
        // The remaining images belong to the remaining rows.
        let cut = Dataset::open(&out).unwrap();
        assert_eq!(cut.interfaces()[1].images.as_ref().unwrap().base(2), 2);
        let (after, _) = collect(&cut, Options::default());
        let (before, _) = collect(&dataset, Options::default());
        let inside = |s: &Sample| s.time.is_none_or(|time| span.contains(time.nanos() / 1000));
        let plain = |samples: Vec<Sample>| {
            let all = sorted(samples.into_iter().map(|s| s.with_offset(0)).collect());
            all.into_iter().filter(inside).collect::<Vec<_>>()
        };
        assert_eq!(plain(after), plain(before), "{}", path.display());
    }
}

#[test]
fn copies_do_not_overwrite_or_enter_the_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let root = tree::folder(dir.path(), &tree::files());
    let dataset = Dataset::open(&root).unwrap();
    let there = dir.path().join("there");
    fs::create_dir(&there).unwrap();
    assert!(dataset.copy(&there, Span::default()).is_err());
    let inside = dataset.copy(root.join("copy"), Span::default()).unwrap_err();
    assert!(inside.to_string().contains("outside"), "{inside}");
    assert!(dataset.copy(dir.path().join("no/such/folder"), Span::default()).is_err());
    assert_eq!(tree::read(&there).len(), 0);
}

#[test]
fn one_folder_and_other_names_are_data_sets_too() {
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files();
    let root = tree::folder(dir.path(), &files);
    let one = Dataset::open(root.join(GPS)).unwrap();
    assert_eq!((one.interfaces().len(), one.interfaces()[0].kind), (1, InterfaceKind::Gps));
    let of = |end: &str| files.iter().find(|(path, _)| path.ends_with(end)).unwrap().1.clone();
    let renamed = [
        ("ublox_gps/gga.txt".to_owned(), of("GGA_all.txt")),
        ("front/cam.dates".to_owned(), of("359666.dates")),
        ("front/cam-1.pgm".to_owned(), of("0001.pgm")),
    ];
    let other = dir.path().join("other");
    fs::create_dir(&other).unwrap();
    let dataset = Dataset::open(tree::folder(&other, &renamed)).unwrap();
    let kinds: Vec<_> = dataset.interfaces().iter().map(|i| (i.id.as_str(), i.kind)).collect();
    assert_eq!(kinds, [("cam", InterfaceKind::Camera), ("gga", InterfaceKind::Gps)]);
    let (samples, faults) = collect(&dataset, Options::default());
    // The first image exists, those of the other rows do not.
    assert_eq!((samples.len(), faults.len()), (1 + 6, 3), "{faults:?}");
}

#[test]
fn rows_of_a_table_are_typed() {
    let dir = tempfile::tempdir().unwrap();
    let dataset = Dataset::open(tree::folder(dir.path(), &tree::files())).unwrap();
    let can = dataset.interfaces().iter().find(|i| i.id == CAN).unwrap();
    let table = can.tables.iter().find(|t| t.kind == TableKind::Steering).unwrap();
    let rows: Vec<_> = dataset.rows::<Steering>(table).unwrap().collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0].as_ref().unwrap().raw_angle, 313);
    let fault = rows[1].as_ref().unwrap_err();
    assert_eq!((fault.line(), fault.column(), fault.error().offset()), (3, Some(7), 31));
}

#[test]
fn a_survey_counts_every_interface() {
    let dir = tempfile::tempdir().unwrap();
    for path in tree::everywhere(dir.path(), &tree::files()) {
        let found = Dataset::open(&path).unwrap().survey();
        let rows: Vec<_> = found.details.interfaces.iter().map(|i| (i.rows, i.files)).collect();
        assert_eq!(rows, [(1, 1), (4, 5), (6, 2), (5, 4), (3, 4)]);
        assert_eq!(
            found.details.interfaces[1].device,
            "0x00097F000013BB32".replace("00097F000013BB32", &format!("{:016X}", 2_672_909_685_359_666_u64))
        );
        let odd = found.findings.iter().find(|f| f.code == "odd-row").unwrap();
        assert!(
            odd.message.starts_with(&format!("{CAN}/{CAN}_Steering.txt: line 3, column 7")),
            "{}",
            odd.message
        );
        let image = found.channels.iter().find(|c| c.name == format!("{CAMERA}/image")).unwrap();
        assert_eq!((image.records, image.kind), (4, "image"));
        assert_eq!(found.clock, Some(Clock::Relative));
    }
}

#[test]
fn archives_cannot_lead_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = vec![(format!("{CAN}_Steering.txt"), b"10012 0.01 313\n".to_vec())];
    for evil in ["../evil_Motor.txt", "/abs_Motor.txt", "a/../../b_Motor.txt", "C:\\x_Motor.txt"] {
        files.push((evil.to_owned(), b"1 2 3 4 1 2 3\n".to_vec()));
    }
    let tar = tree::tar_bytes(&files);
    for (name, bytes) in
        [("e.tar", tar.clone()), ("e.tgz", tree::gz_bytes(&tar)), ("e.zip", tree::zip_bytes(&files))]
    {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let dataset = Dataset::open(&path).unwrap();
        assert_eq!((dataset.interfaces().len(), dataset.skipped().len()), (1, 4), "{name}");
        let out = dir.path().join(format!("{name}.out"));
        dataset.copy(&out, Span::default()).unwrap();
        assert_eq!(tree::read(&out), files[..1], "{name}");
    }
    assert!(!dir.path().join("evil_Motor.txt").exists() && !Path::new("/abs_Motor.txt").exists());
}

#[test]
fn limits_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files();
    for path in &tree::everywhere(dir.path(), &files)[1..] {
        for change in 0..3 {
            let mut limits = Limits::default();
            match change {
                0 => limits.members = 3,
                1 => limits.member_bytes = 50,
                _ => limits.total_bytes = 300,
            }
            let error = Dataset::with_limits(path, limits).unwrap_err();
            assert!(error.to_string().contains("exceeds the limit"), "{error}");
        }
        let mut limits = Limits::default();
        limits.file_bytes = 14;
        let dataset = Dataset::with_limits(path, limits).unwrap();
        let (_, faults) = collect(&dataset, Options::default());
        assert_eq!(faults.iter().filter(|f| f.contains("exceeds the limit of 14")).count(), 7, "{faults:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let root = tree::folder(dir.path(), &tree::files());
    std::os::unix::fs::symlink("/etc/passwd", root.join("x_Motor.txt")).unwrap();
    std::os::unix::fs::symlink(&root, root.join("loop")).unwrap();
    let dataset = Dataset::open(&root).unwrap();
    assert_eq!((dataset.interfaces().len(), dataset.skipped().len()), (5, 2));
    // A link that appears after the listing.
    let scan = root.join(format!("{RANGE}/{RANGE}-1-0.txt"));
    fs::remove_file(&scan).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &scan).unwrap();
    let (_, faults) = collect(&dataset, Options::default());
    // An invalid row, a missing scan, and as many files listed as before.
    assert_eq!(faults.len(), 3, "{faults:?}");
}

#[test]
fn interfaces_of_several_runs_have_channels_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let row = b"10012 0.01 313\n".to_vec();
    let files = ["a", "b"].map(|run| (format!("{run}/{CAN}_Steering.txt"), row.clone()));
    for path in tree::everywhere(dir.path(), &files) {
        let dataset = Dataset::open(&path).unwrap();
        let (samples, faults) = collect(&dataset, Options::default());
        let channels: Vec<_> = samples.iter().map(|s| s.channel.to_string()).collect();
        assert_eq!(channels, [format!("a/{CAN}/steering"), format!("b/{CAN}/steering")]);
        assert!(faults.is_empty());
    }
}

#[test]
fn the_start_follows_from_the_time_of_day_and_a_date() {
    let dir = tempfile::tempdir().unwrap();
    let dataset = Dataset::open(tree::folder(dir.path(), &tree::files())).unwrap();
    let found = dataset.survey();
    let gps = found.details.interfaces.iter().find(|i| i.id == GPS).unwrap();
    let gga = gps.tables[&format!("{GPS}/{GPS}_GGA_all.txt")].gga.as_ref().unwrap();
    let midnight = Timestamp::from_utc(2010, 9, 10, 0, 0, 0, 0).unwrap();
    // 32322 s, the first time of day, less the 0.476121 s at which its sentence was received.
    assert_eq!(gga.start(midnight).unwrap().to_string(), "2010-09-10T08:58:41.523879000Z");
}

#[test]
fn sensors_sit_where_the_calibration_page_says() {
    let dir = tempfile::tempdir().unwrap();
    let dataset = Dataset::open(tree::folder(dir.path(), &tree::files())).unwrap();
    let (samples, _) = collect(&dataset, Options::default().with_mounts().with_tables_only());
    let placed: Vec<_> = samples
        .iter()
        .filter_map(|s| match &s.value {
            Value::Transform(t) => Some((t.child_frame_id.as_str(), t.pose.position.x)),
            _ => None,
        })
        .collect();
    assert_eq!(placed, [("f-l-cam", 1.525), ("hz-laser", 1.595), ("lc-gps", 0.0)]);
    let fix = samples.iter().find(|s| matches!(s.value, Value::GnssFix(_))).unwrap();
    assert_eq!(&*fix.frame_id, "lc-gps");
}

#[test]
fn scans_that_are_short_are_told_and_given() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = tree::files();
    let scan = files.iter_mut().find(|(path, _)| path.ends_with("-2-0.txt")).unwrap();
    scan.1 = b"541\n-0.785398 0.14\n-0.776672 0.126\n".to_vec();
    let dataset = Dataset::open(tree::folder(dir.path(), &files)).unwrap();
    let (samples, faults) = collect(&dataset, Options::default());
    assert_eq!(samples.iter().filter(|s| matches!(s.value, Value::LaserScan(_))).count(), 3);
    assert!(
        faults.iter().any(|f| f.contains("-2-0.txt: invalid number of impacts: found 541, expected 2")),
        "{faults:?}"
    );
}

#[test]
fn the_published_files_are_a_data_set() {
    let Some(published) = testkit::data_dir("effibox/ipds") else { return };
    let dataset = Dataset::open(&published).unwrap();
    let found = dataset.survey();
    let shown: Vec<_> =
        found.details.interfaces.iter().map(|i| (i.id.as_str(), i.kind, i.rows, i.alias)).collect();
    let want = [
        (CAMERA, InterfaceKind::Camera, 3, Some("f-l-cam")),
        (CAN, InterfaceKind::Can, 4, None),
        (GPS, InterfaceKind::Gps, 6, Some("lc-gps")),
        (RANGE, InterfaceKind::Range, 3, Some("hz-laser")),
    ];
    assert_eq!(shown.iter().filter(|i| i.2 > 0).copied().collect::<Vec<_>>(), want);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("copy");
    dataset.copy(&out, Span::default()).unwrap();
    assert!(tree::read(&out) == tree::read(&published));
    let (samples, faults) = collect(&dataset, Options::default());
    let of_tracks = |s: &&Sample| s.channel.contains("/gpx/");
    // Rows of 3 missing images and 3 missing scans, 3 fixes with rows, an epoch of satellites, 4 poses.
    assert_eq!(samples.iter().filter(|s| !of_tracks(s)).count(), 3 + 3 + 6 + 1 + 4);
    // Two points in the valid document and in most of the odd ones.
    assert!(samples.iter().filter(of_tracks).count() >= 8, "{}", samples.len());
    let images = format!("{CAMERA}: invalid images: found no file");
    assert!(faults.iter().any(|f| f.starts_with(&images)), "{faults:?}");
    let names = |samples: &[Sample]| -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for sample in samples {
            *counts.entry(sample.channel.to_string()).or_default() += 1;
        }
        counts
    };
    let counted: BTreeMap<_, _> = found.channels.iter().map(|c| (c.name.clone(), c.records)).collect();
    let (delivered, _) = collect(&dataset, Options::default().with_mounts());
    assert_eq!(counted, names(&delivered));
}

#[test]
fn a_damaged_member_costs_itself_alone() {
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files();
    let mut bytes = tree::zip_bytes(&files);
    let place = bytes.windows(9).position(|w| w == b"# by hand").or_else(|| {
        // Compressed: the bytes after the member's local header.
        let name = format!("{GPS}/{GPS}_GGA_all.txt");
        bytes.windows(name.len()).position(|w| w == name.as_bytes()).map(|at| at + name.len() + 40)
    });
    bytes[place.unwrap()] ^= 0x11;
    let path = dir.path().join("run.zip");
    fs::write(&path, &bytes).unwrap();
    let dataset = Dataset::open(&path).unwrap();
    let found = dataset.survey();
    assert!(!found.is_ok(), "{:?}", found.findings);
    assert!(found.details.interfaces.iter().filter(|i| i.rows > 0).count() >= 4);
    let (samples, faults) = collect(&dataset, Options::default());
    assert!(samples.iter().any(|s| matches!(s.value, Value::Image(_))) && !faults.is_empty());
    let out = dir.path().join("copy");
    let copied = dataset.copy(&out, Span::default()).unwrap();
    assert_eq!((copied.damaged, copied.is_complete()), (1, false));
}
