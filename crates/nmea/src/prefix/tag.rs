//! TAG blocks: `\s:source,c:time,g:1-2-34*hh\`, by NMEA 4.

use super::{Group, Prefix, clock};
use crate::sentence::digits;

/// Maximum length of a block, bytes: the standard allows 80.
const LONGEST: usize = 512;

/// The length of the block at the start of `text`, and what it says. `None` for one with a wrong checksum.
pub(super) fn parse(text: &[u8]) -> Option<(usize, Prefix<'_>)> {
    let inner = text.strip_prefix(b"\\")?;
    let end = memchr::memchr(b'\\', inner.get(..LONGEST).unwrap_or(inner))?;
    let inner = inner.get(..end)?;
    let items = match memchr::memrchr(b'*', inner) {
        Some(star) => {
            let (items, sum) = inner.split_at_checked(star)?;
            let is_right = digits(sum.get(1..)?)? == items.iter().fold(0, |sum, byte| sum ^ byte);
            is_right.then_some(items)?
        }
        None => inner,
    };
    let mut block = Prefix::default();
    for item in items.split(|byte| *byte == b',') {
        let colon = memchr::memchr(b':', item)?;
        let (key, value) = (item.get(..colon)?, item.get(colon.checked_add(1)?..)?);
        let is_key = (1..=8).contains(&key.len()) && key.iter().all(u8::is_ascii_alphanumeric);
        if !is_key || !value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return None;
        }
        match key {
            b"c" => block.time = clock::since_1970(value).or(block.time),
            b"s" => block.source = value,
            b"g" => block.group = group(value).or(block.group),
            _ => {}
        }
    }
    Some((end.checked_add(2)?, block))
}

/// `sentence-of-id`.
fn group(value: &[u8]) -> Option<Group<'_>> {
    let mut parts = value.splitn(3, |byte| *byte == b'-');
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse::<u32>().ok();
    let (sentence, count) = (number()?, number()?);
    Some(Group { id: parts.next()?, is_last: sentence >= count })
}

/// Whether text that is no block would be one without its damage: it begins like one, or ends like one with a checksum.
pub(crate) fn is_nearly_a_tag(text: &[u8]) -> bool {
    let begins = matches!(text, [b'\\', key, b':', ..] if key.is_ascii_alphanumeric());
    let ends = matches!(text, [_, .., b'*', high, low, b'\\'] if digits(&[*high, *low]).is_some());
    let odd = text.iter().filter(|byte| !matches!(byte, b' '..=b'~')).count();
    (begins || ends) && odd <= 1 && text.len() <= LONGEST && parse(text).is_none()
}
