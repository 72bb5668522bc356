//! `robolog`: reads, checks, repairs, cuts and converts robot recordings that few other programs read.
//!
//! Exit status: 0 done, 1 failed, 2 wrong usage, 3 done, but the input was damaged or something was left out.
//!
//! This crate is a program: [`main`]. It is a library, with a `main.rs` of one line, so that Cargo compiles it while
//! `robolog-convert` is still being optimised, and so that the Python package calls the same verbs with the same
//! [`options`]: see [`call`]. Rust programs use `robolog-convert`, or the crate of a format.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "no bytes of a file are read here: records are counted, and lines laid out"
)]

mod args;
pub mod call;
mod command;
pub mod options;
mod progress;
mod render;
mod screen;
mod signals;
mod status;
mod trace;

use std::process::ExitCode;

use args::{Args, Command};
use progress::Context;
use robolog_convert::Result;
use status::Status;

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let args = Args::from_command_line();
    if args.verbose > 0 {
        render::say_details();
    }
    args.start_tracing();
    signals::install();
    let context = args.context();
    let outcome = match args.command {
        #[cfg(feature = "mcap")]
        Command::ImportForRerun { words } => return command::rerun::run(&words),
        command => run(command, context),
    };
    for path in robolog_convert::target::abandoned().iter().filter(|_| !context.quiet) {
        render::note(path, "left by a run that was killed; nothing needs it");
    }
    match outcome {
        Ok(status) => status.into(),
        // The reader of the pipe has seen enough: not an error.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            render::error(None, &error);
            Status::of(&error).into()
        }
    }
}

/// Runs a verb.
fn run(command: Command, context: Context) -> Result<Status> {
    match command {
        Command::Info(args) => command::info::run(&args, context),
        Command::Check(args) => command::check::run(&args, context),
        Command::Cat(args) => command::cat::run(&args, context),
        Command::Cut(args) => command::cut::run(&args, context),
        Command::Edit(args) => command::edit::run(&args, context),
        Command::Recover(args) => command::recover::run(&args, context),
        Command::Split(args) => command::split::run(&args, context),
        Command::Merge(args) => command::merge::run(&args, context),
        Command::Diff(args) => command::diff::run(&args, context),
        Command::Events(args) => command::events::run(&args, context),
        Command::Align(args) => command::align::run(&args, context),
        Command::Convert(mut args) => {
            args.settle();
            command::convert::run(&args, context)
        }
        #[cfg(feature = "report")]
        Command::Report(args) => command::report::run(&args, context),
        #[cfg(feature = "report")]
        Command::Plot(args) => command::report::plot(&args, context),
        Command::Catalog(args) => command::catalog::run(&args, context),
        Command::View(args) => command::view::run(&args, context),
        Command::Index(args) => command::index::run(&args, context),
        Command::Alog(args) => command::alog::run(&args, context),
        Command::Carla(args) => command::carla::run(&args, context),
        Command::Effibox(args) => command::effibox::run(&args),
        Command::Koblenz(args) => command::koblenz::run(&args, context),
        Command::Lvx(args) => command::lvx::run(&args, context),
        Command::Completions { shell } => command::docs::completions(shell),
        Command::Man => command::docs::man(),
        #[cfg(feature = "mcap")]
        Command::ImportForRerun { .. } => Ok(Status::Done),
    }
}
