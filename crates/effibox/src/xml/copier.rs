//! Bytes copied into a document that stays well-formed.

use std::io::Write;

use robolog_core::{Error, Output, Result, text::Escaped};

use super::Stack;

/// A target in which elements are ended.
#[derive(Debug)]
pub(crate) struct Copier<W> {
    out: Output<W>,
}

impl<W: Write> Copier<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { out: Output::new(inner) }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.bytes(bytes)
    }

    /// Before an end tag: ends the elements that are open within the one it ends, and says whether there are any.
    pub(crate) fn close_to(&mut self, name: &[u8], stack: &Stack) -> Result<bool> {
        let is_closing = stack.top() != Some(name) && stack.has(name);
        if is_closing {
            let mut stack = stack.clone();
            while stack.top() != Some(name) {
                self.close(&mut stack)?;
            }
        }
        Ok(is_closing)
    }

    fn close(&mut self, stack: &mut Stack) -> Result<()> {
        let name = stack.top().unwrap_or_default().to_vec();
        stack.pop();
        self.bytes(&[b"</", &name[..], b">"].concat())
    }

    /// What is open at the end.
    pub(crate) fn unfinished(&self, stack: &Stack) -> Option<Error> {
        let top = format!("<{}>", Escaped(stack.top()?));
        Some(Error::invalid(
            "end of the document",
            format_args!("{top} open"),
            "its end tag, which is added",
            self.out.position(),
        ))
    }

    /// Ends what is open.
    pub(crate) fn finish(mut self, stack: &Stack) -> Result<W> {
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
