//! How a recording is framed.

use robolog_core::{
    Error, ErrorKind, Extent, Format, RawRecord, Recording, Result, Search, Step,
    layout::{u16_at, u32_at, u64_at},
};

use crate::{
    Dialect, Header, Kind, Options, Record, Rewriter, Sampler, Survey,
    layout::{MAGIC_WITH_LENGTH, PACKET_HEADER_LEN},
    rows::fits,
};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum CarlaRec {}

/// Larger packets than this are looked at twice: a frame of a thousand vehicles takes some 100 kB.
const LARGE: usize = 1 << 20;
/// No packet of CARLA's own is larger: not with 65535 actors in it.
const HUGE: usize = 64 << 20;

impl Format for CarlaRec {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "carla-rec";

    fn detect(start: &[u8]) -> bool {
        start.get(2..18) == Some(MAGIC_WITH_LENGTH)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    fn measure(_: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        if let Some(len) = agreeing(input) {
            return Ok(Extent::Whole(len));
        }
        let (Some(id), Some(size)) = (input.first().copied(), u32_at(input, 1)) else {
            if eof && !input.is_empty() {
                let error = Error::truncated(PACKET_HEADER_LEN.saturating_sub(input.len()), at);
                return Ok(torn(error.within("packet header")));
            }
            return Ok(Extent::Need(PACKET_HEADER_LEN.saturating_sub(input.len()).max(1)));
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let len = size.saturating_add(PACKET_HEADER_LEN);
        let name = name(id);
        match id {
            0 if size != 24 => return Ok(torn(Error::invalid("packet size", size, 24, at).within(name))),
            1 if size != 0 => return Ok(torn(Error::invalid("packet size", size, 0, at).within(name))),
            2..=24 if size > HUGE => {
                return Ok(torn(Error::invalid("packet size", size, "at most 64 MiB", at).within(name)));
            }
            _ => {}
        }
        if let Some([narrow, wide]) = record_sizes(id) {
            let Some(count) = u16_at(input, PACKET_HEADER_LEN) else {
                return Ok(more(7, input, at, eof, name));
            };
            let filled = |record| size.checked_sub(2).is_some_and(|records| fits(count, records, record));
            // What its records do not fill is only believed when other packets follow it.
            if !filled(narrow) && !filled(wide) {
                return Ok(if size > LARGE {
                    torn(misfit(size, count, at, name))
                } else {
                    doubtful(input, len, count, at, eof, name)
                });
            }
            if matches!(id, 12 | 13 | 17) && narrow != wide && count > 0 && filled(wide) {
                return Ok(early_ue5(input, len, count, at, eof, name));
            }
        }
        if len > input.len() {
            return Ok(more(len, input, at, eof, name));
        }
        Ok(if matches!(id, 2 | 15 | 19 | 21..) {
            varying(id, input, len, at, eof, name)
        } else {
            Extent::Whole(len)
        })
    }

    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(header, raw))
    }

    /// The start of a frame with numbers that can be, and another packet behind it.
    fn resync(_: &Header, input: &[u8], _at: u64, eof: bool) -> Search {
        const LEN: usize = FRAME_START_LEN;
        let starts = |rest: &[u8]| {
            rest.starts_with(&[0, 24, 0, 0, 0])
                && has_frame_numbers(rest)
                && rest.get(LEN..).is_some_and(|rest| rest.is_empty() || is_header(rest))
        };
        let mut at = 0_usize;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            if rest.first() == Some(&0) {
                if !eof && rest.len() < LEN.saturating_add(PACKET_HEADER_LEN) {
                    let need = LEN.saturating_add(PACKET_HEADER_LEN).saturating_sub(rest.len());
                    return Search::Beyond { skip: at, need };
                }
                if starts(rest) {
                    return Search::Found(at);
                }
            }
            at = at.saturating_add(1);
        }
        Search::Beyond { skip: input.len(), need: 1 }
    }
}

impl Recording for CarlaRec {
    type Survey = Survey;
    type Sampler = Sampler;
    type Rewriter<W: std::io::Write + std::io::Seek> = Rewriter<W>;
    const EXTENSIONS: &'static [&'static str] = &["log", "rec"];

    fn apply_options(header: &mut Header, options: &Options) {
        if let Some(release) = options.dialect {
            header.dialect = Dialect::of(release);
        }
    }
}

