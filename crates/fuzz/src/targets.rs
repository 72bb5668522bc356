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
    Target { name: "sink_alog", run: sinks::alog, seeds: Seeds::Any },
    Target { name: "sink_arrow", run: sinks::arrow, seeds: Seeds::Any },
    Target { name: "sink_bag", run: sinks::bag, seeds: Seeds::Any },
    Target { name: "sink_carla_rec", run: sinks::carla_rec, seeds: Seeds::Any },
    Target { name: "sink_copc", run: sinks::copc, seeds: Seeds::Any },
    Target { name: "sink_csv", run: sinks::csv, seeds: Seeds::Any },
    Target { name: "sink_e57", run: sinks::e57, seeds: Seeds::Any },
    Target { name: "sink_euroc", run: sinks::euroc, seeds: Seeds::Any },
    Target { name: "sink_geojson", run: sinks::geojson, seeds: Seeds::Any },
    Target { name: "sink_gpx", run: sinks::gpx, seeds: Seeds::Any },
    Target { name: "sink_images", run: sinks::images, seeds: Seeds::Any },
    Target { name: "sink_jpg", run: sinks::jpg, seeds: Seeds::Any },
    Target { name: "sink_jsonl", run: sinks::jsonl, seeds: Seeds::Any },
    Target { name: "sink_kitti", run: sinks::kitti, seeds: Seeds::Any },
    Target { name: "sink_kitti_bin", run: sinks::kitti_bin, seeds: Seeds::Any },
    Target { name: "sink_kitti_times", run: sinks::kitti_times, seeds: Seeds::Any },
    Target { name: "sink_kml", run: sinks::kml, seeds: Seeds::Any },
    Target { name: "sink_kmz", run: sinks::kmz, seeds: Seeds::Any },
    Target { name: "sink_koblenz_log", run: sinks::koblenz_log, seeds: Seeds::Any },
    Target { name: "sink_las", run: sinks::las, seeds: Seeds::Any },
    Target { name: "sink_laz", run: sinks::laz, seeds: Seeds::Any },
    Target { name: "sink_lvx", run: sinks::lvx, seeds: Seeds::Any },
    Target { name: "sink_mcap", run: sinks::mcap, seeds: Seeds::Any },
    Target { name: "sink_parquet", run: sinks::parquet, seeds: Seeds::Any },
    Target { name: "sink_pcd", run: sinks::pcd, seeds: Seeds::Any },
    Target { name: "sink_ply", run: sinks::ply, seeds: Seeds::Any },
    Target { name: "sink_png", run: sinks::png, seeds: Seeds::Any },
    Target { name: "sink_tum", run: sinks::tum, seeds: Seeds::Any },
    Target { name: "sink_xyz", run: sinks::xyz, seeds: Seeds::Any },
    Target { name: "slog", run: slog::slog, seeds: Seeds::Lines(slog::SEEDS) },
    Target { name: "texts", run: texts::texts, seeds: Seeds::Lines(texts::SEEDS) },
    Target { name: "velodyne", run: velodyne::velodyne, seeds: KOBLENZ },
    Target { name: "write_alog", run: writers::alog::write, seeds: Seeds::Any },
    Target { name: "write_carla_rec", run: writers::carla_rec::write, seeds: Seeds::Any },
    Target { name: "write_effibox_table", run: writers::effibox_table::write, seeds: Seeds::Any },
    Target { name: "write_gpx", run: writers::gpx::write, seeds: Seeds::Any },
    Target { name: "write_kml", run: writers::kml::write, seeds: Seeds::Any },
    Target { name: "write_koblenz_log", run: writers::koblenz_log::write, seeds: Seeds::Any },
    Target { name: "write_lvx", run: writers::lvx::write, seeds: Seeds::Any },
    Target { name: "write_nmea", run: writers::nmea::write, seeds: Seeds::Any },
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
