//! KMZ archives.

use std::io::{self, Read, Seek};

use robolog_core::{Error, ErrorKind, Result};

/// Reads the document of a KMZ archive: `doc.kml`, else the first entry outside of folders whose name ends in `.kml`,
/// else the first in a folder.
///
/// Returns an error if the document has more than `limit` bytes or is missing, or if the archive is damaged.
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

/// Reads a possibly damaged archive: the readable part of the document, and the fault, such as a wrong checksum.
///
/// Returns an error if the document has more than `limit` bytes or is missing, or if the archive's directory is
/// damaged.
///
/// ```
/// let archive = std::fs::File::open("examples/bad_crc.kmz").unwrap();
/// let (document, fault) = robolog_kml::read_damaged_kmz(archive, 16 << 20)?;
/// assert!(robolog_kml::detect(&document) && fault.is_some());
/// # Ok::<(), robolog_kml::Error>(())
/// ```
pub fn read_damaged_kmz<R: Read + Seek>(input: R, limit: usize) -> Result<(Vec<u8>, Option<Error>)> {
    let wrong = |e: zip::result::ZipError| Error::io(io::Error::other(e), 0).within("kmz");
    let mut archive = zip::ZipArchive::new(input).map_err(wrong)?;
    let (mut found, mut deeper) = (None, None);
    for (index, name) in archive.file_names().enumerate() {
        match name {
            Ok(name) if name == "doc.kml" => {
                found = Some(index);
                break;
            }
            Ok(name) if name.to_ascii_lowercase().ends_with(".kml") => {
                let slot = if name.contains('/') { &mut deeper } else { &mut found };
                *slot = slot.or(Some(index));
            }
            _ => {}
        }
    }
    let Some(index) = found.or(deeper) else {
        return Err(Error::invalid("archive", "no .kml entry", "one", 0).within("kmz"));
    };
    let entry = archive.by_index(index).map_err(wrong)?;
    let mut document = Vec::new();
    // Reads one byte more to detect excess; the size stated in the archive is not trusted.
    let most = (limit as u64).saturating_add(1);
    // Bytes before a fault stay in the document.
    let outcome = entry.take(most).read_to_end(&mut document);
    if document.len() > limit {
        let kind = ErrorKind::Limit { what: "document", len: document.len() as u64, limit: limit as u64 };
        return Err(Error::new(kind, 0).within("kmz"));
    }
    let at = document.len() as u64;
    let fault = match outcome {
        Err(e) if robolog_core::is_of_machine(&e) => return Err(Error::io(e, at)),
        Err(e) => Some(Error::invalid("entry", e, "one that can be decompressed", at).within("kmz")),
        Ok(_) => None,
    };
    Ok((document, fault))
}
