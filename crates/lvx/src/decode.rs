//! Converts frames to samples, counts and splits: the only place where units, axes and clocks are converted.
//!
//! A frame gives one point cloud per device, on channel `NAME/points`, and each inertial measurement on `NAME/imu`,
//! where `NAME` is [`Header::device_name`]; the frame of reference is `NAME`, with Livox's own axes: x forward, y left,
//! z up. The samples of a frame are sorted by time.
//!
//! If a device's extrinsic is not all zero, channel `tf_static` has the transform from `base_link` to `NAME` before the
//! device's first sample, without a time. This does not apply to 1.0, whose points are already moved, or if
//! [`Options::apply_extrinsics`] moves them. If the file disables the extrinsic, the transform is to
//! `NAME/extrinsic_disabled`, a frame without data: the recorder knew the mounting but did not use it.

mod count;
mod device;
mod losses;

use std::ops::Range;

use robolog_core::{
    Error, ErrorKind, Imu, Result, Severity, Timestamp, Value,
    format::{ReorderBound, SurveyBuilder, Timed as _, Wanted, extend_ranges},
    slices::InRange as _,
};

use self::device::DeviceTrack;
use crate::{
    ApplyExtrinsics, Details, DeviceId, ExtrinsicUnit, Header, Lvx, Package, Record, TimestampType, Version,
    layout::ImuData,
};

/// Options for converting frames to samples. The defaults change and drop nothing.
///
/// ```
/// use lvx::{ApplyExtrinsics, Options, robolog_core::Value};
/// let mut options = Options::default();
/// options.apply_extrinsics = ApplyExtrinsics::Always;
/// options.drop_no_return = true;
/// let mut points = 0;
/// for sample in lvx::open("examples/room.lvx")?.samples_with(options) {
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
    /// Whether to move the points of a device by its extrinsic. No effect on 1.0, where they already are.
    pub apply_extrinsics: ApplyExtrinsics,
    /// Unit of LVX2 extrinsics.
    pub extrinsic_unit: ExtrinsicUnit,
    /// Drops the points of laser shots without a return: those at the sensor's origin.
    pub drop_no_return: bool,
}

/// Makes samples and counts from frames: see [`robolog_core::format::Decoder`].
///
/// ```
/// use lvx::{Decoder, Error, Options, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = std::fs::read("examples/room.lvx").unwrap();
/// let reader = lvx::Reader::new(&file)?;
/// let mut decoder = Decoder::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     decoder.samples(&record?, &mut sink)?;
/// }
/// decoder.last_samples(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    header: Header,
    options: Options,
    devices: Vec<DeviceTrack>,
    /// Inertial measurements of the current frame, held back for the clouds that began before them.
    measurements: Vec<Measurement>,
    details: Details,
    /// Expected number of the next frame.
    next_index: Option<u64>,
    /// Where the current recording begins, if files were joined, and its header, if it is needed to read its frames.
    base: u64,
    joined: Option<Range<u64>>,
    /// Whether stamps restart every second, so that their meaning depends on all earlier ones.
    has_pulses: bool,
    /// Longest frame, nanoseconds.
    longest: i64,
}

#[derive(Debug, Clone, Copy)]
struct Measurement {
    device: usize,
    time: Option<Timestamp>,
    offset: u64,
    data: ImuData,
}

/// Reordering bound in frames: each frame has its own times, and a device's shot interval comes from its last frame.
/// The minimum is two frames of a Livox; the maximum is for devices that each count from their own start.
const FRAMES: i64 = 2;
const LEAST: i64 = 100_000_000;
const MOST: i64 = 1_000_000_000;

impl robolog_core::format::Decoder for Decoder {
    type Format = Lvx;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        Self {
            header: header.clone(),
            options,
            devices: Vec::new(),
            measurements: Vec::new(),
            details: Details::of(header),
            next_index: None,
            base: 0,
            joined: None,
            has_pulses: false,
            longest: 0,
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        crate::fixed::header(header, notes);
    }

    /// Walks the packages once for samples and counts; for state alone, only their times once more.
    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if record.is_header() {
            self.join(record, out);
            return Ok(());
        }
        if let Some(notes) = out.notes() {
            self.count_frame(record, notes);
        } else if record.version() == Version::V2_4 {
            return if out.wants_values() { Err(closed_codec(record.offset())) } else { Ok(()) };
        } else if !out.wants_values()
            && let Some((first, last)) = record.span()
        {
            self.longest = self.longest.max(last.since(first).unwrap_or(MOST));
        }
        let (mut packages, mut counted, mut outcome) = (record.packages(), 0_u64, Ok(()));
        while let Some(package) = packages.next() {
            match package {
                Ok(package) => {
                    counted = counted.plus(1);
                    self.package(record, &package, out)?;
                }
                Err(error) => match out.notes() {
                    Some(notes) => notes.damage(&error, packages.offset()..record.raw.end()),
                    None => outcome = Err(error),
                },
            }
        }
        if let Some(notes) = out.notes()
            && let Some(claimed) = record.package_count().filter(|n| *n != counted)
        {
            let message = format_args!("the frame claims {claimed} packages, but has {counted}");
            notes.find(Severity::Warning, "package-count", record.offset(), message);
        }
        self.deliver(record, out)?;
        outcome
    }

    /// The frames that introduce a device, and the last ones that show its shot interval.
    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let mut carry = Vec::new();
        let ranges = self.devices.iter().flat_map(|device| [&device.introduced, &device.paced]);
        extend_ranges(&mut carry, self.joined.iter().chain(ranges.flatten()));
        (!self.has_pulses && self.header.late_clocks().is_empty()).then_some(carry)
    }

    fn reorder_bound(&self) -> Option<ReorderBound> {
        let is_met = |id: DeviceId| self.devices.iter().any(|device| device.id == id);
        let has_all = self.header.devices().iter().all(|device| is_met(device.id));
        let is_ordered = has_all
            && !self.has_pulses
            && self.header.late_clocks().is_empty()
            && self.header.version() != Version::V2_4;
        is_ordered.then(|| {
            let slack = self.longest.saturating_mul(FRAMES).clamp(LEAST, MOST);
            ReorderBound { order: slack, reach: slack }
        })
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.counted(notes)
    }
}

