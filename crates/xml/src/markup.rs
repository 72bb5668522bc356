//! Reads one piece of markup at a time from bytes.

use robolog_core::{
    slices::{Part as _, before},
    text::{near, near_of, near2},
};

use super::TAG;

/// A tag without its brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag<'a> {
    /// `<name attributes>`: the text between the brackets.
    Start(&'a [u8]),
    /// `<name attributes/>`: the text between `<` and `/>`.
    Empty(&'a [u8]),
    /// `</name>`: the name.
    End(&'a [u8]),
    /// A comment, CDATA or a processing instruction; before the root element a document type definition.
    Other,
}

/// The markup at a `<`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A tag or another piece of markup, and its length in bytes, brackets included.
    Whole(Tag<'a>, usize),
    /// It continues after the input.
    More,
    /// Not markup; holds what was expected.
    Bad(&'static str),
    /// A tag that is too long.
    Long,
}

/// The markup at the start of `input`, which begins with `<`.
///
/// ```
/// use robolog_xml::{Tag, Token, token};
/// assert!(matches!(token(b"<a b='1'/>text"), Token::Whole(Tag::Empty(b"a b='1'"), 10)));
/// assert!(matches!(token(b"<a b='1"), Token::More));
/// ```
#[inline]
pub fn token(input: &[u8]) -> Token<'_> {
    let rest = input.part(1..);
    match rest.first() {
        None => Token::More,
        Some(b'/') => end_tag(rest.part(1..)),
        Some(b'!') => declaration(input),
        Some(b'?') => instruction(input),
        Some(first) if is_name_start(*first) => start_tag(rest),
        Some(_) => Token::Bad("a name behind `<`"),
    }
}

pub(crate) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || byte >= 0x80
}

/// The end of the name at the start of `tag`.
#[inline]
fn name(tag: &[u8]) -> &[u8] {
    let is_end = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'>' | b'"' | b'\'' | b'=');
    let end = tag.iter().position(is_end).unwrap_or(tag.len());
    tag.part(..end)
}

/// The name without its prefix.
#[inline]
pub fn local(name: &[u8]) -> &[u8] {
    match name.iter().position(|b| *b == b':') {
        Some(colon) => name.part(colon + 1..),
        None => name,
    }
}

/// The name of the last element or attribute of a path, as [`leaves`](crate::leaves) has them, without its prefix.
pub fn last_of(path: &[u8]) -> &[u8] {
    local(memchr::memrchr2(b'/', b'@', path).map_or(path, |at| path.part(at + 1..)))
}

/// The text of a CDATA section; `None` if the markup is another.
pub fn cdata(markup: &[u8]) -> Option<&[u8]> {
    markup.strip_prefix(b"<![CDATA[")?.strip_suffix(b"]]>")
}

/// `rest` begins after the `<`.
#[inline]
fn start_tag(rest: &[u8]) -> Token<'_> {
    let mut at = 0_usize;
    loop {
        at += near_of(*b"<>\"'", rest.part_or_empty(at..));
        match rest.get(at) {
            None => return if rest.len() > TAG { Token::Long } else { Token::More },
            Some(b'>') => break,
            Some(b'<') => return Token::Bad("`>` before the next `<`"),
            Some(quote @ (b'"' | b'\'')) => {
                let value = rest.part(at + 1..);
                let Some(len) = near2(*quote, b'<', value.get(..=TAG).unwrap_or(value)) else {
                    return if value.len() > TAG { Token::Long } else { Token::More };
                };
                if value.get(len) == Some(&b'<') {
                    return Token::Bad("the quote that ends the attribute");
                }
                at += len + 2;
            }
            Some(_) => at += 1,
        }
    }
    if at > TAG {
        return Token::Long;
    }
    let inner = rest.part(..at);
    let len = at + 2;
    match inner.strip_suffix(b"/") {
        Some(inner) => Token::Whole(Tag::Empty(inner), len),
        None => Token::Whole(Tag::Start(inner), len),
    }
}

