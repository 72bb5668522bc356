//! Declared binary layouts on slices, and checks of counts read from files.
//!
//! [`layout!`](crate::layout!) declares a little-endian structure once. The list of fields gives the struct, its codec,
//! a fast reader, a writer, its length and the offset of each field:
//!
//! ```
//! use robolog_core::layout::{Layout as _, field};
//!
//! robolog_core::layout! {
//!     /// The start of each block.
//!     #[derive(Eq)]
//!     pub struct BlockHeader("block header") {
//!         /// Milliseconds since power-on.
//!         pub time: u32,
//!         /// Number of points that follow.
//!         pub points: u16,
//!     }
//! }
//!
//! let mut bytes = Vec::new();
//! let header = BlockHeader { time: 40, points: 3 };
//! header.encode(&mut bytes)?;
//! assert_eq!(bytes, [40, 0, 0, 0, 3, 0]);
//! assert_eq!(BlockHeader::decode(&bytes, 0)?, header); // the codec: errors name the structure and the offset
//! assert_eq!(BlockHeader::peek(&bytes), Some(header)); // the fast reader, for structures read by the million
//! assert_eq!((BlockHeader::LEN, field!(BlockHeader, points).offset), (6, 4));
//! let error = BlockHeader::decode(&bytes[..4], 0x100).unwrap_err();
//! assert_eq!(error.to_string(), "block header: the input ends 2 bytes too early (at byte 0x100)");
//! # use robolog_core::layout::Packed as _;
//! # Ok::<(), robolog_core::Error>(())
//! ```
//!
//! [`Cursor`] reads consecutive structures, numbers and counted lists.

mod cursor;
mod declare;
mod packed;

pub use self::{
    cursor::Cursor,
    declare::{FieldInfo, Layout, LayoutWith, find},
    packed::{Mirrored, Packed, PackedWith},
};
/// The offset and length of a layout's field, by name. A constant, checked at compile time.
///
/// See the [module](self).
pub use crate::__layout_field as field;
use crate::{Error, Result, slices::missing};

#[doc(hidden)]
pub use self::declare::private;

/// The byte length of `count` items of `size` bytes, if it does not exceed `remaining`.
///
/// Every count read from a file is checked here before anything is allocated or skipped for it.
///
/// ```
/// use robolog_core::layout::checked_count;
/// assert_eq!(checked_count(3, 14, 100, "points", 0).unwrap(), 42);
/// assert!(checked_count(u64::MAX, 14, 100, "points", 0).is_err());
/// ```
pub fn checked_count(
    count: u64,
    size: usize,
    remaining: usize,
    what: &'static str,
    at: u64,
) -> Result<usize> {
    let fits = usize::try_from(count).ok().and_then(|n| n.checked_mul(size)).filter(|len| *len <= remaining);
    fits.ok_or_else(|| {
        let room = remaining.checked_div(size).unwrap_or(usize::MAX);
        Error::invalid(what, count, format_args!("at most {room}, by the bytes present"), at)
    })
}

/// The first `len` bytes of `input` and the rest; an error if there are fewer.
pub fn split<'a>(input: &'a [u8], len: usize, at: u64, what: &'static str) -> Result<(&'a [u8], &'a [u8])> {
    input.split_at_checked(len).ok_or_else(|| Error::truncated(missing(len, input), at).within(what))
}

/// `input` as whole chunks of `N` bytes, without a remainder.
pub fn chunks<const N: usize>(input: &[u8]) -> &[[u8; N]] {
    input.as_chunks().0
}

/// The little-endian number at the start of `input`, if it is complete.
///
/// ```
/// use robolog_core::layout::first;
/// assert_eq!(first::<u16>(&[1, 2, 3]), Some(0x0201));
/// assert_eq!(first::<u32>(&[1, 2, 3]), None);
/// ```
#[inline]
pub fn first<T: Packed>(mut input: &[u8]) -> Option<T> {
    T::take(&mut input)
}

/// The text of a fixed-size field: up to the first NUL, without trailing spaces.
pub fn c_str(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|b| *b == 0).unwrap_or(field.len());
    field.get(..end).unwrap_or(field).trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_overflow_or_exceed_the_bytes_are_refused() {
        assert_eq!(checked_count(2, 4, 8, "n", 0).unwrap(), 8);
        for count in [3, u64::from(u32::MAX), 1 << 62, u64::MAX] {
            assert!(checked_count(count, 4, 8, "n", 0).is_err(), "{count}");
        }
        assert_eq!(checked_count(5, 0, 0, "n", 0).unwrap(), 0);
    }

    #[test]
    fn fixed_fields_end_at_nul_or_at_their_size() {
        assert_eq!(c_str(b"abc\0\0xyz"), b"abc");
        assert_eq!(c_str(b"abcdefgh"), b"abcdefgh");
        assert_eq!(c_str(b"ab  "), b"ab");
    }
}
