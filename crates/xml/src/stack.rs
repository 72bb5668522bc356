//! The open elements.

use robolog_core::{
    Error, ErrorKind, Result,
    slices::{Part as _, value_at},
    text::Escaped,
};

use super::{DEPTH, Frame, Piece, Root, Tag};

/// A position in a document.
pub trait DocumentPosition<F: Frame> {
    /// The open elements.
    fn stack(&mut self) -> &mut Stack;

    /// Follows a piece that is not an element of the format. Returns an error for an end tag that does not match the
    /// innermost element; the element of that name is ended nevertheless.
    fn follow(&mut self, piece: &Piece<'_, F>) -> Result<()>;
}

impl<F: Frame> DocumentPosition<F> for Stack {
    fn stack(&mut self) -> &mut Stack {
        self
    }

    fn follow(&mut self, piece: &Piece<'_, F>) -> Result<()> {
        Self::follow(self, piece.tag(), piece.markup_offset())
    }
}

/// Names of the open elements.
///
/// ```
/// use robolog_xml::{Root, Stack, tags};
/// let mut stack = Stack::new(&Root::new(b"gpx".to_vec()));
/// for tag in tags(b"<trk><trkseg>") {
///     stack.push(tag, 0)?;
/// }
/// assert_eq!((stack.depth(), stack.top()), (3, Some(&b"trkseg"[..])));
/// assert!(stack.unfinished(13).is_some());
/// # Ok::<(), robolog_xml::robolog_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stack {
    names: Vec<u8>,
    starts: Vec<usize>,
    has_root: bool,
}

impl Stack {
    /// Starts inside the root element, if there is one that is not empty.
    pub fn new(root: &Root) -> Self {
        let mut stack = Self::default();
        if let Some(tag) = root.tag().filter(|_| !root.is_empty) {
            // The first element is never too deep.
            let _ = stack.push(Tag::Start(tag), 0);
        }
        stack.has_root = root.tag().is_some();
        stack
    }

    /// Marks the element that is open, or has just ended, as the root element.
    pub fn set_root(&mut self) {
        self.has_root = true;
    }

    /// Returns an error after the end of the root element, where other readers expect no element.
    pub fn inside(&self, at: u64) -> Result<()> {
        if self.is_behind_root() {
            return Err(Error::unexpected("an element after the root element", at).within("xml"));
        }
        Ok(())
    }

    /// Whether the root element has ended, so that another element begins another document.
    pub fn is_behind_root(&self) -> bool {
        self.has_root && self.starts.is_empty()
    }

    /// An error for an element that is still open at the end of a document of `at` bytes.
    pub fn unfinished(&self, at: u64) -> Option<Error> {
        let top = format!("<{}> open", Escaped(self.top()?));
        Some(Error::invalid("end of the document", top, "its end tag", at).within("xml"))
    }

    /// Follows a tag. An end tag that does not match the innermost element is an error, and changes nothing.
    pub fn push(&mut self, tag: Tag<'_>, at: u64) -> Result<()> {
        match tag {
            Tag::Start(_) if self.starts.len() >= DEPTH => {
                let len = (self.starts.len() + 1) as u64;
                let kind = ErrorKind::Limit { what: "nesting", len, limit: DEPTH as u64 };
                return Err(Error::new(kind, at).within("xml"));
            }
            Tag::Start(_) => {
                self.starts.push(self.names.len());
                self.names.extend_from_slice(tag.name());
            }
            Tag::End(name) if self.top() == Some(name) => self.pop(),
            Tag::End(name) => {
                let due = match self.top() {
                    Some(top) => format!("</{}>", Escaped(top)),
                    None => "nothing but comments".to_owned(),
                };
                let found = format!("</{}>", Escaped(name.get(..64).unwrap_or(name)));
                return Err(Error::invalid("end tag", found, due, at).within("xml"));
            }
            Tag::Empty(_) | Tag::Other => {}
        }
        Ok(())
    }

    /// Like [`push`](Self::push), but an end tag of an outer element also ends the elements inside it. It still returns
    /// an error.
    pub fn follow(&mut self, tag: Tag<'_>, at: u64) -> Result<()> {
        let outcome = self.push(tag, at);
        if let (Tag::End(name), true) = (tag, outcome.is_err()) {
            self.end(name);
        }
        outcome
    }

    /// Ends the innermost element.
    pub fn pop(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.names.truncate(start);
        }
    }

    /// Ends the innermost element of this name and those inside it, if one is open.
    pub fn end(&mut self, name: &[u8]) {
        if self.has(name) {
            while self.top().is_some_and(|top| top != name) {
                self.pop();
            }
            self.pop();
        }
    }

    /// The name of the innermost element, with its prefix.
    pub fn top(&self) -> Option<&[u8]> {
        self.names.get(*self.starts.last()?..)
    }

    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.starts.len()
    }

    /// Whether an element of this name is open and the innermost one has another name.
    pub fn is_around(&self, name: &[u8]) -> bool {
        self.top() != Some(name) && self.has(name)
    }

    /// The names of the open elements, with their prefixes, from the outermost.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        (0..self.starts.len()).map(|at| {
            let start = value_at(&self.starts, at);
            let end = self.starts.get(at + 1).copied().unwrap_or(self.names.len());
            self.names.part(start..end)
        })
    }

    /// The end tags that a copy gets in place of missing ones: of the innermost element, and so on up to the one inside
    /// `name`; of all without a name. Each with the number of elements that are open behind it.
    pub fn ends<'a>(&'a self, name: Option<&'a [u8]>) -> impl Iterator<Item = (Vec<u8>, usize)> + 'a {
        let inner = self.names().rev().take_while(move |open| Some(*open) != name);
        let ends = inner.map(|open| [b"</", open, b">"].concat());
        ends.zip((0..self.starts.len()).rev())
    }

    /// Whether the outermost element, and no other, has this name.
    pub fn is_outermost(&self, name: &[u8]) -> bool {
        let mut names = self.names();
        names.next() == Some(name) && names.all(|other| other != name)
    }

    /// Whether an element of this name is open.
    pub fn has(&self, name: &[u8]) -> bool {
        self.names().any(|open| open == name)
    }
}