/// `rest` begins after the `</`.
#[inline]
fn end_tag(rest: &[u8]) -> Token<'_> {
    let near = rest.get(..=TAG).unwrap_or(rest);
    let Some(end) = near.iter().position(|b| matches!(b, b'>' | b'<')) else {
        return if rest.len() > TAG { Token::Long } else { Token::More };
    };
    if near.get(end) == Some(&b'<') {
        return Token::Bad("`>` before the next `<`");
    }
    // Not `trim_ascii_end`: a form feed is not whitespace in XML, and in a start tag belongs to the name.
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    let inner = near.part(..end);
    let len = inner.iter().rposition(|b| !blank(b)).map_or(0, |last| last + 1);
    let inner = inner.part(..len);
    if !inner.first().is_some_and(|b| is_name_start(*b)) {
        return Token::Bad("a name behind `</`");
    }
    Token::Whole(Tag::End(inner), end + 3)
}

/// Up to and including the first `mark` after `from`.
fn until<'a>(input: &[u8], from: usize, mark: &[u8]) -> Token<'a> {
    match memchr::memmem::find(input.part(from..), mark) {
        Some(at) => Token::Whole(Tag::Other, from + at + mark.len()),
        None => Token::More,
    }
}

/// A processing instruction. An XML declaration that is not closed ends where the next markup begins.
fn instruction(input: &[u8]) -> Token<'_> {
    let is_declaration = input.starts_with(b"<?xml") && input.get(5).is_some_and(u8::is_ascii_whitespace);
    if is_declaration && let Some(next) = memchr::memchr(b'<', input.part(1..)) {
        let next = next + 1;
        if memchr::memmem::find(input.part(..next), b"?>").is_none() {
            return Token::Whole(Tag::Other, next);
        }
    }
    until(input, 2, b"?>")
}

fn declaration(input: &[u8]) -> Token<'_> {
    let begins = |with: &[u8]| {
        let both = input.len().min(with.len());
        input.get(..both) == with.get(..both)
    };
    if begins(b"<!--") {
        return if input.len() < 4 { Token::More } else { until(input, 4, b"-->") };
    }
    if begins(b"<![CDATA[") {
        return if input.len() < 9 { Token::More } else { until(input, 9, b"]]>") };
    }
    Token::Bad("a comment or CDATA behind `<!`")
}

/// A document type definition with its internal subset, all of which is ignored. Only allowed before the root element.
pub(crate) fn doctype(input: &[u8]) -> Token<'_> {
    const BEGIN: &[u8] = b"<!DOCTYPE";
    if !input.starts_with(BEGIN) {
        return if BEGIN.starts_with(input) { Token::More } else { token(input) };
    }
    let (mut at, mut depth) = (9_usize, 0_usize);
    loop {
        let rest = input.part(at..);
        let skip = match rest.first() {
            None => return Token::More,
            Some(b'[') => {
                depth += 1;
                1
            }
            Some(b']') => {
                depth = depth.saturating_sub(1);
                1
            }
            Some(b'>') if depth == 0 => return Token::Whole(Tag::Other, at + 1),
            Some(quote @ (b'"' | b'\'')) => match memchr::memchr(*quote, rest.part(1..)) {
                Some(len) => len + 2,
                None => return Token::More,
            },
            Some(b'<') if rest.starts_with(b"<!--") => match memchr::memmem::find(rest.part(4..), b"-->") {
                Some(len) => len + 7,
                None => return Token::More,
            },
            Some(b'<') if rest.len() < 4 => return Token::More,
            Some(_) => 1,
        };
        at += skip;
    }
}

/// The tags, comments and other pieces of some markup in order, up to its end or to the first bytes that are not
/// markup.
///
/// ```
/// use robolog_xml::{Tag, tags};
/// let names: Vec<_> = tags(b"<trk><gpx:name>a</gpx:name></trk>").map(Tag::name).collect();
/// assert_eq!(names, [&b"trk"[..], b"gpx:name", b"gpx:name", b"trk"]);
/// ```
pub fn tags(markup: &[u8]) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = markup;
    std::iter::from_fn(move || {
        rest = rest.get(memchr::memchr(b'<', rest)?..)?;
        let Token::Whole(tag, len) = token(rest) else { return None };
        rest = rest.get(len..)?;
        Some(tag)
    })
}

