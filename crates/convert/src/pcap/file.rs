//! Capture files, pcap and pcapng, as records: so that damage costs what is damaged, and no more.
//!
//! | file | before the records | a record |
//! |---|---|---|
//! | pcap | 24 bytes: magic (byte order, µs or ns), version, ..., link type | seconds, fraction, bytes kept, bytes sent, then the bytes kept |
//! | pcapng | nothing: blocks from the first byte on | type, length, body, the length again |

mod block;

use std::io;

use robolog_core::{
    Clock, Error, ErrorKind, Extent, Format, Limits, RawRecord, Recording, Result, Search, Step, Timed,
    Timestamp,
    slices::{missing, past},
};

use self::block::{LEAST_BLOCK, block, block_head, block_len, block_order, has_same_length, is_big_endian};
use super::{Rewriter, Sampler, Survey, capture::is_as_long};

/// The format: a type without values.
#[derive(Debug, Clone, Copy)]
pub enum Capture {}

/// What the first bytes of a capture say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Whether numbers have their highest byte first; of pcapng, those of the first section.
    big_endian: bool,
    /// Of pcap: nanoseconds of a unit of the fraction, and the link type. `None` for pcapng.
    legacy: Option<(u32, u16)>,
    /// Of who reads it.
    limits: Limits,
}

/// A packet of pcap, or a block of pcapng.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    raw: RawRecord<'a>,
    content: Content<'a>,
}

impl<'a> Record<'a> {
    /// Where it begins in the capture.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// Where it ends.
    pub fn end(&self) -> u64 {
        self.raw.end()
    }

    /// All its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// Whether it begins a section of pcapng.
    pub(super) fn is_section(&self) -> bool {
        matches!(self.content, Content::Block { kind: SECTION, .. })
    }

    /// Whether it describes an interface of pcapng.
    pub(super) fn is_interface(&self) -> bool {
        matches!(self.content, Content::Block { kind: INTERFACE, .. })
    }

    /// Whether it is a packet.
    pub(super) fn is_packet(&self) -> bool {
        matches!(self.content, Content::Packet { .. } | Content::Block { kind: ENHANCED_PACKET, .. })
    }

    pub(super) fn content(&self) -> Content<'a> {
        self.content
    }

    /// Its own fields as JSON.
    pub(crate) fn to_json(self) -> serde_json::Value {
        match self.content {
            Content::Packet { link, data, .. } => {
                serde_json::json!({ "link_type": link, "length": data.len() })
            }
            Content::Block { kind, body, .. } => {
                serde_json::json!({ "block_type": kind, "length": body.len() })
            }
        }
    }
}

