//! Checks of fields whose values the specification fixes: deviations are accepted by readers, and reported by a survey.

use std::{fmt::Arguments, ops::RangeInclusive};

use robolog_core::{
    Severity::{Note, Warning},
    format::SurveyBuilder,
    layout::{Packed as _, field},
};

use crate::{
    DataType, DeviceId, DeviceType, Header, Package, Version,
    layout::{FRAME_MS, NAME, PrivateHeader, PublicHeader},
};

/// Slots of a hub, and LiDARs in a slot: three in a Mid-100.
pub(crate) const SLOTS: RangeInclusive<u8> = 1..=9;
pub(crate) const LIDARS: RangeInclusive<u8> = 1..=3;

/// Checks the data before the frames.
pub(crate) fn header(header: &Header, notes: &mut SurveyBuilder) {
    if !header.has_valid_signature() {
        let at = field!(PublicHeader, signature).at(NAME.len() as u64);
        notes.find(Warning, "signature", at, format_args!("the signature does not end with six zeros"));
    }
    let (found, known) = (header.version_bytes(), header.version().bytes());
    if found != known {
        let [found, known] = [found, known].map(|bytes| bytes.map(|byte| byte.to_string()).join("."));
        let message = format_args!("version {found} is not published; it is read as {known}");
        notes.find(Warning, "version", field!(PublicHeader, version).at(0), message);
    }
    if !header.has_valid_magic() {
        let message = format_args!("wrong magic code: Livox Viewer refuses the file");
        notes.find(Warning, "magic-code", field!(PublicHeader, magic_code).at(0), message);
    }
    if let Some(ms) = header.frame_duration_ms().filter(|ms| *ms != FRAME_MS) {
        let at = field!(PrivateHeader, frame_duration).at(PublicHeader::LEN as u64);
        notes.find(Warning, "frame-duration", at, format_args!("frames of {ms} ms, not {FRAME_MS}"));
    }
    for late in header.late_clocks() {
        let name = header.device_name(late.device);
        let ms = late.after_ns / 1_000_000;
        let message = format_args!(
            "{name}: its clock got the date after {ms} ms; earlier stamps continue it backwards"
        );
        notes.find(Note, "late-clock", 0, message);
    }
    for (i, device) in header.devices().iter().enumerate() {
        let (at, id, sn) = (header.device_offset(i), device.id, device.sn_text());
        if let DeviceId::Index(index) = id
            && usize::from(index) != i
        {
            notes.find(
                Warning,
                "device-index",
                at,
                format_args!("{sn}: number {i} in the list has index {index}"),
            );
        }
        if header.devices().iter().take(i).any(|other| other.id == id) {
            notes.find(Warning, "duplicate-device", at, format_args!("{id} is listed more than once"));
        }
        if device.device_type.name().is_none() {
            notes.find(
                Warning,
                "device-type",
                at,
                format_args!("{sn}: device type {} is unknown", device.device_type.0),
            );
        }
        if let Some(enable @ 2..) = device.extrinsic_enable {
            let message = format_args!("{sn}: extrinsic enable is {enable}, not 0 or 1; taken for 1");
            notes.find(Warning, "extrinsic-enable", at, message);
        }
        if device.extrinsic_enable == Some(0) && device.is_mounted(header.version()) {
            let message = format_args!("{sn}: the file disables the extrinsic: its points are not moved");
            notes.find(Note, "extrinsic-disabled", at, message);
        }
        let e = device.extrinsic;
        if header.version() == Version::V2_0 && [e.x, e.y, e.z].iter().any(|v| v.abs() > 10.0) {
            notes.find(
                Warning,
                "extrinsic-unit",
                at,
                format_args!("{sn}: a translation of over 10: probably not metres"),
            );
        }
    }
}

/// Checks a package of a device of this type.
pub(crate) fn package(package: &Package<'_>, device_type: Option<DeviceType>, notes: &mut SurveyBuilder) {
    let id = package.device();
    let mut warn = |code, message: Arguments<'_>| {
        notes.find(Warning, code, package.offset(), message);
    };
    let number = package.data_type_number();
    if let DataType::Unknown(number) = package.data_type() {
        warn("unknown-data-type", format_args!("{id}: data type {number} is unknown; its bytes are kept"));
    }
    let is_v1 = matches!(package.version(), Version::V1_0 | Version::V1_1);
    let (found, fixed) = (package.protocol_version(), if is_v1 { 5 } else { 0 });
    if found != fixed {
        warn("protocol-version", format_args!("{id}: protocol version {found}, not {fixed}"));
    }
    let (found, most) = (package.timestamp_type_number(), if is_v1 { 5 } else { 2 });
    if found > most {
        warn("timestamp-type", format_args!("{id}: time stamp type {found} is unknown"));
    }
    if let Some((slot, lidar)) = package.slot_and_lidar() {
        if !SLOTS.contains(&slot) {
            warn("slot-id", format_args!("{id}: slot {slot}, not 1 to 9"));
        }
        if !LIDARS.contains(&lidar) {
            warn("lidar-id", format_args!("{id}: LiDAR {lidar}, not 1 to 3"));
        }
    }
    if let Some(found) = package.lidar_type().filter(|found| !matches!(found, 1 | 2 | 4 | 8)) {
        let message = format_args!("{id}: LiDAR type {found} is unknown: Livox Viewer 2 drops the package");
        warn("lidar-type", message);
    }
    let is_mid = |device: DeviceType| matches!(device.0, 0 | 1 | 6) || device.name().is_none();
    if package.version() == Version::V1_1
        && number < 2
        && let Some(device) = device_type.filter(|device| !is_mid(*device))
    {
        let message = format_args!("{id}: data type {number} is of the Mid series, not of a {device}");
        warn("data-type-device", message);
    }
    let odd = package.points().odd_directions();
    if odd > 0 {
        let message = format_args!(
            "{id}: {odd} points have a theta above 180 degrees, a phi above 360, or a depth below 0"
        );
        warn("spherical-range", message);
    }
    let far = package.points().beyond_range();
    if far > 0 {
        warn(
            "point-range",
            format_args!("{id}: {far} points lie over 1000 m away, farther than any Livox measures"),
        );
    }
}
