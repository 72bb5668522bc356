//! Counts and checks frames and packages.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

use robolog_core::{Severity, Timestamp, format::SurveyBuilder, layout::field, slices::InRange as _};

use super::{Decoder, device::DeviceTrack};
use crate::{
    DataType, Details, DeviceDetails, DeviceType, Package, Record, Status, Version, fixed,
    layout::PublicHeader,
};

/// More points per second than any Livox measures, counting every return: an Avia with three has 720 000.
const MOST_POINTS: u128 = 2_000_000;
/// Fewer packages than this give no rate.
const FEW: u64 = 100;

impl Decoder {
    pub(super) fn count_frame(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) {
        self.details.frames += u64::from(!record.is_fragment());
        if record.is_fragment() {
            let message = "packages without a frame header: the rest of a damaged frame";
            notes.find(Severity::Warning, "frame-header", record.offset(), message);
        }
        if !record.is_fragment() && record.current_offset().saturating_add(self.base) != record.offset() {
            let message = format_args!("the frame claims to be at byte {}", record.current_offset());
            notes.find(Severity::Warning, "offset-chain", record.offset(), message);
        }
        if let Some(index) = record.frame_index() {
            if let Some(expected) = self.next_index.filter(|n| *n != index) {
                // Partial copies keep frame numbers, and one frame may become several. No recorder counts back.
                let is_back = index < expected.saturating_sub(1);
                let severity = if is_back { Severity::Warning } else { Severity::Note };
                let message = format_args!("frame {index} where {expected} was expected");
                notes.find(severity, "frame-index", record.offset(), message);
            }
            self.next_index = index.checked_add(1);
        }
    }

    /// Completes the counts of the devices of the current recording.
    pub(super) fn settle(&mut self, notes: &mut SurveyBuilder) {
        let Self { header, details, devices, .. } = self;
        // First the listed devices, then those missing from the list.
        for (number, device) in header.devices().iter().enumerate() {
            if header.devices().iter().take(number).all(|other| other.id != device.id) {
                let track = devices.iter().position(|track| track.id == device.id);
                details.devices.push(match track {
                    Some(track) => devices.remove(track).counted(details.frames, notes),
                    None => DeviceDetails::of(device.id, header),
                });
            }
        }
        let others = devices.drain(..).map(|track| track.counted(details.frames, notes));
        details.devices.extend(others);
    }

    pub(super) fn counted(mut self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.settle(notes);
        let Self { header, details, .. } = self;
        if header.version() == Version::V2_4 {
            let message = "the points of LVX3 cannot be read: Livox compresses them with a closed codec";
            notes.find(Severity::Warning, "unsupported", field!(PublicHeader, version).at(0), message);
        }
        (header.version().to_string(), details)
    }
}

impl DeviceTrack {
    pub(super) fn count(
        &mut self,
        package: &Package<'_>,
        time: Option<Timestamp>,
        all: &mut Details,
        notes: &mut SurveyBuilder,
    ) {
        self.count_time(package, time, notes);
        if let Some(status) = package.status() {
            self.status = Some(self.status.map_or(status, |before| before.worse(status)));
            if let Some(time) = time {
                self.alarms.add(status, time);
            }
        }
        self.losses.count(package, time);
        *all.data_types.entry(package.data_type_number()).or_default() += 1;
        *all.timestamp_types.entry(package.timestamp_type_number()).or_default() += 1;
        all.packages += 1;
        self.details.packages += 1;
        fixed::package(package, self.details.device_type.map(DeviceType), notes);
        if package.data_type() == DataType::Imu {
            all.imu_samples += 1;
            self.details.imu_samples += 1;
            notes.count(self.imu.channel(), "imu", 1, time);
            return;
        }
        let points = package.point_count() as u64;
        all.points += points;
        self.details.points += points;
        if points > 0 {
            let is_open = package.version() != Version::V2_4;
            let clouds = u64::from(is_open && self.begins_cloud(time));
            let values = if is_open { points } else { 0 };
            notes.tally(self.cloud.channel(), "point_cloud", clouds, values, time.map(|t| (t, t)));
        }
    }

    fn count_time(&mut self, package: &Package<'_>, time: Option<Timestamp>, notes: &mut SurveyBuilder) {
        let (id, at) = (self.id, package.offset());
        let Some(time) = time else {
            let message = "the time stamp is not a valid date, or out of range";
            notes.find(Severity::Warning, "time-invalid", at, message);
            return;
        };
        let [points, imu] = &mut self.last;
        let last = if package.data_type() == DataType::Imu { imu } else { points };
        if let Some(back) = last.replace(time).filter(|last| time < *last) {
            notes.find(Severity::Warning, "time-backwards", at, format_args!("{id}: {time} follows {back}"));
        }
        let DeviceDetails { clock, start_ns, end_ns, .. } = &mut self.details;
        // The clock of later packages counts: synchronisation is gained, seldom lost.
        if clock.replace(time.clock()) != Some(time.clock()) {
            (*start_ns, *end_ns) = (None, None);
        }
        let nanos = time.nanos();
        *start_ns = Some(start_ns.map_or(nanos, |start| start.min(nanos)));
        *end_ns = Some(end_ns.map_or(nanos, |end| end.max(nanos)));
    }

    /// Its counts, in a recording of `frames` frames. Packages have no rate within a single frame.
    fn counted(self, frames: u64, notes: &mut SurveyBuilder) -> DeviceDetails {
        let Self { id, first, status, alarms, losses, mut details, .. } = self;
        losses.tell(id, &mut details, notes);
        let span = details.start_ns.zip(details.end_ns).map(|(start, end)| start.abs_diff(end));
        let rate = span
            .filter(|_| frames > 1 && details.packages >= FEW)
            .and_then(|nanos| u128::from(details.points).times(1_000_000_000).checked_div(nanos.into()));
        if let Some(rate) = rate.filter(|rate| *rate > MOST_POINTS) {
            let message = format_args!(
                "{id}: {rate} points per second, more than any Livox measures: the times are wrong"
            );
            notes.find(Severity::Warning, "point-rate", first, message);
        }
        let states = status.into_iter().flat_map(Status::states).collect();
        DeviceDetails { states, alarms: alarms.into_list(), ..details }
    }
}
