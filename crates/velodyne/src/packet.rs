//! A data packet, as a view of its 1206 bytes.

use robolog_core::{
    Error, Result,
    layout::{Layout as _, Packed as _, chunks},
    slices::missing,
};

pub use crate::layout::Return;
use crate::{
    Generation, Trailer,
    layout::{BlockHeader, ClockTrailer},
};

/// Length of a data packet in bytes.
pub const PACKET_LEN: usize = BLOCKS * BLOCK_LEN + TRAILER_LEN;
/// Blocks per data packet.
pub const BLOCKS: usize = 12;
/// Returns per block.
pub const RETURNS: usize = 32;
/// Steps of the head per turn: hundredths of a degree.
pub const ROTATION_STEPS: u16 = 36_000;

/// Length of a block in bytes.
const BLOCK_LEN: usize = BlockHeader::LEN + RETURNS * Return::LEN;
/// Bytes after the blocks, for any generation.
pub(crate) const TRAILER_LEN: usize = ClockTrailer::LEN;

/// A data packet: twelve blocks of 32 returns, followed by six bytes whose meaning depends on the sensor.
///
/// ```
/// use velodyne_packet::{Bank, Packet};
/// let mut bytes = [0; velodyne_packet::PACKET_LEN];
/// bytes[..7].copy_from_slice(&[0xff, 0xee, 0x10, 0x27, 0xe8, 0x03, 77]);
/// let packet = Packet::new(&bytes);
/// let block = packet.blocks().next().unwrap();
/// assert_eq!((block.bank(), block.rotation()), (Some(Bank::Upper), 10_000));
/// let first = block.returns().next().unwrap();
/// assert_eq!((first.distance, first.intensity), (1000, 77));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<'a> {
    bytes: &'a [u8; PACKET_LEN],
}

impl<'a> Packet<'a> {
    /// A view of these bytes. Any bytes are accepted; they are decoded on access.
    #[inline]
    pub fn new(bytes: &'a [u8; PACKET_LEN]) -> Self {
        Self { bytes }
    }

    /// A view of the first 1206 bytes of `input`, at offset `at` of a file; an error if there are fewer.
    pub fn parse(input: &'a [u8], at: u64) -> Result<Self> {
        let missing = missing(PACKET_LEN, input);
        let bytes = input.first_chunk().ok_or_else(|| Error::truncated(missing, at).within("packet"))?;
        Ok(Self { bytes })
    }

    /// The packet's bytes.
    pub fn bytes(&self) -> &'a [u8; PACKET_LEN] {
        self.bytes
    }

    /// The twelve blocks in packet order.
    #[inline]
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'a>> + DoubleEndedIterator + Clone + use<'a> {
        chunks::<BLOCK_LEN>(self.bytes).iter().map(|bytes| Block { bytes })
    }

    /// The last six bytes, raw.
    #[inline]
    pub fn trailer_bytes(&self) -> [u8; TRAILER_LEN] {
        *self.bytes.last_chunk().unwrap_or(&[0; TRAILER_LEN])
    }

    /// The last six bytes, interpreted for a generation.
    #[inline]
    pub fn trailer(&self, generation: Generation) -> Trailer {
        Trailer::read(self.trailer_bytes(), generation)
    }

    /// Number of returns with a distance.
    pub fn return_count(&self) -> usize {
        self.blocks().map(|block| block.return_count()).sum()
    }
}

/// The complete packets at the start of `input`, without a remainder.
///
/// ```
/// assert_eq!(velodyne_packet::packets(&[0; 3000]).count(), 2);
/// ```
pub fn packets(input: &[u8]) -> impl ExactSizeIterator<Item = Packet<'_>> + DoubleEndedIterator + Clone {
    chunks::<PACKET_LEN>(input).iter().map(Packet::new)
}

/// Pairs of bytes, starting one before the returns: six times sixteen.
const PAIRS: usize = RETURNS * Return::LEN;

/// 1 if a pair is a distance.
const DISTANCES: [u8; PAIRS] = {
    let mut takes = [0; PAIRS];
    let (mut rest, mut at) = (&mut takes as &mut [u8], 0);
    while let Some((first, behind)) = rest.split_first_mut() {
        *first = (at % Return::LEN == 1) as u8;
        (rest, at) = (behind, at + 1);
    }
    takes
};

