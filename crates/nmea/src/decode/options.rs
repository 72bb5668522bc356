//! How sentences are decoded.

use crate::Date;

/// Options for decoding sentences.
///
/// ```
/// use robolog_nmea::{Date, Options};
/// let mut options = Options::default();
/// options.date = Date::new(2024, 5, 17); // of a log that holds times of day alone
/// let samples = robolog_nmea::open_with("examples/types.nmea", &options)?.samples_with(options);
/// assert!(samples.flatten().count() > 0);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// First day of the log; `None` searches the log for a date.
    pub date: Option<Date>,
    /// Delivers moments without a fix, too, if nothing gives them a position: latitude and longitude are not numbers.
    pub lost_fixes: bool,
}
