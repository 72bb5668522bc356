//! Links of GPX 1.1, and of 1.0 in two elements.

use robolog_xml::Element;

use super::codec::Nested as _;
use crate::Link;

/// The links of an element.
#[derive(Debug, Default)]
pub(crate) struct LinkParts {
    found: Vec<Link>,
    url: Option<String>,
    name: Option<String>,
}

impl LinkParts {
    /// Reads a child if it is a link or a part of one.
    pub(crate) fn take(&mut self, child: &Element<'_>) -> bool {
        match child.name() {
            "link" => self.found.extend(Link::read(child)),
            "url" => self.url = child.text().map(str::to_owned),
            "urlname" => self.name = child.text().map(str::to_owned),
            _ => return false,
        }
        true
    }

    /// The addresses of the links so far.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &str> {
        let found = self.found.iter().map(|link| link.href.as_str());
        self.url.as_deref().into_iter().chain(found).filter(|address| !address.is_empty())
    }

    /// The name of the first link so far.
    pub(crate) fn text(&self) -> Option<&str> {
        self.name.as_deref().or_else(|| self.found.first()?.text.as_deref())
    }

    pub(crate) fn finish(mut self) -> Vec<Link> {
        if self.url.is_some() || self.name.is_some() {
            let href = self.url.unwrap_or_default();
            self.found.insert(0, Link { href, text: self.name, media_type: None });
        }
        self.found
    }
}
