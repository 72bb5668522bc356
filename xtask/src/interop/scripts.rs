//! The scripts and their arguments.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use Argument::{Browser, Carla, Example, Needed, Own, OwnCarla, Real, RealLogs, Robolog, Variable, Work};

use crate::{
    conformance::data_folder,
    shell::{exists, program},
};

/// Paths for a script's arguments.
pub(super) struct Place {
    /// Folder of the programs.
    pub(super) programs: PathBuf,
    /// Folder for the script's files.
    pub(super) work: PathBuf,
    /// Folder of real recordings, if it exists.
    pub(super) data: Option<PathBuf>,
    /// Folder of Koblenz logs of real sensors, made from `data`.
    pub(super) real_logs: PathBuf,
}

/// A script. It fails on a difference.
pub(super) struct Script {
    pub(super) name: &'static str,
    arguments: &'static [Argument],
    /// Whether the programs that it runs are installed.
    is_installed: fn() -> bool,
}

/// An argument of a script. If a needed one is missing, the script is skipped.
enum Argument {
    /// The program.
    Robolog,
    /// A program of `examples`.
    Example(&'static str),
    /// The folder for the script's files.
    Work,
    /// A file or folder of `testdata`.
    Own(&'static str),
    /// A real recording, or a folder of them, if it exists.
    Real(&'static str),
    /// The same, needed.
    Needed(&'static str),
    /// The CARLA recordings of `testdata` that the parser in Python can read.
    OwnCarla,
    /// Real ones.
    Carla,
    /// The folder of Koblenz logs of real sensors.
    RealLogs,
    /// A browser, needed.
    Browser,
    /// The path in an environment variable, needed.
    Variable(&'static str),
}

const CLOUDS: &[Argument] = &[Robolog, Work, Own("lvx"), Real("lvx")];
const LAS: &[Argument] =
    &[Robolog, Work, Own("lvx/room.lvx"), Own("lvx/v11_clock_change.lvx"), Real("lvx/tele15_real_v11.lvx")];
const EVERYTHING: &[Argument] = &[Robolog, Work, Own(""), Real("")];
const LIVOX: &[Argument] = &[Robolog, Work, Own("lvx/room.lvx"), Real("lvx/tele15_real_v11.lvx")];
const CAPTURES: &[Argument] = &[Robolog, Work, Needed("velodyne"), Needed("lvx")];
const GPS: &[Argument] = &[Robolog, Work, Own(""), Real("effibox")];
const FOLDERS: &[Argument] = &[
    Robolog,
    Work,
    Own("effibox/dataset"),
    Own("alog/new_college_lasers.alog"),
    Own("koblenz-log/gps.log"),
    Own("carla-rec/v0_9_15.log"),
    Real("alog/new_college/QuadTree_Alog.alog"),
    Real("carla-rec/crash.log"),
];
const ROAD: &[Argument] = &[Robolog, Work, Own(""), Needed(""), RealLogs];

/// The scripts, the slowest first.
pub(super) const SCRIPTS: [Script; 30] = [
    Script::new("ros2_mcap", &[Robolog, Work, Needed("")]),
    Script::new(
        "ros1_bag",
        &[
            Robolog,
            Work,
            Own("lvx/room.lvx"),
            Own("carla-rec/v0_9_15.log"),
            Own("alog/moosivp.alog"),
            Own("koblenz-log/drive.log"),
            Own("koblenz-log/image.log"),
            Own("gpx/drive.gpx"),
            Own("nmea/types.nmea"),
            Own("effibox/dataset"),
            Real("lvx/tele15_real_v11.lvx"),
            Real("carla-rec/crash.log"),
            Real("alog/new_college/QuadTree_Alog.alog"),
            Real("koblenz-log/hdl32_real.log"),
        ],
    ),
    Script::new("livox_custom", LIVOX),
    Script::new("tables", CLOUDS),
    Script::new("foxglove_mcap", EVERYTHING),
    Script::new("spans", EVERYTHING),
    Script::new("road", ROAD),
    Script::new("gps", GPS),
    Script::new("named", &[Robolog, Work, Needed("")]),
    Script::new("clouds", CLOUDS),
    Script::new("copc", LAS),
    Script::new("velodyne", &[Example("velodyne_points"), Work, Needed("velodyne")]),
    Script::new("clocks", CAPTURES),
    Script::new("models", &[Robolog, Work]),
    Script::new("losses", &[Robolog, Work, Needed("lvx"), Needed("velodyne")]),
    Script::new("chains", &[Robolog, Work, Needed("")]),
    Script::new(
        "archives",
        &[Robolog, Work, Own("effibox/dataset"), Own("effibox/dataset_dated"), Real("effibox/ipds")],
    ),
    Script::new("shrinking", &[Robolog, Work, Own("carla-rec/v0_9_15.log"), Own("pcap/velodyne.pcap")])
        .with(|| Path::new("/proc/self/io").exists()),
    Script::new(
        "edits",
        &[
            Robolog,
            Work,
            Own("alog/moosivp.alog"),
            Own("alog/new_college_2008.alog"),
            Own("carla-rec/v0_9_15.log"),
            Own("koblenz-log/drive.log"),
            Own("lvx/room.lvx"),
            Own("lvx/v11_two_devices.lvx"),
            Own("nmea/types.nmea"),
            Real("alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog"),
            Real("carla-rec/crash.log"),
            Real("carla-rec/2762.rec"),
            Real("effibox/nmea/gpsbabel__reference_track_addmultipledaysfwd.nmea"),
            Real("koblenz-log/hdl32_real.log"),
            Real("lvx/mid360_pcap_to_lvx2.lvx2"),
            Real("lvx/tele15_real_v11.lvx"),
        ],
    ),
    Script::new("folders", FOLDERS),
    Script::new("carla_text", &[Robolog, OwnCarla, Carla]),
    Script::new(
        "catalog",
        &[
            Robolog,
            Work,
            Own("alog"),
            Own("carla-rec"),
            Own("effibox"),
            Own("gpx"),
            Own("kml"),
            Own("koblenz-log"),
            Own("lvx"),
            Own("nmea"),
            Own("pcap"),
        ],
    ),
    Script::new("gpx", &[Example("gpx_rewrite"), Needed("effibox/gpx")]),
    Script::new("images", &[Robolog, Work, Own(""), Real("koblenz-log")]),
    Script::new("las", LAS),
    Script::new(
        "mounts",
        &[
            Robolog,
            Work,
            Own(""),
            Own("alog/new_college_lasers.alog"),
            Real("alog/new_college/QuadTree_Alog.alog"),
        ],
    ),
    Script::new("offsets", &[Robolog, Work, Real("alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog")]),
    Script::new(
        "rates",
        &[
            Robolog,
            Needed("alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog"),
            Real("lvx/tele15_real_v11.lvx"),
            Real("carla-rec/crash.log"),
        ],
    ),
    Script::new("steps", &[Robolog, Work, Own("lvx/room.lvx"), Own("lvx/v11_two_devices.lvx")]),
    Script::new(
        "trajectories",
        &[Robolog, Work, Needed("alog/new_college/QuadTree_Alog.alog"), Own("koblenz-log/image.log")],
    ),
];

/// Scripts whose readers are too large to download for every change, or must be installed by hand.
pub(super) const HEAVY: [Script; 10] = [
    Script::new("rerun_mcap", ROAD),
    Script::new("maps", GPS).with(|| exists("gpsbabel", &["-V"]) && exists("ogr2ogr", &["--version"])),
    Script::new("spark", FOLDERS).with(|| exists("java", &["-version"])),
    // Without input, PCL's tool ends with an error.
    Script::new("pcl", CLOUDS).with(|| Command::new("pcl_convert_pcd_ascii_binary").output().is_ok()),
    Script::new("pcl_structs", LIVOX)
        .with(|| exists("pkg-config", &["--exists", "pcl_common"]) && exists("g++", &["--version"])),
    Script::new("cloudcompare", CLOUDS).with(|| {
        Command::new("CloudCompare").arg("-SILENT").env("QT_QPA_PLATFORM", "offscreen").output().is_ok()
    }),
    Script::new("captures", CAPTURES).with(|| exists("tshark", &["--version"])),
    // A checkout of `ScenarioRunner`, whose parser reads the text of real CARLA recordings.
    Script::new("scenario_runner", &[Robolog, Variable("SCENARIO_RUNNER"), Carla])
        .with(|| data_folder().is_some()),
    Script::new(
        "report",
        &[
            Robolog,
            Browser,
            Work,
            Own("lvx/room.lvx"),
            Own("carla-rec/v0_9_15.log"),
            Own("alog/nav.alog"),
            Own("alog/header_only.alog"),
            Own("koblenz-log/image.log"),
            Own("kml/gx_track.kml"),
            Own("pcap/velodyne.pcap"),
            Own("effibox/dataset"),
            Real("lvx/tele15_real_v11.lvx"),
            Real("lvx/damaged_cut_mid_package.lvx"),
            Real("carla-rec/2762.rec"),
            Real("alog/moosivp_2025/MOOSLog_18_6_2025_____10_38_38/MOOSLog_18_6_2025_____10_38_38.alog"),
            Real("alog/new_college/QuadTree_Alog.alog"),
            Real("koblenz-log/mix_h17.log"),
            Real("effibox/nmea/nmea-rs__tests_data_nmea1.log"),
            Real("effibox/gpx/gpsbabel__reference_track_bike~gpx.gpx"),
            Real("effibox/kml/gpsbabel__reference_track_92GV66G1.igc.kml"),
            Real("velodyne/nebula_vlp16.pcap"),
            Real("lvx/livox_tele15_small.pcap"),
        ],
    ),
    // A synthetic drive.
    Script::new("kiss", &[Robolog, Work]),
];

impl Script {
    const fn new(name: &'static str, arguments: &'static [Argument]) -> Self {
        Self { name, arguments, is_installed: || true }
    }

    const fn with(self, is_installed: fn() -> bool) -> Self {
        Self { is_installed, ..self }
    }

    /// The arguments; `None` if one is missing, or a program that it runs.
    pub(super) fn arguments(&self, place: &Place) -> Option<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for argument in self.arguments {
            paths.extend(argument.paths(place)?);
        }
        (self.is_installed)().then_some(paths)
    }
}

impl Argument {
    fn paths(&self, place: &Place) -> Option<Vec<PathBuf>> {
        // Without a slash at the end.
        let own = |name: &str| Path::new("testdata").join(name).components().collect::<PathBuf>();
        let real = |name: &str| {
            let path = place.data.as_ref()?.join(name).components().collect::<PathBuf>();
            path.exists().then_some(path)
        };
        Some(match self {
            Robolog => vec![place.programs.join(program("robolog"))],
            Example(name) => vec![place.programs.join("examples").join(program(name))],
            Work => vec![place.work.clone()],
            Own(name) => vec![own(name)],
            Real(name) => real(name).into_iter().collect(),
            Needed(name) => vec![real(name)?],
            OwnCarla => carla_recordings(&own("carla-rec")),
            Carla => real("carla-rec").map(|folder| carla_recordings(&folder)).unwrap_or_default(),
            RealLogs => vec![place.real_logs.clone()],
            Browser => {
                let mut known = ["chromium", "chromium-browser", "google-chrome"].into_iter();
                vec![known.find(|name| exists(name, &["--version"]))?.into()]
            }
            Variable(name) => vec![std::env::var_os(name)?.into()],
        })
    }
}

/// The recordings of a folder that the script can read: complete, without packets after the last frame, and with known
/// packets only.
fn carla_recordings(folder: &Path) -> Vec<PathBuf> {
    const NOT_READ: [&str; 3] = ["packets_outside", "ue5_f64", "wheels_vs_biker"];
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| {
        let extension = path.extension().and_then(|e| e.to_str());
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let truth = std::fs::read_to_string(path.with_extension("truth.json"));
        let whole = truth.map_or(true, |text| text.contains("\"complete\": true"));
        matches!(extension, Some("log" | "rec")) && whole && !NOT_READ.contains(&stem)
    });
    found.sort();
    found
}

#[test]
fn the_examples_of_scripts_are_built() {
    use crate::shell::EXAMPLES;
    for argument in SCRIPTS.iter().chain(&HEAVY).flat_map(|script| script.arguments) {
        assert!(
            !matches!(argument, Example(name) if !EXAMPLES.contains(name)),
            "an example is not in the list"
        );
    }
}
