//! Values of any kind, built from a fuzzer's bytes: anything that a user of the library could pass to a sink or a
//! writer.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use nalgebra::{UnitQuaternion, Vector3};
use robolog_core::{
    Cell, Clock, Constellation, Encoding, Field, FieldKind, FixQuality, GnssFix, Image, Imu, LaserScan,
    Odometry, PointCloud, Pose, Row, Sample, Satellite, Satellites, Timestamp, Transform, Twist, Value,
};

/// A number: small, extreme, or arbitrary bits.
pub fn number(u: &mut Unstructured<'_>) -> Result<f64> {
    const EDGES: [f64; 22] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        45.760_157,
        3.109_927,
        90.0,
        -90.0,
        180.0,
        -180.0,
        360.0,
        1e-9,
        1e9,
        1e18,
        1e300,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    Ok(match u.int_in_range(0..=3)? {
        0 => f64::from(u.arbitrary::<i16>()?) / 64.0,
        1 => f64::from_bits(u.arbitrary()?),
        2 => f64::from(f32::from_bits(u.arbitrary()?)),
        _ => *u.choose(&EDGES)?,
    })
}

/// The same in single precision.
#[expect(clippy::cast_possible_truncation, reason = "any number will do")]
pub fn single(u: &mut Unstructured<'_>) -> Result<f32> {
    number(u).map(|value| value as f32)
}

/// A finite number.
pub fn finite(u: &mut Unstructured<'_>) -> Result<f64> {
    number(u).map(|value| if value.is_finite() { value } else { 0.25 })
}

/// A text: common ones, and ones that some target must escape.
pub fn text(u: &mut Unstructured<'_>) -> Result<String> {
    const WORDS: [&str; 20] = [
        "",
        "a",
        "NAV_X",
        "lidar/points",
        "../../etc/passwd",
        "C:\\x",
        "con",
        "a b",
        " a",
        "a,b",
        "\"",
        "a\"b",
        "<x>&",
        "]]>",
        "line\nline",
        "\r\n",
        "\u{1b}[2J",
        "\u{202e}x",
        "ä\u{10ffff}",
        "1.5",
    ];
    Ok(match u.int_in_range(0..=3)? {
        0 => u.arbitrary::<&str>()?.to_owned(),
        1 => format!("{}{}", u.choose(&WORDS)?, u.choose(&WORDS)?),
        _ => (*u.choose(&WORDS)?).to_owned(),
    })
}

/// A time, mostly on the Unix clock.
pub fn time(u: &mut Unstructured<'_>) -> Result<Timestamp> {
    let clock = if u.ratio(7, 8)? { Clock::Unix } else { *u.choose(&Clock::ALL)? };
    let nanos = match u.int_in_range(0..=5)? {
        0 => u.arbitrary()?,
        1 => *u.choose(&[0, 1, -1, i64::MAX, i64::MIN, i64::MAX - 1, 1_000_000_000])?,
        _ => 1_715_000_000_000_000_000 + i64::from(u.arbitrary::<i32>()?),
    };
    Ok(Timestamp::new(nanos, clock))
}

fn xyz(u: &mut Unstructured<'_>) -> Result<Vector3<f64>> {
    Ok(Vector3::new(number(u)?, number(u)?, number(u)?))
}

/// An orientation: a rotation, as its type promises.
pub fn orientation(u: &mut Unstructured<'_>) -> Result<UnitQuaternion<f64>> {
    let angle = |u: &mut Unstructured<'_>| u.arbitrary::<i16>().map(|steps| f64::from(steps) / 5000.0);
    Ok(UnitQuaternion::from_euler_angles(angle(u)?, angle(u)?, angle(u)?))
}

/// A pose.
pub fn pose(u: &mut Unstructured<'_>) -> Result<Pose> {
    Ok(Pose { position: xyz(u)?, orientation: orientation(u)? })
}

/// A velocity.
pub fn twist(u: &mut Unstructured<'_>) -> Result<Twist> {
    Ok(Twist { linear: xyz(u)?, angular: xyz(u)? })
}

