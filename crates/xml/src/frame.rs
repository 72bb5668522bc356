//! Splits a document into records: one whole element or one other piece of markup, with the text before it.

use std::ops::Range;

use robolog_core::{
    Error, ErrorKind, Result,
    format::{Extent, RawRecord, Search, Step},
    slices::{Part as _, fitting, missing, past, value_at},
    text::{Escaped, first_control_that, is_damage, near},
};

use super::{DEPTH, TAG, Tag, Token, leaf, local, markup, token};

/// The elements of a format, by local name.
pub trait Frame {
    /// The elements that are one record each, with everything inside.
    type Element: Copy + std::fmt::Debug;
    /// Name of the format.
    const NAME: &'static str;
    /// Whether this is the root element.
    fn is_root(local: &[u8]) -> bool;
    /// The element of this name, if it is one record with everything inside.
    fn element(local: &[u8]) -> Option<Self::Element>;
    /// Whether reading can resume after damage where such an element begins or ends.
    fn is_known(local: &[u8]) -> bool;
}

/// Maximum bytes of wrong markup in an error message.
const SHOWN: usize = 32;
/// Maximum size of a record of text without markup, bytes.
const TEXT: usize = 64 << 10;

/// Returns the length of the record at the start of `input`. Control characters that XML forbids are damage: between
/// elements they are a record of their own, which [`check`] refuses; within an element they spoil it.
#[inline]
pub fn measure<F: Frame>(input: &[u8], at: u64, eof: bool) -> Extent {
    let extent = extent::<F>(input, at, eof);
    let (Extent::Whole(len) | Extent::Torn { len, .. }) = extent else { return extent };
    let record = input.part(..len);
    match control(record) {
        None => extent,
        Some(place) => damaged::<F>(record, place, at),
    }
}

/// Position of the first control character that XML forbids, ESC among them.
fn control(text: &[u8]) -> Option<usize> {
    first_control_that(text, is_forbidden)
}

#[expect(clippy::needless_bitwise_bool, reason = "without a branch within, many bytes are looked at in one")]
const fn is_forbidden(byte: u8) -> bool {
    is_damage(byte) | (byte == 0x1b)
}

#[cold]
fn damaged<F: Frame>(record: &[u8], place: usize, at: u64) -> Extent {
    let text = memchr::memchr(b'<', record).unwrap_or(record.len());
    if place > text {
        return Extent::Torn { len: text, error: no_text::<F>(record, place, at) };
    }
    let run = record.iter().take_while(|b| is_forbidden(**b)).count();
    Extent::Whole(if run > 0 { run } else { place })
}

#[cold]
fn no_text<F: Frame>(record: &[u8], place: usize, at: u64) -> Error {
    let byte = value_at(record, place);
    let found = format_args!("the control character {byte:#04x}");
    Error::invalid("document", found, "text", past(at, place)).within(F::NAME)
}

/// Returns an error for a record of control characters.
#[inline]
pub fn check<F: Frame>(raw: RawRecord<'_>) -> Result<()> {
    match raw.bytes.first() {
        Some(b) if is_forbidden(*b) => Err(no_text::<F>(raw.bytes, 0, raw.offset)),
        _ => Ok(()),
    }
}

#[inline]
fn extent<F: Frame>(input: &[u8], at: u64, eof: bool) -> Extent {
    let more = || Extent::Need(input.len().max(1));
    let Some(text) = memchr::memchr(b'<', input.get(..TEXT).unwrap_or(input)) else {
        return match input.len() {
            TEXT.. => Extent::Whole(TEXT),
            1.. if eof => Extent::Whole(input.len()),
            _ => more(),
        };
    };
    let rest = input.part(text..);
    let begin = past(at, text);
    let fault = match token(rest) {
        Token::Whole(Tag::Start(inner), len) => {
            let name = Tag::Start(inner).name();
            if F::element(local(name)).is_none() {
                return Extent::Whole(text + len);
            }
            match element(rest, name, len) {
                Ok(len) => return Extent::Whole(text + len),
                Err(fault) => fault,
            }
        }
        Token::Whole(_, len) => return Extent::Whole(text + len),
        Token::More => Fault::More,
        Token::Bad(expected) => Fault::Bad(0, expected),
        Token::Long => Fault::Long,
    };
    match fault {
        Fault::More if !eof => more(),
        // The error shows these bytes, so they must have been read.
        Fault::Bad(at, _) if !eof && rest.len() < at + SHOWN => more(),
        fault => Extent::Torn { len: text, error: fault.error(rest, begin).within(F::NAME) },
    }
}

