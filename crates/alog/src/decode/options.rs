//! What can be chosen of a log's samples.

/// Which time samples get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TimeFrom {
    /// The unix time behind `time=` inside the value where there is one within an hour of the column's, and else
    /// the column.
    #[default]
    Embedded,
    /// The column.
    Column,
    /// The column, in seconds since the log began, whatever LOGSTART says.
    Relative,
    /// As [`Embedded`](Self::Embedded), in seconds since the log began by the mission's own clock, which a time warp makes
    /// faster than one on a wall: see [`Header::set_times`](crate::Header::set_times).
    Mission,
}

impl TimeFrom {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Embedded, Self::Column, Self::Relative, Self::Mission];

    /// The name by which it is chosen.
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

    /// Whether times count on the mission's own clock.
    pub const fn is_of_mission(self) -> bool {
        matches!(self, Self::Relative | Self::Mission)
    }
}

robolog_core::names!(TimeFrom, "time of samples");

/// What can be chosen when entries become samples.
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
    /// Which time samples get.
    pub time: TimeFrom,
    /// How much faster than real time the community ran; guessed from the log where it is not given.
    pub warp: Option<crate::Warp>,
    /// Reads the pictures that entries of `CAMERA_FILE_WRITE` name, each when its entry comes, from the folder that the log
    /// lies in or below it: where they lay when the log was written does not count, and nothing outside of the folder is
    /// read. One that is not there is damage of its entry. One record's limit bounds each.
    pub pictures: bool,
}
