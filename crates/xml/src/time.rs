//! Dates and times of XML Schema and KML.

use std::fmt;

use robolog_core::{Clock, Timestamp, slices::Part as _};

/// A date and time as written in the document.
///
/// Seconds may have a fraction, and as in KML a date may lack its day or month; it then means the first moment of the
/// month or year. Without an offset, UTC is assumed. As some programs write them, a comma may precede the decimals, and
/// a blank the offset.
///
/// ```
/// use robolog_xml::Time;
/// let time = Time::new("1997-07-16T10:30:15.5+03:00");
/// assert_eq!(time.timestamp().unwrap().to_string(), "1997-07-16T07:30:15.500000000Z");
/// assert_eq!(Time::new("1997-07").timestamp().unwrap().to_string(), "1997-07-01T00:00:00.000000000Z");
/// assert_eq!(Time::new("yesterday").timestamp(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Time(Box<str>);

impl Time {
    /// From the text of an element, trimmed.
    pub fn new(text: &str) -> Self {
        Self(text.trim().into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The time on the Unix clock; `None` if the text is not a date, or is more than 292 years from 1970.
    pub fn timestamp(&self) -> Option<Timestamp> {
        parse(self.0.as_bytes())
    }

    /// In the form of `xsd:dateTime`: the text if it has that form, else the time; `None` without a time.
    pub fn date_time(&self) -> Option<std::borrow::Cow<'_, str>> {
        let text = self.0.as_bytes();
        let is_clock = |rest: &[u8]| {
            let behind = after(rest, b'.').map_or(rest, |fraction| {
                let len = fraction.iter().position(|b| !b.is_ascii_digit()).unwrap_or(fraction.len());
                // A dot needs digits after it.
                if len == 0 { rest } else { fraction.part(len..) }
            });
            matches!(behind, [] | [b'Z'] | [b'+' | b'-', _, _, b':', _, _]) && offset(behind).is_some()
        };
        let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        let mut digits = (0..19).filter(|at| !marks.iter().any(|(mark, _)| mark == at));
        let is_schema = marks.iter().all(|(at, mark)| text.get(*at) == Some(mark))
            && digits.all(|at| text.get(at).is_some_and(u8::is_ascii_digit));
        if is_schema && text.get(19..).is_some_and(is_clock) {
            return Some(self.as_str().into());
        }
        Some(Self::from(self.timestamp()?).0.into_string().into())
    }
}

/// In the form of the schemas, with as many decimals as needed.
impl From<Timestamp> for Time {
    fn from(time: Timestamp) -> Self {
        let text = Timestamp::new(time.nanos(), Clock::Unix).to_string();
        let digits = text.trim_end_matches('Z').trim_end_matches('0').trim_end_matches('.');
        Self(format!("{digits}Z").into())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The time that a trimmed text names.
#[inline]
pub fn parse(text: &[u8]) -> Option<Timestamp> {
    plain(text).or_else(|| any(text))
}

/// The common form, such as `1997-07-16T10:30:15.5Z`.
#[inline]
fn plain(text: &[u8]) -> Option<Timestamp> {
    let (head, rest) = text.split_first_chunk()?;
    let [c1, c2, y1, y2, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2] = head else {
        return None;
    };
    let nanos = match rest {
        b"Z" => 0,
        [b'.', .., b'Z'] => match decimals(rest.get(1..)?)? {
            (nanos, b"Z") => nanos,
            _ => return None,
        },
        _ => return None,
    };
    let pairs = [[c1, c2], [y1, y2], [m1, m2], [d1, d2], [h1, h2], [n1, n2], [s1, s2]];
    let [century, year, month, day, hour, minute, second] = pairs.map(|pair| {
        let [tens, ones] = pair.map(|digit| digit.wrapping_sub(b'0'));
        // No part of a time is as large.
        if tens > 9 || ones > 9 { u8::MAX } else { tens.wrapping_mul(10).wrapping_add(ones) }
    });
    let is_year = century < 100 && year < 100;
    let year = i32::from(century).wrapping_mul(100).wrapping_add(year.into());
    is_year.then(|| Timestamp::from_utc(year, month, day, hour, minute, second, nanos)).flatten()
}

/// Any form.
fn any(text: &[u8]) -> Option<Timestamp> {
    let (year, rest) = digits(text, 4)?;
    let year = i32::try_from(year).ok()?;
    let (month, rest) = after(rest, b'-').map_or(Some((1, rest)), |rest| digits(rest, 2))?;
    let (day, rest) = after(rest, b'-').map_or(Some((1, rest)), |rest| digits(rest, 2))?;
    let (mut time, mut nanos, mut rest) = ((0, 0, 0), 0, rest);
    if let [b'T' | b't' | b' ', clock @ ..] = rest {
        let (hour, behind) = digits(clock, 2)?;
        let (minute, behind) = digits(after(behind, b':')?, 2)?;
        let (second, behind) = match after(behind, b':') {
            Some(behind) => digits(behind, 2)?,
            None => (0, behind),
        };
        time = (hour, minute, second);
        rest = behind;
        if let Some(fraction) = after(behind, b'.').or_else(|| after(behind, b',')) {
            (nanos, rest) = decimals(fraction)?;
        }
        rest = unspaced(rest);
    }
    let byte = |n: u32| u8::try_from(n).ok();
    let (hour, minute, second) = (byte(time.0)?, byte(time.1)?, byte(time.2)?);
    // Midnight at the end of a day.
    let (hour, next) = if (hour, minute, second, nanos) == (24, 0, 0, 0) { (0, DAY) } else { (hour, 0) };
    let local = Timestamp::from_utc(year, byte(month)?, byte(day)?, hour, minute, second, nanos)?;
    local.checked_add(next)?.checked_add(offset(rest)?.checked_neg()?)
}

/// Shifts a date and time by `nanos` nanoseconds and keeps its form: its zone, and its number of decimals or as many as
/// needed. `None` if the text is not a time, or lacks its day, hour or seconds.
///
/// ```
/// let later = |text: &str| robolog_xml::shift_time(text.as_bytes(), 1_500_000_000);
/// assert_eq!(later("1997-07-16T23:59:59+03:00").as_deref(), Some("1997-07-17T00:00:00.5+03:00"));
/// assert_eq!(later("1997-07-16T10:30:15.50Z").as_deref(), Some("1997-07-16T10:30:17.00Z"));
/// assert_eq!(later("1997-07-16T10:30:15,5 Z").as_deref(), Some("1997-07-16T10:30:17,0 Z"));
/// assert_eq!(later("1997-07"), None);
/// ```
pub fn shift_time(text: &[u8], nanos: i64) -> Option<String> {
    let (head, rest) = text.split_at_checked("1997-07-16T10:30:15".len())?;
    let point = rest.first().copied().filter(|byte| matches!(byte, b'.' | b','));
    let digits = point.and_then(|point| after(rest, point)).unwrap_or_default();
    let len = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, zone) = if digits.is_empty() { (digits, rest) } else { digits.split_at_checked(len)? };
    if head.get(13) != Some(&b':') || head.get(16) != Some(&b':') {
        return None;
    }
    let local = parse(text)?.checked_add(nanos)?.checked_add(offset(unspaced(zone))?)?.to_string();
    let (clock, fraction) = local.strip_suffix('Z')?.split_once('.')?;
    let (date, time) = clock.split_once('T')?;
    let kept = fraction.trim_end_matches('0').len().max(digits.len().min(fraction.len()));
    // Digits may be fewer than the fraction has.
    let (between, beyond) = (char::from(*head.get(10)?), digits.part_or_empty(fraction.len()..));
    let (beyond, zone) = (std::str::from_utf8(beyond).ok()?, std::str::from_utf8(zone).ok()?);
    let point = char::from(point.unwrap_or(b'.'));
    let fraction = if kept > 0 { format!("{point}{}", fraction.get(..kept)?) } else { String::new() };
    Some(format!("{date}{between}{time}{fraction}{beyond}{zone}"))
}

const MINUTE: i64 = 60_000_000_000;
const DAY: i64 = 1440 * MINUTE;

/// Offset of a zone from UTC, nanoseconds, positive to the east.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, rest) = match zone {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = digits(rest, 2)?;
    let rest = after(rest, b':').unwrap_or(rest);
    let (minutes, rest) = if rest.is_empty() { (0, rest) } else { digits(rest, 2)? };
    if hours > 14 || minutes > 59 || !rest.is_empty() {
        return None;
    }
    let minutes = i64::from(hours).checked_mul(60)?.checked_add(i64::from(minutes))?;
    minutes.checked_mul(MINUTE)?.checked_mul(sign)
}

/// A zone without a blank before it.
fn unspaced(zone: &[u8]) -> &[u8] {
    after(zone, b' ').filter(|zone| !zone.is_empty()).unwrap_or(zone)
}

fn after(text: &[u8], mark: u8) -> Option<&[u8]> {
    text.split_first().filter(|(first, _)| **first == mark).map(|(_, rest)| rest)
}

/// A number of exactly this many digits.
#[inline]
fn digits(text: &[u8], n: usize) -> Option<(u32, &[u8])> {
    let (number, rest) = text.split_at_checked(n)?;
    let mut value = 0_u32;
    for byte in number {
        value = value.checked_mul(10)?.checked_add(digit(*byte)?)?;
    }
    Some((value, rest))
}

#[inline]
fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(byte.wrapping_sub(b'0'))).filter(|n| *n < 10)
}

