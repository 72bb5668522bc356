//! What the order of a packet is judged by.

use koblenz_log::{
    layout::PACKET_LEN,
    velodyne_packet::{Bank, Block, Generation, Model, Packet, ROTATION_STEPS, ReturnMode, Trailer},
};
use lvx::layout::{PackageHeader1, Sdk2Header};
use robolog_core::layout::Layout as _;

/// What the order of a packet is judged by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tick {
    /// Nanoseconds of the sensor's clock; `None` without a clock.
    pub(crate) stamp: Option<i64>,
    /// Nanoseconds after which the clock starts again; 0 for never.
    pub(crate) wrap: i64,
    /// Consecutive packets with another form have other intervals.
    pub(crate) form: u16,
    /// Number of the packet.
    pub(crate) counter: Option<u16>,
    /// The head's rotation.
    pub(crate) turn: Option<Turn>,
    /// Minimum nanoseconds between the packets of one sensor; 0 if unknown.
    pub(crate) least: i64,
    /// Nanoseconds from the first shot to that of the next packet, as the packet says; 0 if it does not.
    pub(crate) said: i64,
    /// Number of shots; 0 if unknown.
    pub(crate) shots: u16,
    /// Capture time.
    pub(crate) arrival: i64,
}

/// Rotation of a head within a packet, in hundredths of a degree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Of the first and of the last block.
    pub(crate) first: u16,
    pub(crate) last: u16,
    /// The rotations between which the head did not measure.
    pub(crate) skipped: Option<(u16, u16)>,
}

/// A head never turns further between two blocks that it measures.
const SKIP: u16 = 1000;

/// Hundredths of a degree from one rotation to the next, 0 to 35 999.
pub(super) fn between(from: u16, to: u16) -> u16 {
    let (from, to) = (from % ROTATION_STEPS, to % ROTATION_STEPS);
    if to >= from { to - from } else { to.wrapping_add(ROTATION_STEPS).wrapping_sub(from) }
}

const HOUR: i64 = 3_600_000_000_000;

impl Tick {
    /// Of a package of SDK 1.
    pub(crate) fn of_sdk1(package: &[u8], arrival: i64) -> Option<Self> {
        let head = PackageHeader1::peek(package)?;
        let stamp = u64::from_le_bytes(head.timestamp);
        let (stamp, wrap) = match head.timestamp_type {
            // The last four bytes are microseconds past the hour.
            3 => (i64::try_from(stamp >> 32).ok()?.checked_mul(1000)?, HOUR),
            // Nanoseconds since the last pulse.
            4 => (i64::try_from(stamp).ok()?, 1_000_000_000),
            _ => (i64::try_from(stamp).ok()?, 0),
        };
        let shots = match head.data_type {
            0 | 1 => 100,
            2 | 3 => 96,
            4 | 5 => 48,
            7 | 8 => 30,
            _ => 0,
        };
        let form = u16::from_le_bytes([head.data_type, head.timestamp_type]);
        // The fastest fires every 4.16 µs.
        let least = i64::from(shots) * 3000;
        Some(Self { stamp: Some(stamp), wrap, form, least, shots, arrival, ..Self::default() })
    }

    /// Of a payload of SDK 2.
    pub(crate) fn of_sdk2(payload: &[u8], arrival: i64) -> Option<Self> {
        let head = Sdk2Header::peek(payload)?;
        let stamp = i64::try_from(head.timestamp).ok()?;
        let counter = Some(head.udp_counter);
        let said = i64::from(head.time_interval) * 100;
        Some(Self { stamp: Some(stamp), counter, said, shots: head.dot_num, arrival, ..Self::default() })
    }

    /// Of a Velodyne's packet.
    pub(crate) fn of_velodyne(bytes: &[u8; PACKET_LEN], arrival: i64) -> Self {
        let packet = Packet::new(bytes);
        let [c0, c1, c2, c3, mode, model] = packet.trailer_bytes();
        // The later HDL-64E send other numbers there.
        let second = packet.blocks().nth(1).and_then(|block| block.bank());
        let model_named = Model::from_id(model).zip(ReturnMode::from_id(mode));
        let named = model_named.filter(|(model, _)| second != Some(Bank::Lower) || *model == Model::Vls128);
        let least = named.map_or(0, |(model, mode)| i64::from(model.packet_interval(mode)) / 2);
        let form = named.map_or(0, |_| u16::from_le_bytes([mode, model]));
        // A clock may look like words by chance, where factory bytes follow.
        let is_text = named.is_none()
            && matches!(
                packet.trailer(Generation::SpinTemperature),
                Trailer::Spin { .. } | Trailer::Temperature { .. }
            );
        let micros = i64::from(u32::from_le_bytes([c0, c1, c2, c3]));
        let stamp = (!is_text && micros * 1000 < HOUR).then_some(micros * 1000);
        let turn = Some(Turn::of(packet));
        Self { stamp, wrap: HOUR, form, least, turn, arrival, ..Self::default() }
    }

    /// Nanoseconds of the sensor's clock to another packet; without a clock, of the capture's.
    pub(super) fn step_to(&self, next: &Self) -> i64 {
        let Some((before, now)) = self.stamp.zip(next.stamp) else {
            return next.arrival.saturating_sub(self.arrival);
        };
        let step = now.saturating_sub(before);
        if next.wrap == 0 {
            return step;
        }
        let ahead = step.rem_euclid(next.wrap);
        if ahead > next.wrap / 2 { ahead - next.wrap } else { ahead }
    }

    /// By how much the counter or the rotation changes, with a sign.
    pub(super) fn leap_to(&self, next: &Self) -> Option<i64> {
        if let Some((before, now)) = self.counter.zip(next.counter) {
            return Some(now.wrapping_sub(before).cast_signed().into());
        }
        let (before, now) = self.turn.zip(next.turn)?;
        let skipped = before.skipped.map_or(0, |(from, to)| between(from, to));
        let ahead = i64::from(between(before.first, now.first)) - i64::from(skipped);
        Some(if ahead > i64::from(ROTATION_STEPS / 2) { ahead - i64::from(ROTATION_STEPS) } else { ahead })
    }

    /// Whether the next packet cannot be compared: its clock or form is another.
    pub(super) fn is_other(&self, next: &Self) -> bool {
        self.counter.is_none() && (self.form != next.form || self.stamp.is_some() != next.stamp.is_some())
    }
}

impl Turn {
    fn of(packet: Packet<'_>) -> Self {
        let rotation = |block: Option<Block<'_>>| block.map_or(0, |block| block.rotation());
        let (first, last) = (rotation(packet.blocks().next()), rotation(packet.blocks().next_back()));
        let (mut before, mut skipped) = (first, None);
        if between(first, last) < SKIP {
            return Self { first, last, skipped };
        }
        for block in packet.blocks() {
            let now = block.rotation();
            // A head that is still swings back a little.
            if (SKIP..ROTATION_STEPS - SKIP).contains(&between(before, now)) {
                skipped = skipped.or(Some((before, now)));
            }
            before = now;
        }
        Self { first, last, skipped }
    }
}
