//! What a message's size counts: the specification leaves it open, so it is inferred from the bytes.

use robolog_core::{
    layout::{Packed as _, field, first},
    slices::Part as _,
};

use crate::{
    Registry, TypeId,
    framing::{Fit, Framing, Head, body_len, fit},
    layout::{END_MARK, MARK, MESSAGE_HEADER_LEN, MessageHeader, PACKET_LEN, VelodyneHeader},
};

/// Which bytes of a message its size counts.
///
/// ```
/// use koblenz_log::SizeCounts;
/// let reader = koblenz_log::open("examples/drive.log")?;
/// assert_eq!(reader.header().sizes(), SizeCounts::After);
/// assert_eq!(SizeCounts::After.payload_len(57), Some(40));
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum SizeCounts {
    /// Those after the size: 17 of the header, and the payload.
    #[default]
    After,
    /// All: 21 of the header, and the payload.
    Whole,
    /// Only the payload.
    Payload,
}

impl SizeCounts {
    /// All alternatives, most likely first.
    pub const ALL: [Self; 3] = [Self::After, Self::Whole, Self::Payload];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::Whole => "whole",
            Self::Payload => "payload",
        }
    }

    /// Number of header bytes counted.
    const fn counted(self) -> usize {
        match self {
            Self::After => MESSAGE_HEADER_LEN.saturating_sub(field!(MessageHeader, size).len),
            Self::Whole => MESSAGE_HEADER_LEN,
            Self::Payload => 0,
        }
    }

    /// Length of the payload of a message of this size; `None` if the size is too small.
    pub fn payload_len(self, size: u32) -> Option<usize> {
        usize::try_from(size).ok()?.checked_sub(self.counted())
    }

    /// Length of the whole message.
    #[inline]
    pub(crate) fn message_len(self, size: u32) -> Option<usize> {
        self.payload_len(size)?.checked_add(MESSAGE_HEADER_LEN)
    }

    /// The size of a message with a payload of `len` bytes; `None` if it exceeds 32 bits.
    pub(crate) fn size(self, len: usize) -> Option<u32> {
        u32::try_from(len.checked_add(self.counted())?).ok().filter(|size| *size != END_MARK)
    }
}

robolog_core::names!(SizeCounts, "reading of sizes");

/// Number of messages used to decide.
const MESSAGES: u32 = 64;

/// Finds where the messages begin in `input`, which follows the file header, and what their sizes count.
///
/// They are expected after an index of `index_len` bytes, but may also begin inside a claimed index, which then has
/// only the entries before them.
pub(crate) fn decide(input: &[u8], index_len: Option<usize>, registry: &Registry) -> (usize, SizeCounts) {
    let messages = index_len.and_then(|len| Some((len, input.get(len..)?)));
    if let Some((len, messages)) = messages {
        let scored = SizeCounts::ALL.map(|sizes| (score(messages, Framing { sizes, registry }), sizes));
        let [first, rest @ ..] = scored;
        let best = rest.into_iter().fold(first, |best, other| if other.0 > best.0 { other } else { best });
        if best.0 > 0 || messages.is_empty() {
            return (len, best.1);
        }
    }
    let found = |sizes| Framing { sizes, registry }.find(input, 0, input.len(), true).ok().flatten();
    let first = SizeCounts::ALL.into_iter().filter_map(|sizes| Some((found(sizes)?, sizes)));
    let claimed = messages.map(|(len, _)| len);
    match (first.min_by_key(|(at, _)| *at), claimed) {
        (Some((at, sizes)), Some(len)) if at >= len => (len, sizes),
        (Some((at, sizes)), _) => (if at.is_multiple_of(8) { at } else { 0 }, sizes),
        (None, claimed) => (claimed.unwrap_or(0), SizeCounts::default()),
    }
}

/// Whether a payload of `len` bytes is a Velodyne's, with a count and complete packets: this holds for at most one
/// meaning of sizes, whatever the count.
fn has_whole_packets(head: &Head, len: usize) -> bool {
    head.type_id == TypeId::VELODYNE
        && head.type_id.version() == Some(head.version)
        && len.checked_sub(VelodyneHeader::LEN).is_some_and(|packets| packets.is_multiple_of(PACKET_LEN))
}

/// Scores 2 for a known type, plus 6 for a payload of a valid length or minus 6 for an invalid one; minus 1 if a
/// remainder is too short for a message, or a message is longer than the remaining bytes; plus 1 if the messages end at
/// the end mark or the end of the bytes.
#[expect(clippy::arithmetic_side_effects, reason = "a few constants are added")]
fn score(input: &[u8], framing: Framing<'_>) -> i32 {
    let mut score = 0_i32;
    let mut rest = input;
    for number in 0..MESSAGES {
        let Some(head) = Head::parse(rest).filter(|head| head.size != END_MARK) else {
            let is_end = rest.is_empty() || first(rest) == Some(END_MARK);
            return score + if is_end { i32::from(number > 0) } else { -1 };
        };
        if head.mark != MARK {
            return score - 10;
        }
        let Some(len) = framing.message_len(head.size) else { return score - 4 };
        let available = rest.part(MESSAGE_HEADER_LEN..);
        score += if framing.registry.knows(head.type_id) { 2 } else { 0 };
        score += match fit(&head, available, body_len(len)) {
            Fit::Right => 6,
            Fit::Wrong if has_whole_packets(&head, body_len(len)) => 6,
            Fit::Wrong => -6,
            Fit::Unknown | Fit::Need(_) => 0,
        };
        let Some(next) = rest.get(len..) else { return score - 1 };
        rest = next;
    }
    score
}
