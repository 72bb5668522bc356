//! Frames to samples: the only place where units, axes and clocks change.
//!
//! A frame gives one point cloud per device, on the channel `NAME/points`, and each inertial measurement on
//! `NAME/imu`, where `NAME` is [`Header::device_name`]; the frame of reference is `NAME`, Livox's own axes being
//! x forward, y left, z up. The samples of a frame come in the order of their times.
//!
//! Before the first sample of a device whose extrinsic is not all zero, the channel `tf_static` has the transform of `NAME`
//! below `base_link`, without a time; not of 1.0, whose points are moved already, and not where
//! [`Options::apply_extrinsics`] moves them. Where the file disables the extrinsic, the transform is that of a frame
//! `NAME/extrinsic_disabled`, in which nothing lies: the recorder knew the mount, and did not use it.

use std::sync::Arc;

use nalgebra::{Isometry3, Point3};
use robolog_core::{Error, Imu, PointCloud, Result, Sample, Timestamp, Transform, Value};

use crate::{
    ApplyExtrinsics, DeviceId, DeviceType, ExtrinsicUnit, Header, Lvx, Package, Record, TimestampType,
    Version, layout::ImuData, time::Unwrap,
};

/// What can be chosen when frames become samples. By default nothing is changed or left out.
///
/// ```
/// use lvx::{ApplyExtrinsics, Options, robolog_core::Value};
/// let mut options = Options::default();
/// options.apply_extrinsics = ApplyExtrinsics::Always;
/// options.drop_no_return = true;
/// let mut points = 0;
/// for sample in lvx::open("../../testdata/lvx/room.lvx")?.samples_with(options) {
///     if let Value::PointCloud(cloud) = sample?.value {
///         points += cloud.len();
///     }
/// }
/// assert!(points > 0);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Whether the points of a device are moved by its extrinsic. No effect on 1.0, where they already are.
    pub apply_extrinsics: ApplyExtrinsics,
    /// What LVX2 extrinsics are measured in.
    pub extrinsic_unit: ExtrinsicUnit,
    /// Leaves out the points that stand for a shot without a return: those at the sensor's own origin.
    pub drop_no_return: bool,
}

/// Makes samples of frames: see [`robolog_core::Sampling`].
///
/// ```
/// use lvx::{Error, Options, Sampler, robolog_core::{Sample, Sampling}};
///
/// # let file = std::fs::read("../../testdata/lvx/room.lvx").unwrap();
/// let reader = lvx::Reader::new(&file)?;
/// let mut sampler = Sampler::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     sampler.push(&record?, &mut sink)?;
/// }
/// sampler.finish(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    header: Header,
    options: Options,
    devices: Vec<DeviceSamples>,
    /// Of the frame at hand: one entry a package, so that each knows its successor.
    shots: Vec<Shots>,
    /// Of the frame at hand.
    measurements: Vec<Measurement>,
}

/// An inertial measurement that waits for the clouds that began before it.
#[derive(Debug, Clone, Copy)]
struct Measurement {
    device: usize,
    time: Option<Timestamp>,
    offset: u64,
    data: ImuData,
}

/// One device's samples in the making.
#[derive(Debug)]
struct DeviceSamples {
    id: DeviceId,
    device_type: DeviceType,
    mount: Option<Isometry3<f32>>,
    /// Where the device is mounted, until that is delivered.
    placed: Option<Sample>,
    /// The cloud at hand: everything but its points.
    cloud: Sample,
    points: PointCloud,
    imu: Sample,
    unwrap: Unwrap,
    shot_interval_ns: u32,
    pattern: Pattern,
}

#[derive(Debug, Clone, Copy)]
struct Shots {
    device: usize,
    time: Option<Timestamp>,
    udp_counter: Option<u16>,
    count: u32,
}

