//! Finds where messages begin and end.

use robolog_core::{
    layout::{Layout as _, Packed as _, field, first},
    slices,
    slices::{InRange as _, Part as _},
};

use crate::{
    Registry, SizeCounts, TypeId,
    layout::{
        END_MARK, Gps, ImageHeader, MARK, MESSAGE_HEADER_LEN, MessageHeader, NarrowImageHeader, Obd,
        PACKET_LEN, RobotPose, VelodyneHeader,
    },
};

/// How messages are delimited, from the header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Framing<'a> {
    pub(crate) sizes: SizeCounts,
    pub(crate) registry: &'a Registry,
}

/// The fields of a message header needed for framing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) size: u32,
    pub(crate) mark: u8,
    pub(crate) type_id: TypeId,
    pub(crate) version: i32,
    pub(crate) timestamp: f64,
}

/// Whether a payload's own counts agree with its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Right,
    Wrong,
    /// The type or its version is unknown.
    Unknown,
    /// At least this many more bytes of the payload are needed.
    Need(usize),
}

/// Classification of a place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Message,
    Other,
    /// Undecided without at least this many more bytes.
    Need(usize),
}

/// Consecutive messages are at most an hour apart, in milliseconds.
const GAP: f64 = 3.6e6;
/// Stamps beyond thirty years are invalid, in milliseconds.
const LATEST: f64 = 1e12;
/// Payloads that contradict their counts are read up to this length, in case their layout is another.
pub(crate) const ODD: usize = 1 << 20;

impl Head {
    #[inline]
    pub(crate) fn parse(input: &[u8]) -> Option<Self> {
        let MessageHeader { size, mark, type_id, version, timestamp } = MessageHeader::peek(input)?;
        Some(Self { size, mark, type_id: TypeId(type_id), version, timestamp })
    }

    /// Whether a program can have written these numbers, whatever the size.
    #[inline]
    fn is_sound(&self, registry: &Registry) -> bool {
        (1..=1000).contains(&self.version)
            && ((self.mark == MARK && self.has_sound_time()) || registry.knows(self.type_id))
    }

    #[inline]
    fn has_sound_time(&self) -> bool {
        self.timestamp.abs() < LATEST
    }
}

impl Framing<'_> {
    /// The length of the whole message; `None` if the size is too small for one.
    #[inline]
    pub(crate) fn message_len(&self, size: u32) -> Option<usize> {
        self.sizes.message_len(size)
    }

    /// Whether a message header can be here.
    #[inline]
    pub(crate) fn is_head(&self, head: &Head) -> bool {
        head.size != END_MARK && self.message_len(head.size).is_some() && head.is_sound(self.registry)
    }

    /// Whether this is the header of a message whose size was overwritten by an end mark.
    pub(crate) fn is_head_without_size(&self, head: &Head) -> bool {
        head.mark == MARK && self.registry.knows(head.type_id) && head.is_sound(self.registry)
    }

    /// Whether `rest` can follow a message: a header, the end mark, or the end of the file.
    #[inline]
    pub(crate) fn follows(&self, rest: &[u8], eof: bool) -> Verdict {
        match Head::parse(rest) {
            Some(head) if head.size == END_MARK || self.is_head(&head) => Verdict::Message,
            Some(_) => Verdict::Other,
            None => short_rest(rest, eof),
        }
    }

    /// Whether a message of known type begins here, with the stated content and followed by another.
    pub(crate) fn judge(&self, input: &[u8], eof: bool) -> Verdict {
        let Some(head) = Head::parse(input) else {
            return if eof { Verdict::Other } else { Verdict::Need(missing(MESSAGE_HEADER_LEN, input)) };
        };
        if head.mark != MARK
            || !self.registry.knows(head.type_id)
            || !self.is_head(&head)
            || !head.has_sound_time()
        {
            return Verdict::Other;
        }
        let Some(len) = self.message_len(head.size) else { return Verdict::Other };
        let available = input.part(MESSAGE_HEADER_LEN..);
        match fit(&head, available, body_len(len)) {
            Fit::Wrong => return Verdict::Other,
            Fit::Need(_) if eof => return Verdict::Other,
            Fit::Need(n) => return Verdict::Need(n),
            Fit::Unknown if len > ODD => return Verdict::Other,
            Fit::Unknown | Fit::Right => {}
        }
        let Some(rest) = input.get(len..) else {
            return if eof { Verdict::Other } else { Verdict::Need(missing(len, input)) };
        };
        match (self.follows(rest, eof), Head::parse(rest)) {
            (Verdict::Message, Some(next)) if next.size != END_MARK => {
                let is_far = (next.timestamp - head.timestamp).abs() > GAP;
                if is_far { Verdict::Other } else { Verdict::Message }
            }
            (verdict, _) => verdict,
        }
    }

    /// The first place from `from` and before `to` where a message begins. If undecided, the bytes that can be skipped
    /// and the bytes needed.
    pub(crate) fn find(
        &self,
        input: &[u8],
        from: usize,
        to: usize,
        eof: bool,
    ) -> Result<Option<usize>, (usize, usize)> {
        const MARK_AT: usize = field!(MessageHeader, mark).offset;
        let marks = input.part_or_empty(from.plus(MARK_AT)..);
        for i in memchr::memchr_iter(MARK, marks) {
            let at = from.plus(i);
            if at >= to {
                return Ok(None);
            }
            match self.judge(input.part(at..), eof) {
                Verdict::Message => return Ok(Some(at)),
                Verdict::Other => {}
                Verdict::Need(n) => return Err((at, n)),
            }
        }
        // A message may begin after the last place whose mark was checked.
        let seen = input.len().saturating_sub(MARK_AT);
        if eof || seen >= to { Ok(None) } else { Err((seen.max(from), MESSAGE_HEADER_LEN)) }
    }
}

