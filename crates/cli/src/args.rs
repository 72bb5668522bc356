//! The command line, as shown by `--help`.

pub(crate) mod actors;
mod align;
pub(crate) mod alog;
pub(crate) mod carla;
pub(crate) mod catalog;
mod channels;
pub(crate) mod common;
pub(crate) mod cut;
mod described;
pub(crate) mod edit;
pub(crate) mod effibox;
pub(crate) mod events;
mod help;
pub(crate) mod koblenz;
pub(crate) mod lvx;
mod meant;
mod memory;
pub(crate) mod parts;
pub(crate) mod points;
pub(crate) mod reading;
#[cfg(feature = "report")]
pub(crate) mod report;
pub(crate) mod tables;
mod targets;
mod time;
mod writing;

#[cfg(feature = "mcap")]
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use robolog_convert::{LidarModel, Limit, Per, Selection};
use robolog_core::Limits;
use tracing_subscriber::filter::LevelFilter;

pub(crate) use self::align::AlignArgs;
pub(crate) use self::common::{
    FormatArg, KindArgs, LimitArgs, MostArgs, OutArgs, check_folder_name, check_named, existing,
};
pub(crate) use self::cut::CutArgs;
pub(crate) use self::described::command;
pub(crate) use self::time::TimeArgs;
use crate::{
    progress::{Context, When},
    render::{Printed, Styles},
    trace::Lines,
};

/// Read, check, repair, cut and convert robot recordings that few other programs read.
///
/// FILE is a path, a folder, or - for standard input. The format is found from the bytes.
///
/// Exit status: 0 done; 1 failed, or `diff` found a difference; 2 wrong usage; 3 done, but the input was damaged or
/// something was lost. A guess, such as the calibration of another sensor, is a note.
#[derive(Debug, Parser)]
#[command(version, name = "robolog", max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[arg(short, long, global = true, display_order = 1000)]
    quiet: bool,
    #[arg(short, long, global = true, display_order = 1000, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    #[arg(long, global = true, display_order = 1000, value_enum, hide_default_value = true)]
    progress: When,
    #[arg(long, global = true, display_order = 1000, value_enum, hide_default_value = true)]
    color: When,
    #[arg(long, global = true, display_order = 1000, value_parser = memory::size)]
    max_memory: Option<u64>,
    #[arg(long, global = true, display_order = 1000)]
    max_expand: u64,
    #[arg(long, global = true, display_order = 1000, value_enum)]
    time: time::TimeArg,
    #[arg(long, global = true, display_order = 1000, value_parser = reading::model(), ignore_case = true)]
    model: Option<LidarModel>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what recordings contain
    #[command(
        alias = "ls",
        after_help = "A folder means all recordings below it; several recordings have a line each. The third line is the \
                      verdict: sound means that every byte was read, damaged that some could not be; warnings are oddities \
                      that lose nothing. -v shows all channels, columns and details.\n\n\
                      Examples:\n  robolog info drive.lvx\n  robolog info logs/\n  robolog info --json *.lvx | jq .duration_s"
    )]
    Info(events::ShowArgs),
    /// Check recordings for damage
    #[command(after_help = "Examples:\n  robolog check drive.lvx\n  robolog check *.lvx && echo no damage")]
    Check(InfoArgs),
    /// Print samples: a table on a terminal, JSON lines in a pipe
    Cat(CatArgs),
    /// Copy a part of a recording, byte for byte
    Cut(CutArgs),
    /// Change times, names and channels of a recording
    Edit(edit::EditArgs),
    /// Copy the readable part of a damaged recording
    Recover(RecoverArgs),
    /// Split a recording into parts that open on their own
    Split(parts::SplitArgs),
    /// Join several recordings of one format
    Merge(MergeArgs),
    /// Compare the contents of two recordings
    Diff(parts::DiffArgs),
    /// List what happened: contacts, braking, gaps, lost fixes, changes of mode
    Events(events::EventsArgs),
    /// Find the clock offset between two recordings
    Align(AlignArgs),
    /// Write a recording in another format
    #[command(alias = "export")]
    Convert(Box<ConvertArgs>),
    /// Make an HTML page that shows a recording
    #[cfg(feature = "report")]
    Report(Box<report::ReportArgs>),
    /// Draw numbers, trajectories, clouds or scans as a picture
    #[cfg(feature = "report")]
    Plot(report::PlotArgs),
    /// Make a table of recordings, one row each, and keep it up to date
    Catalog(catalog::CatalogArgs),
    /// Show a recording in Rerun, or as a page in the browser
    View(parts::ViewArgs),
    /// List records with their offsets and times
    Index(IndexArgs),
    /// Tools for MOOS logs: grep, sort, merge, pare, ...
    #[command(subcommand)]
    Alog(alog::Alog),
    /// Queries of CARLA's recorder, without a server
    #[command(subcommand)]
    Carla(carla::Carla),
    /// Tools for the Institut Pascal data set
    #[command(subcommand)]
    Effibox(effibox::Effibox),
    /// Tools for Koblenz logs
    #[command(subcommand)]
    Koblenz(koblenz::Koblenz),
    /// Tools for Livox LVX
    #[command(subcommand)]
    Lvx(lvx::Lvx),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Run by `rerun-importer-robolog`
    #[cfg(feature = "mcap")]
    #[command(hide = true)]
    ImportForRerun {
        /// A recording, and Rerun's options
        words: Vec<OsString>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InfoArgs {
    /// Recordings, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog cat drive.lvx --channel '*/imu' --end 10s\n  \
                        robolog cat *.alog --channel 'NAV_*' -n 100 | jq .value")]
pub(crate) struct CatArgs {
    /// Recordings, or - for standard input, which is read to its end first: times count from the earliest sample
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long, conflicts_with_all = ["start", "end", "duration", "channels", "excluded", "kinds"])]
    pub(crate) raw: bool,
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) most: MostArgs,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) limit: LimitArgs,
    #[command(flatten)]
    pub(crate) kind: KindArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog recover broken.lvx -o sound.lvx\n  \
                        robolog recover logs/ -o sound/\n  \
                        robolog recover wiped.lvx --format lvx -o sound.lvx\n  \
                        robolog recover - -o - < broken.lvx > sound.lvx")]
