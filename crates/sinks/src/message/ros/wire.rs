//! ROS message encodings: packed numbers in ROS 1, little-endian Common Data Representation, version 1, in ROS 2.

use robolog_core::slices::Part as _;

use super::Ros;
use crate::message::stamp::{RosTime, Stamp};

/// An open message. In ROS 2, numbers are aligned to their size, counted after the four leading bytes, and text is
/// terminated by zero.
///
/// Own code: maintained encoders need every message as a serde structure and add a second `thiserror`; the messages
/// here need a dozen functions.
#[derive(Debug)]
pub(super) struct Wire {
    ros: Ros,
    bytes: Vec<u8>,
    too_long: bool,
    /// Position of the first header's sequence number.
    sequence: Option<usize>,
}

/// Plain CDR, little-endian.
const ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

/// Maximum bytes of a message in ROS 1.
const LONGEST_OF_ONE: usize = 1_000_000_000;

impl Wire {
    pub(super) const fn new(ros: Ros) -> Self {
        Self { ros, bytes: Vec::new(), too_long: false, sequence: None }
    }

    /// Version of ROS.
    pub(super) const fn ros(&self) -> Ros {
        self.ros
    }

    /// Begins a new message in the same memory.
    pub(super) fn begin(&mut self) {
        self.bytes.clear();
        if self.ros == Ros::Two {
            self.bytes.extend_from_slice(&ENCAPSULATION);
        }
        self.too_long = false;
        self.sequence = None;
    }

    /// Returns the message; `None` if a part exceeds its 32-bit count, or the whole the limit of ROS 1.
    pub(super) fn finish(&self) -> Option<&[u8]> {
        let is_too_long = self.too_long || self.ros == Ros::One && self.bytes.len() > LONGEST_OF_ONE;
        (!is_too_long).then_some(self.bytes.as_slice())
    }

    /// Sets the sequence number in the first header; only ROS 1 has one.
    pub(super) fn number(&mut self, sequence: u32) {
        let place = self.sequence.and_then(|at| self.bytes.get_mut(at..)?.first_chunk_mut());
        if let Some(place) = place {
            *place = sequence.to_le_bytes();
        }
    }

    /// `std_msgs/Header`.
    pub(super) fn header(&mut self, stamp: Stamp, frame_id: &str) {
        match self.ros {
            Ros::One => {
                self.sequence.get_or_insert(self.bytes.len());
                self.u32(0);
                let RosTime { secs, nsecs } = stamp.into();
                self.u32(secs);
                self.u32(nsecs);
            }
            Ros::Two => {
                self.align(size_of::<u32>());
                let time = [stamp.sec.to_le_bytes(), stamp.nanosec.to_le_bytes()];
                self.bytes.extend_from_slice(time.as_flattened());
            }
        }
        self.string(frame_id);
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

    pub(super) fn u64(&mut self, value: u64) {
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

    /// Array of fixed length.
    pub(super) fn f64s<const N: usize>(&mut self, values: [f64; N]) {
        self.align(size_of::<f64>());
        self.bytes.extend_from_slice(values.map(f64::to_le_bytes).as_flattened());
    }

    /// Zeros of an array of fixed length.
    pub(super) fn f64_zeros(&mut self, count: usize) {
        self.align(size_of::<f64>());
        self.bytes.resize(self.bytes.len() + count * size_of::<f64>(), 0);
    }

    /// Sequence.
    pub(super) fn f32_sequence(&mut self, values: &[f32]) {
        self.count(values.len());
        self.all(values.iter().map(|value| value.to_le_bytes()));
    }

    /// Sequence of bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        if !self.too_long {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Sequence of `len` zeros that `fill` overwrites.
    pub(super) fn bytes_with(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) {
        self.count(len);
        if self.too_long {
            return;
        }
        let start = self.bytes.len();
        self.bytes.resize(start + len, 0);
        fill(self.bytes.part_mut(start..));
    }

    /// Text.
    pub(super) fn string(&mut self, text: &str) {
        let end: &[u8] = if self.ros == Ros::Two { &[0] } else { &[] };
        self.count(text.len() + end.len());
        if !self.too_long {
            self.bytes.extend_from_slice(text.as_bytes());
            self.bytes.extend_from_slice(end);
        }
    }

    /// Numbers of one size: if the first is aligned, all are.
    fn all<const N: usize>(&mut self, mut numbers: impl Iterator<Item = [u8; N]>) {
        if let Some(first) = numbers.next() {
            self.put(first);
        }
        numbers.for_each(|number| self.bytes.extend_from_slice(&number));
    }

    /// Number of elements that follow.
    pub(super) fn count(&mut self, count: usize) {
        if let Ok(count) = u32::try_from(count) {
            self.u32(count);
        } else {
            self.too_long = true;
        }
    }

    #[inline]
    fn put<const N: usize>(&mut self, value: [u8; N]) {
        self.align(N);
        self.bytes.extend_from_slice(&value);
    }

    /// Fills up to the place of a number of `size` bytes. Most are in their place already.
    #[inline]
    fn align(&mut self, size: usize) {
        if self.ros == Ros::One {
            return;
        }
        let beyond = (self.bytes.len() - ENCAPSULATION.len()) % size;
        if beyond > 0 {
            self.bytes.resize(self.bytes.len() + size - beyond, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_behind_the_leading_bytes() {
        let mut cdr = Wire::new(Ros::Two);
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
        let mut cdr = Wire::new(Ros::Two);
        cdr.begin();
        cdr.bytes_with(1 << 32, |_| {});
        assert_eq!((cdr.finish(), cdr.bytes.len()), (None, 4));
        cdr.begin();
        assert!(cdr.finish().is_some());
    }

    #[test]
    fn ros_1_has_neither_padding_nor_ends_of_text() {
        let mut wire = Wire::new(Ros::One);
        wire.begin();
        wire.u8(7);
        wire.f64(1.0);
        wire.header(Stamp { sec: 1, nanosec: 2, log_time: 1_000_000_002 }, "ab");
        wire.header(Stamp::ZERO, "");
        wire.number(0x0102_0304);
        let want = [
            &[7, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f][..],
            &[4, 3, 2, 1, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, b'a', b'b'],
            &[0; 16],
        ]
        .concat();
        assert_eq!(wire.finish(), Some(&want[..]));
    }
}
