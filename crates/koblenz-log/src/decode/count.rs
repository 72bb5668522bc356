//! Counts and findings of a log.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

use std::collections::BTreeMap;

use robolog_core::{
    Clock, Severity, Timestamp,
    format::SurveyBuilder,
    layout::{Packed as _, field},
    slices::{InRange as _, past},
};

use super::{laser_name, payload};
use crate::{
    Attitude, Header, IndexOrigin, IndexState, LaserData, LaserModel, Payload, Record, Registry, SizeCounts,
    VelodyneData,
    index::IndexCheck,
    layout::{END_MARK_LEN, FileHeader, Gps, VelodyneHeader},
    velodyne::{Cloud, CloudCounter, Sensor, SensorDetails},
};

/// Information specific to Koblenz logs.
///
/// ```
/// # let file = koblenz_log::doc::recording();
/// let details = koblenz_log::StreamReader::new(&file[..])?.survey()?.details;
/// assert_eq!((details.messages, details.by_type["OBDDataM"]), (2, 1));
/// assert_eq!(details.laser_sensors["front"], 1);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Messages marked as valid.
    pub messages: u64,
    /// Messages with another mark.
    pub invalid: u64,
    /// Truncated messages, whose packets are read nevertheless; not included in the others.
    pub salvaged: u64,
    /// Valid messages by the name of their type, or by its hexadecimal number.
    pub by_type: BTreeMap<String, u64>,
    /// What message sizes count.
    pub size_counts: SizeCounts,
    /// The stored index.
    pub index: IndexDetails,
    /// Bytes after the end mark, if there is one.
    pub trailing_bytes: Option<u64>,
    /// Complete Velodyne packets.
    pub velodyne_packets: u64,
    /// The sensor, as inferred from its packets.
    pub velodyne: Option<SensorDetails>,
    /// Scans by scanner name, as in the log.
    pub laser_sensors: BTreeMap<String, u64>,
    /// The scanners.
    pub lasers: Vec<LaserDetails>,
    /// Total bytes of JPEG files.
    pub jpeg_bytes: u64,
    /// Encoding of orientations and accelerations.
    pub attitude: Attitude,
    /// Time of time stamp 0 in nanoseconds of unix time, by the receiver's clock: accurate to a second at best.
    pub epoch_ns: Option<i64>,
}

/// The stored index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct IndexDetails {
    /// Number of entries it claims.
    pub entries: u32,
    /// Whether it can be used.
    pub state: IndexState,
    /// Zero of its seconds, if known.
    pub origin: Option<IndexOrigin>,
}

/// A planar laser scanner.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LaserDetails {
    /// Its name, as in the channel.
    pub name: String,
    /// Its type, as in the log.
    pub sensor_type: String,
    /// Ranges per scan.
    pub beams: usize,
    /// The model named by the type, if known.
    pub model: Option<&'static str>,
    /// The step of the first range.
    pub first_step: Option<u32>,
    /// Whether `first_step` is assumed.
    pub is_supposed: bool,
    /// Number of scans.
    pub scans: u64,
}

/// Beyond this many names, scanners and types are counted together: the names come from the file.
const KINDS: usize = 256;

/// Counts other than samples.
#[derive(Debug)]
pub(super) struct Counts {
    details: Details,
    version: (u16, u16),
    /// Checks whether the stored index fits, if requested.
    index: Option<IndexCheck>,
    epoch: EpochEstimate,
    sensor: Sensor,
    clouds: CloudCounter,
    last: Option<f64>,
}

impl Counts {
    pub(super) fn new(header: &Header) -> Self {
        Self {
            details: Details {
                messages: 0,
                invalid: 0,
                salvaged: 0,
                by_type: BTreeMap::new(),
                size_counts: header.sizes(),
                index: IndexDetails {
                    entries: header.claimed_entries(),
                    state: IndexState::Absent,
                    origin: None,
                },
                trailing_bytes: None,
                velodyne_packets: 0,
                velodyne: None,
                laser_sensors: BTreeMap::new(),
                lasers: Vec::new(),
                jpeg_bytes: 0,
                attitude: header.attitude(),
                epoch_ns: None,
            },
            version: header.version(),
            index: None,
            epoch: EpochEstimate::default(),
            sensor: Sensor::new(header.velodyne),
            clouds: CloudCounter::default().with_model(header.velodyne).with_limits(header.limits),
            last: None,
        }
    }