impl<'a> Tag<'a> {
    /// The name with its prefix; empty without a name.
    #[inline]
    pub fn name(self) -> &'a [u8] {
        match self {
            Self::Start(inner) | Self::Empty(inner) => name(inner),
            Self::End(inner) => inner,
            Self::Other => &[],
        }
    }

    /// The prefix of the name with its colon; empty without one.
    #[inline]
    pub fn prefix(self) -> &'a [u8] {
        let name = self.name();
        before(name, local(name))
    }
}

/// The attributes of a tag without its brackets: names and values, unparsed.
///
/// ```
/// let found: Vec<_> = robolog_xml::attributes(b"bounds minlat='45.5' maxlat=\"46\"").collect();
/// assert_eq!(found, [(&b"minlat"[..], &b"45.5"[..]), (b"maxlat", b"46")]);
/// ```
pub fn attributes(inner: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = inner.part(name(inner).len()..);
    std::iter::from_fn(move || {
        let text = rest.trim_ascii_start();
        let equals = text.iter().position(|b| *b == b'=')?;
        let (key, value) = text.split_at_checked(equals)?;
        let value = value.get(1..)?.trim_ascii_start();
        let quote = value.first().filter(|b| matches!(b, b'"' | b'\''))?;
        let value = value.get(1..)?;
        let end = near(*quote, value)?;
        rest = value.part(end + 1..);
        Some((key.trim_ascii_end(), value.get(..end)?))
    })
}

/// The unparsed value of an attribute.
pub fn attribute<'a>(inner: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    attributes(inner).find_map(|(name, value)| (name == key).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_ends_where_xml_says() {
        let whole = |text: &'static str, tag: Tag<'static>| {
            assert_eq!(
                token(format!("{text}<x>").leak().as_bytes()),
                Token::Whole(tag, text.len()),
                "{text}"
            );
            for cut in 1..text.len() {
                assert_eq!(token(&text.as_bytes()[..cut]), Token::More, "{}", &text[..cut]);
            }
        };
        whole("<a b='>' c=\">\">", Tag::Start(b"a b='>' c=\">\""));
        whole("<g:a/>", Tag::Empty(b"g:a"));
        whole("</g:a >", Tag::End(b"g:a"));
        whole("</a\u{c} >", Tag::End(b"a\x0c"));
        whole("<!-- > -- <a> -->", Tag::Other);
        whole("<![CDATA[ ]] > </a> ]]>", Tag::Other);
        whole("<?pi a='?' > ?>", Tag::Other);
        let text = b"<!DOCTYPE a [<!ENTITY b \"]>\"><!-- ' ]> -->] ><x>";
        assert_eq!(doctype(text), Token::Whole(Tag::Other, text.len() - 3));
        (1..text.len() - 3).for_each(|cut| assert_eq!(doctype(&text[..cut]), Token::More, "{cut}"));
        for bad in ["<>", "< a>", "<a <b>", "<a b='<'>", "</>", "</a<", "<!ELEMENT a>", "<!DOCTYPE a>", "<1>"]
        {
            assert!(matches!(token(bad.as_bytes()), Token::Bad(_)), "{bad}");
        }
        let long = format!("<a b='{}'>", "x".repeat(TAG));
        assert_eq!(token(long.as_bytes()), Token::Long);
        assert_eq!(token(&long.as_bytes()[..TAG + 7]), Token::Long);
        assert_eq!(token(b"<?xml version=\"1.0\" ...\n<gpx>"), Token::Whole(Tag::Other, 24));
    }

    #[test]
    fn attributes_are_found_as_they_stand() {
        let all: Vec<_> = attributes(b"wpt  lat = '1' lon=\"a=b\"\n x:y=''").collect();
        let want: [(&[u8], &[u8]); 3] = [(b"lat", b"1"), (b"lon", b"a=b"), (b"x:y", b"")];
        assert_eq!(all, want);
        assert_eq!(attribute(b"a b=c d='1'", b"d"), None, "nothing is read behind what is no attribute");
    }
}