/// Decimals of a second, in nanoseconds; digits after the ninth are dropped.
fn decimals(text: &[u8]) -> Option<(u32, &[u8])> {
    let len = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(len).filter(|(number, _)| !number.is_empty())?;
    let mut nanos = 0_u32;
    for place in 0..9 {
        let n = number.get(place).copied().map_or(Some(0), digit)?;
        nanos = nanos.checked_mul(10)?.checked_add(n)?;
    }
    Some((nanos, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the calendar of GNU date.
    #[test]
    fn dates_of_all_precisions() {
        let secs = |text: &str| parse(text.as_bytes()).map(Timestamp::secs_and_nanos);
        for (text, want) in [
            ("1997", (852_076_800, 0)),
            ("1997-07", (867_715_200, 0)),
            ("1997-07-16", (869_011_200, 0)),
            ("1997-07-16T07:30:15Z", (869_038_215, 0)),
            ("1997-07-16T10:30:15+03:00", (869_038_215, 0)),
            ("1997-07-16T10:30:15.0012345678+0300", (869_038_215, 1_234_567)),
            ("1997-07-16 07:30", (869_038_200, 0)),
            ("1997-07-16T07:30:15,5Z", (869_038_215, 500_000_000)),
            ("1997-07-16T07:30:15 Z", (869_038_215, 0)),
            ("1997-07-16T10:30:15,25 +03:00", (869_038_215, 250_000_000)),
            ("1997-07-15T24:00:00Z", (869_011_200, 0)),
            ("1969-12-31T23:59:59.75", (-1, 750_000_000)),
        ] {
            assert_eq!(secs(text), Some(want), "{text}");
        }
        for text in [
            "",
            "97",
            "1997-7-16",
            "1997-07-1:",
            "1997-07-1/",
            "1997-02-29",
            "1997-07-16T",
            "1997-07-16T07:30:15.Z",
            "1997-07-16T07:30:15,Z",
            "1997-07-16T07:30:15,",
            "1997-07-16T07:30:15  Z",
            "1997-07-16 Z",
            "1997Zx",
            "0001-01-01",
        ] {
            assert_eq!(secs(text), None, "{text}");
        }
    }

    #[test]
    fn the_common_form_is_read_like_any() {
        let mut found = 0;
        for text in ["1997-07-16T10:30:15Z", "2012-02-29T23:59:60.123456789012Z", "1997-07-16T24:00:00.5Z"] {
            for place in 0..text.len() {
                for byte in 0..=255 {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes[place] = byte;
                    let fast = plain(&bytes);
                    found += u32::from(fast.is_some());
                    assert!(fast.is_none() || fast == any(&bytes), "{}", bytes.escape_ascii());
                }
            }
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn times_are_written_as_the_schema_wants() {
        let schema = |text| Time::new(text).date_time().map(std::borrow::Cow::into_owned);
        for text in ["0001-01-01T00:00:00", "1997-07-16T10:30:15.50+03:00", "1997-07-16T10:30:15Z"] {
            assert_eq!(schema(text).as_deref(), Some(text));
        }
        assert_eq!(schema("1997-07-16 10:30").as_deref(), Some("1997-07-16T10:30:00Z"));
        assert_eq!(schema("1997-07-16T10:30:15,5 Z").as_deref(), Some("1997-07-16T10:30:15.5Z"));
        assert_eq!(schema("1997-07-16T10:30:15.+03:00"), None);
        let time = Timestamp::from_utc(1997, 7, 16, 7, 30, 10, 250_000_000).unwrap();
        assert_eq!(Time::from(time).as_str(), "1997-07-16T07:30:10.25Z");
        assert_eq!(Time::from(time.checked_add(-250_000_000).unwrap()).as_str(), "1997-07-16T07:30:10Z");
    }
}
