//! Options for tables.

use std::{fmt, str::FromStr};

/// Options for tables.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableOptions {
    /// Whether a folder with a file per channel is named as in Hive, `kind=KIND/channel=NAME/part-0.parquet`: readers
    /// then take kind and channel from the path and open only the files they need.
    pub hive: bool,
    /// One table of all channels, with a row per clock tick.
    pub wide: Option<Wide>,
    /// Time columns of CSV, in order. Nanoseconds only by default.
    pub time_columns: Vec<TimeColumn>,
    /// Columns computed from poses and odometry, after their own.
    pub derived: Vec<Derived>,
    /// Whether CSV texts and column names that a spreadsheet would take for a formula get a leading apostrophe: those
    /// that begin with `=`, `+`, `-`, `@`, a tab or a line break and are not a number. True by default.
    pub csv_safe: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            hive: false,
            wide: None,
            time_columns: vec![TimeColumn::Ns],
            derived: Vec::new(),
            csv_safe: true,
        }
    }
}

/// Rows of a wide table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide {
    /// Rows per second.
    pub rate: Rate,
    /// Values between two samples of a channel.
    pub fill: Fill,
    /// Maximum nanoseconds that a value is held or a gap interpolated. By default a value is held until the next one,
    /// and gaps of up to [`Wide::GAP`] are interpolated.
    pub max_gap: Option<i64>,
    /// Whether rows are at multiples of the period since the start of the recording, instead of time 0 of its clock.
    pub from_start: bool,
}

impl Wide {
    /// Longest gap interpolated by default: 10 s, in nanoseconds.
    pub const GAP: i64 = 10_000_000_000;

    /// Rows at this rate, with held values.
    pub const fn new(rate: Rate) -> Self {
        Self { rate, fill: Fill::Hold, max_gap: None, from_start: false }
    }
}

/// Values between two samples of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fill {
    /// The last sample.
    #[default]
    Hold,
    /// Linear interpolation of numbers, the shorter way round for angles, spherical for orientations. Integers,
    /// booleans and texts are held.
    Interpolate,
}

/// Rows per second, to the microhertz: more than 0, up to a million.
///
/// ```
/// use robolog_sinks::Rate;
/// assert_eq!("12.5".parse::<Rate>()?.to_string(), "12.5");
/// assert!("0".parse::<Rate>().is_err());
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(u64);

impl Rate {
    /// Rows per million seconds.
    pub const fn micro_hz(self) -> u64 {
        self.0
    }

    /// Creates a rate of `hz` rows per second; `None` out of range.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    pub fn from_hz(hz: f64) -> Option<Self> {
        let micro_hz = (hz * 1e6).round();
        (1.0..=1e12).contains(&micro_hz).then_some(Self(micro_hz as u64))
    }
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_suffix("Hz").or_else(|| text.strip_suffix("hz")).unwrap_or(text).trim_end();
        number.parse().ok().and_then(Self::from_hz).ok_or("not a rate of 0.000001 to 1000000 Hz, such as 10")
    }
}

impl fmt::Display for Rate {
    #[expect(clippy::cast_precision_loss, reason = "at most a million million")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1e6)
    }
}

/// Form of a time column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeColumn {
    /// `time_ns`: nanoseconds of the recording's clock.
    Ns,
    /// `time`: the same as RFC 3339 in UTC with nanoseconds. Empty if the clock does not count Unix time.
    Iso,
    /// `t`: seconds from the start of the recording.
    Relative,
}

impl TimeColumn {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Ns, Self::Iso, Self::Relative];

    /// Name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Iso => "iso",
            Self::Relative => "relative",
        }
    }

    /// Name of the column.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Ns => "time_ns",
            Self::Iso => "time",
            Self::Relative => "t",
        }
    }
}

/// A column computed from poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Derived {
    /// `yaw`, rad: heading in the frame of the pose, counter-clockwise from its x axis as in REP 103; above -π, up to
    /// π.
    Yaw,
    /// `speed`, m/s: length of the linear velocity if recorded, otherwise distance from the previous pose divided by
    /// the time since.
    Speed,
    /// `distance`, m: sum of the distances between the channel's poses so far.
    Distance,
}

impl Derived {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Yaw, Self::Speed, Self::Distance];

    /// Name of the column, also in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yaw => "yaw",
            Self::Speed => "speed",
            Self::Distance => "distance",
        }
    }

    /// Unit of the column.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Yaw => "rad",
            Self::Speed => "m/s",
            Self::Distance => "m",
        }
    }
}