enum Fault {
    More,
    /// Offset, and what was expected there.
    Bad(usize, &'static str),
    Long,
    Deep(usize),
}

impl Fault {
    #[cold]
    fn error(&self, rest: &[u8], begin: u64) -> Error {
        let place = |at: usize| past(begin, at);
        let limit =
            |what, len: usize, limit: usize| ErrorKind::Limit { what, len: len as u64, limit: limit as u64 };
        match self {
            Self::More => Error::truncated(1, begin),
            Self::Bad(at, expected) => {
                let found = rest.part(*at..);
                let found = Escaped(found.get(..SHOWN).unwrap_or(found)).to_string();
                Error::invalid("markup", format_args!("{found:?}"), expected, place(*at))
            }
            Self::Long => Error::new(limit("tag", TAG + 1, TAG), begin),
            Self::Deep(at) => Error::new(limit("nesting", DEPTH + 1, DEPTH), place(*at)),
        }
    }
}

/// Where the name of an open element starts, and its length: in 8 bytes, because room for the deepest nesting is cleared
/// for each element.
#[derive(Clone, Copy, Default)]
struct Name(u64);

impl Name {
    /// Bits of the length of a name, which is at most that of a [`TAG`].
    const LEN: u32 = TAG.ilog2() + 1;

    fn new(start: usize, len: usize) -> Self {
        Self((start as u64) << Self::LEN | len as u64)
    }

    fn range(self) -> Range<usize> {
        let [start, len] =
            [self.0 >> Self::LEN, self.0 & ((1 << Self::LEN) - 1)].map(|part| fitting::<usize>(part));
        start..start + len
    }
}

/// The length of the element called `name` at the start of `input`, whose start tag has `at` bytes.
#[inline]
fn element(input: &[u8], name: &[u8], mut at: usize) -> Result<usize, Fault> {
    let mut open = [Name::default(); DEPTH];
    let mut depth = 0_usize;
    loop {
        let rest = input.part(at..);
        at += near(b'<', rest).ok_or(Fault::More)?;
        let rest = input.part(at..);
        // Most elements hold text alone.
        if let Some(leaf) = leaf(rest).filter(|leaf| depth < DEPTH && (depth > 0 || leaf.name != name)) {
            at += leaf.len;
            continue;
        }
        let (tag, len) = match token(rest) {
            Token::Whole(tag, len) => (tag, len),
            Token::More => return Err(Fault::More),
            Token::Bad(expected) => return Err(Fault::Bad(at, expected)),
            Token::Long => return Err(Fault::Long),
        };
        match tag {
            Tag::Start(inner) => {
                let child = Tag::Start(inner).name();
                if depth == 0 && child == name {
                    return Err(Fault::Bad(at, "the end of the element before"));
                }
                let slot = open.get_mut(depth).ok_or(Fault::Deep(at))?;
                if let Some(end) = leaf_end(rest.get(len..).unwrap_or_default(), child) {
                    at += len + end;
                    continue;
                }
                *slot = Name::new(at + 1, child.len());
                depth += 1;
            }
            Tag::End(end) => {
                let Some(inner) = depth.checked_sub(1) else {
                    if end == name {
                        return Ok(at + len);
                    }
                    return Err(Fault::Bad(at, "the end tag of the element"));
                };
                let name = value_at(&open, inner);
                if input.get(name.range()) != Some(end) {
                    return Err(Fault::Bad(at, "the end tag of the innermost element"));
                }
                depth = inner;
            }
            Tag::Empty(_) | Tag::Other => {}
        }
        at += len;
    }
}

/// The length of the text at the start of `input` and the end tag of `name` directly after it, if this follows.
#[inline]
fn leaf_end(input: &[u8], name: &[u8]) -> Option<usize> {
    let text = memchr::memchr(b'<', input)?;
    let tail = input.get(text..)?.strip_prefix(b"</")?;
    let is_own = tail.get(name.len()) == Some(&b'>') && tail.starts_with(name);
    is_own.then(|| text + name.len() + 3)
}

/// Length of the text before the first markup of a record, and that markup.
#[inline]
pub fn split(bytes: &[u8]) -> (usize, Option<Tag<'_>>) {
    let Some(text) = memchr::memchr(b'<', bytes) else { return (bytes.len(), None) };
    match token(bytes.part(text..)) {
        Token::Whole(tag, _) => (text, Some(tag)),
        _ => (bytes.len(), None),
    }
}

/// Searches after the first byte for a tag of a known element. Comments and CDATA are skipped; one without an end
/// reaches to the end of the input.
pub fn resync<F: Frame>(input: &[u8], eof: bool) -> Search {
    const NEAR: usize = 128;
    let mut from = 1_usize;
    loop {
        // It may go on behind what is there.
        let Some(next) = memchr::memchr(b'<', input.part_or_empty(from..)) else {
            // The last byte is kept: the search starts after the first.
            return Search::Beyond { skip: input.len().saturating_sub(1), need: 1 };
        };
        let at = from + next;
        let rest = input.part(at..);
        from = at + 1;
        let skip = at.saturating_sub(1);
        if [&b"<!--"[..], b"<![CDATA[", b"<?"].iter().any(|mark| rest.starts_with(mark)) {
            match token(rest) {
                Token::Whole(_, len) => from = at + len,
                Token::More if eof => return Search::Beyond { skip: input.len(), need: 1 },
                Token::More => return Search::Beyond { skip, need: rest.len() },
                _ => {}
            }
            continue;
        }
        if rest.len() < NEAR && !eof {
            return Search::Beyond { skip, need: missing(NEAR, rest) };
        }
        let near = rest.get(1..NEAR).or(rest.get(1..)).unwrap_or_default();
        let (name, is_end_tag) = near.strip_prefix(b"/").map_or((near, false), |name| (name, true));
        let is_end = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'>');
        let whole = name.iter().position(is_end).and_then(|end| name.get(..end)).map(local);
        if whole.is_some_and(|name| F::is_known(name) && !(is_end_tag && F::element(name).is_some())) {
            return Search::Found(at);
        }
    }
}

