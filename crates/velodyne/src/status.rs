//! The status stream of later HDL-64E S2 and of S3: one byte per packet, including the calibration.

use robolog_core::{
    Timestamp,
    layout::{Layout as _, Packed as _},
    slices::InRange as _,
};

use crate::{
    Calibration, CalibrationSource, Generation, Laser, Model, Packet, ReturnMode, Trailer,
    layout::{StatusHead, StatusLaser, StatusTail},
};

/// The ids in packet order: hour, minute, second, day, month, year, GPS, temperature, firmware, and seven bytes of
/// calibration.
const IDS: &[u8; 16] = b"HMSDNYGTV1234567";
/// Packets per group, and calibration bytes per group.
const GROUP: usize = 16;
const GROUP_BYTES: usize = 7;
/// Groups per cycle: `UNIT#`, four for each of 64 lasers except three for the last, the date, and three more.
const GROUPS: usize = 260;
const CYCLE_BYTES: usize = GROUPS * GROUP_BYTES;
/// Distance from one laser to the next.
const LASER_STRIDE: usize = 4 * GROUP_BYTES;

/// Collects the status stream, which a sensor repeats every 4160 packets: 1.2 seconds for an S2.
///
/// Lost packets leave gaps, which the next cycle fills; a packet's position in the cycle follows from its id and clock.
#[derive(Debug, Clone)]
pub struct StatusStream {
    /// Latest values of the ids before the digits.
    values: [Option<u8>; 9],
    warnings: Option<u8>,
    /// Calibration bytes by their position since the first packet, modulo the cycle.
    bytes: Vec<Option<u8>>,
    missing: usize,
    /// Position of the last packet in its group, its group, and its clock.
    last: Option<(usize, usize, u32)>,
    /// Microseconds between packets.
    interval: Option<u32>,
    /// The first group of the cycle, once a cycle has been read.
    start: Option<usize>,
    failures: u32,
    status: Option<Status>,
}

impl Default for StatusStream {
    fn default() -> Self {
        Self {
            values: [None; 9],
            warnings: None,
            bytes: vec![None; CYCLE_BYTES],
            missing: CYCLE_BYTES,
            last: None,
            interval: None,
            start: None,
            failures: 0,
            status: None,
        }
    }
}

/// Data of a complete cycle of the status stream.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Status {
    /// HDL-64E S2 or S3.
    pub model: Model,
    /// The sensor's own calibration; `None` if it is undated, as sent by sensors without one.
    pub calibration: Option<Calibration>,
    /// Time of calibration: year, month, day, hour, minute, second.
    pub calibrated: Option<[u16; 6]>,
    /// Noise thresholds of the upper and the lower block.
    pub noise_thresholds: [u8; 2],
    /// Relative humidity at calibration, per cent.
    pub humidity: u8,
    /// Configured speed of the head, turns per minute.
    pub rpm: i16,
    /// Minimum and maximum rotation of the field of view, hundredths of a degree.
    pub field_of_view: [u16; 2],
    /// Operating hours.
    pub hours: u16,
    /// Source address of the packets.
    pub source_ip: [u8; 4],
    /// Destination address of the packets.
    pub destination_ip: [u8; 4],
    /// The returns reported; `None` for an unknown number.
    pub return_mode: Option<ReturnMode>,
    /// Power level code.
    pub power_level: u8,
    /// Bits: 0 lens dirty, 1 too hot, 2 too cold, 3 and 4 voltage low and high (S2), 5 PPS present, 6 GPS time present.
    pub warnings: u8,
}

