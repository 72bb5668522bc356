//! Divides packets into scans.

use robolog_core::{Limits, slices::InRange as _};

use crate::{
    BLOCKS, Block, Decoder, Detection, Model, Packet, Points, ReturnMode,
    packet::{RETURNS, ROTATION_STEPS},
    timing::lead,
};

/// Splits packets into scans where the head passes an angle, also inside packets.
///
/// ```
/// use velodyne_packet::*;
/// # let turn: Vec<u8> = (0..300_u16).flat_map(|i| {
/// #     let mut bytes = [0; PACKET_LEN];
/// #     for (block, j) in bytes.chunks_exact_mut(100).zip(0..12) {
/// #         let rotation = ((i * 12 + j) % 360 * 100).to_le_bytes();
/// #         block[..7].copy_from_slice(&[0xff, 0xee, rotation[0], rotation[1], 0xe8, 0x03, 1]);
/// #     }
/// #     bytes
/// # }).collect();
/// let sensor = Detection::assume(Model::Hdl32e, ReturnMode::Strongest, Generation::Factory);
/// let decoder = Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default());
/// let mut scans = ScanSplitter::new(decoder);
/// let mut sizes = Vec::new();
/// for (packet, time) in packets(&turn).zip((0..).step_by(552_960)) {
///     scans.push(packet, time, |points| sizes.push(points.len()));
/// }
/// scans.finish(|points| sizes.push(points.len()));
/// assert_eq!(sizes, [360; 10]);
/// ```
#[derive(Debug, Clone)]
pub struct ScanSplitter {
    decoder: Decoder,
    points: Points,
    head: Head,
    most: usize,
}

/// Rotation of the head, and where scans begin.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    cut: u16,
    before: Option<u16>,
}

impl Head {
    /// Whether the head passes the cut with this block.
    fn passes(&mut self, block: Block<'_>) -> bool {
        let from_cut = block.rotation() % ROTATION_STEPS;
        let from_cut = from_cut
            .checked_sub(self.cut)
            .unwrap_or(from_cut.wrapping_add(ROTATION_STEPS).wrapping_sub(self.cut));
        // A head that stands still or swings back slightly has not turned.
        self.before
            .replace(from_cut)
            .and_then(|before| before.checked_sub(from_cut))
            .is_some_and(|back| back > 18_000)
    }
}

/// Twice the points of a VLS-128 in a fifth of a second, its slowest turn: limits the points of a head that stands
/// still.
const MOST: usize = 1 << 21;

/// Maximum points of a scan within these limits.
fn most(limits: Limits) -> usize {
    limits.record.wrapping_div(Points::BYTES).clamp(1, MOST)
}

impl ScanSplitter {
    /// Splits where the rotation passes zero, within the default [`Limits`].
    pub fn new(decoder: Decoder) -> Self {
        let most = most(Limits::default());
        Self { decoder, points: Points::default(), head: Head::default(), most }
    }

    /// Sets the rotation where scans begin, in hundredths of a degree.
    #[must_use]
    pub fn with_cut(mut self, rotation: u16) -> Self {
        self.head.cut = rotation % ROTATION_STEPS;
        self
    }

    /// Sets the limits: a scan that never ends is delivered in pieces of at most as many points as fit a record.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Sets the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.most = most(limits);
    }

    /// The decoder.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Replaces the decoder, for a calibration that the sensor has sent. Points of the current scan are kept.
    pub fn set_decoder(&mut self, decoder: Decoder) {
        self.decoder = decoder;
    }

    /// Processes a packet whose first shot was fired at `time`, nanoseconds, and passes `each` the scans it completes.
    /// Points left by `each` are discarded.
    pub fn push(&mut self, packet: Packet<'_>, time: i64, mut each: impl FnMut(&mut Points)) {
        let (head, most) = (&mut self.head, self.most);
        self.decoder.decode_with(packet, time, &mut self.points, |block, points| {
            let has_turned = head.passes(block);
            if (has_turned || points.len() >= most) && !points.is_empty() {
                each(points);
                points.clear();
            }
        });
    }

    /// Passes `each` the unfinished scan, if any.
    pub fn finish(&mut self, mut each: impl FnMut(&mut Points)) {
        self.head.before = None;
        if !self.points.is_empty() {
            each(&mut self.points);
            self.points.clear();
        }
    }
}

