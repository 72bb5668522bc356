//! Packages without a frame header, as found after damage inside a frame.

use robolog_core::{
    Error,
    format::{Extent, Step},
    layout::{Layout as _, Packed as _},
    slices::{InRange as _, Part as _, missing, past},
};

use crate::{
    DataType, DeviceId, Header, Package, Version,
    fixed::{LIDARS, SLOTS},
    layout::{ImuData, PackageHeader1, PackageHeader2, current_offset},
};

/// Classification of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Packages,
    Other,
    /// Undecided without at least this many more bytes.
    Need(usize),
}

/// Maximum length of a fragment in bytes; a longer one is continued by another.
const LONGEST: usize = 1 << 20;
/// Maximum bytes of points in a UDP packet.
const MOST_POINTS: usize = 65_507;

/// The length of the package that begins with these bytes. `None` if a field of its header has a value that no device
/// writes, if the recording does not list its device, and always for LVX3.
fn package_len(version: Version, input: &[u8], is_listed: impl Fn(DeviceId) -> bool) -> Option<usize> {
    match version {
        Version::V1_0 | Version::V1_1 => {
            let head = PackageHeader1::peek(input)?;
            let is_valid = head.version == 5
                && SLOTS.contains(&head.slot_id)
                && LIDARS.contains(&head.lidar_id)
                && head.reserved == 0
                && head.timestamp_type <= 5
                && is_listed(DeviceId::Index(head.device_index));
            let payload = DataType::of(version, head.data_type, 0, 0)?.payload_len()?;
            is_valid.then_some(PackageHeader1::LEN.plus(payload))
        }
        Version::V2_0 => {
            let head = PackageHeader2::peek(input)?;
            let payload = usize::try_from(head.length).ok()?;
            let data_type = DataType::of(version, head.data_type, head.lidar_type, head.length)?;
            let (size, _) = if data_type == DataType::Imu { (ImuData::LEN, 0) } else { data_type.entry()? };
            let is_valid = head.version == 0
                && matches!(head.lidar_type, 1 | 2 | 4 | 8)
                && head.timestamp_type <= 2
                && (1..=MOST_POINTS).contains(&payload)
                && payload.is_multiple_of(size)
                && is_listed(DeviceId::Lidar(head.lidar_id));
            is_valid.then(|| PackageHeader2::LEN.plus(payload))
        }
        Version::V2_4 => None,
    }
}

/// Like [`package_len`], for a recording with this header.
fn listed_len(header: &Header, input: &[u8]) -> Option<usize> {
    let is_listed = |id| header.devices().is_empty() || header.device(id).is_some();
    package_len(header.version(), input, is_listed)
}

/// Whether a package begins here, judged by its header alone.
pub(crate) fn is_head(header: &Header, input: &[u8]) -> bool {
    listed_len(header, input).is_some()
}

/// Whether a package begins here, from any device.
pub(crate) fn begins(version: Version, input: &[u8]) -> bool {
    package_len(version, input, |_| true).is_some()
}

/// Whether `input` consists of packages, from any devices.
pub(crate) fn is_all_packages(version: Version, mut input: &[u8]) -> bool {
    while let Some(rest) = package_len(version, input, |_| true).and_then(|len| input.get(len..)) {
        if rest.is_empty() {
            return true;
        }
        input = rest;
    }
    false
}

/// Whether a package begins here, followed by another one, a frame, or the end.
pub(crate) fn judge(header: &Header, input: &[u8], at: u64, eof: bool) -> Verdict {
    let more = |len| if eof { Verdict::Other } else { Verdict::Need(missing(len, input)) };
    let head_len = header.version().package_header_len();
    if input.len() < head_len {
        return more(head_len);
    }
    let Some(len) = listed_len(header, input) else { return Verdict::Other };
    let Some(rest) = input.get(len..) else { return more(len) };
    if (rest.is_empty() && eof) || current_offset(rest) == Some(past(at, len)) {
        return Verdict::Packages;
    }
    if rest.len() < head_len {
        return more(len.plus(head_len));
    }
    if is_head(header, rest) { Verdict::Packages } else { Verdict::Other }
}

/// Whether the package at the start of `input` has another length than its header says: with the length of another data
/// type, it is followed by packages, a frame, or the end. For packages not followed by any of these.
fn has_wrong_type(header: &Header, input: &[u8], at: u64, eof: bool) -> Verdict {
    const LVX1: [usize; 9] = [24, 660, 768, 900, 960, 1260, 1300, 1344, 1344];
    const LVX2: [usize; 2] = [768, 1344];
    let payloads = if header.version() == Version::V1_1 { &LVX1[..] } else { &LVX2[..] };
    for payload in payloads {
        let len = header.version().package_header_len().plus(*payload);
        let Some(rest) = input.get(len..) else {
            if eof {
                continue;
            }
            return Verdict::Need(missing(len, input).max(1));
        };
        if (rest.is_empty() && eof) || current_offset(rest) == Some(past(at, len)) {
            return Verdict::Packages;
        }
        match judge(header, rest, past(at, len), eof) {
            Verdict::Other => {}
            verdict => return verdict,
        }
    }
    Verdict::Other
}

