//! Compacts the kept lanes of a block.

use crate::{geometry::Row, packet::RETURNS};

/// The positions of the bits set in a byte, and their number.
static PLACES: [([u8; 8], u8); 256] = places();

#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "worked out when compiled")]
#[expect(clippy::cast_possible_truncation, reason = "below 256")]
const fn places() -> [([u8; 8], u8); 256] {
    let mut table = [([0; 8], 0); 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte].0[n] = bit;
                n += 1;
            }
            bit += 1;
        }
        table[byte].1 = n as u8;
        byte += 1;
    }
    table
}

/// The numbers of the kept lanes.
#[derive(Debug)]
pub(crate) struct Kept {
    lanes: [u8; RETURNS + 8],
    len: usize,
}

impl Kept {
    /// From a 1 or 0 for each lane.
    #[inline]
    pub(crate) fn new(keep: &Row<u8>) -> Self {
        let mut kept = Self { lanes: [0; RETURNS + 8], len: 0 };
        for (eight, first) in keep.as_chunks::<8>().0.iter().zip([0, 8, 16, 24_u8]) {
            // Gathers the lowest bit of each byte in the highest byte.
            let [.., mask] = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080).to_le_bytes();
            let Some((places, count)) = PLACES.get(usize::from(mask)) else { continue };
            let Some(room) = kept.lanes.get_mut(kept.len..).and_then(<[u8]>::first_chunk_mut) else {
                continue;
            };
            *room = places.map(|place| place.wrapping_add(first));
            kept.len = kept.len.wrapping_add(usize::from(*count));
        }
        kept
    }

    /// The numbers.
    #[inline]
    pub(crate) fn lanes(&self) -> &[u8] {
        self.lanes.get(..self.len).unwrap_or(&self.lanes)
    }

    /// Appends the values of the kept lanes.
    #[inline]
    pub(crate) fn append<T: Copy>(&self, row: &Row<T>, column: &mut Vec<T>) {
        column.extend(self.lanes().iter().map(|lane| pick(row, *lane)));
    }
}

/// The value of a lane.
#[inline]
pub(crate) fn pick<T: Copy>(row: &Row<T>, lane: u8) -> T {
    let [first, ..] = row;
    *row.get(usize::from(lane & 31)).unwrap_or(first)
}
