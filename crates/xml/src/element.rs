//! An element as a tree, for parts of a document that are few.

use std::{borrow::Cow, ops::Range};

use robolog_core::{Result, slices::Part as _};

use super::{Events, Part, local, unescape};

/// An element with everything inside. Its text borrows from the document.
///
/// ```
/// use robolog_xml::Element;
/// let point = Element::parse("<wpt lat='45.5'><name> a &amp; b </name></wpt>", 0)?;
/// assert_eq!(point.attribute("lat").as_deref(), Some("45.5"));
/// assert_eq!(point.child_text("name"), Some("a & b"));
/// # Ok::<(), robolog_xml::robolog_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Element<'a> {
    /// The text it was parsed from.
    source: &'a str,
    /// Its start tag without brackets.
    tag: &'a str,
    /// Its name without the prefix.
    name: &'a str,
    /// From the start tag to the end tag, both included.
    range: Range<usize>,
    /// The content between the tags.
    inner: Range<usize>,
    /// Its own text, without that of children.
    text: Cow<'a, str>,
    /// Child elements, in order.
    pub children: Vec<Self>,
}

impl<'a> Element<'a> {
    /// Parses the first element of `source`, skipping text and comments before it. `at` is the offset of `source` in
    /// the file.
    pub fn parse(source: &'a str, at: u64) -> Result<Self> {
        Self::parse_with(source, at, &mut |_, _| false)
    }

    /// Like [`parse`](Self::parse), but calls `take` with the parent and each complete element. If `take` returns true,
    /// the element is not kept as a child, so numerous elements need no tree.
    pub fn parse_with(source: &'a str, at: u64, take: &mut dyn FnMut(&Self, &Self) -> bool) -> Result<Self> {
        let mut events = Events::new(source, at);
        let mut open: Vec<Self> = Vec::new();
        loop {
            let done = match open.last().and_then(|_| events.leaf()) {
                Some((tag, text, range)) => Self::leaf(source, tag, text, range),
                None => match Self::next(&mut events, &mut open)? {
                    Some(done) => done,
                    None => continue,
                },
            };
            match open.last_mut() {
                Some(parent) if take(parent, &done) => {}
                Some(parent) => {
                    // Most have one.
                    if parent.children.is_empty() {
                        parent.children.reserve_exact(1);
                    }
                    parent.children.push(done);
                }
                None => return Ok(done),
            }
        }
    }

    /// Reads a piece; returns an element if that is its end.
    fn next(events: &mut Events<'a>, open: &mut Vec<Self>) -> Result<Option<Self>> {
        let (part, range) = events.read()?;
        match part {
            Part::Start(tag) => open.push(Self::begin(events.source(), tag, range)),
            Part::Empty(tag) => return Ok(Some(Self::begin(events.source(), tag, range))),
            Part::Text(text) => Self::add(open, text),
            Part::End => {
                let Some(mut done) = open.pop() else { return Err(events.unexpected_end(range.start)) };
                done.inner.end = range.start;
                done.range.end = range.end;
                if !open.is_empty() {
                    done.children.shrink_to_fit();
                }
                return Ok(Some(done));
            }
        }
        Ok(None)
    }

    fn leaf(source: &'a str, tag: &'a str, text: Cow<'a, str>, range: Range<usize>) -> Self {
        let name = tag.part(tag.len() - local(tag.as_bytes()).len()..);
        let inner = range.start + tag.len() + 2..range.end - tag.len() - 3;
        Self { source, tag, name, range, inner, text, children: Vec::new() }
    }

    fn begin(source: &'a str, tag: &'a str, range: Range<usize>) -> Self {
        let inner = range.end..range.end;
        let whole = super::Tag::Start(tag.as_bytes()).name();
        let prefix = whole.len() - local(whole).len();
        let name = tag.part(prefix..whole.len());
        Self { source, tag, name, range, inner, text: Cow::Borrowed(""), children: Vec::new() }
    }

    fn add(open: &mut [Self], text: Cow<'a, str>) {
        let Some(element) = open.last_mut() else { return };
        if element.text.is_empty() {
            element.text = text;
        } else {
            element.text.to_mut().push_str(&text);
        }
    }

