//! Interpretation of the times of day in `_GGA_all.txt`.

use robolog_core::slices::InRange as _;

/// Notation of `utc_time`: the documentation does not give it, and the published rows fit both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum UtcReading {
    /// Seconds of the day.
    #[cfg_attr(feature = "serde", serde(rename = "seconds"))]
    Seconds,
    /// Hours, minutes and seconds as one number, `hhmmss`.
    #[cfg_attr(feature = "serde", serde(rename = "hhmmss"))]
    Hhmmss,
    /// The values fit both; seconds of the day are assumed.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "ambiguous, assumed seconds"))]
    Ambiguous,
}

impl UtcReading {
    /// Name in `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Hhmmss => "hhmmss",
            Self::Ambiguous => "ambiguous, assumed seconds",
        }
    }

    /// Seconds since midnight of a time in this notation; `None` if it is no time of day.
    pub fn seconds_of_day(self, utc_time: f64) -> Option<f64> {
        let seconds = match self {
            Self::Hhmmss => {
                let (hours, minutes) = ((utc_time / 10_000.0).trunc(), (utc_time / 100.0).trunc() % 100.0);
                hours * 3600.0 + minutes * 60.0 + utc_time % 100.0
            }
            Self::Seconds | Self::Ambiguous => utc_time,
        };
        (0.0..=86_401.0).contains(&seconds).then_some(seconds)
    }
}

/// Finds the notation of `utc_time` from the values of a table in order.
///
/// ```
/// use effibox::table::{Detector, UtcReading};
/// let mut detector = Detector::default();
/// for time in [32_322.0, 32_323.0, 32_324.0] {
///     detector.push(time);
/// }
/// assert_eq!(detector.reading(), UtcReading::Ambiguous);
/// detector.push(32_360.0);
/// assert_eq!(detector.reading(), UtcReading::Seconds);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Detector {
    seconds: u64,
    hhmmss: u64,
    last: Option<f64>,
}

impl Detector {
    /// Adds the next value.
    pub fn push(&mut self, utc_time: f64) {
        let whole = utc_time.trunc();
        let (seconds, minutes) = (whole % 100.0, (whole / 100.0).trunc() % 100.0);
        let last = self.last.replace(whole);
        if !(0.0..=240_000.0).contains(&utc_time) {
            return;
        }
        let up = |n: &mut u64| *n = n.plus(1);
        if seconds >= 60.0 || minutes >= 60.0 {
            up(&mut self.seconds);
        } else if whole > 86_400.0 {
            up(&mut self.hhmmss);
        } else if let Some(last) = last {
            // From second 59 to the next minute the digits rise by 40 more than a second.
            let step = whole - last;
            if (41.0..=50.0).contains(&step) && last % 100.0 >= 50.0 && seconds <= 9.0 {
                up(&mut self.hhmmss);
            }
        }
    }

    /// The notation that the values allow so far.
    pub fn reading(&self) -> UtcReading {
        match (self.seconds, self.hhmmss) {
            (0, 0) => UtcReading::Ambiguous,
            (seconds, hhmmss) if seconds >= hhmmss => UtcReading::Seconds,
            _ => UtcReading::Hhmmss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(times: impl IntoIterator<Item = f64>) -> UtcReading {
        let mut detector = Detector::default();
        times.into_iter().for_each(|t| detector.push(t));
        detector.reading()
    }

    #[test]
    fn a_minute_tells_seconds_from_digits() {
        assert_eq!(reading((32_322..32_400).map(f64::from)), UtcReading::Seconds);
        let digits = (0..120_u32).map(|s| f64::from(85_800 + s / 60 * 100 + s % 60));
        assert_eq!(reading(digits), UtcReading::Hhmmss);
        assert_eq!(reading([123_519.0, 123_520.0]), UtcReading::Hhmmss);
        assert_eq!(reading([0.0, 1.0, 2.0]), UtcReading::Ambiguous);
        assert_eq!(reading([f64::NAN, -1.0, 1e300]), UtcReading::Ambiguous);
        // At ten a second.
        let tenths =
            (0..200_u32).map(|t| f64::from(85_850 + if t < 100 { 0 } else { 40 }) + f64::from(t) / 10.0);
        assert_eq!(reading(tenths), UtcReading::Hhmmss);
    }

    #[test]
    fn both_readings_give_seconds_of_the_day() {
        assert_eq!(UtcReading::Hhmmss.seconds_of_day(85_842.5), Some(32_322.5));
        assert_eq!(UtcReading::Seconds.seconds_of_day(32_322.5), Some(32_322.5));
        assert_eq!(UtcReading::Seconds.seconds_of_day(1e9), None);
        assert_eq!(UtcReading::Hhmmss.seconds_of_day(f64::NAN), None);
    }
}
