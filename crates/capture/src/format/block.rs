//! Blocks of pcapng: type, length, body, and the length again, in the byte order of their section.

use robolog_core::{
    Error,
    format::Extent,
    slices::{Part as _, missing, past},
};

use super::packet::{Judgement, judge};
use crate::{
    Header,
    layout::{LEAST_BLOCK, block_head, block_len, block_order, has_same_length},
};

/// The block at the start of `input`.
pub(super) fn block(header: &Header, input: &[u8], at: u64, eof: bool) -> Extent {
    if input.len() < LEAST_BLOCK {
        return Extent::Need(missing(LEAST_BLOCK, input));
    }
    let [_, found] = block_head(header.order, input);
    let wrong = |expected: &str| {
        let at = past(at, 4);
        Extent::Torn {
            len: 0,
            error: Error::invalid("length of a block", found, expected, at).within("capture"),
        }
    };
    let Some(len) = block_len(header.order, input) else { return wrong("12 bytes to 1 MiB, in fours") };
    match input.get(..len) {
        Some(block) if has_same_length(header.order, block) => Extent::Whole(len),
        Some(_) => wrong("the same at the end of the block"),
        None if eof => {
            let missing = missing(len, input);
            Extent::Torn { len: 0, error: Error::truncated(missing, at).within("capture") }
        }
        None => Extent::Need(missing(len, input)),
    }
}

/// The start of the block that seems to begin at the start of `input`, which is at offset `at`.
///
/// Small numbers in one byte order look like numbers in the other up to three bytes away. Blocks are at multiples of
/// four bytes; if bytes of the file are missing they are not, and the byte order of the file decides. The error is the
/// number of bytes needed to decide.
pub(super) fn block_near(header: &Header, input: &[u8], at: u64, eof: bool) -> Result<usize, usize> {
    let mut in_order = None;
    for near in 0..4_usize {
        let rest = input.part(near..);
        match judge(header, rest, eof) {
            Judgement::Record if past(at, near).is_multiple_of(4) => return Ok(near),
            Judgement::Record if block_order(header.order, rest) == header.order => {
                in_order = in_order.or(Some(near));
            }
            Judgement::Record | Judgement::Cut | Judgement::Other => {}
            Judgement::Need(need) => return Err(need),
        }
    }
    Ok(in_order.unwrap_or(0))
}
