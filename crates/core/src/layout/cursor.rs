//! A bounds-checked cursor over bytes of a file.

use crate::{
    Error, Result,
    layout::{Layout, LayoutWith, Packed, checked_count},
    slices::{missing, past},
};

/// Reads bytes from the front, tracking their offset in the file.
///
/// A read past the end is an error with the offset and the structure's name.
///
/// ```
/// use robolog_core::layout::Cursor;
/// // A count of two-byte numbers, then a name after its length.
/// let mut cursor = Cursor::new(&[2, 0, 10, 0, 20, 0, 3, b'c', b'a', b'r'], 0x40, "list");
/// let count = cursor.number::<u16>()?;
/// assert_eq!(cursor.items(count.into(), 2, "numbers")?, [10, 0, 20, 0]);
/// assert_eq!(cursor.counted::<u8>(1, "length of the name")?, b"car");
/// assert_eq!((cursor.offset(), cursor.rest().len()), (0x4a, 0));
/// assert_eq!(
///     cursor.number::<u32>().unwrap_err().to_string(),
///     "list: the input ends 4 bytes too early (at byte 0x4a)",
/// );
/// # Ok::<(), robolog_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
    within: &'static str,
}

impl<'a> Cursor<'a> {
    /// A cursor over `bytes` at `offset`; `within` names the structure in errors.
    #[inline]
    pub const fn new(bytes: &'a [u8], offset: u64, within: &'static str) -> Self {
        Self { rest: bytes, offset, within }
    }

    /// The remaining bytes.
    #[inline]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Offset in the file of the remaining bytes.
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether no bytes remain.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads `len` bytes.
    #[inline]
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else { return Err(self.short_of(len)) };
        self.rest = rest;
        // Data in memory has a valid offset in the file.
        self.offset = past(self.offset, len);
        Ok(taken)
    }

    /// Reads a number, or any other [`Packed`].
    #[inline]
    pub fn number<T: Packed>(&mut self) -> Result<T> {
        let mut bytes = self.bytes(T::LEN)?;
        T::take(&mut bytes).ok_or_else(|| self.short_of(T::LEN))
    }

    /// Reads a structure, through its codec.
    pub fn layout<T: Layout>(&mut self) -> Result<T> {
        let value = T::decode(self.rest, self.offset)?;
        self.bytes(T::LEN).map(|_| value)
    }

    /// Reads a structure whose size depends on `context`, through its codec.
    pub fn layout_with<T: LayoutWith<C>, C: Copy>(&mut self, context: C) -> Result<T> {
        let value = T::decode(self.rest, context, self.offset)?;
        self.bytes(T::len(context)).map(|_| value)
    }

    /// Reads `count` items of `size` bytes; the count is checked against the remaining bytes. `what` names the count in
    /// the error. See also [`counted`](Self::counted).
    pub fn items(&mut self, count: u64, size: usize, what: &'static str) -> Result<&'a [u8]> {
        let len = checked_count(count, size, self.rest.len(), what, self.offset)
            .map_err(|e| e.within(self.within))?;
        self.bytes(len)
    }

    /// Reads a count of type `N` and then that many items of `size` bytes. An error about the count has its offset.
    pub fn counted<N: Packed + Into<u64>>(&mut self, size: usize, what: &'static str) -> Result<&'a [u8]> {
        let at = self.offset;
        let count = self.number::<N>()?;
        let len = checked_count(count.into(), size, self.rest.len(), what, at)
            .map_err(|e| e.within(self.within))?;
        self.bytes(len)
    }

    #[cold]
    fn short_of(&self, len: usize) -> Error {
        Error::truncated(missing(len, self.rest), self.offset).within(self.within)
    }
}
