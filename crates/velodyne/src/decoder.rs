//! Converts packets to points.

use crate::{
    Block, Calibration, Detection, DualReturns, Options, Packet, Points, Profile, ReturnMode,
    clock::message_times,
    geometry::{Lanes, Numbers, Row, Tables, Turned, number},
    packet::{BLOCKS, RETURNS},
    packets,
    scan::{partner, used_blocks},
    timing::{Firing, Timing},
};
use robolog_core::slices::InRange as _;

/// Converts the packets of one sensor to points.
///
/// ```
/// use velodyne_packet::{Calibration, Decoder, Detection, Generation, Model, Options, Packet, Points, ReturnMode};
///
/// let mut bytes = [0; velodyne_packet::PACKET_LEN];
/// bytes[..7].copy_from_slice(&[0xff, 0xee, 0, 0, 0xe8, 0x03, 77]);
/// let sensor = Detection::assume(Model::Vlp16, ReturnMode::Strongest, Generation::Factory);
/// let calibration = Calibration::built_in(Model::Vlp16);
///
/// let mut decoder = Decoder::new(&sensor, &calibration, Options::default());
/// let mut points = Points::new();
/// decoder.decode(Packet::new(&bytes), 0, &mut points);
/// let point = points.iter().next().unwrap();
/// assert_eq!((point.ring, point.intensity), (0, 77.0));
/// assert!((point.x - 2.0 * 15_f32.to_radians().cos()).abs() < 1e-6);
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    detection: Detection,
    tables: Tables,
    timing: Timing,
    firing: Firing,
    turning: bool,
    dual_returns: DualReturns,
    /// Number of returns dropped because the other one of their shot is identical.
    merged: u64,
    lanes: Box<Lanes>,
    second: Box<Lanes>,
    times: Vec<i64>,
}

impl Decoder {
    /// A decoder for packets of this sensor. Lasers missing from the calibration are skipped.
    pub fn new(detection: &Detection, calibration: &Calibration, options: Options) -> Self {
        let timing = Timing::new(detection.model, detection.return_mode);
        let by_default = !detection.model.is_hdl64e() || options.profile == Profile::VelodyneDecoder;
        Self {
            detection: detection.clone(),
            tables: Tables::new(detection.model, calibration, options),
            firing: timing.firing(),
            timing,
            turning: options.interpolate_azimuth.unwrap_or(by_default),
            dual_returns: options.dual_returns,
            merged: 0,
            lanes: Box::new(Lanes::new(options.profile)),
            second: Box::new(Lanes::new(options.profile)),
            times: Vec::new(),
        }
    }

    /// The sensor and packet format.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// Number of returns dropped because the other one of their shot is identical: see [`DualReturns::Merged`].
    pub fn merged(&self) -> u64 {
        self.merged
    }

    /// Appends the points of a packet whose first shot was fired at `time`, in nanoseconds of the caller's clock.
    ///
    /// The first packet for empty `points` sets their [`start`](Points::start); times are clamped to the 4.2 seconds
    /// from there.
    pub fn decode(&mut self, packet: Packet<'_>, time: i64, points: &mut Points) {
        self.decode_with(packet, time, points, |_, _| ());
    }

    /// Appends the points of the complete packets in `bytes`, the last of which arrived at `time`, nanoseconds. The
    /// times of the packets before it follow from the clock inside them, or without one from the sensor's rate.
    pub fn decode_message(&mut self, bytes: &[u8], time: i64, points: &mut Points) {
        let mut times = std::mem::take(&mut self.times);
        message_times(&self.detection, bytes, time, &mut times);
        for (packet, time) in packets(bytes).zip(&times) {
            self.decode(packet, *time, points);
        }
        self.times = times;
    }

    /// Like [`decode`](Self::decode); calls `before` with each block that begins a shot and the points so far.
    pub(crate) fn decode_with(
        &mut self,
        packet: Packet<'_>,
        time: i64,
        points: &mut Points,
        mut before: impl FnMut(Block<'_>, &mut Points),
    ) {
        let time = time.saturating_sub(self.timing.lead());
        self.timing.packet(packet, self.turning, &mut self.firing);
        let dual = self.detection.return_mode == ReturnMode::Dual;
        let hdl64e = self.detection.model.is_hdl64e();
        let used = used_blocks(&self.detection);
        points.reserve(BLOCKS * RETURNS);
        let Firing { nanos, since, rate } = &self.firing;
        let rows = packet.blocks().zip(nanos).zip(since).take(used);
        let partner = partner(&self.detection);
        if !dual || self.dual_returns == DualReturns::Both {
            for (((block, nanos), since), index) in rows.zip(0_usize..) {
                before(block, points);
                let Some((bank, rings)) = self.tables.bank(block) else { continue };
                let turned = if self.turning { Turned::By(*rate, since) } else { Turned::Still };
                self.lanes.compute(bank, block, block.rotation(), turned);
                let numbers = dual.then(|| numbers(block, packet.blocks().nth(index ^ partner)));
                let numbers = numbers.as_ref().map_or(Numbers::All(1), Numbers::Each);
                self.lanes.append(numbers, rings, nanos, time, points);
            }
            return;
        }
        for (((block, nanos), since), index) in rows.zip(0_usize..) {
            if index & partner != 0 {
                continue;
            }
            before(block, points);
            let Some(second) = packet.blocks().nth(index.wrapping_add(partner)) else { continue };
            let Some((bank, rings)) = self.tables.bank(block) else { continue };
            let turned = if self.turning { Turned::By(*rate, since) } else { Turned::Still };
            self.lanes.compute(bank, block, block.rotation(), turned);
            self.second.compute(bank, second, block.rotation(), turned);
            // The HDL-64E sends the strongest of its two pairs of blocks first, the other models the last.
            let pair = if hdl64e { [&*self.second, &*self.lanes] } else { [&*self.lanes, &*self.second] };
            let merged = Lanes::append_pair(pair, rings, nanos, time, points);
            self.merged = self.merged.plus(merged);
        }
    }
}

/// Return numbers of a block whose shots have their other return in another block.
fn numbers(block: Block<'_>, other: Option<Block<'_>>) -> Row<u8> {
    let mut numbers = [1; RETURNS];
    let Some(other) = other else { return numbers };
    for (place, (own, other)) in numbers.iter_mut().zip(block.returns().zip(other.returns())) {
        *place = number(own.distance, other.distance);
    }
    numbers
}
