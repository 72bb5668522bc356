//! Converts messages to samples, counts and splits: the only place where units, axes and clocks are converted.
//!
//! | message | channel | sample |
//! |---|---|---|
//! | `VelodyneRawDataM` | `velodyne/points` | a [`PointCloud`](robolog_core::PointCloud) for each turn |
//! | `LaserRange2DDataM` | `laser/NAME` | a [`LaserScan`] |
//! | `ImageM` | `camera/SOURCE` | an [`Image`] |
//! | `GPSDataM` | `gps/fix` | a [`GnssFix`]; and on `gps/time` the receiver's date and time |
//! | `RobotPoseM` | `imu` | an [`Imu`] with orientation and acceleration; there is no position |
//! | `OBDDataM` | `obd` | a [`Row`] |
//!
//! Times are those of the messages, on the [relative clock](robolog_core::Clock::Relative): milliseconds since the
//! start of the recording program. Only the receiver has the date: [`Options::epoch`] shifts all times to it.

mod carry;
mod count;

use std::{borrow::Cow, ops::Range};

use bytes::Bytes;
use robolog_core::{
    Columns as _, Encoding, Error, GnssFix, Image, Imu, LaserScan, Result, Row, Timestamp, Value,
    format::{LentByName, ReorderBound, SurveyBuilder, Wanted},
    slices::InRange as _,
    text::file_name,
};

pub use self::count::{Details, IndexDetails, LaserDetails};
use self::{carry::Carried, count::Counts};
use crate::{
    AccelerationUnit, Attitude, Header, ImageData, KoblenzLog, LaserData, LaserGeometry, LaserModel, Payload,
    QuaternionOrder, Record, Registry, SizeCounts, TypeId,
    layout::{Gps, Obd, RobotPose},
    velodyne::{self, CloudMaker},
};

/// Options for converting messages to samples. The defaults change nothing, and infer from its bytes what the log does
/// not specify.
///
/// ```
/// use koblenz_log::{Clouds, Options};
/// let mut options = Options::default();
/// options.velodyne.clouds = Clouds::Messages; // rather than turns of the head
/// let reader = koblenz_log::open_with("examples/drive.log", &options)?;
/// assert!(reader.samples_with(options).flatten().any(|sample| &*sample.channel == "velodyne/points"));
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// How Velodyne packets become points.
    pub velodyne: velodyne::Options,
    /// What message sizes count; inferred by default.
    pub sizes: Option<SizeCounts>,
    /// Order of quaternions, if it cannot be inferred.
    pub quaternion: Option<QuaternionOrder>,
    /// Unit of accelerations, if it cannot be inferred.
    pub acceleration: Option<AccelerationUnit>,
    /// Angles and ranges of laser scanners of unknown type or with an unknown number of beams. Otherwise scans of
    /// unknown type have no angles: see [`LaserGeometry::UNKNOWN`].
    pub laser: Option<LaserGeometry>,
    /// Keeps the laser scanners' error codes among the ranges.
    pub keep_codes: bool,
    /// The time of time stamp 0; sample times are on its clock.
    pub epoch: Option<Timestamp>,
}

/// Makes samples and counts from messages: see [`robolog_core::format::Decoder`].
///
/// ```
/// use koblenz_log::{Decoder, Error, Options, Reader, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = koblenz_log::doc::recording();
/// let reader = Reader::new(&file)?;
/// let mut decoder = Decoder::new(reader.header(), Options::default());
/// let mut channels = Vec::new();
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     channels.push(sample.channel.to_string());
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     decoder.samples(&record?, &mut sink)?;
/// }
/// decoder.last_samples(&mut sink)?;
/// assert_eq!(channels, ["obd", "laser/front"]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    registry: Registry,
    attitude: Attitude,
    options: Options,
    clouds: CloudMaker,
    scan: LaserScan,
    /// Of the channels in use.
    lent: LentByName,
    counts: Counts,
    carried: Carried,
}

impl Decoder {
    /// The converter of Velodyne packets to clouds.
    pub fn clouds(&self) -> &CloudMaker {
        &self.clouds
    }
}

