//! Counts of a recording, and what is odd about it.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

use std::collections::BTreeMap;

use robolog_core::{Clock, Notes, Severity, Timestamp};

use crate::{
    DataType, DeviceId, DeviceType, Header, Lvx, Package, Record, Status, Version, fixed,
    sample::{MOUNTS, offset_in_cloud},
    time::Unwrap,
};

/// What only an LVX recording knows.
///
/// ```
/// let summary = lvx::survey("../../testdata/lvx/room.lvx")?;
/// assert_eq!((summary.details.frames, summary.details.points), (10, 15360));
/// assert_eq!(summary.details.devices[0].model, Some("Horizon"));
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Details {
    /// Frames, also those of which a part is missing.
    pub frames: u64,
    /// Whole packages.
    pub packages: u64,
    /// Points, every return counted, those without a return too.
    pub points: u64,
    /// Inertial measurements.
    pub imu_samples: u64,
    /// Nominal length of a frame.
    pub frame_ms: Option<u32>,
    /// Whether the magic code is right.
    pub magic_ok: bool,
    /// The devices of the header's list, then those that are missing there.
    pub devices: Vec<DeviceDetails>,
    /// Packages by the number of their data type.
    pub data_types: BTreeMap<u8, u64>,
    /// Packages by the number of their time stamp's type.
    pub timestamp_types: BTreeMap<u8, u64>,
}

/// Counts of one device.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DeviceDetails {
    /// Serial number or broadcast code, escaped.
    pub sn: String,
    /// The same of the hub.
    pub hub_sn: String,
    /// What packages of 1.x call it.
    pub index: Option<u8>,
    /// What packages of LVX2 and LVX3 call it: an IPv4 address, octets in file order.
    pub lidar_id: Option<u32>,
    /// The number of its model; `None` where the list lacks it.
    pub device_type: Option<u8>,
    /// The model's name, where it is known.
    pub model: Option<&'static str>,
    /// Whether points are to be moved by the extrinsic, 0 or 1; `None` in 1.0, and where the list lacks the device.
    pub extrinsic_enable: Option<u8>,
    /// Roll, pitch, yaw in degrees and x, y, z as they stand in the file.
    pub extrinsic: Option<crate::layout::Extrinsic>,
    /// The device's own words of its state: the worst of each over all packages, and what its clock followed at the
    /// end, such as `fan warning`, `synchronised by PTP`. Empty where all is normal, and in LVX2, whose packages have no
    /// status.
    pub states: Vec<&'static str>,
    /// Whole packages.
    pub packages: u64,
    /// Points, every return counted.
    pub points: u64,
    /// Inertial measurements.
    pub imu_samples: u64,
    /// Earliest stamp in nanoseconds, on the clock of its packages.
    pub start_ns: Option<i64>,
    /// Latest stamp.
    pub end_ns: Option<i64>,
    #[cfg_attr(feature = "serde", serde(skip))]
    clock: Option<Clock>,
}

/// Counts frames: see [`robolog_core::survey`].
///
/// ```
/// let summary = lvx::survey("../../testdata/lvx/room.lvx")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    version: Version,
    details: Details,
    tracks: Vec<Track>,
    next_index: Option<u64>,
}

/// The cloud that packages of a frame are gathered in.
#[derive(Debug, Clone, Copy)]
enum Cloud {
    /// The frame has none yet.
    None,
    /// It begins then, if that is known.
    Begun(Option<Timestamp>),
}

/// What is followed of one device, beside its entry in the details.
#[derive(Debug)]
struct Track {
    id: DeviceId,
    /// Where its first package lies.
    first: u64,
    points: String,
    imu: String,
    unwrap: Unwrap,
    /// The last stamp of points, and of inertial measurements: the two are sent by different parts of a LiDAR.
    last: [Option<Timestamp>; 2],
    udp_counter: Option<u16>,
    /// Each state at its worst.
    status: Option<Status>,
    /// The cloud of the frame at hand.
    cloud: Cloud,
    /// Whether samples say where it is mounted.
    is_mounted: bool,
}

impl robolog_core::Surveying for Survey {
    type Format = Lvx;
    type Details = Details;

