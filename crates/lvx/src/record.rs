//! A frame: the packages of all devices that arrived within 50 ms by the recording computer's clock.

use robolog_core::{
    Error, Result, Timestamp,
    format::{RawRecord, Step, Timed},
    layout::Layout as _,
    slices::{Part as _, past},
};

use crate::{
    Header, Package, Packages, Version, chain,
    layout::{FrameHeader10, FrameHeader11, FrameHeader24, NAME, current_offset},
};

/// A frame of the recording.
///
/// ```
/// use lvx::robolog_core::format::Timed as _;
///
/// # let file = std::fs::read("examples/room.lvx").unwrap();
/// let reader = lvx::Reader::new(&file)?;
/// for record in reader.records() {
///     let record = record?;
///     println!("byte {}: {:?}", record.offset(), record.time());
/// }
/// # assert_eq!(reader.records().count(), 10);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    pub(crate) version: Version,
    /// `None` for a fragment, and for a header.
    head: Option<FrameHead>,
    is_header: bool,
}

/// The header of a frame, for all versions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameHead {
    pub(crate) current_offset: u64,
    pub(crate) next_offset: u64,
    frame_index: Option<u64>,
    package_count: Option<u64>,
}

impl FrameHead {
    /// Reads the header of the frame at the start of `input`, which is at `at`.
    pub(crate) fn decode(version: Version, input: &[u8], at: u64) -> Result<Self> {
        if version == Version::V2_4 {
            let FrameHeader24 { current_offset, packets_num, data_size } = FrameHeader24::decode(input, at)?;
            // A sum beyond u64 points past the file, like any other invalid offset.
            let next_offset = current_offset.saturating_add(data_size);
            let package_count = Some(packets_num.into());
            return Ok(Self { current_offset, next_offset, frame_index: None, package_count });
        }
        // The header of 1.0 is that of the others plus a count.
        let old = (version == Version::V1_0).then(|| FrameHeader10::decode(input, at)).transpose()?;
        let FrameHeader11 { current_offset, next_offset, frame_index } = FrameHeader11::decode(input, at)?;
        let (frame_index, package_count) = (Some(frame_index), old.map(|head| head.package_count));
        Ok(Self { current_offset, next_offset, frame_index, package_count })
    }
}

impl<'a> Record<'a> {
    pub(crate) fn new(raw: RawRecord<'a>, version: Version) -> Result<Self> {
        let is_header = raw.bytes.starts_with(&NAME);
        let is_frame =
            current_offset(raw.bytes) == Some(raw.offset) || !chain::is_all_packages(version, raw.bytes);
        let is_frame = is_frame && !is_header;
        let head = is_frame.then(|| FrameHead::decode(version, raw.bytes, raw.offset)).transpose()?;
        Ok(Self { raw, version, head, is_header })
    }

    /// The header of a second recording, where two files were joined: a record without packages. Offsets in the frames
    /// behind it count from its start.
    pub fn header(&self) -> Option<Header> {
        match Header::parse(self.raw.bytes, true) {
            Ok(Step::Ready(header, _)) if self.is_header => Some(header),
            _ => None,
        }
    }

    /// Whether this is a [header](Self::header).
    pub(crate) fn is_header(&self) -> bool {
        self.is_header
    }

    /// Whether this is a run of packages without a frame header: found after damage inside a frame, or after a damaged
    /// frame header.
    pub fn is_fragment(&self) -> bool {
        self.head.is_none() && !self.is_header
    }

    /// Offset of the frame in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes of the frame, including its header.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The version of its file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The frame number; `None` in LVX3 and for [fragments](Self::is_fragment).
    pub fn frame_index(&self) -> Option<u64> {
        self.head.and_then(|head| head.frame_index)
    }

    /// The frame's offset according to its header; for a fragment, its actual offset.
    pub fn current_offset(&self) -> u64 {
        self.head.map_or(self.raw.offset, |head| head.current_offset)
    }

    /// The next frame's offset according to the header; for a fragment, its end.
    pub fn next_offset(&self) -> u64 {
        self.head.map_or_else(|| self.raw.end(), |head| head.next_offset)
    }

    /// Number of packages according to the frame header: 1.0 and LVX3.
    pub fn package_count(&self) -> Option<u64> {
        self.head.and_then(|head| head.package_count)
    }

    /// The bytes after the frame header.
    pub fn body(&self) -> &'a [u8] {
        self.raw.bytes.part(self.header_len()..)
    }

    fn header_len(&self) -> usize {
        match self.head {
            Some(_) => self.version.frame_header_len(),
            None if self.is_header => self.raw.bytes.len(),
            None => 0,
        }
    }

    /// The packages, in order of arrival.
    pub fn packages(&self) -> Packages<'a> {
        let left = self.package_count().filter(|_| self.version == Version::V2_4);
        Packages::new(self.version, self.body(), past(self.raw.offset, self.header_len()), left)
    }

    /// Number of packages listed in an LVX3 frame. Returns an error if the frame is incomplete: its points are
    /// compressed as a whole and cannot be truncated.
    pub(crate) fn count_closed(&self) -> Result<u64> {
        let (len, next) = (self.raw.bytes.len() as u64, self.next_offset());
        if ![self.offset(), self.current_offset()].iter().any(|at| next.checked_sub(*at) == Some(len)) {
            let claimed = next.saturating_sub(self.current_offset());
            return Err(Error::invalid("frame length", len, claimed, self.offset()).within("lvx frame"));
        }
        self.packages().map(|package| package.map(|_| 1)).sum()
    }

    /// The time of the first package.
    pub fn time(&self) -> Option<Timestamp> {
        self.packages().map_while(Result::ok).find_map(|p| Package::time(&p))
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }

    fn frame(&self) -> Option<u64> {
        self.frame_index()
    }

    /// Devices may each count from their own start. Reading cannot resume inside a frame.
    fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let packages = self.packages().map_while(Result::ok).filter(|_| self.head.is_some());
        let times = packages.filter_map(|package| Package::time(&package));
        times.map(|time| (time, time)).reduce(|a, b| (a.0.earlier(b.0), a.1.later(b.1)))
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
