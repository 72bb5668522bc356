//! Arguments of `report` and `plot`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use robolog_convert::Limit;
use robolog_report::{PlotFormat, PlotSize, Plotting};

use super::{
    common::{BesideArgs, FormatArg, LimitArgs},
    reading::ReadingArgs,
    time::TimeArgs,
};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog report drive.lvx\n  \
                        robolog report mission/ -o pages/\n  \
                        robolog report truth.log estimate.log -o compare.html\n  \
                        zcat drive.lvx.gz | robolog report - -o drive.html")]
pub(crate) struct ReportArgs {
    /// Recordings, folders of recordings, or - for standard input; a data set is one recording
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The page to write, `NAME.html`, of one recording, two to compare or more side by side, or a folder of pages with an
    /// index.html
    /// [default: NAME.html beside the recording; NAME-report beside a folder]
    #[command(flatten)]
    pub(crate) out: BesideArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "On the left where it went, clouds, scans and images; on the right numbers over time.\n\n\
                        Examples:\n  robolog plot mission.alog --channel 'NAV_*'\n  \
                        robolog plot crash.log --channel 'actor_190/*' --mark contact\n  \
                        robolog plot first.gpx second.gpx -o both.png --size 1600x900@2\n  \
                        robolog plot drive.lvx --start 10s --duration 5s -o cloud.svg"
)]
pub(crate) struct PlotArgs {
    /// Recordings to draw in one picture, each in its own colour; or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The picture to write [default: NAME.png beside the recording]
    #[command(flatten)]
    pub(crate) out: BesideArgs,
    #[arg(long)]
    pub(crate) to: Option<PlotFormat>,
    #[arg(long)]
    pub(crate) size: Option<PlotSize>,
    #[arg(long = "mark")]
    pub(crate) marks: Vec<String>,
    #[arg(long, conflicts_with = "actors")]
    hero: bool,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

impl ReportArgs {
    /// What to show.
    pub(crate) fn limit(&self) -> Limit {
        self.limit.with(&self.time)
    }
}

impl PlotArgs {
    /// What to draw, without its format.
    pub(crate) fn plotting(&self) -> Plotting {
        let mut plotting = Plotting::default();
        plotting.limit = if self.hero { self.limit.of_hero() } else { self.limit.clone() }.with(&self.time);
        plotting.size = self.size;
        plotting
    }
}
