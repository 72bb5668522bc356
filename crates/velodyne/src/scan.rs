//! Packets to scans.

use robolog_core::Limits;

use crate::{Decoder, Packet, Points, packet::ROTATION_STEPS};

/// Splits packets into scans where the head passes an angle, inside packets too.
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
    cut: u16,
    before: Option<u16>,
    most: usize,
}

impl ScanSplitter {
    /// Scans that begin where the rotation passes zero, within the default [`Limits`].
    pub fn new(decoder: Decoder) -> Self {
        Self { decoder, points: Points::default(), cut: 0, before: None, most: 0 }
            .with_limits(Limits::default())
    }

    /// The same with scans that begin at this rotation, in hundredths of a degree.
    #[must_use]
    pub fn with_cut(mut self, rotation: u16) -> Self {
        self.cut = rotation % ROTATION_STEPS;
        self
    }

    /// The same within these limits: a scan that never ends is given in pieces of as many points as a record may hold
    /// bytes for.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.most = limits.record.wrapping_div(Points::BYTES).max(1);
        self
    }

    /// The decoder.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Goes on with another decoder: for a calibration that the sensor has sent meanwhile. Points of the scan at hand stay.
    pub fn set_decoder(&mut self, decoder: Decoder) {
        self.decoder = decoder;
    }

    /// Takes a packet whose first shot was fired at `time` nanoseconds, and shows `each` the scans that it ends. What
    /// `each` leaves in the points is thrown away.
    pub fn push(&mut self, packet: Packet<'_>, time: i64, mut each: impl FnMut(&mut Points)) {
        let (cut, most) = (self.cut, self.most);
        let before = &mut self.before;
        self.decoder.decode_with(packet, time, &mut self.points, |block, points| {
            let from_cut = block.rotation() % ROTATION_STEPS;
            let from_cut =
                from_cut.checked_sub(cut).unwrap_or(from_cut.wrapping_add(ROTATION_STEPS).wrapping_sub(cut));
            // A head that stands still or swings a little backwards has not turned.
            let wrapped = before
                .replace(from_cut)
                .and_then(|before| before.checked_sub(from_cut))
                .is_some_and(|back| back > 18_000);
            if (wrapped || points.len() >= most) && !points.is_empty() {
                each(points);
                points.clear();
            }
        });
    }

    /// Shows `each` the scan that was not ended, where there is one.
    pub fn finish(&mut self, mut each: impl FnMut(&mut Points)) {
        self.before = None;
        if !self.points.is_empty() {
            each(&mut self.points);
            self.points.clear();
        }
    }
}
