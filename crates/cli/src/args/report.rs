//! Arguments of `report` and `plot`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use robolog_report::PlotFormat;

use super::{
    common::{FormatArg, LimitArgs, OutArgs},
    reading::ReadingArgs,
    time::TimeArgs,
};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog report drive.lvx -o drive.html\n  \
                        robolog report mission/ -o pages/\n  \
                        robolog report truth.log estimate.log -o compare.html\n  \
                        zcat drive.lvx.gz | robolog report - -o drive.html")]
pub(crate) struct ReportArgs {
    /// Recordings, folders of recordings, or - for standard input; a data set is one recording
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The page to write, `NAME.html`, of one recording or two to compare, or a folder of pages with an index.html
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog plot mission.alog --channel 'NAV_*' -o nav.svg\n  \
                        robolog plot crash.log --channel 'actor_190/*' --mark contact -o crash.svg\n  \
                        robolog plot drive.lvx --channel '*/points' -o cloud.png")]
pub(crate) struct PlotArgs {
    /// A recording, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Write this format: svg for numbers or tracks, png for clouds, scans or images [default: by the output's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<PlotFormat>,
    /// Mark events of kinds that match this pattern on the time axis of an SVG, such as '*' or 'near_*'; see `events`.
    /// Can be repeated
    #[arg(long = "mark", value_name = "KIND")]
    pub(crate) marks: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

impl PlotArgs {
    /// The chosen channels.
    pub(crate) fn limit(&self) -> robolog_convert::Limit {
        self.limit.with(&TimeArgs::default())
    }
}
