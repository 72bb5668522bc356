//! Network links of documents in an archive.

use std::{collections::HashSet, ops::Range};

use robolog_core::{format::Step, slices::Part as _};
use robolog_xml::{Element, Tag, Token, header, local, lossy, token};

use crate::Kml;

/// The network links of a document: their places, and where they lead.
pub(super) fn of(text: &[u8]) -> Vec<(Range<usize>, String)> {
    let mut links = Vec::new();
    if memchr::memmem::find(text, b"NetworkLink").is_none() {
        return links;
    }
    let (mut from, mut open) = (0_usize, None);
    while let Some(at) = memchr::memchr(b'<', text.part(from..)) {
        let at = from + at;
        let (tag, len) = match token(text.part(at..)) {
            Token::Whole(tag, len) => (tag, len),
            // A comment without an end: nothing behind it is markup.
            Token::More => break,
            Token::Bad(_) | Token::Long => (Tag::Other, 1),
        };
        from = at + len;
        match tag {
            Tag::Start(_) if local(tag.name()) == b"NetworkLink" => open = Some(at),
            Tag::End(name) if local(name) == b"NetworkLink" => {
                let Some(start) = open.take() else { continue };
                if let Some(href) = href(text.part(start..from)) {
                    links.push((start..from, href));
                }
            }
            _ => {}
        }
    }
    links
}

/// The copy without the links that the document does not have.
pub(super) fn without_others(document: &[u8], mut copy: Vec<u8>) -> Vec<u8> {
    let of_copy = of(&copy);
    if !of_copy.is_empty() {
        let known: HashSet<String> = of(document).into_iter().map(|(_, href)| href).collect();
        let others = of_copy.into_iter().filter(|(_, href)| !known.contains(href));
        // From the last one, so that the places of the others stay.
        others.rev().for_each(|(range, _)| drop(copy.drain(range)));
    }
    copy
}

/// Where a link leads; `Url` is the element of KML 2.0.
fn href(link: &[u8]) -> Option<String> {
    let source = lossy(link);
    let link = Element::parse(&source, 0).ok()?;
    let url = link.child("Link").or_else(|| link.child("Url"))?;
    url.child_text("href").map(str::to_owned)
}

/// The name of the entry to which a link in the entry `base` leads; `None` if it leads out of the archive.
pub(super) fn resolve(base: &str, href: &str) -> Option<String> {
    let path = href.split_once(['#', '?']).map_or(href, |(path, _)| path).replace('\\', "/");
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    if path.is_empty() || has_scheme || path.starts_with("//") {
        return None;
    }
    let path = decoded(&path);
    let folder = base.rsplit_once('/').map(|(folder, _)| folder).filter(|_| !path.starts_with('/'));
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.into_iter().flat_map(|folder| folder.split('/')).chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Without the percent signs of addresses.
fn decoded(path: &str) -> String {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16).and_then(|n| u8::try_from(n).ok());
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0_usize;
    while let Some(byte) = bytes.get(at) {
        let pair = (*byte == b'%').then(|| digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2)))).flatten();
        out.push(pair.map_or(*byte, |(high, low)| high << 4 | low));
        at += if pair.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

/// The start tag of a document's root element, without what comes before it, and where its content begins.
pub(super) fn root(text: &[u8]) -> (Vec<u8>, usize) {
    let Ok(Step::Ready(root, len)) = header::<Kml>(text, true) else { return (Vec::new(), 0) };
    let tag = root.tag().filter(|_| !root.is_empty);
    (tag.map_or_else(Vec::new, |tag| [b"<", tag, b">"].concat()), len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_comments() {
        let link = |url: &str| {
            format!("<NetworkLink><name>a</name><{url}><href> a&amp;b.kml </href></{url}></NetworkLink>")
        };
        let text = format!(
            "<kml><!-- {0} -->{0}<![CDATA[{0}]]><NetworkLink/>{1}<NetworkLink>",
            link("Link"),
            link("Url")
        );
        let found = of(text.as_bytes());
        assert_eq!(found.iter().map(|(_, href)| href.as_str()).collect::<Vec<_>>(), ["a&b.kml"; 2]);
        assert_eq!(&text[found[0].0.clone()], link("Link"));
        assert!(of(format!("<!-- {}", link("Link")).as_bytes()).is_empty());
    }

    #[test]
    fn addresses_lead_to_entries_or_out() {
        for (base, href, want) in [
            ("doc.kml", "files/a.kml", Some("files/a.kml")),
            ("doc.kml", "./files//a%20b.kml#layer", Some("files/a b.kml")),
            ("files/a.kml", "b.kml", Some("files/b.kml")),
            ("files/a.kml", "../b.kml", Some("b.kml")),
            ("files/a.kml", "/b.kml", Some("b.kml")),
            ("doc.kml", "files\\a.kml", Some("files/a.kml")),
            ("doc.kml", "100%.kml", Some("100%.kml")),
            ("doc.kml", "../a.kml", None),
            ("doc.kml", "https://example.org/a.kml", None),
            ("doc.kml", "file:///a.kml", None),
            ("doc.kml", "//example.org/a.kml", None),
            ("doc.kml", "#layer", None),
        ] {
            assert_eq!(resolve(base, href).as_deref(), want, "{href}");
        }
    }
}
