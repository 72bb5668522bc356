//! Time limits, the same for every command, and the choice of clock.

use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};
use robolog_convert::Bound;

/// Which times of MOOS logs to use.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TimeArg {
    #[value(alias = "embedded")]
    Wall,
    Mission,
    Column,
    Relative,
}

impl From<TimeArg> for ::alog::TimeFrom {
    fn from(time: TimeArg) -> Self {
        match time {
            TimeArg::Wall => Self::Embedded,
            TimeArg::Mission => Self::Mission,
            TimeArg::Column => Self::Column,
            TimeArg::Relative => Self::Relative,
        }
    }
}

/// A half-open range of time.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct TimeArgs {
    #[arg(long, value_parser = bound, allow_hyphen_values = true)]
    start: Option<Bound>,
    #[arg(long, value_parser = bound, allow_hyphen_values = true)]
    end: Option<Bound>,
    #[arg(long, value_parser = duration, conflicts_with = "end")]
    duration: Option<Duration>,
}

impl TimeArgs {
    /// Start and end.
    pub(crate) fn bounds(&self) -> (Option<Bound>, Option<Bound>) {
        let end = self.end.or_else(|| Some(Bound::after(self.start, self.duration?)));
        (self.start, end)
    }
}

fn bound(text: &str) -> Result<Bound, String> {
    text.parse()
}

fn duration(text: &str) -> Result<Duration, String> {
    Bound::duration(text)
}

/// Parses a time span longer than zero.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    duration(text)
        .and_then(|span| if span.is_zero() { Err("must be longer than 0".into()) } else { Ok(span) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_moments_or_spans() {
        assert_eq!(bound("12.5"), Ok(Bound::FromStart(12_500_000_000)));
        assert_eq!(bound("10s"), Ok(Bound::FromStart(10_000_000_000)));
        assert_eq!(bound("2m30s"), Ok(Bound::FromStart(150_000_000_000)));
        assert_eq!(bound("-30s"), Ok(Bound::FromEnd(30_000_000_000)));
        assert_eq!(bound("-0.5"), Ok(Bound::FromEnd(500_000_000)));
        assert_eq!(bound("@1750223328.123456789"), Ok(Bound::Unix(1_750_223_328_123_456_789)));
        assert_eq!(bound("@-1"), Ok(Bound::Unix(-1_000_000_000)));
        assert_eq!(bound("1970-01-01T00:00:01Z"), Ok(Bound::Unix(1_000_000_000)));
        assert_eq!(bound("1970-01-01T01:00:01.5+01:00"), Ok(Bound::Unix(1_500_000_000)));
        for text in
            ["", "yesterday", "nan", "1e300", "12:30", "@", "@x", "-", "--1", ".", "99999999999999999999"]
        {
            assert!(bound(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_duration_counts_from_the_start_that_was_given() {
        let end = |start: Option<&str>, of: &str| {
            let start = start.map(|text| bound(text).unwrap());
            TimeArgs { start, end: None, duration: Some(duration(of).unwrap()) }.bounds().1
        };
        assert_eq!(end(None, "5"), Some(Bound::FromStart(5_000_000_000)));
        assert_eq!(end(Some("1m"), "5s"), Some(Bound::FromStart(65_000_000_000)));
        assert_eq!(end(Some("-30s"), "10s"), Some(Bound::FromEnd(20_000_000_000)));
        assert_eq!(end(Some("@100"), "1.5"), Some(Bound::Unix(101_500_000_000)));
        assert!(duration("-5").is_err() && duration("x").is_err());
    }
}
