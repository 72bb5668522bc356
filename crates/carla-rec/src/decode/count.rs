//! Counts of a recording, and its oddities.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

mod lights;
mod references;
mod tally;

use std::{collections::BTreeMap, ops::Range};

use robolog_core::{Error, Severity, format::SurveyBuilder, slices::past, text::Escaped};

use self::{lights::Lights, references::References, tally::Tally};
use crate::{
    ActorKind, Dialect, Header, Kind, Payload, Record, Release,
    late::LatePoses,
    layout::{FrameStart, Width},
    learned::Learned,
    payload::USER,
};

/// Details of a CARLA recording.
///
/// ```
/// let details = carla_rec::survey("examples/v0_9_15.log")?.details;
/// assert_eq!((details.map.as_str(), details.frames, details.heroes), ("Town10HD_Opt", 4, vec![25]));
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The header's version field.
    pub version: u16,
    /// The map's name, escaped.
    pub map: String,
    /// Start of the recording, by the server's clock: RFC 3339.
    pub date: Option<String>,
    /// The same in seconds of unix time.
    pub date_unix: i64,
    /// Whole frames.
    pub frames: u64,
    /// Frames without an end, or with an unreadable packet: they may lack samples.
    pub incomplete_frames: u64,
    /// Start of the first frame, seconds.
    pub first_elapsed_s: Option<f64>,
    /// Start of the last frame, whole or not, seconds.
    pub last_elapsed_s: Option<f64>,
    /// Whole packets by id.
    pub packets: BTreeMap<u8, u64>,
    /// Names of these packets.
    pub packet_names: BTreeMap<u8, Option<&'static str>>,
    /// Records of packet 2.
    pub actors: u64,
    /// Records of packet 5.
    pub collisions: u64,
    /// Number of vehicles under test.
    pub heroes: Vec<u32>,
    /// Their blueprints, escaped.
    pub hero_blueprints: Vec<String>,
    /// Vehicles that appear, by blueprint, escaped.
    pub vehicles: BTreeMap<String, u64>,
    /// Walkers that appear, by blueprint, escaped.
    pub walkers: BTreeMap<String, u64>,
    /// Whether a frame holds the poses of the frame before: see [`Scene::has_late_poses`](crate::Scene::has_late_poses).
    pub late_poses: bool,
    /// Bits of a vector's numbers: 32 or 64.
    pub vector_bits: Option<u8>,
    /// Number of the first attribute type.
    pub attribute_base: Option<u8>,
    /// Bytes of a wheel in physics controls.
    pub wheel_bytes: Option<u16>,
    /// The release that writes such packets; more than one is possible.
    pub release: Option<&'static str>,
    /// How the dialect was found.
    pub evidence: Vec<String>,
}

/// Maximum number of blueprints counted separately; CARLA has about a hundred.
const BLUEPRINTS: usize = 1000;

/// Counts of a recording while its packets are read.
#[derive(Debug)]
pub(super) struct Counts {
    details: Details,
    /// Whole packets by id.
    packets: [u64; 256],
    frame: Option<FrameStart>,
    /// Whether a packet of the frame is unreadable.
    is_torn: bool,
    torn_packets: u64,
    last: Option<FrameStart>,
    sensors: bool,
    has_positions: bool,
    references: References,
    lights: Lights,
    late: LatePoses,
    tally: Tally,
}

impl Counts {
    /// Oddities of the header.
    pub(super) fn begin(header: &Header, notes: &mut SurveyBuilder) {
        if !(1..=2).contains(&header.version) {
            let message =
                format_args!("version {} is not known; packets tell how they are read", header.version);
            notes.find(Severity::Warning, "version", 0, message);
        }
        if std::str::from_utf8(&header.map).is_err() {
            notes.find(Severity::Warning, "map-name", 28, "the map's name is not UTF-8");
        }
    }

    pub(super) fn new(header: &Header) -> Self {
        Self {
            details: Details {
                version: header.version,
                map: header.map_text(),
                date: header.time(0.0).map(|t| t.to_string().replace(".000000000", "")),
                date_unix: header.date,
                ..Details::default()
            },
            packets: [0; 256],
            frame: None,
            is_torn: false,
            torn_packets: 0,
            last: None,
            sensors: false,
            has_positions: false,
            references: References::default(),
            lights: Lights::default(),
            late: LatePoses::default(),
            tally: Tally::default(),
        }
    }

    pub(super) fn push(
        &mut self,
        record: &Record<'_>,
        learned: &mut Learned,
        header: &Header,
        notes: &mut SurveyBuilder,
    ) {
        let id = record.id();
        notes.stamp(record.time());
        if self.frame.is_none() && id != 0 {
            let message = format_args!("packet {id} lies outside of any frame");
            notes.find(Severity::Warning, "outside-frame", record.offset(), message);
        }
        match learned.decode(record) {
            Ok(payload) => {
                let before = self.torn_packets;
                self.take(record, &payload, header, notes);
                if self.torn_packets == before
                    && let Some(count) = self.packets.get_mut(usize::from(id))
                {
                    *count += 1;
                }
            }
            Err(error) => self.tear(record, record.offset(), &error, notes),
        }
        while let Some(fault) = learned.fault() {
            self.is_torn = true;
            notes.damage(&fault.error(), fault.lost);
        }
    }

