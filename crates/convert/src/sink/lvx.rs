//! LVX 1.1: packages of points, in frames of 50 ms.

mod devices;
mod frames;

use std::io::Write;

use ::lvx::{
    Device, DeviceId, DeviceType, Header, Version, Writer,
    layout::{ImuData, PackageHeader1, TaggedPoint},
};
use robolog_core::{
    Clock, Imu, PointCloud, Sample, Timestamp, Value,
    layout::{Layout as _, Packed as _},
    slices::{InRange as _, value_at},
};

use self::{devices::Devices, frames::Frames};
pub use super::LvxOptions;
use super::{Holds, Lacks, Scans, TargetSpec, takes};
use crate::{Advice, Error, Note, Outcome, Result, Sink};

/// LVX of Livox.
pub static LVX: TargetSpec = TargetSpec {
    name: "lvx",
    extensions: &["lvx"],
    about: "a recording of Livox LiDARs, LVX 1.1",
    holds: Holds::PointsAndImu,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: |sample, selection| match sample.value {
        Value::PointCloud(_) | Value::Imu(_) => sample.time.is_some(),
        _ => takes::points(sample, selection),
    },
    instead: takes::no_advice,
    open: |out, opening| {
        let scans = Scans::of(opening);
        let mut lvx = Lvx { scans, ..Lvx::new(out, opening.options.lvx) };
        lvx.frames.spools = opening.options.spools;
        Ok(Box::new(lvx))
    },
};

/// Writes point clouds and IMU samples as Livox recorders do, one device per channel.
///
/// Channels that differ only in a final `/points` or `/imu` are one device. Its serial number is the common name, with
/// underscores for everything but letters, digits and `-_.`, cut to 15 characters, with a number if needed. Up to 255
/// devices are written.
///
/// Coordinates are rounded to millimetres (data type 2), intensities to integers from 0 to 255; tags are kept, and
/// missing tags are made from the return number. Clouds with two or three adjacent returns per shot use data types 4
/// and 7. A package has 96 points (48 and 30 shots) and the time of its first one; readers derive the other times from
/// the model. The last package of a cloud is filled with points at the origin, which LiDARs use for no return;
/// [`Note::Filled`] counts them. Rings are not written. IMU samples have single precision.
///
/// Unix times are stamps of a synchronised clock (type 1), all others count from the device's power-on (type 0).
/// Packages are sorted into frames of 50 ms if they arrive within a second of each other. Stamps are not negative: if a
/// relative or device time is negative, all are shifted so that the first is 0. Left out are samples without a time,
/// before 1970, or on another clock than the first; clouds with a coordinate that is not finite or beyond 2147 km; IMU
/// samples without angular velocity or acceleration; and other kinds.
///
/// Packages are kept in a temporary file because the list of devices precedes them.
#[derive(Debug)]
pub struct Lvx<W> {
    out: W,
    options: LvxOptions,
    devices: Devices,
    clock: Option<Clock>,
    frames: Frames,
    /// Points added to fill packages.
    filled: u64,
    scans: Scans,
}

/// Bytes of a point.
const POINT: usize = TaggedPoint::LEN;

impl<W: Write> Lvx<W> {
    /// Creates a recording on `out`.
    pub fn new(out: W, options: LvxOptions) -> Self {
        let (devices, frames) = (Devices::default(), Frames::default());
        Self { out, options, devices, clock: None, frames, filled: 0, scans: Scans::default() }
    }

    /// Completes the recording and returns the target.
    pub fn into_inner(self) -> Result<W> {
        let devices = self.devices.list.iter().zip(0..).map(|((serial, interval), number)| {
            let model = self.options.device_type.unwrap_or_else(|| model_of(*interval));
            Device::new(DeviceId::Index(number), serial, DeviceType(model))
        });
        let header = Header::new(Version::V1_1, devices.collect());
        let mut writer = Writer::new(self.out, &header).map_err(Error::written)?;
        self.frames.write(&mut writer)?;
        writer.finish().map_err(Error::written)
    }

    fn cloud(&mut self, device: u8, time: Timestamp, cloud: &PointCloud) -> Result<()> {
        let returns = returns_of(cloud);
        let (data_type, shots) = match returns {
            1 => (2, 96),
            2 => (4, 48),
            _ => (7, 30_usize),
        };
        let size = shots * returns;
        self.devices.note(device, cloud, returns);
        for first in (0..cloud.len()).step_by(size) {
            let range = first..(first + size).min(cloud.len());
            let offset = value_at(&cloud.time_offset, first);
            let stamp = time.checked_add(offset.into()).unwrap_or(time);
            let mut bytes = head(device, stamp, data_type)?;
            let len = bytes.len() + size * POINT;
            for i in range {
                let Some(point) = point(cloud, i) else { break };
                point.encode(&mut bytes).map_err(Error::written)?;
            }
            self.filled += (len.minus(bytes.len()) / POINT) as u64;
            bytes.resize(len, 0);
            self.frames.push(stamp, bytes)?;
        }
        Ok(())
    }

