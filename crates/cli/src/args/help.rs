//! The command line, with options shown where users look for them.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _};

use super::Args;

impl Args {
    /// Parses the command line. Exits on errors and after printing help.
    pub(crate) fn from_command_line() -> Self {
        let mut command = command();
        let words = verb_of_file(&command, std::env::args_os().collect());
        let matches = command.try_get_matches_from_mut(words).unwrap_or_else(|error| error.exit());
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// The words of a command line; a file in place of a verb gets `info` before it.
fn verb_of_file(command: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let is_file = words.get(1).is_some_and(|word| {
        let is_verb = word.to_str().is_some_and(|word| command.find_subcommand(word).is_some());
        !is_verb && std::fs::metadata(word).is_ok()
    });
    if is_file {
        words.insert(1, "info".into());
    }
    words
}

/// Common options with a heading that the short help of a verb also shows.
const COMMON: [&str; 5] = ["range", "crop", "voxel", "wide", "rate"];

/// The command line. Global options and those for one format or target are shown by the long help of a verb only.
fn command() -> Command {
    let mut command = Args::command();
    // Adds the global options to each verb.
    command.build();
    command.mut_subcommands(brief)
}

fn brief(command: Command) -> Command {
    let place = |arg: Arg| match (arg.is_global_set(), arg.get_help_heading().is_some()) {
        (true, _) => arg.hide_short_help(true).help_heading("For all commands"),
        (false, true) if COMMON.contains(&arg.get_id().as_str()) => arg,
        (false, true) => arg.hide_short_help(true),
        (false, false) => arg,
    };
    command.mut_args(place).mut_subcommands(brief)
}
