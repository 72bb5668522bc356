//! Whole documents in memory.

use std::io::Write;

use robolog_core::{Error, Result};

use super::{Kind, Placemark, Reader, Writer};
use robolog_xml::{Stack, Tag, to_utf8};

/// The placemarks of a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// All of them, in order, whatever folders they are in.
    pub placemarks: Vec<Placemark>,
}

/// Reads a document as far as it is sound: everything before the first fault, and that fault.
///
/// The error's offset is where the bad tail begins, in the text as UTF-8. What is no KML document at all is an empty one
/// with an error.
pub fn read(input: &[u8]) -> (Document, Option<Error>) {
    let mut document = Document::default();
    let error = fill(&mut document, &to_utf8(input)).err();
    (document, error)
}

fn fill(document: &mut Document, text: &[u8]) -> Result<()> {
    let reader = Reader::new(text)?;
    let mut stack = Stack::new(&reader.header().root);
    let mut end = reader.header_bytes().len() as u64;
    for record in reader.records() {
        let record = record?;
        if matches!(record.tag(), Tag::Start(_) | Tag::Empty(_)) {
            stack.inside(record.markup_offset())?;
        }
        match record.kind() {
            Kind::Placemark | Kind::Geometry => {
                document.placemarks.push(record.placemark()?);
            }
            _ => stack.push(record.tag(), record.markup_offset())?,
        }
        end = record.raw().end();
    }
    stack.unfinished(end).map_or(Ok(()), Err)
}

/// Writes a document as KML 2.2 with the extensions of Google: see [`Writer`].
pub fn write<W: Write>(document: &Document, out: W) -> Result<W> {
    let mut writer = Writer::new(out, "")?;
    document.placemarks.iter().try_for_each(|placemark| writer.placemark(placemark))?;
    writer.finish()
}
