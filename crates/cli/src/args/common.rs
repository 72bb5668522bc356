//! What several commands take.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use robolog_convert::{ChannelFilter, Limit, target::Existing};

use super::time::TimeArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct FormatArg {
    /// Reads the input as this format instead of finding it; a colon and a dialect force that too: carla-rec:0.9.16
    #[arg(long = "format", value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Only these channels: a glob such as '*/imu'; may be given several times
    #[arg(long = "channel", value_name = "GLOB", value_parser = glob::Pattern::new)]
    channels: Vec<glob::Pattern>,
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
    pub(crate) fn with(self, time: &TimeArgs) -> Limit {
        let (from, to) = time.bounds();
        let globs = self.channels;
        let channels = (!globs.is_empty())
            .then(|| ChannelFilter::new(move |channel| globs.iter().any(|glob| glob.matches(channel))));
        Limit::new(from, to, channels)
    }
}
