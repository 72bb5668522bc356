//! Points as byte records, shared by LAS, PCD and PLY.

use robolog_core::slices::Part as _;

/// Records made at a time: they stay in the cache until they are written.
pub(super) const BLOCK: usize = 1024;

/// The time of a cloud, to which the offsets of its points are added.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) secs: f64,
    pub(super) nanos: f64,
}

impl Start {
    #[expect(clippy::cast_precision_loss, reason = "seconds of i64 nanoseconds have 34 bits")]
    pub(super) fn new((secs, nanos): (i64, u32)) -> Self {
        Self { secs: secs as f64, nanos: nanos.into() }
    }

    /// The time of a point in seconds, to the last digit of a double.
    pub(super) fn after(self, offset: u32) -> f64 {
        self.secs + (self.nanos + f64::from(offset)) * 1e-9
    }
}

/// The values from `first` on.
pub(super) fn tail<T>(column: &[T], first: usize) -> &[T] {
    column.part_or_empty(first..)
}

/// A field of a block of records: `width` bytes per record, the field at byte `at`.
pub(super) struct Put<'a> {
    pub(super) block: &'a mut [u8],
    pub(super) width: usize,
    pub(super) at: usize,
}

impl Put<'_> {
    /// Fills the field in each record from `column`, and from `absent` where it ends; advances to the next field.
    pub(super) fn field<T: Copy, const N: usize>(
        &mut self,
        column: &[T],
        absent: T,
        mut bytes: impl FnMut(T) -> [u8; N],
    ) {
        let (at, end, width) = (self.at, self.at + N, self.width);
        let values = column.iter().copied().chain(std::iter::repeat(absent));
        for (record, value) in self.block.chunks_exact_mut(width).zip(values) {
            if let Some(field) = record.get_mut(at..end) {
                field.copy_from_slice(&bytes(value));
            }
        }
        self.at = end;
    }
}
