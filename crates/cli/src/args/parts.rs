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
    /// Write one part per span of this length: 300, 300s or 5m
    #[arg(long, value_name = "D", value_parser = time::span)]
    pub(crate) every: Option<Duration>,
    /// Write parts of about this size: 100MB, 1GB or 512MiB
    #[arg(long, value_name = "SIZE", value_parser = memory::bytes)]
    pub(crate) size: Option<NonZeroU64>,
    /// Write this many parts of about equal size
    #[arg(long, value_name = "N")]
    pub(crate) parts: Option<NonZeroU64>,
    /// Begin a part at each event: a kind of `robolog events` such as `stop`, `collision` as recorded, or a change to a
    /// value such as 'DEPLOY=true' or 'CHANNEL:FIELD=7'
    #[arg(long, value_name = "EVENT", value_parser = event)]
    pub(crate) on: Option<Event>,
    /// Begin a part after each gap longer than this
    #[arg(long, value_name = "D", value_parser = time::span)]
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
    /// Treat numbers, and times in seconds, as equal if they differ by no more than this
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// Print one JSON object
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
    /// Make a page for the browser, even if Rerun is installed
    #[arg(long)]
    pub(crate) page: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
    tolerance.ok_or_else(|| "expected a number of at least 0".into())
}
