//! Framing of logs.

use robolog_core::{
    Error, Limits, Result,
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    layout::{Packed as _, chunks, field, first},
    slices::{InRange as _, Part as _, missing},
};

use crate::{
    Copier, Decoder, Header, Options, Record, TypeId,
    framing::{Fit, Framing, Head, ODD, Verdict, body_len, fit},
    layout::{
        END_MARK, END_MARK_LEN, MAGIC, MARK, MESSAGE_HEADER_LEN, MessageHeader, PACKET_LEN, VelodyneHeader,
    },
};

/// The format: an uninhabited type, for [`robolog_core::Reader`] and related types.
#[derive(Debug, Clone, Copy)]
pub enum KoblenzLog {}

impl Format for KoblenzLog {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "koblenz-log";

    fn detect(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    fn limit(header: &mut Header, limits: Limits) {
        header.limits = limits;
    }

    /// A message is accepted if another can follow it. If none does, and others begin inside it, its size is wrong or
    /// it has a gap, so it is damaged; otherwise what follows it is damaged.
    #[inline]
    fn measure(header: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        let framing = header.framing();
        if let Some(head) = Head::parse(input)
            && head.mark == MARK
            && head.size != END_MARK
            && let Some(len) = framing.message_len(head.size)
            && let Some(next) = input.get(len..).and_then(Head::parse)
            && framing.is_head(&next)
            && framing.is_head(&head)
        {
            return Ok(Extent::Whole(len));
        }
        Ok(measure_with_care(framing, input, at, eof))
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(header, raw))
    }

    /// The header of a message of known type whose payload has the stated length, followed by another header.
    fn resync(header: &Header, input: &[u8], _at: u64, eof: bool) -> Search {
        match header.framing().find(input, 0, input.len(), eof) {
            Ok(Some(at)) => Search::Found(at),
            Ok(None) => Search::Beyond { skip: input.len(), need: 1 },
            Err((skip, need)) => Search::Beyond { skip, need },
        }
    }
}

impl Recording for KoblenzLog {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["log", "vel"];
    const HAS_END_MARK: bool = true;

    fn apply_options(header: &mut Header, options: &Options) {
        if let Some(sizes) = options.sizes {
            header.set_sizes(sizes);
        }
    }
}

/// Damage without a good part before it.
fn torn(error: Error, what: &'static str) -> Extent {
    Extent::Torn { len: 0, error: error.within(what) }
}

/// Handles every message except those in the middle of an undamaged log.
#[cold]
fn measure_with_care(framing: Framing<'_>, input: &[u8], at: u64, eof: bool) -> Extent {
    let Some(head) = Head::parse(input) else {
        let missing = missing(MESSAGE_HEADER_LEN, input);
        if !eof || input.is_empty() {
            return Extent::Need(missing);
        }
        if first(input) == Some(END_MARK) {
            return Extent::Whole(input.len());
        }
        return torn(Error::truncated(missing, at), "message header");
    };
    if head.size == END_MARK {
        return end(framing, &head, input, at, eof);
    }
    let Some(len) = framing.message_len(head.size).filter(|_| framing.is_head(&head)) else {
        return torn(no_header(framing, &head, at), "message header");
    };
    let name = head.type_id.name().unwrap_or("message");
    let misfit = || Error::invalid("message size", head.size, "that of its payload", at);
    let nested = || Error::invalid("message size", head.size, "one that leads to another message", at);

    let available = input.part(MESSAGE_HEADER_LEN..);
    let fit = fit(&head, available, body_len(len));
    match fit {
        Fit::Need(n) if !eof => return Extent::Need(n),
        // Do not wait for a message that claims this much and contradicts its own counts.
        Fit::Wrong if len > ODD => return torn(misfit(), name),
        _ => {}
    }
    let Some(rest) = input.get(len..) else {
        let missing = missing(len, input);
        if !eof {
            return Extent::Need(missing);
        }
        return match framing.find(input, 1, input.len(), true) {
            Ok(Some(next)) => cut(&head, input, next, nested().within(name)),
            _ => cut(&head, input, input.len(), Error::truncated(missing, at).within(name)),
        };
    };
    match framing.follows(rest, eof) {
        Verdict::Message => Extent::Whole(len),
        Verdict::Need(n) => Extent::Need(n),
        Verdict::Other => match framing.find(input, 1, len, eof) {
            Ok(Some(next)) => cut(&head, input, next, nested().within(name)),
            Err((_, need)) => Extent::Need(need),
            Ok(None) if fit == Fit::Wrong => torn(misfit(), name),
            Ok(None) => Extent::Whole(len),
        },
    }
}

/// The reason why this is not a message header.
#[cold]
pub(crate) fn no_header(framing: Framing<'_>, head: &Head, at: u64) -> Error {
    if head.mark != MARK && !framing.registry.knows(head.type_id) {
        let found = format_args!("{:#04x}", head.mark).to_string();
        return Error::invalid("mark of a message", found, "0x49", field!(MessageHeader, mark).at(at));
    }
    if framing.message_len(head.size).is_none() {
        return Error::invalid("message size", head.size, "at least that of the header", at);
    }
    if (1..=1000).contains(&head.version) {
        let at = field!(MessageHeader, timestamp).at(at);
        return Error::invalid("timestamp", head.timestamp, "milliseconds", at);
    }
    Error::invalid("version", head.version, "1 to 1000", field!(MessageHeader, version).at(at))
}

/// The end mark and everything after it, unless messages follow: then the size of a message was overwritten.
fn end(framing: Framing<'_>, head: &Head, input: &[u8], at: u64, eof: bool) -> Extent {
    let overwritten = || {
        torn(Error::invalid("message size", "0xffffffff", "a size: messages follow", at), "message header")
    };
    if framing.is_head_without_size(head) {
        return overwritten();
    }
    match framing.find(input, END_MARK_LEN, input.len(), eof) {
        Ok(Some(_)) => overwritten(),
        _ if eof => Extent::Whole(input.len()),
        // Twice the current length, so that the search does not restart for every block.
        _ => Extent::Need(input.len()),
    }
}

/// A message with at most `end` bytes present: its complete packets are good.
fn cut(head: &Head, input: &[u8], end: usize, error: Error) -> Extent {
    const START: usize = MESSAGE_HEADER_LEN + VelodyneHeader::LEN;
    // None, if the message ends in its header.
    let data = input.part_or_empty(START..end);
    let is_known = head.type_id == TypeId::VELODYNE && head.type_id.version() == Some(head.version);
    let packets =
        chunks::<PACKET_LEN>(data).iter().take_while(|packet| is_known && is_packet(packet)).count();
    let len = packets.times(PACKET_LEN).plus(START);
    Extent::Torn { len: if packets > 0 { len } else { 0 }, error }
}

/// Whether twelve blocks begin with the mark of a laser bank.
fn is_packet(packet: &[u8; PACKET_LEN]) -> bool {
    let blocks = packet.chunks_exact(100).take(12);
    blocks.into_iter().all(|block| matches!(block, [0xff, 0xbb | 0xcc | 0xdd | 0xee, ..]))
}
