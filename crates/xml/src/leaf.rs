//! Leaves: elements with nothing but a name and a text, as most elements of points are.

use robolog_core::text::{first_of, near2};

use super::markup::is_name_start;

/// An element with a name, without attributes, and with plain text alone: `<name>text</name>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf<'a> {
    /// The name with its prefix.
    pub name: &'a [u8],
    /// The text, which has no references.
    pub text: &'a [u8],
    /// Length of the whole element, bytes.
    pub len: usize,
}

/// Maximum bytes of a name; longer ones are left to [`token`](crate::token).
const NAME: usize = 64;

/// The leaf at the start of `input`, which begins with `<`; `None` for any other markup, and if more input is needed.
/// [`token`](crate::token) reads the same tags in several times the time.
///
/// ```
/// use robolog_xml::leaf;
/// let found = leaf(b"<ele>411.5</ele><time/>").map(|leaf| (leaf.name, leaf.text, leaf.len));
/// assert_eq!(found, Some((&b"ele"[..], &b"411.5"[..], 16)));
/// assert_eq!(leaf(b"<ele unit='m'>411.5</ele>"), None);
/// ```
#[inline]
pub fn leaf(input: &[u8]) -> Option<Leaf<'_>> {
    let rest = input.get(1..)?;
    let len = plain_name(rest).or_else(|| any_name(rest))?;
    let (name, body) = (rest.get(..len)?, rest.get(len + 1..)?);
    let (text, tail) = body.split_at_checked(near2(b'<', b'&', body)?)?;
    let end = tail.get(..len + 3)?;
    let is_own = end.strip_prefix(b"</")?.strip_suffix(b">")?.iter().eq(name);
    is_own.then_some(Leaf { name, text, len: 2 * len + 5 + text.len() })
}

/// Length of the name of a tag without attributes, if it has letters alone: eight bytes at a time.
#[inline]
fn plain_name(rest: &[u8]) -> Option<usize> {
    let mut from = 0_usize;
    loop {
        let eight = u64::from_le_bytes(*rest.get(from..)?.first_chunk()?);
        // Letters have one of the two highest bits; marks, digits and blanks have none.
        let others = !(eight | eight >> 1) & 0x4040_4040_4040_4040;
        if others != 0 {
            let len = from + first_of(others);
            return (rest.get(len) == Some(&b'>') && is_name_start(*rest.first()?)).then_some(len);
        }
        from += 8;
        if from == NAME {
            return None;
        }
    }
}

/// The same for any name.
fn any_name(rest: &[u8]) -> Option<usize> {
    // Blanks, quotes and the marks of tags all come before these.
    let is_name = |b: &u8| *b > b'>' || matches!(b, b'0'..=b';');
    let len = rest.iter().take(NAME).position(|b| !is_name(b))?;
    (rest.get(len) == Some(&b'>') && is_name_start(*rest.first()?)).then_some(len)
}

#[cfg(test)]
mod tests {
    use robolog_core::slices::Part as _;

    use super::*;
    use crate::{Tag, Token, token};

    /// By the tags alone.
    fn by_tags(input: &[u8]) -> Option<Leaf<'_>> {
        let Token::Whole(tag @ Tag::Start(inner), begin) = token(input) else { return None };
        let name = tag.name();
        let body = input.part(begin..);
        let (text, tail) = body.split_at_checked(memchr::memchr(b'<', body)?)?;
        let end = [b"</", name, b">"].concat();
        (inner.len() == name.len() && tail.starts_with(&end) && !text.contains(&b'&')).then_some(Leaf {
            name,
            text,
            len: begin + text.len() + end.len(),
        })
    }

    #[test]
    fn leaves_are_what_their_tags_say() {
        const PIECES: [&[u8]; 20] = [
            b"<a>",
            b"</a>",
            b"<g:ele>",
            b"</g:ele>",
            b"</ele>",
            b"<a b='>'>",
            b"<a/>",
            b"</a >",
            b"<a\n>",
            b"411.5",
            b"",
            b"a text that is longer than eight bytes, &amp; one more than four times eight",
            b"\xc3\xa9",
            b"<\xc3\xa9>",
            b"</\xc3\xa9>",
            b"<1>",
            b"</1>",
            b"<!-- a -->",
            b"<",
            b">",
        ];
        let mut state = 1_u64;
        let mut found = 0;
        for _ in 0..50_000 {
            let mut text = Vec::new();
            for _ in 0..4 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.extend_from_slice(PIECES[usize::try_from(state >> 33).unwrap() % PIECES.len()]);
            }
            if text.first() == Some(&b'<') {
                let plain = plain_name(&text[1..]);
                assert!(plain.is_none() || plain == any_name(&text[1..]), "{}", text.escape_ascii());
                assert_eq!(leaf(&text), by_tags(&text), "{}", text.escape_ascii());
                found += u32::from(leaf(&text).is_some());
            }
        }
        assert!(found > 300, "{found}");
        let long = format!("<{0}>1</{0}>", "a".repeat(NAME));
        assert_eq!(leaf(long.as_bytes()), None);
    }
}
