//! Every format into every target: every sample is either written or left out.
//!
//! A row of the table is one of [`targets::ALL`], so that new targets are included. The format's own decoder counts the
//! samples of a recording; the report of the conversion and its files count those written. `cargo xtask matrix` writes
//! the table into the README.

mod table;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
    thread,
};

use effibox::dataset;
use robolog_convert::{
    Destination, Error, Feed, Input, Opening, Per, Report, Settings, SinkOptions, Source, TargetSpec, Visit,
    convert, convert_into_folder,
    sink::Lacks,
    source::{Stream, delivers, formats},
    target::Existing,
    targets,
};
use robolog_core::{Event, Sample, StreamReader, Value, format::Decoder as _};

/// Name of data sets of many files, beside the formats of single files.
const DATASET: &str = "data set";

/// Recordings by format, below `testdata`; together they offer every kind of value.
const SOURCES: [(&str, &[&str]); 10] = [
    (
        "alog",
        &[
            "alog/moosivp.alog",
            "alog/nav.alog",
            "alog/new_college_2008.alog",
            "alog/new_college_lasers.alog",
            "alog/matrices.alog",
            "alog/node_reports.alog",
            "alog/klog.klog",
        ],
    ),
    (
        "carla-rec",
        &[
            "carla-rec/v0_9_4.log",
            "carla-rec/v0_9_12_wheel48.log",
            "carla-rec/v0_9_15.log",
            "carla-rec/collisions.log",
            "carla-rec/ue5_f64.log",
        ],
    ),
    (DATASET, &["effibox/dataset", "effibox/dataset_estimated"]),
    (
        "effibox",
        &[
            "effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Acc.txt",
            "effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_DeadReckoned_Poses.txt",
            "effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Gyro.txt",
            "effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Wheels.txt",
            "effibox/dataset/Bus_InterfaceGps__dev_ttyACM0/Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt",
            "effibox/dataset/Bus_InterfaceGps__dev_ttyACM0/Bus_InterfaceGps__dev_ttyACM0_GSV.txt",
        ],
    ),
    ("gpx", &["gpx/all_1_0.gpx", "gpx/all_1_1.gpx", "gpx/drive.gpx"]),
    ("kml", &["kml/gx_track.kml", "kml/line.kml", "kml/stored.kmz", "kml/times.kml", "kml/track_2_3.kml"]),
    (
        "koblenz-log",
        &[
            "koblenz-log/drive.log",
            "koblenz-log/gps.log",
            "koblenz-log/image.log",
            "koblenz-log/pose_xyzw.log",
            "koblenz-log/velodyne_hdl64e_s2.log",
            "koblenz-log/velodyne_vlp16_dual.log",
        ],
    ),
    (
        "lvx",
        &["lvx/lvx2_type1.lvx", "lvx/room.lvx", "lvx/v10_cart.lvx", "lvx/v11_type6.lvx", "lvx/v11_utc.lvx"],
    ),
    ("nmea", &["nmea/gsv_epochs.nmea", "nmea/ipds.nmea", "nmea/types.nmea"]),
    ("pcap", &["pcap/livox_sdk2.pcapng", "pcap/velodyne.pcap"]),
];

/// All kinds of values but poses, which no format has: all have a velocity, or a field for one.
const KINDS: [&str; 12] = [
    "feature",
    "gnss_fix",
    "image",
    "imu",
    "laser_scan",
    "odometry",
    "point_cloud",
    "row",
    "satellites",
    "scalar",
    "text",
    "transform",
];

/// Numbers of samples by kind of value.
type Counts = BTreeMap<&'static str, u64>;

/// The ways to convert, in the order in which a user would try them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    OneFile,
    PerChannel,
    PerFrame,
    PerDevice,
}

impl How {
    const ALL: [Self; 4] = [Self::OneFile, Self::PerChannel, Self::PerFrame, Self::PerDevice];

