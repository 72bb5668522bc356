//! `cargo xtask web`: the npm package, built for WebAssembly and tested under Node beside the program.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{Outcome, built_with_tests, cargo, exists, output, program, root, run as run_command};

const TARGET: &str = "wasm32-unknown-unknown";
/// What lies in the package beside the module.
const FILES: [&str; 4] = ["README.md", "index.d.ts", "index.js", "package.json"];
const TESTS: &str = "crates/web/tests/package.test.mjs";

pub(crate) fn run() -> Outcome {
    if !has_target() {
        // Takes seconds where there is a rustup and what it asks may be asked.
        let _ = Command::new("rustup").args(["target", "add", TARGET]).status();
    }
    if let Some(why) = missing() {
        println!("{why}\nweb: skipped");
        return Ok(());
    }
    let what = ["--profile", "web", "--target", TARGET, "-p", "robolog-web", "--lib"];
    cargo(&[&["rustc", "--locked"], &what[..], &["--crate-type", "cdylib"]].concat())?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let package = target.join("npm");
    stage(&target.join(TARGET).join("web/robolog_web.wasm"), &package)?;
    let built = built_with_tests()?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", TESTS]);
    node.env("ROBOLOG_PACKAGE", &package).env("ROBOLOG_PROGRAM", built.join(program("robolog")));
    run_command(&mut node, &format!("node --test {TESTS}"))
}

/// What is not here, if anything.
fn missing() -> Option<String> {
    if !has_target() {
        return Some(format!("no {TARGET}: `rustup target add {TARGET}` installs it"));
    }
    let has_node = exists("node", &["--version"]);
    (!has_node).then(|| "no node: version 20 or later runs the tests of the package".to_owned())
}

/// Whether the toolchain can build for it; where there is no rustup, a distribution may have put it there.
fn has_target() -> bool {
    let words = ["--print", "target-libdir", "--target", TARGET];
    let libraries = output(Command::new("rustc").args(words), "rustc --print target-libdir");
    libraries.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn stage(module: &Path, package: &Path) -> Outcome {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    fs::create_dir_all(package).map_err(|e| failed(package, e))?;
    for name in FILES {
        let from = root().join("crates/web/npm").join(name);
        fs::copy(&from, package.join(name)).map_err(|e| failed(&from, e))?;
    }
    let bytes = fs::copy(module, package.join("robolog.wasm")).map_err(|e| failed(module, e))?;
    println!("{}: {bytes} bytes", package.join("robolog.wasm").display());
    Ok(())
}