impl StatusStream {
    /// Processes a packet of the second generation; packets must be in the order sent. Returns whether it completed a
    /// cycle with valid checks, which [`status`](Self::status) then returns.
    pub fn push(&mut self, packet: Packet<'_>) -> bool {
        let Trailer::Status { clock, id, value } = packet.trailer(Generation::Status) else { return false };
        let place = match id {
            // S3 marks the first calibration byte of a group with W if it contains warnings. The others with their own
            // ids are, in stream order: noise thresholds; speed and field of view; return mode and power.
            b'W' | 0xFE => Some(9),
            0xFF => Some(10),
            0xFC | 0xF9 => Some(11),
            0xFD => Some(12),
            0xFA | 0xF8 => Some(13),
            0xFB | 0xF7 => Some(14),
            0xF6 => Some(15),
            id => IDS.iter().position(|known| *known == id),
        };
        let Some(place) = place else { return false };
        let group = self.group(place, clock);
        self.last = Some((place, group, clock));
        if id == b'W' {
            self.warnings = Some(value);
        }
        let Some(slot) = place.checked_sub(9) else {
            self.values.get_mut(place).into_iter().for_each(|slot| *slot = Some(value));
            return false;
        };
        let at = group.wrapping_mul(GROUP_BYTES).wrapping_add(slot);
        let Some(byte) = self.bytes.get_mut(at) else { return false };
        if byte.replace(value).is_none() {
            self.missing = self.missing.minus(1);
        }
        let ends_cycle = self.start.is_none_or(|start| group.wrapping_add(1) % GROUPS == start);
        self.missing == 0 && slot.wrapping_add(1) == GROUP_BYTES && ends_cycle && self.read_cycle()
    }

    /// The last complete cycle.
    pub fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }

    /// The sensor's own calibration, once a complete cycle with it has been seen.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.status.as_ref()?.calibration.as_ref()
    }

    /// The sensor's date and time to the second, in UTC.
    pub fn time(&self) -> Option<Timestamp> {
        let [hour, minute, second, day, month, year, ..] = self.values;
        Timestamp::from_utc(2000_i32.checked_add(year?.into())?, month?, day?, hour?, minute?, second?, 0)
    }

    /// State of the GPS receiver: `A` NMEA and pulse, `V` only NMEA, `P` only pulse, 0 nothing.
    pub fn gps(&self) -> Option<u8> {
        self.values[6]
    }

    /// Temperature inside the sensor, degrees Celsius.
    pub fn temperature(&self) -> Option<u8> {
        self.values[7]
    }

    /// Firmware number.
    pub fn firmware(&self) -> Option<u8> {
        self.values[8]
    }

    /// Number of calibration bytes still missing for a complete cycle, of 1820.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Number of complete cycles with invalid checks.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// The group of a packet, counted from the first one modulo the cycle.
    fn group(&mut self, place: usize, clock: u32) -> usize {
        let Some((previous, group, before)) = self.last else { return 0 };
        let step = clock.wrapping_sub(before);
        let ahead = place.wrapping_sub(previous).wrapping_sub(1) % GROUP;
        if ahead == 0 && (100..1000).contains(&step) {
            self.interval = Some(self.interval.map_or(step, |interval| interval.min(step)));
        }
        let mut groups = usize::from(place <= previous);
        // An hour wrap or a clock that was set looks like a long gap, but is not.
        if let Some(interval) = self.interval.filter(|_| step < 10_000_000) {
            let packets = step.checked_div(interval).unwrap_or(0);
            let packets = usize::try_from(packets).unwrap_or(0);
            let whole = packets.saturating_sub(ahead).plus(GROUP / 2 - 1).wrapping_div(GROUP);
            groups = groups.plus(whole);
        }
        group.wrapping_add(groups) % GROUPS
    }

    /// Parses the bytes of a complete cycle.
    fn read_cycle(&mut self) -> bool {
        let whole: Option<Vec<u8>> = self.bytes.iter().copied().collect();
        let Some(mut cycle) = whole else { return false };
        let start = cycle.as_chunks::<GROUP_BYTES>().0.iter().position(|group| group.starts_with(b"UNIT#"));
        let status = start.and_then(|group| {
            cycle.rotate_left(group.wrapping_mul(GROUP_BYTES));
            read_status(&cycle, self.warnings)
        });
        if status.is_none() {
            self.failures = self.failures.plus(1);
            // The positions were wrong, perhaps all of them.
            self.bytes.fill(None);
            self.missing = CYCLE_BYTES;
            self.start = None;
            return false;
        }
        (self.start, self.status) = (start, status);
        true
    }
}

