//! Copies records into a document that stays well-formed.

use std::io::Write;

use robolog_core::{Error, Result, format::CountingWriter, text::Escaped};

use super::{DocumentPosition, Frame, Piece, Root, Stack, Tag, local};

/// An output document in which every element gets its end tag.
#[derive(Debug)]
pub struct ElementCopier<W> {
    out: CountingWriter<W>,
    /// Whether an element has been written.
    is_begun: bool,
    /// Bytes of records that are missing from the copy.
    left_out: u64,
}

/// The state of a copy before a record.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    position: u64,
    left_out: u64,
}

impl<W: Write> ElementCopier<W> {
    /// Starts a copy with the header's bytes. Returns an error if their root element is not `root`.
    pub fn new(inner: W, root: &Root, header_bytes: &[u8]) -> Result<Self> {
        if let Some(tag) = root.tag()
            && memchr::memmem::find(header_bytes, tag).is_none()
        {
            let expected = "that of the bytes to be copied";
            return Err(Error::invalid("header", "a changed one", expected, 0).within("rewriter"));
        }
        let mut out = CountingWriter::new(inner);
        out.bytes(header_bytes)?;
        Ok(Self { out, is_begun: root.tag().is_some(), left_out: 0 })
    }

    /// Starts a document without a root element with one.
    pub fn root(&mut self, markup: &[u8], tag: Tag<'_>, stack: &mut Stack) -> Result<()> {
        stack.push(tag, 0)?;
        stack.set_root();
        self.is_begun = true;
        self.bytes(markup)
    }

    /// The state before the copy of a record.
    pub fn mark(&self) -> Mark {
        Mark { position: self.out.position(), left_out: self.left_out }
    }

    /// Counts the missing bytes of a record of `len` bytes whose copy began at `mark` and failed.
    pub fn fail(&mut self, len: usize, mark: Mark) {
        let written = self.out.position() - mark.position;
        self.left_out = mark.left_out + (len as u64).saturating_sub(written);
    }

    /// Bytes of records that are missing from the copy.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Writes bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.bytes(bytes)
    }

    /// Returns an error if this would be the first element and no document begins with it. Call it before the stack
    /// follows the element.
    fn check<F: Frame>(&self, record: &Piece<'_, F>) -> Result<()> {
        if self.is_begun || !record.begins_element() || F::is_known(record.name()) {
            return Ok(());
        }
        let found = format!("<{}>", Escaped(record.tag().name()));
        let expected = "one that a document begins with";
        Err(Error::invalid("first element", found, expected, record.markup_offset()).within(F::NAME))
    }

    /// Copies and follows a piece of markup that is not an element of the format. An end tag of an outer element also
    /// ends the elements inside it, and returns an error.
    ///
    /// `has_text` is false if the text before the markup is left out.
    pub fn markup<F: Frame>(
        &mut self,
        record: &Piece<'_, F>,
        has_text: bool,
        place: &mut impl DocumentPosition<F>,
    ) -> Result<()> {
        self.check(record)?;
        let name = record.tag().name();
        let is_closing = matches!(record.tag(), Tag::End(_)) && place.stack().is_around(name);
        if is_closing {
            // The text belongs to the innermost element.
            if has_text {
                self.text(record, place.stack())?;
            }
            place.stack().ends(Some(name)).try_for_each(|(end, _)| self.bytes(&end))?;
        }
        let outcome = place.follow(record);
        if is_closing || (outcome.is_ok() && !has_text) {
            self.bytes(record.markup())?;
        } else if outcome.is_ok() {
            self.record(record, place.stack())?;
        }
        outcome
    }

    /// Copies a record that the stack has followed.
    #[inline]
    pub fn record<F: Frame>(&mut self, record: &Piece<'_, F>, stack: &mut Stack) -> Result<()> {
        if self.is_begun {
            return self.bytes(record.bytes());
        }
        self.text(record, stack)?;
        self.bytes(record.markup())
    }

    /// Copies the text before the markup of a record that the stack has followed.
    ///
    /// If damage destroyed the root element, the copy must still read the same as the document: no text comes before
    /// its first element, and if that is a root element, nothing comes after it.
    pub fn text<F: Frame>(&mut self, record: &Piece<'_, F>, stack: &mut Stack) -> Result<()> {
        let text = record.text();
        if self.is_begun || text.trim_ascii().is_empty() {
            self.bytes(text)?;
        } else {
            self.left_out += text.len() as u64;
        }
        if !self.is_begun && record.begins_element() {
            self.is_begun = true;
            if F::is_root(local(record.tag().name())) {
                stack.set_root();
            }
        }
        Ok(())
    }

    /// An error for an element that is still open at the end.
    pub fn unfinished(&self, stack: &Stack) -> Option<Error> {
        let top = format!("<{}>", Escaped(stack.top()?));
        Some(Error::invalid(
            "end of the document",
            format_args!("{top} open"),
            "its end tag, which is added",
            self.out.position(),
        ))
    }

    /// Ends all open elements.
    pub fn finish(mut self, stack: &Stack) -> Result<W> {
        for (end, _) in stack.ends(None) {
            self.bytes(b"\n")?;
            self.bytes(&end)?;
        }
        if stack.depth() > 0 {
            self.bytes(b"\n")?;
        }
        self.out.finish()
    }
}
