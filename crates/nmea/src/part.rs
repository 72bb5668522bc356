//! The first lines of a part of a log whose own sentences do not date it: a comment, and the date for other programs.
//!
//! ```text
//! # robolog part after 2008-06-30 43200.250000000 s
//! $GPZDA,120000.250000000,30,06,2008,00,00*63
//! ```
//!
//! The comment says `from` in place of `after` if no sentence with a time came before, and `about` precedes a date
//! without a fix, `near` one that only a logger's time gives. A second comment names the receivers, if there are
//! several: `# robolog receivers talker GP GL`. A log without dates has `day 1` for the date: the second day. Seconds count from midnight.

use std::fmt::Write as _;

use robolog_core::{
    Clock, Timestamp,
    slices::{InRange as _, before},
};

use super::{
    Date, Message, Time, Zda,
    epoch::{DAY, Epoch, Trust},
    receivers::Receivers,
};

/// The first bytes of the comment, which identify a part.
pub(super) const MARK: &[u8] = b"# robolog part";

/// The first bytes of the second comment.
const NAMES: &str = "# robolog receivers ";

const SECOND: u64 = 1_000_000_000;
/// Maximum length of a comment or sentence, bytes.
const LONGEST: usize = 256;

/// The lines that put a reader in the state `epoch`.
pub(super) fn text(epoch: &Epoch, receivers: &Receivers) -> Vec<u8> {
    let mut text = date_text(epoch);
    if !receivers.is_one() {
        text.extend_from_slice(format!("{NAMES}{}\r\n", receivers.to_words()).as_bytes());
    }
    text
}

fn date_text(epoch: &Epoch) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(MARK).into_owned();
    let Some(last) = epoch.last().and_then(|last| u64::try_from(last).ok()) else {
        return (text + "\r\n").into_bytes();
    };
    text += if epoch.now().is_some() { " after" } else { " from" };
    let date = epoch.date();
    // Writing to a string does not fail.
    let _ = match date {
        Some(Date { year, month, day }) => {
            let about = match epoch.trust() {
                Trust::Certain => "",
                Trust::Logged => " near",
                Trust::Own | Trust::None => " about",
            };
            write!(text, "{about} {year:04}-{month:02}-{day:02}")
        }
        None => write!(text, " day {}", epoch.midnight().div_euclid(DAY)),
    };
    let _ = write!(text, " {}.{:09} s\r\n", last / SECOND, last % SECOND);
    let mut text = text.into_bytes();
    if let Some(date) = date {
        let zda = Zda { time: time_of(last), date: Some(date), zone_hours: Some(0), zone_minutes: Some(0) };
        text.extend(Message::Zda(zda).to_sentence("GP").unwrap_or_default());
    }
    text
}

/// The state at the beginning of `input`, its receivers, and the length of its lines; `None` if it begins with a
/// sentence, as logs do.
pub(super) fn parse(input: &[u8]) -> Option<(Epoch, Receivers, usize)> {
    let (epoch, len) = date(input)?;
    let named = || {
        let (names, behind) = line(input.get(len..)?)?;
        let words: Vec<_> = std::str::from_utf8(names).ok()?.strip_prefix(NAMES)?.split(' ').collect();
        Some((Receivers::from_words(&words)?, before(input, behind).len()))
    };
    let (receivers, len) = named().unwrap_or((Receivers::default(), len));
    Some((epoch, receivers, len))
}

fn date(input: &[u8]) -> Option<(Epoch, usize)> {
    let (comment, behind) = line(input)?;
    let words = std::str::from_utf8(comment.strip_prefix(MARK)?).ok()?;
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    let (is_after, words) = match words.as_slice() {
        [] => return Some((Epoch::default(), before(input, behind).len())),
        ["after", words @ ..] => (true, words),
        ["from", words @ ..] => (false, words),
        _ => return None,
    };
    let (midnight, clock, trust, seconds) = match words {
        ["day", day, seconds, "s"] => {
            (day.parse::<i64>().ok()?.checked_mul(DAY)?, Clock::Relative, Trust::None, seconds)
        }
        ["about", date, seconds, "s"] => (midnight(date)?, Clock::Unix, Trust::Own, seconds),
        ["near", date, seconds, "s"] => (midnight(date)?, Clock::Unix, Trust::Logged, seconds),
        [date, seconds, "s"] => (midnight(date)?, Clock::Unix, Trust::Certain, seconds),
        _ => return None,
    };
    let last = nanos(seconds)?;
    let now = if is_after { Some(Timestamp::new(midnight.checked_add(last)?, clock)) } else { None };
    let behind = match line(behind) {
        Some((zda, behind)) if clock == Clock::Unix && zda.starts_with(b"$GPZDA,") => behind,
        _ => behind,
    };
    let len = before(input, behind).len();
    Some((Epoch::of(midnight, clock, trust, Some(last), now), len))
}

/// Whether more of `input` is needed to identify its first lines.
pub(super) fn is_cut(input: &[u8]) -> bool {
    let begins = input.len() < MARK.len() && MARK.starts_with(input) || input.starts_with(MARK);
    begins && input.len() < 3 * LONGEST
}

/// A line without its end, and the rest.
fn line(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', input.get(..LONGEST).unwrap_or(input))?;
    let (line, behind) = input.split_at_checked(end.checked_add(1)?)?;
    Some((line.trim_ascii_end(), behind))
}

fn midnight(text: &str) -> Option<i64> {
    let mut numbers = text.splitn(3, '-');
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
    date.midnight().map(Timestamp::nanos)
}

/// Seconds of a day with nine decimals.
fn nanos(text: &str) -> Option<i64> {
    let (secs, decimals) = text.split_once('.')?;
    let (secs, nanos) = (secs.parse::<u32>().ok()?, decimals.parse::<u32>().ok()?);
    // A leap second ends a day.
    let is_good = secs <= 86_400 && decimals.len() == 9;
    is_good.then(|| i64::from(secs).times(1_000_000_000).plus(nanos.into()))
}

fn time_of(nanos: u64) -> Option<Time> {
    let (secs, nanos) = (nanos / SECOND, u32::try_from(nanos % SECOND).ok()?);
    let leap = u64::from(secs >= 86_400);
    let secs = secs.minus(leap);
    let part = |n: u64| u8::try_from(n).ok();
    let second = part((secs % 60).plus(leap))?;
    Time::new(part(secs / 3600)?, part(secs / 60 % 60)?, second, nanos, if nanos == 0 { 2 } else { 9 })
}
