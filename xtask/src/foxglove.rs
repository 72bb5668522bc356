//! `cargo xtask foxglove`: builds the Foxglove extension for WebAssembly, packs it with Foxglove's tool and tests it in
//! Node.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    shell::{Outcome, built_with_tests, cargo, on_runner, program, run as run_command, target_folder},
    web::{TARGET, install, missing, node},
};

const BUILD: &str = "crates/foxglove/extension/build.mjs";
const TESTS: &str = "crates/foxglove/tests/loader.test.mjs";
/// Packs extensions.
const PACKER: &str = "create-foxglove-extension@1.3.2";
/// Runs the module as a component, and reads MCAP.
const TESTERS: [&str; 2] = ["@bytecodealliance/jco-transpile@0.15.0", "@mcap/core@2.2.2"];

/// Builds and tests with an eighth of the fixtures, or with all of them if `heavy`.
pub(crate) fn run(heavy: bool) -> Outcome {
    let extension = match build()? {
        Ok(extension) => extension,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\nfoxglove: skipped");
            return Ok(());
        }
    };
    let programs = built_with_tests()?;
    let tools = tools();
    install(&tools, &[&[PACKER], &TESTERS[..]].concat());
    let mut tests = Command::new("node");
    tests
        .args(["--test", "--test-reporter=spec", TESTS])
        .env("ROBOLOG_EVERY", if heavy { "1" } else { "8" })
        .env("ROBOLOG_EXTENSION", &extension)
        .env("ROBOLOG_PROGRAM", programs.join(program("robolog")))
        .env("ROBOLOG_TOOLS", &tools);
    node(&mut tests, "--test")
}

/// Builds the extension and returns its path, or what is not installed.
pub(crate) fn build() -> Outcome<Result<PathBuf, String>> {
    if let Some(why) = missing(&[("node", "version 20 or later packs the extension")]) {
        return Ok(Err(why));
    }
    let tools = tools();
    install(&tools, &[PACKER]);
    let packer = tools.join("node_modules/create-foxglove-extension/dist/bin/foxglove-extension.js");
    if !packer.is_file() {
        return Ok(Err(format!("no {PACKER}: npm installs it")));
    }
    let what = ["--profile", "web", "--target", TARGET, "-p", "robolog-foxglove", "--lib"];
    cargo(&[&["rustc", "--locked"], &what[..], &["--crate-type", "cdylib"]].concat())?;
    let target = target_folder();
    let module = target.join(TARGET).join("web/robolog_foxglove.wasm");
    let (folder, extension) = (target.join("foxglove/extension"), target.join("foxglove/robolog.foxe"));
    node(Command::new("node").arg(BUILD).args([&module, &folder]), "build.mjs")?;
    let mut pack = Command::new("node");
    pack.arg(packer).arg("package").arg("--cwd").arg(&folder).arg("--out").arg(&extension);
    run_command(&mut pack, "foxglove-extension package")?;
    for file in [&module, &extension] {
        println!("{}: {} bytes", file.display(), bytes(file)?);
    }
    Ok(Ok(extension))
}

/// The folder of the npm packages.
fn tools() -> PathBuf {
    target_folder().join("foxglove/tools")
}

fn bytes(file: &Path) -> Outcome<u64> {
    let found = fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(found.len())
}
