//! Lists of `key=value`.

use std::iter::FusedIterator;

use robolog_core::{
    slices::{Part as _, split_once},
    text::{near, near_of},
};

use super::{RawText, Strictness};

/// The items of a list, in order. Items without a key belong to the key before them.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    rest: Option<&'a [u8]>,
    separator: u8,
    strictness: Strictness,
    hopeless: Hopeless,
}

/// Whether braces, brackets and parentheses are ignored from here on.
#[derive(Debug, Clone, Copy, Default)]
struct Hopeless([bool; 3]);

/// Maximum number of unclosed brackets of a kind; beyond it, none of that kind protects, because searching for each
/// other half would take quadratic time.
const UNCLOSED: u32 = 64;

/// An item of a list.
///
/// ```
/// use alog::RawText;
/// let value = RawText(b"label=b_1,pts={10,20:30,40}");
/// let points = value.items().find(|item| item.key == Some(b"pts")).expect("it has points");
/// assert_eq!(points.value.text(), Some("{10,20:30,40}"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The text before the first equals sign, trimmed; `None` without one.
    pub key: Option<&'a [u8]>,
    /// The text after it, trimmed and without surrounding quotes.
    pub value: RawText<'a>,
}

impl<'a> Items<'a> {
    pub(super) fn new(text: &'a [u8], separator: u8, strictness: Strictness) -> Self {
        // A JSON list is a MOOS list with braces and quotes.
        let inner = text.strip_prefix(b"{").and_then(|text| text.strip_suffix(b"}"));
        let is_json = inner.is_some_and(|inner| inner.trim_ascii_start().starts_with(b"\""));
        let text = inner.filter(|_| is_json).unwrap_or(text);
        // Most lists have nothing that protects a separator.
        let is_plain =
            memchr::memchr3(b'{', b'[', b'(', text).is_none() && memchr::memchr(b'"', text).is_none();
        let strictness = if is_plain { Strictness::Moos } else { strictness };
        Self {
            rest: (!text.is_empty()).then_some(text),
            separator,
            strictness,
            hopeless: Hopeless::default(),
        }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let text = self.rest?;
        let end = end_of(text, self.separator, self.strictness, &mut self.hopeless);
        let (item, rest) = text.split_at_checked(end)?;
        self.rest = rest.split_first().map(|(_, rest)| rest);
        Some(Item::parse(item))
    }
}

impl FusedIterator for Items<'_> {}

impl<'a> Item<'a> {
    fn parse(item: &'a [u8]) -> Self {
        // JSON has a colon after a quoted key.
        if let Some(after) = item.trim_ascii_start().strip_prefix(b"\"")
            && let Some((key, behind)) = split_once(after, b'"')
            && let Some(value) = behind.trim_ascii().strip_prefix(b":")
        {
            return Self { key: Some(key), value: RawText(unquoted(value.trim_ascii())) };
        }
        match near(b'=', item) {
            Some(equals) => {
                let (key, value) = (item.part(..equals), item.part(equals + 1..));
                Self { key: Some(key.trim_ascii()), value: RawText(unquoted(value.trim_ascii())) }
            }
            None => Self { key: None, value: RawText(unquoted(item.trim_ascii())) },
        }
    }
}

fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text)
}

/// End of the first item: a separator outside of quotes and brackets.
fn end_of(text: &[u8], separator: u8, strictness: Strictness, hopeless: &mut Hopeless) -> usize {
    if strictness == Strictness::Moos {
        return near(separator, text).unwrap_or(text.len());
    }
    let brackets = strictness == Strictness::Ours;
    let marks = [separator, b'{', b'[', b'(', b'"'];
    let mut at = 0_usize;
    // Most bytes belong to names and numbers.
    while let Some(rest) = text.get(at..) {
        at += near_of(marks, rest);
        let Some(byte) = text.get(at) else { break };
        let (close, kind) = match byte {
            b'{' => (b'}', 0),
            b'[' if brackets => (b']', 1),
            b'(' if brackets => (b')', 2),
            b'"' => (b'"', 3),
            byte if *byte == separator => return at,
            _ => (0, 3),
        };
        at += 1;
        if close == 0 || hopeless.0.get(kind) == Some(&true) {
            continue;
        }
        match matching(text.part(at..), *byte, close) {
            Ok(skip) => at += skip,
            // An unclosed bracket protects nothing.
            Err(unclosed) => {
                if let Some(is_hopeless) = hopeless.0.get_mut(kind) {
                    *is_hopeless = unclosed > UNCLOSED;
                }
            }
        }
    }
    text.len()
}

/// Length of the bracket opened before `text`, up to and including its other half; or the number of unclosed ones.
fn matching(text: &[u8], open: u8, close: u8) -> Result<usize, u32> {
    let mut depth = 1_u32;
    for at in memchr::memchr2_iter(open, close, text) {
        let is_close = text.get(at) == Some(&close);
        depth = if is_close { depth - 1 } else { depth.saturating_add(1) };
        if depth == 0 {
            return Ok(at + 1);
        }
    }
    Err(depth)
}

/// The value after a key.
pub(super) fn find<'a>(text: &'a [u8], key: &[u8], strictness: Strictness) -> Option<RawText<'a>> {
    if strictness == Strictness::Moos {
        // `MOOSValFromString`: a token at the start or after a comma, up to the next comma.
        let item = text.split(|b| *b == b',').find(|item| {
            let token = item.trim_ascii_start().strip_prefix(key);
            token.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"="))
        })?;
        return split_once(item, b'=').map(|(_, value)| RawText(value.trim_ascii()));
    }
    let mut items = Items::new(text, b',', strictness);
    if items.strictness == Strictness::Moos {
        // Items that nothing protects need not be read one by one.
        items.rest = Some(text.get(item_of(text, key)?..)?);
    }
    items.find(|item| item.key == Some(key)).map(|item| item.value)
}

/// The value after each key: that of its first item.
pub(super) fn find_all<'a, const N: usize>(text: &'a [u8], keys: [&str; N]) -> [Option<RawText<'a>>; N] {
    let mut found = [None; N];
    for item in Items::new(text, b',', Strictness::Ours) {
        let place = item.key.and_then(|key| keys.iter().position(|other| other.as_bytes() == key));
        if let Some(value @ None) = place.and_then(|place| found.get_mut(place)) {
            *value = Some(item.value);
        }
    }
    found
}

/// Start of the first item with this key in a plain list.
fn item_of(text: &[u8], key: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(text, key).find(|at| {
        let (before, rest) = text.halves(*at);
        let is_first = before.trim_ascii_end().last().is_none_or(|mark| *mark == b',');
        is_first && rest.part(key.len()..).trim_ascii_start().first() == Some(&b'=')
    })
}
