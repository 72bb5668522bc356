//! `cargo xtask python [--heavy]`: tests the Python package, from the build of the tests, with pytest and mypy; with
//! `--heavy`, with Spark, Ray, Dask and Daft, which are large.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use crate::{
    conformance::data_folder,
    shell::{
        Outcome, built_with_tests, exists, on_runner, output, program, root, run as run_command,
        target_folder,
    },
};

/// Requirements of the tests.
const TESTS: &str = "crates/python/tests/requirements.txt";
/// Requirements of the engines' tests.
const HEAVY: &str = "crates/python/tests/heavy/requirements.txt";
/// Mypy's configuration, which lists packages that may be missing.
const PROJECT: &str = "crates/python/pyproject.toml";
/// Exits with 0 if Python is new enough.
const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

pub(crate) fn run(heavy: bool) -> Outcome {
    let target = target_folder();
    let folder = target.join("python");
    let installed =
        if heavy { environment(&target.join("python-heavy"), HEAVY) } else { environment(&folder, TESTS) };
    let python = match installed {
        Ok(python) => python,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\npython: skipped");
            return Ok(());
        }
    };
    let built = built_with_tests()?;
    let package = stage(&built, &folder.join("package"))?;
    let with = |words: &[&str]| {
        let mut command = Command::new(&python);
        command.args(words).env("PYTHONPATH", &package).env("MYPYPATH", &package);
        command.env("ROBOLOG_PROGRAM", built.join(program("robolog")));
        if let Some(data) = data_folder() {
            command.env("ROBOLOG_DATA", data);
        }
        (command, format!("python {}", words.join(" ")))
    };
    let run = |words: &[&str]| {
        let (mut command, shown) = with(words);
        run_command(&mut command, &shown)
    };
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    if heavy {
        return run(&[&pytest[..], &["crates/python/tests/heavy"]].concat());
    }
    // Without site packages: the import needs none.
    run(&["-S", "-c", "import pyrobolog; print(pyrobolog.__version__)"])?;
    let types = ["-m", "mypy", "--strict", "--config-file", PROJECT, "--cache-dir", "target/python/mypy"];
    let scripts = ["crates/python/tests", "crates/python/examples", "crates/python/benches"];
    let checks = [
        [&types[..], &["-p", "pyrobolog"]].concat(),
        ["-m", "mypy.stubtest", "pyrobolog._pyrobolog"].to_vec(),
        [&types[..], &scripts].concat(),
    ];
    // Types are checked while the tests run; mypy's output is printed after theirs.
    thread::scope(|scope| {
        let checking = scope.spawn(|| checks.map(|words| checked(with(&words))));
        let tested =
            run(&[&pytest[..], &["crates/python/tests", "--ignore", "crates/python/tests/heavy"]].concat());
        let checked = checking.join().map_err(|_| "the check of the types panicked".to_owned())?;
        for said in checked {
            print!("{}", said?);
        }
        tested
    })
}

/// Runs a command and returns its command line and output, as an error if it fails.
fn checked((mut command, shown): (Command, String)) -> Outcome<String> {
    let done = command.current_dir(root()).stdin(Stdio::null()).output();
    let done = done.map_err(|e| format!("`{shown}` could not be started: {e}"))?;
    let printed =
        [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if done.status.success() {
        Ok(format!("$ {shown}\n{printed}"))
    } else {
        Err(format!("`{shown}` failed:\n{printed}"))
    }
}

/// The interpreter of an environment with the requirements. The error names what could not be installed.
fn environment(folder: &Path, requirements: &str) -> Outcome<PathBuf> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !exists(python, &["-c", IS_NEW_ENOUGH]) {
        return Err("Python 3.10 or newer is not installed".to_owned());
    }
    let inner = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    // The requirements of the last complete installation.
    let (wanted, installed) = (root().join(requirements), folder.join("requirements.txt"));
    let wanted = fs::read_to_string(&wanted).map_err(|e| format!("{}: {e}", wanted.display()))?;
    if fs::read_to_string(&installed).is_ok_and(|last| last == wanted) && exists(&inner, &["--version"]) {
        return Ok(inner);
    }
    output(Command::new(python).args(["-m", "venv"]).arg(folder), "python3 -m venv")
        .map_err(|why| format!("no virtual environment can be made: {why}"))?;
    let words = ["-m", "pip", "install", "--quiet", "--requirement", requirements];
    output(Command::new(&inner).args(words), &format!("pip install --requirement {requirements}"))
        .map_err(|why| format!("what the tests need cannot be installed: {why}"))?;
    fs::write(&installed, wanted).map_err(|e| format!("{}: {e}", installed.display()))?;
    Ok(inner)
}

/// Lays the package out as an installation does, Python files beside the extension.
fn stage(built: &Path, folder: &Path) -> Outcome<PathBuf> {
    let package = folder.join("pyrobolog");
    let failed = |what: &Path, e: std::io::Error| format!("{}: {e}", what.display());
    fs::create_dir_all(&package).map_err(|e| failed(&package, e))?;
    let source = root().join("crates/python/python/pyrobolog");
    for entry in fs::read_dir(&source).map_err(|e| failed(&source, e))? {
        let from = entry.map_err(|e| failed(&source, e))?.path();
        if let (true, Some(name)) = (from.is_file(), from.file_name()) {
            fs::copy(&from, package.join(name)).map_err(|e| failed(&from, e))?;
        }
    }
    let (library, extension) = if cfg!(windows) {
        ("_pyrobolog.dll", "_pyrobolog.pyd")
    } else if cfg!(target_os = "macos") {
        ("lib_pyrobolog.dylib", "_pyrobolog.abi3.so")
    } else {
        ("lib_pyrobolog.so", "_pyrobolog.abi3.so")
    };
    let library = built.join(library);
    // Removes the old file first: a running interpreter may have mapped it.
    let extension = package.join(extension);
    let _ = fs::remove_file(&extension);
    fs::copy(&library, &extension).map_err(|e| failed(&library, e))?;
    Ok(folder.to_owned())
}
