//! The records of a packet: views over its bytes.

use std::{iter::FusedIterator, marker::PhantomData};

use robolog_core::{
    Error, Result,
    layout::{LayoutWith as _, Packed as _, first},
    slices::{InRange as _, OrZero as _, Part as _, known, missing, past},
};

use crate::layout::{Layout, Position, Width};

/// Records of a packet, all of one size. A view: records are read on access.
///
/// ```
/// # let file = carla_rec::doc::recording();
/// use carla_rec::{Payload, Reader};
/// for packet in Reader::new(&file)?.records() {
///     if let Payload::Position(rows) = packet?.decode()? {
///         assert_eq!((rows.len(), rows.ids().next()), (1, Some(25)));
///         assert_eq!(rows.get(0).expect("there is one").location.x, 1250.0); // centimetres
///     }
/// }
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rows<'a, T> {
    bytes: &'a [u8],
    width: Width,
    offset: u64,
    layout: PhantomData<T>,
}

impl<'a, T: Layout> Rows<'a, T> {
    /// Records of `bytes` at `offset` of the file; a remainder is ignored.
    pub(crate) fn new(bytes: &'a [u8], width: Width, offset: u64) -> Self {
        Self { bytes, width, offset, layout: PhantomData }
    }

    /// Reads the body of a packet at `offset`: a count, then that many records. Vectors have the width `forced`, or the
    /// one with which the records fill the body.
    pub(crate) fn parse(body: &'a [u8], forced: Option<Width>, offset: u64) -> Result<Self> {
        let Some(count) = first::<u16>(body) else {
            return Err(Error::truncated(missing(u16::LEN, body), offset).within(T::NAME));
        };
        let bytes = body.part(u16::LEN..);
        let widths = [Width::F32, Width::F64];
        let fitting = widths
            .into_iter()
            .find(|w| forced.is_none_or(|forced| forced == *w) && fits(count, bytes.len(), T::len(*w)));
        fitting.map(|width| Self::new(bytes, width, past(offset, u16::LEN))).ok_or_else(|| {
            let wanted = usize::from(count).times(T::len(forced.unwrap_or(Width::F32)));
            let wanted = format!("{} for its {count} records", wanted.plus(2));
            Error::invalid("packet size", body.len(), wanted, offset).within(T::NAME)
        })
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.bytes.len().div_or_zero(T::len(self.width))
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Width of vectors; meaningless if a record has none.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Offset of the first record in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The records as bytes of the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The record with this index.
    pub fn get(&self, index: usize) -> Option<T> {
        let len = T::len(self.width);
        let start = index.checked_mul(len)?;
        self.bytes.get(start..start.checked_add(len)?).map(|chunk| read(chunk, self.width))
    }

    /// Ids that the records are about, with the bytes of each. Only for structures that begin with such an id.
    pub(crate) fn by_actor(&self) -> impl ExactSizeIterator<Item = (u32, &'a [u8])> + Clone + use<'a, T> {
        debug_assert!(matches!(T::FIELDS, ["id" | "child", ..]), "{} begins with another field", T::NAME);
        self.chunks().map(|row| (known(first(row)), row))
    }

    /// Bytes of each record.
    pub(crate) fn chunks(&self) -> std::slice::ChunksExact<'a, u8> {
        self.bytes.chunks_exact(T::len(self.width))
    }

    /// The records, in file order.
    pub fn iter(&self) -> RowIter<'a, T> {
        RowIter { chunks: self.chunks(), width: self.width, layout: PhantomData }
    }
}

/// Whether `count` records of `size` bytes fill `len` bytes. With more than 65535 records, writers wrap the count.
pub(crate) fn fits(count: u16, len: usize, size: usize) -> bool {
    let count = usize::from(count);
    if count.times(size) == len {
        return true;
    }
    let records = len.div_or_zero(size);
    records > 0xffff && records % 0x1_0000 == count && len.checked_rem(size) == Some(0)
}

