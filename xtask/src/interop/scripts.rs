//! The scripts and their arguments.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::shell::{exists, program, root};

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

/// A script's arguments; `None` if its input is missing.
pub(super) type Arguments = fn(&Place) -> Option<Vec<PathBuf>>;

/// The scripts, the slowest first. Each fails on a difference.
pub(super) const SCRIPTS: [(&str, Arguments); 23] = [
    ("ros2_mcap", ros2_mcap),
    ("ros1_bag", ros1_bag),
    ("livox_custom", livox_custom),
    ("tables", tables),
    ("foxglove_mcap", foxglove_mcap),
    ("spans", foxglove_mcap),
    ("road", road),
    ("gps", gps),
    ("clouds", clouds),
    ("copc", las),
    ("velodyne", velodyne),
    ("clocks", clocks),
    ("edits", edits),
    ("folders", folders),
    ("carla_text", carla_text),
    ("catalog", catalog),
    ("gpx", gpx),
    ("images", images),
    ("las", las),
    ("mounts", mounts),
    ("rates", rates),
    ("steps", steps),
    ("trajectories", trajectories),
];

/// Scripts whose readers are too large to download for every change, or must be installed by hand.
pub(super) const HEAVY: [(&str, Arguments); 10] = [
    ("rerun_mcap", rerun_mcap),
    ("maps", maps),
    ("spark", spark),
    ("pcl", pcl),
    ("pcl_structs", pcl_structs),
    ("cloudcompare", cloudcompare),
    ("captures", captures),
    ("scenario_runner", scenario_runner),
    ("report", report),
    ("kiss", kiss),
];

impl Place {
    fn program(&self, name: &str) -> PathBuf {
        self.programs.join(program(name))
    }

    fn example(&self, name: &str) -> PathBuf {
        self.programs.join("examples").join(program(name))
    }

    /// A folder of real recordings.
    fn data(&self, folder: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(folder)).filter(|folder| folder.is_dir())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn clouds(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), Path::new("testdata").join("lvx")];
    arguments.extend(place.data("lvx"));
    Some(arguments)
}

/// Steps between recording and target, beside `NumPy`.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn steps(place: &Place) -> Option<Vec<PathBuf>> {
    let files = ["testdata/lvx/room.lvx", "testdata/lvx/v11_two_devices.lvx"].map(PathBuf::from);
    Some([vec![place.program("robolog"), place.work.clone()], files.to_vec()].concat())
}

/// The output of `robolog carla info`, read by a parser written from the grammar alone.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn carla_text(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog")];
    arguments.extend(carla_recordings(Path::new("testdata/carla-rec")));
    if let Some(folder) = place.data("carla-rec") {
        arguments.extend(carla_recordings(&folder));
    }
    Some(arguments)
}

/// Folders of recordings to list.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn catalog(place: &Place) -> Option<Vec<PathBuf>> {
    let folders = ["alog", "carla-rec", "effibox", "gpx", "kml", "koblenz-log", "lvx", "nmea", "pcap"];
    let folders = folders.iter().map(|folder| Path::new("testdata").join(folder));
    Some([place.program("robolog"), place.work.clone()].into_iter().chain(folders).collect())
}

/// A synthetic drive for KISS-ICP.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn kiss(place: &Place) -> Option<Vec<PathBuf>> {
    Some(vec![place.program("robolog"), place.work.clone()])
}

/// Recordings whose rates the script computes itself.
fn rates(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog")];
    let files = [
        "alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog",
        "lvx/tele15_real_v11.lvx",
        "carla-rec/crash.log",
    ];
    arguments.extend(files.iter().filter_map(|file| Some(place.data.as_ref()?.join(file))));
    arguments.retain(|path| path.starts_with(&place.programs) || path.is_file());
    (arguments.len() > 1).then_some(arguments)
}

fn velodyne(place: &Place) -> Option<Vec<PathBuf>> {
    let data = place.data("velodyne")?;
    Some(vec![place.example("velodyne_points"), place.work.clone(), data])
}

/// Times of captured packets by the sensors' own clocks.
fn clocks(place: &Place) -> Option<Vec<PathBuf>> {
    let folders = [place.data("velodyne")?, place.data("lvx")?];
    Some([place.program("robolog"), place.work.clone()].into_iter().chain(folders).collect())
}