    pub(super) fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.index = Some(IndexCheck::new(header));
        let (major, minor) = self.version;
        if (major, minor) != (1, 1) {
            let message = format_args!("version {major}.{minor} is read as 1.1");
            notes.find(Severity::Warning, "version", field!(FileHeader, major).at(0), message);
        }
    }

    /// The end mark is no message. Nothing is read after it, so what is there is said.
    fn end(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) {
        notes.skip_record();
        let bytes = record.trailer().len() as u64;
        self.details.trailing_bytes = Some(bytes);
        if bytes > 0 {
            let s = if bytes == 1 { "" } else { "s" };
            let message = format_args!("{bytes} byte{s} after the end mark, which no reader reads, are kept");
            notes.find(Severity::Note, "after-end", past(record.offset(), END_MARK_LEN), message);
        }
    }

    /// Counts a message, and returns the payload for its samples.
    pub(super) fn message<'a>(
        &mut self,
        record: &Record<'a>,
        registry: &Registry,
        notes: &mut SurveyBuilder,
    ) -> Option<Payload<'a>> {
        let at = record.offset();
        let Some(milliseconds) = record.timestamp() else {
            self.end(record, notes);
            return None;
        };
        if let Some(index) = &mut self.index {
            index.push(milliseconds, at);
        }
        if record.time().is_none() {
            notes.find(
                Severity::Warning,
                "time-invalid",
                at,
                format_args!("the time stamp is {milliseconds}"),
            );
        } else {
            if let Some(last) = self.last.filter(|last| milliseconds < *last) {
                let message = format_args!("{milliseconds} ms follow {last} ms");
                notes.find(Severity::Warning, "time-backwards", at, message);
            }
            self.last = Some(milliseconds);
        }
        if !record.is_valid() {
            self.details.invalid += 1;
            let message = format_args!("a message is marked {:#04x}, not 0x49 as a valid one", record.mark());
            notes.find(Severity::Warning, "invalid-mark", at, message);
            return None;
        }
        if record.missing() > 0 {
            self.details.salvaged += 1;
            let payload = record.decode().ok()?;
            self.payload(record, &payload, registry, notes);
            return Some(payload);
        }
        self.details.messages += 1;
        let by_type = &mut self.details.by_type;
        let name = registry.name(record.type_id());
        if let Some(n) = by_type.get_mut(&*name) {
            *n += 1;
        } else {
            let key = if by_type.len() < KINDS { name.into_owned() } else { "others".to_owned() };
            let n = by_type.entry(key).or_default();
            *n += 1;
        }
        match payload(record) {
            Ok(payload) => {
                self.payload(record, &payload, registry, notes);
                Some(payload)
            }
            // Its bytes form a message, but no sample: decoders return an error, and copies leave it out.
            Err(error) => {
                notes.find(Severity::Error, "payload", error.offset(), error);
                None
            }
        }
    }

    pub(super) fn finish(mut self, notes: &mut SurveyBuilder) -> (String, Details) {
        let (state, origin) = self.index.map_or((IndexState::Absent, None), IndexCheck::finish);
        let index = &mut self.details.index;
        (index.state, index.origin) = (state, origin);
        let entries = index.entries;
        let (severity, message) = match state {
            IndexState::Valid => (Severity::Note, String::new()),
            IndexState::Absent => (Severity::Note, "there is no index".to_owned()),
            IndexState::Zero => (Severity::Warning, "the index was never filled in".to_owned()),
            IndexState::Stale => (
                Severity::Warning,
                format!(
                    "some of the {entries} entries of the index do not point at the first message of their second"
                ),
            ),
            IndexState::Hostile => (
                Severity::Warning,
                format!("the index claims {entries} entries, more than fit before the messages"),
            ),
        };
        if !message.is_empty() {
            notes.find(severity, code(state), field!(FileHeader, index_entries).at(0), message);
        }
        let outcome = self.clouds.finish(|cloud| count_cloud(cloud, notes));
        if let Err(error) = outcome {
            notes.find(Severity::Warning, "velodyne", error.offset(), error);
        }
        self.clouds.note("of the log", notes);
        self.details.velodyne = self.sensor.finish();
        let epoch = self.epoch.median();
        notes.epoch(epoch);
        self.details.epoch_ns = epoch.map(Timestamp::nanos);
        let (major, minor) = self.version;
        (format!("VEL {major}.{minor}, size counts {}", sized(self.details.size_counts)), self.details)
    }
    /// Notes everything about a payload other than its samples.
    fn payload(
        &mut self,
        record: &Record<'_>,
        payload: &Payload<'_>,
        registry: &Registry,
        notes: &mut SurveyBuilder,
    ) {
        let (at, time) = (record.offset(), record.time());
        match payload {
            Payload::Obd(_) | Payload::RobotPose(_) => {}
            Payload::Gps(gps) => self.epoch.push(gps, time),
            Payload::Image(image) => {
                if image.data.starts_with(&[0xff, 0xd8, 0xff]) {
                    self.details.jpeg_bytes += image.data.len() as u64;
                } else if image.compressed != 0 {
                    let message = "an image marked as compressed is not a JPEG file";
                    notes.find(Severity::Warning, "image", at, message);
                }
            }
            Payload::Velodyne(velodyne) => self.packets(record, velodyne, notes),
            Payload::Laser(laser) => self.scan(laser, at, notes),
            Payload::Unknown(_) => {
                let (type_id, version) = (record.type_id(), record.version());
                // No sample, but a time of the recording.
                let span = time.map(|time| (time, time));
                notes.tally(&registry.name(type_id), "message", 0, 0, span);
                if registry.knows(type_id) && type_id.version().is_some() {
                    let message =
                        format_args!("version {version} of {type_id} is unknown; its bytes are kept");
                    notes.find(Severity::Warning, "unknown-version", at, message);
                } else if !registry.knows(type_id) {
                    let message = format_args!("message type {type_id} is unknown; its bytes are kept");
                    notes.find(Severity::Note, "unknown-type", at, message);
                }
            }
        }
    }

    fn packets(&mut self, record: &Record<'_>, velodyne: &VelodyneData<'_>, notes: &mut SurveyBuilder) {
        let (at, packets) = (record.offset(), velodyne.packets());
        let room = record.body().len().minus(VelodyneHeader::LEN);
        let is_filled = velodyne.is_whole() && room == velodyne.data.len();
        if !is_filled && record.missing() == 0 {
            let claimed = velodyne.claimed;
            let message = format_args!("a message claims {claimed} packets, but has {room} bytes for them");
            notes.find(Severity::Warning, "packet-count", at, message);
        }
        self.details.velodyne_packets += packets.len() as u64;
        self.sensor.push(packets);
        let outcome = self.clouds.push(packets, at, record.time(), |cloud| count_cloud(cloud, notes));
        if let Err(error) = outcome {
            notes.find(Severity::Warning, "velodyne", error.offset(), error);
        }
    }

    fn scan(&mut self, laser: &LaserData<'_>, at: u64, notes: &mut SurveyBuilder) {
        let name = laser_name(laser);
        let sensor_type = robolog_core::text::Escaped(laser.sensor_type).to_string();
        let beams = laser.len();
        let Details { laser_sensors, lasers, .. } = &mut self.details;
        let as_written = laser.name_text();
        if laser_sensors.len() < KINDS || laser_sensors.contains_key(&as_written) {
            let n = laser_sensors.entry(as_written).or_default();
            *n += 1;
        }
        let same = |d: &&mut LaserDetails| d.name == name && d.sensor_type == sensor_type && d.beams == beams;
        if let Some(details) = lasers.iter_mut().find(same) {
            details.scans += 1;
            return;
        }
        if lasers.len() >= KINDS {
            return;
        }
        let model = LaserModel::from_type(laser.sensor_type);
        let first = model.map(|model| model.first_step_of(beams));
        match (model, first) {
            (None, _) => {
                let message = format_args!(
                    "laser {name}: the type {sensor_type:?} is unknown: its scans have no angles"
                );
                notes.find(Severity::Warning, "laser-type", at, message);
            }
            (Some(model), Some((step, false))) => {
                let message = format_args!(
                    "laser {name}: {beams} ranges of a {}: assuming the scan starts at step {step}",
                    model.name
                );
                notes.find(Severity::Note, "laser-angles", at, message);
            }
            _ => {}
        }
        lasers.push(LaserDetails {
            name,
            sensor_type,
            beams,
            model: model.map(|model| model.name),
            first_step: first.map(|(step, _)| step),
            is_supposed: first.is_some_and(|(_, known)| !known),
            scans: 1,
        });
    }
}

