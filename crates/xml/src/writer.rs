//! Writes elements with quick-xml.

use std::fmt::{self, Display};

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event, attributes::Attribute},
    name::QName,
};

use robolog_core::slices::{InRange as _, Part as _};

use super::{Escape, Tag, Token, token};

/// Writes elements to memory with quick-xml, indented by two blanks per level. Values are not escaped: wrap text in
/// [`Escape`].
///
/// ```
/// use robolog_xml::{ElementWriter, Escape};
/// let mut xml = ElementWriter::default();
/// xml.begin("trk", &[]);
/// xml.value("name", Escape("a & b"));
/// xml.empty("bounds", &[("minlat", &45.5)]);
/// xml.end("trk");
/// assert_eq!(xml.as_bytes(), b"<trk>\n  <name>a &amp; b</name>\n  <bounds minlat=\"45.5\"/>\n</trk>");
/// ```
pub struct ElementWriter {
    xml: Writer<Vec<u8>>,
    depth: usize,
    /// A start tag, written once the element turns out not to be empty.
    waiting: Option<BytesStart<'static>>,
}

impl Default for ElementWriter {
    fn default() -> Self {
        Self { xml: Writer::new_with_indent(Vec::new(), b' ', 2), depth: 0, waiting: None }
    }
}

impl fmt::Debug for ElementWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.as_bytes());
        f.debug_struct("ElementWriter")
            .field("depth", &self.depth)
            .field("text", &text)
            .finish_non_exhaustive()
    }
}

/// Names and values of attributes. Wrap text in [`Escape`].
pub type Attributes<'a> = [(&'a str, &'a dyn Display)];

fn tag<'a>(name: &'a str, attributes: &Attributes<'_>) -> BytesStart<'a> {
    let mut tag = BytesStart::new(name);
    for (key, value) in attributes {
        tag.push_attribute(Attribute { key: QName(key), value: value.to_string().into() });
    }
    tag
}

impl ElementWriter {
    /// Writes the XML declaration: `<?xml version="1.0" encoding="UTF-8"?>`.
    pub fn declaration(&mut self) {
        self.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    }

    /// The start tag of an element.
    pub fn begin(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.event(Event::Start(tag(name, attributes)));
    }

    /// The start tag of an element that becomes an empty-element tag if its end follows directly.
    pub fn begin_or_empty(&mut self, name: &str, attributes: &Attributes<'_>) {
        let tag = tag(name, attributes).into_owned();
        self.write_waiting();
        self.depth += 1;
        self.waiting = Some(tag);
    }

    /// The end tag of an element: on its own line after other elements, directly after text.
    pub fn end(&mut self, name: &str) {
        if let Some(tag) = self.waiting.take() {
            self.depth -= 1;
            return self.event(Event::Empty(tag));
        }
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// An empty element.
    pub fn empty(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.event(Event::Empty(tag(name, attributes)));
    }

    /// An element with a value.
    pub fn value(&mut self, name: &str, value: impl Display) {
        self.begin(name, &[]);
        self.text(value);
        self.end(name);
    }

    /// An element with a text, if there is one.
    pub fn text_element(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.value(name, Escape(text));
        }
    }

    /// Text or XML, unchanged.
    pub fn text(&mut self, text: impl Display) {
        self.event(Event::Text(BytesText::from_escaped(text.to_string())));
    }

    /// An element as read from a file.
    pub fn raw(&mut self, element: &str) {
        let name_len = |inner: &[u8]| Tag::Start(inner).name().len();
        let inner = |len: usize, tail: usize| element.part(1..len.minus(tail));
        match (token(element.as_bytes()), element.rfind("</")) {
            (Token::Whole(Tag::Start(tag), len), Some(end)) => {
                self.event(Event::Start(BytesStart::from_content(inner(len, 1), name_len(tag))));
                self.text(element.part(len..end));
                let tail = element.part(end + 2..);
                self.end(tail.strip_suffix('>').unwrap_or(tail));
            }
            (Token::Whole(Tag::Empty(tag), len), _) if len == element.len() => {
                self.event(Event::Empty(BytesStart::from_content(inner(len, 2), name_len(tag))));
            }
            _ => self.text(element),
        }
    }

    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Bytes written since [`clear`](Self::clear).
    pub fn as_bytes(&self) -> &[u8] {
        self.xml.get_ref()
    }

    /// Drops the bytes written so far; open elements stay open.
    pub fn clear(&mut self) {
        self.xml.get_mut().clear();
    }

    fn write_waiting(&mut self) {
        if let Some(tag) = self.waiting.take() {
            // Writing to memory does not fail.
            let _ = self.xml.write_event(Event::Start(tag));
        }
    }

    fn event(&mut self, event: Event<'_>) {
        self.write_waiting();
        match &event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let _ = self.xml.write_event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_a_file_are_written_as_they_stand() {
        let mut xml = ElementWriter::default();
        xml.declaration();
        xml.begin("a", &[("b", &Escape("\"<"))]);
        for raw in ["<c x='1' ><d/> t</c >", "<e y='2' />", "no element", "<f/>"] {
            xml.raw(raw);
        }
        for is_empty in [true, false] {
            xml.begin_or_empty("g", &[]);
            if !is_empty {
                xml.text_element("h", Some("1"));
            }
            xml.end("g");
        }
        assert_eq!(xml.depth(), 1);
        xml.end("a");
        let want = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&quot;&lt;\">\n  <c x='1' ><d/> t</c >\n  \
                    <e y='2' />no element<f/>\n  <g/>\n  <g>\n    <h>1</h>\n  </g>\n</a>";
        assert_eq!(String::from_utf8_lossy(xml.as_bytes()), want);
    }
}