/// Recordings before and after an edit, parsed by the script.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn edits(place: &Place) -> Option<Vec<PathBuf>> {
    let fixtures = [
        "alog/moosivp.alog",
        "alog/new_college_2008.alog",
        "carla-rec/v0_9_15.log",
        "koblenz-log/drive.log",
        "lvx/room.lvx",
        "lvx/v11_two_devices.lvx",
        "nmea/types.nmea",
    ];
    let real = [
        "alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog",
        "carla-rec/crash.log",
        "carla-rec/2762.rec",
        "effibox/nmea/gpsbabel__reference_track_addmultipledaysfwd.nmea",
        "koblenz-log/hdl32_real.log",
        "lvx/mid360_pcap_to_lvx2.lvx2",
        "lvx/tele15_real_v11.lvx",
    ];
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.extend(fixtures.map(|file| Path::new("testdata").join(file)));
    arguments.extend(
        real.iter().filter_map(|file| Some(place.data.as_ref()?.join(file))).filter(|file| file.is_file()),
    );
    Some(arguments)
}

/// Documents read and written again, validated with the schema.
fn gpx(place: &Place) -> Option<Vec<PathBuf>> {
    place.data("effibox/gpx").map(|data| vec![place.example("gpx_rewrite"), data])
}

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn las(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.extend(
        ["room.lvx", "v11_clock_change.lvx", "v20_type1.lvx2"]
            .map(|name| Path::new("testdata/lvx").join(name)),
    );
    arguments.retain(|path| !path.starts_with("testdata") || root().join(path).is_file());
    arguments.extend(place.data("lvx").map(|data| data.join("tele15_real_v11.lvx")));
    Some(arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn foxglove_mcap(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), "testdata".into()];
    arguments.extend(place.data.clone());
    Some(arguments)
}

fn ros2_mcap(place: &Place) -> Option<Vec<PathBuf>> {
    Some(vec![place.program("robolog"), place.work.clone(), place.data.clone()?])
}

/// Livox points in the messages of Livox' drivers.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn livox_custom(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.push(Path::new("testdata").join("lvx/room.lvx"));
    arguments.extend(place.data("lvx").map(|data| data.join("tele15_real_v11.lvx")));
    Some(arguments)
}

/// One recording per format.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn ros1_bag(place: &Place) -> Option<Vec<PathBuf>> {
    let fixtures = [
        "lvx/room.lvx",
        "carla-rec/v0_9_15.log",
        "alog/moosivp.alog",
        "koblenz-log/drive.log",
        "koblenz-log/image.log",
        "gpx/drive.gpx",
        "nmea/types.nmea",
        "effibox/dataset",
    ];
    let real = [
        "lvx/tele15_real_v11.lvx",
        "carla-rec/crash.log",
        "alog/new_college/QuadTree_Alog.alog",
        "koblenz-log/hdl32_real.log",
    ];
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.extend(fixtures.map(|file| Path::new("testdata").join(file)));
    arguments.extend(
        real.iter().filter_map(|file| Some(place.data.as_ref()?.join(file))).filter(|file| file.is_file()),
    );
    Some(arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn tables(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.extend(["lvx"].map(|name| Path::new("testdata").join(name)));
    arguments.extend(place.data("lvx"));
    Some(arguments)
}

/// Fixes of fixtures, and of real recordings if they exist.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn gps(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), PathBuf::from("testdata")];
    arguments.extend(place.data("effibox"));
    Some(arguments)
}

/// The same with gpsbabel and GDAL, if installed.
fn maps(place: &Place) -> Option<Vec<PathBuf>> {
    let installed = exists("gpsbabel", &["-V"]) && exists("ogr2ogr", &["--version"]);
    gps(place).filter(|_| installed)
}

/// Tables of recordings of all formats.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn folders(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    let fixtures =
        ["effibox/dataset", "alog/new_college_lasers.alog", "koblenz-log/gps.log", "carla-rec/v0_9_15.log"];
    arguments.extend(fixtures.map(|name| Path::new("testdata").join(name)));
    arguments.extend(place.data("alog/new_college").map(|folder| folder.join("QuadTree_Alog.alog")));
    arguments.extend(place.data("carla-rec").map(|folder| folder.join("crash.log")));
    Some(arguments)
}

/// The same folders with Spark, if Java is installed.
fn spark(place: &Place) -> Option<Vec<PathBuf>> {
    folders(place).filter(|_| exists("java", &["-version"]))
}

/// Clouds read by PCL, if its tools are installed.
fn pcl(place: &Place) -> Option<Vec<PathBuf>> {
    // Without input, it ends with an error.
    clouds(place)
        .filter(|_| Command::new("pcl_convert_pcd_ascii_binary").stdout(Stdio::null()).output().is_ok())
}