/// The end of a frame's good packages, and what follows them.
#[derive(Debug)]
pub(crate) struct Good {
    pub(crate) len: usize,
    /// Start of the last one.
    last: Option<usize>,
    pub(crate) end: End,
}

/// What follows good packages.
#[derive(Debug)]
pub(crate) enum End {
    /// The end of the input.
    Input,
    /// A frame.
    Frame,
    /// The start of a package, this many bytes short.
    Short(usize),
    /// Undecided without more bytes.
    Unknown,
    /// Bytes that cannot be a package.
    Other,
}

/// Walks the packages of the frame at the start of `input` up to the first that cannot be one, judged by its header, or
/// if that is odd, by what follows it.
pub(crate) fn good_packages(header: &Header, input: &[u8], at: u64, eof: bool) -> Good {
    let version = header.version();
    let (mut len, mut last) = (version.frame_header_len(), None);
    let end = loop {
        let (rest, offset) = (input.part(len..), past(at, len));
        if rest.is_empty() && eof {
            break End::Input;
        }
        if current_offset(rest) == Some(offset) {
            break End::Frame;
        }
        let package = match Package::parse(version, rest, offset) {
            Ok(Step::Ready(_, package)) => package,
            Ok(Step::Need(_)) if !eof => break End::Unknown,
            Ok(Step::Need(n)) => break End::Short(n),
            Err(_) => break End::Other,
        };
        let behind = rest.part(package..);
        if !is_head(header, rest) && !is_head(header, behind) {
            if behind.len() < version.package_header_len() && !eof {
                break End::Unknown;
            }
            if !behind.is_empty() && current_offset(behind) != Some(past(offset, package)) {
                break End::Other;
            }
        }
        (last, len) = (Some(len), len.plus(package));
    };
    Good { len, last, end }
}

/// Length of the good part of a `frame` that its packages do not fill.
pub(crate) fn good_len(header: &Header, frame: &[u8], at: u64) -> usize {
    let good = good_packages(header, frame, at, true);
    let is_doubtful = |last: &usize| {
        let input = frame.part(*last..);
        has_wrong_type(header, input, past(at, *last), true) == Verdict::Packages
    };
    good.last.filter(is_doubtful).unwrap_or(good.len)
}

/// The packages at the start of `input`, where no frame is: up to the next frame, the end, or damage. `None` if there
/// are none.
pub(crate) fn fragment(header: &Header, input: &[u8], at: u64, eof: bool) -> Option<Extent> {
    match judge(header, input, at, eof) {
        Verdict::Packages => {}
        Verdict::Other => return None,
        Verdict::Need(n) => return Some(Extent::Need(n)),
    }
    let head_len = header.version().package_header_len();
    let (mut pos, mut last) = (0_usize, 0);
    // Twice the current length, so that the walk does not restart for every package.
    let more = |n: usize| Some(Extent::Need(n.max(input.len())));
    loop {
        let (rest, offset) = (input.part(pos..), past(at, pos));
        let is_end = (rest.is_empty() && eof) || current_offset(rest) == Some(offset);
        if pos > 0 && (is_end || pos >= LONGEST) {
            return Some(Extent::Whole(pos));
        }
        let len = if rest.len() < head_len { Some(head_len) } else { listed_len(header, rest) };
        match len {
            Some(len) if rest.len() >= len => (last, pos) = (pos, pos.plus(len)),
            Some(len) if eof => {
                let error = Error::truncated(missing(len, rest), offset).within("lvx package");
                return Some(Extent::Torn { len: pos, error });
            }
            Some(len) => return more(missing(len, rest)),
            None => break,
        }
    }
    let doubtful = input.part(last..);
    match has_wrong_type(header, doubtful, past(at, last), eof) {
        Verdict::Packages if last > 0 => pos = last,
        Verdict::Need(n) => return more(n),
        Verdict::Packages | Verdict::Other => {}
    }
    Some(Extent::Torn { len: pos, error: no_package(past(at, pos)) })
}

/// The error after packages that are not followed by a valid one.
pub(crate) fn no_package(at: u64) -> Error {
    Error::unexpected("bytes that are no package of a device in the list", at).within("lvx frame")
}
