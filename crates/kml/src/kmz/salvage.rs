//! Entries of an archive whose directory is lost, or leads astray: found by their own headers.

use std::{
    collections::HashMap,
    io::{Cursor, Read, Seek},
};

use flate2::bufread::DeflateDecoder;
use robolog_core::{Error, ErrorKind, Result, format::read_one_over, slices::Part as _};

use super::{Entries, Kmz, Listed, Reading, no_document, text_of};
use crate::detect;

const HEADER: &[u8] = b"PK\x03\x04";
const LISTED: &[u8] = b"PK\x01\x02";

/// Reads the documents of a damaged archive; `None` if there is not one entry. Each is read by the directory, by its own
/// header, and from its place before the next one: what gives most of it counts. The archive is held in memory, and must
/// not be larger than `limit`.
pub(super) fn read<R: Read + Seek>(mut input: R, limit: usize, fault: &Error) -> Result<Option<Kmz>> {
    let failed = |e| Error::io(e, 0).within("kmz");
    input.rewind().map_err(failed)?;
    let mut bytes = Vec::new();
    read_one_over(input, limit, &mut bytes).map_err(failed)?;
    if bytes.len() > limit {
        let kind = ErrorKind::Limit { what: "archive", len: bytes.len() as u64, limit: limit as u64 };
        return Err(Error::new(kind, 0).within("kmz"));
    }
    let mut entries = HashMap::new();
    keep(headed(&bytes), &mut entries);
    keep(placed(&bytes), &mut entries);
    if entries.is_empty() {
        // Without any entry this is no archive.
        return if bytes.starts_with(HEADER) { Err(no_document()) } else { Ok(None) };
    }
    let mut kmz = Reading::new(Found::new(entries, &bytes), limit).run()?;
    // Damage, not a failure to read.
    let fault = Error::invalid("archive", fault, "entries that its directory leads to", 0).within("kmz");
    kmz.fault = Some(fault);
    Ok(Some(kmz))
}

/// Maximum number of entries of one name, by their headers and by their places.
const NAMESAKES: usize = 2;

/// Adds the first entries of each name.
fn keep<'a>(entries: Vec<Entry<'a>>, to: &mut HashMap<String, Vec<Entry<'a>>>) {
    let mut added: HashMap<String, usize> = HashMap::new();
    for entry in entries {
        let count = added.entry(entry.name.clone()).or_default();
        *count += 1;
        if *count <= NAMESAKES {
            to.entry(entry.name.clone()).or_default().push(entry);
        }
    }
}

/// Entries by their own headers.
fn headed(bytes: &[u8]) -> Vec<Entry<'_>> {
    let (mut found, mut from) = (Vec::new(), 0_usize);
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr::memmem::find(rest, HEADER)) {
        from += at + HEADER.len();
        let Some(entry) = bytes.get(from..).and_then(Entry::behind_mark) else { continue };
        // Names are not searched for headers: each byte is read once.
        from = bytes.len() - entry.body.len();
        found.push(entry);
    }
    found
}

/// Entries by the directory: each ends where the next one begins.
fn placed(bytes: &[u8]) -> Vec<Entry<'_>> {
    let listed: Vec<_> = memchr::memmem::find_iter(bytes, LISTED).collect();
    let mut heads: Vec<_> =
        listed.iter().filter_map(|at| Head::behind_mark(bytes.get(at + LISTED.len()..)?)).collect();
    heads.sort_by_key(|head| head.at);
    let ends = heads.iter().skip(1).map(|next| next.at).chain(listed.first().copied());
    let content = |(head, end): (&Head, usize)| {
        let body = bytes.get(end.checked_sub(head.len)?..end)?;
        Some(Entry {
            name: head.name.clone(),
            is_deflated: head.is_deflated,
            body,
            extra: 0,
            len: Some(head.len),
        })
    };
    heads.iter().zip(ends).filter_map(content).collect()
}

/// A line of the directory.
struct Head {
    name: String,
    is_deflated: bool,
    len: usize,
    at: usize,
}

impl Head {
    fn behind_mark(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(42)?;
        let long = |at: usize| usize::try_from(u32::from_le_bytes(*head.get(at..)?.first_chunk()?)).ok();
        let name = rest.get(..usize::from(u16::from_le_bytes(*head.get(24..)?.first_chunk()?)))?;
        let is_deflated = head.get(6..8)? != [0, 0];
        Some(Self { name: plain(name), is_deflated, len: long(16)?, at: long(38)? })
    }
}

