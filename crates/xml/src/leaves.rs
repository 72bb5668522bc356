//! The values inside an element: texts and attributes, with the names of the elements around them.

use std::borrow::Cow;

use robolog_core::slices::{Part as _, split_once};

use super::{Tag, Token, attributes, cdata, events::lines, lossy, token, unescape};

/// An open element: the length of the path around it, and its text so far.
struct OpenElement<'a> {
    around: usize,
    text: Cow<'a, str>,
}

/// Calls `each` with every text and attribute of the elements in `markup`, in order, up to the first end tag of an element
/// that began before it.
///
/// The path holds the names of the elements, outermost first, separated by `/`; `@` and a name follow for an attribute. An
/// element with a text has no attributes here: these then say what the text is, such as its unit. Declarations of
/// namespaces and blank texts are left out.
///
/// ```
/// let mut found = Vec::new();
/// let markup = b"<a><b:c unit='m'>1 &lt; 2</b:c><d e='3'/></a></point>";
/// robolog_xml::leaves(markup, &mut |path, text| found.push((path.to_vec(), text.into_owned())));
/// assert_eq!(found, [(b"a/b:c".to_vec(), "1 < 2".to_owned()), (b"a/d@e".to_vec(), "3".to_owned())]);
/// ```
pub fn leaves<'a>(markup: &'a [u8], each: &mut dyn FnMut(&[u8], Cow<'a, str>)) {
    let mut path = Vec::new();
    let mut open: Vec<OpenElement<'a>> = Vec::new();
    let mut rest = markup;
    while let Some(next) = memchr::memchr(b'<', rest) {
        let (text, markup) = rest.halves(next);
        if let Some(top) = open.last_mut()
            && !(text.is_empty() || top.text.is_empty() && text.trim_ascii().is_empty())
        {
            top.add(decoded(text, false));
        }
        let Token::Whole(tag, len) = token(markup) else { return };
        rest = markup.part(len..);
        match tag {
            Tag::Start(inner) => {
                let around = begin(&mut path, tag);
                open.push(OpenElement { around, text: Cow::Borrowed("") });
                let text = split_once(rest, b'<').map(|(text, _)| text);
                if text.is_none_or(|text| text.trim_ascii().is_empty()) {
                    of_tag(inner, &mut path, each);
                }
            }
            Tag::Empty(inner) => {
                let around = begin(&mut path, tag);
                of_tag(inner, &mut path, each);
                path.truncate(around);
            }
            Tag::End(_) => {
                let Some(done) = open.pop() else { return };
                if !done.text.trim().is_empty() {
                    each(&path, done.text);
                }
                path.truncate(done.around);
            }
            Tag::Other => {
                if let Some(top) = open.last_mut()
                    && let Some(text) = cdata(markup.part(..len))
                {
                    top.add(decoded(text, true));
                }
            }
        }
    }
}

impl<'a> OpenElement<'a> {
    fn add(&mut self, text: Cow<'a, str>) {
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.to_mut().push_str(&text);
        }
    }
}

/// Text with its line ends normalised and, unless it is CDATA, XML's own references replaced.
fn decoded(raw: &[u8], is_cdata: bool) -> Cow<'_, str> {
    match lossy(raw) {
        Cow::Borrowed(text) if memchr::memchr2(b'\r', b'&', raw).is_none() => Cow::Borrowed(text),
        text if is_cdata => Cow::Owned(lines(&text).into_owned()),
        text => Cow::Owned(unescape(&lines(&text)).into_owned()),
    }
}

/// Adds the name of an element to the path; returns the length before.
fn begin(path: &mut Vec<u8>, tag: Tag<'_>) -> usize {
    let around = path.len();
    if around > 0 {
        path.push(b'/');
    }
    path.extend_from_slice(tag.name());
    around
}

/// Calls `each` with the attributes of a start tag.
fn of_tag<'a>(inner: &'a [u8], path: &mut Vec<u8>, each: &mut dyn FnMut(&[u8], Cow<'a, str>)) {
    let len = path.len();
    for (key, value) in attributes(inner) {
        let is_about_xml = [&b"xmlns"[..], b"xml:", b"xsi:"].iter().any(|start| key.starts_with(start));
        if is_about_xml || value.trim_ascii().is_empty() {
            continue;
        }
        path.push(b'@');
        path.extend_from_slice(key);
        each(path, decoded(value, false));
        path.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(markup: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        leaves(markup, &mut |path, text| all.push(format!("{}={text}", String::from_utf8_lossy(path))));
        all
    }

    #[test]
    fn texts_are_as_xml_reads_them() {
        assert_eq!(found(b"<a>x\r\ny<![CDATA[&amp;<\r]]>&amp;<!-- c --> z </a>"), ["a=x\ny&amp;<\n& z "]);
        assert_eq!(found(b"<a b='&lt;\xff'/><c xmlns='d' xsi:e='f'> </c>"), ["a@b=<\u{fffd}"]);
        assert_eq!(found(b"<a b='1'>2<c>3</c></a>4<d>"), ["a/c=3", "a=2"]);
    }

    #[test]
    fn markup_that_ends_early_gives_what_is_before() {
        assert_eq!(found(b"<a>1</a></point><b>2</b>"), ["a=1"]);
        assert_eq!(found(b"<a>1</a><b><c>2</c"), ["a=1"]);
        assert_eq!(found(b"<a>1</a><1>"), ["a=1"]);
    }
}
