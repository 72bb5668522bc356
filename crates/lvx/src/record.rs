//! A frame: the packages of all devices that arrived within 50 ms of the recording computer's clock.

use robolog_core::{
    Error, RawRecord, Result, Timed, Timestamp,
    layout::{u32_at, u64_at},
};

use crate::{Package, Packages, Version};

/// A frame of the recording.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    pub(crate) version: Version,
}

impl<'a> Record<'a> {
    /// Offset of the frame in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes of the frame, its header included.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The version of the file it lies in.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Its number; LVX3 has none.
    pub fn frame_index(&self) -> Option<u64> {
        if self.version == Version::V2_4 { None } else { u64_at(self.raw.bytes, 16) }
    }

    /// Where the frame says that it lies.
    pub fn current_offset(&self) -> u64 {
        u64_at(self.raw.bytes, 0).unwrap_or_default()
    }

    /// Where the frame says that the next one lies.
    pub fn next_offset(&self) -> u64 {
        next_offset(self.version, self.raw.bytes)
    }

    /// How many packages the frame header claims: 1.0 and LVX3.
    pub fn package_count(&self) -> Option<u64> {
        match self.version {
            Version::V1_0 => u64_at(self.raw.bytes, 24),
            Version::V1_1 | Version::V2_0 => None,
            Version::V2_4 => u32_at(self.raw.bytes, 8).map(u64::from),
        }
    }

    /// The bytes behind the frame header.
    pub fn body(&self) -> &'a [u8] {
        self.raw.bytes.get(self.version.frame_header_len()..).unwrap_or_default()
    }

    /// The packages, in the order in which they arrived.
    pub fn packages(&self) -> Packages<'a> {
        let left = if self.version == Version::V2_4 { u32_at(self.raw.bytes, 8) } else { None };
        let header_len = self.version.frame_header_len() as u64;
        Packages::new(self.version, self.body(), self.raw.offset.saturating_add(header_len), left)
    }

    /// How many packages a frame of LVX3 lists. Fails when the frame is not whole: its points are compressed in one
    /// piece, so that there is no cutting it to what is there.
    pub(crate) fn count_closed(&self) -> Result<u64> {
        let (len, next) = (self.raw.bytes.len() as u64, self.next_offset());
        if ![self.offset(), self.current_offset()].iter().any(|at| next.checked_sub(*at) == Some(len)) {
            let claimed = next.saturating_sub(self.current_offset());
            return Err(Error::invalid("frame length", len, claimed, self.offset()).within("lvx frame"));
        }
        self.packages().try_fold(0, |n: u64, package| package.map(|_| n.saturating_add(1)))
    }

    /// The first package's time.
    pub fn time(&self) -> Option<Timestamp> {
        self.packages().map_while(Result::ok).find_map(|p| Package::time(&p))
    }
}

/// The next frame's offset as a frame header claims it.
pub(crate) fn next_offset(version: Version, frame: &[u8]) -> u64 {
    if version == Version::V2_4 {
        let current = u64_at(frame, 0).unwrap_or_default();
        return current.saturating_add(u64_at(frame, 12).unwrap_or_default());
    }
    u64_at(frame, 8).unwrap_or_default()
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("len", &self.bytes().len())
            .field("frame_index", &self.frame_index())
            .field("current_offset", &self.current_offset())
            .field("next_offset", &self.next_offset())
            .field("packages", &self.packages().collect::<Vec<_>>())
            .finish()
    }
}
