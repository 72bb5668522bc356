//! Entries of an archive by its directory.

use std::io::{self, Read, Seek, SeekFrom};

use robolog_core::{Error, ErrorKind, Result, text::Escaped};
use zip::{ZipArchive, result::ZipError};

use super::{Entries, text_of};

/// Bytes to which entries are expanded to compare their checksums, beside 64 for each byte of the archive.
const CHECKED: u64 = 1 << 30;

/// What an archive is read from. It is a trait object, so that the code of the zip crate is there once.
pub(super) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// An archive with a directory.
pub(super) struct Listed<'a> {
    archive: ZipArchive<Box<dyn ReadSeek + 'a>>,
    /// An entry whose own header differs from the directory.
    fault: Option<Error>,
    /// Bytes to which entries may still be expanded that are only checked.
    budget: u64,
}

impl<'a> Listed<'a> {
    pub(super) fn open(input: impl Read + Seek + 'a) -> Result<Self> {
        let mut input: Box<dyn ReadSeek + 'a> = Box::new(input);
        let len = input.seek(SeekFrom::End(0)).map_err(|e| wrong(e.into()))?;
        let mut listed = ZipArchive::new(&mut input).map_err(wrong)?;
        let heads: Vec<_> = (0..listed.len()).map(|index| head(&mut listed, index)).collect();
        drop(listed);
        let mut heads = heads.into_iter().flatten();
        let differs = heads.any(|(name, at)| own_name(&mut input, at).is_some_and(|own| own != name));
        let differ = "a name that differs from that in the directory";
        let fault = differs.then(|| Error::invalid("entry", differ, "the same name", 0).within("kmz"));
        let budget = CHECKED.saturating_add(len.saturating_mul(64));
        Ok(Self { archive: ZipArchive::new(input).map_err(wrong)?, fault, budget })
    }
}

/// The name of an entry in the directory, and the place of its own header.
fn head(archive: &mut ZipArchive<impl Read + Seek>, index: usize) -> Option<(Vec<u8>, u64)> {
    let entry = archive.by_index_raw(index).ok()?;
    Some((entry.name_raw().to_vec(), entry.header_start()))
}

/// The name in an entry's own header.
fn own_name(input: &mut dyn ReadSeek, at: u64) -> Option<Vec<u8>> {
    let mut head = [0; 30];
    input.seek(SeekFrom::Start(at)).ok()?;
    input.read_exact(&mut head).ok()?;
    let [.., low, high, _, _] = head;
    let mut name = vec![0; usize::from(u16::from_le_bytes([low, high]))];
    input.read_exact(&mut name).ok()?;
    Some(name)
}

impl Listed<'_> {
    /// The fault of an entry that is not read: its content does not have the length and the checksum that the directory
    /// tells. One that is encrypted or compressed in another way than deflate cannot be checked.
    fn fault_of(&mut self, index: usize) -> Option<Error> {
        let (name, found) = match self.archive.by_index(index) {
            Ok(entry) => {
                let (name, size) =
                    (entry.name().map_or_else(|_| index.to_string(), |name| name.to_string()), entry.size());
                match io::copy(&mut entry.take(self.budget.saturating_add(1)), &mut io::sink()) {
                    Ok(len) if len > self.budget => {
                        let kind = ErrorKind::Limit { what: "entries", len, limit: self.budget };
                        return Some(Error::new(kind, 0).within("kmz"));
                    }
                    Ok(len) => {
                        self.budget -= len;
                        (name, (len != size).then(|| format!("{len} bytes, not {size}"))?)
                    }
                    Err(error) => (name, error.to_string()),
                }
            }
            Err(ZipError::UnsupportedArchive(_)) => return None,
            Err(error) => (index.to_string(), error.to_string()),
        };
        let found = format!("{} with {found}", Escaped(name.as_bytes()));
        Some(Error::invalid("entry", found, "the content that the directory tells", 0).within("kmz"))
    }
}

/// The error for an archive that is no zip file, or an entry that is damaged.
fn wrong(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => Error::io(error, 0),
        error => Error::io(io::Error::other(error), 0),
    }
    .within("kmz")
}

impl Entries for Listed<'_> {
    fn names(&self) -> Vec<(String, usize)> {
        let names = self.archive.file_names().enumerate();
        names.filter_map(|(index, name)| Some((name.ok()?.to_string(), index))).collect()
    }

    fn fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    fn place(&self, index: usize) -> Option<usize> {
        Some(index)
    }

    fn fault_of_others(&mut self, is_read: &dyn Fn(usize) -> bool) -> Option<Error> {
        let others = (0..self.archive.len()).filter(|index| !is_read(*index));
        let mut faults = others.filter_map(|index| self.fault_of(index));
        faults.next()
    }

    fn text(&mut self, index: usize, limit: usize) -> Result<(Vec<u8>, Option<Error>)> {
        match self.archive.by_index(index) {
            Ok(entry) => text_of(entry, limit),
            Err(ZipError::Io(error)) if robolog_core::format::is_of_machine(&error) => {
                Err(wrong(error.into()))
            }
            Err(error) => {
                let fault = Error::invalid("entry", error, "one that can be read", 0).within("kmz");
                Ok((Vec::new(), Some(fault)))
            }
        }
    }
}
