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
    #[arg(long, value_parser = pair)]
    pub(crate) by: Vec<(String, String)>,
    #[arg(long, value_parser = time::span)]
    pub(crate) within: Duration,
    #[arg(long, requires = "output")]
    pub(crate) apply: bool,
    #[arg(short, long, requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    #[arg(short, long, requires = "apply")]
    pub(crate) force: bool,
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// Options of `convert --merge` to align recordings.
#[derive(Debug, ClapArgs)]
pub(crate) struct AlignedArgs {
    #[arg(long, requires = "merge")]
    pub(crate) align: bool,
    #[arg(long, value_parser = pair, requires = "align")]
    pub(crate) by: Vec<(String, String)>,
    #[arg(
        long,
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
