//! Finding a channel by its name.

/// Number of names seen last.
pub(crate) const RECENT: usize = 256;

/// A number below [`RECENT`] from the ends of a name: of channels, the beginning or the end differs.
#[inline]
pub(crate) fn slot(name: &[u8]) -> usize {
    let [head, tail] = match (name.first_chunk(), name.last_chunk()) {
        (Some(head), Some(tail)) => [head, tail].map(|chunk| u64::from_le_bytes(*chunk)),
        _ => [name.iter().fold(0, |ends, byte| ends << 8 | u64::from(*byte)); 2],
    };
    let ends = head ^ tail.rotate_left(29) ^ name.len() as u64;
    let [.., high] = ends.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    high.into()
}
