//! Whole documents in memory.

use std::io::Write;

use robolog_core::{Error, Result};

use robolog_xml::{Stack, to_utf8};

use super::{Header, Placemark, Reader, Writer};

/// The placemarks of a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// All placemarks in order, from all folders.
    pub placemarks: Vec<Placemark>,
}

/// Reads a document up to its first fault: everything before it, and that fault.
///
/// The error's offset is the start of the damage, in the text as UTF-8. Input that is not KML yields an empty document
/// and an error.
///
/// ```
/// let file = std::fs::read("examples/folders.kml").unwrap();
/// let (document, fault) = robolog_kml::read(&file);
/// assert!(fault.is_none());
/// for placemark in &document.placemarks {
///     println!("{:?} {:?}", placemark.name, placemark.geometry);
/// }
/// ```
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
        if record.begins_element() {
            stack.inside(record.markup_offset())?;
        }
        match record.kind().element() {
            Some(_) => document.placemarks.push(record.placemark()?),
            None => stack.push(record.tag(), record.markup_offset())?,
        }
        end = record.raw().end();
    }
    stack.unfinished(end).map_or(Ok(()), Err)
}

/// Writes a document as KML 2.2 with the extensions of Google: see [`Writer`].
///
/// ```
/// # let file = std::fs::read("examples/line.kml").unwrap();
/// let (document, _) = robolog_kml::read(&file);
/// let copy = robolog_kml::write(&document, Vec::new())?;
/// assert_eq!(robolog_kml::read(&copy).0.placemarks.len(), document.placemarks.len());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
pub fn write<W: Write>(document: &Document, out: W) -> Result<W> {
    let mut writer = Writer::new(out, &Header::default())?;
    document.placemarks.iter().try_for_each(|placemark| writer.placemark(placemark))?;
    writer.finish()
}
