//! Entries of an archive whose directory is lost, found by their own headers.

use std::io::{Cursor, Read, Seek};

use flate2::bufread::DeflateDecoder;
use robolog_core::{Error, ErrorKind, Result};

use super::{Kmz, KmzDocument, no_document, rank, text_of};

const HEADER: &[u8] = b"PK\x03\x04";

/// Reads the main document of an archive without a directory; `fault` is that of the directory. The archive is held in
/// memory, and must not be larger than `limit`.
pub(super) fn read<R: Read + Seek>(mut input: R, limit: usize, fault: Error) -> Result<Kmz> {
    let failed = |e| Error::io(e, 0).within("kmz");
    input.rewind().map_err(failed)?;
    let mut bytes = Vec::new();
    input.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > limit {
        let kind = ErrorKind::Limit { what: "archive", len: bytes.len() as u64, limit: limit as u64 };
        return Err(Error::new(kind, 0).within("kmz"));
    }
    let Some(entry) = main(&bytes) else {
        // Without any entry this is no archive.
        return Err(if bytes.starts_with(HEADER) { no_document() } else { fault });
    };
    let (text, _) = text_of(entry.content(), limit)?;
    let document = KmzDocument { name: entry.name, text, depth: 0, links: Vec::new() };
    // Damage, not a failure to read.
    let fault = Error::invalid("archive", fault, "a directory at its end", 0).within("kmz");
    Ok(Kmz { documents: vec![document], fault: Some(fault) })
}

/// The main document among the entries.
fn main(bytes: &[u8]) -> Option<Entry<'_>> {
    let mut best: Option<(u8, Entry<'_>)> = None;
    let mut from = 0_usize;
    while let Some(at) = memchr::memmem::find(bytes.get(from..)?, HEADER) {
        from += at + HEADER.len();
        let Some(entry) = bytes.get(from..).and_then(Entry::behind_mark) else { continue };
        // Names are not searched for headers: each byte is read once.
        from = bytes.len() - entry.rest.len();
        let rank = rank(&entry.name);
        if let Some(rank) = rank.filter(|rank| best.as_ref().is_none_or(|(best, _)| rank < best)) {
            best = Some((rank, entry));
        }
    }
    best.map(|(_, entry)| entry)
}

/// An entry by its own header.
struct Entry<'a> {
    name: String,
    is_deflated: bool,
    /// Its bytes and those behind it.
    rest: &'a [u8],
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
        let (name, rest) = rest.split_at_checked(short(22)?.into())?;
        let rest = rest.get(usize::from(short(24)?)..)?;
        // Encrypted, or compressed in another way.
        if flags & 1 != 0 || !matches!(method, 0 | 8) {
            return None;
        }
        let name = String::from_utf8_lossy(name).replace('\\', "/");
        Some(Self { name, is_deflated: method == 8, rest, len: Some(len).filter(|_| flags & 8 == 0) })
    }

    /// Its content, as far as it is there.
    fn content(&self) -> Box<dyn Read + 'a> {
        if self.is_deflated {
            return Box::new(DeflateDecoder::new(Cursor::new(self.rest)));
        }
        // A length that is not stated ends with the next header.
        let end = || memchr::memmem::find(self.rest, b"PK").unwrap_or(self.rest.len());
        let len = self.len.unwrap_or_else(end).min(self.rest.len());
        Box::new(Cursor::new(self.rest.get(..len).unwrap_or_default()))
    }
}