fn count_cloud(cloud: Cloud, notes: &mut SurveyBuilder) {
    notes.count(crate::velodyne::CHANNEL, "point_cloud", cloud.points as u64, cloud.time);
}

const fn code(state: IndexState) -> &'static str {
    match state {
        IndexState::Valid => "index-valid",
        IndexState::Absent => "index-absent",
        IndexState::Zero => "index-zero",
        IndexState::Stale => "index-stale",
        IndexState::Hostile => "index-hostile",
    }
}

const fn sized(sizes: SizeCounts) -> &'static str {
    match sizes {
        SizeCounts::After => "what follows it",
        SizeCounts::Whole => "the whole message",
        SizeCounts::Payload => "the payload",
    }
}

/// Estimates the time of time stamp 0 by the receiver's clock, within its resolution of whole seconds: the median over
/// all fixes.
#[derive(Debug, Default)]
struct EpochEstimate {
    nanos: Vec<i64>,
    /// One in this many fixes is kept.
    stride: u64,
    seen: u64,
}

impl EpochEstimate {
    const KEPT: usize = 4096;

    fn push(&mut self, gps: &Gps, time: Option<Timestamp>) {
        let (true, Some(utc), Some(time)) = (gps.has_fix(), gps.utc(), time) else { return };
        let Some(zero) = utc.nanos().checked_sub(time.nanos()) else { return };
        self.stride = self.stride.max(1);
        if self.seen.is_multiple_of(self.stride) {
            self.nanos.push(zero);
        }
        self.seen += 1;
        if self.nanos.len() >= Self::KEPT {
            let mut is_even = false;
            self.nanos.retain(|_| {
                is_even = !is_even;
                is_even
            });
            self.stride *= 2;
        }
    }

    fn median(&self) -> Option<Timestamp> {
        let mut sorted = self.nanos.clone();
        sorted.sort_unstable();
        Some(Timestamp::new(*sorted.get(sorted.len() / 2)?, Clock::Unix))
    }
}
