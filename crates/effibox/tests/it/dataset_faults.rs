//! Surveys and visits report the same missing, torn and surplus parts of a data set, and its start.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use effibox::{
    Clock, Timestamp,
    dataset::{Dataset, Options},
};
use robolog_core::{Sample, Severity, Value};
use serde_json::Value as Json;

use crate::tree::{self, collect};

fn fixture(name: &str) -> (PathBuf, Json) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/effibox").join(name);
    let truth = fs::read_to_string(root.join("truth.json")).unwrap();
    (root, serde_json::from_str(&truth).unwrap())
}

fn counts(samples: &[Sample]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for sample in samples {
        *counts.entry(sample.channel.to_string()).or_default() += 1;
    }
    counts
}

/// The fixture as a folder and in every archive.
fn everywhere(name: &str, dir: &Path) -> (Vec<PathBuf>, Json) {
    let (root, truth) = fixture(name);
    let mut files = tree::read(&root);
    files.retain(|(path, _)| path != "truth.json");
    (tree::everywhere(dir, &files), truth)
}

#[test]
fn every_fault_is_a_finding_and_nothing_else_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (paths, truth) = everywhere("dataset_faults", dir.path());
    for path in paths {
        let dataset = Dataset::open(&path).unwrap();
        let found = dataset.survey();
        let mut codes: Vec<_> =
            found.findings.iter().filter(|f| f.severity == Severity::Error).map(|f| f.code).collect();
        codes.sort_unstable();
        let mut want: Vec<_> = truth["codes"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
        want.sort_unstable();
        assert_eq!(codes, want, "{}: {:#?}", path.display(), found.findings);
        assert!(!found.is_ok());
        let (samples, faults) = collect(&dataset, Options::default());
        assert_eq!(faults.len(), want.len(), "{}: {faults:#?}", path.display());
        for (channel, count) in truth["samples"].as_object().unwrap() {
            let of = samples.iter().filter(|s| s.channel.ends_with(&format!("/{channel}"))).count();
            assert_eq!(Some(of as u64), count.as_u64(), "{}: {channel}", path.display());
        }
        let video = faults.iter().find(|f| f.contains(".mpg")).unwrap();
        assert!(video.contains("ffmpeg -i") && video.contains("-start_number 1"), "{video}");
        let orphan = faults.iter().find(|f| f.contains("0000000004.pgm")).unwrap();
        assert!(orphan.contains("1 files without a row"), "{orphan}");
    }
}

#[test]
fn a_video_beside_images_is_noted_and_is_no_fault() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = tree::read(&fixture("dataset").0);
    files.retain(|(path, _)| path != "truth.json");
    let camera = "Bus_InterfaceCamera_2672909685359666";
    files.push((format!("{camera}/{camera}.mpg"), b"\0\0\x01\xba".to_vec()));
    for path in tree::everywhere(dir.path(), &files) {
        let dataset = Dataset::open(&path).unwrap();
        let found = dataset.survey();
        let notes: Vec<_> = found.findings.iter().filter(|found| found.code == "video").collect();
        assert_eq!(notes.len(), 1, "{}: {:#?}", path.display(), found.findings);
        assert_eq!(notes[0].severity, Severity::Note);
        assert!(notes[0].message.ends_with(".mpg: a video beside images is not read"), "{notes:?}");
    }
}

#[test]
fn a_survey_counts_what_a_visit_delivers() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["dataset", "dataset_estimated", "dataset_odd", "dataset_faults"] {
        let dir = dir.path().join(name);
        fs::create_dir(&dir).unwrap();
        for path in everywhere(name, &dir).0 {
            let dataset = Dataset::open(&path).unwrap();
            let found = dataset.survey();
            let (samples, faults) = collect(&dataset, Options::default().with_mounts());
            let counted: BTreeMap<_, _> =
                found.channels.iter().map(|c| (c.name.clone(), c.records)).collect();
            assert_eq!(counted, counts(&samples), "{}", path.display());
            assert_eq!(found.is_ok(), faults.is_empty(), "{}: {faults:?}", path.display());
            let clocks = samples.iter().filter_map(|s| s.time).all(|time| time.clock() == Clock::Relative);
            assert!(clocks, "{}", path.display());
        }
    }
}

#[test]
fn images_and_sentences_have_the_time_of_their_acquisition() {
    let dir = tempfile::tempdir().unwrap();
    let (paths, truth) = everywhere("dataset_faults", dir.path());
    for path in paths {
        let (samples, _) = collect(&Dataset::open(&path).unwrap(), Options::default());
        let micros = |channel: &str| -> Vec<i64> {
            let of = samples.iter().filter(|s| s.channel.ends_with(channel));
            of.map(|s| s.time.unwrap().nanos() / 1000).collect()
        };
        assert_eq!(micros("359666/image"), [truth["image_us"].as_i64().unwrap()]);
        let fixes: Vec<_> = truth["fix_us"].as_array().unwrap().iter().filter_map(Json::as_i64).collect();
        assert_eq!(micros("/nmea/fix"), fixes, "{}", path.display());
    }
}

