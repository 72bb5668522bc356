//! `cargo xtask interop [--heavy]`: programs that share no code with us read what we write.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    conformance::data_folder,
    fixtures,
    shell::{
        Outcome, built_with_tests, exists, on_runner, only_switch, output, program, root, run as run_command,
    },
};

/// What a script may be given.
struct Place {
    /// Where the programs are.
    programs: PathBuf,
    /// A folder for its files.
    work: PathBuf,
    /// The folder of real recordings, where it is.
    data: Option<PathBuf>,
    /// Koblenz logs of what real sensors recorded, made from `data`.
    real_logs: PathBuf,
}

/// A script's arguments; `None` where what it reads is not there.
type Arguments = fn(&Place) -> Option<Vec<PathBuf>>;

/// The scripts, each of which fails when something differs.
const SCRIPTS: [(&str, Arguments); 14] = [
    ("clouds", clouds),
    ("carla_text", carla_text),
    ("velodyne", velodyne),
    ("gpx", gpx),
    ("gps", gps),
    ("images", images),
    ("las", las),
    ("mounts", mounts),
    ("foxglove_mcap", foxglove_mcap),
    ("ros2_mcap", ros2_mcap),
    ("spans", foxglove_mcap),
    ("tables", tables),
    ("road", road),
    ("trajectories", trajectories),
];

/// Scripts whose readers are too large to be fetched for every change, or are programs that must be installed.
const HEAVY: [(&str, Arguments); 3] = [("rerun_mcap", rerun_mcap), ("maps", maps), ("report", report)];

const READERS: &str = "xtask/interop/requirements.txt";
const HEAVY_READERS: &str = "xtask/interop/requirements-heavy.txt";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let heavy = only_switch(arguments, "--heavy")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let environment = target.join("interop");
    let python = match environment_python(&environment, heavy) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\ninterop: 0 passed, 0 failed, skipped");
            return Ok(());
        }
    };
    let programs = built_with_tests()?;
    if data_folder().is_some() {
        let real_logs = environment.join("koblenz_real").to_string_lossy().into_owned();
        fixtures::run(&["--real".to_owned(), real_logs])?;
    }
    let (mut passed, mut skipped) = (0_u32, 0_u32);
    let scripts = SCRIPTS.iter().chain(if heavy { &HEAVY[..] } else { &[] });
    for (name, arguments) in scripts {
        let work = environment.join(name);
        let real_logs = environment.join("koblenz_real");
        let place = Place { programs: programs.clone(), work, data: data_folder(), real_logs };
        let Some(arguments) = arguments(&place) else {
            println!("{name}: skipped: there are no real recordings, or its programs are not installed");
            skipped += 1;
            continue;
        };
        let script = format!("xtask/interop/{name}.py");
        run_command(Command::new(&python).arg(&script).args(arguments), &format!("python {script}"))?;
        passed += 1;
    }
    println!("interop: {passed} passed, 0 failed, {skipped} skipped");
    Ok(())
}

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

/// What `robolog carla info` prints, read by a parser that was written from the grammar alone.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn carla_text(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog")];
    arguments.extend(carla_recordings(Path::new("testdata/carla-rec")));
    if let Some(folder) = place.data("carla-rec") {
        arguments.extend(carla_recordings(&folder));
    }
    Some(arguments)
}

fn velodyne(place: &Place) -> Option<Vec<PathBuf>> {
    let data = place.data("velodyne")?;
    Some(vec![place.example("velodyne_points"), place.work.clone(), data])
}

/// Documents written again from what was read of them, validated with the schema.
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

#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn tables(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone()];
    arguments.extend(["lvx"].map(|name| Path::new("testdata").join(name)));
    arguments.extend(place.data("lvx"));
    Some(arguments)
}

/// Fixes of fixtures, and of real recordings where they are.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn gps(place: &Place) -> Option<Vec<PathBuf>> {
    let mut arguments = vec![place.program("robolog"), place.work.clone(), PathBuf::from("testdata/effibox")];
    arguments.extend(place.data("effibox"));
    Some(arguments)
}

/// The same by gpsbabel and GDAL, where they are installed.
fn maps(place: &Place) -> Option<Vec<PathBuf>> {
    let installed = exists("gpsbabel", &["-V"]) && exists("ogr2ogr", &["--version"]);
    gps(place).filter(|_| installed)
}

/// Reports in a browser, where Chromium is installed: of a recording of each format, real ones where they are.
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

/// Beams of the data set's lasers, where the calibration page puts them.
#[expect(clippy::unnecessary_wraps, reason = "all scripts are asked alike")]
fn mounts(place: &Place) -> Option<Vec<PathBuf>> {
    Some(vec![place.program("robolog"), place.work.clone(), PathBuf::from("testdata")])
}

/// From real recordings to what other people's readers find.
fn road(place: &Place) -> Option<Vec<PathBuf>> {
    let data = place.data.clone()?;
    let testdata = PathBuf::from("testdata");
    Some(vec![place.program("robolog"), place.work.clone(), testdata, data, place.real_logs.clone()])
}

fn rerun_mcap(place: &Place) -> Option<Vec<PathBuf>> {
    road(place)
}

/// A real odometry, and the pictures of a log.
fn trajectories(place: &Place) -> Option<Vec<PathBuf>> {
    let log = place.data("alog/new_college")?.join("QuadTree_Alog.alog");
    let pictures = Path::new("testdata/koblenz-log/image.log");
    Some(vec![place.program("robolog"), place.work.clone(), log, pictures.to_owned()])
}

/// The recordings of a folder whose text can be read: whole ones, in which no attribute has lines of its own, no packet
/// lies behind the last frame, and of which the parser's own reader knows all packets.
fn carla_recordings(folder: &Path) -> Vec<PathBuf> {
    const NOT_READ: [&str; 5] =
        ["attributes_odd", "map_not_utf8", "packets_outside", "ue5_f64", "wheels_vs_biker"];
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

/// The interpreter of an environment with the readers in it; an error says what of it is not to be had.
fn environment_python(environment: &Path, heavy: bool) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["--version"]) {
        return Err("Python 3 is not installed".to_owned());
    }
    output(Command::new(python).args(["-m", "venv"]).arg(environment), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    let inner =
        if cfg!(windows) { environment.join("Scripts/python.exe") } else { environment.join("bin/python") };
    for readers in [READERS, HEAVY_READERS].iter().take(if heavy { 2 } else { 1 }) {
        let words = ["-m", "pip", "install", "--quiet", "--requirement", readers];
        output(Command::new(&inner).args(words), &format!("pip install --requirement {readers}"))
            .map_err(|why| format!("the readers cannot be installed: {why}"))?;
    }
    Ok(inner)
}