impl robolog_core::format::Decoder for Decoder {
    type Format = KoblenzLog;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, mut options: Options) -> Self {
        options.velodyne.model = options.velodyne.model.or(header.velodyne);
        let mut attitude = header.attitude();
        attitude.order = options.quaternion.unwrap_or(attitude.order);
        attitude.unit = options.acceleration.unwrap_or(attitude.unit);
        Self {
            registry: header.registry().clone(),
            attitude,
            clouds: CloudMaker::new(options.velodyne.clone()).with_limits(header.limits),
            carried: Carried::new(&options.velodyne),
            options,
            scan: LaserScan::default(),
            // Bounded, in case a log keeps inventing names.
            lent: LentByName::new(64),
            counts: Counts::new(header),
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.counts.begin(header, notes);
    }

    /// Messages of unknown types, and those not marked as valid, give no samples.
    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if let Some(range) = out.range() {
            self.carried.push(record, range, &self.registry);
            return Ok(());
        }
        let payload = if let Some(notes) = out.notes() {
            let Some(payload) = self.counts.message(record, &self.registry, notes) else { return Ok(()) };
            payload
        } else if record.is_valid() && self.registry.knows(record.type_id()) {
            payload(record)?
        } else {
            return Ok(());
        };
        let (at, time) = (record.offset(), self.time(record)?);
        match payload {
            Payload::Obd(obd) => self.send("obd", at, time, Value::Row(row(&obd)), out),
            Payload::Gps(gps) => {
                if gps.has_position() {
                    self.send("gps/fix", at, time, Value::GnssFix(fix(&gps)), out)?;
                }
                self.send("gps/time", at, time, Value::Row(receiver_time(&gps)), out)
            }
            Payload::RobotPose(pose) => {
                if out.count("imu", "imu", 1, time) {
                    return Ok(());
                }
                self.send("imu", at, time, Value::Imu(self.imu(&pose)), out)
            }
            Payload::Image(image) => {
                let channel = image_channel(&image);
                if out.count(&channel, "image", 1, time) {
                    return Ok(());
                }
                self.send(&channel, at, time, Value::Image(picture(&image, at)?), out)
            }
            Payload::Laser(laser) => {
                let channel = laser_channel(&laser);
                if out.count(&channel, "laser_scan", laser.len(), time) {
                    return Ok(());
                }
                let geometry = self.geometry(&laser);
                laser.scan_into(geometry, self.options.keep_codes, &mut self.scan);
                let lent = self.lent.of(channel.as_bytes(), || frame(&channel).into());
                lent.map_or(Ok(()), |lent| out.lend(lent.at(time, at), &mut self.scan))
            }
            Payload::Velodyne(velodyne) if out.wants_values() => {
                self.clouds.push(velodyne.packets(), at, time, &mut |sample| out.sample(sample))
            }
            // Their clouds are counted without being made.
            Payload::Velodyne(_) | Payload::Unknown(_) => Ok(()),
        }
    }

    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        self.clouds.finish(&mut |sample| out.sample(sample))
    }

    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        self.carried.ranges()
    }

    fn reorder_bound(&self) -> Option<ReorderBound> {
        let has_calibration = self.options.velodyne.calibration.is_some();
        self.carried.has_same_points(has_calibration).then_some(ORDER)
    }

    /// On the clock of the samples.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        let time = self.time(record).ok().flatten().filter(|_| record.is_valid())?;
        Some((time, time))
    }

    /// Velodyne clouds begin before the messages that contain them.
    fn knows_start(&self) -> bool {
        !self.carried.has_packets()
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.counts.finish(notes)
    }
}

/// Devices send concurrently, and a turn of a head takes less than a second.
const ORDER: ReorderBound = ReorderBound { order: 10 * SECOND, reach: 10 * SECOND };
const SECOND: i64 = 1_000_000_000;

impl Decoder {
    fn time(&self, record: &Record<'_>) -> Result<Option<Timestamp>> {
        let (Some(time), Some(epoch)) = (record.time(), self.options.epoch) else { return Ok(record.time()) };
        let moved = epoch.checked_add(time.nanos());
        moved.map(Some).ok_or_else(|| {
            Error::unexpected("the time after the epoch exceeds 64-bit nanoseconds", record.offset())
        })
    }

    fn send(
        &mut self,
        channel: &str,
        offset: u64,
        time: Option<Timestamp>,
        value: Value,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let lent = self.lent.of(channel.as_bytes(), || frame(channel).into());
        lent.map_or(Ok(()), |lent| lent.deliver(time, offset, value, out))
    }

    fn imu(&self, pose: &RobotPose) -> Imu {
        Imu {
            orientation: pose.orientation(self.attitude.order),
            angular_velocity: None,
            linear_acceleration: Some(pose.linear_acceleration(self.attitude.unit)),
            ..Imu::default()
        }
    }

    fn geometry(&self, laser: &LaserData<'_>) -> LaserGeometry {
        let model = LaserModel::from_type(laser.sensor_type);
        match (model, self.options.laser) {
            (Some(model), _) if model.first_step_of(laser.len()).1 => model.geometry(laser.len()),
            (_, Some(geometry)) => geometry,
            (Some(model), None) => model.geometry(laser.len()),
            (None, None) => LaserGeometry::UNKNOWN,
        }
    }
}

