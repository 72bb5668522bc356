//! A full disk at any operation is an error, never a file that only looks complete.

#![cfg(all(
    feature = "to-arrow",
    feature = "to-csv",
    feature = "to-jsonl",
    feature = "to-lvx",
    feature = "to-parquet",
    feature = "to-pcd",
    feature = "to-ply"
))]

use std::{
    cell::RefCell,
    collections::BTreeSet,
    io::{self, Cursor, Seek, SeekFrom, Write},
    rc::Rc,
};

use lvx::{Reader, StreamReader};
use robolog_convert::{
    Error, Feed, Input, Opening, PcdData, Selection, Sink, convert,
    sink::{self, csv::Csv, pcd::Pcd, ply::Ply},
    targets,
};
use robolog_core::{Sample, format::Copier as _};
use testkit::Faulty;

fn run(sink: &mut dyn Sink) -> Result<(), Error> {
    let file = testkit::fixture("lvx/v11_type4.lvx");
    let input = Input::new("fixture", Box::new(Cursor::new(file)))?;
    convert(vec![Feed::new(input)], sink, &mut |_| {}).map(drop)
}

/// Runs `work` on targets that fail later and later, until one does not fail; its contents must equal those of `whole`.
fn fails_until_whole(whole: &[u8], mut work: impl FnMut(Faulty) -> Result<Vec<u8>, bool>) {
    for fails_at in testkit::failing() {
        match work(Faulty::new(fails_at)) {
            Ok(bytes) => {
                assert!(bytes == whole, "short writes and interruptions changed the file");
                assert!(fails_at > 10, "{fails_at} operations");
                return;
            }
            Err(is_storage_full) => assert!(is_storage_full, "operation {fails_at}"),
        }
    }
}

fn is_full(error: &Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(e) = cause {
        if e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::StorageFull) {
            return true;
        }
        cause = e.source();
    }
    error.to_string().contains("no storage space")
}

