//! What loggers write around a sentence on its line: TAG blocks, times and sources before it, a time behind it.
//!
//! ```text
//! \s:gps1,c:1754242770*5E\$GPGLL,…
//! 2020-12-29 12:28:00.123 $GNGGA,…
//! [2020-12-29T12:28:00.123Z] $GNGGA,…
//! 1567814730009;nmea0183.0;$GNGGA,…
//! NMEA,$GNGGA,…*43,1567814730009
//! ```

mod clock;
pub(super) mod shift;
mod tag;

pub(super) use self::tag::is_nearly_a_tag;
use robolog_core::slices::{Part as _, before};

use super::sentence::{address_len, digits, without_ending};

/// What stands before a sentence on its line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Prefix<'a> {
    pub(super) len: usize,
    /// Unix time, nanoseconds.
    pub(super) time: Option<i64>,
    /// Who sent the sentence; empty if unknown.
    pub(super) source: &'a [u8],
    /// The group of a TAG block.
    pub(super) group: Option<Group<'a>>,
}

/// A sentence's place in a group: only the first sentence may have a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group<'a> {
    pub(super) id: &'a [u8],
    pub(super) is_last: bool,
}

/// The word before sentences in logs of Android.
const WORD: &[u8] = b"NMEA";
/// Maximum length of a source, bytes.
pub(super) const SOURCE: usize = 64;
/// Maximum number of TAG blocks before a sentence.
const BLOCKS: usize = 4;

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b':' | b'|')
}

/// The prefix of a line, whatever follows it.
pub(super) fn parse(line: &[u8]) -> Option<Prefix<'_>> {
    match line {
        // Some receivers double it.
        [b'$', b'$', ..] => return Some(Prefix { len: 1, ..Prefix::default() }),
        [b'\\' | b'0'..=b'9' | b'N' | b'[' | b'(' | b'<' | b'{', ..] => {}
        _ => return None,
    }
    let mut prefix = Prefix::default();
    let mut rest = line;
    if let Some(behind) = rest.strip_prefix(WORD)
        && behind.first().copied().is_some_and(is_separator)
    {
        rest = separated(behind);
    }
    if let Some((len, time)) = clock::bracketed(rest) {
        prefix.time = time;
        rest = separated(rest.get(len..)?);
        if let Some((source, behind)) = source(rest) {
            (prefix.source, rest) = (source, behind);
        }
    }
    for _ in 0..BLOCKS {
        let Some((len, block)) = tag::parse(rest) else { break };
        rest = rest.get(len..)?;
        prefix.time = block.time.or(prefix.time);
        prefix.group = block.group.or(prefix.group);
        prefix.source = if block.source.is_empty() { prefix.source } else { block.source };
    }
    prefix.len = before(line, rest).len();
    (prefix.len > 0).then_some(prefix)
}

/// Where the sentence of a line with a prefix begins.
pub(super) fn sentence_at(line: &[u8]) -> Option<usize> {
    let at = parse(line)?.len;
    let sentence = line.get(at..)?;
    let len = address_len(sentence)?;
    let address = sentence.get(1..)?.get(..len)?;
    ((3..=12).contains(&len) && address.iter().all(u8::is_ascii_alphanumeric)).then_some(at)
}

/// The place of the star of a sentence with a right checksum and a time behind it.
#[cold]
pub(super) fn star_before_time(content: &[u8]) -> Option<usize> {
    let star = memchr::memrchr(b'*', content)?;
    let said = digits(content.get(star..)?.get(1..3)?)?;
    let sum = content.get(1..star)?.iter().fold(0, |sum, byte| sum ^ byte);
    time_behind(content.get(star..)?.get(3..)?)?;
    (said == sum).then_some(star)
}

/// The time in the text behind a sentence's checksum.
pub(super) fn time_behind(text: &[u8]) -> Option<i64> {
    let text = without_ending(text);
    let clock = separated(text);
    let (len, time) = clock::bracketed(clock)?;
    time.filter(|_| clock.len() < text.len() && len == clock.len())
}

/// The bytes up to the checksum, if a time follows it.
pub(super) fn without_time(content: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'*', content).and_then(|star| star.checked_add(3));
    match end.and_then(|end| content.split_at_checked(end)) {
        Some((before, behind)) if time_behind(behind).is_some() => before,
        _ => content,
    }
}

/// The bytes after any separators.
fn separated(text: &[u8]) -> &[u8] {
    let count = text.iter().take_while(|byte| is_separator(**byte)).count();
    text.part(count..)
}

/// A word directly before a sentence or TAG block, and what follows.
fn source(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_word = |b: &u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/' | b':' | b'#' | b'@' | b'[' | b']')
    };
    let len = text.iter().take(SOURCE).take_while(|byte| is_word(byte)).count();
    let (word, behind) = text.split_at_checked(len)?;
    let rest = separated(behind);
    let is_apart = rest.len() < behind.len() || word.ends_with(b":");
    let is_next = matches!(rest.first()?, b'$' | b'!' | b'\\');
    (is_apart && is_next && len > 0).then_some((word.strip_suffix(b":").unwrap_or(word), rest))
}
