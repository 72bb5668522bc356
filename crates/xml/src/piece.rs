//! One piece of a document.

use std::fmt::{self, Debug};

use robolog_core::{
    format::RawRecord,
    slices::{Part as _, past},
    text::Escaped,
};

use super::{Frame, Tag, local, split};

/// Kind of a piece of a document. `E` is the type of the elements that are one record each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind<E> {
    /// An element with everything inside.
    Element(E),
    /// The start tag of another element.
    Start,
    /// Another element, empty.
    Empty,
    /// An end tag.
    End,
    /// A comment, CDATA or a processing instruction.
    Other,
    /// Text only.
    Text,
}

impl<E: Debug> Debug for Kind<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => element.fmt(f),
            Self::Start => f.write_str("Start"),
            Self::Empty => f.write_str("Empty"),
            Self::End => f.write_str("End"),
            Self::Other => f.write_str("Other"),
            Self::Text => f.write_str("Text"),
        }
    }
}

impl<E: Copy> Kind<E> {
    /// The element, if it is a whole one.
    #[inline]
    pub fn element(self) -> Option<E> {
        if let Self::Element(element) = self { Some(element) } else { None }
    }

    #[inline]
    fn of<F: Frame<Element = E>>(markup: Option<Tag<'_>>) -> Self {
        let or = |other, tag: Tag<'_>| F::element(local(tag.name())).map_or(other, Self::Element);
        match markup {
            None => Self::Text,
            Some(tag @ Tag::Start(_)) => or(Self::Start, tag),
            Some(tag @ Tag::Empty(_)) => or(Self::Empty, tag),
            Some(Tag::End(_)) => Self::End,
            Some(Tag::Other) => Self::Other,
        }
    }
}

/// A whole element or another piece of markup, with the text before it.
pub struct Piece<'a, F: Frame> {
    raw: RawRecord<'a>,
    /// Length of the text before the markup, bytes.
    text: usize,
    tag: Tag<'a>,
    kind: Kind<F::Element>,
}

impl<F: Frame> Copy for Piece<'_, F> {}

impl<F: Frame> Clone for Piece<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, F: Frame> Piece<'a, F> {
    /// The piece that a record holds.
    #[inline]
    pub fn new(raw: RawRecord<'a>) -> Self {
        let (text, tag) = split(raw.bytes);
        Self { raw, text, tag: tag.unwrap_or(Tag::Other), kind: Kind::of::<F>(tag) }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The kind.
    pub fn kind(&self) -> Kind<F::Element> {
        self.kind
    }

    /// The bytes and their offset.
    #[inline]
    pub fn raw(&self) -> RawRecord<'a> {
        self.raw
    }

    /// The tag, if the markup is one.
    #[inline]
    pub fn tag(&self) -> Tag<'a> {
        self.tag
    }

    /// Whether an element begins here.
    pub fn begins_element(&self) -> bool {
        matches!(self.tag, Tag::Start(_) | Tag::Empty(_))
    }

    /// The local name of the element; empty without one.
    pub fn name(&self) -> &'a [u8] {
        local(self.tag.name())
    }

    /// The text before the markup.
    pub fn text(&self) -> &'a [u8] {
        self.raw.bytes.part(..self.text)
    }

    /// The markup itself.
    pub fn markup(&self) -> &'a [u8] {
        self.raw.bytes.part(self.text..)
    }

    /// Offset of the markup in the file.
    pub fn markup_offset(&self) -> u64 {
        past(self.raw.offset, self.text)
    }
}

impl<F: Frame> Debug for Piece<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.raw.offset)
            .field("kind", &self.kind)
            .field("bytes", &Escaped(self.raw.bytes).to_string())
            .finish()
    }
}
