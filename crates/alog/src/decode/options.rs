//! Options for decoding logs.

/// Source of the samples' times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TimeFrom {
    /// The Unix time after `time=` in the value if it is within an hour of the column's, otherwise the column.
    #[default]
    Embedded,
    /// The column.
    Column,
    /// The column, in seconds since the start of the log, regardless of LOGSTART.
    Relative,
    /// As [`Embedded`](Self::Embedded), in seconds since the start of the log by the mission's clock, which a time warp
    /// makes run faster than real time: see [`Header::set_times`](crate::Header::set_times).
    Mission,
}

impl TimeFrom {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Embedded, Self::Column, Self::Relative, Self::Mission];

    /// Name of the option's value.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Column => "column",
            Self::Relative => "relative",
            Self::Mission => "mission",
        }
    }

    /// Whether a time inside a value counts.
    pub(crate) const fn is_embedded(self) -> bool {
        matches!(self, Self::Embedded | Self::Mission)
    }

    /// Whether times follow the mission clock.
    pub const fn is_of_mission(self) -> bool {
        matches!(self, Self::Relative | Self::Mission)
    }
}

robolog_core::names!(TimeFrom, "time of samples");

/// Options for decoding entries.
///
/// ```
/// use alog::{Options, TimeFrom};
/// let mut options = Options::default();
/// options.time = TimeFrom::Relative;
/// let first = alog::open("examples/moosivp.alog")?.samples_with(options).next();
/// let time = first.expect("there is one")?.time.expect("it has a time");
/// assert_eq!(time.clock(), alog::Clock::Relative);
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Source of the samples' times.
    pub time: TimeFrom,
    /// How much faster than real time the community ran; `None` guesses it from the log.
    pub warp: Option<crate::Warp>,
    /// Whether to read the pictures that `CAMERA_FILE_WRITE` names, each with its entry, from the log's folder or
    /// below: their original path does not matter, and nothing outside of the folder is read. A missing one is damage
    /// of its entry. The size limit of a record applies to each.
    pub pictures: bool,
}
