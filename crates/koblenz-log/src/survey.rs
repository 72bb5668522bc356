//! Counts of a log, and what is odd about it.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

use std::collections::BTreeMap;

use robolog_core::{
    Notes, Severity, Timestamp,
    layout::{Packed as _, field},
};

use crate::{
    Attitude, Header, IndexOrigin, IndexState, KoblenzLog, LaserModel, Payload, Record, Registry, SizeCounts,
    index::IndexCheck,
    layout::{FileHeader, VelodyneHeader},
    sample::{self, EpochEstimate},
    velodyne::{Cloud, CloudCounter, Sensor, SensorDetails},
};

/// What only a Koblenz log knows.
///
/// ```
/// let details = koblenz_log::survey("../../testdata/koblenz-log/drive.log")?.details;
/// assert_eq!((details.messages, details.by_type["RobotPoseM"]), (61, 40));
/// assert_eq!(details.velodyne.expect("it was seen").model, "HDL-64E S1");
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// Messages that are marked as valid.
    pub messages: u64,
    /// Messages with another mark.
    pub invalid: u64,
    /// Messages that were cut, of which packets are read all the same; they are not among the others.
    pub salvaged: u64,
    /// Valid messages by the name of their type, or by its number in hexadecimal digits.
    pub by_type: BTreeMap<String, u64>,
    /// What the sizes of messages count.
    pub size_counts: SizeCounts,
    /// The stored index.
    pub index: IndexDetails,
    /// Bytes behind the mark that ends the log, where there is one.
    pub trailing_bytes: Option<u64>,
    /// Whole packets of the Velodyne.
    pub velodyne_packets: u64,
    /// What its packets say about it.
    pub velodyne: Option<SensorDetails>,
    /// Scans by the scanner's name, as it stands in the log.
    pub laser_sensors: BTreeMap<String, u64>,
    /// The scanners.
    pub lasers: Vec<LaserDetails>,
    /// Bytes of JPEG files.
    pub jpeg_bytes: u64,
    /// How orientations and accelerations are read.
    pub attitude: Attitude,
    /// The moment of time stamp 0 in nanoseconds of unix time, by the receiver's clock: right to a second at best.
    pub epoch_ns: Option<i64>,
}

/// The stored index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct IndexDetails {
    /// How many entries it claims.
    pub entries: u32,
    /// Whether it can be used.
    pub state: IndexState,
    /// What its seconds count from, where that is known.
    pub origin: Option<IndexOrigin>,
}

/// A planar laser scanner.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LaserDetails {
    /// Its name, as in the channel.
    pub name: String,
    /// Its type, as the log gives it.
    pub sensor_type: String,
    /// Ranges of a scan.
    pub beams: usize,
    /// The model that the type names, when it is known.
    pub model: Option<&'static str>,
    /// The step of the first range.
    pub first_step: Option<u32>,
    /// Whether that is only supposed.
    pub is_supposed: bool,
    /// Scans.
    pub scans: u64,
}

/// More kinds of scanners and of types than this are counted together: their names are from the file.
const KINDS: usize = 256;

/// Counts messages: see [`robolog_core::survey`].
///
/// ```
/// let summary = koblenz_log::survey("../../testdata/koblenz-log/drive.log")?;
/// println!("{} records in {} channels", summary.records, summary.channels.len());
/// assert!(summary.is_ok());
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    registry: Registry,
    details: Details,
    version: (u16, u16),
    index: IndexCheck,
    epoch: EpochEstimate,
    sensor: Sensor,
    clouds: CloudCounter,
    last: Option<f64>,
}

impl robolog_core::Surveying for Survey {
    type Format = KoblenzLog;
    type Details = Details;

    fn new(header: &Header, notes: &mut Notes) -> Self {
        if header.version() != (1, 1) {
            let (major, minor) = header.version();
            let at = field!(FileHeader, major).at(0);
            notes.find(
                Severity::Warning,
                "version",
                at,
                format_args!("version {major}.{minor} is read as 1.1"),
            );
        }
        Self {
            registry: header.registry().clone(),
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
            index: IndexCheck::new(header),
            epoch: EpochEstimate::default(),
            sensor: Sensor::default(),
            clouds: CloudCounter::default().with_limits(header.limits),
            last: None,
        }
    }

