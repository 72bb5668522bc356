//! KML documents in archives.

use std::io::{self, Read, Seek};

use robolog_core::{ErrorKind, Limits, format::read_one_over};

use super::{Input, ReadSeek, ZIP, streams::Failing};
use crate::{Error, Result, foreign::foreign};

impl Input {
    /// Reads the document in an archive, as far as possible; then fails with the fault.
    pub(super) fn of_kmz(name: String, archive: impl Read + Seek, limits: Limits) -> Result<Self> {
        let read = robolog_kml::read_damaged_kmz(archive, limits.record);
        let (document, fault) = read.map_err(|error| match error.kind() {
            ErrorKind::Invalid { .. } => foreign(ZIP).map_or(error.into(), Error::Foreign),
            _ => error.into(),
        })?;
        let fault = fault.map(|fault| io::Error::new(io::ErrorKind::InvalidData, fault));
        let input = Self::new_with(name, Box::new(io::Cursor::new(document).chain(Failing(fault))), limits)?;
        Ok(Self { is_decoded: false, is_plain: false, is_kmz: true, ..input })
    }

    /// Whether it is the document of an archive.
    pub(crate) fn is_kmz(&self) -> bool {
        self.is_kmz
    }

    /// Opens the archive again. Returns an error for a pipe.
    pub(crate) fn archive(&self) -> Result<(Box<dyn ReadSeek>, Limits)> {
        let open = self.reopen.as_ref().ok_or_else(|| {
            Error::Target("an archive from a pipe is copied as KML: name the output .kml".into())
        })?;
        Ok((open().map_err(|e| Error::file(&self.name, e))?, self.how.limits))
    }

    /// Reads the document of an archive that cannot seek, and is therefore held in memory.
    pub(super) fn into_kmz(self) -> Result<Self> {
        let (name, limits) = (self.name.clone(), self.how.limits);
        let mut archive = Vec::new();
        read_one_over(self.into_stream(), limits.record, &mut archive).map_err(|e| Error::file(&name, e))?;
        if archive.len() > limits.record {
            let kind =
                ErrorKind::Limit { what: "archive", len: archive.len() as u64, limit: limits.record as u64 };
            return Err(robolog_core::Error::new(kind, 0).into());
        }
        Self::of_kmz(name, io::Cursor::new(archive), limits)
    }
}
