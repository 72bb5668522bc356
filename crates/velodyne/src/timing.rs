//! When each laser fires, and how far the head has turned by then.

use std::sync::LazyLock;

use crate::{
    Model, Packet, ReturnMode,
    packet::{BLOCKS, RETURNS, ROTATION_STEPS},
};

/// One value per return of a packet.
pub(crate) type Grid<T> = [[T; RETURNS]; BLOCKS];

/// Seconds from a packet's time to the first lasers of the VLS-128, whose clock is that of its fourth group.
const VLS128_LEAD: f64 = 7e-6;
/// Seconds of a short block of the HDL-64E S1, derived from the rotation steps in real packets.
const S1_BLOCK: f32 = 24.812_36e-6;

/// Sine and cosine of each rotation of the head.
pub(crate) static TURN: LazyLock<Vec<[f64; 2]>> = LazyLock::new(|| {
    (0..ROTATION_STEPS).map(|step| (f64::from(step) / 100.0).to_radians().sin_cos().into()).collect()
});

/// Like [`TURN`], from single-precision angles as in `velodyne_decoder`: differs by a tenth of a millimetre at 200 m.
pub(crate) static TURN_PEER: LazyLock<Vec<[f64; 2]>> = LazyLock::new(|| {
    let angle = |step: u16| 0.01 * f32::from(step) * (std::f32::consts::PI / 180.0);
    (0..ROTATION_STEPS).map(|step| f64::from(angle(step)).sin_cos().into()).collect()
});

/// Like [`TURN`], in single precision.
pub(crate) static TURN_SINGLE: LazyLock<Vec<[f32; 2]>> = LazyLock::new(|| {
    #[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
    TURN.iter().map(|turn| turn.map(|value| value as f32)).collect()
});

/// The firing times of a model, and the packet state they depend on.
#[derive(Debug, Clone)]
pub(crate) struct Timing {
    model: Model,
    dual: bool,
    /// Seconds from the packet's time, for the blocks of a single-return packet.
    table: Grid<f32>,
    /// Shots of the two kinds of blocks of the S1.
    short: [(u32, f32); RETURNS],
    long: [(u32, f32); RETURNS],
    previous_rotation: Option<u16>,
    previous_rate: f32,
}

/// The times and turns of one packet.
#[derive(Debug, Clone)]
pub(crate) struct Firing {
    /// Nanoseconds from [`Timing::lead`] before the packet's time.
    pub(crate) nanos: Grid<u32>,
    /// Seconds since the time of the block's rotation.
    pub(crate) since: Grid<f32>,
    /// Speed of the head, hundredths of a degree per second.
    pub(crate) rate: f32,
}

impl Timing {
    pub(crate) fn new(model: Model, mode: ReturnMode) -> Self {
        let mut table = [[0.0; RETURNS]; BLOCKS];
        for (block, row) in (0_u16..).zip(&mut table) {
            for (shot, time) in (0_u16..).zip(row) {
                *time = seconds(model, block, shot);
            }
        }
        Self {
            model,
            dual: mode == ReturnMode::Dual,
            table,
            short: spread(S1_BLOCK),
            long: spread(2.0 * S1_BLOCK),
            previous_rotation: None,
            previous_rate: 0.0,
        }
    }

    /// Nanoseconds from the first shot of a packet to its time.
    pub(crate) fn lead(&self) -> i64 {
        lead(self.model)
    }

