//! State of one device between packages.

use std::{ops::Range, sync::Arc};

use nalgebra::{Isometry3, Point3};
use robolog_core::{
    Attributes, Clock, PointCloud, Result, Sample, Timestamp, Transform, Value,
    format::{Lent, Wanted},
    slices::{OrZero as _, Part as _},
};

use super::losses::Losses;
use crate::{
    Device, DeviceDetails, DeviceId, DeviceType, ExtrinsicUnit, Header, Options, Package, Status,
    TimestampType, Version, alarms::Alarms, time::Unwrap,
};

/// State tracked per device.
#[derive(Debug)]
pub(super) struct DeviceTrack {
    pub(super) id: DeviceId,
    /// Number of laser lines fired in turn.
    lines: u16,
    mount: Option<Isometry3<f32>>,
    /// The device's mounting, until it is delivered.
    pub(super) placed: Option<Sample>,
    pub(super) cloud: Lent,
    /// Time and byte of the current cloud.
    pub(super) time: Option<Timestamp>,
    offset: u64,
    /// Whether the current cloud has any packages.
    is_begun: bool,
    points: PointCloud,
    pub(super) imu: Lent,
    unwrap: Unwrap,
    /// Unix time of its power-on, if its clock gets the date late.
    power_on_ns: Option<i64>,
    shot_interval_ns: u32,
    /// Whether the user set the model, whose shot interval then applies.
    is_told: bool,
    pattern: Pattern,
    /// The last package, until the next one shows its shot interval.
    shots: Option<Shots>,
    /// Locations of the frame with the first package, and of the last one that shows the shot interval.
    pub(super) introduced: Option<Range<u64>>,
    pub(super) paced: Option<Range<u64>>,
    /// Offset of its first package.
    pub(super) first: u64,
    /// The last stamps of points and of inertial measurements, which different parts of a LiDAR send.
    pub(super) last: [Option<Timestamp>; 2],
    pub(super) losses: Losses,
    /// The worst of each state.
    pub(super) status: Option<Status>,
    pub(super) alarms: Alarms,
    pub(super) details: DeviceDetails,
}

/// The shots of a package.
#[derive(Debug, Clone, Copy)]
struct Shots {
    points: usize,
    returns: usize,
    /// Nanoseconds from the cloud's time to the first shot.
    start: u32,
    time: Option<Timestamp>,
    udp_counter: Option<u16>,
}

/// Suffix of the device name for the frame of an extrinsic that the file disables.
const DISABLED: &str = "extrinsic_disabled";

impl DeviceTrack {
    /// A device whose first package is at offset `first`.
    pub(super) fn new(id: DeviceId, header: &Header, options: Options, first: u64) -> Self {
        let version = header.version();
        let name: Arc<str> = header.device_name(id).into();
        let device = header.device(id);
        let device_type = header.device_type(id).unwrap_or(DeviceType(u8::MAX));
        let unit = if version == Version::V2_0 { options.extrinsic_unit } else { ExtrinsicUnit::Metre };
        let mount = device
            .filter(|device| options.apply_extrinsics.moves(device) && version != Version::V1_0)
            .map(|d| d.pose(unit).isometry().cast());
        let base: Arc<str> = "base_link".into();
        let is_placed = mount.is_none() && version != Version::V2_4;
        let placed = device.filter(|device| is_placed && device.is_mounted(version)).map(|device| {
            let is_used = device.is_extrinsic_enabled();
            let child_frame_id = if is_used { name.to_string() } else { format!("{name}/{DISABLED}") };
            let transform = Transform { child_frame_id, pose: device.pose(unit) };
            Sample::new("tf_static", Value::Transform(transform)).with_frame(Arc::clone(&base))
        });
        let attributes = attributes(device, header);
        let frame_id = if mount.is_some() { &base } else { &name };
        let lent = |kind: &str| {
            let mut lent = Lent::new(format!("{name}/{kind}"), Arc::clone(frame_id));
            lent.with_attributes(&attributes);
            lent
        };
        let (cloud, imu) = (lent("points"), lent("imu"));
        Self {
            id,
            lines: device_type.lines(),
            mount,
            placed,
            cloud,
            time: None,
            offset: 0,
            is_begun: false,
            points: PointCloud::default(),
            imu,
            unwrap: Unwrap::default(),
            power_on_ns: header
                .late_clocks()
                .iter()
                .find(|late| late.device == id)
                .map(|late| late.power_on_ns),
            shot_interval_ns: device_type.shot_interval_ns().unwrap_or(5_000),
            is_told: header.model().is_some_and(|model| model.shot_interval_ns().is_some()),
            pattern: Pattern::default(),
            shots: None,
            introduced: None,
            paced: None,
            first,
            last: [None; 2],
            losses: Losses::default(),
            status: None,
            alarms: Alarms::default(),
            details: DeviceDetails::of(id, header),
        }
    }

    /// A stamp of the device on one clock.
    pub(super) fn placed(&mut self, kind: TimestampType, time: Timestamp) -> Timestamp {
        match self.power_on_ns {
            Some(power_on) if time.clock() == Clock::Device => {
                Timestamp::new(time.nanos().saturating_add(power_on), Clock::Unix)
            }
            _ => self.unwrap.apply(kind, time),
        }
    }

    /// Time from the current cloud to `time`, nanoseconds; `None` if a new cloud begins.
    pub(super) fn start_of(&self, time: Option<Timestamp>) -> Option<u32> {
        if self.is_begun { offset_in_cloud(self.time, time) } else { Some(0) }
    }

    /// Returns whether points of `time` begin a cloud, and begins it.
    pub(super) fn begins_cloud(&mut self, time: Option<Timestamp>) -> bool {
        let begins = !self.is_begun || offset_in_cloud(self.time, time).is_none();
        if begins {
            (self.is_begun, self.time) = (true, time);
        }
        begins
    }

