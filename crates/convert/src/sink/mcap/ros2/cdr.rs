//! ROS 2's message encoding: little-endian Common Data Representation, version 1.

/// One message on its way. Numbers stand at multiples of their size, counted from behind the four leading bytes.
///
/// Own code: the encoders that are kept up want every message as a structure of serde's, add a second `thiserror`, and
/// the messages here need eight functions.
#[derive(Debug, Default)]
pub(super) struct Cdr {
    bytes: Vec<u8>,
    too_long: bool,
}

/// Says: plain CDR, little-endian.
const ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

impl Cdr {
    /// Begins a new message in the same memory.
    pub(super) fn begin(&mut self) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&ENCAPSULATION);
        self.too_long = false;
    }

    /// The message; `None` when something in it is longer than its 32-bit count can say.
    pub(super) fn finish(&self) -> Option<&[u8]> {
        (!self.too_long).then_some(self.bytes.as_slice())
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.bytes.push(value.into());
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(super) fn i8(&mut self, value: i8) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn i64(&mut self, value: i64) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.put(value.to_le_bytes());
    }

    pub(super) fn f64(&mut self, value: f64) {
        self.put(value.to_le_bytes());
    }

    /// An array of fixed length.
    pub(super) fn f64s(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            self.f64(value);
        }
    }

    /// A sequence.
    pub(super) fn f32_sequence(&mut self, values: &[f32]) {
        self.count(values.len());
        for value in values {
            self.f32(*value);
        }
    }

    /// A sequence of bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        if !self.too_long {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// A sequence of `len` bytes that `fill` gives values; they are zero before.
    pub(super) fn bytes_with(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) {
        self.count(len);
        if self.too_long {
            return;
        }
        let start = self.bytes.len();
        self.bytes.resize(start + len, 0);
        fill(self.bytes.get_mut(start..).unwrap_or_default());
    }

    /// Text, with the zero that ends it.
    pub(super) fn string(&mut self, text: &str) {
        self.count(text.len() + 1);
        if !self.too_long {
            self.bytes.extend_from_slice(text.as_bytes());
            self.bytes.push(0);
        }
    }

    /// How many elements follow.
    pub(super) fn count(&mut self, count: usize) {
        if let Ok(count) = u32::try_from(count) {
            self.u32(count);
        } else {
            self.too_long = true;
        }
    }

    fn put<const N: usize>(&mut self, value: [u8; N]) {
        let len = (self.bytes.len() - ENCAPSULATION.len()).next_multiple_of(N);
        self.bytes.resize(len + ENCAPSULATION.len(), 0);
        self.bytes.extend_from_slice(&value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_behind_the_leading_bytes() {
        let mut cdr = Cdr::default();
        cdr.begin();
        cdr.u8(7);
        cdr.f64(1.0);
        cdr.bool(true);
        cdr.u16(0x0102);
        cdr.i8(-1);
        cdr.i32(-2);
        cdr.string("ab");
        cdr.bytes(&[9]);
        cdr.f32_sequence(&[0.5]);
        let want = [
            &[0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0][..],
            &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
            &[1, 0, 2, 1, 0xff, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff],
            &[3, 0, 0, 0, b'a', b'b', 0, 0, 1, 0, 0, 0, 9, 0, 0, 0],
            &[1, 0, 0, 0, 0, 0, 0, 0x3f],
        ]
        .concat();
        assert_eq!(cdr.finish(), Some(&want[..]));
        cdr.begin();
        assert_eq!(cdr.finish(), Some(&[0, 1, 0, 0][..]));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn what_a_count_cannot_say_is_no_message() {
        let mut cdr = Cdr::default();
        cdr.begin();
        cdr.bytes_with(1 << 32, |_| {});
        assert_eq!((cdr.finish(), cdr.bytes.len()), (None, 4));
        cdr.begin();
        assert!(cdr.finish().is_some());
    }
}