/// The channel of a message; its name comes from the payload as far as it is complete.
pub(crate) fn channel(record: &Record<'_>, registry: &Registry) -> Cow<'static, str> {
    match record.type_id() {
        TypeId::OBD => "obd".into(),
        TypeId::GPS => "gps/fix".into(),
        TypeId::ROBOT_POSE => "imu".into(),
        TypeId::VELODYNE => velodyne::CHANNEL.into(),
        TypeId::IMAGE => match record.decode() {
            Ok(Payload::Image(image)) => image_channel(&image).into(),
            _ => "camera".into(),
        },
        TypeId::LASER => match record.decode() {
            Ok(Payload::Laser(laser)) => laser_channel(&laser).into(),
            _ => "laser".into(),
        },
        other => registry.name(other).into_owned().into(),
    }
}

/// The frame of a channel's samples: each camera and scanner has its own.
fn frame(channel: &str) -> &str {
    match channel {
        "obd" => "base_link",
        "gps/fix" | "gps/time" => "gps",
        other => other,
    }
}

/// The channel of a camera.
pub(crate) fn image_channel(image: &ImageData<'_>) -> String {
    format!("camera/{}", image.source)
}

/// The channel of a scanner.
pub(crate) fn laser_channel(laser: &LaserData<'_>) -> String {
    format!("laser/{}", laser_name(laser))
}

/// A scanner's name as part of a channel name.
pub(crate) fn laser_name(laser: &LaserData<'_>) -> String {
    file_name(laser.name)
}

/// The payload of a message, if samples can be made from it.
pub(crate) fn payload<'a>(record: &Record<'a>) -> Result<Payload<'a>> {
    let payload = record.decode()?;
    check(&payload, record.offset())?;
    Ok(payload)
}

/// Returns an error if no sample can be made from a payload. `at` is the offset of its message.
pub(crate) fn check(payload: &Payload<'_>, at: u64) -> Result<()> {
    match payload {
        Payload::Image(image) => encoding(image, at).map(drop),
        Payload::Velodyne(velodyne) => velodyne::check(velodyne.packets(), at),
        _ => Ok(()),
    }
}

/// The image, unchanged.
fn picture(image: &ImageData<'_>, at: u64) -> Result<Image> {
    let (width, height) = (u32::try_from(image.width).unwrap_or(0), u32::try_from(image.height).unwrap_or(0));
    Ok(Image { width, height, encoding: encoding(image, at)?, data: Bytes::copy_from_slice(image.data) })
}

/// The encoding of an image. Returns an error unless it is a JPEG file or has as many bytes as its pixels need.
fn encoding(image: &ImageData<'_>, at: u64) -> Result<Encoding> {
    let (width, height) = (u32::try_from(image.width).unwrap_or(0), u32::try_from(image.height).unwrap_or(0));
    let pixels = u64::from(width).times(u64::from(height));
    let bytes = image.data.len() as u64;
    let encoding = if image.data.starts_with(&[0xff, 0xd8, 0xff]) {
        Encoding::Jpeg
    } else if image.data.starts_with(b"\x89PNG\r\n\x1a\n") {
        Encoding::Png
    } else if pixels > 0 && bytes == pixels {
        Encoding::Mono8
    } else if pixels > 0 && Some(bytes) == pixels.checked_mul(3) {
        Encoding::Rgb8
    } else {
        let found = format!("{bytes} bytes for {width} x {height}");
        return Err(
            Error::invalid("image", found, "a JPEG file, or 1 or 3 bytes a pixel", at).within("ImageM")
        );
    };
    Ok(encoding)
}

fn fix(gps: &Gps) -> GnssFix {
    let (latitude, longitude) = gps.position();
    let number = |v: f32| v.is_finite().then(|| f64::from(v));
    GnssFix {
        latitude,
        longitude,
        altitude: number(gps.height).zip(number(gps.geoid_separation)).map(|(height, geoid)| height + geoid),
        altitude_msl: number(gps.height),
        quality: gps.fix_quality(),
        satellites: u32::try_from(gps.satellites).ok(),
        hdop: number(gps.hdop),
        vdop: number(gps.vdop),
        pdop: number(gps.pdop),
        speed: number(gps.speed).map(|v| v / 3.6),
        course: number(gps.course).map(f64::to_radians),
        ..GnssFix::default()
    }
}

robolog_core::row! {
    /// Receiver data other than the fix.
    struct ReceiverTime {
        utc: Option<i64> ["ns"],
        warning: i32,
        quality: i32,
    }

    /// Data reported by the vehicle.
    struct Vehicle {
        speed: f64 ["m/s"],
        rpm: i32 ["1/min"],
        throttle: f32 ["%"],
        unused_2: f32,
        unused_3: i32,
        unused_4: i32,
        unused_6: i32,
    }
}

fn receiver_time(gps: &Gps) -> Row {
    let utc = gps.utc().map(Timestamp::nanos);
    ReceiverTime { utc, warning: gps.warning, quality: gps.quality }.into_row()
}

fn row(obd: &Obd) -> Row {
    let Obd { speed, rpm, unused_2, unused_3, unused_4, throttle, unused_6 } = *obd;
    let speed = f64::from(speed) / 3.6;
    Vehicle { speed, rpm, throttle, unused_2, unused_3, unused_4, unused_6 }.into_row()
}
