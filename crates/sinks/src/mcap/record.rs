//! Records of MCAP: a kind, a length, and fields.

use std::collections::BTreeMap;

/// Kind of a record.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(super) enum Op {
    Header = 0x01,
    Footer = 0x02,
    Schema = 0x03,
    Channel = 0x04,
    Message = 0x05,
    Chunk = 0x06,
    MessageIndex = 0x07,
    ChunkIndex = 0x08,
    Attachment = 0x09,
    AttachmentIndex = 0x0a,
    Statistics = 0x0b,
    Metadata = 0x0c,
    MetadataIndex = 0x0d,
    SummaryOffset = 0x0e,
    DataEnd = 0x0f,
}

/// Fields of a record, in order.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<u8>);

impl Fields {
    pub(super) fn u16(self, value: u16) -> Self {
        self.raw(&value.to_le_bytes())
    }

    pub(super) fn u32(self, value: u32) -> Self {
        self.raw(&value.to_le_bytes())
    }

    pub(super) fn u64(self, value: u64) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// Bytes with their length.
    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX)).raw(bytes)
    }

    pub(super) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    pub(super) fn texts(self, map: &BTreeMap<String, String>) -> Self {
        let pairs = map.iter().fold(Self::default(), |pairs, (key, value)| pairs.text(key).text(value));
        self.bytes(&pairs.0)
    }

    /// Numbers by topic.
    pub(super) fn numbers(self, map: impl IntoIterator<Item = (u16, u64)>) -> Self {
        let pairs = map.into_iter().fold(Self::default(), |pairs, (key, value)| pairs.u16(key).u64(value));
        self.bytes(&pairs.0)
    }

    /// Bytes as they are.
    pub(super) fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The record.
    pub(super) fn record(&self, op: Op) -> Vec<u8> {
        self.begin(op, 0)
    }

    /// The record without its last fields, which will have `more` bytes.
    pub(super) fn begin(&self, op: Op, more: usize) -> Vec<u8> {
        let mut record = Vec::with_capacity(self.0.len() + HEAD);
        head(op, self.0.len() + more, &mut record);
        record.extend_from_slice(&self.0);
        record
    }
}

/// Bytes of a record before its fields.
const HEAD: usize = 9;

/// Begins a record whose fields have `len` bytes.
pub(super) fn head(op: Op, len: usize, out: &mut Vec<u8>) {
    out.push(op as u8);
    out.extend_from_slice(&(len as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_kind_a_length_and_fields() {
        let map = BTreeMap::from([("a".to_owned(), "bc".to_owned())]);
        let record = Fields::default().u16(1).texts(&map).numbers([(2, 3)]).record(Op::Channel);
        let want = [
            &[4, 31, 0, 0, 0, 0, 0, 0, 0, 1, 0, 11, 0, 0, 0][..],
            &[1, 0, 0, 0, b'a', 2, 0, 0, 0, b'b', b'c'],
            &[10, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0],
        ]
        .concat();
        assert_eq!(record, want);
    }
}