#[test]
fn tracks_and_sentences_are_those_of_the_tables() {
    let (root, _) = fixture("dataset");
    let (samples, _) = collect(&Dataset::open(root).unwrap(), Options::default());
    let fixes = |ending: &str| -> Vec<_> {
        let of = samples.iter().filter(|s| s.channel.ends_with(ending));
        of.map(|s| match &s.value {
            Value::GnssFix(fix) => (s.time, fix.latitude, fix.longitude, fix.altitude.unwrap(), &*s.frame_id),
            other => panic!("{other:?}"),
        })
        .collect()
    };
    let table = fixes("/gga");
    assert_eq!(table.len(), 8);
    for ending in ["/nmea/fix", "/gpx/track1"] {
        let others = fixes(ending);
        assert_eq!(others.len(), 8, "{ending}");
        for (a, b) in table.iter().zip(&others) {
            let near = (a.1 - b.1).abs() < 1e-8 && (a.2 - b.2).abs() < 1e-8 && (a.3 - b.3).abs() < 1e-4;
            assert!(near && b.4 == "lc-gps", "{ending}: {a:?} {b:?}");
            assert_eq!(b.0, a.0.filter(|_| ending == "/nmea/fix"), "{ending}");
        }
    }
    // The document has no times, so its line is a feature.
    let line = samples.iter().find_map(|sample| match &sample.value {
        Value::Feature(line) if sample.channel.contains("/kml/") => Some((line, &*sample.frame_id)),
        _ => None,
    });
    let (line, frame) = line.unwrap();
    assert_eq!((line.geometry.kind(), line.geometry.positions().count(), frame), ("LineString", 8, "lc-gps"));
    for (a, place) in table.iter().zip(line.geometry.positions()) {
        assert!((a.1 - place.latitude).abs() < 1e-8 && (a.2 - place.longitude).abs() < 1e-8);
        assert_eq!(place.altitude_msl, None);
    }
}

#[test]
fn the_files_tell_when_the_acquisition_began() {
    let (root, truth) = fixture("dataset_dated");
    for way in ["sentences", "track", "clock"] {
        let dataset = Dataset::open(root.join(way)).unwrap();
        let epoch = dataset.epoch().unwrap().unwrap();
        assert_eq!(epoch.start.to_string(), truth[way].as_str().unwrap(), "{way}");
        let found = dataset.survey();
        assert_eq!(found.details.epoch, Some(epoch));
        let note = found.findings.iter().find(|f| f.code == "epoch").unwrap();
        assert!(note.message.contains("--epoch auto"), "{}", note.message);
    }
    // A position on the track counts from the start, and from 1970 if the start is given.
    let track = Dataset::open(root.join("track")).unwrap();
    let time = |options| {
        let (samples, _) = collect(&track, options);
        samples.iter().filter(|s| s.channel.contains("/gpx/")).find_map(|s| s.time).unwrap()
    };
    assert_eq!(time(Options::default()), Timestamp::new(1_475_353_000, Clock::Relative));
    let start = track.epoch().unwrap().unwrap().start;
    assert_eq!(time(Options::default().with_start(start)).to_string(), "2009-07-17T08:58:43.000000000Z");
    // Positions with a time of day and no date.
    let dir = tempfile::tempdir().unwrap();
    let files = tree::files().into_iter().filter(|(path, _)| path.contains("GGA_all")).collect::<Vec<_>>();
    assert_eq!(Dataset::open(tree::folder(dir.path(), &files)).unwrap().epoch().unwrap(), None);
}

#[cfg(unix)]
#[test]
fn pipes_are_skipped_with_a_finding() {
    let dir = tempfile::tempdir().unwrap();
    let root = tree::folder(dir.path(), &tree::files());
    for name in ["x_Motor.txt", "x.gpx", "x-1.pgm"] {
        let made = std::process::Command::new("mkfifo").arg(root.join(name)).status().unwrap();
        assert!(made.success());
    }
    let found = Dataset::open(&root).unwrap().survey();
    let skipped: Vec<_> = found.findings.iter().filter(|f| f.code == "skipped").collect();
    assert_eq!(skipped.len(), 3, "{skipped:?}");
    assert!(skipped[0].message.contains("a pipe, a socket or a device"), "{}", skipped[0].message);
}
