//! Capture files, pcap and pcapng, as records, so that damage costs only the damaged parts.

mod block;
mod packet;

use std::io;

use robolog_core::{
    Error, Limits, Result,
    format::{Editing, Extent, Format, RawRecord, Recording, Search, Step},
    slices::{InRange as _, Part as _, missing, past},
};

use self::{
    block::{block, block_near},
    packet::{Judgement, judge, packet},
};
use super::{
    Copier, Decoder, Header, Record,
    layout::{FILE_HEADER, LEAST_BLOCK, Order, PACKET_HEADER, PacketHead, block_order},
    record::Content,
};

/// The format: an uninhabited type.
#[derive(Debug, Clone, Copy)]
pub enum Capture {}

impl Format for Capture {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "pcap";

    fn detect(start: &[u8]) -> bool {
        Header::of_magic(start).is_some()
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        let Some(header) = Header::of_magic(input) else {
            return match FILE_HEADER.checked_sub(input.len()) {
                Some(n @ 1..) if !eof => Ok(Step::Need(n)),
                _ => Err(Error::magic(input, "a capture (pcap or pcapng)")),
            };
        };
        if header.legacy.is_none() {
            // The byte order is in the first block, which is a record.
            return Ok(match input.get(8..LEAST_BLOCK) {
                Some(order) => Step::Ready(
                    Header { order: Order::of_section(order).unwrap_or(header.order), ..header },
                    0,
                ),
                None => Step::Need(missing(LEAST_BLOCK, input)),
            });
        }
        let Some(bytes) = input.first_chunk::<FILE_HEADER>() else {
            return Ok(Step::Need(missing(FILE_HEADER, input)));
        };
        let [.., l0, l1, l2, l3] = *bytes;
        // The highest bits describe checksums.
        let [a, b, ..] = header.order.u32([l0, l1, l2, l3]).to_le_bytes();
        let link = u16::from_le_bytes([a, b]);
        let legacy = header.legacy.map(|(unit, _)| (unit, link));
        Ok(Step::Ready(Header { legacy, ..header }, FILE_HEADER))
    }

    fn limit(header: &mut Header, limits: Limits) {
        header.limits = limits;
    }

    fn measure(header: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        Ok(if header.legacy.is_some() {
            packet(header, input, at, eof)
        } else {
            block(header, input, at, eof)
        })
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        let too_short = || Error::truncated(1, raw.end()).within("capture");
        let Some((unit, link)) = header.legacy else {
            let (head, rest) = raw.bytes.split_first_chunk::<8>().ok_or_else(too_short)?;
            let [body @ .., _, _, _, _] = rest else { return Err(too_short()) };
            let [k0, k1, k2, k3, ..] = *head;
            let order = block_order(header.order, raw.bytes);
            let kind = order.u32([k0, k1, k2, k3]);
            return Ok(Record { raw, content: Content::Block { kind, order, body } });
        };
        let head = PacketHead::parse(header.order, raw.bytes).ok_or_else(too_short)?;
        let fraction = i64::from(head.fraction).times(unit.into());
        let time_ns = i64::from(head.seconds).times(1_000_000_000).plus(fraction);
        let data = raw.bytes.part(PACKET_HEADER..);
        Ok(Record { raw, content: Content::Packet { link, time_ns, sent: head.sent, data } })
    }

    /// Three consecutive packets; or a block whose two lengths agree.
    fn resync(header: &Header, input: &[u8], at: u64, eof: bool) -> Search {
        for start in 0..input.len() {
            let rest = input.part(start..);
            let found = match judge(header, rest, eof) {
                Judgement::Record if header.legacy.is_none() => {
                    block_near(header, rest, past(at, start), eof)
                }
                Judgement::Record | Judgement::Cut => Ok(0),
                Judgement::Other => continue,
                Judgement::Need(need) => Err(need),
            };
            return match found {
                Ok(near) => Search::Found(start.plus(near)),
                Err(need) => Search::Beyond { skip: start, need },
            };
        }
        Search::Beyond { skip: input.len(), need: 1 }
    }
}

/// Records are packets in their sensor's form: none of them can be changed.
impl Editing for Capture {}

impl Recording for Capture {
    type Decoder = Decoder;
    type Copier<W: io::Write + io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["pcap", "pcapng"];
}