    /// A firing table to be updated by [`packet`](Self::packet).
    pub(crate) fn firing(&self) -> Firing {
        let lead = if self.lead() == 0 { 0.0 } else { VLS128_LEAD };
        let mut firing = Firing { nanos: [[0; RETURNS]; BLOCKS], since: [[0.0; RETURNS]; BLOCKS], rate: 0.0 };
        let first_shot = |row: usize| self.table.get(row).map_or(0.0, |times| times[0]);
        for (block, (nanos, since)) in firing.nanos.iter_mut().zip(&mut firing.since).enumerate() {
            let row = self.row(block);
            let Some(times) = self.table.get(row) else { continue };
            // The blocks of one rotation count from the first of them.
            let zero = match self.model {
                model if model.is_hdl64e() => first_shot(row & !1),
                Model::Vls128 => first_shot(row & !3),
                _ => times[0],
            };
            for ((nanos, since), time) in nanos.iter_mut().zip(since).zip(times) {
                *nanos = to_nanos(f64::from(*time) + lead);
                *since = *time - zero;
            }
        }
        firing
    }

    /// Updates `firing` for a packet; with `turning`, also the speed of the head.
    pub(crate) fn packet(&mut self, packet: Packet<'_>, turning: bool, firing: &mut Firing) {
        if self.model == Model::Hdl64eS1 {
            self.packet_s1(packet, firing);
        } else if turning {
            firing.rate = self.rate(packet);
        }
    }

    /// The table row with the times of a block: returns of one shot share theirs.
    #[expect(clippy::arithmetic_side_effects, reason = "indices below 12, constant divisors")]
    fn row(&self, block: usize) -> usize {
        match (self.dual, self.model.is_hdl64e()) {
            (false, _) => block,
            (true, false) => block / 2,
            (true, true) => block / 4 * 2 + block % 2,
        }
    }

    /// Speed of the head, hundredths of a degree per second.
    fn rate(&mut self, packet: Packet<'_>) -> f32 {
        let rotation = |mut blocks: &mut dyn Iterator<Item = crate::Block<'_>>| {
            Iterator::next(&mut blocks).map_or(0, |block| block.rotation() % ROTATION_STEPS)
        };
        let (first, last) = (rotation(&mut packet.blocks()), rotation(&mut packet.blocks().rev()));
        if self.model != Model::Vls128 {
            let end = if self.dual { (BLOCKS - 1) / 2 } else { BLOCKS - 1 };
            let span = self.table.get(end).map_or(1.0, |times| times[0]) - self.table[0][0];
            return f32::from(turn(first, last)) / span;
        }
        // This sensor's packets have too few blocks to measure the speed.
        let mut rate = 0.0;
        if let Some(previous) = self.previous_rotation {
            let sequence = self.table[4][0] - self.table[0][0];
            rate = f32::from(turn(previous, first)) / if self.dual { sequence } else { 3.0 * sequence };
            if self.previous_rate > 0.0 && rate > self.previous_rate * 1.8 {
                // A packet is missing between the two.
                rate = self.previous_rate;
            } else {
                self.previous_rate = rate;
            }
        }
        self.previous_rotation = Some(first);
        rate
    }

    /// The S1 has no table: its blocks last one or two units of time, as given by the rotation steps.
    fn packet_s1(&mut self, packet: Packet<'_>, firing: &mut Firing) {
        let mut steps = [0_u16; BLOCKS];
        let mut previous = self.previous_rotation;
        for (step, block) in steps.iter_mut().zip(packet.blocks()) {
            let rotation = block.rotation() % ROTATION_STEPS;
            *step = turn(previous.unwrap_or(rotation), rotation);
            previous = Some(rotation);
        }
        self.previous_rotation = previous;
        let [_, rest @ ..] = &steps;
        let least = rest.iter().copied().min().unwrap_or(0);
        let long = |step: &u16| u32::from(*step).wrapping_mul(2) > u32::from(least).wrapping_mul(3);
        let mut durations = [S1_BLOCK; BLOCKS];
        for (duration, step) in durations.iter_mut().zip(rest) {
            *duration = if long(step) { 2.0 * S1_BLOCK } else { S1_BLOCK };
        }
        // The block after the last one is in the next packet: after one long block among six, another usually follows.
        let recent = rest.get(5..).unwrap_or(&[]).iter().filter(|step| long(step)).count();
        if let Some(last) = durations.last_mut() {
            *last = if recent == 1 { 2.0 * S1_BLOCK } else { S1_BLOCK };
        }
        let [_, inner @ .., _] = &steps;
        let [_, inner_durations @ .., _] = &durations;
        let rates = inner.iter().zip(inner_durations).map(|(step, time)| f32::from(*step) / time);
        firing.rate = rates.sum::<f32>() / 10.0;
        let mut start = 0_u32;
        for ((nanos, since), duration) in firing.nanos.iter_mut().zip(&mut firing.since).zip(durations) {
            let shots = if duration > S1_BLOCK { &self.long } else { &self.short };
            for ((nanos, since), (shot_nanos, shot)) in nanos.iter_mut().zip(since).zip(shots) {
                *nanos = start.wrapping_add(*shot_nanos);
                *since = *shot;
            }
            start = start.wrapping_add(to_nanos(f64::from(duration)));
        }
    }
}