    /// Reports where the recording is cut and how much of it is whole.
    pub(super) fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut SurveyBuilder) {
        let within = error.structure().unwrap_or("a packet");
        let frames = self.details.frames;
        let message = format_args!("cut inside {within}, {frames} whole frames before it");
        notes.find(Severity::Note, "cut", lost.start, message);
        notes.damage(error, lost);
        self.leave_frame();
    }

    /// The version and dialect, and the details.
    pub(super) fn finish(
        mut self,
        learned: &Learned,
        header: &Header,
        notes: &mut SurveyBuilder,
    ) -> (String, Details) {
        let dialect = &learned.dialect;
        for (id, place) in learned.puzzles() {
            let message = format_args!("packets {id} fit none of the known kinds; their bytes are kept");
            notes.find(Severity::Note, "unknown-packet", place.start, message);
        }
        if let Some(open) = self.frame {
            let frames = self.details.frames;
            let message =
                format_args!("the recording ends inside frame {}: {frames} whole frames", open.frame);
            notes.find(Severity::Error, "frame-open", 0, message);
            self.leave_frame();
        }
        if self.last.is_some_and(|last| last.duration >= 0.0) {
            let message = "the last frame has a duration: frames behind it are missing";
            notes.find(Severity::Note, "last-duration", 0, message);
        }
        self.details.late_poses = self.late.is_late();
        if self.details.late_poses {
            let message = "poses of vehicles are those of the moment at which the frame before begins, as recorders of \
                           0.9.6 write them: between two poses lies the interval before";
            notes.find(Severity::Note, "late-poses", 0, message);
        }
        let seen = (0..=u8::MAX).zip(self.packets).filter(|(_, count)| *count > 0);
        self.details.packets = seen.collect();
        let names = self.details.packets.keys().map(|id| {
            let fixed = Kind::FIXED.get(usize::from(*id)).copied();
            let known = fixed.filter(|_| *id != 18).or(dialect.kind(*id));
            let counter = (*id == 18 && self.tally.counters > 0).then_some(Kind::FrameCounter);
            let user = (*id >= USER).then_some(Kind::User);
            (*id, known.or(counter).or(user).map(Kind::name))
        });
        self.details.packet_names = names.collect();
        self.details.vector_bits = dialect.vector.map(Width::bits);
        self.details.attribute_base = dialect.attribute_base;
        self.details.wheel_bytes = dialect.wheel_bytes;
        self.details.evidence.clone_from(&learned.evidence);
        let release = self.release(dialect);
        self.details.release = release.map(Release::name);
        self.tally.into_notes(header, notes);
        let variant = variant(&self.details, dialect, release);
        (variant, self.details)
    }

    fn take(
        &mut self,
        record: &Record<'_>,
        payload: &Payload<'_>,
        header: &Header,
        notes: &mut SurveyBuilder,
    ) {
        let at = record.offset();
        match payload {
            Payload::FrameStart(start) => self.begin_frame(*start, at, header, notes),
            Payload::FrameEnd => {
                if let Some(start) = self.frame.take() {
                    self.details.frames += u64::from(!self.is_torn);
                    self.details.incomplete_frames += u64::from(self.is_torn);
                    self.last = Some(start);
                    self.end_frame(start, at, notes);
                }
            }
            Payload::EventAdd(additions) => {
                // After the count.
                let mut end = record.body_offset().saturating_add(2);
                for addition in *additions {
                    match addition {
                        Ok(addition) => {
                            end = past(addition.offset, addition.bytes.len());
                            self.actor(&addition);
                            self.lights.add(&addition);
                        }
                        Err(error) => self.tear(record, end, &error, notes),
                    }
                }
            }
            Payload::Position(_) => self.has_positions = true,
            Payload::EventDel(rows) => rows.iter().for_each(|gone| self.lights.remove(gone.id)),
            Payload::State(_) => self.lights.take_states(),
            Payload::Collision(collisions) => {
                self.details.collisions += collisions.len() as u64;
            }
            Payload::Unknown(_)
                if !(21..=24).contains(&record.id())
                    && self.packets.get(usize::from(record.id())) == Some(&0) =>
            {
                let kind = if record.id() < USER { "of an unknown kind" } else { "user packets" };
                let message = format_args!("packets {} are {kind}; their bytes are kept", record.id());
                notes.find(Severity::Note, "unknown-packet", at, message);
            }
            _ => {}
        }
        self.late.take(payload);
        let is_repeated = self.tally.push(self.frame.map(|f| f.elapsed), payload);
        self.references.push(record.id(), payload, is_repeated, at, notes);
    }

    fn begin_frame(&mut self, start: FrameStart, at: u64, header: &Header, notes: &mut SurveyBuilder) {
        if let Some(open) = self.frame {
            let message = format_args!("frame {} has no end", open.frame);
            notes.find(Severity::Error, "frame-open", at, message);
            self.leave_frame();
        }
        if let Some(last) = self.last {
            let next = last.elapsed + last.duration;
            if (next - start.elapsed).abs() > 1e-6 {
                let message = format_args!(
                    "frame {} begins at {} s, and the frame before it ends at {next} s",
                    start.frame, start.elapsed
                );
                notes.find(Severity::Warning, "time-gap", at, message);
            }
            if last.frame.checked_add(1) != Some(start.frame) {
                let message = format_args!("frame {} follows frame {}", start.frame, last.frame);
                notes.find(Severity::Note, "frame-number", at, message);
            }
            if start.elapsed < last.elapsed {
                let message = format_args!("frame {} begins before the frame before it", start.frame);
                notes.find(Severity::Warning, "time-backwards", at, message);
            }
        }
        if header.time(start.elapsed).is_none() {
            let message = "the time of the frame is no number, or out of range";
            notes.find(Severity::Warning, "time-invalid", at, message);
        }
        self.late.begin_frame(start.elapsed);
        self.details.first_elapsed_s.get_or_insert(start.elapsed);
        self.details.last_elapsed_s = Some(start.elapsed);
        self.frame = Some(start);
        self.is_torn = false;
        self.has_positions = false;
        self.lights.begin_frame();
    }

    /// Notes what a whole frame lacks.
    fn end_frame(&self, start: FrameStart, at: u64, notes: &mut SurveyBuilder) {
        if self.is_torn {
            return;
        }
        if !self.has_positions {
            let message = format_args!("frame {} has no Position packet", start.frame);
            notes.find(Severity::Warning, "no-positions", at, message);
        }
        if self.lights.are_missing() {
            let message =
                format_args!("frame {} has no State packet, and there are traffic lights", start.frame);
            notes.find(Severity::Warning, "no-states", at, message);
        }
    }

    /// Ends the current frame, if any, without its end packet.
    fn leave_frame(&mut self) {
        let open = u64::from(self.frame.take().is_some());
        self.details.incomplete_frames += open;
    }

    /// Reports a packet that cannot be read from `lost` on.
    fn tear(&mut self, record: &Record<'_>, lost: u64, error: &Error, notes: &mut SurveyBuilder) {
        self.is_torn = true;
        self.torn_packets += 1;
        notes.damage(error, lost..record.raw.end());
    }

    fn actor(&mut self, addition: &crate::Addition<'_>) {
        self.details.actors += 1;
        self.sensors |= addition.kind == ActorKind::SENSOR;
        if addition.is_hero() && self.details.heroes.len() < 1000 {
            self.details.heroes.push(addition.id);
            self.details.hero_blueprints.push(Escaped(addition.type_id).to_string());
        }
        let by_blueprint = match addition.kind {
            ActorKind::VEHICLE => Some(&mut self.details.vehicles),
            ActorKind::WALKER => Some(&mut self.details.walkers),
            _ => None,
        };
        if let Some(counts) = by_blueprint {
            let name = Escaped(addition.type_id).to_string();
            if counts.len() < BLUEPRINTS || counts.contains_key(&name) {
                let count = counts.entry(name).or_default();
                *count += 1;
            }
        }
    }

    /// The release, from the dialect and the packets that appear.
    fn release(&self, dialect: &Dialect) -> Option<Release> {
        if self.details.packets.keys().all(|id| *id < 2) {
            return None;
        }
        // Packet 18 of forks decides nothing.
        let known = |id: &u8| *id < 25 && (*id != 18 || self.tally.counters > 0);
        let highest = self.details.packets.keys().copied().filter(known).max()?;
        if highest >= 21 || dialect.vector == Some(Width::F64) {
            let writes = |release: &Release| highest < 21 || Dialect::of(*release).kind(highest).is_some();
            return dialect.releases().find(writes);
        }
        Some(match highest {
            0..=7 => Release::V0_9_4,
            8..=9 => Release::V0_9_6,
            18.. => Release::V0_9_14,
            _ if self.sensors || dialect.wheel_bytes == Some(48) => Release::V0_9_12,
            _ => Release::V0_9_10,
        })
    }
}

/// Version and dialect in one line.
fn variant(details: &Details, dialect: &Dialect, release: Option<Release>) -> String {
    let mut parts = vec![format!("CARLA recorder {}", details.version)];
    parts.extend(dialect.vector.map(|width| format!("f{} vectors", width.bits())));
    for id in 21..=24 {
        if details.packets.contains_key(&id) {
            parts.extend(dialect.kind(id).map(|kind| format!("{id} {}", kind.name())));
        }
    }
    let as_release = release.map_or_else(String::new, |r| format!(" (as {r})"));
    parts.join(", ") + &as_release
}