/// A value or none.
pub fn maybe<'a, T>(
    u: &mut Unstructured<'a>,
    make: fn(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if u.arbitrary()? { make(u).map(Some) } else { Ok(None) }
}

/// Up to `most` values.
pub fn many<'a, T>(
    u: &mut Unstructured<'a>,
    most: usize,
    mut make: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = u.int_in_range(0..=most)?;
    (0..count).map(|_| make(u)).collect()
}

/// A point cloud. Its columns have equal length, except in one of a hundred.
pub fn cloud(u: &mut Unstructured<'_>) -> Result<PointCloud> {
    let n = if u.ratio(1, 16)? { u.int_in_range(0..=300)? } else { u.int_in_range(0..=6)? };
    let mut cloud = PointCloud::default();
    for _ in 0..n {
        cloud.x.push(single(u)?);
        cloud.y.push(single(u)?);
        cloud.z.push(single(u)?);
    }
    let columns: u8 = u.arbitrary()?;
    for i in 0..n {
        let odd: u32 = if i < 8 { u.arbitrary()? } else { 7 };
        let [a, b, ..] = odd.to_le_bytes();
        if columns & 1 != 0 {
            cloud.intensity.push(if i < 8 { single(u)? } else { 17.0 });
        }
        if columns & 2 != 0 {
            cloud.time_offset.push(odd);
        }
        if columns & 4 != 0 {
            cloud.return_number.push(a);
        }
        if columns & 8 != 0 {
            cloud.tag.push(b);
        }
        if columns & 16 != 0 {
            cloud.ring.push(u16::from_le_bytes([a, b]));
        }
    }
    if u.ratio(1, 100)? {
        cloud.ring.push(1);
    }
    Ok(cloud)
}

/// A laser scan.
pub fn scan(u: &mut Unstructured<'_>) -> Result<LaserScan> {
    Ok(LaserScan {
        angle_min: single(u)?,
        angle_increment: single(u)?,
        time_increment: single(u)?,
        scan_time: single(u)?,
        range_min: single(u)?,
        range_max: single(u)?,
        ranges: many(u, 20, single)?,
        intensities: many(u, 20, single)?,
    })
}

/// An image; most have as many bytes as their size requires.
pub fn image(u: &mut Unstructured<'_>) -> Result<Image> {
    const ENCODINGS: [Encoding; 6] =
        [Encoding::Jpeg, Encoding::Png, Encoding::Mono8, Encoding::Mono16, Encoding::Rgb8, Encoding::Rgb16];
    let encoding = *u.choose(&ENCODINGS)?;
    let (width, height): (u32, u32) =
        if u.ratio(1, 8)? { u.arbitrary()? } else { (u.int_in_range(0..=5)?, u.int_in_range(0..=5)?) };
    let right = encoding
        .bytes_per_pixel()
        .and_then(|n| n.checked_mul((width as usize).checked_mul(height as usize)?));
    let data = match right {
        Some(len) if len <= 1 << 16 && u.ratio(7, 8)? => vec![u.arbitrary()?; len],
        _ => u.arbitrary::<&[u8]>()?.to_vec(),
    };
    Ok(Image { width, height, encoding, data: data.into() })
}

/// A position.
pub fn fix(u: &mut Unstructured<'_>) -> Result<GnssFix> {
    Ok(GnssFix {
        latitude: number(u)?,
        longitude: number(u)?,
        altitude: maybe(u, number)?,
        altitude_msl: maybe(u, number)?,
        quality: FixQuality::from_gga(u.int_in_range(0..=9)?),
        satellites: maybe(u, Unstructured::arbitrary)?,
        hdop: maybe(u, number)?,
        vdop: maybe(u, number)?,
        pdop: maybe(u, number)?,
        speed: maybe(u, number)?,
        course: maybe(u, number)?,
        age_of_corrections_s: maybe(u, number)?,
        station_id: maybe(u, Unstructured::arbitrary)?,
        position_covariance: maybe(u, |u| {
            let mut all = [0.0; 9];
            for value in &mut all {
                *value = number(u)?;
            }
            Ok(all)
        })?,
        talkers: maybe(u, text)?,
        measured: None,
        ..GnssFix::default()
    })
}

