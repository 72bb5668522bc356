//! Values as messages of a Koblenz log.

use ::koblenz_log::{
    ImageData, LaserData, LaserModel, Payload,
    layout::{Gps, Obd, RobotPose},
};
use robolog_core::{Cell, Clock, Encoding, GnssFix, Image, Imu, LaserScan, Row, Timestamp};

use crate::sink::quality;

/// Converts a scan of a known scanner; `None` for other angles, and for ranges beyond 32-bit millimetres.
pub(super) fn laser<'a>(scan: &LaserScan, channel: &'a str, ranges: &'a mut Vec<u8>) -> Option<Payload<'a>> {
    const MODELS: [(LaserModel, &str); 2] =
        [(LaserModel::URG_04LX, "Hokuyo URG 04LX"), (LaserModel::UTM_30LX, "Hokuyo UTM 30LX")];
    // A tenth of either scanner's step.
    let near = |a: f64, b: f32| (a - f64::from(b)).abs() < 4e-4;
    let (_, sensor_type) = MODELS.into_iter().find(|(model, _)| {
        let geometry = model.geometry(scan.ranges.len());
        // The step must be as exact over all beams.
        let last = scan.ranges.len().saturating_sub(1);
        #[expect(clippy::cast_precision_loss, reason = "scanners have thousands of beams, not millions")]
        let angle = geometry.angle_increment.mul_add(last as f64, geometry.angle_min);
        model.first_step_of(scan.ranges.len()).1
            && near(geometry.angle_min, scan.angle_min)
            && near(angle, scan.angle(last))
    })?;
    ranges.clear();
    for range in &scan.ranges {
        let millimetres = if range.is_finite() { (f64::from(*range) * 1000.0).round() } else { 0.0 };
        if !(0.0..=f64::from(u32::MAX)).contains(&millimetres) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
        ranges.extend((millimetres as u32).to_le_bytes());
    }
    let name = channel.strip_prefix("laser/").unwrap_or(channel);
    Some(Payload::Laser(LaserData {
        sensor_type: sensor_type.as_bytes(),
        name: name.as_bytes(),
        data: ranges,
    }))
}

/// Converts a picture that readers recognise by its first bytes or by its size.
pub(super) fn picture(image: &Image) -> Option<ImageData<'_>> {
    let compressed = match image.encoding {
        Encoding::Jpeg if image.data.starts_with(&[0xff, 0xd8, 0xff]) => 1,
        Encoding::Png if image.data.starts_with(b"\x89PNG\r\n\x1a\n") => 1,
        Encoding::Mono8 | Encoding::Rgb8 => 0,
        _ => return None,
    };
    let (width, height) = (i32::try_from(image.width).ok()?, i32::try_from(image.height).ok()?);
    u32::try_from(image.data.len()).ok()?;
    Some(ImageData { source: 0, compressed, compressed_len: 4, width, height, data: &image.data })
}

#[expect(clippy::cast_possible_truncation, reason = "the message holds single precision")]
pub(super) fn gps(fix: &GnssFix, time: Timestamp) -> Gps {
    let number = |v: Option<f64>, unit: f64| v.map_or(f32::NAN, |v| (v * unit) as f32);
    let quality = quality::gga(fix.quality).map_or(-1, i32::from);
    let height = fix.altitude_msl;
    let gps = Gps {
        warning: i32::from(quality == 0),
        latitude: fix.latitude,
        longitude: fix.longitude,
        speed: number(fix.speed, 3.6),
        course: number(fix.course.map(f64::to_degrees), 1.0),
        quality,
        satellites: fix.satellites.and_then(|n| i32::try_from(n).ok()).unwrap_or(-1),
        hdop: number(fix.hdop, 1.0),
        height: number(height, 1.0),
        geoid_separation: number(fix.altitude.zip(height).map(|(altitude, height)| altitude - height), 1.0),
        vdop: number(fix.vdop, 1.0),
        pdop: number(fix.pdop, 1.0),
        ..Gps::default()
    };
    gps.at_utc(time).unwrap_or(gps)
}

/// Returns what the row of a Koblenz log's `gps/time` adds to a message; `None` if it has other fields.
pub(super) fn date_of(row: &Row) -> Option<impl Fn(Gps) -> Gps + use<>> {
    const FIELDS: [&str; 3] = ["utc", "warning", "quality"];
    if !row.fields.iter().map(|field| &*field.name).eq(FIELDS) {
        return None;
    }
    let whole = |name| match row.get(name) {
        Some(Cell::Int(number)) => Some(*number),
        _ => None,
    };
    let (utc, small) = (whole("utc"), |name| whole(name).and_then(|number| i32::try_from(number).ok()));
    let (warning, quality) = (small("warning")?, small("quality")?);
    Some(move |gps: Gps| {
        let gps = Gps { warning, quality, ..gps };
        utc.and_then(|utc| gps.at_utc(Timestamp::new(utc, Clock::Unix))).unwrap_or(gps)
    })
}

#[expect(clippy::cast_possible_truncation, reason = "the message holds single precision")]
pub(super) fn attitude(imu: &Imu) -> Option<RobotPose> {
    let (q, acceleration) = (imu.orientation?, imu.linear_acceleration?);
    let quaternion = [q.w, q.i, q.j, q.k].map(|v| v as f32);
    Some(RobotPose { quaternion, acceleration: <[f64; 3]>::from(acceleration).map(|v| v as f32) })
}

/// Converts the row of a Koblenz log's `obd`; `None` if it has other fields, or numbers that do not fit the message.
pub(super) fn vehicle(row: &Row) -> Option<Obd> {
    const FIELDS: [&str; 7] = ["speed", "rpm", "throttle", "unused_2", "unused_3", "unused_4", "unused_6"];
    if !row.fields.iter().map(|field| &*field.name).eq(FIELDS) {
        return None;
    }
    let number = |name| match row.get(name)? {
        Cell::Float(number) => Some(*number),
        _ => None,
    };
    let whole = |name| match row.get(name)? {
        Cell::Int(number) => i32::try_from(*number).ok(),
        _ => None,
    };
    let speed = (number("speed")? * 3.6).round();
    #[expect(clippy::cast_possible_truncation, reason = "checked, or single precision")]
    Some(Obd {
        speed: (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&speed).then_some(speed as i32)?,
        rpm: whole("rpm")?,
        unused_2: number("unused_2")? as f32,
        unused_3: whole("unused_3")?,
        unused_4: whole("unused_4")?,
        throttle: number("throttle")? as f32,
        unused_6: whole("unused_6")?,
    })
}
