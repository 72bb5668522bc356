//! Arguments of `events`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::FormatArg;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Several recordings are read as one, in order of time.\n\nExamples:\n  robolog events crash.log\n  \
                  robolog events alpha.alog bravo.alog --kind closest_approach\n  \
                  robolog events drive.nmea --kind 'gnss_*' -o fixes.csv"
)]
pub(crate) struct EventsArgs {
    /// Recordings, folders, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Take only events of kinds that match this pattern, such as 'hard_*'. Can be repeated
    #[arg(long = "kind", value_name = "GLOB")]
    pub(crate) kinds: Vec<String>,
    /// Print JSON lines
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a table to this file: NAME.csv, NAME.jsonl, NAME.parquet, NAME.mcap, ...
    #[arg(short, long = "output", value_name = "OUT", conflicts_with = "json")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}
