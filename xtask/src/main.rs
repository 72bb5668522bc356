//! The repository's tasks, listed by `cargo xtask`. Continuous integration runs only these, so a laptop gives the same
//! results as a runner.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks through them")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "these lints guard parsers of hostile input; the tasks read their own repository"
)]
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the repository's own names are lower case"
)]

mod alone;
mod bench;
mod book;
mod ci;
mod clippy;
mod conformance;
mod dist;
mod doc;
mod environment;
mod features;
mod fixtures;
mod fmt;
mod foxglove;
mod fuzz;
mod generated;
mod instructions;
mod interop;
mod manifest;
mod matrix;
mod msrv;
mod package;
mod platforms;
mod powers;
mod publish;
mod python;
mod release;
mod sbom;
mod semver;
mod shell;
mod test;
mod tidy;
mod web;
mod workspace;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

use shell::Outcome;

/// The repository's tasks.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask",
    arg_required_else_help = true,
    flatten_help = true,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, PartialEq, Subcommand)]
enum Task {
    /// Run all checks of continuous integration
    Ci {
        /// Leave out a step that has passed
        #[arg(long, value_name = "STEP")]
        without: Option<String>,
    },
    /// Check the formatting
    Fmt,
    /// Check the repository's rules for texts, dependencies and files
    Tidy {
        /// List long files too
        #[arg(short, long)]
        verbose: bool,
    },
    /// Fail on Clippy's warnings in any target
    Clippy,
    /// Write testdata from hand-laid bytes
    Fixtures {
        /// Compare instead
        #[arg(long)]
        check: bool,
        /// Write logs of real sensors, which are too large to commit, into a folder
        #[arg(long, value_name = "DIR", conflicts_with = "check")]
        real: Option<PathBuf>,
    },
    /// Write the table of formats and targets into the README
    Matrix {
        /// Compare instead
        #[arg(long)]
        check: bool,
    },
    /// Run unit, integration and doc tests
    Test {
        /// Visit all damaged inputs and files, of which a part is visited otherwise
        #[arg(long)]
        thorough: bool,
    },
    /// Build the documentation and fail on warnings
    Doc,
    /// Build the book, where mdbook is installed
    Book,
    /// Check each library alone
    Alone {
        /// Instead core and each format for this target
        #[arg(value_name = "TARGET")]
        target: Option<String>,
    },
    /// Check each feature without each other one
    Features,
    /// Check with the declared rust-version
    Msrv,
    /// Compare the files of each package with its list
    Package {
        /// Write the lists instead
        #[arg(long)]
        bless: bool,
        /// Also run the doctests of each package from its archive alone
        #[arg(long)]
        doctests: bool,
    },
    /// Write a table of what each dependency can do
    Powers {
        /// Compare instead
        #[arg(long)]
        check: bool,
    },
    /// Compare with the truth files of a data folder
    Conformance {
        /// By default, the folder beside the checkout
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Fuzz a target
    Fuzz {
        #[arg(required_unless_present_any = ["smoke", "laws"])]
        target: Option<String>,
        #[arg(long, value_name = "N", default_value_t = 60)]
        seconds: u32,
        /// Replay mutated fixtures for a second per target without libFuzzer, and check the laws on some
        #[arg(long, conflicts_with_all = ["target", "seconds"])]
        smoke: bool,
        /// Check that the verbs agree about mutated recordings
        #[arg(long, conflicts_with_all = ["target", "seconds", "smoke"])]
        laws: bool,
        #[command(flatten)]
        campaign: fuzz::Campaign,
    },
    /// Measure the guide's figures
    Bench {
        /// Only the benches of this crate
        #[arg(value_name = "CRATE")]
        name: Option<String>,
        /// Run each bench of all crates once
        #[arg(long, conflicts_with_all = ["name", "memory"])]
        smoke: bool,
        /// Measure peak memory by target, for a generated recording of this many megabytes
        #[arg(long, value_name = "MB", conflicts_with = "name", num_args = 0..=1, default_missing_value = "500")]
        memory: Option<u64>,
    },
    /// Count the instructions of the hot loops
    Instructions {
        /// Only this package, or packages or rows whose names contain this
        #[arg(default_value = "", hide_default_value = true)]
        word: String,
        /// Write the table instead of comparing
        #[arg(long, conflicts_with = "word")]
        bless: bool,
    },
    /// Read robolog's files with other programs
    Interop {
        /// Include programs that take gigabytes to install
        #[arg(long)]
        heavy: bool,
    },
    /// Package all crates in the order of publishing
    Publish {
        /// Required: only the release workflow publishes
        #[arg(long, required = true)]
        dry_run: bool,
    },
    /// Build the archive of the programs for this machine
    Dist,
    /// Write the program's bill of materials as JSON
    Sbom,
    /// Compare the interfaces of the libraries with their last releases
    Semver,
    /// Build and check all files of a release
    Release {
        /// Required: only the release workflow releases
        #[arg(long, required = true)]
        dry_run: bool,
    },
    /// Test the Python package with pytest and mypy
    Python {
        /// Test with Spark, Ray, Dask and Daft instead
        #[arg(long)]
        heavy: bool,
    },
    /// Test core and the formats on big-endian and 32-bit platforms
    Platforms {
        /// Only platforms whose names contain this
        #[arg(value_name = "TARGET")]
        target: Option<String>,
    },
    /// Test the Foxglove extension in Node
    Foxglove {
        /// Test with all fixtures
        #[arg(long)]
        heavy: bool,
    },
    /// Test the page and the npm package in Node and Chromium
    Web {
        /// Serve the page on loopback instead of testing
        #[arg(long)]
        serve: bool,
        /// Test with all fixtures, and the page in a browser with real recordings and one of a gigabyte
        #[arg(long, conflicts_with = "serve")]
        heavy: bool,
    },
}

impl Task {
    fn run(self) -> Outcome {
        match self {
            Self::Ci { without } => ci::run(without.as_deref()),
            Self::Fmt => fmt::run(),
            Self::Tidy { verbose } => tidy::run(verbose),
            Self::Clippy => clippy::run(),
            Self::Fixtures { real: Some(folder), .. } => fixtures::real(&folder),
            Self::Fixtures { check, .. } => fixtures::run(check),
            Self::Matrix { check } => matrix::run(check),
            Self::Test { thorough } => test::run(thorough),
            Self::Doc => doc::run(),
            Self::Book => book::run(),
            Self::Alone { target } => alone::run(target.as_deref()),
            Self::Features => features::run(),
            Self::Msrv => msrv::run(),
            Self::Package { bless, doctests } => package::run(bless, doctests),
            Self::Powers { check } => powers::run(check),
            Self::Conformance { folder } => conformance::run(folder.as_deref()),
            Self::Fuzz { target: Some(target), seconds, .. } => fuzz::run(&target, seconds),
            Self::Fuzz { laws: true, campaign, .. } => fuzz::laws(&campaign),
            Self::Fuzz { .. } => fuzz::smoke(),
            Self::Bench { memory: Some(megabytes), .. } => bench::memory::run(megabytes),
            Self::Bench { smoke: true, .. } => bench::smoke(),
            Self::Bench { name: Some(name), .. } => bench::of_crate(&name),
            Self::Bench { .. } => bench::page::run(),
            Self::Instructions { word, bless } => instructions::run(bless, &word),
            Self::Interop { heavy } => interop::run(heavy),
            Self::Publish { .. } => publish::run().map(drop),
            Self::Dist => dist::run().map(drop),
            Self::Sbom => sbom::run().map(drop),
            Self::Semver => semver::run(),
            Self::Release { .. } => release::run(),
            Self::Python { heavy } => python::run(heavy),
            Self::Platforms { target } => platforms::run(target.as_deref()),
            Self::Foxglove { heavy } => foxglove::run(heavy),
            Self::Web { serve, heavy } => web::run(serve, heavy),
        }
    }
}

fn main() -> ExitCode {
    let Arguments { task } = Arguments::parse();
    let name = std::env::args().nth(1).unwrap_or_default();
    match task.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

#[test]
fn tasks_take_what_belongs_together() {
    let task = |line: &str| {
        Arguments::try_parse_from(["xtask"].into_iter().chain(line.split(' '))).map(|it| it.task)
    };
    let fuzz = |target: Option<&str>, seconds, smoke, laws| Task::Fuzz {
        target: target.map(str::to_owned),
        seconds,
        smoke,
        laws,
        campaign: fuzz::Campaign::default(),
    };
    assert_eq!(task("fuzz --smoke").unwrap(), fuzz(None, 60, true, false));
    assert_eq!(task("fuzz --laws").unwrap(), fuzz(None, 60, false, true));
    assert_eq!(task("fuzz lvx --seconds 5").unwrap(), fuzz(Some("lvx"), 5, false, false));
    assert!(task("fuzz --laws --mutants 9 --seed 2 --data d --mutant 7").is_ok());
    let memory = Task::Bench { name: None, smoke: false, memory: Some(500) };
    assert_eq!(task("bench --memory").unwrap(), memory);
    for wrong in [
        "fuzz",
        "fuzz --smoke lvx",
        "fuzz --smoke --laws",
        "fuzz lvx --mutants 5",
        "fuzz lvx --seconds many",
        "instructions --bless lvx",
        "publish",
        "fmt --check",
    ] {
        assert!(task(wrong).is_err(), "{wrong}");
    }
}