/// The entries of a damaged archive, by name.
struct Found<'a> {
    names: Vec<String>,
    entries: HashMap<String, Vec<Entry<'a>>>,
    listed: Option<Listed<'a>>,
    /// Places in the directory.
    places: HashMap<String, usize>,
}

impl<'a> Found<'a> {
    fn new(entries: HashMap<String, Vec<Entry<'a>>>, bytes: &'a [u8]) -> Self {
        let listed = Listed::open(Cursor::new(bytes)).ok();
        let places = listed.iter().flat_map(Entries::names);
        let places: HashMap<_, _> = places.map(|(name, at)| (plain(name.as_bytes()), at)).collect();
        let mut names: Vec<_> = places.keys().chain(entries.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Self { names, entries, listed, places }
    }
}

impl Entries for Found<'_> {
    fn names(&self) -> Vec<(String, usize)> {
        self.names.iter().cloned().zip(0..).collect()
    }

    fn fault(&mut self) -> Option<Error> {
        None
    }

    fn place(&self, index: usize) -> Option<usize> {
        self.places.get(self.names.get(index)?).copied()
    }

    /// An archive that must be searched has a fault already.
    fn fault_of_others(&mut self, _: &dyn Fn(usize) -> bool) -> Option<Error> {
        None
    }

    /// The longest document counts, as a field of a header may be damaged.
    fn text(&mut self, index: usize, limit: usize) -> Result<(Vec<u8>, Option<Error>)> {
        let place = self.place(index);
        let mut best = match self.listed.as_mut().zip(place) {
            Some((listed, place)) => listed.text(place, limit)?,
            None => (Vec::new(), None),
        };
        let alike = self.names.get(index).and_then(|name| self.entries.get(name));
        for entry in alike.into_iter().flatten() {
            for rest in [entry.stated(), entry.measured()].into_iter().flatten() {
                for is_deflated in [entry.is_deflated, !entry.is_deflated] {
                    let (text, fault) = text_of(entry.content(rest, is_deflated), limit)?;
                    if detect(&text) && (text.len() > best.0.len() || !detect(&best.0)) {
                        best = (text, fault);
                    }
                }
            }
        }
        Ok(best)
    }
}

/// A name with slashes.
fn plain(name: &[u8]) -> String {
    String::from_utf8_lossy(name).replace('\\', "/")
}

/// An entry, by its own header or by its place.
struct Entry<'a> {
    name: String,
    is_deflated: bool,
    /// What is behind its name, and the length of the extra fields there.
    body: &'a [u8],
    extra: usize,
    /// Length of its bytes, if stated.
    len: Option<usize>,
}

impl<'a> Entry<'a> {
    /// The entry whose header begins before these bytes.
    fn behind_mark(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(26)?;
        let short = |at: usize| Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?));
        let long = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
        let (flags, method, len) = (short(2)?, short(4)?, usize::try_from(long(14)?).ok()?);
        let (name, body) = rest.split_at_checked(short(22)?.into())?;
        let name = plain(name);
        let len = Some(len).filter(|_| flags & 8 == 0);
        Some(Self { name, is_deflated: method != 0, body, extra: short(24)?.into(), len })
    }

    /// Its bytes and those behind it, by the stated length of the extra fields.
    fn stated(&self) -> Option<&'a [u8]> {
        self.body.get(self.extra..)
    }

    /// The same by its own length, which ends at the next header.
    fn measured(&self) -> Option<&'a [u8]> {
        let len = self.len?;
        let marks = [HEADER, LISTED].map(|mark| memchr::memmem::find(self.body.get(len..)?, mark));
        let end = marks.into_iter().flatten().min()?;
        self.body.get(end..)
    }

    /// Its content, as far as it is there.
    fn content(&self, rest: &'a [u8], is_deflated: bool) -> Box<dyn Read + 'a> {
        if is_deflated {
            return Box::new(DeflateDecoder::new(Cursor::new(rest)));
        }
        // A length that is not stated ends with the next header.
        let end = || memchr::memmem::find(rest, b"PK").unwrap_or(rest.len());
        let len = self.len.unwrap_or_else(end).min(rest.len());
        Box::new(Cursor::new(rest.part(..len)))
    }
}