/// What a record holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    /// A packet with the link type of the file.
    Packet { link: u16, time_ns: i64, data: &'a [u8] },
    /// A block: its type, its byte order and what lies between its lengths.
    Block { kind: u32, big_endian: bool, body: &'a [u8] },
}

/// The largest packet or block that a capture is allowed to hold; capture tools stop at 256 KiB.
const LARGEST: usize = 1 << 20;
const FILE_HEADER: usize = 24;
const PACKET_HEADER: usize = 16;
/// This many packets in a row are no coincidence.
const CHAIN: usize = 3;
/// The least bytes of a packet with an IP header.
const LEAST_PACKET: u32 = 20;
/// Seconds between two packets that follow each other, at most: what is further apart is damage.
const GAP: u32 = 86_400;

pub(super) const SECTION: u32 = 0x0a0d_0d0a;
pub(super) const INTERFACE: u32 = 1;
pub(super) const ENHANCED_PACKET: u32 = 6;

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
            // The byte order stands in the first block, which is a record.
            return Ok(match input.get(8..LEAST_BLOCK) {
                Some(order) => {
                    Step::Ready(Header { big_endian: is_big_endian(order).unwrap_or_default(), ..header }, 0)
                }
                None => Step::Need(missing(LEAST_BLOCK, input)),
            });
        }
        let Some(bytes) = input.first_chunk::<FILE_HEADER>() else {
            return Ok(Step::Need(missing(FILE_HEADER, input)));
        };
        let [.., l0, l1, l2, l3] = *bytes;
        // Its highest bits describe check sums.
        let [link, _] = halves(header.number([l0, l1, l2, l3]));
        let legacy = header.legacy.map(|(unit, _)| (unit, link));
        Ok(Step::Ready(Header { legacy, ..header }, FILE_HEADER))
    }

    fn limit(header: &mut Header, limits: Limits) {
        header.limits = limits;
    }

    fn measure(header: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        Ok(if header.legacy.is_some() {
            packet(*header, input, at, eof)
        } else {
            block(*header, input, at, eof)
        })
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        let too_short = || Error::truncated(1, raw.end()).within("capture");
        let Some((unit, link)) = header.legacy else {
            let (head, rest) = raw.bytes.split_first_chunk::<8>().ok_or_else(too_short)?;
            let [body @ .., _, _, _, _] = rest else { return Err(too_short()) };
            let [k0, k1, k2, k3, ..] = *head;
            let big_endian = block_order(*header, raw.bytes);
            let kind = Header { big_endian, ..*header }.number([k0, k1, k2, k3]);
            return Ok(Record { raw, content: Content::Block { kind, big_endian, body } });
        };
        let head = PacketHead::parse(*header, raw.bytes).ok_or_else(too_short)?;
        let fraction = i64::from(head.fraction).saturating_mul(unit.into());
        let time_ns = i64::from(head.seconds).saturating_mul(1_000_000_000).saturating_add(fraction);
        let data = raw.bytes.get(PACKET_HEADER..).unwrap_or_default();
        Ok(Record { raw, content: Content::Packet { link, time_ns, data } })
    }

    /// Three packets, one behind the other; or a block whose two lengths agree.
    fn resync(header: &Header, input: &[u8], at: u64, eof: bool) -> Search {
        for start in 0..input.len() {
            let rest = input.get(start..).unwrap_or_default();
            let found = match header.judge(rest, eof) {
                Judgement::Record if header.legacy.is_none() => header.block_near(rest, past(at, start), eof),
                Judgement::Record | Judgement::Cut => Ok(0),
                Judgement::Other => continue,
                Judgement::Need(need) => Err(need),
            };
            return match found {
                Ok(near) => Search::Found(start.saturating_add(near)),
                Err(need) => Search::Beyond { skip: start, need },
            };
        }
        Search::Beyond { skip: input.len(), need: 1 }
    }
}

impl Recording for Capture {
    type Survey = Survey;
    type Sampler = Sampler;
    type Rewriter<W: io::Write + io::Seek> = Rewriter<W>;
    const EXTENSIONS: &'static [&'static str] = &["pcap", "pcapng"];
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        match self.content {
            Content::Packet { time_ns, .. } => Some(Timestamp::new(time_ns, Clock::Unix)),
            // The stamps of pcapng count in units that another block gives.
            Content::Block { .. } => None,
        }
    }
}

/// Whether a record begins at a place.
enum Judgement {
    Record,
    /// A packet, and the beginning of another one, with which the input ends.
    Cut,
    Other,
    /// It takes at least this many more bytes to say.
    Need(usize),
}

impl Header {
    /// A section of pcapng without blocks, of a length that is not known; `None` for pcap.
    pub(super) fn section(self) -> Option<Vec<u8>> {
        const LEN: u32 = 28;
        if self.legacy.is_some() {
            return None;
        }
        let word = |word: u32| if self.big_endian { word.to_be_bytes() } else { word.to_le_bytes() };
        // Version 1.0.
        let version = if self.big_endian { [0, 1, 0, 0] } else { [1, 0, 0, 0] };
        let words =
            [word(SECTION), word(LEN), word(0x1a2b_3c4d), version, word(u32::MAX), word(u32::MAX), word(LEN)];
        Some(words.concat())
    }

    /// What samplers and surveys may hold.
    pub(super) fn limits(self) -> Limits {
        self.limits
    }

    /// Whether it is that of pcapng, which is blocks from the first byte on.
    pub(super) fn is_pcapng(self) -> bool {
        self.legacy.is_none()
    }

