//! Arguments of `align`.

use std::{path::PathBuf, time::Duration};

use clap::Args as ClapArgs;

use super::{FormatArg, time};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The offset is added to the times of B. It is found by correlating numbers of both: speeds, yaw \
                  rates, or those of --by. Times on the same clock are compared as they are, times on different clocks \
                  from the start of each recording.\n\n\
                  Exit status: 0 found; 1 no clear offset; 3 found, but a recording is damaged.\n\n\
                  Examples:\n  robolog align mission.alog drive.gpx\n  \
                  robolog align a.alog b.alog --by NAV_SPEED=GPS_SPEED --apply -o b_aligned.alog"
)]
pub(crate) struct AlignArgs {
    /// The reference recording, and the one to align with it
    #[arg(required = true, num_args = 2, value_names = ["A", "B"])]
    pub(crate) files: Vec<PathBuf>,
    /// Compare this channel of A with that of B; CHANNEL:FIELD for a channel of several numbers; may be repeated
    #[arg(long, value_name = "CHANNEL=CHANNEL", value_parser = pair)]
    pub(crate) by: Vec<(String, String)>,
    /// Look for offsets up to this long
    #[arg(long, value_name = "D", default_value = "60s", value_parser = time::span)]
    pub(crate) within: Duration,
    /// Write B with its times shifted by the offset
    #[arg(long, requires = "output")]
    pub(crate) apply: bool,
    /// Write B to this file, with --apply
    #[arg(short, long, value_name = "OUT", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(short, long, requires = "apply")]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// Options of `convert --merge` to align recordings.
#[derive(Debug, ClapArgs)]
pub(crate) struct AlignedArgs {
    /// Shift all inputs to the clock of the first, by the offset and drift that align finds
    #[arg(long, requires = "merge")]
    pub(crate) align: bool,
    /// Align by this channel of the first input and that of the others [default: speeds and yaw rates]; may be
    /// repeated
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
        text.split_once('=').filter(|(a, b)| !a.is_empty() && !b.is_empty()).ok_or("expected NAME=NAME")?;
    Ok((a.into(), b.into()))
}