fn satellite(u: &mut Unstructured<'_>) -> Result<Satellite> {
    Ok(Satellite {
        constellation: *u.choose(&[Constellation::Gps, Constellation::Glonass, Constellation::Unknown])?,
        id: u.arbitrary()?,
        elevation: maybe(u, number)?,
        azimuth: maybe(u, number)?,
        snr: maybe(u, number)?,
        signal: maybe(u, Unstructured::arbitrary)?,
    })
}

/// A row of these columns. Its cells match the columns, except in one of eight.
fn row(u: &mut Unstructured<'_>, fields: &Arc<[Field]>) -> Result<Row> {
    let mut cells = Vec::new();
    for field in fields.iter() {
        let kinds = [FieldKind::Bool, FieldKind::Int, FieldKind::Float, FieldKind::Text];
        let kind = if u.ratio(1, 8)? { *u.choose(&kinds)? } else { field.kind };
        cells.push(match kind {
            _ if u.ratio(1, 8)? => Cell::Null,
            FieldKind::Bool => Cell::Bool(u.arbitrary()?),
            FieldKind::Int => Cell::Int(u.arbitrary()?),
            FieldKind::Float => Cell::Float(number(u)?),
            FieldKind::Text => Cell::Text(text(u)?),
        });
    }
    Ok(Row { fields: Arc::clone(fields), cells })
}

/// Some columns; names may repeat.
fn fields(u: &mut Unstructured<'_>) -> Result<Arc<[Field]>> {
    let kinds = [FieldKind::Bool, FieldKind::Int, FieldKind::Float, FieldKind::Text];
    let fields = many(u, 4, |u| {
        Ok(Field {
            name: text(u)?.into(),
            unit: maybe(u, |u| text(u).map(Into::into))?,
            kind: *u.choose(&kinds)?,
        })
    })?;
    Ok(fields.into())
}

/// Samples of some channels, each with one kind of values, except one in sixteen.
pub fn samples(u: &mut Unstructured<'_>) -> Result<Vec<Sample>> {
    let mut channels = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        let name: Arc<str> = text(u)?.into();
        let frame: Arc<str> = text(u)?.into();
        channels.push((name, frame, u.int_in_range(0..=11)?, fields(u)?));
    }
    let mut samples = Vec::new();
    while samples.len() < 24 && !u.is_empty() {
        let (channel, frame_id, kind, fields) = u.choose(&channels)?;
        let kind = if u.ratio(1, 16)? { u.int_in_range(0..=11)? } else { *kind };
        let value = match kind {
            0 => Value::PointCloud(cloud(u)?),
            1 => Value::Image(image(u)?),
            2 => Value::LaserScan(scan(u)?),
            3 => Value::Imu(Imu {
                orientation: maybe(u, orientation)?,
                angular_velocity: maybe(u, xyz)?,
                linear_acceleration: maybe(u, xyz)?,
                ..Imu::default()
            }),
            4 => Value::GnssFix(fix(u)?),
            5 => Value::Satellites(Satellites { satellites: many(u, 5, satellite)? }),
            6 => Value::Odometry(Odometry::new(text(u)?, pose(u)?).with_twist(maybe(u, twist)?)),
            7 => Value::Pose(pose(u)?),
            8 => Value::Transform(Transform { child_frame_id: text(u)?, pose: pose(u)? }),
            9 => Value::Row(row(u, fields)?),
            10 => Value::Scalar(number(u)?),
            _ => Value::Text(text(u)?),
        };
        samples.push(
            Sample::new(Arc::clone(channel), value)
                .with_time(if u.ratio(15, 16)? { Some(time(u)?) } else { None })
                .with_frame(Arc::clone(frame_id))
                .with_offset(u.arbitrary::<u32>()?.into()),
        );
    }
    Ok(samples)
}
