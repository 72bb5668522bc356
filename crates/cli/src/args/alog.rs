//! Arguments of `robolog alog`, the toolbox for MOOS logs.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs, Subcommand};

use super::{common::OutArgs, tables::CsvSafe};

#[derive(Debug, Subcommand)]
pub(crate) enum Alog {
    /// Keep entries by variable and source
    #[command(after_help = "Examples:\n  robolog alog grep m.alog 'NAV_*' -o nav.alog\n  \
                            robolog alog grep *.alog NODE_REPORT --keys X,Y,SPD --csv\n  \
                            robolog alog grep m.alog 'DB_*' --invert --final")]
    Grep(GrepArgs),
    /// Sort all entries by time; equal times keep their order
    #[command(after_help = "Example:\n  robolog alog sort m.alog -o sorted.alog")]
    Sort(SortArgs),
    /// Join logs of one vehicle on the time axis of the earliest, by LOGSTART
    #[command(after_help = "Example:\n  robolog alog merge morning.alog noon.alog -o day.alog")]
    Merge(MergeArgs),
    /// Write a .klog for each variable into a new folder
    #[command(after_help = "Example:\n  robolog alog split m.alog -o m_alvtmp")]
    Split(SplitArgs),
    /// Drop variables and thin others out, everywhere or away from events
    #[command(
        after_help = "Examples:\n  robolog alog pare m.alog --drop 'BHV_*' --rate 1 --only 'NAV_*' -o small.alog\n\n\
                      As alogpare does by default:\n  \
                      robolog alog pare m.alog --mark ENCOUNTER --window 30 --only BHV_IPF,VIEW_SEGLIST,VIEW_POINT,CONTACTS_RECAP \\\n    \
                      --drop '*ITER_GAP,*ITER_LEN,PSHARE*,NODE_REPORT*,DB_QOS' -o small.alog"
    )]
    Pare(PareArgs),
    /// Drop entries that repeat the one before
    #[command(after_help = "Example:\n  robolog alog dedup m.alog --values -o changes.alog")]
    Dedup(DedupArgs),
    /// Write the binary payloads of the .blog beside a log into a new folder
    #[command(after_help = "Example:\n  robolog alog payloads m.alog -o payloads")]
    Payloads(PayloadsArgs),
    /// Print the count, time span and sources of each variable
    #[command(after_help = "Example:\n  robolog alog scan m.alog")]
    Scan(ScanArgs),
    /// Keep entries between two times of the time column, in seconds
    #[command(after_help = "Example:\n  robolog alog clip m.alog 50 350 -o part.alog\n\n\
                            robolog cut takes dates, spans and events.")]
    Clip(ClipArgs),
    /// Leave out entries by variable and source
    #[command(after_help = "Example:\n  robolog alog rm m.alog 'BHV_*' PROC_WATCH_EVENT -o small.alog")]
    Rm(GrepArgs),
    /// Print how evenly applications iterated, by their `ITER_GAP` and `ITER_LEN`
    #[command(after_help = "A gap is a multiple of the nominal iteration time: 2 is twice as long.\n\n\
                            Example:\n  robolog alog iter m.alog")]
    Iter(ScanArgs),
    /// Print mean, minimum, maximum and standard deviation of y for each x of a two-column text
    #[command(after_help = "Example:\n  robolog alog avg runs.txt\n\n\
                            For the variables of a log, use robolog report or convert --wide.")]
    Avg(ScanArgs),
    /// Count encounters, near misses and collisions, with their distances
    #[command(
        after_help = "Uses the variables ENCOUNTER, NEAR_MISS and COLLISION, whose values are distances in metres.\n\n\
                            Example:\n  robolog alog cd shoreside.alog --tfile times.txt"
    )]
    Cd(EncountersArgs),
    /// Print what the helm did: behaviors spawned and ended, changes of mode and of active behaviors
    #[command(after_help = "Example:\n  robolog alog helm m.alog --modes --watch DEPLOY")]
    Helm(HelmArgs),
    /// Print a synchronous log (.slog) as a table
    #[command(after_help = "Example:\n  robolog alog table m.slog > m.csv")]
    Table(TableArgs),
}

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct GrepArgs {
    /// Logs, or - for standard input; then globs of variables, such as 'NAV_*', of which one must match. A word is a
    /// log if a file has that name
    #[arg(required = true, value_name = "FILE|VARIABLE")]
    pub(crate) words: Vec<PathBuf>,
    /// Keep entries of these applications; globs
    #[arg(long = "source", value_name = "GLOB")]
    pub(crate) sources: Vec<String>,
    /// Match globs as MOOS-IvP's tools do: only a final star, which matches any name that contains the rest
    #[arg(long)]
    pub(crate) moos_globs: bool,
    /// Keep the others instead
    #[arg(long)]
    pub(crate) invert: bool,
    /// Keep only the first entry of each variable
    #[arg(long, conflicts_with = "final_")]
    pub(crate) first: bool,
    /// Keep only the last entry of each variable
    #[arg(long = "final", visible_alias = "last")]
    pub(crate) final_: bool,
    /// Print a table: time, variable, source, value
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print a column for each of these keys of the values; implies --csv
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    pub(crate) keys: Vec<String>,
    /// Put an apostrophe before texts that a spreadsheet would take for formulas: those that begin with =, +, -, @, a
    /// tab or a line break. Numbers stay unchanged
    #[arg(long, value_enum, default_value_t = CsvSafe::On)]
    pub(crate) csv_safe: CsvSafe,
    /// Write to this file instead of standard output
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(short, long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ScanArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EncountersArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the times of near misses and collisions to this file, one per line
    #[arg(long, value_name = "OUT")]
    pub(crate) tfile: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(short, long, requires = "tfile")]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct HelmArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print only behaviors spawned or ended
    #[arg(short, long)]
    pub(crate) life: bool,
    /// Print only changes of the mode
    #[arg(short, long)]
    pub(crate) modes: bool,
    /// Print only changes of which behaviors are active, running, idle, disabled or completed
    #[arg(short, long)]
    pub(crate) behaviors: bool,
    /// Print each entry of this variable too; may be repeated
    #[arg(short, long, value_name = "VARIABLE")]
    pub(crate) watch: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ClipArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// First second to keep
    #[arg(value_name = "MIN", allow_negative_numbers = true)]
    pub(crate) from: f64,
    /// Last second to keep
    #[arg(value_name = "MAX", allow_negative_numbers = true)]
    pub(crate) to: f64,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SortArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Sort this many megabytes in memory; the rest goes through temporary files beside the output
    #[arg(long, value_name = "MB", default_value_t = 256)]
    pub(crate) memory: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// Logs, each with a LOGSTART
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Sort this many megabytes in memory; the rest goes through temporary files beside the output
    #[arg(long, value_name = "MB", default_value_t = 256)]
    pub(crate) memory: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SplitArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PayloadsArgs {
    /// A log
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TableArgs {
    /// A synchronous log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write to this file instead of standard output
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(short, long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new("thin").args(["rate", "mark"]).multiple(true)))]
pub(crate) struct PareArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Leave out these variables; globs
    #[arg(long, value_name = "GLOB", value_delimiter = ',', alias = "hitvars")]
    pub(crate) drop: Vec<String>,
    /// Keep at most this many entries of a variable per second
    #[arg(long, value_name = "HZ")]
    pub(crate) rate: Option<f64>,
    /// Thin out only these variables; globs
    #[arg(long, value_name = "GLOB", value_delimiter = ',', requires = "thin", alias = "parevars")]
    pub(crate) only: Vec<String>,
    /// Keep everything near an entry of these variables, globs, and thin out only the rest: to --rate, or without it
    /// entirely
    #[arg(long, value_name = "GLOB", value_delimiter = ',', alias = "markvars")]
    pub(crate) mark: Vec<String>,
    /// How near, in seconds of the log before and after
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, requires = "mark", aliases = ["pare-window", "pare_window"])]
    pub(crate) window: f64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DedupArgs {
    /// A log, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Drop an entry whose value repeats the variable's last one, whatever its time and source
    #[arg(long)]
    pub(crate) values: bool,
}
