//! Records of a bag: a header of named fields, and data.

use crate::message::stamp::RosTime;

/// Kind of a record, its field `op`.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(super) enum Op {
    Message = 2,
    File = 3,
    Index = 4,
    Chunk = 5,
    ChunkInfo = 6,
    Connection = 7,
}

/// Named fields, each prefixed with its length.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<u8>);

/// Bytes of the fields of a message.
const MOST: usize = 64;

impl Fields {
    /// Begins the header of a record.
    pub(super) fn of(op: Op) -> Self {
        Self(Vec::with_capacity(MOST)).with("op", &[op as u8])
    }

    pub(super) fn with(mut self, name: &str, value: &[u8]) -> Self {
        self.0.extend_from_slice(&len(name.len() + 1 + value.len()));
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(b'=');
        self.0.extend_from_slice(value);
        self
    }

    pub(super) fn with_u32(self, name: &str, value: u32) -> Self {
        self.with(name, &value.to_le_bytes())
    }

    pub(super) fn with_time(self, name: &str, value: RosTime) -> Self {
        self.with(name, &time(value))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Appends the record with this header and data.
    pub(super) fn write_with(&self, data: &[u8], out: &mut Vec<u8>) {
        self.begin(data.len(), out);
        out.extend_from_slice(data);
    }

    /// Appends the record without its data, which will have this length.
    pub(super) fn begin(&self, data_len: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&len(self.0.len()));
        out.extend_from_slice(&self.0);
        out.extend_from_slice(&len(data_len));
    }
}

/// Encodes a length. No message is too long for 32 bits.
fn len(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

/// Seconds and nanoseconds.
pub(super) fn time(time: RosTime) -> [u8; 8] {
    let (secs, nsecs) = (u64::from(time.secs), u64::from(time.nsecs));
    (secs | nsecs << 32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_header_and_data() {
        let mut out = Vec::new();
        let fields = Fields::of(Op::Message).with_u32("conn", 3);
        fields.with_time("time", RosTime { secs: 1, nsecs: 2 }).write_with(b"data", &mut out);
        let want = [
            &[38, 0, 0, 0, 4, 0, 0, 0][..],
            b"op=\x02\x09\0\0\0conn=\x03\0\0\0\x0d\0\0\0time=\x01\0\0\0\x02\0\0\0",
            b"\x04\0\0\0data",
        ]
        .concat();
        assert_eq!(out, want);
    }
}