    /// Adds the points of a package, `start` nanoseconds after the time of the current cloud; without `start`, to a new
    /// cloud.
    pub(super) fn append(
        &mut self,
        package: &Package<'_>,
        time: Option<Timestamp>,
        start: Option<u32>,
        options: Options,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let points = package.points();
        if points.is_empty() {
            return Ok(());
        }
        if start.is_none() {
            self.flush(options, out)?;
        }
        if !self.is_begun {
            // A failed sink leaves points here.
            self.points.clear();
            (self.is_begun, self.time, self.offset) = (true, time, package.offset());
        }
        if out.wants_values() {
            points.append_to(&mut self.points);
        }
        let (start, udp_counter) = (start.unwrap_or(0), package.udp_counter());
        self.shots =
            Some(Shots { points: points.len(), returns: points.returns(), start, time, udp_counter });
        Ok(())
    }

    /// Completes the package before one with this time and number, or before the end of the frame. Returns whether the
    /// two show the shot interval: LVX2 dropped it, so it comes from two stamps with no package missing between them.
    pub(super) fn complete(&mut self, next: Option<(Option<Timestamp>, Option<u16>)>) -> bool {
        let Some(shots) = self.shots.take() else { return false };
        let next = next.filter(|_| !self.is_told);
        let interval = next.and_then(|(time, counter)| shots.interval_to(time?, counter?));
        self.shot_interval_ns = interval.unwrap_or(self.shot_interval_ns);
        if !self.points.is_empty() {
            self.pattern.prepare(shots.points, shots.returns, self.lines);
            self.pattern.append_to(&mut self.points, shots.points, shots.start, self.shot_interval_ns);
        }
        interval.is_some()
    }

    /// Ends the frame: no package of it follows.
    pub(super) fn end_frame(&mut self) {
        self.complete(None);
        self.is_begun = false;
    }

    /// Delivers the current cloud.
    pub(super) fn flush(&mut self, options: Options, out: &mut Wanted<'_>) -> Result<()> {
        self.is_begun = false;
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
                // A shot without a return has no position; it must not become a point where the sensor is mounted.
                if is_return(*x, *y, *z) {
                    let p = mount.transform_point(&Point3::new(*x, *y, *z));
                    (*x, *y, *z) = (p.x, p.y, p.z);
                }
            }
        }
        let outcome = out.lend(self.cloud.at(self.time, self.offset), cloud);
        self.points.clear();
        outcome
    }
}

/// What a recording says of the channels of a device.
fn attributes(device: Option<&Device>, header: &Header) -> Attributes {
    let Some(device) = device else { return Attributes::default() };
    let serial = Some(device.sn_text()).filter(|serial| !serial.is_empty());
    let model = header.device_type(device.id).and_then(DeviceType::name).map(str::to_owned);
    [("serial", serial), ("model", model)]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
}

impl Shots {
    /// Nanoseconds between shots, given the time and number of the next package.
    fn interval_to(self, time: Timestamp, udp_counter: u16) -> Option<u32> {
        if self.udp_counter?.wrapping_add(1) != udp_counter {
            return None;
        }
        let shots = self.points.checked_div(self.returns)?;
        let interval = time.since(self.time?)?.checked_div(i64::try_from(shots).ok()?)?;
        // A LiDAR fires some 100 000 to 500 000 times a second; a value far outside is a clock jump.
        u32::try_from(interval).ok().filter(|ns| (500..100_000).contains(ns))
    }
}

/// Nanoseconds from the `start` of a cloud to a package of `time`; `None` if it exceeds 32 bits, or the clocks differ:
/// then the package begins a new cloud.
fn offset_in_cloud(start: Option<Timestamp>, time: Option<Timestamp>) -> Option<u32> {
    let (Some(time), Some(start)) = (time, start) else {
        return (time.is_none() && start.is_none()).then_some(0);
    };
    // A package lasts less than ten milliseconds.
    u32::try_from(time.since(start)?).ok().filter(|ns| *ns < u32::MAX - 10_000_000)
}

/// Columns that depend only on a point's index in its package, kept for copying: shot, return, line.
#[derive(Debug, Default)]
struct Pattern {
    returns: usize,
    shot: Vec<u32>,
    return_number: Vec<u8>,
    ring: Vec<u16>,
}

impl Pattern {
    /// For packages of `n` points with `returns` per shot, from a device with this many laser `lines`.
    #[expect(clippy::cast_possible_truncation, reason = "a package holds a few hundred points at most")]
    fn prepare(&mut self, n: usize, returns: usize, lines: u16) {
        if self.returns == returns && self.shot.len() >= n {
            return;
        }
        let (returns, lines) = (returns.max(1), lines.max(1));
        let shots = || (0..n).map(|i| i.div_or_zero(returns) as u32);
        self.returns = returns;
        self.shot = shots().collect();
        self.return_number = (0..n).map(|i| (i.rem_or_zero(returns) as u8).saturating_add(1)).collect();
        self.ring = shots().map(|s| s.rem_or_zero(lines.into()) as u16).collect();
    }

    /// Appends these columns for `n` points, the first of them `start` nanoseconds after the cloud's time.
    fn append_to(&self, cloud: &mut PointCloud, n: usize, start: u32, interval: u32) {
        let PointCloud { time_offset, return_number, ring, .. } = cloud;
        let shots = self.shot.part(..n);
        time_offset.extend(shots.iter().map(|s| start.wrapping_add(s.wrapping_mul(interval))));
        return_number.extend_from_slice(self.return_number.part(..n));
        ring.extend_from_slice(self.ring.part(..n));
    }
}
