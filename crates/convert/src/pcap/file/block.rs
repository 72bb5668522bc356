//! Blocks of pcapng: type, length, body, the length again, in the byte order of their section.

use robolog_core::{
    Error, Extent,
    slices::{missing, past},
};

use super::{Header, LARGEST};

/// The least block: type, length and the length again.
pub(super) const LEAST_BLOCK: usize = 12;

/// The block at the start of `input`.
pub(super) fn block(header: Header, input: &[u8], at: u64, eof: bool) -> Extent {
    if input.len() < LEAST_BLOCK {
        return Extent::Need(missing(LEAST_BLOCK, input));
    }
    let [_, found] = block_head(header, input);
    let wrong = |expected: &str| {
        let at = past(at, 4);
        Extent::Torn {
            len: 0,
            error: Error::invalid("length of a block", found, expected, at).within("capture"),
        }
    };
    let Some(len) = block_len(header, input) else { return wrong("12 bytes to 1 MiB, in fours") };
    match input.get(..len) {
        Some(block) if has_same_length(header, block) => Extent::Whole(len),
        Some(_) => wrong("the same at the end of the block"),
        None if eof => {
            let missing = missing(len, input);
            Extent::Torn { len: 0, error: Error::truncated(missing, at).within("capture") }
        }
        None => Extent::Need(missing(len, input)),
    }
}

/// The byte order of a block: a section says it. Others have that of the file, unless their length can only be read
/// otherwise: a capture may go on with a section of another computer.
pub(super) fn block_order(header: Header, input: &[u8]) -> bool {
    let can_be = |len: u32| usize::try_from(len).is_ok_and(|len| (LEAST_BLOCK..=LARGEST).contains(&len));
    match input.first_chunk::<LEAST_BLOCK>() {
        Some([0x0a, 0x0d, 0x0d, 0x0a, _, _, _, _, order @ ..]) => {
            is_big_endian(order).unwrap_or(header.big_endian)
        }
        Some([_, _, _, _, l0, l1, l2, l3, ..]) => {
            let len = [*l0, *l1, *l2, *l3];
            match (can_be(u32::from_be_bytes(len)), can_be(u32::from_le_bytes(len))) {
                (true, false) => true,
                (false, true) => false,
                _ => header.big_endian,
            }
        }
        None => header.big_endian,
    }
}

pub(super) fn is_big_endian(order: &[u8]) -> Option<bool> {
    match order {
        [0x1a, 0x2b, 0x3c, 0x4d] => Some(true),
        [0x4d, 0x3c, 0x2b, 0x1a] => Some(false),
        _ => None,
    }
}

/// Type and length of the block at the start of `input`.
pub(super) fn block_head(header: Header, input: &[u8]) -> [u32; 2] {
    let Some([k0, k1, k2, k3, l0, l1, l2, l3]) = input.first_chunk() else { return [0; 2] };
    let order = Header { big_endian: block_order(header, input), ..header };
    [order.number([*k0, *k1, *k2, *k3]), order.number([*l0, *l1, *l2, *l3])]
}

/// The length of the block at the start of `input`, when one can be as long.
pub(super) fn block_len(header: Header, input: &[u8]) -> Option<usize> {
    let [_, len] = block_head(header, input.get(..LEAST_BLOCK)?.first_chunk::<LEAST_BLOCK>()?);
    usize::try_from(len).ok().filter(|len| (LEAST_BLOCK..=LARGEST).contains(len) && len.is_multiple_of(4))
}

/// Whether a block ends with its length.
pub(super) fn has_same_length(header: Header, block: &[u8]) -> bool {
    let [_, len] = block_head(header, block);
    let order = Header { big_endian: block_order(header, block), ..header };
    block.last_chunk().is_some_and(|last| order.number(*last) == len)
}
