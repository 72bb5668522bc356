//! Where messages begin and end, judged by the bytes.

use robolog_core::{
    layout::{Layout as _, Packed as _, field, first},
    slices,
};

use crate::{
    Registry, SizeCounts, TypeId,
    layout::{
        END_MARK, Gps, ImageHeader, MARK, MESSAGE_HEADER_LEN, MessageHeader, NarrowImageHeader, Obd,
        PACKET_LEN, RobotPose, VelodyneHeader,
    },
};

/// How messages are delimited, as the header knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Framing<'a> {
    pub(crate) sizes: SizeCounts,
    pub(crate) registry: &'a Registry,
}

/// A message's header, as read on the way.
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
    /// The type or its version is not known.
    Unknown,
    /// At least this many more bytes of the payload are needed.
    Need(usize),
}

/// What a place in the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Message,
    Other,
    /// It takes at least this many more bytes to say.
    Need(usize),
}

/// Messages further apart than this do not follow each other: an hour, in milliseconds.
const GAP: f64 = 3.6e6;
/// Stamps beyond this are none: thirty years, in milliseconds.
const LATEST: f64 = 1e12;
/// Payloads that do not agree with their counts are read on to this length, in case they are of another layout.
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
    /// The length of the whole message; `None` when the size is too small to be one.
    #[inline]
    pub(crate) fn message_len(&self, size: u32) -> Option<usize> {
        self.sizes.message_len(size)
    }

    /// Whether a message's header can stand here.
    #[inline]
    pub(crate) fn is_head(&self, head: &Head) -> bool {
        head.size != END_MARK && self.message_len(head.size).is_some() && head.is_sound(self.registry)
    }

    /// Whether this is the header of a message whose size was overwritten by that which ends a log.
    pub(crate) fn is_head_without_size(&self, head: &Head) -> bool {
        head.mark == MARK && self.registry.knows(head.type_id) && head.is_sound(self.registry)
    }

    /// Whether what follows a message can follow one: a header, the mark of the end, or the end of the file.
    #[inline]
    pub(crate) fn follows(&self, rest: &[u8], eof: bool) -> Verdict {
        match Head::parse(rest) {
            Some(head) if head.size == END_MARK || self.is_head(&head) => Verdict::Message,
            Some(_) => Verdict::Other,
            None => short_rest(rest, eof),
        }
    }

    /// Whether a message of a known type begins here, which holds what it claims and is followed by another.
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
        let available = input.get(MESSAGE_HEADER_LEN..).unwrap_or_default();
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

    /// The first place from `from` on, and before `to`, at which a message begins. Bytes that can be skipped and
    /// bytes needed, when there is no saying.
    pub(crate) fn find(
        &self,
        input: &[u8],
        from: usize,
        to: usize,
        eof: bool,
    ) -> Result<Option<usize>, (usize, usize)> {
        const MARK_AT: usize = field!(MessageHeader, mark).offset;
        let marks = input.get(from.saturating_add(MARK_AT)..).unwrap_or_default();
        for i in memchr::memchr_iter(MARK, marks) {
            let at = from.saturating_add(i);
            if at >= to {
                return Ok(None);
            }
            match self.judge(input.get(at..).unwrap_or_default(), eof) {
                Verdict::Message => return Ok(Some(at)),
                Verdict::Other => {}
                Verdict::Need(n) => return Err((at, n)),
            }
        }
        // Behind the last mark that was seen a message may begin whose mark is not there yet.
        let seen = input.len().saturating_sub(MARK_AT);
        if eof || seen >= to { Ok(None) } else { Err((seen.max(from), MESSAGE_HEADER_LEN)) }
    }
}

/// What follows a message, when it is shorter than a header.
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

/// Bytes of the payload of a message of `len` bytes.
pub(crate) fn body_len(len: usize) -> usize {
    len.saturating_sub(MESSAGE_HEADER_LEN)
}

fn missing(len: usize, input: &[u8]) -> usize {
    slices::missing(len, input).max(1)
}

/// Compares the counts in a payload of `len` bytes, the first of which are `available`, with its length.
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