pub(crate) struct RecoverArgs {
    /// A damaged recording, a folder of them, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Records are copied byte for byte, in order of time. pcapng captures and CARLA recordings are \
                  appended; GPX and KML documents become one. Parts with the names that split gives, such as \
                  drive-000.lvx, are joined in order of their numbers.\n\n\
                  Examples:\n  robolog merge front.lvx rear.lvx -o both.lvx\n  \
                  robolog merge parts/*.alog -o whole.alog"
)]
pub(crate) struct MergeArgs {
    /// Recordings of one format and version, or a folder of them
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  robolog convert drive.lvx -o drive.mcap\n  \
                        robolog convert drive.lvx -o cloud.laz\n  \
                        robolog convert run/ --per channel --to parquet -o tables/\n  \
                        robolog convert drive.lvx --per frame --to pcd -o frames/\n  \
                        robolog convert drive.lvx --channel '*/imu' -o imu.csv\n  \
                        robolog convert drive.lvx --per name --to csv -o tables/\n  \
                        robolog convert mission.alog --wide --rate 10 -o nav.csv\n  \
                        robolog convert mission.alog drive.gpx --merge --align -o both.mcap\n  \
                        robolog convert capture.pcap -o drive.lvx")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct ConvertArgs {
    /// Recordings, or - for standard input; several go into a folder
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[arg(long, value_parser = targets::Names)]
    pub(crate) to: Option<String>,
    #[arg(long, value_enum)]
    pub(crate) per: Option<PerArg>,
    #[arg(long)]
    pub(crate) merge: bool,
    #[arg(long, conflicts_with = "merge")]
    pub(crate) resume: bool,
    #[arg(long)]
    pub(crate) transforms: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trajectory: TrajectoryArgs,
    #[arg(long, conflicts_with = "per")]
    pub(crate) rosbag2_dir: bool,
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    most: MostArgs,
    #[command(flatten)]
    pub(crate) limit: LimitArgs,
    #[command(flatten)]
    pub(crate) kind: KindArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) points: points::PointArgs,
    #[command(flatten)]
    pub(crate) writing: writing::WritingArgs,
    #[command(flatten)]
    pub(crate) tables: tables::TableArgs,
    #[command(flatten)]
    pub(crate) reading: reading::ReadingArgs,
    #[command(flatten)]
    pub(crate) align: align::AlignedArgs,
    /// Long names of the options that were given.
    #[arg(skip)]
    pub(crate) given: Vec<String>,
}

#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct TrajectoryArgs {
    #[arg(long, conflicts_with_all = ["longest", "channels"])]
    pub(crate) hero: bool,
    #[arg(long, conflicts_with = "channels")]
    pub(crate) longest: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PerArg {
    /// Each frame of each device
    #[value(alias = "scan")]
    Frame,
    /// Each channel
    Channel,
    /// Each device: its channels together, if the target can hold them
    Device,
    /// Each name after the last slash: channels a/imu and b/imu go into imu
    #[value(alias = "kind")]
    Name,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:\n  robolog index drive.lvx --json | tail -1")]
pub(crate) struct IndexArgs {
    /// A recording, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) most: MostArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

impl Args {
    pub(crate) fn context(&self) -> Context {
        let limits = self.max_memory.map_or_else(Limits::default, memory::limits);
        let limits = limits.with_expand(self.max_expand);
        Context {
            quiet: self.quiet,
            verbose: self.verbose,
            progress: self.progress,
            color: self.color,
            limits,
            max_memory: self.max_memory,
            time: self.time.into(),
            model: self.model,
        }
    }

    pub(crate) fn start_tracing(&self) {
        let level = match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::ERROR,
            (false, 0) => LevelFilter::WARN,
            (false, 1) => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        };
        let ansi = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::IsTerminal::is_terminal(&std::io::stderr()),
        };
        let styles = if ansi { Styles::Kept } else { Styles::Escaped };
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(ansi)
            .with_writer(move || Printed(std::io::stderr(), styles))
            // A closed standard error must not end the work: messages are lost then.
            .log_internal_errors(false)
            .event_format(Lines)
            .init();
    }
}

