//! `cargo xtask python [--heavy]`: tests the Python package, from the build of the tests, with pytest, mypy and, on code
//! of users, pyright; with `--heavy`, with Spark, Ray, Dask and Daft, which are large.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use crate::{
    conformance::data_folder,
    environment::virtual_environment,
    shell::{
        Outcome, built_with_tests, on_runner, printed, program, root, run as run_command, target_folder,
    },
};

/// Requirements of the tests.
const TESTS: &str = "crates/python/tests/requirements.txt";
/// Requirements of the engines' tests.
const HEAVY: &str = "crates/python/tests/heavy/requirements.txt";
/// Mypy's configuration, which lists packages that may be missing.
const PROJECT: &str = "crates/python/pyproject.toml";

/// The interpreter with what the tests import.
pub(crate) fn environment(heavy: bool) -> Outcome<PathBuf> {
    let (folder, requirements) = if heavy { ("python-heavy", HEAVY) } else { ("python", TESTS) };
    virtual_environment(&target_folder().join(folder), &[requirements])
}

pub(crate) fn run(heavy: bool) -> Outcome {
    let folder = target_folder().join("python");
    let python = match environment(heavy) {
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
        let checking = scope.spawn(|| {
            checks.map(|words| {
                let (mut command, shown) = with(&words);
                printed(&mut command, &shown).map(|text| format!("$ {shown}\n{text}"))
            })
        });
        let own = ["-n", "auto", "crates/python/tests", "--ignore", "crates/python/tests/heavy"];
        let tested = run(&[&pytest[..], &own].concat());
        let checked = checking.join().map_err(|_| "the check of the types panicked".to_owned())?;
        for said in checked {
            print!("{}", said?);
        }
        tested
    })
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