    fn new(header: &Header, notes: &mut Notes) -> Self {
        fixed::header(header, notes);
        let mut survey = Self {
            version: header.version(),
            details: Details {
                frames: 0,
                packages: 0,
                points: 0,
                imu_samples: 0,
                frame_ms: header.frame_duration_ms(),
                magic_ok: header.magic_ok(),
                devices: Vec::new(),
                data_types: BTreeMap::new(),
                timestamp_types: BTreeMap::new(),
            },
            tracks: Vec::new(),
            next_index: None,
        };
        for device in header.devices() {
            if survey.tracks.iter().any(|t| t.id == device.id) {
                let message = format_args!("{} is listed more than once", device.id);
                notes.find(Severity::Warning, "duplicate-device", 29, message);
                continue;
            }
            survey.add(device.id, header, 0);
        }
        survey
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        self.details.frames += u64::from(!record.is_fragment());
        if record.is_fragment() {
            let message = "packages without a frame's header: what is left of a frame";
            notes.find(Severity::Warning, "frame-header", record.offset(), message);
        }
        if record.current_offset() != record.offset() {
            let message = format_args!("the frame says that it lies at {:#x}", record.current_offset());
            notes.find(Severity::Warning, "offset-chain", record.offset(), message);
        }
        if let Some(index) = record.frame_index() {
            if let Some(expected) = self.next_index.filter(|n| *n != index) {
                let message = format_args!("frame {index} where {expected} was due");
                notes.find(Severity::Note, "frame-index", record.offset(), message);
            }
            self.next_index = index.checked_add(1);
        }
        self.tracks.iter_mut().for_each(|track| track.cloud = Cloud::None);
        let before = self.details.packages;
        let mut packages = record.packages();
        while let Some(package) = packages.next() {
            match package {
                Ok(package) => self.count(&package, notes),
                Err(error) => notes.damage(&error, packages.offset()..record.raw.end()),
            }
        }
        let counted = self.details.packages.saturating_sub(before);
        if let Some(claimed) = record.package_count().filter(|n| *n != counted) {
            let message = format_args!("the frame says that it has {claimed} packages, and has {counted}");
            notes.find(Severity::Warning, "package-count", record.offset(), message);
        }
    }

    fn finish(mut self, notes: &mut Notes) -> (String, Details) {
        for (track, device) in self.tracks.iter().zip(&mut self.details.devices) {
            device.states = track.status.map(Status::states).unwrap_or_default();
            let span = device.start_ns.zip(device.end_ns).map(|(start, end)| start.abs_diff(end));
            let rate = span
                .filter(|_| device.packages >= FEW)
                .and_then(|span| points_per_second(device.points, span));
            if let Some(rate) = rate.filter(|rate| *rate > MOST_POINTS) {
                let id = track.id;
                let message = format_args!(
                    "{id}: {rate} points a second, which no Livox measures: the times are wrong"
                );
                notes.find(Severity::Warning, "point-rate", track.first, message);
            }
        }
        let is_used = |(track, device): &(&Track, &DeviceDetails)| track.is_mounted && device.packages > 0;
        let mounted = self.tracks.iter().zip(&self.details.devices).filter(is_used).count() as u64;
        if self.version == Version::V2_4 {
            let message = "the points of LVX3 cannot be read: Livox compresses them by a closed codec";
            notes.find(Severity::Warning, "unsupported", 16, message);
        } else if mounted > 0 {
            notes.tally(MOUNTS, "transform", mounted, mounted, None);
        }
        (self.version.to_string(), self.details)
    }
}

/// No Livox measures so many points a second, every return counted: an Avia with three has 720 000.
const MOST_POINTS: u64 = 2_000_000;
/// So few packages say nothing of a rate.
const FEW: u64 = 100;

fn points_per_second(points: u64, nanos: u64) -> Option<u64> {
    u64::try_from(u128::from(points).saturating_mul(1_000_000_000).checked_div(nanos.into())?).ok()
}

