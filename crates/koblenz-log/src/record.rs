//! A message, or the mark after the last one.

use robolog_core::{
    Clock, Result, Timestamp,
    format::{RawRecord, Timed},
    layout::first,
    slices::{Part as _, missing, past},
};

use crate::{
    Header, Payload, SizeCounts, TypeId,
    framing::Head,
    layout::{END_MARK, END_MARK_LEN, MARK, MESSAGE_HEADER_LEN},
};

/// A message of the log; or, at most once and after all messages, the [end mark](Self::is_end).
///
/// ```
/// use koblenz_log::robolog_core::format::Timed as _;
///
/// # let file = std::fs::read("examples/drive.log").unwrap();
/// let reader = koblenz_log::Reader::new(&file)?;
/// for record in reader.records() {
///     let record = record?;
///     println!("byte {}: {:?}", record.offset(), record.time());
/// }
/// # assert_eq!(reader.records().count(), 61);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    raw: RawRecord<'a>,
    head: Option<Head>,
    sizes: SizeCounts,
}

impl<'a> Record<'a> {
    pub(crate) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        let head = Head::parse(raw.bytes).filter(|head| head.size != END_MARK);
        Self { raw, head, sizes: header.sizes() }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, including the message header.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// Whether this is not a message but the end mark, with everything after it in the file.
    pub fn is_end(&self) -> bool {
        self.head.is_none()
    }

    /// Whether the message is marked as valid. The end mark is not.
    pub fn is_valid(&self) -> bool {
        self.mark() == MARK
    }

    /// The mark: 0x49 in valid messages; 0 for the end mark.
    pub fn mark(&self) -> u8 {
        self.head.map_or(0, |head| head.mark)
    }

    /// The type; 0 for the end mark.
    pub fn type_id(&self) -> TypeId {
        self.head.map_or(TypeId(0), |head| head.type_id)
    }

    /// Version of the payload's layout.
    pub fn version(&self) -> i32 {
        self.head.map_or(0, |head| head.version)
    }

    /// Milliseconds since the start of the recording program.
    pub fn timestamp(&self) -> Option<f64> {
        self.head.map(|head| head.timestamp)
    }

    /// The timestamp on the [relative clock](Clock::Relative).
    pub fn time(&self) -> Option<Timestamp> {
        time(self.timestamp()?)
    }

    /// What message sizes count in its log.
    pub fn sizes(&self) -> SizeCounts {
        self.sizes
    }

    /// Bytes missing from the payload: a message at the end of a log may be cut between two packets.
    pub fn missing(&self) -> usize {
        let len = self.head.and_then(|head| self.sizes.message_len(head.size));
        len.map_or(0, |len| missing(len, self.raw.bytes))
    }

    /// The bytes after the message header.
    pub fn body(&self) -> &'a [u8] {
        if self.is_end() {
            return &[];
        }
        self.raw.bytes.part(MESSAGE_HEADER_LEN..)
    }

    /// The payload, by the message's type and version. Returns an error if the payload's own counts do not agree with
    /// its length.
    pub fn decode(&self) -> Result<Payload<'a>> {
        let at = past(self.raw.offset, MESSAGE_HEADER_LEN);
        Payload::parse(self.type_id(), self.version(), self.body(), at)
    }

    /// The bytes after the end mark.
    pub fn trailer(&self) -> &'a [u8] {
        if first(self.raw.bytes) == Some(END_MARK) && self.is_end() {
            return self.raw.bytes.part(END_MARK_LEN..);
        }
        &[]
    }
}

/// Converts a stamp in milliseconds to a time.
pub(crate) fn time(milliseconds: f64) -> Option<Timestamp> {
    let nanos = (milliseconds * 1e6).round();
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    (nanos.abs() < 9.2e18).then(|| Timestamp::new(nanos as i64, Clock::Relative))
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_end() {
            return f
                .debug_struct("End")
                .field("offset", &self.offset())
                .field("len", &self.raw.bytes.len())
                .finish();
        }
        let mut s = f.debug_struct("Record");
        s.field("offset", &self.offset())
            .field("len", &self.raw.bytes.len())
            .field("mark", &char::from(self.mark()))
            .field("type", &format_args!("{}", self.type_id()))
            .field("version", &self.version())
            .field("timestamp", &self.timestamp().unwrap_or_default());
        match self.decode() {
            Ok(payload) => s.field("payload", &payload),
            Err(error) => s.field("error", &error.to_string()),
        };
        s.finish()
    }
}