/// Reads a structure from bytes of its own length, which cannot fail.
#[inline]
pub(crate) fn read<T: Layout>(bytes: &[u8], width: Width) -> T {
    known(T::peek(bytes, width))
}

impl<'a> Rows<'a, Position> {
    /// Ids of the actors: the column alone.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        self.by_actor().map(|(id, _)| id)
    }

    /// The position of this actor, if the packet holds it.
    pub fn of(&self, id: u32) -> Option<Position> {
        self.ids().position(|other| other == id).and_then(|i| self.get(i))
    }

    /// Appends all records to columns.
    pub fn append_to(&self, columns: &mut PositionColumns) {
        columns.reserve(self.len());
        // A constant width in each branch makes the offsets of the fields constants too.
        match self.width {
            Width::F32 => columns.extend(self.bytes, |row| read(row, Width::F32), Position::len(Width::F32)),
            Width::F64 => columns.extend(self.bytes, |row| read(row, Width::F64), Position::len(Width::F64)),
        }
    }
}

/// Positions as columns of equal length, in the file's units: centimetres and degrees.
///
/// ```
/// # let file = carla_rec::doc::recording();
/// use carla_rec::{Payload, PositionColumns, Reader};
/// let mut columns = PositionColumns::default();
/// for packet in Reader::new(&file)?.records() {
///     if let Payload::Position(rows) = packet?.decode()? {
///         rows.append_to(&mut columns);
///     }
/// }
/// assert_eq!((columns.len(), columns.x[0]), (1, 1250.0));
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "their own names")]
pub struct PositionColumns {
    pub id: Vec<u32>,
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub z: Vec<f64>,
    pub roll: Vec<f64>,
    pub pitch: Vec<f64>,
    pub yaw: Vec<f64>,
}

impl PositionColumns {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.id.clear();
        self.numbers().into_iter().for_each(Vec::clear);
    }

    fn reserve(&mut self, more: usize) {
        self.id.reserve(more);
        self.numbers().into_iter().for_each(|column| column.reserve(more));
    }

    fn numbers(&mut self) -> [&mut Vec<f64>; 6] {
        [&mut self.x, &mut self.y, &mut self.z, &mut self.roll, &mut self.pitch, &mut self.yaw]
    }

    #[inline]
    fn extend(&mut self, rows: &[u8], read: impl Fn(&[u8]) -> Position + Copy, len: usize) {
        let rows = rows.chunks_exact(len).map(read);
        self.id.extend(rows.clone().map(|row| row.id));
        self.x.extend(rows.clone().map(|row| row.location.x));
        self.y.extend(rows.clone().map(|row| row.location.y));
        self.z.extend(rows.clone().map(|row| row.location.z));
        self.roll.extend(rows.clone().map(|row| row.rotation.roll));
        self.pitch.extend(rows.clone().map(|row| row.rotation.pitch));
        self.yaw.extend(rows.map(|row| row.rotation.yaw));
    }
}

/// The records of [`Rows`].
#[derive(Debug, Clone)]
pub struct RowIter<'a, T> {
    chunks: std::slice::ChunksExact<'a, u8>,
    width: Width,
    layout: PhantomData<T>,
}

impl<T: Layout> Iterator for RowIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.chunks.next().map(|chunk| read(chunk, self.width))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

impl<T: Layout> ExactSizeIterator for RowIter<'_, T> {}
impl<T: Layout> FusedIterator for RowIter<'_, T> {}

impl<'a, T: Layout> IntoIterator for Rows<'a, T> {
    type Item = T;
    type IntoIter = RowIter<'a, T>;

    fn into_iter(self) -> RowIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Layout> IntoIterator for &Rows<'a, T> {
    type Item = T;
    type IntoIter = RowIter<'a, T>;

    fn into_iter(self) -> RowIter<'a, T> {
        self.iter()
    }
}

impl<T: Layout> std::fmt::Debug for Rows<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl<T: Layout + serde::Serialize> serde::Serialize for Rows<'_, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
