//! Converts UDP payloads of Livox's SDKs to packages.
//!
//! A package of LVX 1.1 is the payload of SDK 1 after a device index; a package of LVX2 has the same points as the
//! payload of SDK 2 after its own header.

use robolog_core::{
    Result,
    format::Step,
    layout::{Layout as _, Packed as _},
    slices::Part as _,
};

use crate::{
    Package, Version,
    layout::{ImuData, LowPoint, PackageHeader1, PackageHeader2, Sdk2Header, TaggedPoint},
};

/// Appends the LVX 1.1 package for an SDK 1 `payload`. Returns whether it is one: a point or IMU packet of protocol
/// version 5, with exactly the length of its data type.
pub fn package_from_sdk1(device_index: u8, payload: &[u8], out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.push(device_index);
    out.extend_from_slice(payload);
    let package = out.part(start..);
    let is_one = PackageHeader1::peek(package).is_some_and(|head| head.version == 5)
        && matches!(Package::parse(Version::V1_1, package, 0), Ok(Step::Ready(_, len)) if len == package.len());
    if !is_one {
        out.truncate(start);
    }
    is_one
}

/// A package, as these functions make it.
pub fn package(version: Version, bytes: &[u8]) -> Option<Package<'_>> {
    match Package::parse(version, bytes, 0) {
        Ok(Step::Ready(package, _)) => Some(package),
        _ => None,
    }
}

/// Content of an SDK 2 payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sdk2 {
    /// Points: a package was appended.
    Points,
    /// An inertial measurement, which LVX2 cannot hold.
    Imu,
    /// Points that LVX2 cannot hold: spherical, or two returns.
    Other,
    /// Not a packet of SDK 2.
    Foreign,
}

/// Appends the LVX2 package for an SDK 2 `payload` from the LiDAR at `address`, if LVX2 can hold it.
pub fn package_from_sdk2(address: [u8; 4], payload: &[u8], out: &mut Vec<u8>) -> Result<Sdk2> {
    let (Some(head), Some(points)) = (Sdk2Header::peek(payload), payload.get(Sdk2Header::LEN..)) else {
        return Ok(Sdk2::Foreign);
    };
    if usize::from(head.length) != payload.len() {
        return Ok(Sdk2::Foreign);
    }
    let size = match head.data_type {
        0 if points.len() == ImuData::LEN => return Ok(Sdk2::Imu),
        1 => TaggedPoint::LEN,
        2 => LowPoint::LEN,
        3 | 0x11 => return Ok(Sdk2::Other),
        _ => return Ok(Sdk2::Foreign),
    };
    if usize::from(head.dot_num).checked_mul(size) != Some(points.len()) {
        return Ok(Sdk2::Foreign);
    }
    // A u16 count gives a length within 32 bits.
    let Ok(length) = u32::try_from(points.len()) else { return Ok(Sdk2::Foreign) };
    PackageHeader2 {
        version: head.version,
        lidar_id: u32::from_le_bytes(address),
        lidar_type: 8,
        timestamp_type: head.timestamp_type,
        timestamp: head.timestamp,
        udp_counter: head.udp_counter,
        data_type: head.data_type,
        length,
        frame_counter: head.frame_counter,
        reserved: [0; 4],
    }
    .encode(out)?;
    out.extend_from_slice(points);
    Ok(Sdk2::Points)
}
