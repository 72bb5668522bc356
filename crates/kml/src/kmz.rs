//! KMZ archives.

mod directory;
mod links;
mod salvage;

use std::{
    collections::HashMap,
    io::{Read, Seek},
    ops::Range,
};

use robolog_core::{Error, ErrorKind, Result, format::read_one_over, slices::Part as _};
use robolog_xml::to_utf8;

use self::directory::Listed;
use super::detect;

/// Reads the documents of a KMZ archive as one: `doc.kml`, else the first entry outside of folders whose name ends in
/// `.kml`, else the first in a folder. In it, network links that lead to other documents of the archive are replaced by
/// these: see [`Kmz`].
///
/// Returns an error if the documents have more than `limit` bytes or there is none, or if the archive is damaged.
///
/// ```
/// let archive = std::fs::File::open("examples/stored.kmz").unwrap();
/// let document = robolog_kml::read_kmz(archive, 16 << 20)?;
/// assert!(robolog_kml::detect(&document));
/// # Ok::<(), robolog_kml::Error>(())
/// ```
pub fn read_kmz<R: Read + Seek>(input: R, limit: usize) -> Result<Vec<u8>> {
    let (document, fault) = read_damaged_kmz(input, limit)?;
    fault.map_or(Ok(document), Err)
}

/// Reads a possibly damaged archive: the readable part of the documents, and the first fault, such as a wrong checksum,
/// of the documents or else of the other entries.
/// Where the archive's directory does not lead to the document, its entries are found by their own headers.
///
/// Returns an error if the documents have more than `limit` bytes, or if there is none.
///
/// ```
/// let archive = std::fs::File::open("examples/bad_crc.kmz").unwrap();
/// let (document, fault) = robolog_kml::read_damaged_kmz(archive, 16 << 20)?;
/// assert!(robolog_kml::detect(&document) && fault.is_some());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
pub fn read_damaged_kmz<R: Read + Seek>(input: R, limit: usize) -> Result<(Vec<u8>, Option<Error>)> {
    let mut kmz = Kmz::read(input, limit)?;
    let text = match &mut kmz.documents[..] {
        [only] if only.links.is_empty() => std::mem::take(&mut only.text),
        _ => kmz.merged(),
    };
    Ok((text, kmz.fault.or(kmz.other_fault)))
}

/// The documents of a KMZ archive: the main one, and those that network links lead to.
///
/// ```
/// let archive = std::fs::File::open("examples/stored.kmz").unwrap();
/// let kmz = robolog_kml::Kmz::read(archive, 16 << 20)?;
/// assert!(kmz.documents.len() == 1 && kmz.documents[0].name == "doc.kml" && kmz.fault.is_none());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Kmz {
    /// The documents; the main one comes first.
    pub documents: Vec<KmzDocument>,
    /// The first fault of the archive or an entry that is read.
    pub fault: Option<Error>,
    /// The first fault of another entry, such as a picture.
    pub other_fault: Option<Error>,
}

/// A document in a KMZ archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct KmzDocument {
    /// Name of its entry.
    pub name: String,
    /// Place of its entry in the archive's directory; `None` if it is found without.
    pub entry: Option<usize>,
    /// The readable part of it, in UTF-8.
    pub text: Vec<u8>,
    /// Number of links from the main document to it.
    depth: usize,
    links: Vec<Link>,
}

/// A link to another document of the archive.
#[derive(Debug)]
struct Link {
    /// Its place in the text.
    range: Range<usize>,
    /// Index of the document; `None` if an earlier link leads to it.
    document: Option<usize>,
}

/// Maximum number of links from the main document to another one.
const DEPTH: usize = 16;

impl Kmz {
    /// Reads the documents of an archive. Returns an error as [`read_damaged_kmz`] does.
    pub fn read<R: Read + Seek>(mut input: R, limit: usize) -> Result<Self> {
        let outcome = Listed::open(&mut input).and_then(|listed| Reading::new(listed, limit).run());
        let fault = match &outcome {
            Ok(Self { fault: None, .. }) => return outcome,
            Ok(Self { fault: Some(fault), .. }) => fault,
            Err(error) if error.is_of_machine() => return outcome,
            Err(error) => error,
        };
        match salvage::read(input, limit, fault) {
            Ok(Some(kmz)) if kmz.is_better_than(outcome.as_ref().ok()) => Ok(kmz),
            Err(error) if matches!(&outcome, Err(own) if matches!(own.kind(), ErrorKind::Io(_))) => {
                Err(error)
            }
            _ => outcome,
        }
    }

    /// Whether more documents are readable, or more of them.
    fn is_better_than(&self, other: Option<&Self>) -> bool {
        let len = |kmz: &Self| {
            let readable = kmz.documents.iter().filter(|document| detect(&document.text));
            readable.map(|document| document.text.len()).sum::<usize>()
        };
        other.is_none_or(|other| len(self) > len(other))
    }

    /// A copy of a document without network links that the document does not have: where damage is repaired, the text of
    /// one may become whole, and lead to what the document does not lead to.
    #[must_use]
    pub fn unlinked(document: &[u8], copy: Vec<u8>) -> Vec<u8> {
        links::without_others(document, copy)
    }

    /// All documents as one: in place of a network link to a document of the archive, the first time, its root element.
    pub fn merged(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(main) = self.documents.first() {
            self.append(main, 0, &mut out);
        }
        out
    }

    /// Appends a document from a byte on. Links bound the depth.
    fn append(&self, document: &KmzDocument, mut from: usize, out: &mut Vec<u8>) {
        let text = |range: Range<usize>| document.text.part(range);
        for link in &document.links {
            out.extend_from_slice(text(from.min(link.range.start)..link.range.start));
            from = link.range.end;
            if let Some(linked) = link.document.and_then(|at| self.documents.get(at)) {
                let (root, header) = links::root(&linked.text);
                out.extend_from_slice(&root);
                self.append(linked, header, out);
            }
        }
        out.extend_from_slice(text(from.min(document.text.len())..document.text.len()));
    }
}

