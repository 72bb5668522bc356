//! Shifts the times around a sentence.

use robolog_core::{Clock, Timestamp, slices::Part as _};

use super::{clock, is_separator, tag};
use crate::sentence::digits;

const DAY: i64 = 86_400_000_000_000;

/// The prefix of a sentence with its times shifted; `None` if one leaves the years that can be written.
pub(crate) fn before(prefix: &[u8], shift: i64) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), prefix);
    let (mut is_word, mut is_done) = (false, false);
    while let Some((first, behind)) = rest.split_first() {
        let len = if let Some((len, block)) = tag::parse(rest) {
            let text = rest.get(..len)?;
            out.extend(if block.time.is_some() { in_block(text, shift)? } else { text.to_vec() });
            len
        } else if let Some((len, _)) = clock::bracketed(rest).filter(|_| !is_word && !is_done) {
            is_done = true;
            out.extend(time(rest.get(..len)?, shift)?);
            len
        } else {
            out.push(*first);
            is_word = !is_separator(*first);
            rest = behind;
            continue;
        };
        rest = rest.get(len..)?;
    }
    Some(out)
}

/// The text behind a sentence's checksum with its time shifted.
pub(crate) fn behind(text: &[u8], shift: i64) -> Option<Vec<u8>> {
    if super::time_behind(text).is_none() {
        return Some(text.to_vec());
    }
    let at = text.iter().take_while(|byte| is_separator(**byte)).count();
    let (len, _) = clock::bracketed(text.get(at..)?)?;
    let (gap, rest) = text.split_at_checked(at)?;
    Some([gap, &time(rest.get(..len)?, shift)?, rest.get(len..)?].concat())
}

/// A TAG block with its `c:` shifted and its checksum computed anew.
fn in_block(block: &[u8], shift: i64) -> Option<Vec<u8>> {
    let inner = block.get(1..block.len().checked_sub(1)?)?;
    let star = memchr::memrchr(b'*', inner);
    let items = inner.get(..star.unwrap_or(inner.len()))?.split(|byte| *byte == b',');
    let shifted = items.map(|item| match item.strip_prefix(b"c:") {
        Some(value) if clock::since_1970(value).is_some() => Some([b"c:", &*time(value, shift)?].concat()),
        _ => Some(item.to_vec()),
    });
    let items = shifted.collect::<Option<Vec<_>>>()?.join(&b","[..]);
    let mut out = [b"\\", &*items].concat();
    if star.is_some() {
        out.extend(checksum(block, &items).into_bytes());
    }
    out.push(b'\\');
    Some(out)
}

/// The star and the checksum of the items of a block, in the case of letters that `block` has.
pub(super) fn checksum(block: &[u8], items: &[u8]) -> String {
    let sum = items.iter().fold(0, |sum: u8, byte| sum ^ byte);
    let is_lower = block.iter().rev().skip(1).take(2).any(u8::is_ascii_lowercase);
    if is_lower { format!("*{sum:02x}") } else { format!("*{sum:02X}") }
}

/// A time shifted, in its own form.
fn time(text: &[u8], shift: i64) -> Option<Vec<u8>> {
    let open = text.iter().take_while(|byte| !byte.is_ascii_digit()).count();
    let (bracket, text) = text.split_at_checked(open)?;
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let shifted = match count {
        2 | 4 | 8 => of_calendar(text, count == 2, shift)?,
        _ => number(text, count, shift)?,
    };
    Some([bracket, &shifted].concat())
}

/// A number since 1970; its digits after the count are decimals.
fn number(text: &[u8], count: usize, shift: i64) -> Option<Vec<u8>> {
    let unit: i64 = match count {
        9 | 10 => 1_000_000_000,
        12 | 13 => 1_000_000,
        15 | 16 => 1000,
        _ => 1,
    };
    let len = text.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let (number, rest) = text.split_at_checked(len)?;
    let nanos = clock::since_1970(number)?.checked_add(shift).filter(|nanos| *nanos >= 0)?;
    let width = usize::try_from(unit.ilog10()).ok()?;
    let all = format!("{:0width$}", nanos.checked_rem(unit)?);
    let all = if width == 0 { String::new() } else { all };
    let kept = number.len().saturating_sub(count).saturating_sub(1);
    let decimals = decimals(&all, kept);
    let point = if decimals.is_empty() { "" } else { "." };
    let text = format!("{}{point}{decimals}", nanos.checked_div(unit)?);
    Some([text.as_bytes(), rest].concat())
}

/// As many digits as there were, and as many as it needs.
fn decimals(all: &str, kept: usize) -> String {
    let needed = all.trim_end_matches('0').len();
    let mut decimals: String = all.chars().take(needed.max(kept)).collect();
    while decimals.len() < kept {
        decimals.push('0');
    }
    decimals
}

