//! Limits by time, the same for every command.

use std::time::Duration;

use clap::Args as ClapArgs;
use jiff::SignedDuration;
use robolog_convert::Bound;

/// A half-open range of time.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct TimeArgs {
    /// From this time on. TIME is RFC 3339; @1750223328.5, seconds of Unix time; 10, 10s or 2m30s from the start (of a
    /// pipe: from its first stamp); -30s from the end
    #[arg(long, value_name = "TIME", value_parser = bound, allow_hyphen_values = true)]
    start: Option<Bound>,
    /// Up to this time, not including it
    #[arg(long, value_name = "TIME", value_parser = bound, allow_hyphen_values = true)]
    end: Option<Bound>,
    /// For so long from --start on, or from the start: 10, 10s or 2m30s
    #[arg(long, value_name = "D", value_parser = duration, conflicts_with = "end")]
    duration: Option<Duration>,
}

impl TimeArgs {
    /// From, and up to.
    pub(crate) fn bounds(&self) -> (Option<Bound>, Option<Bound>) {
        let end = self.end.or_else(|| {
            let nanos = i64::try_from(self.duration?.as_nanos()).unwrap_or(i64::MAX);
            Some(match self.start.unwrap_or(Bound::FromStart(0)) {
                Bound::Unix(start) => Bound::Unix(start.saturating_add(nanos)),
                Bound::FromStart(start) => Bound::FromStart(start.saturating_add(nanos)),
                // Below zero it lies behind the end.
                Bound::FromEnd(start) => Bound::FromEnd(start.saturating_sub(nanos)),
            })
        });
        (self.start, end)
    }
}

fn bound(text: &str) -> Result<Bound, String> {
    let wrong = || {
        "neither a time like 2024-09-17T15:47:55Z or @1726588075.5, nor a span like 12.5, 2m30s or -30s"
            .to_owned()
    };
    if let Some(seconds) = text.strip_prefix('@') {
        let (seconds, is_before) =
            seconds.strip_prefix('-').map_or((seconds, false), |seconds| (seconds, true));
        let nanos = decimal(seconds).ok_or_else(wrong)?;
        return Ok(Bound::Unix(if is_before { nanos.saturating_neg() } else { nanos }));
    }
    if let Some(span) = text.strip_prefix('-') {
        return nanos(span).map(Bound::FromEnd).ok_or_else(wrong);
    }
    if let Some(nanos) = nanos(text) {
        return Ok(Bound::FromStart(nanos));
    }
    let time: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
    i64::try_from(time.as_nanosecond()).map(Bound::Unix).map_err(|_| "out of range".to_owned())
}

fn duration(text: &str) -> Result<Duration, String> {
    let nanos = nanos(text).and_then(|nanos| u64::try_from(nanos).ok());
    nanos.map(Duration::from_nanos).ok_or_else(|| "not a span like 12.5 or 2m30s".into())
}

/// A span of some length.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|span| if span.is_zero() { Err("no time at all".into()) } else { Ok(span) })
}

/// Nanoseconds of a span: seconds, or like `2m30s`. A sign is none of its.
fn nanos(text: &str) -> Option<i64> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    decimal(text).or_else(|| i64::try_from(text.parse::<SignedDuration>().ok()?.as_nanos()).ok())
}

/// Nanoseconds of decimal seconds, to the last digit that counts: a double would round them.
fn decimal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanos: i64 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    whole.checked_mul(1_000_000_000)?.checked_add(nanos)
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