    fn imu(&mut self, device: u8, time: Timestamp, imu: &Imu) -> Result<Outcome> {
        let (Some(gyro), Some(acc)) = (imu.angular_velocity, imu.linear_acceleration) else {
            return Ok(Outcome::LeftOut);
        };
        #[expect(clippy::cast_possible_truncation, reason = "the format holds single precision")]
        let data = ImuData {
            gyro: <[f64; 3]>::from(gyro).map(|v| v as f32),
            acc: <[f64; 3]>::from(acc).map(|v| (v / Imu::STANDARD_GRAVITY) as f32),
        };
        let mut bytes = head(device, time, 6)?;
        data.encode(&mut bytes).map_err(Error::written)?;
        self.frames.push(time, bytes)?;
        Ok(Outcome::Written)
    }
}

impl<W: Write> Sink for Lvx<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.scans.resolve(sample);
        let is_placed = |time: &Timestamp| time.clock() != Clock::Unix || time.nanos() >= 0;
        let Some(time) = sample.time.filter(is_placed) else { return Ok(Outcome::LeftOut) };
        if self.clock.is_some_and(|clock| clock != time.clock()) {
            return Ok(Outcome::LeftOut);
        }
        let fits = match &sample.value {
            Value::PointCloud(cloud) => (0..cloud.len()).all(|i| point(cloud, i).is_some()),
            Value::Imu(imu) => imu.angular_velocity.is_some() && imu.linear_acceleration.is_some(),
            _ => false,
        };
        if !fits {
            return Ok(Outcome::LeftOut);
        }
        let Some(device) = self.devices.number(&sample.channel) else { return Ok(Outcome::LeftOut) };
        self.clock = Some(time.clock());
        match &sample.value {
            Value::PointCloud(cloud) => self.cloud(device, time, cloud).map(|()| Outcome::Written),
            Value::Imu(imu) => self.imu(device, time, imu),
            _ => Ok(Outcome::LeftOut),
        }
    }

    fn advice(&self) -> Option<Advice> {
        self.scans.advice().or(self.devices.is_full.then_some(Advice::FewerDevices))
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(Vec::from_iter((self.filled > 0).then_some(Note::Filled { points: self.filled })))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// Header of a package.
fn head(device_index: u8, time: Timestamp, data_type: u8) -> Result<Vec<u8>> {
    let head = PackageHeader1 {
        device_index,
        version: 5,
        slot_id: 1,
        lidar_id: 1,
        reserved: 0,
        status_code: 0,
        timestamp_type: u8::from(time.clock() == Clock::Unix),
        data_type,
        timestamp: time.nanos().to_le_bytes(),
    };
    let mut bytes = Vec::new();
    head.encode(&mut bytes).map_err(Error::written)?;
    Ok(bytes)
}

/// Number of returns per shot: more than one only if they are adjacent throughout the cloud.
fn returns_of(cloud: &PointCloud) -> usize {
    let numbers = &cloud.return_number;
    let are_all = |shot: &[u8]| numbers.len() == cloud.len() && numbers.chunks(shot.len()).all(|n| n == shot);
    match cloud.len() {
        0 => 1,
        _ if are_all(&[1, 2]) => 2,
        _ if are_all(&[1, 2, 3]) => 3,
        _ => 1,
    }
}

/// The model with the nearest firing interval.
fn model_of(interval: Option<u64>) -> u8 {
    const MID_40: u8 = 1;
    const HORIZON: u8 = 3;
    let distance = |model: &u8| {
        let nanos = DeviceType(*model).shot_interval_ns().unwrap_or(0);
        interval.unwrap_or(0).abs_diff(nanos.into())
    };
    [HORIZON, MID_40].into_iter().min_by_key(distance).filter(|_| interval.is_some()).unwrap_or(MID_40)
}

/// A point in millimetres; `None` if it does not fit.
fn point(cloud: &PointCloud, i: usize) -> Option<TaggedPoint> {
    let millimetres = |column: &[f32]| {
        let rounded = (f64::from(*column.get(i)?) * 1000.0).round();
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&rounded).then_some(rounded as i32)
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    let reflectivity = cloud.intensity.get(i).map_or(0, |v| v.round().clamp(0.0, 255.0) as u8);
    let by_return = || cloud.return_number.get(i).map_or(0, |n| (n.saturating_sub(1) & 3) << 4);
    Some(TaggedPoint {
        x: millimetres(&cloud.x)?,
        y: millimetres(&cloud.y)?,
        z: millimetres(&cloud.z)?,
        reflectivity,
        tag: cloud.tag.get(i).copied().unwrap_or_else(by_return),
    })
}