/// Like [`follows`](Framing::follows), for a rest shorter than a header.
#[cold]
fn short_rest(rest: &[u8], eof: bool) -> Verdict {
    if !eof {
        return Verdict::Need(missing(MESSAGE_HEADER_LEN, rest));
    }
    let can_be = match (first(rest), rest.get(field!(MessageHeader, mark).offset)) {
        (Some(END_MARK), _) | (_, None) => true,
        (_, Some(mark)) => *mark == MARK,
    };
    if can_be { Verdict::Message } else { Verdict::Other }
}

/// Length of the payload of a message of `len` bytes.
pub(crate) fn body_len(len: usize) -> usize {
    len.saturating_sub(MESSAGE_HEADER_LEN)
}

fn missing(len: usize, input: &[u8]) -> usize {
    slices::missing(len, input).max(1)
}

/// Checks the counts in a payload of `len` bytes, of which the first `available` are given, against its length.
pub(crate) fn fit(head: &Head, available: &[u8], len: usize) -> Fit {
    if head.type_id.version() != Some(head.version) {
        return Fit::Unknown;
    }
    let right = |is_right: bool| if is_right { Fit::Right } else { Fit::Wrong };
    let count = |at: usize| {
        let count: u32 = first(available.get(at..)?)?;
        Some(usize::try_from(count).unwrap_or(usize::MAX))
    };
    let filled = |header: usize, items: usize, size: usize| {
        items.checked_mul(size).and_then(|n| n.checked_add(header)) == Some(len)
    };
    let need = |end: usize| if end <= len { Fit::Need(missing(end, available)) } else { Fit::Wrong };
    match head.type_id {
        TypeId::OBD => right(len == Obd::LEN),
        TypeId::ROBOT_POSE => right(len == RobotPose::LEN),
        TypeId::GPS => right(len == Gps::LEN),
        TypeId::VELODYNE => match count(field!(VelodyneHeader, packets).offset) {
            Some(packets) => right(filled(VelodyneHeader::LEN, packets, PACKET_LEN)),
            None => need(VelodyneHeader::LEN),
        },
        TypeId::IMAGE => {
            match (count(field!(ImageHeader, len).offset), count(field!(NarrowImageHeader, len).offset)) {
                (Some(wide), Some(narrow)) => {
                    right(filled(ImageHeader::LEN, wide, 1) || filled(NarrowImageHeader::LEN, narrow, 1))
                }
                _ => need(ImageHeader::LEN.min(len.max(NarrowImageHeader::LEN))),
            }
        }
        TypeId::LASER => {
            let mut at = 0_usize;
            for size in [1_usize, 1, 4] {
                let Some(n) = count(at) else { return need(at.saturating_add(u32::LEN)) };
                let Some(next) = n.checked_mul(size).and_then(|n| n.checked_add(at)?.checked_add(u32::LEN))
                else {
                    return Fit::Wrong;
                };
                if next > len {
                    return Fit::Wrong;
                }
                at = next;
            }
            right(at == len)
        }
        _ => Fit::Unknown,
    }
}