/// What errors call a packet.
fn name(id: u8) -> &'static str {
    const NAMES: [&str; 21] = [
        "packet 0 (FrameStart)",
        "packet 1 (FrameEnd)",
        "packet 2 (EventAdd)",
        "packet 3 (EventDel)",
        "packet 4 (EventParent)",
        "packet 5 (Collision)",
        "packet 6 (Position)",
        "packet 7 (State)",
        "packet 8 (AnimVehicle)",
        "packet 9 (AnimWalker)",
        "packet 10 (VehicleLight)",
        "packet 11 (SceneLight)",
        "packet 12 (Kinematics)",
        "packet 13 (BoundingBox)",
        "packet 14 (PlatformTime)",
        "packet 15 (PhysicsControl)",
        "packet 16 (TrafficLightTime)",
        "packet 17 (TriggerVolume)",
        "packet 18 (FrameCounter)",
        "packet 19 (WalkerBones)",
        "packet 20 (VisualTime)",
    ];
    const SHIFTING: [&str; 4] = ["packet 21", "packet 22", "packet 23", "packet 24"];
    let known = NAMES.get(usize::from(id));
    let shifting = id.checked_sub(21).and_then(|i| SHIFTING.get(usize::from(i)));
    known.or(shifting).copied().unwrap_or("packet of an unknown kind")
}

/// Bytes of a record in packets where all have one size: with vectors of floats and of doubles.
const fn record_sizes(id: u8) -> Option<[usize; 2]> {
    Some(match id {
        3 => [4, 4],
        4 | 9 | 10 => [8, 8],
        5 => [14, 14],
        6 | 12 | 13 | 17 => [28, 52],
        7 => [10, 10],
        8 => [21, 21],
        11 => [26, 26],
        16 => [16, 16],
        _ => return None,
    })
}

/// The length of a packet that is there whole and whose count and size agree: of nearly every one.
fn agreeing(input: &[u8]) -> Option<usize> {
    let id = *input.first()?;
    let size = usize::try_from(u32_at(input, 1)?).ok()?;
    let count = || u16_at(input, PACKET_HEADER_LEN).map(usize::from);
    let agrees = match id {
        0 => size == 24,
        1 => size == 0,
        2 | 15 | 19 | 21..=24 => size == 2 && count() == Some(0),
        _ => {
            let [narrow, _] = record_sizes(id)?;
            size == count()?.saturating_mul(narrow).saturating_add(2)
        }
    };
    let len = size.saturating_add(PACKET_HEADER_LEN);
    (agrees && len <= input.len()).then_some(len)
}

/// Damage with nothing good before it.
fn torn(error: Error) -> Extent {
    Extent::Torn { len: 0, error }
}

/// More bytes than are there: so many, or at the end of the input, none.
fn more(len: usize, input: &[u8], at: u64, eof: bool, name: &'static str) -> Extent {
    let missing = len.saturating_sub(input.len());
    if eof { torn(Error::truncated(missing, at).within(name)) } else { Extent::Need(missing) }
}

#[cold]
fn misfit(size: usize, count: u16, at: u64, name: &'static str) -> Error {
    Error::invalid("packet size", size, format_args!("that of {count} records"), at).within(name)
}

/// Whether bytes can be the header of a packet. Short ones cannot.
fn is_header(bytes: &[u8]) -> bool {
    let (Some(id), Some(size)) = (bytes.first().copied(), u32_at(bytes, 1)) else { return false };
    match id {
        0 => size == 24,
        1 => size == 0,
        14 | 20 => size == 8,
        2..=24 => (2..1 << 24).contains(&size),
        _ => size < 1 << 24,
    }
}

/// Bytes of the packet that begins a frame.
const FRAME_START_LEN: usize = 29;

/// Whether the packet that begins a frame has numbers that can be.
fn has_frame_numbers(packet: &[u8]) -> bool {
    u64_at(packet, 5).is_some_and(|frame| frame < 1 << 40)
        && [(13, -1.0), (21, 0.0)].iter().all(|(at, least)| {
            let seconds = u64_at(packet, *at).map(f64::from_bits);
            seconds.is_some_and(|s| (*least..1e9).contains(&s))
        })
}

/// Whether `bytes` begin with the headers of two packets of CARLA's own, or are the end of the input after none or
/// one. An error: that takes more bytes, and so many.
fn is_followed(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| u32_at(rest, 1).and_then(|size| usize::try_from(size).ok()))
}

