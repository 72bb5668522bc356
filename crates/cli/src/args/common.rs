//! What several commands take.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use glob::Pattern;
use robolog_convert::{Limit, target::Existing};

use super::{channels, time::TimeArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct FormatArg {
    /// Reads the input as this format instead of finding it; a colon and a dialect force that too: carla-rec:0.9.16
    #[arg(long = "format", value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Only these channels: a glob such as '*/imu'; may be given several times
    #[arg(long = "channel", value_name = "GLOB", value_parser = Pattern::new)]
    channels: Vec<Pattern>,
    /// Without these channels: a glob; may be given several times
    #[arg(long = "exclude", value_name = "GLOB", value_parser = Pattern::new)]
    excluded: Vec<Pattern>,
}

/// How much is wanted at most.
#[derive(Debug, Default, Clone, Copy, ClapArgs)]
pub(crate) struct MostArgs {
    /// Only the first N
    #[arg(short = 'n', value_name = "N")]
    pub(crate) most: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OutArgs {
    /// The file to write, or - for standard output
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Replaces the output when it is a file already; a folder only when it holds nothing but what was converted into it
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// What becomes of an output that is there already.
pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

impl OutArgs {
    pub(crate) fn existing(&self) -> Existing {
        existing(self.force)
    }
}

impl LimitArgs {
    /// The limit for a recording, or for several that are taken together: a glob must match a channel of one of them.
    pub(crate) fn with(&self, time: &TimeArgs) -> Limit {
        let (from, to) = time.bounds();
        Limit::new(from, to, channels::filter(&self.channels, &self.excluded))
    }
}
