//! Arguments of `split`, `diff` and `view`.

use std::{num::NonZeroU64, path::PathBuf, time::Duration};

use clap::Args as ClapArgs;

use super::{
    FormatArg, LimitArgs, OutArgs, TimeArgs,
    cut::{Event, event},
    memory, time,
};

#[derive(Debug, ClapArgs)]
#[command(
    override_usage = "robolog split [OPTIONS] --output <OUT> <--every|--size|--parts|--on|--gap> <FILE>",
    after_help = "Parts are named STEM-000.EXT, STEM-001.EXT and so on. Each opens on its own: it has the header and \
                  everything else that a reader needs. robolog merge joins them again.\n\n\
                  Examples:\n  robolog split drive.lvx --every 5m -o parts/\n  \
                  robolog split mission.alog --size 100MB -o parts/\n  \
                  robolog split mission.alog --on 'DEPLOY=true' -o missions/\n  \
                  robolog split log.nmea --gap 30s -o trips/"
)]
pub(crate) struct SplitArgs {
    /// A recording, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) by: SplitBy,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, Clone, ClapArgs)]
#[group(required = true, multiple = false)]
pub(crate) struct SplitBy {
    #[arg(long, value_parser = time::span)]
    pub(crate) every: Option<Duration>,
    #[arg(long, value_parser = memory::bytes)]
    pub(crate) size: Option<NonZeroU64>,
    #[arg(long)]
    pub(crate) parts: Option<NonZeroU64>,
    #[arg(long, value_parser = event)]
    pub(crate) on: Option<Event>,
    #[arg(long, value_parser = time::span)]
    pub(crate) gap: Option<Duration>,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Channels are compared one by one, however they are interleaved. If they are far apart, the files are \
                  read several times, and pipes are copied to a temporary file. If all times of the second are shifted \
                  by the same amount, or a channel has another name, diff says so and still compares the samples.\n\n\
                  Exit status: 0 equal; 1 different; 3 equal as far as damaged recordings can be read.\n\n\
                  Examples:\n  robolog diff drive.lvx copy.lvx\n  \
                  robolog diff run.gpx run.kml --channel 'track*' --tolerance 1e-6 --json"
)]
pub(crate) struct DiffArgs {
    /// Two recordings, or - for standard input
    #[arg(required = true, num_args = 2, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog view drive.lvx\n  robolog view --page run/")]
pub(crate) struct ViewArgs {
    /// A recording
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(long)]
    pub(crate) page: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
    tolerance.ok_or_else(|| "expected a number of at least 0".into())
}
