//! The file header: version, date and map.

use robolog_core::{
    Clock, Error, Result, Timestamp,
    format::Step,
    layout::{Layout as _, field},
    ready,
    slices::{InRange as _, Part as _, missing},
    text::Escaped,
};

use crate::{
    Dialect, Release,
    layout::{FileHeader, MAGIC},
};

/// The header of a recording.
///
/// ```
/// let reader = carla_rec::open("examples/v0_9_15.log")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// 1 in every release but 0.9.16, which writes 2. It does not identify the dialect.
    pub version: u16,
    /// Start of the recording: seconds of unix time by the server's clock. (CARLA's documentation says since 1900.)
    pub date: i64,
    /// Name of the map, as in the file; UTF-8 in every known recording.
    pub map: Vec<u8>,
    /// How packets are read. Fields that are `None` are found from the packets; fields that are set override them.
    pub dialect: Dialect,
}

impl Header {
    /// A header for a new recording, as `release` writes it.
    pub fn new(map: impl Into<String>, date: Timestamp, release: Release) -> Self {
        let (date, _) = date.secs_and_nanos();
        let map = map.into().into_bytes();
        Self { version: release.version(), date, map, dialect: Dialect::of(release) }
    }

    /// Name of the map, safe to print.
    pub fn map_text(&self) -> String {
        Escaped(&self.map).to_string()
    }

    /// The time `elapsed` seconds into the recording; `None` if it is not a number or out of range.
    pub fn time(&self, elapsed: f64) -> Option<Timestamp> {
        let start = Timestamp::new(self.date.checked_mul(1_000_000_000)?, Clock::Unix);
        start.checked_add(Timestamp::from_secs(elapsed, Clock::Relative)?.nanos())
    }

    pub(crate) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        let magic = field!(FileHeader, magic);
        // Empty if not even the version is there.
        let start = input.part_or_empty(magic.offset..);
        if !MAGIC.starts_with(start.get(..magic.len).unwrap_or(start)) {
            // The error shows the first 16 bytes, so they must be there.
            return match 16_usize.checked_sub(input.len()) {
                Some(n @ 1..) if !eof => Ok(Step::Need(n)),
                _ => Err(Error::magic(input, "a CARLA recording")),
            };
        }
        let (head, start) = ready!(FileHeader::step(input, 0)?);
        let FileHeader { version, date, map_len, .. } = head;
        let len = start.plus(map_len.into());
        let Some(map) = input.get(start..len) else {
            return Ok(Step::Need(missing(len, input)));
        };
        // Version 2 came with attribute types counted from 1.
        let attribute_base = (version >= 2).then_some(1);
        let dialect = Dialect { attribute_base, ..Dialect::default() };
        Ok(Step::Ready(Self { version, date, map: map.to_vec(), dialect }, len))
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let Ok(map_len) = u16::try_from(self.map.len()) else {
            let (found, at) = (format!("{} bytes", self.map.len()), field!(FileHeader, map_len).at(0));
            return Err(Error::invalid("map name", found, "at most 65535", at).within(FileHeader::NAME));
        };
        let mut out = Vec::new();
        FileHeader { version: self.version, magic: *MAGIC, date: self.date, map_len }.encode(&mut out)?;
        out.extend_from_slice(&self.map);
        Ok(out)
    }
}