impl ConvertArgs {
    /// Unless `--per` says otherwise, a folder in Hive's layout has one file per channel, and a folder of images one
    /// per frame. An output with the extension of a picture is a single file.
    pub(crate) fn per(&self) -> Option<Per> {
        let output = &self.out.output;
        let is_picture = output.as_os_str() == "-" || output.extension().is_some_and(targets::is_picture);
        let is_images = self.to.as_ref().is_some_and(|to| to.eq_ignore_ascii_case(targets::IMAGES));
        let channel = self.tables.hive.then_some(PerArg::Channel);
        let frame = (is_images && !is_picture).then_some(PerArg::Frame);
        self.per.or(channel).or(frame).map(|per| match per {
            PerArg::Frame => Per::Frame,
            PerArg::Channel => Per::Channel,
            PerArg::Device => Per::Device,
            PerArg::Name => Per::Name,
        })
    }

    /// All options that affect the output of an input, as text.
    pub(crate) fn meaning(&self) -> String {
        let Self { to, per, transforms, trajectory, rosbag2_dir, strict, time, limit, kind, .. } = self;
        let Self { format, most, points, writing, tables, reading, .. } = self;
        let what = (to, per, transforms, trajectory, rosbag2_dir, strict, time, limit, kind);
        format!("{what:?} {:?}", (format, most, points, writing, tables, reading))
    }

    /// The samples to convert: chosen channels, or everything.
    pub(crate) fn selection(&self) -> Selection {
        let TrajectoryArgs { hero, longest } = self.trajectory;
        let is_chosen = hero || longest || self.tables.wide || self.limit().chooses_channels();
        if is_chosen { Selection::Channels } else { Selection::Everything }
    }

    /// A new limit for each input: relative times count from its start.
    pub(crate) fn limit(&self) -> Limit {
        self.kind.limit(self.limit.with(&self.time)).with_most(self.most.most)
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    /// Words in any order, and times, sizes and names with pieces cut out, doubled and moved: each line is parsed or
    /// refused, and a parsed one has limits.
    #[test]
    fn any_line_is_understood_or_refused() {
        const VALUES: [&str; 24] = [
            "2024-09-17T15:47:55Z",
            "@1750223328.5",
            "-30s",
            "2m30s",
            "9223372036.854775808",
            "512M",
            "1GB",
            "99999999999G",
            "0",
            "-1",
            "1e-6",
            "EPSG:32632",
            "[1,2,3]",
            "channel",
            "csv",
            "45.7,3.1,400",
            "a=b",
            "*",
            "[",
            "--",
            "-",
            "",
            "\u{202e}",
            "room.lvx",
        ];
        let command = command();
        let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        let options = |verb: &str| -> Vec<String> {
            let found = command.find_subcommand(verb).into_iter().flat_map(clap::Command::get_arguments);
            found.filter_map(|option| option.get_long().map(|name| format!("--{name}"))).collect()
        };
        let options: Vec<Vec<String>> = verbs.iter().map(|verb| options(verb)).collect();
        let mut rng = testkit::Rng(17);
        let mut understood = 0;
        for _ in 0..testkit::bound(4_000, 20_000) {
            let verb = rng.below(verbs.len());
            let mut line = vec!["robolog".to_owned(), verbs[verb].clone()];
            for _ in 0..rng.below(5) {
                if let (true, false) = (rng.below(2) == 0, options[verb].is_empty()) {
                    line.push(options[verb][rng.below(options[verb].len())].clone());
                }
                let value = VALUES[rng.below(VALUES.len())];
                if rng.below(3) > 0 {
                    line.push(value.to_owned());
                } else {
                    let seed = rng.bits();
                    testkit::splices(value.as_bytes(), 1, seed, &mut |bytes| {
                        line.push(String::from_utf8_lossy(bytes).into_owned());
                    });
                }
            }
            match command
                .clone()
                .try_get_matches_from(&line)
                .and_then(|matches| Args::from_arg_matches(&matches))
            {
                Ok(args) => {
                    understood += 1;
                    let _ = args.context();
                    assert!(!format!("{args:?}").is_empty());
                }
                Err(error) => assert!(!error.to_string().is_empty(), "{line:?}"),
            }
        }
        assert!(understood > testkit::bound(40, 200), "{understood} lines are understood");
    }
}