    const fn name(self) -> &'static str {
        match self {
            Self::OneFile => "one file",
            Self::PerChannel => "`--per channel`",
            Self::PerFrame => "`--per frame`",
            Self::PerDevice => "`--per device`",
        }
    }
}

/// Result of one way for all recordings of a format.
#[derive(Debug, Default, Clone)]
struct Outcome {
    written: Counts,
    left_out: Counts,
    files: u64,
}

/// Result for the recordings of a format in a target.
#[derive(Debug, Default, Clone)]
struct Cell {
    offered: Counts,
    by_how: BTreeMap<How, Outcome>,
}

impl Cell {
    fn total(&self, how: How) -> u64 {
        self.by_how[&how].written.values().sum()
    }

    /// The first way that writes most.
    fn best(&self) -> (How, &Outcome) {
        let most = How::ALL.into_iter().map(|how| self.total(how)).max().unwrap();
        let how = How::ALL.into_iter().find(|how| self.total(*how) == most).unwrap();
        (how, &self.by_how[&how])
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata")).join(name)
}

fn input(name: &str) -> Input {
    Input::open(path(name)).unwrap()
}

/// Counts the samples of a recording with the decoder of its format.
struct Offered;

impl Visit for Offered {
    type Output = Counts;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Counts {
        let mut counts = Counts::new();
        let mut decoder = F::Decoder::new(reader.header(), F::options(&Settings::default()));
        let count = &mut |sample: &mut Sample| {
            *counts.entry(sample.value.kind()).or_default() += 1;
            Ok::<(), robolog_core::Error>(())
        };
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => decoder.samples(&record, count).unwrap(),
                Event::Damage { error, .. } => panic!("a recording of the table is damaged: {error}"),
                Event::End => break,
            }
        }
        decoder.last_samples(count).unwrap();
        counts
    }
}

fn offered(name: &str) -> Counts {
    let input = input(name);
    let Some(dataset) = input.dataset() else { return input.visit(None, Offered).unwrap() };
    let mut counts = Counts::new();
    let options = dataset::Options::default().with_mounts();
    dataset
        .visit::<dataset::Fault>(&options, &mut |event| {
            if let dataset::Event::Sample(sample) = event {
                *counts.entry(sample.value.kind()).or_default() += 1;
            }
            Ok(())
        })
        .unwrap();
    counts
}

/// A conversion; `None` if the target refuses it or can hold nothing of the recording.
fn run(name: &str, target: &'static TargetSpec, how: How, folder: &Path) -> Option<Report> {
    let (options, progress) = (SinkOptions::default(), &mut |_| {});
    let feeds = vec![Feed::new(input(name))];
    let per = match how {
        How::OneFile => {
            let out = BufWriter::new(File::create(folder.join("one")).unwrap());
            let mut sink = refusable(target.open(out, &Opening::default()))?;
            let report = convert(feeds, &mut *sink, progress);
            let report = refusable(report)?;
            refusable(sink.finish())?;
            return Some(report);
        }
        How::PerChannel => Per::Channel,
        How::PerFrame => Per::Frame,
        How::PerDevice => Per::Device,
    };
    let out = folder.join("folder");
    let to = Destination { path: &out, existing: Existing::Keep, options: &options };
    refusable(convert_into_folder(feeds, target, per, &to, progress))
}

