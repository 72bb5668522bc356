//! `cargo xtask platforms [TARGET]`: runs the tests of core and of the formats on platforms of another byte order or
//! pointer size, with QEMU.

use std::process::{Command, Stdio};

use crate::{
    shell::{Outcome, cargo_path, exists, has_target, root},
    workspace,
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

/// Libraries below the formats.
const BELOW: [&str; 2] = ["core", "xml"];

pub(crate) fn run(only: Option<&str>) -> Outcome {
    let names: Vec<String> = workspace::crates()?
        .into_iter()
        .filter(|one| one.is_format() || BELOW.contains(&one.short()))
        .map(|one| one.name)
        .collect();
    let asked = PLATFORMS.iter().filter(|platform| only.is_none_or(|word| platform.target.contains(word)));
    let mut failed = Vec::new();
    let (mut passed, mut skipped) = (0_u32, 0_u32);
    for platform in asked {
        let Platform { target, what, .. } = platform;
        let runner = match platform.ready() {
            Ok(runner) => runner,
            Err(missing) => {
                println!("{target} ({what}): skipped: {missing}");
                skipped += 1;
                continue;
            }
        };
        match platform.test(&runner, &names) {
            Ok(tests) => {
                println!("{target} ({what}): {tests} tests passed under {runner}");
                passed += 1;
            }
            Err(why) => {
                println!("{why}");
                failed.push(*target);
            }
        }
    }
    println!("platforms: {passed} passed, {} failed, {skipped} skipped", failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("tests failed on {}", failed.join(", "))) }
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

    /// Builds and runs the tests of packages. Returns the number of passed tests.
    fn test(&self, runner: &str, packages: &[String]) -> Outcome<u32> {
        let target = self.target;
        let variable = |what| format!("CARGO_TARGET_{}_{what}", target.to_uppercase().replace('-', "_"));
        let mut command = Command::new(cargo_path());
        command.args(["test", "--locked", "--all-features", "--lib", "--tests", "--no-fail-fast"]);
        command.args(["--target", target]).env("INSTA_UPDATE", "no");
        command.args(packages.iter().flat_map(|name| ["-p", name]));
        command.env(variable("LINKER"), self.compiler());
        command.env(variable("RUNNER"), runner);
        // Cargo's progress is passed through; the tests' output is shown if one fails.
        command.current_dir(root()).stderr(Stdio::inherit());
        let done = command.output().map_err(|e| format!("cargo could not be started: {e}"))?;
        let printed = String::from_utf8_lossy(&done.stdout);
        if !done.status.success() {
            return Err(format!("{printed}tests failed on {target} ({})", done.status));
        }
        let tests = passed(&printed);
        if tests == 0 { Err(format!("no test ran on {target}")) } else { Ok(tests) }
    }
}

/// Number of passed tests, from the last lines of the test programs' output.
fn passed(printed: &str) -> u32 {
    let counts = printed.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    counts.filter_map(|count| count.parse::<u32>().ok()).sum()
}

#[test]
fn passed_tests_are_counted() {
    let printed = "test result: ok. 9 passed; 0 failed\n\ntest result: FAILED. 3 passed; 1 failed\ntest result: ok. 96 passed; 0\n";
    assert_eq!(passed(printed), 105);
}
