//! Arguments of `events`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args as ClapArgs, Command, FromArgMatches};
use robolog_events::Thresholds;

use super::{InfoArgs, common::FormatArg};

/// Arguments of `info`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) info: InfoArgs,
    #[arg(long)]
    pub(crate) events: bool,
    #[arg(long)]
    pub(crate) track: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Several recordings are read as one, in order of time. --help lists the thresholds.\n\nExamples:\n  \
                  robolog events crash.log\n  robolog events alpha.alog bravo.alog --kind closest_approach\n  \
                  robolog events drive.nmea --kind 'gnss_*' -o fixes.csv\n  \
                  robolog events crash.log --kind near_miss --near-gap 0.5"
)]
pub(crate) struct EventsArgs {
    /// Recordings, folders, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long = "kind")]
    pub(crate) kinds: Vec<String>,
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(short, long = "output", conflicts_with = "json")]
    pub(crate) output: Option<PathBuf>,
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) thresholds: ThresholdArgs,
}

/// An option for each threshold of the detectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThresholdArgs(pub(crate) Thresholds);

/// The options, from the table of the thresholds.
fn options() -> impl Iterator<Item = Arg> {
    Thresholds::TABLE.iter().map(|threshold| {
        let long = threshold.name.replace('_', "-");
        let unit = if threshold.unit.is_empty() { "N" } else { threshold.unit };
        Arg::new(threshold.name)
            .long(long)
            .value_name(unit)
            .help(threshold.about)
            .default_value(threshold.default.to_string())
            .value_parser(limit)
            .hide_short_help(true)
            .help_heading("Thresholds")
    })
}

/// A number that is not negative.
fn limit(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("expected a number that is not negative")
}

impl ClapArgs for ThresholdArgs {
    fn augment_args(command: Command) -> Command {
        command.args(options())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ThresholdArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for threshold in Thresholds::TABLE {
            if let Some(value) = matches.get_one::<f64>(threshold.name) {
                self.0.set(threshold.name, *value);
            }
        }
        Ok(())
    }
}