fn refusable<T>(outcome: Result<T, Error>) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        // A recording of several trajectories fits into a file of one only if the user picks a channel.
        Err(Error::Empty(_) | Error::Target(_) | Error::SeveralTrajectories(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Each kind is either written or left out: only laser scans may become points.
fn check_counts(what: &str, offered: &Counts, report: &Report) {
    let mut found = Counts::new();
    for (kind, count) in report.written.iter().chain(&report.left_out) {
        *found.entry(kind).or_default() += count.samples;
    }
    let clouds = offered.get("point_cloud").copied().unwrap_or(0);
    if let Some(points) = found.get_mut("point_cloud").filter(|points| **points > clouds) {
        let scans = std::mem::replace(points, clouds) - clouds;
        *found.entry("laser_scan").or_default() += scans;
        found.retain(|_, count| *count > 0);
    }
    assert_eq!(&found, offered, "{what}");
    // The track of this data set ends with the tag of another element, like the one in the documentation.
    let damages = if what.starts_with("effibox/dataset to ") { 2 } else { 0 };
    assert_eq!((report.damages, report.unjudged), (damages, 0), "{what}");
}

/// No file is empty, and the index of a folder lists as much as was written.
fn check_files(what: &str, folder: &Path, report: &Report) {
    let files = files(folder);
    assert!(!files.is_empty(), "{what}: no file");
    for file in &files {
        assert!(fs::metadata(file).unwrap().len() > 0, "{what}: {} is empty", file.display());
    }
    let Some(index) = files.iter().find(|file| file.file_name().is_some_and(|name| name == "_index.csv"))
    else {
        return;
    };
    assert!(files.len() as u64 > report.files, "{what}: {} files of {}", files.len(), report.files);
    let mut values = 0;
    for row in csv::Reader::from_path(index).unwrap().records() {
        let row = row.unwrap();
        assert!(index.with_file_name(&row[0]).exists(), "{what}: {} is not there", &row[0]);
        values += row[3].parse::<u64>().unwrap();
    }
    // The index counts a scan as one value, the report by its ranges.
    let written = report.written.iter().map(|(kind, count)| match *kind {
        "laser_scan" => count.samples,
        _ => count.values,
    });
    assert_eq!(values, written.sum::<u64>(), "{what}: values");
}

/// Laser scans written as points are counted under their own kind, marked.
fn add(outcome: &mut Outcome, offered: &Counts, report: &Report) {
    let mut written: Counts = report.written.iter().map(|(kind, count)| (*kind, count.samples)).collect();
    let clouds = offered.get("point_cloud").copied().unwrap_or(0);
    if let Some(points) = written.get_mut("point_cloud").filter(|points| **points > clouds) {
        let scans = std::mem::replace(points, clouds) - clouds;
        written.insert(table::SCANS_AS_POINTS, scans);
        written.retain(|_, count| *count > 0);
    }
    for (kind, count) in written {
        *outcome.written.entry(kind).or_default() += count;
    }
    for (kind, count) in &report.left_out {
        *outcome.left_out.entry(kind).or_default() += count.samples;
    }
    outcome.files += report.files;
}

fn cell(recordings: &[(&str, Counts)], target: &'static TargetSpec) -> Cell {
    let mut cell = Cell::default();
    for (_, offered) in recordings {
        for (kind, count) in offered {
            *cell.offered.entry(kind).or_default() += count;
        }
    }
    for how in How::ALL {
        let mut outcome = Outcome::default();
        for (name, offered) in recordings {
            let what = format!("{name} to {}, {}", target.name, how.name());
            let folder = tempfile::tempdir().unwrap();
            if let Some(report) = run(name, target, how, folder.path()) {
                check_counts(&what, offered, &report);
                check_files(&what, folder.path(), &report);
                add(&mut outcome, offered, &report);
            } else {
                for (kind, count) in offered {
                    *outcome.left_out.entry(kind).or_default() += count;
                }
            }
        }
        cell.by_how.insert(how, outcome);
    }
    cell
}

#[test]
fn every_format_into_every_target() {
    if let Some((target, _)) = targets::NOT_BUILT.first() {
        println!("skipped: this build has no {target}");
        return;
    }
    // A thread per format, since most of the time is waiting for the disk.
    let columns: Vec<_> = thread::scope(|scope| {
        let column = |(format, names): (&'static str, &[&'static str])| {
            let recordings: Vec<_> = names.iter().map(|name| (*name, offered(name))).collect();
            let cells = targets::ALL.iter().map(|target| (target.name, cell(&recordings, target)));
            (format, cells.collect::<Vec<_>>())
        };
        let threads = SOURCES.map(|source| scope.spawn(move || column(source)));
        threads.map(|thread| thread.join().unwrap()).into()
    });
    insta::assert_snapshot!("counts", table::counts(&columns));
    insta::assert_snapshot!("readme", table::readme(&columns));
}

/// Kinds of values, and the parts of them that a target may lack.
#[derive(Debug, Default)]
struct Delivered {
    kinds: BTreeSet<&'static str>,
    parts: Lacks,
}

impl Delivered {
    fn see(&mut self, sample: &Sample) {
        self.kinds.insert(sample.value.kind());
        let mut found = |is_there: bool, part| {
            if is_there {
                self.parts = self.parts.and(part);
            }
        };
        found(!sample.attributes.is_empty(), Lacks::ATTRIBUTES);
        match &sample.value {
            Value::GnssFix(fix) => {
                found(fix.measured.is_some(), Lacks::MEASURED);
                found(fix.talkers.is_some() || fix.position_covariance.is_some(), Lacks::RECEIVER);
            }
            Value::Feature(feature) => {
                found(feature.name.is_some() || feature.properties.is_some(), Lacks::TEXTS);
            }
            Value::PointCloud(cloud) => {
                found(!cloud.intensity.is_empty(), Lacks::INTENSITIES);
                found(!cloud.time_offset.is_empty(), Lacks::POINT_TIMES);
                found(!cloud.return_number.is_empty(), Lacks::RETURNS);
                found(!cloud.tag.is_empty(), Lacks::TAGS);
                found(!cloud.ring.is_empty(), Lacks::RINGS);
            }
            _ => {}
        }
    }
}

#[test]
fn formats_deliver_what_they_declare() {
    let mut all: BTreeMap<&str, Delivered> = BTreeMap::new();
    let dir = tempfile::tempdir().unwrap();
    let places = dir.path().join("places.nmea");
    fs::write(&places, "$GPWPL,4600.00,N,01300.00,E,HUT*02\r\n".repeat(3)).unwrap();
    let others = ["effibox/dataset", "effibox/dataset_estimated"].map(path);
    for recording in files(&path("")).into_iter().chain(others).chain([places]) {
        let Ok(input) = Input::open(&recording) else { continue };
        let format = if input.dataset().is_some() { DATASET } else { input.format().unwrap_or_default() };
        // Damaged ones, too.
        for sample in input.samples().into_iter().flatten().flatten() {
            all.entry(format).or_default().see(&sample);
        }
    }
    // Mounts are samples where they are asked for.
    all.entry(DATASET).or_default().kinds.insert("transform");
    for (format, _) in SOURCES {
        let (declared, found) = (delivers(format).unwrap(), &all[format]);
        assert_eq!(declared.kinds.iter().copied().collect::<BTreeSet<_>>(), found.kinds, "{format}");
        assert_eq!(declared.parts.within(found.parts), found.parts, "{format}: {}", found.parts);
        // A data set has documents, whatever is in those of testdata.
        assert!(format == DATASET || declared.parts == found.parts, "{format}: {}", found.parts);
    }
}

#[test]
fn all_formats_and_kinds_are_in_the_table() {
    let listed: BTreeSet<&str> = SOURCES.iter().map(|(format, _)| *format).collect();
    let known: BTreeSet<&str> = formats().into_iter().chain([DATASET]).collect();
    assert_eq!(listed, known);
    let mut kinds = BTreeSet::new();
    for (format, names) in SOURCES {
        for name in names {
            let input = input(name);
            let found = if input.dataset().is_some() { DATASET } else { input.format().unwrap() };
            assert_eq!(found, format, "{name}");
            kinds.extend(offered(name).into_keys());
        }
    }
    assert_eq!(kinds, BTreeSet::from(KINDS));
}