/// A date and time of day, or a time of day.
fn of_calendar(text: &[u8], is_of_day: bool, shift: i64) -> Option<Vec<u8>> {
    let (mut at, mut left) = (0_usize, if is_of_day { 6_usize } else { 14 });
    while left > 0 {
        left = left.checked_sub(usize::from(text.get(at)?.is_ascii_digit()))?;
        at = at.checked_add(1)?;
    }
    let (main, rest) = text.split_at_checked(at)?;
    let numbers: Vec<i64> = main.iter().filter(|b| b.is_ascii_digit()).map(|b| i64::from(b & 15)).collect();
    let number = |range: std::ops::Range<usize>| {
        numbers.get(range)?.iter().try_fold(0_i64, |sum, digit| sum.checked_mul(10)?.checked_add(*digit))
    };
    let small = |from: usize| u8::try_from(number(from..from.checked_add(2)?)?).ok();
    let (year, month, day, from) =
        if is_of_day { (1970, 1, 1, 0) } else { (number(0..4)?, small(4)?, small(6)?, 8) };
    let [hour, minute, second] = [small(from)?, small(from.checked_add(2)?)?, small(from.checked_add(4)?)?];
    let fraction = match rest.split_first() {
        Some((b'.' | b',', digits)) => digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let behind = rest.get(if fraction > 0 { fraction.checked_add(1)? } else { 0 }..)?;
    let point = if fraction > 0 { *rest.first()? } else { b'.' };
    let nanos: u32 = {
        let digits = if fraction > 0 { rest.get(1..fraction.checked_add(1)?)? } else { &[] };
        let text: String =
            digits.iter().map(|byte| char::from(*byte)).chain("000000000".chars()).take(9).collect();
        text.parse().ok()?
    };
    let at = Timestamp::from_utc(i32::try_from(year).ok()?, month, day, hour, minute, second, nanos)?;
    let nanos = at.nanos().checked_add(shift)?;
    let nanos = if is_of_day { nanos.rem_euclid(DAY) } else { nanos };
    let moved = Timestamp::new(nanos, Clock::Unix).to_string();
    // `yyyy-mm-ddThh:mm:ss.nnnnnnnnnZ`
    let mut fields = moved.bytes().filter(u8::is_ascii_digit).skip(if is_of_day { 8 } else { 0 });
    let mut out: Vec<u8> = main
        .iter()
        .map(|byte| if byte.is_ascii_digit() { fields.next().unwrap_or(b'0') } else { *byte })
        .collect();
    let all: String = fields.map(char::from).collect();
    let decimals = decimals(&all, fraction);
    if !decimals.is_empty() {
        out.push(point);
        out.extend(decimals.bytes());
    }
    out.extend_from_slice(behind);
    Some(out)
}

/// The checksums of the TAG blocks in a prefix whose text was changed, computed anew.
pub(crate) fn with_checksums(prefix: &[u8]) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = prefix.split(|byte| *byte == b'\\').map(<[u8]>::to_vec).collect();
    for part in parts.iter_mut().skip(1).step_by(2) {
        if let Some(star) = memchr::memrchr(b'*', part)
            && part.get(star..).and_then(|tail| tail.get(1..)).and_then(digits).is_some()
        {
            let items = part.part(..star).to_vec();
            let sum = checksum(&[&**part, b"\\"].concat(), &items);
            *part = [&*items, sum.as_bytes()].concat();
        }
    }
    parts.join(&b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_move_in_their_own_form() {
        let half = 500_000_000;
        for (text, shift, moved) in [
            ("2020-12-29 23:59:59.750 ", half, "2020-12-30 00:00:00.250 "),
            ("[2020-12-29T12:28:00Z],", -half, "[2020-12-29T12:27:59.5Z],"),
            ("20201229T122800+02:00 gps1 ", 2 * half, "20201229T122801+02:00 gps1 "),
            ("1567814730009;nmea0183.0;", half, "1567814730509;nmea0183.0;"),
            ("1567814730 ", half, "1567814730.5 "),
            ("1567814730.250 ", half, "1567814730.750 "),
            ("23:59:59,5 ", 2 * half, "00:00:00,5 "),
            ("NMEA,", half, "NMEA,"),
            ("\\s:a,c:1754242770*5E\\", 2 * half, "\\s:a,c:1754242771*5F\\"),
            ("\\g:1-2-7*4c\\", half, "\\g:1-2-7*4c\\"),
        ] {
            let found = before(text.as_bytes(), shift).unwrap();
            assert_eq!(String::from_utf8_lossy(&found), moved, "{text}");
        }
        assert_eq!(behind(b",1567814730009\r\n", half).unwrap(), b",1567814730509\r\n");
        assert_eq!(behind(b"\r\n", half).unwrap(), b"\r\n");
        assert_eq!(with_checksums(b"\\s:b,c:1754242770*5E\\"), b"\\s:b,c:1754242770*5D\\");
    }
}
