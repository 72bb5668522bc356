//! One piece of a document.

use robolog_core::{RawRecord, text::Escaped};

use super::{Tag, local, split};

/// An element with all that it holds, or another piece of markup; with the text before it. `K` says what it is.
#[derive(Clone, Copy)]
pub struct Piece<'a, K> {
    raw: RawRecord<'a>,
    /// Bytes of text before the markup.
    text: usize,
    tag: Tag<'a>,
    kind: K,
}

impl<'a, K: Copy> Piece<'a, K> {
    /// `kind` is told the markup; there is none in a record of text alone.
    #[inline]
    pub fn new(raw: RawRecord<'a>, kind: impl FnOnce(Option<Tag<'a>>) -> K) -> Self {
        let (text, tag) = split(raw.bytes);
        Self { raw, text, tag: tag.unwrap_or(Tag::Other), kind: kind(tag) }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// What it is.
    pub fn kind(&self) -> K {
        self.kind
    }

    /// The bytes and where they stand.
    #[inline]
    pub fn raw(&self) -> RawRecord<'a> {
        self.raw
    }

    /// The tag, if it is one.
    #[inline]
    pub fn tag(&self) -> Tag<'a> {
        self.tag
    }

    /// The name of the element without its prefix; empty where there is none.
    pub fn name(&self) -> &'a [u8] {
        local(self.tag.name())
    }

    /// The text before the markup.
    pub fn text(&self) -> &'a [u8] {
        self.raw.bytes.get(..self.text).unwrap_or_default()
    }

    /// The markup itself.
    pub fn markup(&self) -> &'a [u8] {
        self.raw.bytes.get(self.text..).unwrap_or_default()
    }

    /// Offset in the file of the markup.
    pub fn markup_offset(&self) -> u64 {
        self.raw.offset.saturating_add(self.text as u64)
    }
}

impl<K: std::fmt::Debug> std::fmt::Debug for Piece<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.raw.offset)
            .field("kind", &self.kind)
            .field("bytes", &Escaped(self.raw.bytes).to_string())
            .finish()
    }
}
