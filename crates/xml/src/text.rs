//! Decodes and encodes XML text.

use std::{borrow::Cow, fmt};

use robolog_core::slices::Part as _;

/// Replaces the references that XML itself defines; leaves others unchanged.
///
/// ```
/// assert_eq!(robolog_xml::unescape("a &amp; b &#176;"), "a & b °");
/// assert_eq!(robolog_xml::unescape("&custom;"), "&custom;");
/// ```
pub fn unescape(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'&', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        out.push_str(before);
        // XML's own references are no longer than this.
        let end = reference.bytes().take(16).position(|b| b == b';');
        let known = end.and_then(|end| {
            let (name, behind) = reference.split_at_checked(end + 1)?;
            let c = quick_xml::escape::unescape(name).ok()?;
            Some((c.into_owned(), behind))
        });
        if let Some((c, behind)) = known {
            out.push_str(&c);
            rest = behind;
        } else {
            out.push('&');
            rest = reference.part(1..);
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Markup as text; invalid UTF-8 becomes U+FFFD. Valid UTF-8, the common case, is checked many bytes at a time, where
/// [`String::from_utf8_lossy`] goes byte by byte.
///
/// ```
/// assert_eq!(robolog_xml::lossy(b"Puy de D\xf4me"), "Puy de D\u{fffd}me");
/// ```
pub fn lossy(markup: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(markup).map_or_else(|_| String::from_utf8_lossy(markup), Cow::Borrowed)
}

/// Text for an element or an attribute. Characters that XML cannot hold become U+FFFD.
///
/// ```
/// assert_eq!(robolog_xml::Escape("a & <b>").to_string(), "a &amp; &lt;b&gt;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Escape<'a>(pub &'a str);

impl fmt::Display for Escape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut from = 0_usize;
        for (at, c) in self.0.char_indices() {
            let with = match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\r' => "&#13;",
                '\t' | '\n' => continue,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
                _ => continue,
            };
            f.write_str(self.0.part(from..at))?;
            f.write_str(with)?;
            from = at + c.len_utf8();
        }
        f.write_str(self.0.part(from..))
    }
}

/// A line break and an indentation of two blanks per level.
#[derive(Debug, Clone, Copy)]
pub struct Indent(pub usize);

impl fmt::Display for Indent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{:1$}", "", self.0 * 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_references_of_xml_are_replaced() {
        assert_eq!(unescape("a &lt;&#65;&#x42;&amp;amp; &foo; & &;&#0;"), "a <AB&amp; &foo; & &;&#0;");
        let text = "a<b>&\"c\"\r\n\u{1}é";
        assert_eq!(unescape(&Escape(text).to_string()), "a<b>&\"c\"\r\n\u{fffd}é");
        assert_eq!(Indent(2).to_string(), "\n    ");
    }
}
