//! Data before the messages: version and index; and what the first messages show about the rest.

use std::fmt;

use robolog_core::{
    Error, ErrorKind, Limits, Result,
    format::Step,
    layout::{Layout as _, Packed as _, chunks, field},
    ready,
    slices::{InRange as _, Part as _, fitting, missing},
};

use velodyne_packet::Model;

use crate::{
    Attitude, Registry, SizeCounts, attitude,
    framing::Framing,
    layout::{FileHeader, IndexEntry, MAGIC},
    sizes,
};

/// The header of a log.
///
/// ```
/// let reader = koblenz_log::open("examples/drive.log")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Header {
    major: u16,
    minor: u16,
    claimed_entries: u32,
    index: Vec<u64>,
    sizes: SizeCounts,
    attitude: Attitude,
    registry: Registry,
    pub(crate) limits: Limits,
    /// The model of the Velodyne, if the user knows it.
    pub(crate) velodyne: Option<Model>,
}

impl fmt::Debug for Header {
    /// The file's data; the limits are the reader's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { major, minor, claimed_entries, index, sizes, attitude, registry, limits: _, velodyne } =
            self;
        let mut debug = f.debug_struct("Header");
        debug
            .field("major", major)
            .field("minor", minor)
            .field("claimed_entries", claimed_entries)
            .field("index", index)
            .field("sizes", sizes)
            .field("attitude", attitude)
            .field("registry", registry);
        if let Some(model) = velodyne {
            debug.field("velodyne", model);
        }
        debug.finish()
    }
}

/// An index of more than twelve days, in seconds, is damaged.
pub(crate) const MOST_ENTRIES: u32 = 1 << 20;
/// Bytes of messages examined for what the header leaves open.
const LOOK: usize = 4 << 20;

impl Header {
    /// A header for a new log of up to `seconds` seconds; later messages are not in its index.
    pub fn new(seconds: u32) -> Self {
        let header = Self {
            major: 1,
            minor: 1,
            claimed_entries: 0,
            index: Vec::new(),
            sizes: SizeCounts::default(),
            attitude: Attitude::default(),
            registry: Registry::default(),
            limits: Limits::default(),
            velodyne: None,
        };
        header.with_seconds(seconds)
    }

    /// Sets an index of `seconds` seconds, to be filled in.
    #[must_use]
    pub fn with_seconds(mut self, seconds: u32) -> Self {
        self.claimed_entries = seconds.min(MOST_ENTRIES);
        self.index = vec![0; fitting(self.claimed_entries)];
        self
    }

    /// Major and minor version.
    pub fn version(&self) -> (u16, u16) {
        (self.major, self.minor)
    }

    /// The index as in the file: offset of the first message of each second. Empty if the file has none, or claims an
    /// impossible one: compare with [`claimed_entries`](Self::claimed_entries).
    pub fn index(&self) -> &[u64] {
        &self.index
    }

    /// Number of index entries according to the file.
    pub fn claimed_entries(&self) -> u32 {
        self.claimed_entries
    }

    /// What message sizes count.
    pub fn sizes(&self) -> SizeCounts {
        self.sizes
    }

    /// Sets the model of the Velodyne, whose packets may name none or a wrong one; `None` leaves it to the evidence.
    pub fn set_velodyne(&mut self, model: Option<Model>) {
        self.velodyne = model;
    }

    /// Overrides what message sizes count.
    pub fn set_sizes(&mut self, sizes: SizeCounts) {
        self.sizes = sizes;
    }

    /// How to read orientations and accelerations.
    pub fn attitude(&self) -> Attitude {
        self.attitude
    }

    /// Names of types beyond those in the specification.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The mutable registry, to add names.
    pub fn registry_mut(&mut self) -> &mut Registry {
        &mut self.registry
    }

    pub(crate) fn framing(&self) -> Framing<'_> {
        Framing { sizes: self.sizes, registry: &self.registry }
    }

    pub(crate) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        let start = input.get(..MAGIC.len()).unwrap_or(input);
        if !MAGIC.starts_with(start) {
            // The error shows the first 16 bytes, so they are required.
            return match 16_usize.checked_sub(input.len()) {
                Some(n @ 1..) if !eof => Ok(Step::Need(n)),
                _ => Err(Error::magic(input, "a Koblenz sensor log")),
            };
        }
        let (head, head_len) = ready!(FileHeader::step(input, 0)?);
        let rest = input.part(head_len..);
        if head.major != 1 {
            let found = format!("{}.{}", head.major, head.minor);
            let at = field!(FileHeader, major).at(0);
            return Err(
                Error::new(ErrorKind::Version { found, expected: "1.1" }, at).within(FileHeader::NAME)
            );
        }
        let claimed = if head.index_entries > MOST_ENTRIES { None } else { Some(head.index_entries) };
        let claimed = claimed.and_then(|n| usize::try_from(n).ok()?.checked_mul(IndexEntry::LEN));
        let look = claimed.unwrap_or_default().saturating_add(LOOK);
        if !eof && rest.len() < look {
            return Ok(Step::Need(missing(look, rest)));
        }
        let is_all = rest.len() <= look;
        let rest = rest.get(..look).unwrap_or(rest);
        let registry = Registry::default();
        let (index_len, sizes) = sizes::decide(rest, claimed, &registry);
        let (index, messages) = rest.split_at_checked(index_len).unwrap_or((&[], rest));
        let mut header = Self {
            major: head.major,
            minor: head.minor,
            claimed_entries: head.index_entries,
            index: chunks::<{ IndexEntry::LEN }>(index)
                .iter()
                .map(|e| IndexEntry::from_bytes(e).offset)
                .collect(),
            sizes,
            attitude: Attitude::default(),
            registry,
            limits: Limits::default(),
            velodyne: None,
        };
        header.attitude = attitude::decide(messages, &header, is_all);
        Ok(Step::Ready(header, head_len.plus(index_len)))
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let Ok(index_entries) = u32::try_from(self.index.len()) else {
            let at = field!(FileHeader, index_entries).at(0);
            let entries = self.index.len();
            return Err(Error::invalid("index entries", entries, MOST_ENTRIES, at).within(FileHeader::NAME));
        };
        FileHeader { magic: MAGIC, major: self.major, minor: self.minor, index_entries }.encode(&mut out)?;
        write_index(&self.index, &mut out)?;
        Ok(out)
    }
}

/// Appends the entries of an index.
pub(crate) fn write_index(index: &[u64], out: &mut Vec<u8>) -> Result<()> {
    index.iter().try_for_each(|offset| IndexEntry { offset: *offset }.encode(out))
}
