//! What a placemark says beside its name, its time and its shapes.

use std::{borrow::Cow, ops::Range};

use robolog_xml::{Element, Rows, leaves, local};

use robolog_core::slices::Part as _;

/// What a placemark says beside its name, description, time and shapes.
#[derive(Debug, Default)]
pub(crate) struct About {
    /// Address of its icon or style.
    pub(crate) symbol: Option<String>,
    /// Address of a page.
    pub(crate) link: Option<String>,
    /// Paths and texts of other elements; those of extended data behind.
    texts: Vec<(Vec<u8>, String)>,
    /// Number of those that are no extended data.
    plain: usize,
}

impl About {
    /// Reads the parts of a placemark's source outside of its `known` children.
    pub(crate) fn read(source: &str, known: &[Range<usize>], extended_data: Option<&str>) -> Self {
        let mut about = Self::default();
        let mut from = source.find('>').map_or(0, |end| end + 1);
        let end = source.len();
        for child in known.iter().cloned().chain(std::iter::once(end..end)) {
            let part = source.part(from..child.start);
            leaves(part.as_bytes(), &mut |path, text| about.take(path, text));
            from = child.end;
        }
        about.plain = about.texts.len();
        if let Some(data) = extended_data.and_then(|data| Element::parse(data, 0).ok()) {
            data.children.iter().for_each(|child| about.data(child));
        }
        about
    }

    fn take(&mut self, path: &[u8], text: Cow<'_, str>) {
        let slot = match inside(path) {
            (
                b"name" | b"description" | b"TimeStamp" | b"LookAt" | b"Camera" | b"Region" | b"ExtendedData",
                _,
            ) => return,
            (b"TimeSpan", _) if !path.ends_with(b"end") => return,
            (b"Style" | b"StyleMap", inner) if !is_icon(inner) => return,
            (b"Style" | b"StyleMap" | b"styleUrl", _) => &mut self.symbol,
            (b"link@href", _) => &mut self.link,
            _ => return self.texts.push((path.to_vec(), text.into_owned())),
        };
        slot.get_or_insert_with(|| text.into_owned());
    }

    /// Reads a child of `ExtendedData`.
    fn data(&mut self, child: &Element<'_>) {
        match child.name() {
            "Data" => self.named(child, child.child_text("value")),
            "SchemaData" => {
                let values = child.children.iter().filter(|value| value.name() == "SimpleData");
                values.for_each(|value| self.named(value, value.text()));
            }
            _ => leaves(child.raw().as_bytes(), &mut |path, text| {
                self.texts.push((path.to_vec(), text.into_owned()));
            }),
        }
    }

    fn named(&mut self, element: &Element<'_>, text: Option<&str>) {
        if let Some((name, text)) = element.attribute("name").zip(text) {
            self.texts.push(([b"=", name.as_bytes()].concat(), text.to_owned()));
        }
    }

    /// The place and the text of the first value of this name in extended data.
    pub(crate) fn datum(&self, name: &str) -> Option<(usize, &str)> {
        let data = self.texts.iter().enumerate().skip(self.plain);
        let mut named = data.filter(|(_, (path, _))| path.strip_prefix(b"=") == Some(name.as_bytes()));
        named.next().map(|(at, (_, text))| (at, text.as_str()))
    }

    /// Adds the texts to a row, but for those in these places: all, or those of extended data.
    pub(crate) fn add(&self, rows: &mut Rows, all: bool, but: &[usize]) {
        let texts = self.texts.iter().enumerate().skip(if all { 0 } else { self.plain });
        for (_, (path, text)) in texts.filter(|(at, _)| !but.contains(at)) {
            rows.text(path, text.into());
        }
    }

    /// Adds the texts to a row of attributes.
    pub(crate) fn add_texts(&self, rows: &mut Rows) {
        for (path, text) in &self.texts {
            rows.cell(path, text.clone().into());
        }
    }
}

/// Whether a path within a style leads to the address of the placemark's icon.
fn is_icon(path: &[u8]) -> bool {
    path.ends_with(b"href") && memchr::memmem::find(path, b"IconStyle").is_some()
}

/// The local name of the outermost element of a path, and the rest.
fn inside(path: &[u8]) -> (&[u8], &[u8]) {
    let end = memchr::memchr(b'/', path).unwrap_or(path.len());
    let (first, rest) = path.halves(end);
    (local(first), rest)
}