/// The root element.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Root {
    /// The start tag without its brackets; `None` if the document begins with another known element.
    tag: Option<Vec<u8>>,
    /// Whether it is an empty-element tag.
    pub is_empty: bool,
}

impl Root {
    /// A root element with this start tag, given without its brackets.
    pub fn new(tag: Vec<u8>) -> Self {
        Self { tag: Some(tag), is_empty: false }
    }

    /// The start tag without its brackets; `None` without a root element.
    pub fn tag(&self) -> Option<&[u8]> {
        self.tag.as_deref()
    }

    /// The prefix of its name with its colon; empty without one.
    pub fn prefix(&self) -> &[u8] {
        self.tag().map_or(&[], |tag| Tag::Start(tag).prefix())
    }
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tag = self.tag().map(|tag| Escaped(tag).to_string());
        f.debug_struct("Root").field("tag", &tag).field("is_empty", &self.is_empty).finish()
    }
}

/// Reads the header: everything up to the end of the root element's start tag. If that is damaged, the header is empty
/// and the records begin at offset 0.
pub fn header<F: Frame>(input: &[u8], eof: bool) -> Result<Step<Root>> {
    if matches!(input, [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0, b'<', ..] | [b'<', 0, ..]) {
        let kind = ErrorKind::Unsupported { what: "UTF-16", why: "it must be read through a Utf8Reader" };
        return Err(Error::new(kind, 0).within(F::NAME));
    }
    let short = || if eof { Err(Error::magic(input, F::NAME)) } else { Ok(Step::Need(input.len().max(1))) };
    // The error shows the first 16 bytes, so they must have been read.
    let other = || match 16_usize.checked_sub(input.len()) {
        Some(n @ 1..) if !eof => Ok(Step::Need(n)),
        _ => Err(Error::magic(input, F::NAME)),
    };
    let mut at = input.len().min(BOM.len());
    if input.get(..at) != BOM.get(..at) {
        at = 0;
    }
    loop {
        let rest = input.part(at..);
        let blanks = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let begin = at + blanks;
        let rest = input.part(begin..);
        match rest.first() {
            None => return short(),
            Some(b'<') => {}
            Some(_) => return other(),
        }
        let (tag, len) = match markup::doctype(rest) {
            Token::Whole(tag, len) => (tag, len),
            Token::More => return short(),
            Token::Bad(_) | Token::Long => return other(),
        };
        let end = begin + len;
        let is_spoilt = |len: usize| control(input.part(..len)).is_some();
        return match tag {
            Tag::Other => {
                at = end;
                continue;
            }
            Tag::Start(_) | Tag::Empty(_) if F::is_root(local(tag.name())) && is_spoilt(end) => {
                Ok(Step::Ready(Root::default(), 0))
            }
            Tag::Start(inner) | Tag::Empty(inner) if F::is_root(local(tag.name())) => {
                let root = Root { tag: Some(inner.to_vec()), is_empty: matches!(tag, Tag::Empty(_)) };
                Ok(Step::Ready(root, end))
            }
            // Leading whitespace belongs to the record.
            Tag::Start(_) | Tag::Empty(_) if F::is_known(local(tag.name())) => {
                Ok(Step::Ready(Root::default(), if is_spoilt(at) { 0 } else { at }))
            }
            _ => other(),
        };
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";
