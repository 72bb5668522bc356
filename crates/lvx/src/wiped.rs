//! Wiped headers, reconstructed from the first frame: the offset in its header shows where the file header ended.

use robolog_core::{
    Result,
    format::Step,
    layout::Packed as _,
    slices::{InRange as _, Part as _, missing, past},
};

use crate::{
    Device, Version, chain, device,
    layout::{FrameHeader10, PackageHeader2, current_offset},
    record::FrameHead,
};

/// In the order tried. LVX3 points cannot be recognised.
const VERSIONS: [Version; 3] = [Version::V1_1, Version::V2_0, Version::V1_0];
/// Maximum number of devices in a header.
const DEVICES: usize = u8::MAX as usize;

/// A version, and what remains of the devices.
pub(crate) type Told = (Version, Vec<Device>);

/// The version and the devices for which the first frame fits, and the offset of that frame; `None` if none does.
pub(crate) fn header(input: &[u8], eof: bool) -> Result<Option<Step<Told>>> {
    let reach = Version::V2_0.device_offset(DEVICES).plus(FrameHeader10::LEN + PackageHeader2::LEN);
    if input.len() < reach && !eof {
        return Ok(Some(Step::Need(missing(reach, input))));
    }
    let mut all = VERSIONS.iter().flat_map(|version| (0..=DEVICES).map(|count| (*version, count)));
    let Some((version, count)) = all.find(|(version, count)| fits(*version, *count, input)) else {
        return Ok(None);
    };
    let start = version.device_offset(count);
    let mut devices = Vec::new();
    for number in 0..count {
        let (from, to) = (version.device_offset(number), version.device_offset(number.plus(1)));
        devices.push(device::parse(version, input.part(from..to), from as u64)?);
    }
    Ok(Some(Step::Ready((version, devices), start)))
}

/// Whether a frame of this version follows this many devices: one with its own offset, a valid next offset, and a
/// package at its start.
fn fits(version: Version, count: usize, input: &[u8]) -> bool {
    let start = version.device_offset(count);
    let at = start as u64;
    let Some(rest) = input.get(start..).filter(|rest| current_offset(rest) == Some(at)) else { return false };
    let Ok(head) = FrameHead::decode(version, rest, at) else { return false };
    let body = rest.part(version.frame_header_len()..);
    let begin = past(at, version.frame_header_len());
    let Some(len) = head.next_offset.checked_sub(begin).and_then(|len| usize::try_from(len).ok()) else {
        return false;
    };
    let next = body.get(len..).and_then(current_offset);
    next.is_none_or(|offset| offset == head.next_offset) && (len == 0 || chain::begins(version, body))
}
