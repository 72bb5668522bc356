//! UDP payloads of Livox's SDKs as packages.
//!
//! A package of LVX 1.1 is the payload of SDK 1 behind a device index; a package of LVX2 has the same points as the
//! payload of SDK 2 behind a header of its own.

use robolog_core::{
    Result, Step,
    layout::{u16_at, u64_at, write_layout},
};

use crate::{Package, Version, layout::PackageHeader2};

/// Length of SDK 2's packet header: u8 version, u16 length of the packet, u16 interval, u16 number of points, u16
/// packet counter, u8 frame counter, u8 data type, u8 timestamp type, 12 reserved, u32 checksum, u64 timestamp.
const SDK2_HEADER: usize = 36;

/// Appends the package that an SDK 1 `payload` becomes in LVX 1.1. Returns whether it is one: a point or IMU packet
/// of protocol version 5, of exactly the length its data type demands.
pub fn package_from_sdk1(device_index: u8, payload: &[u8], out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.push(device_index);
    out.extend_from_slice(payload);
    let package = out.get(start..).unwrap_or_default();
    let is_one = package.get(1) == Some(&5)
        && matches!(Package::parse(Version::V1_1, package, 0), Ok(Step::Ready(_, len)) if len == package.len());
    if !is_one {
        out.truncate(start);
    }
    is_one
}

/// What an SDK 2 payload holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sdk2 {
    /// Points: a package was appended.
    Points,
    /// An inertial measurement, for which LVX2 has no place.
    Imu,
    /// Points in a form for which LVX2 has no place: spherical, or two returns.
    Other,
    /// No packet of SDK 2.
    Foreign,
}

/// Appends the package that an SDK 2 `payload` from the LiDAR at `address` becomes in LVX2, when LVX2 can hold it.
pub fn package_from_sdk2(address: [u8; 4], payload: &[u8], out: &mut Vec<u8>) -> Result<Sdk2> {
    let (Some(length), Some(dots), Some(udp_counter), Some(timestamp), Some(points)) = (
        u16_at(payload, 1),
        u16_at(payload, 5),
        u16_at(payload, 7),
        u64_at(payload, 28),
        payload.get(SDK2_HEADER..),
    ) else {
        return Ok(Sdk2::Foreign);
    };
    if usize::from(length) != payload.len() {
        return Ok(Sdk2::Foreign);
    }
    let byte = |at: usize| payload.get(at).copied().unwrap_or_default();
    let (frame_counter, data_type, timestamp_type) = (byte(9), byte(10), byte(11));
    let size = match data_type {
        0 if points.len() == 24 => return Ok(Sdk2::Imu),
        1 => 14_usize,
        2 => 8,
        3 | 0x11 => return Ok(Sdk2::Other),
        _ => return Ok(Sdk2::Foreign),
    };
    if usize::from(dots).checked_mul(size) != Some(points.len()) {
        return Ok(Sdk2::Foreign);
    }
    let head = PackageHeader2 {
        version: byte(0),
        lidar_id: u32::from_le_bytes(address),
        lidar_type: 8,
        timestamp_type,
        timestamp,
        udp_counter,
        data_type,
        length: u32::try_from(points.len()).unwrap_or_default(),
        frame_counter,
        reserved: [0; 4],
    };
    write_layout(&head, out)?;
    out.extend_from_slice(points);
    Ok(Sdk2::Points)
}
