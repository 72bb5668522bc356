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
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct TableArgs {
    #[arg(long)]
    pub(crate) hive: bool,
    #[arg(long, requires = "rate", conflicts_with_all = ["per", "hive", "rosbag2_dir"])]
    pub(crate) wide: bool,
    #[arg(long, requires = "wide")]
    rate: Option<Rate>,
    #[arg(long, requires = "wide", conflicts_with = "interpolate")]
    hold: bool,
    #[arg(long, requires = "wide")]
    interpolate: bool,
    #[arg(long, requires = "wide", value_parser = gap)]
    max_gap: Option<i64>,
    #[arg(long, value_delimiter = ',', value_parser = time_column())]
    time_columns: Vec<TimeColumn>,
    #[arg(long, value_delimiter = ',', value_parser = derived())]
    derive: Vec<Derived>,
    #[arg(long, value_enum)]
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
