//! Bytes copied into a document that stays well-formed.

use std::io::Write;

use robolog_core::{CountingWriter, Error, Result, text::Escaped};

use super::{Frame, Piece, Place, Root, Stack, Tag, local};

/// A target in which elements are ended.
#[derive(Debug)]
pub struct Copier<W> {
    out: CountingWriter<W>,
    /// Whether an element was written.
    is_begun: bool,
    /// Bytes of records that are not in the copy.
    left_out: u64,
}

/// The state of a copy before a record.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    position: u64,
    left_out: u64,
}

impl<W: Write> Copier<W> {
    /// Begins with what lies before the records. Fails where its root element is not `root`.
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

    /// Begins a document that has no root element with one.
    pub fn root(&mut self, markup: &[u8], tag: Tag<'_>, stack: &mut Stack) -> Result<()> {
        stack.push(tag, 0)?;
        stack.set_root();
        self.is_begun = true;
        self.bytes(markup)
    }

    /// Where the copy of a record begins.
    pub fn mark(&self) -> Mark {
        Mark { position: self.out.position(), left_out: self.left_out }
    }

    /// Counts what is missing of a record of `len` bytes, the copy of which began at `mark` and failed.
    pub fn fail(&mut self, len: usize, mark: Mark) {
        let written = self.out.position().saturating_sub(mark.position);
        self.left_out = mark.left_out.saturating_add((len as u64).saturating_sub(written));
    }

    /// Bytes of records that are not in the copy.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.bytes(bytes)
    }

    /// Before an element is followed: fails where it would be the first, and no document begins with such a one.
    fn check<F: Frame>(&self, record: &Piece<'_, F>) -> Result<()> {
        if self.is_begun || !record.begins_element() || F::is_known(record.name()) {
            return Ok(());
        }
        let found = format!("<{}>", Escaped(record.tag().name()));
        let expected = "one that a document begins with";
        Err(Error::invalid("first element", found, expected, record.markup_offset()).within(F::NAME))
    }

    /// Copies a piece of markup that is no element of the format, and follows it. An end tag of an element around the
    /// innermost also ends those inside of it, and is an error.
    ///
    /// `has_text` is false where the text before the markup is left out.
    pub fn markup<F: Frame>(
        &mut self,
        record: &Piece<'_, F>,
        has_text: bool,
        place: &mut impl Place<F>,
    ) -> Result<()> {
        self.check(record)?;
        let name = record.tag().name();
        let is_closing = matches!(record.tag(), Tag::End(_)) && place.stack().is_around(name);
        if is_closing {
            // The text belongs to the innermost element.
            if has_text {
                self.text(record, place.stack())?;
            }
            self.close_to(name, place.stack())?;
        }
        let outcome = place.follow(record);
        if is_closing || (outcome.is_ok() && !has_text) {
            self.bytes(record.markup())?;
        } else if outcome.is_ok() {
            self.record(record, place.stack())?;
        }
        outcome
    }

    /// Copies a record that was followed.
    #[inline]
    pub fn record<F: Frame>(&mut self, record: &Piece<'_, F>, stack: &mut Stack) -> Result<()> {
        if self.is_begun {
            return self.bytes(record.bytes());
        }
        self.text(record, stack)?;
        self.bytes(record.markup())
    }

    /// Copies the text before the markup of a record that was followed.
    ///
    /// Of a document whose root element was lost to damage the copy must not be read in another way than the document was:
    /// no text stands before its first element, and where that is a root element nothing stands behind it.
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

    /// Before the end tag of an element that is open: ends the elements within it.
    fn close_to(&mut self, name: &[u8], stack: &Stack) -> Result<()> {
        let mut stack = stack.clone();
        while stack.is_around(name) {
            self.close(&mut stack)?;
        }
        Ok(())
    }

    fn close(&mut self, stack: &mut Stack) -> Result<()> {
        let name = stack.top().unwrap_or_default().to_vec();
        stack.pop();
        self.bytes(&[b"</", &name[..], b">"].concat())
    }

    /// What is open at the end.
    pub fn unfinished(&self, stack: &Stack) -> Option<Error> {
        let top = format!("<{}>", Escaped(stack.top()?));
        Some(Error::invalid(
            "end of the document",
            format_args!("{top} open"),
            "its end tag, which is added",
            self.out.position(),
        ))
    }

    /// Ends what is open.
    pub fn finish(mut self, stack: &Stack) -> Result<W> {
        let mut stack = stack.clone();
        let open = stack.depth() > 0;
        while stack.depth() > 0 {
            self.bytes(b"\n")?;
            self.close(&mut stack)?;
        }
        if open {
            self.bytes(b"\n")?;
        }
        self.out.finish()
    }
}