/// Nanoseconds from the first shot of a packet to its time.
pub(crate) fn lead(model: Model) -> i64 {
    if model == Model::Vls128 { 7_000 } else { 0 }
}

/// The shots of an S1 block of this duration, evenly spaced: nanoseconds and seconds.
fn spread(duration: f32) -> [(u32, f32); RETURNS] {
    let mut shots = [(0, 0.0); RETURNS];
    for ((nanos, seconds), shot) in shots.iter_mut().zip(0_u8..) {
        *seconds = duration * (f32::from(shot) / 32.0);
        *nanos = to_nanos(f64::from(*seconds));
    }
    shots
}

/// Hundredths of a degree from one rotation to the next, 0 to 35 999.
fn turn(from: u16, to: u16) -> u16 {
    if to >= from { to.wrapping_sub(from) } else { to.wrapping_add(ROTATION_STEPS).wrapping_sub(from) }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and shots are not in the past"
)]
fn to_nanos(seconds: f64) -> u32 {
    (seconds * 1e9).round() as u32
}

/// Seconds from the time of a packet to one of its shots, from the firing tables in the manuals.
#[expect(clippy::cast_possible_truncation, reason = "a microsecond's digits are few")]
fn seconds(model: Model, block: u16, shot: u16) -> f32 {
    let (block, shot) = (f64::from(block), f64::from(shot));
    let part = |of: f64, size: f64| (of / size).floor();
    let rest = |of: f64, size: f64| of - size * part(of, size);
    let quad = |pattern: [f64; 4]| {
        pattern
            .into_iter()
            .zip(0_u8..)
            .find(|(_, i)| f64::from(*i) >= rest(shot, 4.0))
            .map_or(0.0, |(time, _)| time)
    };
    let micros = match model {
        Model::Hdl64eS1 => 0.0,
        Model::Hdl64eS2 => 48.0 * part(block, 2.0) + 6.0 * part(shot, 4.0) + quad([0.0, 1.26, 2.46, 3.66]),
        Model::Hdl64eS3 => 57.6 * part(block, 2.0) + 7.2 * part(shot, 4.0) + quad([0.0, 1.3, 2.5, 3.7]),
        Model::Hdl32e => 46.08 * block + 1.152 * shot,
        Model::Vlp16 | Model::PuckHiRes => {
            55.296 * (2.0 * block + part(shot, 16.0)) + 2.304 * rest(shot, 16.0)
        }
        Model::Vlp32a | Model::Vlp32b | Model::Vlp32c => 55.296 * block + 2.304 * part(shot, 2.0),
        Model::Vls128 => {
            // Eight lasers fire at a time; after the eighth group, and after the last, the head pauses.
            let (unit, laser) = (8.0 / 3.0, 32.0 * rest(block, 4.0) + shot);
            20.0 * unit * part(block, 4.0) + unit * (part(laser, 8.0) + 2.0 * part(laser, 64.0))
                - VLS128_LEAD * 1e6
        }
    };
    (micros * 1e-6) as f32
}
