//! Protocol Buffers wire format: a message is written field by field, in order of field numbers. As in version 3,
//! fields that are zero or empty are omitted; embedded messages are not.

use robolog_core::slices::Part as _;

/// An open message.
#[derive(Debug)]
pub(super) struct Proto<'a> {
    bytes: &'a mut Vec<u8>,
}

/// Wire types: the lower three bits of a field's key.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH_AND_BYTES: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// Maximum bytes of a varint.
const LONGEST_VARINT: usize = 10;

impl<'a> Proto<'a> {
    /// Begins a message at the end of `bytes`.
    pub(super) const fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes }
    }

    /// Unsigned integer, boolean or enumeration.
    pub(super) fn varint(&mut self, field: u32, value: u64) {
        if value != 0 {
            self.key(field, VARINT);
            self.put(value);
        }
    }

    pub(super) fn fixed32(&mut self, field: u32, value: u32) {
        if value != 0 {
            self.key(field, FOUR_BYTES);
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    pub(super) fn double(&mut self, field: u32, value: f64) {
        if value.to_bits() != 0 {
            self.key(field, EIGHT_BYTES);
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    /// Packed doubles.
    pub(super) fn doubles(&mut self, field: u32, values: impl ExactSizeIterator<Item = f64>) {
        if values.len() == 0 {
            return;
        }
        self.key(field, LENGTH_AND_BYTES);
        self.put(values.len().saturating_mul(size_of::<f64>()) as u64);
        for value in values {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    pub(super) fn bytes(&mut self, field: u32, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.key(field, LENGTH_AND_BYTES);
            self.put(bytes.len() as u64);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Bytes written in place by `fill`, which gets `len` zeros.
    pub(super) fn filled(&mut self, field: u32, len: usize, fill: impl FnOnce(&mut [u8])) {
        if len == 0 {
            return;
        }
        self.key(field, LENGTH_AND_BYTES);
        self.put(len as u64);
        let start = self.bytes.len();
        self.bytes.resize(start.saturating_add(len), 0);
        fill(self.bytes.part_mut(start..));
    }

    /// An embedded message. Its bytes are moved by the width of their length afterwards, so it should be small.
    pub(super) fn message(&mut self, field: u32, write: impl FnOnce(&mut Proto<'_>)) {
        self.key(field, LENGTH_AND_BYTES);
        let start = self.bytes.len();
        write(&mut Proto::new(self.bytes));
        let (len, width) = varint(self.bytes.len().saturating_sub(start) as u64);
        self.bytes.splice(start..start, len.into_iter().take(width));
    }

    fn key(&mut self, field: u32, layout: u64) {
        self.put(u64::from(field) << 3 | layout);
    }

    fn put(&mut self, value: u64) {
        let (bytes, width) = varint(value);
        self.bytes.extend(bytes.into_iter().take(width));
    }
}

/// Encodes 7 bits per byte, lowest first; all bytes but the last have the eighth bit set. Returns also the number of
/// bytes.
fn varint(mut value: u64) -> ([u8; LONGEST_VARINT], usize) {
    let mut bytes = [0; LONGEST_VARINT];
    let mut width = 0_usize;
    for byte in &mut bytes {
        width += 1;
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            *byte = low;
            break;
        }
        *byte = low | 0x80;
    }
    (bytes, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Proto<'_>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut Proto::new(&mut bytes));
        bytes
    }

    /// Examples from the encoding's documentation.
    #[test]
    fn fields_are_laid_as_the_description_has_it() {
        assert_eq!(written(|it| it.varint(1, 150)), [0x08, 0x96, 0x01]);
        assert_eq!(written(|it| it.text(2, "testing")), b"\x12\x07testing");
        assert_eq!(written(|it| it.message(3, |it| it.varint(1, 150))), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(written(|it| it.varint(1, u64::MAX))[1..], [[0xff; 9].as_slice(), &[1]].concat());
    }

    #[test]
    fn what_is_zero_is_left_out_and_what_is_empty_too() {
        let nothing = written(|it| {
            it.varint(1, 0);
            it.fixed32(2, 0);
            it.double(3, 0.0);
            it.doubles(4, [].into_iter());
            it.text(5, "");
            it.filled(6, 0, |_| {});
        });
        assert!(nothing.is_empty(), "{nothing:?}");
        assert_eq!(written(|it| it.message(1, |_| {})), [0x0a, 0]);
        // Minus zero is not zero.
        assert_eq!(written(|it| it.double(1, -0.0)), [0x09, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    }

    #[test]
    fn long_messages_and_high_fields_have_longer_numbers() {
        let long = written(|it| it.message(16, |it| it.filled(1, 200, |bytes| bytes.fill(7))));
        assert_eq!(long[..7], [0x82, 0x01, 0xcb, 0x01, 0x0a, 0xc8, 0x01]);
        assert!(long.len() == 207 && long[7..].iter().all(|&byte| byte == 7));
    }
}