    /// The name without its prefix.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The text, trimmed; `None` if that is empty.
    pub fn text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// The text, untrimmed.
    pub fn whole_text(&self) -> String {
        self.text.as_ref().to_owned()
    }

    /// The first child with this local name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name() == name)
    }

    /// The trimmed text of a child.
    pub fn child_text(&self, name: &str) -> Option<&str> {
        self.child(name)?.text()
    }

    /// The source of the element.
    pub fn raw(&self) -> &'a str {
        self.source.part(self.range.clone())
    }

    /// The source between its tags.
    pub fn inner(&self) -> &'a str {
        self.source.part(self.inner.clone())
    }

    /// The source between its tags without the descendants that `is_out` selects, given the parent and the element.
    pub fn inner_without(&self, is_out: &dyn Fn(&Self, &Self) -> bool) -> String {
        let mut content = String::new();
        let mut from = self.inner.start;
        self.cut_out(is_out, &mut from, &mut content);
        content.push_str(self.source.part(from..self.inner.end));
        content
    }

    fn cut_out(&self, is_out: &dyn Fn(&Self, &Self) -> bool, from: &mut usize, content: &mut String) {
        for child in &self.children {
            if is_out(self, child) {
                content.push_str(self.source.part(*from..child.range.start));
                *from = child.range.end;
            } else {
                child.cut_out(is_out, from, content);
            }
        }
    }

    /// Offset of the content in the parsed text.
    pub fn inner_start(&self) -> usize {
        self.inner.start
    }

    /// Range of the element in the parsed text.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Range of the content in the parsed text.
    pub fn inner_range(&self) -> Range<usize> {
        self.inner.clone()
    }
}

/// Used by the types of GPX.
impl<'a> Element<'a> {
    /// The prefix of the name; empty without one.
    pub fn prefix(&self) -> &'a str {
        let whole = super::Tag::Start(self.tag.as_bytes()).name();
        let len = whole.len().saturating_sub(self.name.len()).saturating_sub(1);
        self.tag.part(..len)
    }

    /// The attribute with this local name.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let tag = self.tag;
        let (_, value) = super::attributes(tag.as_bytes()).find(|(key, _)| local(key) == name.as_bytes())?;
        Some(unescape(std::str::from_utf8(value).ok()?))
    }

    /// The attributes that declare namespaces, unparsed.
    pub fn namespaces(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.raw_attribute_pairs().filter(|(key, _)| key.starts_with("xmlns"))
    }

    /// All attributes, unparsed.
    pub fn raw_attribute_pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let str = |bytes| std::str::from_utf8(bytes).ok();
        super::attributes(self.tag.as_bytes()).filter_map(move |(key, value)| Some((str(key)?, str(value)?)))
    }

    /// The start tag without its brackets.
    pub fn tag(&self) -> &'a str {
        self.tag
    }

    /// Whether it is an empty-element tag.
    pub fn is_empty(&self) -> bool {
        self.inner.start == self.range.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_keeps_its_source() {
        let text = "\n <!-- x --><a:p b='1&amp;' xmlns:q=\"u\"><c>1 &lt;<![CDATA[<>]]> &foo; & 2</c><q:d/></a:p> tail";
        let p = Element::parse(text, 0).unwrap();
        assert_eq!((p.name(), p.prefix(), p.attribute("b").unwrap().as_ref()), ("p", "a", "1&"));
        assert_eq!(p.child_text("c"), Some("1 <<> &foo; & 2"));
        assert_eq!((p.children[1].raw(), p.children[1].inner()), ("<q:d/>", ""));
        assert_eq!(p.raw(), &text[12..text.len() - 5]);
        assert_eq!(p.namespaces().collect::<Vec<_>>(), [("xmlns:q", "u")]);
        assert_eq!(Element::parse("<a><b></a>", 7).unwrap_err().offset(), 13);
        let deep = "<a>".repeat(crate::DEPTH + 1);
        assert!(Element::parse(&deep, 0).unwrap_err().to_string().contains("nesting"));
    }
}
