//! Packets of pcap: finds where one ends, and whether one begins.

use robolog_core::{
    Error,
    format::Extent,
    slices::{InRange as _, Part as _, missing, past},
};

use crate::{
    Header,
    datagram::is_as_long,
    layout::{
        LARGEST, LEAST_BLOCK, PACKET_HEADER, PacketHead, SECTION, block_head, block_len, has_same_length,
        kept_bytes,
    },
};

/// This many consecutive packets are no coincidence.
const CHAIN: usize = 3;

/// Whether a record begins at a place.
pub(super) enum Judgement {
    Record,
    /// A packet, followed by the start of another one that the end of the input cuts.
    Cut,
    Other,
    /// Undecided without at least this many more bytes.
    Need(usize),
}

/// The packet at the start of `input`, if it looks like one of a capture tool. It is accepted if others can follow it;
/// if none do, and packets begin inside it, its length is wrong.
///
/// In a copy, which omits damage, each packet is followed by another accepted one, or by the end. So it is accepted
/// there too, whatever its content.
pub(super) fn packet(header: &Header, input: &[u8], at: u64, eof: bool) -> Extent {
    let Some(head) = PacketHead::parse(header.order, input) else {
        return Extent::Need(missing(PACKET_HEADER, input));
    };
    let (len, unit) = (head.len(), header.legacy.map_or(1, |(unit, _)| unit));
    let wrong = || {
        let at = past(at, 8);
        Error::invalid("length of a packet", head.kept, "one that leads to another packet", at)
            .within("capture")
    };
    if len > LARGEST {
        return Extent::Torn { len: 0, error: wrong() };
    }
    let record = input.get(..len).unwrap_or(input);
    if (record.len() == len || eof) && !is_packet(header, head, record) {
        let found = format!("{} of {} bytes kept, a fraction of {}", head.kept, head.sent, head.fraction);
        let error = Error::invalid("header of a packet", found, "one that a capture tool writes", at);
        return Extent::Torn { len: 0, error: error.within("capture") };
    }
    let end = len.saturating_add(PACKET_HEADER);
    if input.len() < end && !eof {
        return Extent::Need(missing(end, input));
    }
    let is_near = match input.get(len..) {
        Some([]) => true,
        Some(rest) => PacketHead::parse(header.order, rest).is_none_or(|next| next.follows(head, unit)),
        None => false,
    };
    if is_near {
        return Extent::Whole(len);
    }
    match is_followed(header, input, len, eof) {
        Ok(true) => return Extent::Whole(len),
        Ok(false) => {}
        Err(need) => return Extent::Need(need),
    }
    let inner = 1..len.min(input.len());
    for start in inner {
        match judge(header, input.part(start..), eof) {
            Judgement::Record => return Extent::Torn { len: 0, error: wrong() },
            // If it ends with the input it may end elsewhere in a copy, after which damage was left out.
            Judgement::Cut | Judgement::Other => {}
            Judgement::Need(n) => return Extent::Need(n),
        }
    }
    match len.checked_sub(input.len()) {
        Some(missing @ 1..) => {
            Extent::Torn { len: 0, error: Error::truncated(missing, at).within("capture") }
        }
        _ => Extent::Whole(len),
    }
}

/// Whether a capture tool writes such a packet, judged only by its own bytes, which are the same in a copy.
fn is_packet(header: &Header, head: PacketHead, record: &[u8]) -> bool {
    let Some((unit, link)) = header.legacy else { return false };
    // Some tools write a wrong fraction or original length: then the headers in the packet must agree.
    let is_as_long = || is_as_long(link, record.part(PACKET_HEADER..), kept_bytes(head.kept));
    head.len() <= LARGEST && (head.is_possible(unit) || is_as_long())
}

/// Whether the packet of `len` bytes at the start of `input` is followed by consecutive packets, or by packets up to
/// the end. The error is the number of bytes needed to decide.
fn is_followed(header: &Header, input: &[u8], len: usize, eof: bool) -> Result<bool, usize> {
    let mut at = len;
    for _ in 1..CHAIN {
        let Some(rest) = input.get(at..) else { return Ok(false) };
        let Some(head) = PacketHead::parse(header.order, rest) else {
            return if eof { Ok(rest.is_empty()) } else { Err(missing(PACKET_HEADER, rest)) };
        };
        match rest.get(..head.len()) {
            Some(record) if is_packet(header, head, record) => at = at.plus(head.len()),
            None if !eof && head.len() <= LARGEST => return Err(missing(head.len(), rest)),
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether a record begins at the start of `input`.
pub(super) fn judge(header: &Header, input: &[u8], eof: bool) -> Judgement {
    let need = |len: usize| match len.checked_sub(input.len()) {
        Some(n @ 1..) if !eof => Judgement::Need(n),
        _ => Judgement::Other,
    };
    let Some((unit, _)) = header.legacy else {
        let Some(len) = block_len(header.order, input) else { return need(LEAST_BLOCK) };
        let [kind, _] = block_head(header.order, input);
        return match input.get(..len) {
            _ if !(1..=6).contains(&kind) && kind != SECTION => Judgement::Other,
            Some(block) if has_same_length(header.order, block) => Judgement::Record,
            Some(_) => Judgement::Other,
            None => need(len),
        };
    };
    let (mut at, mut before) = (0_usize, None);
    for _ in 0..CHAIN {
        let rest = input.part(at..);
        // The end of the input may cut the chain, but not its first packet.
        let Some(head) = PacketHead::parse(header.order, rest) else {
            return match before {
                Some(_) if eof && rest.is_empty() => Judgement::Record,
                Some(_) if eof => Judgement::Cut,
                _ => need(at.plus(PACKET_HEADER)),
            };
        };
        if !head.is_plausible(unit) || before.is_some_and(|before| !head.follows(before, unit)) {
            return Judgement::Other;
        }
        at = at.plus(head.len());
        if at > input.len() {
            return if eof && before.is_some() { Judgement::Cut } else { need(at) };
        }
        before = Some(head);
    }
    Judgement::Record
}