/// The order of entries that may be the document: `doc.kml`, others outside of folders, the rest.
fn rank(name: &str) -> Option<u8> {
    match name {
        "doc.kml" => Some(0),
        name if !name.to_ascii_lowercase().ends_with(".kml") => None,
        name => Some(if name.contains('/') { 2 } else { 1 }),
    }
}

fn no_document() -> Error {
    Error::missing(".kml entry", 0).within("kmz")
}

/// Reads the text of an entry of at most `limit` bytes: as much as is readable, and the fault.
fn text_of(entry: impl Read, limit: usize) -> Result<(Vec<u8>, Option<Error>)> {
    let mut document = Vec::new();
    // Bytes before a fault stay in the document.
    let outcome = read_one_over(entry, limit, &mut document);
    if document.len() > limit {
        let kind = ErrorKind::Limit { what: "document", len: document.len() as u64, limit: limit as u64 };
        return Err(Error::new(kind, 0).within("kmz"));
    }
    let at = document.len() as u64;
    let fault = match outcome {
        Err(e) if robolog_core::format::is_of_machine(&e) => return Err(Error::io(e, at)),
        Err(e) => Some(Error::invalid("entry", e, "one that can be decompressed", at).within("kmz")),
        Ok(_) => None,
    };
    if let std::borrow::Cow::Owned(text) = to_utf8(&document) {
        document = text;
    }
    Ok((document, fault))
}

/// The entries of an archive, however they are found.
trait Entries {
    /// Their names, each with the number of its entry.
    fn names(&self) -> Vec<(String, usize)>;

    /// The first fault of the names.
    fn fault(&mut self) -> Option<Error>;

    /// The place of an entry in the archive's directory.
    fn place(&self, index: usize) -> Option<usize>;

    /// Reads the text of an entry of at most `limit` bytes: as much as is readable, and the fault.
    fn text(&mut self, index: usize, limit: usize) -> Result<(Vec<u8>, Option<Error>)>;

    /// The first fault of the entries that are not read.
    fn fault_of_others(&mut self, is_read: &dyn Fn(usize) -> bool) -> Option<Error>;
}

/// An archive whose documents are read.
struct Reading<E> {
    archive: E,
    /// Bytes that documents may still have.
    limit: usize,
    /// Numbers of the entries, by name.
    entries: HashMap<String, usize>,
    /// Entries that are read, and the number of their document if they are one.
    seen: HashMap<usize, Option<usize>>,
    kmz: Kmz,
}

impl<E: Entries> Reading<E> {
    fn new(mut archive: E, limit: usize) -> Self {
        let names = archive.names().into_iter();
        let entries = names.map(|(name, index)| (name.replace('\\', "/"), index)).collect();
        let kmz = Kmz { documents: Vec::new(), fault: archive.fault(), other_fault: None };
        Self { archive, limit, entries, seen: HashMap::new(), kmz }
    }

    fn run(mut self) -> Result<Kmz> {
        let ranked = self.entries.iter().filter_map(|(name, index)| Some((rank(name)?, *index, name)));
        let (_, main, name) = ranked.min().ok_or_else(no_document)?;
        let name = name.clone();
        self.take(main, name, 0)?;
        // Documents are added while they are walked.
        let mut at = 0_usize;
        while at < self.kmz.documents.len() {
            self.follow(at)?;
            at += 1;
        }
        let seen = &self.seen;
        self.kmz.other_fault = self.archive.fault_of_others(&|index| seen.contains_key(&index));
        Ok(self.kmz)
    }

    /// Reads an entry; returns the number of the document, if it is one.
    fn take(&mut self, index: usize, name: String, depth: usize) -> Result<Option<usize>> {
        if let Some(document) = self.seen.get(&index) {
            return Ok(*document);
        }
        let (text, fault) = self.archive.text(index, self.limit)?;
        if let Some(fault) = fault {
            self.kmz.fault.get_or_insert(fault);
        }
        let documents = &mut self.kmz.documents;
        // A link may lead to something else. The main document is told by its reader.
        let number = (depth == 0 || detect(&text)).then_some(documents.len());
        self.seen.insert(index, number);
        if number.is_some() {
            self.limit = self.limit.saturating_sub(text.len());
            let entry = self.archive.place(index);
            documents.push(KmzDocument { name, entry, text, depth, links: Vec::new() });
        }
        Ok(number)
    }

    /// Reads the documents that links of a document lead to.
    fn follow(&mut self, at: usize) -> Result<()> {
        let Some(document) = self.kmz.documents.get(at) else { return Ok(()) };
        let depth = document.depth + 1;
        if depth > DEPTH {
            return Ok(());
        }
        let found: Vec<_> = links::of(&document.text)
            .into_iter()
            .filter_map(|(range, href)| Some((range, links::resolve(&document.name, &href)?)))
            .collect();
        let mut followed = Vec::new();
        for (range, name) in found {
            let Some(index) = self.entry(&name) else { continue };
            let known = self.kmz.documents.len();
            if let Some(number) = self.take(index, name, depth)? {
                followed.push(Link { range, document: (number >= known).then_some(number) });
            }
        }
        if let Some(document) = self.kmz.documents.get_mut(at) {
            document.links = followed;
        }
        Ok(())
    }

    /// The entry of a name, in capital letters or not.
    fn entry(&self, name: &str) -> Option<usize> {
        let exact = self.entries.get(name).copied();
        let alike = || self.entries.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        exact.or_else(|| alike().map(|(_, index)| *index).min())
    }
}
