//! The targets: each takes arbitrary bytes, and panics on a failure.

mod alog;
mod alog_rewrite;
mod archive;
mod calibration;
mod capture;
mod carla_rec;
mod carla_rec_rewrite;
mod dataset;
mod effibox_table;
mod gpx;
mod input;
mod kml;
mod kmz;
mod koblenz_log;
mod koblenz_log_rewrite;
mod lvx;
mod lvx_rewrite;
mod nmea;
mod pnm;
mod sinks;
mod slog;
mod texts;
mod velodyne;
mod writers;

use sinks::{
    any, begins_with, check, ends_with, has_columns, has_no_fault, is_json, is_jsonl, is_kmz, is_las,
    is_mcap, is_pcd, is_table, reads_back,
};

/// A target, and the seeds that the smoke run mutates.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it checks.
    pub run: fn(&[u8]),
    /// Its seeds.
    pub seeds: Seeds,
}

/// Seeds of a target.
#[derive(Debug, Clone, Copy)]
pub enum Seeds {
    /// Files of `testdata`: folders, and the extensions of the files in them.
    Files(&'static [(&'static str, &'static str)]),
    /// Lines of text.
    Lines(&'static [&'static str]),
    /// Generated files.
    Made(fn() -> Vec<Vec<u8>>),
    /// None: values are built from random bytes.
    Any,
}

const ALOGS: Seeds = Seeds::Files(&[("alog", "alog")]);
const CAPTURES: Seeds = Seeds::Files(&[("pcap", "pcap"), ("pcap", "pcapng")]);
const CARLA: Seeds = Seeds::Files(&[("carla-rec", "log")]);
const KOBLENZ: Seeds = Seeds::Files(&[("koblenz-log", "log")]);
const LVX: Seeds = Seeds::Files(&[("lvx", "lvx")]);
const TABLES: Seeds = Seeds::Files(&[
    ("effibox/dataset/Bus_InterfaceCan_can0", "txt"),
    ("effibox/dataset/Bus_InterfaceGps__dev_ttyACM0", "txt"),
]);
/// Small files of each kind.
const INPUTS: Seeds = Seeds::Files(&[
    ("alog", "gz"),
    ("alog", "xlog"),
    ("alog", "klog"),
    ("pcap", "pcap"),
    ("gpx", "gpx"),
    ("kml", "kml"),
    ("nmea", "nmea"),
]);

/// A target that builds values from the bytes.
const fn values(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run, seeds: Seeds::Any }
}

