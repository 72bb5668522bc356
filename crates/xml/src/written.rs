//! Times sought in the text of a document, without reading its elements.

use memchr::memmem::Finder;
use robolog_core::{Timestamp, slices::Part as _, text::near};

use super::parse_time;

/// Maximum bytes of the text of a time.
const TEXT: usize = 256;

/// Calls `each` with the times of all elements with one of these names in a part of a document, also of those in comments.
/// `is_last` says that nothing follows the part.
///
/// Returns the number of bytes seen; the next part begins with the others. Returns `None` if an element has more than the
/// plain text of a time: attributes, a prefix, or references.
///
/// ```
/// let names = ["time"].map(memchr::memmem::Finder::new);
/// let mut times = Vec::new();
/// let mut seen = |text: &str| robolog_xml::written_times(text.as_bytes(), &names, true, &mut |time| times.push(time));
/// assert_eq!(seen("<trkpt><time>2021-05-01T00:00:01Z</time></trkpt>"), Some(48));
/// assert_eq!(seen("<trkpt><time zone='CET'>2021-05-01T00:00:01</time></trkpt>"), None);
/// assert_eq!(times.len(), 1);
/// ```
pub fn written_times(
    part: &[u8],
    names: &[Finder<'_>],
    is_last: bool,
    each: &mut dyn FnMut(Timestamp),
) -> Option<usize> {
    let mut seen = part.len();
    for name in names {
        seen = seen.min(of(part, name, is_last, each)?);
    }
    Some(seen)
}

/// The same for one name.
fn of(part: &[u8], name: &Finder<'_>, is_last: bool, each: &mut dyn FnMut(Timestamp)) -> Option<usize> {
    let len = name.needle().len();
    // A name is looked at with the byte on either side.
    let seen = if is_last { part.len() } else { part.len().saturating_sub(len + 1) };
    for at in name.find_iter(part).take_while(|at| *at <= seen) {
        let before = at.checked_sub(1);
        let rest = part.part(at + len..);
        match (before.and_then(|before| part.get(before)), rest.first()) {
            (Some(b'<'), Some(b'>')) => {
                let text = rest.part(1..);
                match value(text.get(..TEXT).unwrap_or(text)) {
                    Ok(time) => time.into_iter().for_each(&mut *each),
                    Err(true) if !is_last => return before,
                    Err(_) => return None,
                }
            }
            // Another name, or no element.
            (Some(b'<'), Some(byte)) if is_of_name(*byte) => {}
            (Some(b'<' | b':'), _) => return None,
            _ => {}
        }
    }
    Some(seen)
}

/// The time between a start tag and an end tag; `None` between two tags without a text. Anything else is an error, which is
/// true if the text may go on behind its end.
fn value(text: &[u8]) -> Result<Option<Timestamp>, bool> {
    let may_go_on = text.len() < TEXT;
    let Some((value, [_, next, ..])) = near(b'<', text).and_then(|end| text.split_at_checked(end)) else {
        return Err(may_go_on);
    };
    match (value.trim_ascii(), next) {
        (b"", b'/') => Ok(None),
        (value, b'/') => parse_time(value).map(Some).ok_or(false),
        _ => Err(false),
    }
}

/// Whether a byte of a name, or the end of an element without a text.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'_' | b'.' | b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times in a text that comes in parts of this length.
    fn times(text: &str, len: usize) -> Option<Vec<Timestamp>> {
        let names = ["when", "end"].map(Finder::new);
        let (mut part, mut rest, mut found) = (Vec::new(), text.as_bytes(), Vec::new());
        loop {
            let next = rest.len().min(len.saturating_sub(part.len()));
            part.extend_from_slice(&rest[..next]);
            rest = &rest[next..];
            let is_last = next == 0;
            let seen = written_times(&part, &names, is_last, &mut |time| found.push(time))?;
            if is_last {
                found.sort_unstable_by_key(|time| time.nanos());
                found.dedup();
                return Some(found);
            }
            assert!(seen > 0, "{text} in parts of {len}");
            part.drain(..seen);
        }
    }

    #[test]
    fn plain_times_are_found_in_parts_of_any_length() {
        let text = "<end>2021-05-01</end><!-- <when>1999-01-01T00:00:00Z</when> --><a when='x' end='y'/>\
                    <whenever>no</whenever><when/><when> </when>\n<when>\n2021-05-01T00:00:02.5Z </when>weekend<end>2022</end>";
        let all = times(text, usize::MAX).unwrap();
        assert_eq!(all.len(), 4, "{all:?}");
        for len in 48..text.len() {
            assert_eq!(times(text, len).as_ref(), Some(&all), "{len}");
        }
    }

    #[test]
    fn what_is_not_a_plain_time_is_left_to_the_reader() {
        for text in [
            "<when a='b'>2021</when>",
            "<gx:when>2021</gx:when>",
            "<when>2021<!-- --></when>",
            "<when><![CDATA[2021]]></when>",
            "<when>&#50;021</when>",
            "<when>soon</when>",
            "<when>2021",
            "<when>2021<",
            "<when",
        ] {
            for len in [64, usize::MAX] {
                assert_eq!(times(&format!("<end>2021</end>{text}"), len), None, "{text}");
            }
        }
        let long = format!("<when>{}2021</when>", " ".repeat(TEXT));
        assert_eq!(times(&long, 1000), None);
    }
}