/// Points by PCL's mapping of fields, if its headers and a compiler are installed.
fn pcl_structs(place: &Place) -> Option<Vec<PathBuf>> {
    let installed = exists("pkg-config", &["--exists", "pcl_common"]) && exists("g++", &["--version"]);
    livox_custom(place).filter(|_| installed)
}

/// Clouds read by CloudCompare, if installed.
fn cloudcompare(place: &Place) -> Option<Vec<PathBuf>> {
    let installed =
        Command::new("CloudCompare").args(["-SILENT"]).env("QT_QPA_PLATFORM", "offscreen").output();
    clouds(place).filter(|_| installed.is_ok())
}

/// Captures read by tshark, if installed.
fn captures(place: &Place) -> Option<Vec<PathBuf>> {
    let folders = [place.data("velodyne")?, place.data("lvx")?];
    let installed = exists("tshark", &["--version"]);
    let arguments = [place.program("robolog"), place.work.clone()].into_iter().chain(folders);
    installed.then(|| arguments.collect())
}

/// The text of real CARLA recordings, read by `ScenarioRunner`'s parser, if `SCENARIO_RUNNER` names a checkout of it.
fn scenario_runner(place: &Place) -> Option<Vec<PathBuf>> {
    let checkout = std::env::var_os("SCENARIO_RUNNER").map(PathBuf::from)?;
    let recordings = carla_recordings(&place.data("carla-rec")?);
    Some([place.program("robolog"), checkout].into_iter().chain(recordings).collect())
}

/// Reports in a browser, if Chromium is installed: one recording per format, real ones if they exist.
fn report(place: &Place) -> Option<Vec<PathBuf>> {
    let browser = ["chromium", "chromium-browser", "google-chrome"];
    let browser = browser.into_iter().find(|name| exists(name, &["--version"]))?;
    let mut arguments = vec![place.program("robolog"), browser.into(), place.work.clone()];
    let own = [
        "lvx/room.lvx",
        "carla-rec/v0_9_15.log",
        "alog/nav.alog",
        "alog/header_only.alog",
        "koblenz-log/image.log",
        "kml/gx_track.kml",
        "pcap/velodyne.pcap",
        "effibox/dataset",
    ];
    arguments.extend(own.map(|name| Path::new("testdata").join(name)));
    let real = [
        "lvx/tele15_real_v11.lvx",
        "lvx/damaged_cut_mid_package.lvx",
        "carla-rec/2762.rec",
        "alog/moosivp_2025/MOOSLog_18_6_2025_____10_38_38/MOOSLog_18_6_2025_____10_38_38.alog",
        "alog/new_college/QuadTree_Alog.alog",
        "koblenz-log/mix_h17.log",
        "effibox/nmea/nmea-rs__tests_data_nmea1.log",
        "effibox/gpx/gpsbabel__reference_track_bike~gpx.gpx",
        "effibox/kml/gpsbabel__reference_track_92GV66G1.igc.kml",
        "velodyne/nebula_vlp16.pcap",
        "lvx/livox_tele15_small.pcap",
    ];
    arguments.extend(real.into_iter().filter_map(|name| Some(place.data.as_ref()?.join(name))));
    Some(arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn images(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), PathBuf::from("testdata")];
    arguments.extend(place.data("koblenz-log"));
    Some(arguments)
}

/// Laser beams, placed by their calibrations.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn mounts(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), PathBuf::from("testdata")];
    arguments.push(Path::new("testdata").join("alog/new_college_lasers.alog"));
    arguments.extend(place.data("alog/new_college").map(|folder| folder.join("QuadTree_Alog.alog")));
    Some(arguments)
}

/// Real recordings, converted and read by independent readers.
fn road(place: &Place) -> Option<Vec<PathBuf>> {
    let data = place.data.clone()?;
    let testdata = PathBuf::from("testdata");
    Some(vec![place.program("robolog"), place.work.clone(), testdata, data, place.real_logs.clone()])
}

fn rerun_mcap(place: &Place) -> Option<Vec<PathBuf>> {
    road(place)
}

/// Real odometry, and the pictures of a log.
fn trajectories(place: &Place) -> Option<Vec<PathBuf>> {
    let log = place.data("alog/new_college")?.join("QuadTree_Alog.alog");
    let pictures = Path::new("testdata/koblenz-log/image.log");
    Some(vec![place.program("robolog"), place.work.clone(), log, pictures.to_owned()])
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
