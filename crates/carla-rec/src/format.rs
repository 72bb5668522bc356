//! How a recording is framed.

use robolog_core::{
    Decoded, Error, ErrorKind, Extent, Format, RawRecord, Result, Search, Step,
    layout::{Layout as _, LayoutWith as _, Packed as _, field, first},
    slices::missing,
};

use crate::{
    Decoder, Dialect, Header, Kind, Options, Record, Rewriter,
    layout::{
        BoundingBox, Collision, Deletion, FileHeader, FrameStart, Kinematics, Layout, MAGIC,
        PACKET_HEADER_LEN, PacketHeader, Parenting, Position, SceneLight, TrafficLightState,
        TrafficLightTimes, VehicleControl, VehicleLights, WalkerSpeed, Width,
    },
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
        field!(FileHeader, magic).of(start) == Some(MAGIC)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Header::parse(input, eof)
    }

    fn measure(_: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        if let Some(len) = agreeing(input) {
            return Ok(Extent::Whole(len));
        }
        let Some(PacketHeader { id, size }) = PacketHeader::peek(input) else {
            if eof && !input.is_empty() {
                let error = Error::truncated(missing(PACKET_HEADER_LEN, input), at);
                return Ok(torn(error.within("packet header")));
            }
            return Ok(Extent::Need(missing(PACKET_HEADER_LEN, input).max(1)));
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let len = packet_len(size);
        let name = name(id);
        match id {
            0 if size != frame_start_len() => {
                return Ok(torn(Error::invalid("packet size", size, frame_start_len(), at).within(name)));
            }
            1 if size != 0 => return Ok(torn(Error::invalid("packet size", size, 0, at).within(name))),
            2..=24 if size > HUGE => {
                return Ok(torn(Error::invalid("packet size", size, "at most 64 MiB", at).within(name)));
            }
            _ => {}
        }
        if let Some([narrow, wide]) = record_sizes(id) {
            let Some(count) = count(input) else {
                return Ok(more(RECORDS, input, at, eof, name));
            };
            let filled =
                |record| size.checked_sub(u16::LEN).is_some_and(|records| fits(count, records, record));
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
        let whole = packet_len(frame_start_len());
        let starts = |rest: &[u8]| {
            is_frame_start(rest) && rest.get(whole..).is_some_and(|rest| rest.is_empty() || is_header(rest))
        };
        let mut at = 0_usize;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            if rest.first() == Some(&0) {
                if !eof && rest.len() < packet_len(whole) {
                    let need = missing(packet_len(whole), rest);
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

impl Decoded for CarlaRec {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Rewriter<W>;
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

/// Bytes before a packet's records: its header, and their count.
const RECORDS: usize = PACKET_HEADER_LEN + u16::LEN;

/// Bytes of a packet whose body has this size, which may be anything.
#[inline]
pub(crate) const fn packet_len(size: usize) -> usize {
    size.saturating_add(PACKET_HEADER_LEN)
}

/// Length of a packet body: the count, then `count` records of `size` bytes.
#[inline]
fn body_len(count: u16, size: usize) -> usize {
    usize::from(count).saturating_mul(size).saturating_add(u16::LEN)
}

/// How many records the packet at the start of `input` claims.
#[inline]
fn count(input: &[u8]) -> Option<u16> {
    first(input.get(PACKET_HEADER_LEN..)?)
}

/// Bytes of the body of the packet that begins a frame.
#[inline]
fn frame_start_len() -> usize {
    FrameStart::len(Width::F32)
}

/// Bytes of a record in packets where all have one size: with vectors of floats and of doubles.
#[inline]
fn record_sizes(id: u8) -> Option<[usize; 2]> {
    #[inline]
    fn of<T: Layout>() -> [usize; 2] {
        [T::len(Width::F32), T::len(Width::F64)]
    }
    Some(match id {
        3 => of::<Deletion>(),
        4 => of::<Parenting>(),
        5 => of::<Collision>(),
        6 => of::<Position>(),
        7 => of::<TrafficLightState>(),
        8 => of::<VehicleControl>(),
        9 => of::<WalkerSpeed>(),
        10 => of::<VehicleLights>(),
        11 => of::<SceneLight>(),
        12 => of::<Kinematics>(),
        13 | 17 => of::<BoundingBox>(),
        16 => of::<TrafficLightTimes>(),
        _ => return None,
    })
}

/// The length of a packet that is there whole and whose count and size agree: of nearly every one.
fn agreeing(input: &[u8]) -> Option<usize> {
    let PacketHeader { id, size } = PacketHeader::peek(input)?;
    let size = usize::try_from(size).ok()?;
    let count = || count(input);
    let agrees = match id {
        0 => size == frame_start_len(),
        1 => size == 0,
        2 | 15 | 19 | 21..=24 => size == u16::LEN && count() == Some(0),
        _ => {
            let [narrow, _] = record_sizes(id)?;
            size == body_len(count()?, narrow)
        }
    };
    let len = packet_len(size);
    (agrees && len <= input.len()).then_some(len)
}

/// Damage with nothing good before it.
fn torn(error: Error) -> Extent {
    Extent::Torn { len: 0, error }
}

/// More bytes than are there: this many, or at the end of the input, none.
fn more(len: usize, input: &[u8], at: u64, eof: bool, name: &'static str) -> Extent {
    let missing = missing(len, input);
    if eof { torn(Error::truncated(missing, at).within(name)) } else { Extent::Need(missing) }
}

#[cold]
fn misfit(size: usize, count: u16, at: u64, name: &'static str) -> Error {
    Error::invalid("packet size", size, format_args!("that of {count} records"), at).within(name)
}

/// Whether bytes can be the header of a packet. Short ones cannot.
fn is_header(bytes: &[u8]) -> bool {
    let Some(PacketHeader { id, size }) = PacketHeader::peek(bytes) else { return false };
    match id {
        0 => usize::try_from(size) == Ok(frame_start_len()),
        1 => size == 0,
        14 | 20 => usize::try_from(size) == Ok(f64::LEN),
        2..=24 => (2..1 << 24).contains(&size),
        _ => size < 1 << 24,
    }
}

/// Whether the packet that begins a frame can stand here, with numbers that can be.
fn is_frame_start(bytes: &[u8]) -> bool {
    let is_right = |head: PacketHeader| head.id == 0 && usize::try_from(head.size) == Ok(frame_start_len());
    PacketHeader::peek(bytes).is_some_and(is_right) && has_frame_numbers(bytes)
}

/// Whether the packet that begins a frame has numbers that can be.
fn has_frame_numbers(packet: &[u8]) -> bool {
    let body = packet.get(PACKET_HEADER_LEN..).unwrap_or_default();
    FrameStart::peek(body, Width::F32).is_some_and(|start| {
        start.frame < 1 << 40 && (-1.0..1e9).contains(&start.duration) && (0.0..1e9).contains(&start.elapsed)
    })
}

/// Whether `bytes` begin with the headers of two packets of CARLA's own, or are the end of the input after none or
/// one. An error: that takes more bytes, and how many.
fn is_followed(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| usize::try_from(PacketHeader::peek(rest)?.size).ok())
}

/// The same, where each packet's size is the one that `size` finds.
fn follow(bytes: &[u8], eof: bool, size: impl Fn(&[u8]) -> Option<usize>) -> Result<bool, usize> {
    let mut rest = bytes;
    for _ in 0..2 {
        if rest.is_empty() && eof {
            return Ok(true);
        }
        if rest.len() < PACKET_HEADER_LEN {
            return if eof { Ok(false) } else { Err(missing(PACKET_HEADER_LEN, rest)) };
        }
        let id = rest.first().copied().unwrap_or_default();
        if !is_header(rest) || id > 24 {
            return Ok(false);
        }
        let whole = packet_len(frame_start_len());
        if id == 0 && rest.len() < whole && !eof {
            return Err(missing(whole, rest));
        }
        if id == 0 && !has_frame_numbers(rest) {
            return Ok(false);
        }
        let len = packet_len(size(rest).unwrap_or(usize::MAX));
        rest = match rest.get(len..) {
            Some(rest) => rest,
            None if eof => return Ok(false),
            None => return Err(missing(len, rest)),
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
        let need = missing(PACKET_HEADER_LEN, next);
        return if eof { Extent::Whole(len) } else { Extent::Need(need) };
    }
    let body = input.get(PACKET_HEADER_LEN..len).unwrap_or_default();
    if is_header(next) || Kind::vouches(id, body) {
        return Extent::Whole(len);
    }
    torn(Error::invalid("packet size", body.len(), "one that leads to another packet", at).within(name))
}

/// UE5 builds of 2024 wrote vectors of floats, but sizes as of doubles. It is reported when the following bytes show it.
fn early_ue5(input: &[u8], len: usize, count: u16, at: u64, eof: bool, name: &'static str) -> Extent {
    // All packets with vectors that are asked for here have records of one size.
    let narrow = Kinematics::len(Width::F32);
    let Some(next) = input.get(len..) else {
        let short = packet_len(body_len(count, narrow));
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
    let short = packet_len(body_len(count, narrow));
    match input.get(short..).map(|rest| is_followed_by_half(rest, eof)) {
        Some(Ok(true)) => torn(half_widened(at, name)),
        Some(Err(need)) => Extent::Need(need),
        _ => Extent::Whole(len),
    }
}

/// Like [`is_followed`], where packets with vectors take half of what they claim.
fn is_followed_by_half(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| {
        let PacketHeader { id, size } = PacketHeader::peek(rest)?;
        let size = usize::try_from(size).ok()?;
        match (id, record_sizes(id)) {
            // A count and wide records, so they say; the records are narrow.
            (12 | 13 | 17, Some([narrow, wide])) => {
                size.checked_sub(u16::LEN)?.checked_div(wide)?.checked_mul(narrow)?.checked_add(u16::LEN)
            }
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
