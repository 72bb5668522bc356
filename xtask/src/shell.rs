//! Runs other programs from the workspace's root and prints their command lines.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use serde_json::Value;

/// Result of a task. An error names the command that repeats the task or repairs the failure.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&here).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs `cargo`, with its output passed through.
pub(crate) fn cargo(arguments: &[&str]) -> Outcome {
    cargo_with(&[], arguments)
}

/// Runs `cargo` with environment variables.
pub(crate) fn cargo_with(variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
    let mut command = Command::new(cargo_path());
    command.args(arguments).envs(variables.iter().copied());
    run(&mut command, &shown("cargo", variables, arguments))
}

/// Returns the standard output of `cargo`.
pub(crate) fn cargo_output(arguments: &[&str]) -> Outcome<String> {
    output(Command::new(cargo_path()).args(arguments), &shown("cargo", &[], arguments))
}

/// The build of the tests. Other steps use it too, so that no step compiles the same crates with other features.
pub(crate) const EVERYTHING: [&str; 3] = ["test", "--workspace", "--all-features"];

/// Cargo's target folder.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The examples that steps run. All others are checked by clippy; to build them as well would take as long as a format.
pub(crate) const EXAMPLES: [&str; 2] = ["gpx_rewrite", "velodyne_points"];

/// Builds programs, libraries and [`EXAMPLES`] like the tests, and returns their folder. An example has the dependencies
/// of the tests; without one, cargo would compile a hundred crates with other features.
pub(crate) fn built_with_tests() -> Outcome<PathBuf> {
    let mut words = vec!["build", "--workspace", "--all-features", "--lib", "--bins"];
    words.extend(EXAMPLES.iter().flat_map(|name| ["--example", name]));
    cargo(&words)?;
    let target = target_folder();
    Ok(target.join("debug"))
}

/// Builds benches in one build, optimised, and returns the program of each package.
pub(crate) fn bench_programs<'a>(benches: &[(&'a str, &'a str)]) -> Outcome<BTreeMap<&'a str, PathBuf>> {
    let mut words = vec!["bench", "--all-features"];
    for (package, bench) in benches {
        words.extend(["-p", package, "--bench", bench]);
    }
    let mut programs = BTreeMap::new();
    for built in built(&[], &words)? {
        let of =
            benches.iter().find(|(package, bench)| built.package == **package && built.target == **bench);
        programs.extend(of.map(|(package, _)| (*package, built.program)));
    }
    match benches.iter().find(|(package, _)| !programs.contains_key(package)) {
        Some((package, bench)) => Err(format!("cargo built no bench {bench} of {package}")),
        None => Ok(programs),
    }
}

/// A program of tests or benches that cargo built of a package's target.
pub(crate) struct Built {
    pub(crate) package: String,
    pub(crate) target: String,
    pub(crate) program: PathBuf,
    /// The package's.
    pub(crate) folder: PathBuf,
}

/// Builds tests or benches with `cargo`, whose progress is passed through, and returns their programs.
pub(crate) fn built(variables: &[(&str, &str)], arguments: &[&str]) -> Outcome<Vec<Built>> {
    let words = [arguments, &["--no-run", "--message-format=json-render-diagnostics"]].concat();
    let mut command = Command::new(cargo_path());
    command.args(&words).envs(variables.iter().copied()).stderr(Stdio::inherit());
    let messages = output(&mut command, &shown("cargo", variables, &words))?;
    let of = |message: Value| {
        let (package, _) = package_of(message["package_id"].as_str()?)?;
        let target = message["target"]["name"].as_str()?.to_owned();
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        let program = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?.into();
        Some(Built { package, target, program, folder })
    };
    Ok(messages.lines().filter_map(|line| of(serde_json::from_str(line).ok()?)).collect())
}

/// Name and version from cargo's package identifier: `path+file:///crates/lvx#0.1.0`, or with `name@` in front of the
/// version if the folder has another name.
pub(crate) fn package_of(id: &str) -> Option<(String, String)> {
    let (path, version) = id.split_once('#')?;
    let folder = path.rsplit('/').next()?;
    let (name, version) = version.split_once('@').unwrap_or((folder, version));
    Some((name.to_owned(), version.to_owned()))
}

/// File name of a program on this system.
pub(crate) fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Runs a command from the root. Returns an error unless it succeeds.
pub(crate) fn run(command: &mut Command, shown: &str) -> Outcome {
    println!("$ {shown}");
    // Flushes, since the child writes to the same stream.
    std::io::stdout().flush().map_err(|e| e.to_string())?;
    match command.current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status})")),
        Err(e) => Err(format!("`{shown}` could not be started: {e}")),
    }
}

/// Runs a command from the root and returns its standard output.
pub(crate) fn output(command: &mut Command, shown: &str) -> Outcome<String> {
    let done = command
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("`{shown}` could not be started: {e}"))?;
    if !done.status.success() {
        return Err(format!("`{shown}` failed:\n{}", String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|_| format!("`{shown}` printed something other than UTF-8"))
}

/// Runs a command from the root and returns what it printed on both streams, as an error if it fails.
pub(crate) fn printed(command: &mut Command, shown: &str) -> Outcome<String> {
    let done = command.current_dir(root()).stdin(Stdio::null()).output();
    let done = done.map_err(|e| format!("`{shown}` could not be started: {e}"))?;
    let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if done.status.success() { Ok(text) } else { Err(format!("{text}`{shown}` failed ({})", done.status)) }
}

/// Works on items, the first ones first, some at a time, and passes each outcome on as soon as it is there.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    at_a_time: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R),
) {
    let (next, (sender, results)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            let (next, sender, work) = (&next, sender.clone(), &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((item, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (item, outcome) in results {
            done(item, outcome);
        }
    });
}

/// Whether a program is installed: it starts and succeeds with these arguments.
pub(crate) fn exists(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether the toolchain can build for a target. Installs the target with rustup if needed, which takes seconds.
pub(crate) fn has_target(target: &str) -> bool {
    let has = || {
        let words = ["--print", "target-libdir", "--target", target];
        let libraries = output(Command::new("rustc").args(words), "rustc --print target-libdir");
        libraries.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
    };
    has() || (exists("rustup", &["target", "add", target]) && has())
}

/// Whether this runs in continuous integration, where a missing tool is an error.
pub(crate) fn on_runner() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

pub(crate) fn cargo_path() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

fn shown(program: &str, variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut words: Vec<String> = variables.iter().map(|(key, value)| format!("{key}={value}")).collect();
    words.push(program.to_owned());
    words.extend(arguments.iter().map(|&word| word.to_owned()));
    words.join(" ")
}

#[test]
fn packages_are_found_by_cargos_identifiers() {
    let is = |id, name: &str| assert_eq!(package_of(id), Some((name.to_owned(), "0.1.0".to_owned())));
    is("path+file:///a/crates/lvx#0.1.0", "lvx");
    is("path+file:///a/crates/alog#moos-alog@0.1.0", "moos-alog");
    assert_eq!(package_of("lvx"), None);
}
