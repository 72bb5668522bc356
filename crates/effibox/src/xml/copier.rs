//! Bytes copied into a document that stays well-formed.

use std::io::Write;

use robolog_core::{Error, Result, text::Escaped};

use super::Stack;

/// A target, and how many bytes it has got.
#[derive(Debug)]
pub(crate) struct Copier<W> {
    inner: W,
    at: u64,
}

impl<W: Write> Copier<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, at: 0 }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.inner.write_all(bytes).map_err(|e| Error::io(e, self.at))?;
        self.at = self.at.saturating_add(bytes.len() as u64);
        Ok(())
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
            self.at,
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
        self.inner.flush().map_err(|e| Error::io(e, self.at))?;
        Ok(self.inner)
    }
}
