//! `cargo xtask web`: builds the page and the npm package for WebAssembly, and compares them with the program in Node
//! and Chromium.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell::{
    Outcome, built_with_tests, cargo, exists, has_target, on_runner, program, root, run as run_command,
    target_folder,
};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// Files of the package besides the module.
const FILES: [&str; 5] = ["README.md", "core.js", "index.d.ts", "index.js", "package.json"];
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
const TESTS: &str = "crates/web/tests/package.test.mjs";
const TESTS_OF_PAGE: &str = "crates/web/tests/page.test.mjs";
/// Drives the installed browser and downloads none.
const DRIVER: &str = "playwright-core@1.65.1";
const PAGE: &str = "crates/web/page/build.mjs";
const SERVER: &str = "crates/web/page/serve.mjs";

/// Builds, then serves the page or tests: the package with a tenth of the fixtures; with `heavy`, the package with all
/// of them, and the page in a browser with real recordings and one of a gigabyte.
pub(crate) fn run(serve: bool, heavy: bool) -> Outcome {
    let Built { package, page } = match build()? {
        Ok(built) => built,
        Err(why) if on_runner() => return Err(why),
        Err(why) => {
            println!("{why}\nweb: skipped");
            return Ok(());
        }
    };
    if serve {
        return node(Command::new("node").arg(SERVER).arg(&page), "serve.mjs");
    }
    let programs = built_with_tests()?;
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter=spec", TESTS]);
    let (name, value) = if heavy { ("ROBOLOG_HEAVY", "1") } else { ("ROBOLOG_EVERY", "10") };
    if heavy {
        tests.arg(TESTS_OF_PAGE);
    }
    tests
        .env("ROBOLOG_PACKAGE", &package)
        .env("ROBOLOG_PAGE", &page)
        .env("ROBOLOG_BROWSER", browser(&target_folder()))
        .env(name, value);
    node(tests.env("ROBOLOG_PROGRAM", programs.join(program("robolog"))), "--test")
}

/// Folders of the build.
pub(crate) struct Built {
    pub(crate) package: PathBuf,
    page: PathBuf,
}

/// Builds the package and the page, or returns what is not installed.
pub(crate) fn build() -> Outcome<Result<Built, String>> {
    let tools = [
        ("node", "version 20 or later builds the page and runs the tests of the package"),
        ("xz", "it packs the module in the page"),
    ];
    if let Some(why) = missing(&tools) {
        return Ok(Err(why));
    }
    let what = ["--profile", "web", "--target", TARGET, "-p", "robolog-web", "--lib"];
    cargo(&[&["rustc", "--locked"], &what[..], &["--crate-type", "cdylib"]].concat())?;
    let target = target_folder();
    let (package, page) = (target.join("npm"), target.join("page"));
    stage(&target.join(TARGET).join("web/robolog_web.wasm"), &package)?;
    node(Command::new("node").arg(PAGE).args([&package, &page]), "build.mjs")?;
    Ok(Ok(Built { package, page }))
}

/// The folder of the browser driver, which npm installs if it can; the page's tests report what is missing.
fn browser(target: &Path) -> PathBuf {
    let folder = target.join("browser");
    install(&folder, &[DRIVER]);
    folder
}

/// Installs npm packages, given with versions, into a folder unless all are there.
pub(crate) fn install(folder: &Path, packages: &[&str]) {
    let modules = folder.join("node_modules");
    let is_here =
        |package: &&str| package.rsplit_once('@').is_some_and(|(name, _)| modules.join(name).is_dir());
    if !packages.iter().all(is_here) && fs::create_dir_all(folder).is_ok() {
        let words = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix"];
        let _ = Command::new("npm").args(words).arg(folder).args(packages).status();
    }
}

pub(crate) fn node(command: &mut Command, what: &str) -> Outcome {
    run_command(command, &format!("node {what}"))
}

/// The first of the target and these programs that is not installed.
pub(crate) fn missing(tools: &[(&str, &str)]) -> Option<String> {
    if !has_target(TARGET) {
        return Some(format!("no {TARGET}: `rustup target add {TARGET}` installs it"));
    }
    let lacking = tools.iter().find(|(name, _)| !exists(name, &["--version"]));
    lacking.map(|(name, why)| format!("no {name}: {why}"))
}

fn stage(module: &Path, package: &Path) -> Outcome {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    fs::create_dir_all(package).map_err(|e| failed(package, e))?;
    let own = FILES.map(|name| root().join("crates/web/npm").join(name));
    for from in own.into_iter().chain(LICENCES.map(|name| root().join(name))) {
        let name = from.file_name().unwrap_or_default();
        fs::copy(&from, package.join(name)).map_err(|e| failed(&from, e))?;
    }
    let out = package.join("robolog.wasm");
    let module = without_custom_sections(&fs::read(module).map_err(|e| failed(module, e))?)?;
    fs::write(&out, &module).map_err(|e| failed(&out, e))?;
    println!("{}: {} bytes", out.display(), module.len());
    Ok(())
}

/// A module without its custom sections: descriptions that dependencies carry for wasm-bindgen, which is not used here.
fn without_custom_sections(module: &[u8]) -> Outcome<Vec<u8>> {
    let (head, mut rest) = module.split_at_checked(8).ok_or("not a module")?;
    let mut kept = head.to_vec();
    while let Some((&kind, behind)) = rest.split_first() {
        let (len, start) = leb128(behind).ok_or("a section without a length")?;
        let end = start.checked_add(len).and_then(|end| end.checked_add(1));
        let (section, others) = end.and_then(|end| rest.split_at_checked(end)).ok_or("a section is cut")?;
        if kind != 0 {
            kept.extend_from_slice(section);
        }
        rest = others;
    }
    Ok(kept)
}

/// A number in LEB128, and the count of its bytes.
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let last = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let number = bytes.iter().take(last + 1).rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
    Some((number, last + 1))
}