#[test]
fn sinks() {
    for data in [PcdData::Ascii, PcdData::Binary, PcdData::BinaryCompressed] {
        let mut pcd = Pcd::new(Cursor::new(Vec::new()), data);
        run(&mut pcd).unwrap();
        let whole = pcd.into_inner().unwrap().into_inner();
        fails_until_whole(&whole, |target| {
            let mut pcd = Pcd::new(target, data);
            run(&mut pcd).and_then(|()| pcd.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
        });
    }
    let mut ply = Ply::new(Cursor::new(Vec::new()));
    run(&mut ply).unwrap();
    let whole = ply.into_inner().unwrap().into_inner();
    fails_until_whole(&whole, |target| {
        let mut ply = Ply::new(target);
        run(&mut ply).and_then(|()| ply.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
    });
    let mut csv = Csv::new(Vec::new(), Selection::Everything);
    run(&mut csv).unwrap();
    let whole = csv.into_inner().unwrap();
    fails_until_whole(&whole, |target| {
        let mut csv = Csv::new(target, Selection::Everything);
        run(&mut csv).and_then(|()| csv.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
    });
}

#[test]
fn text_sinks_tell_when_they_could_not_write() {
    for target in [&sink::csv::CSV, &sink::jsonl::JSONL, &sink::parquet::PARQUET, &sink::arrow::ARROW] {
        for fails_at in [0, 1, 100] {
            let mut sink = target.open(Faulty::new(fails_at), &Opening::default()).unwrap();
            let outcome = run(&mut *sink).and_then(|()| sink.finish());
            assert!(outcome.is_err_and(|e| is_full(&e)), "{target:?} at {fails_at}");
        }
    }
}

/// Bytes in a temporary file are written at the end.
#[test]
fn sinks_that_write_at_the_end_tell_it_too() {
    for fails_at in [0, 1] {
        let mut sink = sink::lvx::LVX.open(Faulty::new(fails_at), &Opening::default()).unwrap();
        run(&mut *sink).unwrap();
        assert!(sink.finish().is_err_and(|e| is_full(&e)), "at {fails_at}");
    }
}

#[test]
fn writers_of_recordings() {
    let file = testkit::fixture("lvx/v11_type4.lvx");
    let reader = Reader::new(&file).unwrap();
    let full = |error: lvx::Error| is_full(&error.into());
    fails_until_whole(&file, |target| {
        let mut writer = lvx::Writer::new(target, reader.header()).map_err(full)?;
        for record in reader.records() {
            writer.write(&record.unwrap()).map_err(full)?;
        }
        writer.finish().map(Faulty::into_bytes).map_err(full)
    });
    fails_until_whole(&file, |target| {
        let mut writer = lvx::Copier::new(target, reader.header(), reader.header_bytes()).map_err(full)?;
        for record in reader.records() {
            writer.copy(&record.unwrap(), &mut |_, _| true).map_err(full)?;
        }
        writer.finish().map(Faulty::into_bytes).map_err(full)
    });
    let merged = lvx::merge(vec![StreamReader::new(&file[..]).unwrap()], Vec::new()).unwrap().0;
    fails_until_whole(&merged, |target| {
        let input = StreamReader::new(&file[..]).unwrap();
        lvx::merge(vec![input], target).map(|(target, _)| target.into_bytes()).map_err(full)
    });
}

/// A small recording of each format, and a damaged one.
macro_rules! each_format {
    ($check:ident) => {
        [
            ("alog", each_format!($check, alog::Alog, ["alog/node_reports.alog", "alog/torn_middle.alog"])),
            (
                "carla-rec",
                each_format!(
                    $check,
                    carla_rec::CarlaRec,
                    ["carla-rec/one_frame.log", "carla-rec/garbage_middle.log"]
                ),
            ),
            ("gpx", each_format!($check, robolog_gpx::Gpx, ["gpx/drive.gpx", "gpx/mismatched_end.gpx"])),
            ("kml", each_format!($check, robolog_kml::Kml, ["kml/gx_track.kml", "kml/cut_in_coord.kml"])),
            (
                "koblenz-log",
                each_format!(
                    $check,
                    koblenz_log::KoblenzLog,
                    ["koblenz-log/laser.log", "koblenz-log/lost_bytes.log"]
                ),
            ),
            ("lvx", each_format!($check, lvx::Lvx, ["lvx/lvx2_type1.lvx", "lvx/short_tail.lvx"])),
            (
                "nmea",
                each_format!($check, robolog_nmea::Nmea, ["nmea/types.nmea", "nmea/binary_between.nmea"]),
            ),
            ("effibox", each_format!($check, effibox::table::Table, [TABLE])),
            (
                "pcap",
                each_format!(
                    $check,
                    robolog_capture::Capture,
                    ["pcap/livox_sdk2.pcapng", "pcap/velodyne_cut.pcap"]
                ),
            ),
        ]
    };
    ($check:ident, $format:ty, $files:expr) => {
        $files
            .iter()
            .map(|file| {
                let mut bytes = testkit::fixture(file);
                // Each failing operation costs a reading of the whole file.
                bytes.truncate(6000);
                testkit::$check::<$format>(file, &bytes)
            })
            .sum::<usize>()
    };
}

const TABLE: &str = "effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Steering.txt";

/// The sum of the counts, each of which is above 100.
fn total<const N: usize>(what: &str, counts: [(&str, usize); N]) -> usize {
    for (format, count) in counts {
        println!("{format}: {count} {what} made to fail");
        assert!(count > 100, "{format}: {count}");
    }
    counts.iter().map(|(_, count)| count).sum()
}

#[test]
fn copies_of_every_format_onto_targets_that_fail() {
    let all = total("operations", each_format!(assert_targets_may_fail));
    assert!(all > testkit::bound(5_000, 30_000), "{all} operations");
}

#[test]
fn streams_of_every_format_that_fail() {
    let all = total("reads", each_format!(assert_streams_may_fail));
    assert!(all > testkit::bound(1_000, 5_000), "{all} reads");
}

#[test]
fn streams_of_every_format_that_stall() {
    let all = total("reads", each_format!(assert_streams_may_stall));
    assert!(all > 5_000, "{all} reads");
}

/// Recordings that together have samples for every target.
const RECORDINGS: [&str; 10] = [
    "lvx/v11_two_devices.lvx",
    "lvx/v11_type6.lvx",
    "koblenz-log/laser.log",
    "koblenz-log/gps.log",
    "koblenz-log/image.log",
    "koblenz-log/image_plain.log",
    "alog/nav.alog",
    "alog/node_reports.alog",
    "nmea/gsv_epochs.nmea",
    "carla-rec/one_frame.log",
];

fn samples_of(file: &str) -> Vec<Sample> {
    let input = Input::new(file, Box::new(Cursor::new(testkit::fixture(file)))).unwrap();
    input.samples().unwrap().filter_map(Result::ok).take(40).collect()
}

/// Every sink on targets that fail at each of the first operations, at some of the others, and at the last.
#[test]
fn every_sink_on_targets_that_fail() {
    let mut tried = BTreeSet::new();
    for file in RECORDINGS {
        let samples = samples_of(file);
        for target in targets::ALL {
            let run = |out| {
                let mut sink = target.open(out, &Opening::default())?;
                robolog_convert::deliver(vec![Feed::of_samples(samples.clone())], &mut *sink, &mut |_| {})
                    .and_then(|report| sink.finish().map(|()| report.written.len()))
            };
            // A recording that the target cannot hold is refused, or makes an empty file.
            let sound = Shared::new(usize::MAX);
            if !run(sound.clone()).is_ok_and(|written| written > 0) {
                continue;
            }
            let operations = sound.0.borrow().operations();
            let each = testkit::bound(8, 24);
            let step = (operations / each).max(1);
            for fails_at in
                (0..operations.min(each)).chain((each..operations).step_by(step)).chain([operations - 1])
            {
                let outcome = run(Shared::new(fails_at));
                assert!(
                    outcome.as_ref().is_err_and(is_full),
                    "{}: operation {fails_at} of {operations}: {outcome:?}",
                    target.name
                );
            }
            tried.insert(target.name);
        }
    }
    let left: Vec<_> =
        targets::ALL.iter().map(|target| target.name).filter(|name| !tried.contains(name)).collect();
    assert!(left.is_empty(), "not tried: {left:?}");
}

/// An archive is completed when dropped, and prints errors of that: so nothing may reach a target that failed.
#[test]
fn an_archive_is_given_up_at_the_first_failure() {
    let samples = samples_of("nmea/gsv_epochs.nmea");
    let run = |out: Shared| {
        let mut sink = sink::kml::KMZ.open(out, &Opening::default())?;
        robolog_convert::deliver(vec![Feed::of_samples(samples.clone())], &mut *sink, &mut |_| {})?;
        sink.finish()
    };
    let sound = Shared::new(usize::MAX);
    run(sound.clone()).unwrap();
    let all = sound.0.borrow().operations();
    assert!(all > 10, "{all} operations");
    for fails_at in 0..all {
        let target = Shared::new(fails_at);
        assert!(run(target.clone()).is_err_and(|e| is_full(&e)), "operation {fails_at}");
        assert_eq!(target.0.borrow().operations(), fails_at + 1, "it was asked again");
    }
}

/// A target whose operations can be counted after a sink has taken it.
#[derive(Clone)]
struct Shared(Rc<RefCell<Faulty>>);

impl Shared {
    fn new(fails_at: usize) -> Self {
        Self(Rc::new(RefCell::new(Faulty::new(fails_at))))
    }
}

impl Write for Shared {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}
