//! Framing of a recording.

use robolog_core::{
    Error, ErrorKind, Result,
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    layout::{Layout as _, LayoutWith as _, Packed as _, field, first},
    slices::{InRange as _, Part as _, missing, value_at},
};

use crate::{
    Copier, Decoder, Dialect, Header, Kind, Options, Record,
    layout::{
        BoundingBox, Collision, Deletion, FileHeader, FrameStart, Kinematics, Layout, MAGIC,
        PACKET_HEADER_LEN, PacketHeader, Parenting, Position, SceneLight, TrafficLightState,
        TrafficLightTimes, VehicleControl, VehicleLights, WalkerSpeed, Width,
    },
    rows::fits,
};

/// The format: an empty type, for [`robolog_core::Reader`] and the like.
#[derive(Debug, Clone, Copy)]
pub enum CarlaRec {}

/// Packets larger than this are checked twice: a frame of a thousand vehicles takes some 100 kB.
const LARGE: usize = 1 << 20;
/// CARLA's own packets are never larger, even with 65535 actors.
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
            // A body that its records do not fill is only accepted if other packets follow it.
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

    /// A frame start with plausible numbers, followed by another packet.
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
            at = at.plus(1);
        }
        Search::Beyond { skip: input.len(), need: 1 }
    }
}

impl Recording for CarlaRec {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["log", "rec"];

    fn apply_options(header: &mut Header, options: &Options) {
        if let Some(release) = options.dialect {
            header.dialect = Dialect::of(release);
        }
    }
}

/// Name of a packet in errors.
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

/// Bytes before a packet's records: its header and their count.
const RECORDS: usize = PACKET_HEADER_LEN + u16::LEN;

/// Bytes of a packet with a body of this size, which may be anything.
#[inline]
pub(crate) const fn packet_len(size: usize) -> usize {
    size.saturating_add(PACKET_HEADER_LEN)
}

/// Length of a packet body: the count, then `count` records of `size` bytes.
#[inline]
fn body_len(count: u16, size: usize) -> usize {
    usize::from(count).times(size).plus(u16::LEN)
}

/// Number of records that the packet at the start of `input` claims.
#[inline]
fn count(input: &[u8]) -> Option<u16> {
    first(input.get(PACKET_HEADER_LEN..)?)
}

/// Bytes of the body of a `FrameStart`.
#[inline]
fn frame_start_len() -> usize {
    FrameStart::len(Width::F32)
}

/// Bytes of a record in packets with records of one size: with vectors of floats and of doubles.
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

/// Length of a whole packet whose count and size agree, as in nearly every packet.
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

/// Needs more bytes than there are: this many, or none at the end of the input.
fn more(len: usize, input: &[u8], at: u64, eof: bool, name: &'static str) -> Extent {
    let missing = missing(len, input);
    if eof { torn(Error::truncated(missing, at).within(name)) } else { Extent::Need(missing) }
}

#[cold]
fn misfit(size: usize, count: u16, at: u64, name: &'static str) -> Error {
    Error::invalid("packet size", size, format_args!("that of {count} records"), at).within(name)
}

/// Whether bytes can be the header of a packet; false if there are too few.
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

/// Whether a `FrameStart` with plausible numbers can begin here.
fn is_frame_start(bytes: &[u8]) -> bool {
    let is_right = |head: PacketHeader| head.id == 0 && usize::try_from(head.size) == Ok(frame_start_len());
    PacketHeader::peek(bytes).is_some_and(is_right) && has_frame_numbers(bytes)
}

/// Whether a `FrameStart` has plausible numbers.
fn has_frame_numbers(packet: &[u8]) -> bool {
    let body = packet.part(PACKET_HEADER_LEN..);
    FrameStart::peek(body, Width::F32).is_some_and(|start| {
        start.frame < 1 << 40 && (-1.0..1e9).contains(&start.duration) && (-1.0..1e9).contains(&start.elapsed)
    })
}

/// Whether `bytes` begin with the headers of two of CARLA's own packets, or end after none or one. The error is the
/// number of bytes that are missing.
fn is_followed(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| usize::try_from(PacketHeader::peek(rest)?.size).ok())
}

/// The same, with packet sizes found by `size`.
fn follow(bytes: &[u8], eof: bool, size: impl Fn(&[u8]) -> Option<usize>) -> Result<bool, usize> {
    let mut rest = bytes;
    for _ in 0..2 {
        if rest.is_empty() && eof {
            return Ok(true);
        }
        if rest.len() < PACKET_HEADER_LEN {
            return if eof { Ok(false) } else { Err(missing(PACKET_HEADER_LEN, rest)) };
        }
        let id = value_at(rest, 0);
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

/// A packet that its records do not fill: from a fork with other fields, or damaged.
#[cold]
fn doubtful(input: &[u8], len: usize, count: u16, at: u64, eof: bool, name: &'static str) -> Extent {
    let Some(next) = input.get(len..) else { return more(len, input, at, eof, name) };
    match is_followed(next, eof) {
        Ok(true) => Extent::Whole(len),
        Ok(false) => torn(misfit(len.minus(PACKET_HEADER_LEN), count, at, name)),
        Err(need) => Extent::Need(need),
    }
}

/// A packet whose size only its content, or what follows it, can confirm.
fn varying(id: u8, input: &[u8], len: usize, at: u64, eof: bool, name: &'static str) -> Extent {
    let next = input.part(len..);
    if next.len() < PACKET_HEADER_LEN {
        // The end of the input, after a whole packet or not, confirms and disproves nothing.
        let need = missing(PACKET_HEADER_LEN, next);
        return if eof { Extent::Whole(len) } else { Extent::Need(need) };
    }
    let body = input.part(PACKET_HEADER_LEN..len);
    if is_header(next) || Kind::vouches(id, body) {
        return Extent::Whole(len);
    }
    torn(Error::invalid("packet size", body.len(), "one that leads to another packet", at).within(name))
}

/// UE5 builds of 2024 wrote vectors of floats, but sizes as of doubles. Reported if the following bytes show it.
fn early_ue5(input: &[u8], len: usize, count: u16, at: u64, eof: bool, name: &'static str) -> Extent {
    // All packets with vectors that come here have records of one size.
    let narrow = Kinematics::len(Width::F32);
    let Some(next) = input.get(len..) else {
        let short = packet_len(body_len(count, narrow));
        // At the end of the input its size may be too large.
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

/// Like [`is_followed`], with packets of vectors at half of their claimed size.
fn is_followed_by_half(bytes: &[u8], eof: bool) -> Result<bool, usize> {
    follow(bytes, eof, |rest| {
        let PacketHeader { id, size } = PacketHeader::peek(rest)?;
        let size = usize::try_from(size).ok()?;
        match (id, record_sizes(id)) {
            // The count and wide records match; the records are narrow.
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
