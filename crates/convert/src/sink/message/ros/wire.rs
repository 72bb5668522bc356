//! ROS's message encodings: numbers one after the other in ROS 1, little-endian Common Data Representation, version 1, in
//! ROS 2.

use super::Ros;
use crate::sink::message::stamp::{RosTime, Stamp};

/// One message on its way. In ROS 2, numbers stand at multiples of their size, counted from behind the four leading bytes,
/// and a zero ends each text.
///
/// Own code: the encoders that are kept up want every message as a structure of serde's, add a second `thiserror`, and
/// the messages here need a dozen functions.
#[derive(Debug)]
pub(super) struct Wire {
    ros: Ros,
    bytes: Vec<u8>,
    too_long: bool,
    /// Where the sequence number of the first header stands.
    sequence: Option<usize>,
}

/// Says: plain CDR, little-endian.
const ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

/// The longest message that ROS 1 passes on.
const LONGEST_OF_ONE: usize = 1_000_000_000;

impl Wire {
    pub(super) const fn new(ros: Ros) -> Self {
        Self { ros, bytes: Vec::new(), too_long: false, sequence: None }
    }

    /// Whose messages these are.
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

    /// The message; `None` when something in it is longer than its 32-bit count can say, or all of it than ROS 1 takes.
    pub(super) fn finish(&self) -> Option<&[u8]> {
        let is_too_long = self.too_long || self.ros == Ros::One && self.bytes.len() > LONGEST_OF_ONE;
        (!is_too_long).then_some(self.bytes.as_slice())
    }

    /// Writes the number of the message into its first header, which in ROS 1 has a place for it.
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
                self.i32(stamp.sec);
                self.u32(stamp.nanosec);
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

    /// An array of fixed length.
    pub(super) fn f64s(&mut self, values: impl IntoIterator<Item = f64>) {
        self.all(values.into_iter().map(f64::to_le_bytes));
    }

    /// A sequence.
    pub(super) fn f32_sequence(&mut self, values: &[f32]) {
        self.count(values.len());
        self.all(values.iter().map(|value| value.to_le_bytes()));
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

    /// Text.
    pub(super) fn string(&mut self, text: &str) {
        let end: &[u8] = if self.ros == Ros::Two { &[0] } else { &[] };
        self.count(text.len() + end.len());
        if !self.too_long {
            self.bytes.extend_from_slice(text.as_bytes());
            self.bytes.extend_from_slice(end);
        }
    }

    /// Numbers of one size: where the first stands right, all do.
    fn all<const N: usize>(&mut self, mut numbers: impl Iterator<Item = [u8; N]>) {
        if let Some(first) = numbers.next() {
            self.put(first);
        }
        numbers.for_each(|number| self.bytes.extend_from_slice(&number));
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
        if self.ros == Ros::Two {
            let len = (self.bytes.len() - ENCAPSULATION.len()).next_multiple_of(N);
            self.bytes.resize(len + ENCAPSULATION.len(), 0);
        }
        self.bytes.extend_from_slice(&value);
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