impl robolog_core::Sampling for Sampler {
    type Format = Lvx;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        let (devices, shots, measurements) = (Vec::new(), Vec::new(), Vec::new());
        Self { header: header.clone(), options, devices, shots, measurements }
    }

    fn push<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        if record.version() == Version::V2_4 {
            return Err(closed_codec(record.offset()).into());
        }
        self.look_ahead(record);
        for device in &mut self.devices {
            if let Some(mut placed) = device.placed.take() {
                sink(&mut placed)?;
            }
        }
        let mut outcome = Ok(());
        for (i, package) in record.packages().enumerate() {
            match package {
                Ok(package) => self.take(i, &package, sink)?,
                Err(error) => outcome = Err(error.into()),
            }
        }
        self.deliver(sink)?;
        outcome
    }

    /// Takes in times and devices alone, and no point.
    fn pass(&mut self, record: &Record<'_>) -> Result<()> {
        self.learn(record, &mut |_, _| {});
        Ok(())
    }
}

/// What is put behind a device's name for the frame that an extrinsic places which the file disables.
const DISABLED: &str = "extrinsic_disabled";

/// The channel of the places where devices are mounted.
pub(crate) const MOUNTS: &str = "tf_static";

/// The refusal to decode LVX3 points.
pub(crate) fn closed_codec(at: u64) -> Error {
    let kind = robolog_core::ErrorKind::Unsupported {
        what: "the points of LVX3",
        why: "Livox compresses them by a closed codec; devices, frames, packages and times can be listed",
    };
    Error::new(kind, at).within("lvx frame")
}

/// What a frame says of a device that holds for the frames behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    /// It has not been there before.
    Device,
    /// How far its shots are apart.
    Interval,
    /// A stamp that starts anew every second: what it means depends on all stamps before it.
    Pulse,
}

impl Sampler {
    /// Takes in what a frame leaves for the next one, and calls `each` with what is new and the device's place.
    pub(crate) fn learn(&mut self, record: &Record<'_>, each: &mut dyn FnMut(News, usize)) {
        if record.version() == Version::V2_4 {
            return;
        }
        let known = self.devices.len();
        self.look_ahead(record);
        (known..self.devices.len()).for_each(|device| each(News::Device, device));
        for (i, package) in record.packages().map_while(Result::ok).enumerate() {
            let Some(shots) = self.shots.get(i).copied() else { continue };
            if package.timestamp_type() == TimestampType::Pps {
                each(News::Pulse, shots.device);
            }
            let interval = self.derived_interval(i).filter(|_| package.imu().is_none());
            let Some(device) = self.devices.get_mut(shots.device) else { continue };
            device.placed = None;
            if let Some(interval) = interval {
                device.shot_interval_ns = interval;
                each(News::Interval, shots.device);
            }
        }
    }

    /// Whether there were packages of this device.
    pub(crate) fn has(&self, id: DeviceId) -> bool {
        self.devices.iter().any(|device| device.id == id)
    }

    /// Notes time and size of every package, so that per-point times can be derived where the file has none.
    fn look_ahead(&mut self, record: &Record<'_>) {
        self.shots.clear();
        for package in record.packages().map_while(Result::ok) {
            let device = self.device(package.device(), record.version(), record.offset());
            let entries = package.points().len().checked_div(package.points().returns()).unwrap_or_default();
            let unwrap = self.devices.get_mut(device).map(|device| &mut device.unwrap);
            let time = package.time().zip(unwrap).map(|(t, u)| u.apply(package.timestamp_type(), t));
            let count = u32::try_from(entries).unwrap_or_default();
            self.shots.push(Shots { device, time, udp_counter: package.udp_counter(), count });
        }
    }