/// A scan counted by [`ScanCounter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scan {
    /// Number of points.
    pub points: usize,
    /// Its start, like [`Points::start`].
    pub start: i64,
}

/// Counts scans and their points without computing any: the same as [`ScanSplitter`] makes with default
/// [`Options`](crate::Options) and a calibration for all lasers of the sensor.
#[derive(Debug, Clone)]
pub struct ScanCounter {
    head: Head,
    /// Number of lasers of the sensor.
    lasers: usize,
    /// Number of used blocks per packet, and distance from a block to the one with the other return of its shots.
    used: usize,
    partner: usize,
    merged: u64,
    /// Nanoseconds from the first shot of a packet to its time.
    lead: i64,
    scan: Scan,
    most: usize,
}

impl ScanCounter {
    /// A counter for packets of this sensor.
    pub fn new(sensor: &Detection) -> Self {
        let lasers = sensor.model.lasers().next_multiple_of(RETURNS);
        let scan = Scan { points: 0, start: 0 };
        let most = most(Limits::default());
        Self {
            head: Head::default(),
            lasers,
            used: used_blocks(sensor),
            partner: partner(sensor),
            merged: 0,
            lead: lead(sensor.model),
            scan,
            most,
        }
    }

    /// Sets the limits, like [`ScanSplitter::with_limits`].
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Sets the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.most = most(limits);
    }

    /// Processes a packet whose first shot was fired at `time`, nanoseconds, and passes `each` the scans it completes.
    pub fn push(&mut self, packet: Packet<'_>, time: i64, mut each: impl FnMut(Scan)) {
        for (block, index) in packet.blocks().take(self.used).zip(0_usize..) {
            if index & self.partner != 0 {
                continue;
            }
            let has_turned = self.head.passes(block);
            if (has_turned || self.scan.points >= self.most) && self.scan.points > 0 {
                each(self.scan);
                self.scan.points = 0;
            }
            if block.bank().is_some_and(|bank| bank.first_laser() < self.lasers) {
                if self.scan.points == 0 {
                    self.scan.start = time.saturating_sub(self.lead);
                }
                let mut count = block.return_count();
                if self.partner != 0
                    && let Some(other) = packet.blocks().nth(index.wrapping_add(self.partner))
                {
                    let (same, others) = (block.same_count(other), other.return_count());
                    count = count.plus(others).minus(same);
                    self.merged = self.merged.plus(same as u64);
                }
                self.scan.points = self.scan.points.plus(count);
            }
        }
    }

    /// Number of returns not counted because the other one of their shot is identical.
    pub fn merged(&self) -> u64 {
        self.merged
    }

    /// Passes `each` the unfinished scan, if any.
    pub fn finish(&mut self, each: impl FnOnce(Scan)) {
        self.head.before = None;
        if self.scan.points > 0 {
            each(self.scan);
            self.scan.points = 0;
        }
    }
}

/// Distance from a block to the one with the other return of its shots; 0 if there is none.
pub(crate) fn partner(sensor: &Detection) -> usize {
    match (sensor.return_mode, sensor.model.is_hdl64e()) {
        (ReturnMode::Dual, true) => 2,
        (ReturnMode::Dual, false) => 1,
        _ => 0,
    }
}

/// Number of blocks per packet with measurements: the last ones in dual packets of the VLS-128 are padding.
pub(crate) fn used_blocks(sensor: &Detection) -> usize {
    let is_filled = sensor.return_mode == ReturnMode::Dual && sensor.model == Model::Vls128;
    if is_filled { 8 } else { BLOCKS }
}