impl Survey {
    fn add(&mut self, id: DeviceId, header: &Header, first: u64) {
        let device = header.device(id);
        let name = header.device_name(id);
        let (index, lidar_id) = match id {
            DeviceId::Index(index) => (Some(index), None),
            DeviceId::Lidar(id) => (None, Some(id)),
        };
        self.details.devices.push(DeviceDetails {
            sn: device.map_or_else(String::new, crate::Device::sn_text),
            hub_sn: device.map_or_else(String::new, crate::Device::hub_sn_text),
            index,
            lidar_id,
            device_type: device.map(|d| d.device_type.0),
            model: device.and_then(|d| d.device_type.name()),
            extrinsic_enable: device.and_then(|d| d.extrinsic_enable),
            extrinsic: device.map(|d| d.extrinsic),
            states: Vec::new(),
            packages: 0,
            points: 0,
            imu_samples: 0,
            start_ns: None,
            end_ns: None,
            clock: None,
        });
        self.tracks.push(Track {
            id,
            first,
            points: format!("{name}/points"),
            imu: format!("{name}/imu"),
            unwrap: Unwrap::default(),
            last: [None; 2],
            udp_counter: None,
            status: None,
            cloud: Cloud::None,
            is_mounted: device.is_some_and(|device| device.is_mounted(self.version)),
        });
    }

    fn count(&mut self, package: &Package<'_>, notes: &mut Notes) {
        let id = package.device();
        let at = package.offset();
        if !self.tracks.iter().any(|t| t.id == id) {
            notes.find(
                Severity::Warning,
                "unknown-device",
                at,
                format_args!("{id} is not in the list of devices"),
            );
            self.add(id, &Header::new(self.version, Vec::new()), at);
        }
        let Details { packages, points, imu_samples, devices, data_types, timestamp_types, .. } =
            &mut self.details;
        let track = self.tracks.iter_mut().zip(devices).find(|(t, _)| t.id == id);
        let Some((track, device)) = track else { return };
        if device.packages == 0 {
            track.first = at;
        }

        let time = package.time().map(|t| track.unwrap.apply(package.timestamp_type(), t));
        match time {
            None => notes.find(
                Severity::Warning,
                "time-invalid",
                at,
                "the time stamp is no date, or out of range",
            ),
            Some(time) => {
                let [points, imu] = &mut track.last;
                let last = if package.data_type() == DataType::Imu { imu } else { points };
                if let Some(back) = last.filter(|last| time < *last) {
                    let message = format_args!("{id}: {time} follows {back}");
                    notes.find(Severity::Warning, "time-backwards", at, message);
                }
                *last = Some(time);
                if device.clock != Some(time.clock()) {
                    // The clock of the later packages counts: synchronisation is gained, seldom lost.
                    device.clock = Some(time.clock());
                    (device.start_ns, device.end_ns) = (None, None);
                }
                let ns = time.nanos();
                device.start_ns = Some(device.start_ns.map_or(ns, |s| s.min(ns)));
                device.end_ns = Some(device.end_ns.map_or(ns, |e| e.max(ns)));
            }
        }
        if let Some(status) = package.status() {
            track.status = Some(track.status.map_or(status, |before| before.worse(status)));
        }
        if let Some(counter) = package.udp_counter() {
            if track.udp_counter.is_some_and(|last| last.wrapping_add(1) != counter) {
                let message = format_args!("{id}: packages are missing before number {counter}");
                notes.find(Severity::Note, "packet-loss", at, message);
            }
            track.udp_counter = Some(counter);
        }
        if let DataType::Unknown(number) = package.data_type() {
            let message = format_args!("{id}: data type {number} is unknown; its bytes are kept");
            notes.find(Severity::Warning, "unknown-data-type", at, message);
        }

        let increase = |n: &mut u64, by: u64| *n += by;
        increase(data_types.entry(package.data_type_number()).or_default(), 1);
        increase(timestamp_types.entry(package.timestamp_type_number()).or_default(), 1);
        increase(packages, 1);
        increase(&mut device.packages, 1);
        fixed::package(package, device.device_type.map(DeviceType), notes);
        if package.data_type() == DataType::Imu {
            increase(imu_samples, 1);
            increase(&mut device.imu_samples, 1);
            notes.count(&track.imu, "imu", 1, time);
            return;
        }
        let n = package.point_count() as u64;
        increase(points, n);
        increase(&mut device.points, n);
        // As the sampler makes clouds; of LVX3 it makes none.
        let (records, values) = match track.cloud {
            _ if self.version == Version::V2_4 || n == 0 => (0, 0),
            Cloud::Begun(start) if offset_in_cloud(start, time).is_some() => (0, n),
            _ => {
                track.cloud = Cloud::Begun(time);
                (1, n)
            }
        };
        if n > 0 {
            notes.tally(&track.points, "point_cloud", records, values, time.map(|t| (t, t)));
        }
    }
}
