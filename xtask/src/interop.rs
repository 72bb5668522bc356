//! `cargo xtask interop`: programs that share no code with us read the clouds and texts we write.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    conformance::data_folder,
    shell::{Outcome, cargo, exists, no_arguments, on_runner, output, root, run as run_command},
};

/// What a script may be given.
struct Place {
    /// Where release builds are.
    release: PathBuf,
    /// A folder for its files.
    work: PathBuf,
    /// The folder of real recordings, where it is.
    data: Option<PathBuf>,
}

/// A script's arguments; `None` where what it reads is not there.
type Arguments = fn(&Place) -> Option<Vec<PathBuf>>;

/// The scripts, each of which fails when something differs.
const SCRIPTS: [(&str, Arguments); 8] = [
    ("clouds", clouds),
    ("carla_text", carla_text),
    ("velodyne", velodyne),
    ("gpx", gpx),
    ("las", las),
    ("ros2_mcap", ros2_mcap),
    ("tables", tables),
    ("trajectories", trajectories),
];

/// Examples that scripts run.
const EXAMPLES: [(&str, &str); 2] = [("velodyne-packet", "velodyne_points"), ("effibox", "gpx_rewrite")];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let environment = target.join("interop");
    let python = match environment_python(&environment) {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\ninterop: 0 passed, 0 failed, skipped");
            return Ok(());
        }
    };
    cargo(&["build", "--release", "-p", "robolog"])?;
    for (package, example) in EXAMPLES {
        cargo(&["build", "--release", "-p", package, "--all-features", "--example", example])?;
    }
    let (mut passed, mut skipped) = (0_u32, 0_u32);
    for (name, arguments) in SCRIPTS {
        let work = environment.join(name);
        let place = Place { release: target.join("release"), work, data: data_folder() };
        let Some(arguments) = arguments(&place) else {
            println!("{name}: skipped: there are no real recordings");
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
        self.release.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    fn example(&self, name: &str) -> PathBuf {
        self.release.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
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

/// A real odometry, and the pictures of a log.
fn trajectories(place: &Place) -> Option<Vec<PathBuf>> {
    let log = place.data("alog/new_college")?.join("QuadTree_Alog.alog");
    let pictures = Path::new("testdata/koblenz-log/image.log");
    Some(vec![place.program("robolog"), place.work.clone(), log, pictures.to_owned()])
}

/// The recordings of a folder whose text can be read: whole ones, in which no attribute has lines of its own, no packet
/// lies behind the last frame, and of which the parser's own reader knows all packets.
fn carla_recordings(folder: &Path) -> Vec<PathBuf> {
    const NOT_READ: [&str; 4] = ["attributes_odd", "packets_outside", "ue5_f64", "wheels_vs_biker"];
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
fn environment_python(environment: &Path) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["--version"]) {
        return Err("Python 3 is not installed".to_owned());
    }
    output(Command::new(python).args(["-m", "venv"]).arg(environment), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    let inner =
        if cfg!(windows) { environment.join("Scripts/python.exe") } else { environment.join("bin/python") };
    let words = ["-m", "pip", "install", "--quiet", "--requirement", "xtask/interop/requirements.txt"];
    output(Command::new(&inner).args(words), "pip install --requirement xtask/interop/requirements.txt")
        .map_err(|why| format!("the readers cannot be installed: {why}"))?;
    Ok(inner)
}