/// All targets, by name.
pub const TARGETS: &[Target] = &[
    Target { name: "alog", run: alog::alog, seeds: ALOGS },
    Target { name: "alog_rewrite", run: alog_rewrite::alog_rewrite, seeds: ALOGS },
    Target { name: "archive_tar", run: archive::tar, seeds: Seeds::Made(archive::tars) },
    Target { name: "archive_tar_gz", run: archive::tar_gz, seeds: Seeds::Made(archive::tars) },
    Target { name: "archive_zip", run: archive::zip, seeds: Seeds::Files(&[("kml", "kmz")]) },
    Target { name: "calibration", run: calibration::calibration, seeds: Seeds::Lines(calibration::SEEDS) },
    Target { name: "capture", run: capture::capture, seeds: CAPTURES },
    Target { name: "capture_rewrite", run: capture::capture_rewrite, seeds: CAPTURES },
    Target { name: "carla_rec", run: carla_rec::carla_rec, seeds: CARLA },
    Target { name: "carla_rec_rewrite", run: carla_rec_rewrite::carla_rec_rewrite, seeds: CARLA },
    Target { name: "dataset", run: dataset::dataset, seeds: TABLES },
    Target { name: "effibox_table", run: effibox_table::effibox_table, seeds: TABLES },
    Target { name: "gpx", run: gpx::gpx, seeds: Seeds::Files(&[("gpx", "gpx")]) },
    Target { name: "input", run: input::input, seeds: INPUTS },
    Target { name: "kml", run: kml::kml, seeds: Seeds::Files(&[("kml", "kml")]) },
    Target { name: "kmz", run: kmz::kmz, seeds: Seeds::Files(&[("kml", "kmz")]) },
    Target { name: "koblenz_log", run: koblenz_log::koblenz_log, seeds: KOBLENZ },
    Target { name: "koblenz_log_rewrite", run: koblenz_log_rewrite::koblenz_log_rewrite, seeds: KOBLENZ },
    Target { name: "lvx10", run: lvx::lvx10, seeds: LVX },
    Target { name: "lvx10_rewrite", run: lvx_rewrite::lvx10, seeds: LVX },
    Target { name: "lvx11", run: lvx::lvx11, seeds: LVX },
    Target { name: "lvx11_rewrite", run: lvx_rewrite::lvx11, seeds: LVX },
    Target { name: "lvx2", run: lvx::lvx2, seeds: LVX },
    Target { name: "lvx2_rewrite", run: lvx_rewrite::lvx2, seeds: LVX },
    Target { name: "lvx3", run: lvx::lvx3, seeds: LVX },
    Target { name: "lvx3_rewrite", run: lvx_rewrite::lvx3, seeds: LVX },
    Target { name: "nmea", run: nmea::nmea, seeds: Seeds::Files(&[("nmea", "nmea")]) },
    Target { name: "pnm", run: pnm::pnm, seeds: Seeds::Files(&[("effibox/pnm", "pnm")]) },
    values("sink_alog", |data| check("alog", data, reads_back)),
    values("sink_arrow", |data| check("arrow", data, ends_with(b"ARROW1"))),
    values("sink_bag", |data| check("bag", data, begins_with(b"#ROSBAG V2.0\n"))),
    values("sink_carla_rec", |data| check("carla-rec", data, reads_back)),
    values("sink_copc", |data| check("copc", data, begins_with(b"LASF"))),
    values("sink_csv", |data| check("csv", data, is_table)),
    values("sink_e57", |data| check("e57", data, begins_with(b"ASTM-E57"))),
    values("sink_euroc", |data| check("euroc", data, has_columns(8, ','))),
    values("sink_geojson", |data| check("geojson", data, is_json)),
    values("sink_gpx", |data| check("gpx", data, reads_back)),
    values("sink_images", |data| check("images", data, any)),
    values("sink_jpg", |data| check("jpg", data, any)),
    values("sink_jsonl", |data| check("jsonl", data, is_jsonl)),
    values("sink_kitti", |data| check("kitti", data, has_columns(12, ' '))),
    values("sink_kitti_bin", |data| check("kitti-bin", data, any)),
    values("sink_kitti_times", |data| check("kitti-times", data, any)),
    values("sink_kml", |data| check("kml", data, reads_back)),
    values("sink_kmz", |data| check("kmz", data, is_kmz)),
    values("sink_koblenz_log", |data| check("koblenz-log", data, reads_back)),
    values("sink_las", |data| check("las", data, is_las)),
    values("sink_laz", |data| check("laz", data, begins_with(b"LASF"))),
    values("sink_lvx", |data| check("lvx", data, has_no_fault)),
    values("sink_mcap", |data| check("mcap", data, is_mcap)),
    values("sink_parquet", |data| check("parquet", data, ends_with(b"PAR1"))),
    values("sink_pcd", |data| check("pcd", data, is_pcd)),
    values("sink_ply", |data| check("ply", data, begins_with(b"ply\n"))),
    values("sink_png", |data| check("png", data, any)),
    values("sink_tum", |data| check("tum", data, has_columns(8, ' '))),
    values("sink_xyz", |data| check("xyz", data, has_columns(3, ' '))),
    Target { name: "slog", run: slog::slog, seeds: Seeds::Lines(slog::SEEDS) },
    Target { name: "texts", run: texts::texts, seeds: Seeds::Lines(texts::SEEDS) },
    Target { name: "velodyne", run: velodyne::velodyne, seeds: KOBLENZ },
    values("write_alog", writers::alog::write),
    values("write_carla_rec", writers::carla_rec::write),
    values("write_effibox_table", writers::effibox_table::write),
    values("write_gpx", writers::gpx::write),
    values("write_kml", writers::kml::write),
    values("write_koblenz_log", writers::koblenz_log::write),
    values("write_lvx", writers::lvx::write),
    values("write_nmea", writers::nmea::write),
];

/// Environment variable with the target of a run under libFuzzer.
pub const VARIABLE: &str = "ROBOLOG_TARGET";

/// Looks up a target by name.
pub fn by_name(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The check of the target selected by [`VARIABLE`].
pub fn from_environment() -> fn(&[u8]) {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    let target = by_name(&name).unwrap_or_else(|| panic!("{VARIABLE} is {name:?}, which is no target"));
    target.run
}

impl Seeds {
    /// The seeds; none if any bytes will do.
    pub fn inputs(self) -> Vec<Vec<u8>> {
        match self {
            Self::Files(places) => {
                let files =
                    places.iter().flat_map(|(folder, extension)| testkit::fixtures(folder, extension));
                files.map(|fixture| fixture.bytes).collect()
            }
            Self::Lines(lines) => lines.iter().map(|line| line.as_bytes().to_vec()).collect(),
            Self::Made(make) => make(),
            Self::Any => Vec::new(),
        }
    }
}

#[test]
fn targets_are_in_order_and_all_sinks_have_one() {
    assert!(TARGETS.is_sorted_by_key(|target| target.name));
    for sink in robolog_convert::targets::ALL {
        let name = format!("sink_{}", sink.name.replace('-', "_"));
        assert!(by_name(&name).is_some(), "{name}");
    }
}
