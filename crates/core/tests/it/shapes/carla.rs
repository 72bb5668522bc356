//! A stream of CARLA packets: the header does not give the width of vectors, the bodies reveal it.

use robolog_core::{
    Error, Result, Timestamp,
    format::{Extent, Format, RawRecord, Search, Step, Timed},
    layout::first,
};

#[derive(Debug)]
pub(crate) enum Carla {}

#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) map: String,
    /// Found by looking ahead at the first packet of positions.
    pub(crate) vector_bits: Option<u8>,
}

#[derive(Debug)]
pub(crate) struct Packet<'a> {
    pub(crate) offset: u64,
    pub(crate) id: u8,
    pub(crate) body: &'a [u8],
}

impl Timed for Packet<'_> {
    fn time(&self) -> Option<Timestamp> {
        None
    }
}

/// Fixed look-ahead, whatever the input length.
const LOOK_AHEAD: usize = 1 << 16;

impl Format for Carla {
    type Header = Header;
    type Record<'a> = Packet<'a>;
    const NAME: &'static str = "carla";

    fn detect(start: &[u8]) -> bool {
        start.get(2..18) == Some(b"\x0e\0CARLA_RECORDER")
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        if input.len() < LOOK_AHEAD && !eof {
            return Ok(Step::Need(LOOK_AHEAD - input.len()));
        }
        let input = &input[..input.len().min(LOOK_AHEAD)];
        let Some(map_len) = input.get(26..).and_then(first::<u16>) else {
            return Ok(Step::Need(28 - input.len()));
        };
        if !Self::detect(input) {
            return Err(Error::magic(input, "a CARLA recording"));
        }
        let len = 28 + usize::from(map_len);
        let Some(map) = input.get(28..len) else { return Ok(Step::Need(len - input.len())) };
        let map = String::from_utf8_lossy(map).into_owned();
        Ok(Step::Ready(Header { map, vector_bits: vector_bits(&input[len..]) }, len))
    }

    fn measure(_: &Header, input: &[u8], _at: u64, _eof: bool) -> Result<Extent> {
        let Some(size) = input.get(1..).and_then(first::<u32>) else {
            return Ok(Extent::Need(5 - input.len()));
        };
        let len = usize::try_from(size).unwrap() + 5;
        Ok(if len <= input.len() { Extent::Whole(len) } else { Extent::Need(len - input.len()) })
    }

    fn record<'a>(_: &Header, raw: RawRecord<'a>) -> Result<Packet<'a>> {
        Ok(Packet { offset: raw.offset, id: raw.bytes[0], body: &raw.bytes[5..] })
    }

    /// A frame start of 24 bytes followed by another packet's header or the end.
    fn resync(_: &Header, input: &[u8], _at: u64, eof: bool) -> Search {
        let start = [0, 24, 0, 0, 0];
        for at in 0..input.len() {
            let rest = &input[at..];
            let next = rest.get(29..34);
            if rest.starts_with(&start) && (next.is_some_and(|p| p[0] < 30) || eof && rest.len() == 29) {
                return Search::Found(at);
            }
            if !eof && rest.len() < 34 {
                return Search::Beyond { skip: at, need: 34 - rest.len() };
            }
        }
        Search::Beyond { skip: input.len(), need: 1 }
    }
}

fn vector_bits(mut packets: &[u8]) -> Option<u8> {
    loop {
        let size = usize::try_from(packets.get(1..).and_then(first::<u32>)?).ok()?;
        let body = packets.get(5..5 + size)?;
        if packets[0] == 6
            && let Some(n @ 1..) = first::<u16>(body).map(usize::from)
        {
            return match (size - 2).checked_div(n) {
                Some(28) => Some(32),
                Some(52) => Some(64),
                _ => None,
            };
        }
        packets = &packets[5 + size..];
    }
}

/// Two frames, each of a start, two positions, a packet of an unknown kind, and an end.
pub(crate) fn recording(wide: bool) -> Vec<u8> {
    let mut file = b"\x01\0\x0e\0CARLA_RECORDER".to_vec();
    file.extend(1_700_000_000_i64.to_le_bytes());
    file.extend(b"\x06\0Town01");
    let mut packet = |id: u8, body: &[u8]| {
        file.push(id);
        file.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        file.extend(body);
    };
    for frame in 1..=2_u64 {
        packet(0, &[frame.to_le_bytes(), 0.05_f64.to_le_bytes(), 1.5_f64.to_le_bytes()].concat());
        let record = if wide { 52 } else { 28 };
        packet(6, &[vec![2, 0], vec![7; 2 * record]].concat());
        packet(200, &[1, 2, 3]);
        packet(1, &[]);
    }
    file
}
