//! The command line with each option where people look for it.

use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _};

use super::Args;

impl Args {
    /// Reads the words of the command line. Ends the program where they make no sense, or ask for help.
    pub(crate) fn from_command_line() -> Self {
        let mut command = command();
        let matches = command.get_matches_mut();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// The command line. Options that all verbs share are shown by `robolog --help` alone, and what only one format or target
/// needs by the long help of a verb.
fn command() -> Command {
    let mut command = Args::command();
    // Gives each verb the options that all share.
    command.build();
    command.mut_subcommands(brief)
}

fn brief(command: Command) -> Command {
    let place = |arg: Arg| match (arg.is_global_set(), arg.get_help_heading().is_some()) {
        (true, _) => arg.hide(true),
        (false, true) => arg.hide_short_help(true),
        (false, false) => arg,
    };
    command.mut_args(place).mut_subcommands(brief)
}