    fn of_magic(start: &[u8]) -> Option<Self> {
        let (big_endian, legacy) = match start.first_chunk::<4>()? {
            [0xd4, 0xc3, 0xb2, 0xa1] => (false, Some((1_000, 1))),
            [0xa1, 0xb2, 0xc3, 0xd4] => (true, Some((1_000, 1))),
            [0x4d, 0x3c, 0xb2, 0xa1] => (false, Some((1, 1))),
            [0xa1, 0xb2, 0x3c, 0x4d] => (true, Some((1, 1))),
            [0x0a, 0x0d, 0x0d, 0x0a] => (false, None),
            _ => return None,
        };
        Some(Self { big_endian, legacy, limits: Limits::default() })
    }

    fn number(self, bytes: [u8; 4]) -> u32 {
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    /// Whether a capture tool writes such a packet: by its own bytes alone, which are the same in a copy.
    fn is_packet(self, head: PacketHead, record: &[u8]) -> bool {
        let Some((unit, link)) = self.legacy else { return false };
        // Some tools write a wrong fraction or length on the wire: then the headers in the packet must agree.
        let is_as_long =
            || is_as_long(link, record.get(PACKET_HEADER..).unwrap_or_default(), kept_bytes(head.kept));
        head.len() <= LARGEST && (head.is_possible(unit) || is_as_long())
    }

    /// Whether packets follow the one of `len` bytes at the start of `input`, one behind the other or up to its end.
    /// Fails with the number of bytes that it takes to say.
    fn is_followed(self, input: &[u8], len: usize, eof: bool) -> Result<bool, usize> {
        let mut at = len;
        for _ in 1..CHAIN {
            let Some(rest) = input.get(at..) else { return Ok(false) };
            let Some(head) = PacketHead::parse(self, rest) else {
                return if eof { Ok(rest.is_empty()) } else { Err(missing(PACKET_HEADER, rest)) };
            };
            match rest.get(..head.len()) {
                Some(record) if self.is_packet(head, record) => at = at.saturating_add(head.len()),
                None if !eof && head.len() <= LARGEST => return Err(missing(head.len(), rest)),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn judge(self, input: &[u8], eof: bool) -> Judgement {
        let need = |len: usize| match len.checked_sub(input.len()) {
            Some(n @ 1..) if !eof => Judgement::Need(n),
            _ => Judgement::Other,
        };
        let Some((unit, _)) = self.legacy else {
            let Some(len) = block_len(self, input) else { return need(LEAST_BLOCK) };
            let [kind, _] = block_head(self, input);
            return match input.get(..len) {
                _ if !(1..=6).contains(&kind) && kind != SECTION => Judgement::Other,
                Some(block) if has_same_length(self, block) => Judgement::Record,
                Some(_) => Judgement::Other,
                None => need(len),
            };
        };
        let (mut at, mut before) = (0_usize, None);
        for _ in 0..CHAIN {
            let rest = input.get(at..).unwrap_or_default();
            // The end of the input may cut the chain, but not its first packet.
            let Some(head) = PacketHead::parse(self, rest) else {
                return match before {
                    Some(_) if eof && rest.is_empty() => Judgement::Record,
                    Some(_) if eof => Judgement::Cut,
                    _ => need(at.saturating_add(PACKET_HEADER)),
                };
            };
            if !head.is_plausible(unit) || before.is_some_and(|before| !head.follows(before, unit)) {
                return Judgement::Other;
            }
            at = at.saturating_add(head.len());
            if at > input.len() {
                return if eof && before.is_some() { Judgement::Cut } else { need(at) };
            }
            before = Some(head);
        }
        Judgement::Record
    }

    /// Where a block begins, when one seems to begin at the start of `input`, which lies at offset `at`.
    ///
    /// Small numbers of one byte order read like numbers of the other order up to three bytes away. Blocks lie at
    /// multiples of four bytes; where bytes of the file are missing they do not, and the byte order of the file decides.
    /// Fails with the number of bytes that it takes to say.
    fn block_near(self, input: &[u8], at: u64, eof: bool) -> Result<usize, usize> {
        let mut in_order = None;
        for near in 0..4_usize {
            let rest = input.get(near..).unwrap_or_default();
            match self.judge(rest, eof) {
                Judgement::Record if past(at, near).is_multiple_of(4) => return Ok(near),
                Judgement::Record if block_order(self, rest) == self.big_endian => {
                    in_order = in_order.or(Some(near));
                }
                Judgement::Record | Judgement::Cut | Judgement::Other => {}
                Judgement::Need(need) => return Err(need),
            }
        }
        Ok(in_order.unwrap_or_default())
    }
}

/// What stands before a packet of pcap.
#[derive(Debug, Clone, Copy)]
struct PacketHead {
    seconds: u32,
    fraction: u32,
    kept: u32,
    sent: u32,
}

impl PacketHead {
    fn parse(header: Header, input: &[u8]) -> Option<Self> {
        let [s0, s1, s2, s3, f0, f1, f2, f3, k0, k1, k2, k3, n0, n1, n2, n3] = *input.first_chunk()?;
        let [seconds, fraction, kept, sent] =
            [[s0, s1, s2, s3], [f0, f1, f2, f3], [k0, k1, k2, k3], [n0, n1, n2, n3]]
                .map(|b| header.number(b));
        Some(Self { seconds, fraction, kept, sent })
    }

    /// Bytes of the record.
    fn len(self) -> usize {
        kept_bytes(self.kept).saturating_add(PACKET_HEADER)
    }

    /// Whether a capture tool writes such numbers.
    fn is_possible(self, unit: u32) -> bool {
        self.sent > 0
            && self.kept <= self.sent
            && usize::try_from(self.sent).is_ok_and(|sent| sent <= LARGEST)
            && self.len() <= LARGEST
            && u64::from(self.fraction).saturating_mul(unit.into()) < 1_000_000_000
    }

    /// Whether they are those of a packet with an IP header, by which packets are found.
    fn is_plausible(self, unit: u32) -> bool {
        self.kept >= LEAST_PACKET && self.is_possible(unit)
    }

    fn follows(self, before: Self, unit: u32) -> bool {
        self.is_plausible(unit) && self.seconds.abs_diff(before.seconds) <= GAP
    }
}

fn kept_bytes(kept: u32) -> usize {
    usize::try_from(kept).unwrap_or(usize::MAX)
}

/// The packet at the start of `input`, when a capture tool writes such. It is believed when others can follow it; when
/// none do, and packets begin within it, its length is wrong.
///
/// In a copy, which leaves out damage, each packet is followed by another that was believed, or by the end. So it is
/// believed there too, whatever its bytes look like.
fn packet(header: Header, input: &[u8], at: u64, eof: bool) -> Extent {
    let Some(head) = PacketHead::parse(header, input) else {
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
    if (record.len() == len || eof) && !header.is_packet(head, record) {
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
        Some(rest) => PacketHead::parse(header, rest).is_none_or(|next| next.follows(head, unit)),
        None => false,
    };
    if is_near {
        return Extent::Whole(len);
    }
    match header.is_followed(input, len, eof) {
        Ok(true) => return Extent::Whole(len),
        Ok(false) => {}
        Err(need) => return Extent::Need(need),
    }
    let inner = 1..len.min(input.len());
    for start in inner {
        match header.judge(input.get(start..).unwrap_or_default(), eof) {
            Judgement::Record => return Extent::Torn { len: 0, error: wrong() },
            // What ends with the input may end elsewhere in a copy, behind which damage was left out.
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

fn halves(number: u32) -> [u16; 2] {
    let [a, b, c, d] = number.to_le_bytes();
    [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])]
}

/// The refusal of a packet of an interface that the capture does not describe.
pub(super) fn no_interface(number: u32, at: u64) -> Error {
    let kind = ErrorKind::Invalid {
        what: "interface of a packet",
        found: number.to_string(),
        expected: "one that the capture describes".into(),
    };
    Error::new(kind, at).within("capture")
}
