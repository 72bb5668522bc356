//! A packet of pcap, or a block of pcapng.

use robolog_core::{
    Clock, Timestamp,
    format::{RawRecord, Timed},
};

use super::layout::{ENHANCED_PACKET, INTERFACE, Order, SECTION};

/// A packet of pcap, or a block of pcapng.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    pub(crate) content: Content<'a>,
}

impl<'a> Record<'a> {
    /// Offset of its start in the capture.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// Offset of its end.
    pub fn end(&self) -> u64 {
        self.raw.end()
    }

    /// All its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// Whether it begins a section of pcapng.
    pub(crate) fn is_section(&self) -> bool {
        matches!(self.content, Content::Block { kind: SECTION, .. })
    }

    /// Whether it describes an interface of pcapng.
    pub(crate) fn is_interface(&self) -> bool {
        matches!(self.content, Content::Block { kind: INTERFACE, .. })
    }

    /// Whether it is a packet.
    pub(crate) fn is_packet(&self) -> bool {
        matches!(self.content, Content::Packet { .. } | Content::Block { kind: ENHANCED_PACKET, .. })
    }

    /// Its content.
    pub(crate) fn content(&self) -> Content<'a> {
        self.content
    }
}

/// Content of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'a> {
    /// A packet with the link type of the file, and its length before it was cut, if it was.
    Packet { link: u16, time_ns: i64, sent: u32, data: &'a [u8] },
    /// A block: its type, its byte order and the bytes between its lengths.
    Block { kind: u32, order: Order, body: &'a [u8] },
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        match self.content {
            Content::Packet { time_ns, .. } => Some(Timestamp::new(time_ns, Clock::Unix)),
            // Stamps of pcapng are in units given by another block.
            Content::Block { .. } => None,
        }
    }
}

/// The link type and length of a packet, or the type and length of a block.
#[cfg(feature = "serde")]
impl serde::Serialize for Record<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut record = serializer.serialize_struct("Record", 2)?;
        let len = match self.content {
            Content::Packet { link, data, .. } => {
                record.serialize_field("link_type", &link)?;
                data.len()
            }
            Content::Block { kind, body, .. } => {
                record.serialize_field("block_type", &kind)?;
                body.len()
            }
        };
        record.serialize_field("length", &len)?;
        record.end()
    }
}