    fn device(&mut self, id: DeviceId, version: Version, offset: u64) -> usize {
        if let Some(i) = self.devices.iter().position(|device| device.id == id) {
            return i;
        }
        let name: Arc<str> = self.header.device_name(id).into();
        let device = self.header.device(id);
        let device_type = device.map_or(DeviceType(u8::MAX), |d| d.device_type);
        let unit = if version == Version::V2_0 { self.options.extrinsic_unit } else { ExtrinsicUnit::Metre };
        let mount = device
            .filter(|device| self.options.apply_extrinsics.moves(device) && version != Version::V1_0)
            .map(|d| d.pose(unit).isometry().cast());
        let base: Arc<str> = "base_link".into();
        let placed = device.filter(|device| mount.is_none() && device.is_mounted(version)).map(|device| {
            let is_used = device.is_extrinsic_enabled();
            let child_frame_id = if is_used { name.to_string() } else { format!("{name}/{DISABLED}") };
            let transform = Transform { child_frame_id, pose: device.pose(unit) };
            let (channel, frame_id) = (MOUNTS.into(), base.clone());
            Sample { time: None, offset, channel, frame_id, value: Value::Transform(transform) }
        });
        let sample = |kind: &str, value| Sample {
            time: None,
            offset: 0,
            channel: format!("{name}/{kind}").into(),
            frame_id: if mount.is_some() { base.clone() } else { name.clone() },
            value,
        };
        let place = self.devices.len();
        self.devices.push(DeviceSamples {
            id,
            device_type,
            mount,
            placed,
            cloud: sample("points", Value::Scalar(0.0)),
            points: PointCloud::default(),
            imu: sample("imu", Value::Imu(Imu::default())),
            unwrap: Unwrap::default(),
            shot_interval_ns: device_type.shot_interval_ns().unwrap_or(5_000),
            pattern: Pattern::default(),
        });
        place
    }

    fn take<E: From<Error>>(
        &mut self,
        i: usize,
        package: &Package<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(shots) = self.shots.get(i).copied() else { return Ok(()) };
        let derived = self.derived_interval(i);
        let Some(device) = self.devices.get_mut(shots.device) else { return Ok(()) };
        if let Some(data) = package.imu() {
            let (device, time, offset) = (shots.device, shots.time, package.offset());
            self.measurements.push(Measurement { device, time, offset, data });
            return Ok(());
        }
        if let Some(interval) = derived {
            device.shot_interval_ns = interval;
        }
        device.append(package, shots, self.options, sink)
    }

    /// Delivers what the frame holds, in order of time.
    fn deliver<E: From<Error>>(
        &mut self,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let nanos = |time: Option<Timestamp>| time.map_or(i64::MIN, Timestamp::nanos);
        let mut clouds: Vec<_> =
            self.devices.iter().enumerate().map(|(i, device)| (nanos(device.cloud.time), i)).collect();
        clouds.sort_unstable();
        self.measurements.sort_by_key(|measurement| nanos(measurement.time));
        let mut measurements = self.measurements.drain(..).peekable();
        for (at, device) in clouds.into_iter().map(|(at, device)| (Some(at), device)).chain([(None, 0)]) {
            let is_before = |m: &Measurement| at.is_none_or(|at| nanos(m.time) < at);
            while let Some(measurement) = measurements.next_if(is_before) {
                let Some(DeviceSamples { imu, .. }) = self.devices.get_mut(measurement.device) else {
                    continue;
                };
                (imu.time, imu.offset) = (measurement.time, measurement.offset);
                imu.value = Value::Imu(Imu::from_g(measurement.data.gyro, measurement.data.acc));
                sink(imu)?;
            }
            if let (Some(_), Some(device)) = (at, self.devices.get_mut(device)) {
                device.flush(self.options, sink)?;
            }
        }
        Ok(())
    }

    /// LVX2 dropped the interval between points: it is what lies between two stamps, when no package is missing.
    fn derived_interval(&self, i: usize) -> Option<u32> {
        let this = self.shots.get(i)?;
        let counter = this.udp_counter?;
        let later = self.shots.get(i.checked_add(1)?..)?;
        let next = later.iter().find(|s| s.device == this.device)?;
        if next.udp_counter? != counter.wrapping_add(1) {
            return None;
        }
        let elapsed = next.time?.since(this.time?)?;
        let interval = elapsed.checked_div(i64::from(this.count))?;
        // A LiDAR fires some 100 000 to 500 000 times a second; what lies far outside is a jump of the clock.
        u32::try_from(interval).ok().filter(|ns| (500..100_000).contains(ns))
    }
}

impl DeviceSamples {
    fn append<E: From<Error>>(
        &mut self,
        package: &Package<'_>,
        shots: Shots,
        options: Options,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let points = package.points();
        if points.is_empty() {
            return Ok(());
        }
        // Nanoseconds from the cloud's time; what a u32 cannot hold begins a new cloud.
        let mut start = self.start_of(shots.time);
        if start.is_none() {
            self.flush(options, sink)?;
            start = Some(0);
        }
        let start = start.unwrap_or_default();
        let cloud = &mut self.points;
        if cloud.is_empty() {
            self.cloud.time = shots.time;
            self.cloud.offset = package.offset();
        }
        points.append_to(cloud);
        let n = points.len();
        self.pattern.prepare(n, points.returns(), self.device_type.lines());
        self.pattern.append_to(cloud, n, start, self.shot_interval_ns);
        Ok(())
    }