/// The error for LVX3 points, which cannot be decoded.
pub(crate) fn closed_codec(at: u64) -> Error {
    let kind = ErrorKind::Unsupported {
        what: "the points of LVX3",
        why: "Livox compresses them with a closed codec; devices, frames, packages and times can be listed",
    };
    Error::new(kind, at).within("lvx frame")
}

impl Decoder {
    /// Goes on with the recording behind a header: two files were joined.
    fn join(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) {
        (self.base, self.next_index) = (record.offset(), None);
        let Some(mut second) = record.header() else { return };
        let has_others = second.devices() != self.header.devices();
        if let Some(notes) = out.notes() {
            let devices = if has_others { "with other devices " } else { "" };
            let message = format_args!("a second recording {devices}begins here: two files were joined");
            notes.find(Severity::Warning, "second-recording", record.offset(), message);
            if has_others {
                self.settle(notes);
            }
        }
        // Its stamps may begin anew.
        self.devices.iter_mut().for_each(|device| device.last = [None; 2]);
        if has_others {
            second.set_model(self.header.model());
            self.devices.clear();
            self.header = second;
            self.joined = out.range();
        }
    }

    fn package(&mut self, record: &Record<'_>, package: &Package<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let place = self.place_of(package, out);
        let Some(device) = self.devices.get_mut(place) else { return Ok(()) };
        let kind = package.timestamp_type();
        self.has_pulses |= kind == TimestampType::Pps;
        let time = package.time().map(|time| device.placed(kind, time));
        if let Some(notes) = out.notes() {
            device.count(package, time, &mut self.details, notes);
            return Ok(());
        }
        if device.complete(Some((time, package.udp_counter()))) {
            device.paced = out.range().or(device.paced.take());
        }
        if let Some(data) = package.imu() {
            let (device, offset) = (place, package.offset());
            self.measurements.push(Measurement { device, time, offset, data });
            return Ok(());
        }
        let start = device.start_of(time);
        if start.is_none() {
            self.introduce(record, out)?;
        }
        let device = self.devices.get_mut(place);
        device.map_or(Ok(()), |device| device.append(package, time, start, self.options, out))
    }

    /// The index of a package's device. The only state a new device leaves for later frames is its presence.
    fn place_of(&mut self, package: &Package<'_>, out: &mut Wanted<'_>) -> usize {
        let id = package.device();
        if let Some(place) = self.devices.iter().position(|device| device.id == id) {
            return place;
        }
        let place = self.devices.len();
        if let Some(notes) = out.notes().filter(|_| self.header.device(id).is_none()) {
            let message = format_args!("{id} is not in the list of devices");
            notes.find(Severity::Warning, "unknown-device", package.offset(), message);
        }
        let mut device = DeviceTrack::new(id, &self.header, self.options, package.offset());
        device.introduced = out.range();
        self.devices.push(device);
        place
    }

    /// Delivers the mountings of new devices.
    fn introduce(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        for device in &mut self.devices {
            if let Some(mut placed) = device.placed.take() {
                placed.offset = record.offset();
                out.sample(&mut placed)?;
            }
        }
        Ok(())
    }

    /// Delivers the contents of the frame in time order.
    fn deliver(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        self.introduce(record, out)?;
        self.devices.iter_mut().for_each(DeviceTrack::end_frame);
        if !out.wants_values() {
            self.measurements.clear();
            return Ok(());
        }
        let nanos = |time: Option<Timestamp>| time.map_or(i64::MIN, Timestamp::nanos);
        let mut clouds: Vec<_> =
            self.devices.iter().enumerate().map(|(i, device)| (nanos(device.time), i)).collect();
        clouds.sort_unstable();
        self.measurements.sort_by_key(|measurement| nanos(measurement.time));
        let mut measurements = self.measurements.drain(..).peekable();
        for (at, device) in clouds.into_iter().map(|(at, device)| (Some(at), device)).chain([(None, 0)]) {
            let is_before = |m: &Measurement| at.is_none_or(|at| nanos(m.time) < at);
            while let Some(measurement) = measurements.next_if(is_before) {
                let Some(DeviceTrack { imu, .. }) = self.devices.get_mut(measurement.device) else {
                    continue;
                };
                let value = Value::Imu(Imu::from_g(measurement.data.gyro, measurement.data.acc));
                imu.deliver(measurement.time, measurement.offset, value, out)?;
            }
            if let (Some(_), Some(device)) = (at, self.devices.get_mut(device)) {
                device.flush(self.options, out)?;
            }
        }
        Ok(())
    }
}