/// A block: the returns of up to 32 lasers, and the rotation of the head when the first of them fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    bytes: &'a [u8; BLOCK_LEN],
}

impl<'a> Block<'a> {
    /// The two bytes that identify the lasers, as a little-endian number.
    #[inline]
    pub fn bank_id(&self) -> u16 {
        self.header().bank_id
    }

    /// The lasers; `None` for bytes that no sensor writes.
    #[inline]
    pub fn bank(&self) -> Option<Bank> {
        Bank::from_id(self.bank_id())
    }

    /// Rotation of the head, in hundredths of a degree clockwise as seen from above; 0 to 35 999 from a working sensor.
    #[inline]
    pub fn rotation(&self) -> u16 {
        self.header().rotation
    }

    /// The 32 returns.
    pub fn returns(&self) -> impl ExactSizeIterator<Item = Return> + DoubleEndedIterator + Clone + use<'a> {
        let (_, returns) =
            self.bytes.split_first_chunk::<{ BlockHeader::LEN }>().unwrap_or((&[0; BlockHeader::LEN], &[]));
        chunks(returns).iter().map(Return::from_bytes)
    }

    /// Number of the 32 returns with a distance.
    #[inline]
    pub fn return_count(&self) -> usize {
        let from = |at: usize| self.bytes.get(at..).and_then(<[u8]>::first_chunk::<PAIRS>);
        let (Some(low), Some(high)) = (from(BlockHeader::LEN - 1), from(BlockHeader::LEN)) else { return 0 };
        // Each byte with the next one; every third pair is a distance. This handles many pairs at a time, three times
        // faster than one return after another.
        let pairs = low.iter().zip(high).zip(&DISTANCES);
        let count =
            pairs.fold(0_u8, |n, ((low, high), takes)| n.wrapping_add(u8::from(low | high != 0) & takes));
        count.into()
    }

    /// Number of its returns that the other block has at the same distance.
    pub(crate) fn same_count(self, other: Self) -> usize {
        let pairs = self.returns().zip(other.returns());
        pairs.filter(|(a, b)| a.distance == b.distance && a.distance != 0).count()
    }

    #[inline]
    fn header(self) -> BlockHeader {
        // A block is longer than its header.
        BlockHeader::peek(self.bytes).unwrap_or(BlockHeader::ZERO)
    }
}

/// The 32 lasers of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bank {
    /// Bytes FF EE: lasers 0 to 31, the upper block of the HDL-64E, and all blocks of smaller sensors.
    Upper,
    /// Bytes FF DD: lasers 32 to 63, the lower block of the HDL-64E.
    Lower,
    /// Bytes FF CC: lasers 64 to 95 of the VLS-128.
    Third,
    /// Bytes FF BB: lasers 96 to 127 of the VLS-128.
    Fourth,
}

impl Bank {
    /// From the little-endian number at the start of a block.
    #[inline]
    pub const fn from_id(id: u16) -> Option<Self> {
        match id {
            0xEEFF => Some(Self::Upper),
            0xDDFF => Some(Self::Lower),
            0xCCFF => Some(Self::Third),
            0xBBFF => Some(Self::Fourth),
            _ => None,
        }
    }

    /// Number of its first laser.
    pub const fn first_laser(self) -> usize {
        match self {
            Self::Upper => 0,
            Self::Lower => 32,
            Self::Third => 64,
            Self::Fourth => 96,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Either byte of a distance makes it count; its intensity and the bytes around the returns do not.
    #[test]
    fn each_byte_of_each_distance_counts() {
        for at in 0..BLOCK_LEN {
            for byte in [1, 0x80, 0xff] {
                let mut bytes = [0; PACKET_LEN];
                bytes[5 * BLOCK_LEN + at] = byte;
                let is_distance = at >= 4 && (at - 4) % 3 < 2;
                assert_eq!(Packet::new(&bytes).return_count(), usize::from(is_distance), "byte {at}");
            }
        }
        assert_eq!(Packet::new(&[0xff; PACKET_LEN]).return_count(), 384);
    }
}
