//! The fields whose values the specification fixes: what departs from them is read all the same, and found by a survey.

use robolog_core::{
    Notes, Severity,
    layout::{Packed as _, field},
};

use crate::{
    DeviceType, Header, Package, Version,
    layout::{FRAME_MS, NAME, PrivateHeader, PublicHeader},
};

/// Looks at what stands before the frames.
pub(crate) fn header(header: &Header, notes: &mut Notes) {
    let mut find = |severity, code, at, message: std::fmt::Arguments<'_>| {
        notes.find(severity, code, at, message);
    };
    if !header.signature_ok() {
        let at = field!(PublicHeader, signature).at(NAME.len() as u64);
        find(Severity::Warning, "signature", at, format_args!("the signature does not end with six zeros"));
    }
    if !header.magic_ok() {
        find(
            Severity::Warning,
            "magic-code",
            field!(PublicHeader, magic_code).at(0),
            format_args!("wrong magic code: Livox Viewer refuses the file"),
        );
    }
    if let Some(ms) = header.frame_duration_ms().filter(|ms| *ms != FRAME_MS) {
        find(
            Severity::Warning,
            "frame-duration",
            field!(PrivateHeader, frame_duration).at(PublicHeader::LEN as u64),
            format_args!("frames of {ms} ms, not {FRAME_MS}"),
        );
    }
    for (i, device) in header.devices().iter().enumerate() {
        let at = header.device_offset(i);
        let sn = device.sn_text();
        if let crate::DeviceId::Index(index) = device.id
            && usize::from(index) != i
        {
            find(
                Severity::Warning,
                "device-index",
                at,
                format_args!("{sn}: number {i} in the list has index {index}"),
            );
        }
        if device.device_type.name().is_none() {
            find(
                Severity::Warning,
                "device-type",
                at,
                format_args!("{sn}: device type {} is unknown", device.device_type.0),
            );
        }
        if let Some(enable @ 2..) = device.extrinsic_enable {
            let message = format_args!("{sn}: extrinsic enable is {enable}, not 0 or 1; taken for 1");
            find(Severity::Warning, "extrinsic-enable", at, message);
        }
        let is_disabled = device.extrinsic_enable == Some(0) && device.is_mounted(header.version());
        if is_disabled {
            let message = format_args!("{sn}: the file disables the extrinsic: its points are not moved");
            find(Severity::Note, "extrinsic-disabled", at, message);
        }
        let e = device.extrinsic;
        if header.version() == Version::V2_0 && [e.x, e.y, e.z].iter().any(|v| v.abs() > 10.0) {
            find(
                Severity::Warning,
                "extrinsic-unit",
                at,
                format_args!("{sn}: a translation of over 10: probably not metres"),
            );
        }
    }
}

/// Looks at a package of a device of this type.
pub(crate) fn package(package: &Package<'_>, device_type: Option<DeviceType>, notes: &mut Notes) {
    let id = package.device();
    let mut warn = |code, message: std::fmt::Arguments<'_>| {
        notes.find(Severity::Warning, code, package.offset(), message);
    };
    let is_v1 = matches!(package.version(), Version::V1_0 | Version::V1_1);
    let (found, fixed) = (package.protocol_version(), if is_v1 { 5 } else { 0 });
    if found != fixed {
        warn("protocol-version", format_args!("{id}: protocol version {found}, not {fixed}"));
    }
    let (found, most) = (package.timestamp_type_number(), if is_v1 { 5 } else { 2 });
    if found > most {
        warn("timestamp-type", format_args!("{id}: time stamp type {found} is unknown"));
    }
    if let Some(found) = package.lidar_type().filter(|found| !matches!(found, 1 | 2 | 4 | 8)) {
        warn(
            "lidar-type",
            format_args!("{id}: LiDAR type {found} is unknown: Livox Viewer 2 drops the package"),
        );
    }
    let number = package.data_type_number();
    let is_mid = |device: DeviceType| matches!(device.0, 0 | 1 | 6) || device.name().is_none();
    if package.version() == Version::V1_1
        && number < 2
        && let Some(device) = device_type.filter(|device| !is_mid(*device))
    {
        warn(
            "data-type-device",
            format_args!("{id}: data type {number} is of the Mid series, not of a {device}"),
        );
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
        warn("point-range", format_args!("{id}: {far} points lie over 1000 m away, which no Livox measures"));
    }
}
