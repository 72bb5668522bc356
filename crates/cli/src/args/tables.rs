//! Options for tables.

use std::borrow::Cow;

use clap::{
    Args as ClapArgs, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use robolog_convert::{
    TableOptions, csvw,
    sink::{Derived, Fill, Rate, TimeColumn, Wide},
};
use robolog_core::{Clock, Timestamp};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Tables")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct TableArgs {
    /// Write a folder of Parquet or Arrow files in Hive's layout: kind=KIND/channel=NAME/part-0.parquet, or
    /// kind=KIND/group=NAME/part-0.parquet with --per name; several inputs go below recording=NAME
    #[arg(long)]
    pub(crate) hive: bool,
    /// Write one table of all channels: a row per tick of --rate, a column per field
    ///
    /// A text longer than 200 bytes is in one row and is not repeated. With --time-columns relative, ticks count from
    /// the start of the recording, otherwise from the zero of its clock, such as 1970.
    #[arg(long, requires = "rate", conflicts_with_all = ["per", "hive", "rosbag2_dir"])]
    pub(crate) wide: bool,
    /// Rows per second of a wide table
    #[arg(long, value_name = "HZ", requires = "wide")]
    rate: Option<Rate>,
    /// Repeat a channel's last value in each row until the next one (default)
    #[arg(long, requires = "wide", conflicts_with = "interpolate")]
    hold: bool,
    /// Interpolate numbers between samples: angles the shorter way round, orientations on the sphere. Integers and
    /// texts are held; before the first and after the last sample of a channel, its cells are empty
    #[arg(long, requires = "wide")]
    interpolate: bool,
    /// Leave cells empty in gaps longer than this [default: no limit for --hold, 10 for --interpolate]
    #[arg(long, value_name = "SECONDS", requires = "wide", value_parser = gap)]
    max_gap: Option<i64>,
    /// Time columns of CSV: ns (`time_ns`, nanoseconds), iso (`time`, RFC 3339 in UTC), relative (`t`, seconds from
    /// the start)
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "ns", value_parser = time_column())]
    time_columns: Vec<TimeColumn>,
    /// Add columns to the poses and odometry of tables: yaw (rad, counter-clockwise from x), speed (m/s), distance (m, so
    /// far)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = derived())]
    derive: Vec<Derived>,
    /// Put an apostrophe before CSV texts that a spreadsheet would take for formulas: those that begin with =, +, -,
    /// @, a tab or a line break. Numbers stay unchanged
    #[arg(long, value_enum, default_value_t = CsvSafe::On)]
    csv_safe: CsvSafe,
}

/// Whether CSV cells are protected against being read as formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CsvSafe {
    On,
    Off,
}

impl CsvSafe {
    /// The text to write for a cell.
    pub(crate) fn cell(self, text: &[u8]) -> Cow<'_, [u8]> {
        if self == Self::On { csvw::shown(text) } else { text.into() }
    }
}

impl TableArgs {
    pub(crate) fn options(&self) -> TableOptions {
        let mut options = TableOptions::default();
        options.hive = self.hive;
        options.wide = self.rate.filter(|_| self.wide).map(|rate| Wide {
            rate,
            fill: if self.interpolate && !self.hold { Fill::Interpolate } else { Fill::Hold },
            max_gap: self.max_gap,
            from_start: self.needs_start(),
        });
        options.time_columns.clone_from(&self.time_columns);
        options.derived.clone_from(&self.derive);
        options.csv_safe = self.csv_safe == CsvSafe::On;
        options
    }

    /// Whether rows count seconds from the start of the recording.
    pub(crate) fn needs_start(&self) -> bool {
        self.time_columns.contains(&TimeColumn::Relative)
    }
}

fn time_column() -> impl TypedValueParser<Value = TimeColumn> {
    let names = PossibleValuesParser::new(TimeColumn::ALL.map(TimeColumn::name));
    names.map(|name| TimeColumn::ALL.into_iter().find(|one| one.name() == name).unwrap_or(TimeColumn::Ns))
}

fn derived() -> impl TypedValueParser<Value = Derived> {
    let names = PossibleValuesParser::new(Derived::ALL.map(Derived::name));
    names.map(|name| Derived::ALL.into_iter().find(|one| one.name() == name).unwrap_or(Derived::Yaw))
}

fn gap(text: &str) -> Result<i64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Timestamp::from_secs(seconds, Clock::Relative));
    time.map(Timestamp::nanos).ok_or_else(|| "not a number of seconds above 0".into())
}