    fn push(&mut self, record: &Record<'_>, notes: &mut Notes) {
        let at = record.offset();
        let Some(milliseconds) = record.timestamp() else {
            self.details.trailing_bytes = Some(record.trailer().len() as u64);
            return;
        };
        self.index.push(milliseconds, at);
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
            return;
        }
        if record.missing() > 0 {
            self.details.salvaged += 1;
            if let Ok(payload) = record.decode() {
                self.count(record, &payload, notes);
            }
            return;
        }
        self.details.messages += 1;
        let by_type = &mut self.details.by_type;
        let name = self.registry.name(record.type_id());
        if let Some(n) = by_type.get_mut(&*name) {
            *n += 1;
        } else {
            let key = if by_type.len() < KINDS { name.into_owned() } else { "others".to_owned() };
            let n = by_type.entry(key).or_default();
            *n += 1;
        }
        match sample::payload(record) {
            Ok(payload) => self.count(record, &payload, notes),
            // Its bytes are a message, but no sample: samplers fail, and copies leave it out.
            Err(error) => notes.find(Severity::Error, "payload", error.offset(), error),
        }
    }

    fn finish(mut self, notes: &mut Notes) -> (String, Details) {
        let (state, origin) = self.index.finish();
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
            IndexState::Hostile => {
                (Severity::Warning, format!("there are no {entries} entries before the messages"))
            }
        };
        if !message.is_empty() {
            notes.find(severity, code(state), field!(FileHeader, index_entries).at(0), message);
        }
        let outcome = self.clouds.finish(|cloud| count_cloud(cloud, notes));
        if let Err(error) = outcome {
            notes.find(Severity::Warning, "velodyne", error.offset(), error);
        }
        for (channel, fields) in sample::tables() {
            notes.columns(channel, &fields.into());
        }
        self.clouds.note("of the log", notes);
        self.details.velodyne = self.sensor.finish();
        self.details.epoch_ns = self.epoch.median().map(Timestamp::nanos);
        let (major, minor) = self.version;
        (format!("VEL {major}.{minor}, size counts {}", sized(self.details.size_counts)), self.details)
    }
}

fn count_cloud(cloud: Cloud, notes: &mut Notes) {
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

impl Survey {
    fn count(&mut self, record: &Record<'_>, payload: &Payload<'_>, notes: &mut Notes) {
        let (at, time) = (record.offset(), record.time());
        match payload {
            Payload::Obd(_) => notes.count(sample::OBD, "row", 1, time),
            Payload::Gps(gps) => {
                self.epoch.push(gps, time);
                if gps.has_position() {
                    notes.count("gps/fix", "gnss_fix", 1, time);
                }
                notes.count(sample::RECEIVER_TIME, "row", 1, time);
            }
            Payload::RobotPose(_) => notes.count("imu", "imu", 1, time),
            Payload::Image(image) => {
                if image.data.starts_with(&[0xff, 0xd8, 0xff]) {
                    self.details.jpeg_bytes += image.data.len() as u64;
                } else if image.compressed != 0 {
                    notes.find(
                        Severity::Warning,
                        "image",
                        at,
                        "an image that is said to be compressed is no JPEG file",
                    );
                }
                notes.count(&sample::image_channel(image), "image", 1, time);
            }
            Payload::Velodyne(velodyne) => {
                let packets = velodyne.packets();
                let room = record.body().len().saturating_sub(VelodyneHeader::LEN);
                let is_filled = velodyne.is_whole() && room == velodyne.data.len();
                if !is_filled && record.missing() == 0 {
                    let message = format_args!(
                        "a message claims {} packets and has {room} bytes for them",
                        velodyne.claimed
                    );
                    notes.find(Severity::Warning, "packet-count", at, message);
                }
                self.details.velodyne_packets += packets.len() as u64;
                self.sensor.push(packets);
                let outcome = self.clouds.push(packets, at, time, |cloud| count_cloud(cloud, notes));
                if let Err(error) = outcome {
                    notes.find(Severity::Warning, "velodyne", error.offset(), error);
                }
            }
            Payload::Laser(laser) => {
                self.count_scan(laser, at, notes);
                notes.count(&sample::laser_channel(laser), "laser_scan", laser.len() as u64, time);
            }
            Payload::Unknown(_) => {
                let (type_id, version) = (record.type_id(), record.version());
                // No sample, but a moment of the recording.
                let span = time.map(|time| (time, time));
                notes.tally(&self.registry.name(type_id), "message", 0, 0, span);
                if self.registry.knows(type_id) && type_id.version().is_some() {
                    let message =
                        format_args!("version {version} of {type_id} is unknown; its bytes are kept");
                    notes.find(Severity::Warning, "unknown-version", at, message);
                } else if !self.registry.knows(type_id) {
                    let message = format_args!("message type {type_id} is unknown; its bytes are kept");
                    notes.find(Severity::Note, "unknown-type", at, message);
                }
            }
        }
    }

    fn count_scan(&mut self, laser: &crate::LaserData<'_>, at: u64, notes: &mut Notes) {
        let name = sample::laser_name(laser);
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
