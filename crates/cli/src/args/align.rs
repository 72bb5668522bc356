//! What `align` takes.

use std::{path::PathBuf, time::Duration};

use clap::Args as ClapArgs;

use super::{FormatArg, time};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The offset is what must be added to the times of B. It is found where numbers of both go up and down \
                  together: speeds, yaw rates, or those of --by. Times on one clock are compared as they are, times on \
                  different clocks from the start of each recording.\n\n\
                  Exit status: 0 found; 1 there is no clear offset; 3 found, and a recording is damaged.\n\n\
                  Examples:\n  robolog align mission.alog drive.gpx\n  \
                  robolog align a.alog b.alog --by NAV_SPEED=GPS_SPEED --apply -o b_aligned.alog"
)]
pub(crate) struct AlignArgs {
    /// The recording whose clock counts, and the one to be aligned with it
    #[arg(required = true, num_args = 2, value_names = ["A", "B"])]
    pub(crate) files: Vec<PathBuf>,
    /// Compare this channel of A with that of B; of a channel with several numbers CHANNEL:FIELD. May be repeated
    #[arg(long, value_name = "CHANNEL=CHANNEL", value_parser = pair)]
    pub(crate) by: Vec<(String, String)>,
    /// Look for offsets up to this long
    #[arg(long, value_name = "D", default_value = "60s", value_parser = time::span)]
    pub(crate) within: Duration,
    /// Write B with its times shifted by the offset
    #[arg(long, requires = "output")]
    pub(crate) apply: bool,
    /// Where to, with --apply
    #[arg(short, long, value_name = "OUT", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an output file that exists
    #[arg(short, long, requires = "apply")]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// How `convert --merge` aligns recordings.
#[derive(Debug, ClapArgs)]
pub(crate) struct AlignedArgs {
    /// Put all inputs on the clock of the first, by the offset and the drift that align finds
    #[arg(long, requires = "merge")]
    pub(crate) align: bool,
    /// Align by this channel of the first input and that of the others; without it by speeds and yaw rates. May be repeated
    #[arg(help_heading = "Times", long, value_name = "CHANNEL=CHANNEL", value_parser = pair, requires = "align")]
    pub(crate) by: Vec<(String, String)>,
    /// Look for offsets of --align up to this long
    #[arg(
        help_heading = "Times",
        long,
        value_name = "D",
        default_value = "60s",
        value_parser = time::span,
        requires = "align"
    )]
    pub(crate) within: Duration,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (a, b) =
        text.split_once('=').filter(|(a, b)| !a.is_empty() && !b.is_empty()).ok_or("not like NAME=NAME")?;
    Ok((a.into(), b.into()))
}