    /// How much later `time` is than the cloud's; `None` where a new cloud begins.
    fn start_of(&self, time: Option<Timestamp>) -> Option<u32> {
        if self.points.is_empty() { Some(0) } else { offset_in_cloud(self.cloud.time, time) }
    }

    fn flush<E: From<Error>>(
        &mut self,
        options: Options,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let cloud = &mut self.points;
        if cloud.is_empty() {
            return Ok(());
        }
        let is_return = |x: f32, y: f32, z: f32| x != 0.0 || y != 0.0 || z != 0.0;
        if options.drop_no_return {
            let (x, y, z) = (cloud.x.clone(), cloud.y.clone(), cloud.z.clone());
            let mut at = x.into_iter().zip(y).zip(z).map(|((x, y), z)| is_return(x, y, z));
            cloud.retain(|_| at.next().unwrap_or(true));
        }
        if let Some(mount) = &self.mount {
            for ((x, y), z) in cloud.x.iter_mut().zip(&mut cloud.y).zip(&mut cloud.z) {
                // A shot without a return has no place; it must not become a point where the sensor is mounted.
                if is_return(*x, *y, *z) {
                    let p = mount.transform_point(&Point3::new(*x, *y, *z));
                    (*x, *y, *z) = (p.x, p.y, p.z);
                }
            }
        }
        let outcome = self.cloud.lend(cloud, sink);
        self.points.clear();
        outcome
    }
}

/// Nanoseconds from the `start` of a cloud to a package of `time`; `None` when 32 bits do not hold them, or the clocks
/// differ: then the package begins a new cloud.
pub(crate) fn offset_in_cloud(start: Option<Timestamp>, time: Option<Timestamp>) -> Option<u32> {
    let (Some(time), Some(start)) = (time, start) else {
        return (time.is_none() && start.is_none()).then_some(0);
    };
    // A package reaches less than ten milliseconds.
    u32::try_from(time.since(start)?).ok().filter(|ns| *ns < u32::MAX - 10_000_000)
}

/// What follows from a point's place in a package alone, kept for copying: which shot, which return, which line.
#[derive(Debug, Default)]
struct Pattern {
    returns: usize,
    shot: Vec<u32>,
    return_number: Vec<u8>,
    ring: Vec<u16>,
}

impl Pattern {
    /// For packages of `n` points, `returns` a shot, of a device with this number of laser `lines`.
    #[expect(clippy::cast_possible_truncation, reason = "a package holds a few hundred points at most")]
    fn prepare(&mut self, n: usize, returns: usize, lines: u16) {
        if self.returns == returns && self.shot.len() >= n {
            return;
        }
        let (returns, lines) = (returns.max(1), lines.max(1));
        let shots = || (0..n).map(|i| i.checked_div(returns).unwrap_or_default() as u32);
        self.returns = returns;
        self.shot = shots().collect();
        self.return_number =
            (0..n).map(|i| (i.checked_rem(returns).unwrap_or_default() as u8).saturating_add(1)).collect();
        self.ring = shots().map(|s| s.checked_rem(lines.into()).unwrap_or_default() as u16).collect();
    }

    /// Appends these columns for `n` points, the first of them `start` nanoseconds behind the cloud's time.
    fn append_to(&self, cloud: &mut PointCloud, n: usize, start: u32, interval: u32) {
        let PointCloud { time_offset, return_number, ring, .. } = cloud;
        let shots = self.shot.get(..n).unwrap_or_default();
        time_offset.extend(shots.iter().map(|s| start.wrapping_add(s.wrapping_mul(interval))));
        return_number.extend_from_slice(self.return_number.get(..n).unwrap_or_default());
        ring.extend_from_slice(self.ring.get(..n).unwrap_or_default());
    }
}
