//! What can be chosen for tables.

use std::{fmt, str::FromStr};

/// What can be chosen for tables.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableOptions {
    /// Name the files of a folder that has one for each channel as Hive does, `kind=KIND/channel=NAME/part-0.parquet`:
    /// readers then know kind and channel from the path and open no file that is not asked for.
    pub hive: bool,
    /// One table of all channels, with a row for each tick of a clock.
    pub wide: Option<Wide>,
    /// The time columns of CSV, in their order. By default nanoseconds alone.
    pub time_columns: Vec<TimeColumn>,
    /// Columns that are computed of poses and odometry, behind those that they have.
    pub derived: Vec<Derived>,
    /// Whether cells of CSV with a text that a spreadsheet would take for a formula, and names of columns, begin with an
    /// apostrophe: those that begin with `=`, `+`, `-`, `@`, a tab or a line's end, and are no number. True by default.
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

/// How the rows of a wide table are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide {
    /// Rows a second.
    pub rate: Rate,
    /// What stands between two samples of a channel.
    pub fill: Fill,
    /// Nanoseconds: a value is held no longer, and no longer gap is interpolated. Without this a value is held until the
    /// next one, and gaps of up to [`Wide::GAP`] are interpolated.
    pub max_gap: Option<i64>,
    /// Whether rows lie at whole multiples of the period from the start of the recording; otherwise from time 0 of its clock.
    pub from_start: bool,
}

impl Wide {
    /// The longest gap that is interpolated by default: 10 s, in nanoseconds.
    pub const GAP: i64 = 10_000_000_000;

    /// Rows at this rate, in which values are held.
    pub const fn new(rate: Rate) -> Self {
        Self { rate, fill: Fill::Hold, max_gap: None, from_start: false }
    }
}

/// What stands between two samples of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fill {
    /// The last sample.
    #[default]
    Hold,
    /// Numbers on the line between both samples, angles the shorter way round, orientations by spherical interpolation.
    /// Integers, truth values and texts are held.
    Interpolate,
}

/// Rows a second, to the microhertz: more than 0, up to a million.
///
/// ```
/// use robolog_convert::sink::Rate;
/// assert_eq!("12.5".parse::<Rate>()?.to_string(), "12.5");
/// assert!("0".parse::<Rate>().is_err());
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(u64);

impl Rate {
    /// Rows in a million seconds.
    pub const fn micro_hz(self) -> u64 {
        self.0
    }

    /// This many rows a second; `None` beyond the range.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    pub fn from_hz(hz: f64) -> Option<Self> {
        let micro_hz = (hz * 1e6).round();
        (1.0..=1e12).contains(&micro_hz).then_some(Self(micro_hz as u64))
    }
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().ok().and_then(Self::from_hz).ok_or("not a rate of 0.000001 to 1000000 Hz")
    }
}

impl fmt::Display for Rate {
    #[expect(clippy::cast_precision_loss, reason = "at most a million million")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1e6)
    }
}

/// A way to write the time of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeColumn {
    /// `time_ns`: nanoseconds of the recording's clock.
    Ns,
    /// `time`: the same as RFC 3339 in UTC with nanoseconds. Empty when the clock does not count Unix time.
    Iso,
    /// `t`: seconds from the start of the recording.
    Relative,
}

impl TimeColumn {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ns, Self::Iso, Self::Relative];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Iso => "iso",
            Self::Relative => "relative",
        }
    }

    /// The name of its column.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Ns => "time_ns",
            Self::Iso => "time",
            Self::Relative => "t",
        }
    }
}

/// A column that is computed of poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Derived {
    /// `yaw`, rad: the heading in the frame of the pose, counter-clockwise from its x axis, as REP 103 has it; above -π, up
    /// to π.
    Yaw,
    /// `speed`, m/s: the length of the linear velocity where the recording gives it, otherwise the distance from the pose
    /// before divided by the time between both.
    Speed,
    /// `distance`, m: the sum of the distances from pose to pose of the channel so far.
    Distance,
}

impl Derived {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Yaw, Self::Speed, Self::Distance];

    /// The name of its column, which is what people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yaw => "yaw",
            Self::Speed => "speed",
            Self::Distance => "distance",
        }
    }

    /// What it is measured in.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Yaw => "rad",
            Self::Speed => "m/s",
            Self::Distance => "m",
        }
    }
}
