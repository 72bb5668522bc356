//! Times and durations as users write them.

use std::{str::FromStr, time::Duration};

use jiff::SignedDuration;
use robolog_sinks::text::decimal;

use super::Bound;

/// RFC 3339; `@1750223328.5`, seconds of Unix time; `10`, `10s` or `2m30s` from the start; `-30s` from the end.
///
/// ```
/// use robolog_convert::Bound;
/// assert_eq!("2m30s".parse(), Ok(Bound::FromStart(150_000_000_000)));
/// assert_eq!("-0.5".parse(), Ok(Bound::FromEnd(500_000_000)));
/// ```
impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "neither a time like 2024-09-17T15:47:55Z or @1726588075.5, nor a span like 12.5, 2m30s or -30s"
                .to_owned()
        };
        if let Some(seconds) = text.strip_prefix('@') {
            let (seconds, is_before) =
                seconds.strip_prefix('-').map_or((seconds, false), |seconds| (seconds, true));
            let nanos = decimal(seconds).ok_or_else(wrong)?;
            return Ok(Self::Unix(if is_before { nanos.saturating_neg() } else { nanos }));
        }
        if let Some(span) = text.strip_prefix('-') {
            return nanos(span).map(Self::FromEnd).ok_or_else(wrong);
        }
        if let Some(nanos) = nanos(text) {
            return Ok(Self::FromStart(nanos));
        }
        let time: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
        i64::try_from(time.as_nanosecond()).map(Self::Unix).map_err(|_| "out of range".to_owned())
    }
}

impl Bound {
    /// The time `duration` after `from`, or after the start without it.
    #[must_use]
    pub fn after(from: Option<Self>, duration: Duration) -> Self {
        let nanos = i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
        match from.unwrap_or(Self::FromStart(0)) {
            Self::Unix(start) => Self::Unix(start.saturating_add(nanos)),
            Self::FromStart(start) => Self::FromStart(start.saturating_add(nanos)),
            // Below zero it would lie after the end.
            Self::FromEnd(start) => Self::FromEnd(start.saturating_sub(nanos)),
        }
    }

    /// Parses a duration such as `12.5`, in seconds, or `2m30s`. Returns an error for anything else.
    pub fn duration(text: &str) -> Result<Duration, String> {
        let nanos = nanos(text).and_then(|nanos| u64::try_from(nanos).ok());
        nanos.map(Duration::from_nanos).ok_or_else(|| "not a span like 12.5 or 2m30s".into())
    }
}

/// Nanoseconds of a duration: seconds, or like `2m30s`, without a sign.
fn nanos(text: &str) -> Option<i64> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    decimal(text).or_else(|| i64::try_from(text.parse::<SignedDuration>().ok()?.as_nanos()).ok())
}