/// Parses a cycle that begins with `UNIT#`; `None` if one of its checks fails.
fn read_status(cycle: &[u8], warnings: Option<u8>) -> Option<Status> {
    let head = StatusHead::decode(cycle, 0).ok()?;
    let rest = cycle.get(StatusHead::LEN..)?;
    let (lasers, tail) = rest.split_at_checked(rest.len().checked_sub(StatusTail::LEN)?)?;
    let tail = StatusTail::decode(tail, 0).ok()?;
    let model = if warnings.is_some() { Model::Hdl64eS3 } else { Model::Hdl64eS2 };
    let rows: Vec<&[u8]> =
        lasers.chunks(LASER_STRIDE).map(|row| row.get(..StatusLaser::LEN)).collect::<Option<_>>()?;
    let expected = if warnings.is_some() {
        crc(rows.iter().flat_map(|row| row.iter().skip(1)))
    } else {
        u16::try_from(CYCLE_BYTES).ok()?
    };
    let rows: Vec<StatusLaser> =
        rows.into_iter().map(|row| StatusLaser::decode(row, 0).ok()).collect::<Option<_>>()?;
    let in_order = rows.len() == 64 && rows.iter().zip(0_u8..).all(|(row, id)| row.id == id);
    if tail.check != expected || !in_order {
        return None;
    }
    let calibrated = Some(tail.calibrated).filter(|date| !date.contains(&0xff)).map(|date| {
        let [year, rest @ ..] = date.map(u16::from);
        let [month, day, hour, minute, second] = rest;
        [year.plus(2000), month, day, hour, minute, second]
    });
    let calibration = calibrated.map(|[year, month, day, ..]| Calibration {
        source: CalibrationSource::StatusStream,
        label: format!("the sensor's own, of {year:04}-{month:02}-{day:02}"),
        distance_resolution: 0.002,
        lasers: rows.iter().map(laser).collect(),
    });
    Some(Status {
        model,
        calibration,
        calibrated,
        noise_thresholds: head.noise_thresholds,
        humidity: tail.humidity,
        rpm: tail.rpm,
        field_of_view: tail.field_of_view,
        hours: tail.hours,
        source_ip: tail.source_ip,
        destination_ip: tail.destination_ip,
        return_mode: match tail.return_mode {
            0 => Some(ReturnMode::Strongest),
            1 => Some(ReturnMode::Last),
            2 => Some(ReturnMode::Dual),
            _ => None,
        },
        power_level: tail.power_level,
        warnings: warnings.unwrap_or(tail.warnings),
    })
}

/// Converts a laser to radians and metres.
fn laser(row: &StatusLaser) -> Laser {
    let radians = |hundredths: i16| (f64::from(hundredths) / 100.0).to_radians();
    let metres = |millimetres: i16| f64::from(millimetres) / 1000.0;
    Laser {
        rot_correction: radians(row.rot_correction),
        vert_correction: radians(row.vert_correction),
        dist_correction: metres(row.dist_correction),
        dist_correction_x: metres(row.dist_correction_x),
        dist_correction_y: metres(row.dist_correction_y),
        vert_offset: metres(row.vert_offset),
        horiz_offset: metres(row.horiz_offset),
        focal_distance: metres(row.focal_distance),
        focal_slope: f64::from(row.focal_slope) / 10.0,
        min_intensity: f64::from(row.min_intensity),
        max_intensity: f64::from(row.max_intensity),
    }
}

/// CRC-16 with the polynomial 0x8005, from zero, highest bit first.
fn crc<'a>(bytes: impl Iterator<Item = &'a u8>) -> u16 {
    bytes.fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x8005 }
        })
    })
}
