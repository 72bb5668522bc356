//! Offset and slice arithmetic without overflow or panics.

mod known;

use std::ops::Range;

pub use self::known::{InRange, OrZero, Part, fitting, known, value_at};

/// How many bytes `input` is short of `len`, as needed by [`Extent::Need`](crate::format::Extent::Need) and
/// [`Error::truncated`](crate::Error::truncated). 0 if it is long enough.
///
/// ```
/// use robolog_core::slices::missing;
/// assert_eq!((missing(4, b"ab"), missing(2, b"abc")), (2, 0));
/// ```
#[inline]
pub const fn missing(len: usize, input: &[u8]) -> usize {
    len.saturating_sub(input.len())
}

/// The offset `len` bytes past `offset`, saturating.
///
/// ```
/// use robolog_core::slices::past;
/// assert_eq!((past(0x40, 4), past(u64::MAX - 1, 4)), (0x44, u64::MAX));
/// ```
#[inline]
pub const fn past(offset: u64, len: usize) -> u64 {
    offset.saturating_add(len as u64)
}

/// The `len` bytes that end at offset `end`: for losses of known length.
///
/// ```
/// use robolog_core::slices::ending_at;
/// assert_eq!(ending_at(0x44, 4), 0x40..0x44);
/// ```
#[inline]
pub const fn ending_at(end: u64, len: u64) -> Range<u64> {
    end.saturating_sub(len)..end
}

/// Length of a byte range of a file.
///
/// ```
/// use robolog_core::slices::length;
/// assert_eq!(length(&(0x40..0x44)), 4);
/// ```
#[inline]
pub const fn length(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// The part of `whole` before `tail`, its end: the bytes read, if `tail` is what is left.
///
/// ```
/// use robolog_core::slices::before;
/// assert_eq!(before(b"name=value", b"=value"), b"name");
/// ```
#[inline]
pub fn before<'a>(whole: &'a [u8], tail: &[u8]) -> &'a [u8] {
    whole.part(..whole.len().saturating_sub(tail.len()))
}

/// The range of `part` in `whole`, of which it is a slice; `None` if it is a slice of something else.
///
/// ```
/// use robolog_core::slices::range_in;
/// let line = b"name=value";
/// assert_eq!(range_in(line, &line[5..]), Some(5..10));
/// assert_eq!(range_in(&line[..4], &line[5..]), None);
/// ```
pub fn range_in(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len()).filter(|end| *end <= whole.len())?;
    Some(start..end)
}

/// The parts before and after the first `byte`.
///
/// ```
/// use robolog_core::slices::split_once;
/// assert_eq!(split_once(b"a:b:c", b':'), Some((&b"a"[..], &b"b:c"[..])));
/// assert_eq!(split_once(b"abc", b':'), None);
/// ```
#[inline]
pub fn split_once(input: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let (head, tail) = input.split_at_checked(memchr::memchr(byte, input)?)?;
    Some((head, tail.split_first()?.1))
}