/// The same, where each packet's size is the one that `size` finds.
fn follow(bytes: &[u8], eof: bool, size: impl Fn(&[u8]) -> Option<usize>) -> Result<bool, usize> {
    let mut rest = bytes;
    for _ in 0..2 {
        if rest.is_empty() && eof {
            return Ok(true);
        }
        if rest.len() < PACKET_HEADER_LEN {
            return if eof { Ok(false) } else { Err(PACKET_HEADER_LEN.saturating_sub(rest.len())) };
        }
        let id = rest.first().copied().unwrap_or_default();
        if !is_header(rest) || id > 24 {
            return Ok(false);
        }
        if id == 0 && rest.len() < FRAME_START_LEN && !eof {
            return Err(FRAME_START_LEN.saturating_sub(rest.len()));
        }
        if id == 0 && !has_frame_numbers(rest) {
            return Ok(false);
        }
        let len = size(rest).unwrap_or(usize::MAX).saturating_add(PACKET_HEADER_LEN);
        rest = match rest.get(len..) {
            Some(rest) => rest,
            None if eof => return Ok(false),
            None => return Err(len.saturating_sub(rest.len())),
        };
    }
    Ok(true)
}

/// A packet that its records do not fill: of a fork that has other fields there, or damaged.
#[cold]
fn doubtful(input: &[u8], len: usize, count: u16, at: u64, eof: bool, name: &'static str) -> Extent {
    let Some(next) = input.get(len..) else { return more(len, input, at, eof, name) };
    match is_followed(next, eof) {
        Ok(true) => Extent::Whole(len),
        Ok(false) => torn(misfit(len.saturating_sub(PACKET_HEADER_LEN), count, at, name)),
        Err(need) => Extent::Need(need),
    }
}

/// A packet whose size nothing vouches for but what it holds, or what follows it.
fn varying(id: u8, input: &[u8], len: usize, at: u64, eof: bool, name: &'static str) -> Extent {
    let next = input.get(len..).unwrap_or_default();
    if next.len() < PACKET_HEADER_LEN {
        // The end of the input, be it a whole packet's or not, vouches for nothing and disproves nothing.
        let need = PACKET_HEADER_LEN.saturating_sub(next.len());
        return if eof { Extent::Whole(len) } else { Extent::Need(need) };
    }
    let body = input.get(PACKET_HEADER_LEN..len).unwrap_or_default();
    if is_header(next) || Kind::vouches(id, body) {
        return Extent::Whole(len);
    }
    torn(Error::invalid("packet size", body.len(), "one that leads to another packet", at).within(name))
}

/// UE5 builds of 2024 wrote vectors of floats, but sizes as of doubles. When what follows tells so, that is said.
fn early_ue5(input: &[u8], len: usize, count: u16, at: u64, eof: bool, name: &'static str) -> Extent {
    let Some(next) = input.get(len..) else {
        let short = usize::from(count).saturating_mul(28).saturating_add(7);
        // At the end of the input it may be one whose size says too much.
        return match input.get(short..).filter(|_| eof).map(|rest| is_followed_by_half(rest, eof)) {
            Some(Ok(true)) => torn(half_widened(at, name)),
            _ => more(len, input, at, eof, name),
        };
    };
    match is_followed(next, eof) {
        Ok(true) => return Extent::Whole(len),
        Ok(false) => {}
        Err(need) => return Extent::Need(need),
    }
    let short = usize::from(count).saturating_mul(28).saturating_add(7);
    match input.get(short..).map(|rest| is_followed_by_half(rest, eof)) {
        Some(Ok(true)) => torn(half_widened(at, name)),
        Some(Err(need)) => Extent::Need(need),
        _ => Extent::Whole(len),
    }
}

/// Like [`is_followed`], where packets with vectors take half of what they claim.
fn is_followed_by_half(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| {
        let size = usize::try_from(u32_at(rest, 1)?).ok()?;
        match rest.first()? {
            // A count and records of 52 bytes, so they say; the records take 28.
            12 | 13 | 17 => size.checked_sub(2)?.checked_div(52)?.checked_mul(28)?.checked_add(2),
            _ => Some(size),
        }
    })
}

#[cold]
fn half_widened(at: u64, name: &'static str) -> Error {
    let kind = ErrorKind::Unsupported {
        what: "a recording of an early UE5 build",
        why: "its packets claim vectors of doubles and hold floats; the build itself could not read it",
    };
    Error::new(kind, at).within(name)
}
