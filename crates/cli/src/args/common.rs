//! What several commands take.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use robolog_convert::{Bound, ChannelFilter, Limit, target::Existing};

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
    #[arg(long = "channel", value_name = "GLOB")]
    channels: Vec<String>,
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
    fn build(self, from: Option<Bound>, to: Option<Bound>) -> Result<Limit, globset::Error> {
        if self.channels.is_empty() {
            return Ok(Limit::new(from, to, None));
        }
        let mut set = globset::GlobSetBuilder::new();
        for glob in &self.channels {
            set.add(globset::Glob::new(glob)?);
        }
        let set = set.build()?;
        Ok(Limit::new(from, to, Some(ChannelFilter::new(move |channel| set.is_match(channel)))))
    }

    pub(crate) fn with(self, time: &TimeArgs) -> Limit {
        let (from, to) = time.bounds();
        or_usage(self.build(from, to))
    }
}

/// A glob that is none is wrong usage.
fn or_usage<T>(outcome: Result<T, globset::Error>) -> T {
    outcome.unwrap_or_else(|error| {
        let kind = clap::error::ErrorKind::ValueValidation;
        clap::Error::raw(kind, format!("--channel: {error}\n")).exit()
    })
}
