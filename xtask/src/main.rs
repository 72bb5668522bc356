//! The repository's chores. `cargo xtask` lists them; continuous integration calls nothing else, so that a laptop
//! and a runner say the same.
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
mod ci;
mod clippy;
mod conformance;
mod dist;
mod doc;
mod environment;
mod features;
mod fixtures;
mod fmt;
mod fuzz;
mod generated;
mod instructions;
mod interop;
mod manifest;
mod matrix;
mod msrv;
mod package;
mod powers;
mod publish;
mod python;
mod shell;
mod snapshots;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use shell::Outcome;

struct Task {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task { name: "ci", arguments: "", help: "everything below, as the runners do it", run: ci::run },
    Task { name: "fmt", arguments: "", help: "formatting is rustfmt's", run: fmt::run },
    Task {
        name: "tidy",
        arguments: "[-v]",
        help: "the house rules that can be read off the text",
        run: tidy::run,
    },
    Task { name: "clippy", arguments: "", help: "no warning in any target", run: clippy::run },
    Task {
        name: "fixtures",
        arguments: "[--check | --real DIR]",
        help: "write testdata from hand-laid bytes, or compare it",
        run: fixtures::run,
    },
    Task {
        name: "snapshots",
        arguments: "[--check]",
        help: "write one named test a fixture, or compare them",
        run: snapshots::run,
    },
    Task {
        name: "matrix",
        arguments: "[--check]",
        help: "bring the table of formats and targets into the README",
        run: matrix::run,
    },
    Task { name: "test", arguments: "", help: "unit, integration and doc tests", run: test::run },
    Task { name: "doc", arguments: "", help: "documentation without warnings", run: doc::run },
    Task { name: "alone", arguments: "", help: "each library by itself", run: alone::run },
    Task { name: "features", arguments: "", help: "each feature by itself", run: features::run },
    Task { name: "msrv", arguments: "", help: "the declared rust-version suffices", run: msrv::run },
    Task { name: "package", arguments: "[--bless]", help: "what each crate ships", run: package::run },
    Task {
        name: "powers",
        arguments: "[--check]",
        help: "what each dependency may do, as a table",
        run: powers::run,
    },
    Task {
        name: "conformance",
        arguments: "[DIR]",
        help: "compare with the truth files of a data folder",
        run: conformance::run,
    },
    Task {
        name: "fuzz",
        arguments: "[--smoke] [TARGET] [--seconds N]",
        help: "fuzz a target, or replay mutated fixtures",
        run: fuzz::run,
    },
    Task {
        name: "bench",
        arguments: "[NAME | --smoke | --memory [MB]]",
        help: "the guide's figures; of one crate; each once; memory",
        run: bench::run,
    },
    Task {
        name: "instructions",
        arguments: "[--bless] [WORD]",
        help: "count the instructions of the hot loops",
        run: instructions::run,
    },
    Task {
        name: "interop",
        arguments: "[--heavy]",
        help: "other programs read what we write",
        run: interop::run,
    },
    Task {
        name: "publish",
        arguments: "--dry-run",
        help: "all crates as they would be published, in order",
        run: publish::run,
    },
    Task {
        name: "dist",
        arguments: "",
        help: "the archive of the programs for this machine",
        run: dist::run,
    },
    Task {
        name: "python",
        arguments: "[--heavy]",
        help: "the Python package under pytest and mypy, or under Spark, Ray, Dask and Daft",
        run: python::run,
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        println!("cargo xtask TASK, where TASK is one of\n");
        for task in TASKS {
            println!("  {:<44} {}", format!("{} {}", task.name, task.arguments), task.help);
        }
        return ExitCode::SUCCESS;
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("xtask: there is no task {name}; `cargo xtask` lists them");
        return ExitCode::from(2);
    };
    match (task.run)(&arguments.collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}
