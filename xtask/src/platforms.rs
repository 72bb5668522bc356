//! `cargo xtask platforms [TARGET]`: runs the tests of core and of the formats on platforms of another byte order or
//! pointer size, with QEMU.

use std::time::{Duration, Instant};

use crate::{
    shell::{Outcome, built, exists, has_target},
    test::{self, Tested},
    workspace::{self, Crate},
};

/// A rustc target, with the names of the platform for GCC and QEMU.
struct Platform {
    target: &'static str,
    /// Debian's compiler is `{gnu}-gcc`; the libraries are in `/usr/{gnu}`.
    gnu: &'static str,
    machine: &'static str,
    /// Loader of its programs, if x86-64 Linux runs them without QEMU.
    loader: Option<&'static str>,
    what: &'static str,
}

const PLATFORMS: [Platform; 4] = [
    Platform {
        target: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        machine: "s390x",
        loader: None,
        what: "big-endian",
    },
    Platform {
        target: "i686-unknown-linux-gnu",
        gnu: "i686-linux-gnu",
        machine: "i386",
        loader: Some("ld-linux.so.2"),
        what: "32 bits",
    },
    Platform {
        target: "armv7-unknown-linux-gnueabihf",
        gnu: "arm-linux-gnueabihf",
        machine: "arm",
        loader: None,
        what: "32 bits, char is unsigned",
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        machine: "aarch64",
        loader: None,
        what: "char is unsigned",
    },
];

/// Arguments of test programs that are emulated: their millions of damaged inputs would take hours.
const EMULATED: [&str; 2] = ["--skip", "hostile"];

pub(crate) fn run(only: Option<&str>) -> Outcome {
    let crates = workspace::codecs()?;
    let asked = PLATFORMS.iter().filter(|platform| only.is_none_or(|word| platform.target.contains(word)));
    let (mut tables, mut failed) = (Vec::new(), Vec::new());
    let (mut passed, mut skipped) = (0_u32, 0_u32);
    for platform in asked {
        let Platform { target, what, .. } = platform;
        let runner = match platform.ready() {
            Ok(runner) => runner,
            Err(missing) => {
                tables.push(format!("{target} ({what}): skipped: {missing}"));
                skipped += 1;
                continue;
            }
        };
        let (table, is_passed) = match platform.test(&runner, &crates) {
            Ok(rows) => table(&rows),
            Err(why) => (why, false),
        };
        tables.push(format!("{target} ({what}), {runner}:\n{table}"));
        if is_passed {
            passed += 1;
        } else {
            failed.push(*target);
        }
    }
    println!(
        "\n{}\nplatforms: {passed} passed, {} failed, {skipped} skipped",
        tables.join("\n"),
        failed.len()
    );
    if failed.is_empty() { Ok(()) } else { Err(format!("tests failed on {}", failed.join(", "))) }
}

/// The tests of a crate on a platform.
struct Row<'a> {
    name: &'a str,
    passed: u32,
    failed: u32,
    time: Duration,
}

/// A line per crate and the sum, and whether all tests passed.
fn table(rows: &[Row<'_>]) -> (String, bool) {
    let (passed, failed) = rows.iter().fold((0, 0), |(p, f), row| (p + row.passed, f + row.failed));
    let total = Row { name: "total", passed, failed, time: rows.iter().map(|row| row.time).sum() };
    let line = |Row { name, passed, failed, time }: &Row<'_>| {
        format!("  {name:<14} {passed:>4} passed, {failed} failed, {:.1} s", time.as_secs_f64())
    };
    let lines: Vec<String> = rows.iter().chain([&total]).map(line).collect();
    (lines.join("\n"), failed == 0 && rows.iter().all(|row| row.passed > 0))
}

impl Platform {
    fn compiler(&self) -> String {
        format!("{}-gcc", self.gnu)
    }

    /// The command that runs a program of the platform, if installed.
    fn runner(&self) -> Option<String> {
        let libraries = format!("/usr/{}", self.gnu);
        let loader = self.loader.map(|loader| format!("{libraries}/lib/{loader}"));
        if let Some(loader) = loader.filter(|loader| exists(loader, &["--version"])) {
            return Some(format!("{loader} --library-path {libraries}/lib"));
        }
        let emulator = format!("qemu-{}", self.machine);
        exists(&emulator, &["--version"]).then(|| format!("{emulator} -L {libraries}"))
    }

    /// The command that runs its programs, or what is not installed.
    fn ready(&self) -> Result<String, String> {
        let Self { target, gnu, .. } = self;
        if !has_target(target) {
            return Err(format!("`rustup target add {target}` installs its standard library"));
        }
        let runner = self.runner().filter(|_| exists(self.compiler(), &["--version"]));
        runner.ok_or(format!("Debian's packages gcc-{gnu} and qemu-user have its compiler and emulator"))
    }

    /// Builds the tests of crates and runs all of them.
    fn test<'a>(&self, runner: &str, crates: &'a [Crate]) -> Outcome<Vec<Row<'a>>> {
        let linker = format!("CARGO_TARGET_{}_LINKER", self.target.to_uppercase().replace('-', "_"));
        let mut words =
            vec!["test", "--locked", "--all-features", "--lib", "--tests", "--target", self.target];
        words.extend(crates.iter().flat_map(|one| ["-p", &one.name]));
        let programs = built(&[(&linker, &self.compiler())], &words)?;
        let mut rows = Vec::new();
        for one in crates {
            let started = Instant::now();
            let mut row = Row { name: &one.name, passed: 0, failed: 0, time: Duration::ZERO };
            for built in programs.iter().filter(|built| built.package == one.name) {
                let arguments = if runner.starts_with("qemu-") { &EMULATED[..] } else { &[] };
                println!("$ {runner} {}", built.program.display());
                let Tested { passed, failed, printed } =
                    test::program(built, runner, &[test::COMPARE], arguments)?;
                row.passed += passed;
                row.failed += failed;
                if failed > 0 {
                    println!("{printed}");
                }
            }
            row.time = started.elapsed();
            rows.push(row);
        }
        Ok(rows)
    }
}

#[test]
fn a_platform_passes_if_each_crate_has_tests_that_pass() {
    let row = |name, passed, failed| Row { name, passed, failed, time: Duration::from_millis(1500) };
    let rows = [row("robolog-core", 96, 0), row("lvx", 4, 1)];
    let lines = [
        "  robolog-core     96 passed, 0 failed, 1.5 s",
        "  lvx               4 passed, 1 failed, 1.5 s",
        "  total           100 passed, 1 failed, 3.0 s",
    ];
    assert_eq!(table(&rows), (lines.join("\n"), false));
    assert!(table(&[row("lvx", 4, 0)]).1);
    assert!(!table(&[row("lvx", 4, 0), row("gpx", 0, 0)]).1);
}
