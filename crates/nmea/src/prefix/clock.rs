//! Times before and behind sentences: dates with times of day, seconds or milliseconds since 1970, times of day.

use robolog_core::{
    Timestamp,
    slices::{InRange as _, Part as _},
};

const SECOND: i64 = 1_000_000_000;

/// The length of a time at the start of `text`, brackets around it included, and the Unix time in nanoseconds; `None`
/// for a time of day.
pub(super) fn bracketed(text: &[u8]) -> Option<(usize, Option<i64>)> {
    let close = match text.first()? {
        b'[' => b']',
        b'(' => b')',
        b'<' => b'>',
        b'{' => b'}',
        _ => return parse(text),
    };
    let (len, time) = parse(text.get(1..)?)?;
    let len = len.checked_add(2)?;
    (text.get(len.checked_sub(1)?) == Some(&close)).then_some((len, time))
}

fn parse(text: &[u8]) -> Option<(usize, Option<i64>)> {
    let mut scan = Scan { text, at: 0 };
    let time = match digits(text) {
        2 => {
            scan.time_of_day()?;
            None
        }
        4 | 8 => Some(scan.date_and_time()?),
        _ => Some(scan.since_1970()?),
    };
    // A time ends here, not a word or a longer number.
    let is_ended = !text.get(scan.at).is_some_and(u8::is_ascii_alphanumeric);
    is_ended.then_some((scan.at, time))
}

/// The number of digits at the start.
fn digits(text: &[u8]) -> usize {
    text.iter().take(20).take_while(|byte| byte.is_ascii_digit()).count()
}

/// The nanoseconds of a number since 1970, whose size gives its unit.
pub(super) fn since_1970(text: &[u8]) -> Option<i64> {
    let mut scan = Scan { text, at: 0 };
    let time = scan.since_1970()?;
    (scan.at == text.len()).then_some(time)
}

/// Reads a text from its start.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.part(self.at..)
    }

    /// Consumes one of these bytes.
    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = *self.rest().first().filter(|byte| bytes.contains(byte))?;
        self.at = self.at.plus(1);
        Some(byte)
    }

    /// Consumes a number of so many digits.
    fn number(&mut self, len: usize) -> Option<i64> {
        let number = std::str::from_utf8(self.rest().get(..len)?).ok()?;
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
        self.at = self.at.plus(len);
        number.parse().ok().filter(|_| is_plain)
    }

    fn small(&mut self) -> Option<u8> {
        u8::try_from(self.number(2)?).ok()
    }

    /// Consumes decimals and their point or comma, if any: billionths of the unit.
    fn decimals(&mut self) -> i64 {
        let Some((b'.' | b',', behind)) = self.rest().split_first() else { return 0 };
        let len = digits(behind);
        if len == 0 {
            return 0;
        }
        self.at = self.at.plus(len).plus(1);
        let mut scale = SECOND / 10;
        behind.iter().take(len).fold(0_i64, |sum, byte| {
            let part = scale.times(byte.wrapping_sub(b'0').into());
            scale /= 10;
            sum.plus(part)
        })
    }

    fn since_1970(&mut self) -> Option<i64> {
        let len = digits(self.rest());
        let unit = match len {
            9 | 10 => SECOND,
            12 | 13 => 1_000_000,
            15 | 16 => 1000,
            18 | 19 => 1,
            _ => return None,
        };
        let whole = self.number(len)?.checked_mul(unit)?;
        // A comma is a separator here.
        let decimals = if self.rest().starts_with(b".") { self.decimals() } else { 0 };
        whole.checked_add(decimals.checked_div(SECOND.checked_div(unit)?)?)
    }

    /// `hh:mm:ss` or `hhmmss` with decimals.
    fn time_of_day(&mut self) -> Option<[i64; 4]> {
        let hour = self.number(2)?;
        let has_colons = self.one_of(b":").is_some();
        let minute = self.number(2)?;
        if has_colons {
            self.one_of(b":")?;
        }
        let second = self.number(2)?;
        (hour < 24 && minute < 60 && second <= 60).then(|| [hour, minute, second, self.decimals()])
    }

    /// `yyyy-mm-dd`, `yyyy/mm/dd` or `yyyymmdd`, a time of day, and a zone. Without a zone it counts as UTC.
    fn date_and_time(&mut self) -> Option<i64> {
        let year = i32::try_from(self.number(4)?).ok()?;
        let mark = self.one_of(b"-/.");
        let month = self.small()?;
        if let Some(mark) = mark {
            self.one_of(&[mark])?;
        }
        let day = self.small()?;
        self.one_of(b"T t_,;-")?;
        let [hour, minute, second, nanos] = self.time_of_day()?;
        let [hour, minute, second] = [hour, minute, second].map(|n| u8::try_from(n).unwrap_or(u8::MAX));
        let nanos = u32::try_from(nanos).ok()?;
        let local = Timestamp::from_utc(year, month, day, hour, minute, second, nanos)?.nanos();
        local.checked_sub(self.zone())
    }

    /// Consumes `Z`, `UTC` or an offset such as `+02:00`: nanoseconds ahead of UTC.
    fn zone(&mut self) -> i64 {
        let rest = self.rest();
        for name in [&b"Z"[..], b"z", b" UTC", b"UTC", b" Z"] {
            if rest.starts_with(name) {
                self.at = self.at.plus(name.len());
                return 0;
            }
        }
        let from = self.at;
        self.offset().unwrap_or_else(|| {
            self.at = from;
            0
        })
    }

    fn offset(&mut self) -> Option<i64> {
        let sign = self.one_of(b"+-")?;
        let hours = self.number(2)?;
        let has_colon = self.one_of(b":").is_some();
        let minutes = if has_colon || digits(self.rest()) >= 2 { self.number(2)? } else { 0 };
        let nanos = hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?.checked_mul(SECOND)?;
        Some(if sign == b'-' { nanos.saturating_neg() } else { nanos })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_the_forms_of_loggers() {
        // 2019-09-07T00:05:30Z
        let at = 1_567_814_730 * SECOND;
        for (text, len, nanos) in [
            ("1567814730;", 10, at),
            ("1567814730.25 ", 13, at + SECOND / 4),
            ("1567814730009,", 13, at + 9_000_000),
            ("1567814730009.5 ", 15, at + 9_500_000),
            ("1567814730009001 ", 16, at + 9_001_000),
            ("2019-09-07 00:05:30.009 $", 23, at + 9_000_000),
            ("2019-09-07T00:05:30,009Z,", 24, at + 9_000_000),
            ("2019/09/07 00:05:30 UTC $", 23, at),
            ("20190907T020530+0200 ", 20, at),
            ("[2019-09-06T19:35:30-04:30]", 27, at),
            ("(1567814730)", 12, at),
        ] {
            assert_eq!(bracketed(text.as_bytes()), Some((len, Some(nanos))), "{text}");
        }
        assert_eq!(bracketed(b"12:28:00.5 $"), Some((10, None)));
        for text in [
            "2019-13-07 00:05:30",
            "12:28",
            "12345",
            "15678147301",
            "[1567814730 ",
            "2019-09-07",
            "1567814730a",
        ] {
            assert_eq!(bracketed(text.as_bytes()), None, "{text}");
        }
    }
}
