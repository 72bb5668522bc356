//! The records of a packet: views over its bytes.

use std::{iter::FusedIterator, marker::PhantomData};

use robolog_core::{
    Error, Result,
    layout::{chunks, u16_at},
};

use crate::layout::{Layout, Position, Width};

/// The records of a packet, all of one size. A view: nothing is read until it is asked for.
#[derive(Clone, Copy)]
pub struct Rows<'a, T> {
    bytes: &'a [u8],
    width: Width,
    offset: u64,
    layout: PhantomData<T>,
}

impl<'a, T: Layout> Rows<'a, T> {
    /// `bytes` at `offset` of the file as records; a remainder is left out.
    pub(crate) fn new(bytes: &'a [u8], width: Width, offset: u64) -> Self {
        Self { bytes, width, offset, layout: PhantomData }
    }

    /// Reads the body of a packet, which lies at `offset`: a count, and so many records. The width of vectors is
    /// the one `forced`, or else that with which the records fill the body.
    pub(crate) fn parse(body: &'a [u8], forced: Option<Width>, offset: u64) -> Result<Self> {
        let Some(count) = u16_at(body, 0) else {
            return Err(Error::truncated(2_usize.saturating_sub(body.len()), offset).within(T::NAME));
        };
        let bytes = body.get(2..).unwrap_or_default();
        let widths = [Width::F32, Width::F64];
        let fitting = widths
            .into_iter()
            .find(|w| forced.is_none_or(|forced| forced == *w) && fits(count, bytes.len(), T::len(*w)));
        fitting.map(|width| Self::new(bytes, width, offset.saturating_add(2))).ok_or_else(|| {
            let wanted = usize::from(count).saturating_mul(T::len(forced.unwrap_or(Width::F32)));
            let wanted = format!("{} for its {count} records", wanted.saturating_add(2));
            Error::invalid("packet size", body.len(), wanted, offset).within(T::NAME)
        })
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(T::len(self.width)).unwrap_or_default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of vectors; says nothing where a record has none.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Offset in the file of the first record.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The records as they lie in the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The record with this index.
    pub fn get(&self, index: usize) -> Option<T> {
        let len = T::len(self.width);
        let start = index.checked_mul(len)?;
        self.bytes.get(start..start.checked_add(len)?).map(|chunk| read(chunk, self.width))
    }

    /// The records, in file order.
    pub fn iter(&self) -> RowIter<'a, T> {
        RowIter {
            chunks: self.bytes.chunks_exact(T::len(self.width)),
            width: self.width,
            layout: PhantomData,
        }
    }
}

/// Whether `count` records of `size` bytes fill `len` bytes. A writer with more than 65535 of them wraps the count.
pub(crate) fn fits(count: u16, len: usize, size: usize) -> bool {
    let count = usize::from(count);
    if count.saturating_mul(size) == len {
        return true;
    }
    let records = len.checked_div(size).unwrap_or_default();
    records > 0xffff && records % 0x1_0000 == count && len.checked_rem(size) == Some(0)
}

/// Reads a structure from as many bytes as it is long, which cannot fail.
#[inline]
pub(crate) fn read<T: Layout>(bytes: &[u8], width: Width) -> T {
    T::take(bytes, width).unwrap_or_default()
}

impl<'a> Rows<'a, Position> {
    /// The actors' ids: the column alone.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        let id = |row: &[u8]| row.first_chunk().map_or(0, |id| u32::from_le_bytes(*id));
        self.bytes.chunks_exact(Position::len(self.width)).map(id)
    }

    /// Where the actor is, when the packet has it.
    pub fn of(&self, id: u32) -> Option<Position> {
        self.ids().position(|other| other == id).and_then(|i| self.get(i))
    }

    /// Appends all records to columns.
    pub fn append_to(&self, columns: &mut PositionColumns) {
        columns.reserve(self.len());
        match self.width {
            Width::F32 => columns.extend(chunks::<28>(self.bytes), |row, i| {
                let at = i.saturating_mul(4).saturating_add(4);
                row.get(at..).and_then(<[u8]>::first_chunk).map_or(0.0, |v| f32::from_le_bytes(*v).into())
            }),
            Width::F64 => columns.extend(chunks::<52>(self.bytes), |row, i| {
                let at = i.saturating_mul(8).saturating_add(4);
                row.get(at..).and_then(<[u8]>::first_chunk).map_or(0.0, |v| f64::from_le_bytes(*v))
            }),
        }
    }
}

/// Positions as columns of equal length, in the file's units: centimetres and degrees.
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
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
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

    fn extend<const N: usize>(&mut self, rows: &[[u8; N]], number: impl Fn(&[u8; N], usize) -> f64 + Copy) {
        self.id.extend(rows.iter().map(|row| row.first_chunk().map_or(0, |id| u32::from_le_bytes(*id))));
        for (i, column) in self.numbers().into_iter().enumerate() {
            column.extend(rows.iter().map(|row| number(row, i)));
        }
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
