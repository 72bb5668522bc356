//! What a document says of a track or a route as a whole, before its points.

use robolog_core::{Attributes, Cell, Feature, Geometry};
use robolog_xml::{Element, Kind, Rows, Stack, leaves, lossy};

use super::further::{Further, column};
use crate::{
    Header, Record, TrackHead,
    layout::{LinkParts, Scope},
};

/// Maximum bytes of a child of a track or a route; larger ones are not read.
const CHILD: usize = 1 << 20;

/// The head of the open track or route.
#[derive(Debug)]
pub(super) struct Heads {
    head: TrackHead,
    links: LinkParts,
    /// The child that is being read, and the number of open elements around it.
    child: (Vec<u8>, Option<usize>),
    /// The prefix of the root element.
    prefix: String,
    /// Attributes of the head; `None` if it has changed.
    attributes: Option<Attributes>,
}

impl Heads {
    pub(super) fn new(header: &Header) -> Self {
        let prefix = header.root.prefix();
        let prefix = lossy(prefix.strip_suffix(b":").unwrap_or(prefix)).into_owned();
        let (head, links) = (TrackHead::default(), LinkParts::default());
        Self { head, links, child: (Vec::new(), None), prefix, attributes: Some(Attributes::default()) }
    }

    /// Follows a record that is not a point, of which a copy has `bytes`, and that `open` has followed. `is_inside` if the
    /// innermost container is a track or a route.
    pub(super) fn follow(
        &mut self,
        record: &Record<'_>,
        bytes: &[u8],
        before: usize,
        open: &Stack,
        is_inside: bool,
    ) {
        match (record.kind(), self.child.1) {
            (Kind::Start | Kind::Empty, None) if matches!(record.name(), b"trk" | b"rte") => self.begin(),
            (Kind::Start | Kind::Empty, None) if matches!(record.name(), b"trkseg" | b"gpx") => {}
            (Kind::Empty, None) if is_inside => self.take(record.markup()),
            (Kind::Start, None) if is_inside => {
                self.child.0.clear();
                self.add(record.markup());
                self.child.1 = Some(before);
            }
            (kind, Some(around)) => {
                self.add(bytes);
                if kind == Kind::End && open.depth() == around {
                    self.end();
                }
            }
            _ => {}
        }
    }

    /// Follows the text before a point, which is that of a child without an end.
    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        if self.child.1.is_some() {
            self.add(text);
        }
    }

    /// Follows text and end tags that a copy gets in place of missing ones, each with the number of elements that are
    /// open behind it.
    #[cold]
    pub(super) fn close(&mut self, text: &[u8], ends: impl Iterator<Item = (Vec<u8>, usize)>) {
        let Some(around) = self.child.1 else { return };
        self.add(text);
        for (end, depth) in ends {
            self.add(&end);
            if depth == around {
                return self.end();
            }
        }
    }

    /// Ends the open child.
    fn end(&mut self) {
        self.child.1 = None;
        let child = std::mem::take(&mut self.child.0);
        self.take(&child);
        self.child.0 = child;
    }

    fn begin(&mut self) {
        (self.head, self.links) = (TrackHead::default(), LinkParts::default());
        self.attributes = Some(Attributes::default());
    }

    fn add(&mut self, bytes: &[u8]) {
        if self.child.0.len() + bytes.len() <= CHILD {
            self.child.0.extend_from_slice(bytes);
        }
    }

    fn take(&mut self, child: &[u8]) {
        let source = lossy(child);
        // One that is too large has no end here.
        let Ok(element) = Element::parse(&source, 0) else { return };
        self.attributes = None;
        self.head.take_any(&element, &mut self.links, &Scope { prefix: &self.prefix, outer: &[] });
    }

    /// The attributes of the samples of the track.
    pub(super) fn attributes(&mut self) -> &Attributes {
        let known = self.attributes.take();
        let attributes = known.unwrap_or_else(|| self.make_attributes());
        self.attributes.insert(attributes)
    }

    fn make_attributes(&self) -> Attributes {
        let mut rows = Rows::new(column, &[]);
        let mut text = |path: &[u8], text: Option<&str>| rows.cell(path, filled(text).into());
        text(b"name", self.head.name.as_deref());
        text(b"desc", self.head.description.as_deref());
        text(b"type", self.head.class.as_deref());
        rows.cell(b"number", self.head.number.map(|number| number.to_string()).into());
        rows.cell(b"url", self.links.addresses().next().into());
        self.rest(&mut rows, &|text| Cell::Text(text.to_owned()));
        rows.attributes()
    }

    /// The route as a feature.
    pub(super) fn feature(&self, geometry: Geometry, further: &mut Further) -> Feature {
        let head = &self.head;
        let mut feature = Feature::new(geometry);
        feature.name = filled(head.name.as_deref()).map(str::to_owned);
        feature.description = filled(head.description.as_deref()).map(str::to_owned);
        feature.kind = filled(head.class.as_deref()).map(str::to_owned);
        feature.link = self.links.addresses().next().map(str::to_owned);
        feature.properties = further.row(|rows| {
            rows.cell(b"number", head.number.and_then(|number| i64::try_from(number).ok()).into());
            self.rest(rows, &|text| Rows::value(text.into()));
        });
        feature
    }

    /// Adds what is alike in attributes and features.
    fn rest(&self, rows: &mut Rows, cell: &dyn Fn(&str) -> Cell) {
        let head = &self.head;
        rows.cell(b"cmt", filled(head.comment.as_deref()).into());
        rows.cell(b"src", filled(head.source.as_deref()).into());
        rows.cell(b"urlname", filled(self.links.text()).into());
        self.links.addresses().skip(1).for_each(|address| rows.cell(b"url", address.into()));
        let extensions = head.extensions.as_ref().map_or("", |extensions| &extensions.content);
        leaves(extensions.as_bytes(), &mut |path, text| rows.cell(path, cell(&text)));
    }
}

/// A text that is not blank.
fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
