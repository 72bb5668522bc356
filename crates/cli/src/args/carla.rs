//! Arguments of `robolog carla`, the server's queries.

use std::path::PathBuf;

use carla_rec::query::Wording;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::common::FormatArg;

#[derive(Debug, Subcommand)]
pub(crate) enum Carla {
    /// Print what `show_recorder_file_info` prints
    #[command(after_help = "Example:\n  robolog carla info crash.log --all > crash.txt")]
    Info(InfoArgs),
    /// Print what `show_recorder_collisions` prints
    #[command(
        after_help = "CARLA only records collisions of actors with a sensor.other.collision. Times are whole \
                            seconds, as the server prints them; `robolog cat crash.log --channel collisions` has exact \
                            ones.\n\nExample:\n  robolog carla collisions *.log --types hv"
    )]
    Collisions(CollisionsArgs),
    /// Print what `show_recorder_actors_blocked` prints
    #[command(after_help = "Example:\n  robolog carla blocked crash.log --min-time 10 --min-distance 50")]
    Blocked(BlockedArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TextArgs {
    /// Recordings, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Word the output as this release does
    #[arg(long, value_enum, default_value_t = WordingArg::V0_9_15)]
    wording: WordingArg,
    /// Print the date in UTC instead of the local time zone
    #[arg(long)]
    pub(crate) utc: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// Print everything, not only events
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CollisionsArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// Show collisions of these two kinds of actor: h hero, v vehicle, w walker, t traffic light, o other, a any; with
    /// --corrected also s traffic sign, n sensor
    #[arg(long, value_name = "LETTERS", default_value = "aa", value_parser = types)]
    pub(crate) types: [char; 2],
    /// Correct what the server gets wrong
    #[arg(long)]
    pub(crate) corrected: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BlockedArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// Show actors that stand still for at least this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) min_time: f64,
    /// Treat movement within this many centimetres as standing still
    #[arg(long, value_name = "CM", default_value_t = 10.0)]
    pub(crate) min_distance: f64,
    /// Correct what the server gets wrong
    #[arg(long)]
    pub(crate) corrected: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WordingArg {
    #[value(name = "0.9.6")]
    V0_9_6,
    #[value(name = "0.9.10")]
    V0_9_10,
    #[value(name = "0.9.14")]
    V0_9_14,
    #[value(name = "0.9.15")]
    V0_9_15,
    #[value(name = "0.9.16")]
    V0_9_16,
}

impl TextArgs {
    pub(crate) fn wording(&self) -> Wording {
        match self.wording {
            WordingArg::V0_9_6 => Wording::V0_9_6,
            WordingArg::V0_9_10 => Wording::V0_9_10,
            WordingArg::V0_9_14 => Wording::V0_9_14,
            WordingArg::V0_9_15 => Wording::V0_9_15,
            WordingArg::V0_9_16 => Wording::V0_9_16,
        }
    }
}

fn types(text: &str) -> Result<[char; 2], String> {
    let letters: Vec<char> = text.chars().collect();
    match letters[..] {
        [a, b] if [a, b].iter().all(|letter| "hvwtoasn".contains(*letter)) => Ok([a, b]),
        _ => Err("expected two letters of h, v, w, t, o, a, s, n".into()),
    }
}
