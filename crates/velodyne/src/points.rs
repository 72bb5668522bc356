//! Recording points as columns.

use robolog_core::PointCloud;

/// Recording points, one column per quantity, all of the same length.
///
/// [`clear`](Self::clear) keeps the memory for the next scan; [`take_cloud`](Self::take_cloud) moves the columns out.
///
/// ```
/// use velodyne_packet::*;
/// # let mut bytes = [0; PACKET_LEN];
/// # bytes[..7].copy_from_slice(&[0xff, 0xee, 0, 0, 0xe8, 0x03, 77]);
/// let sensor = Detection::assume(Model::Hdl32e, ReturnMode::Strongest, Generation::Factory);
/// let mut decoder = Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default());
/// let mut points = Points::new();
/// decoder.decode(Packet::new(&bytes), 0, &mut points);
/// let near = points.iter().filter(|point| point.x.hypot(point.y) < 20.0).count();
/// assert_eq!((near, points.take_cloud().len()), (1, 1)); // the columns are moved out
/// assert!(points.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    pub(crate) start: i64,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    pub(crate) intensity: Vec<f32>,
    pub(crate) time_offset: Vec<u32>,
    pub(crate) return_number: Vec<u8>,
    pub(crate) ring: Vec<u16>,
}

/// One decoded return.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Point {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Metres.
    pub z: f32,
    /// 0 to 255, corrected if the calibration supports it.
    pub intensity: f32,
    /// Number of the ring, 0 for the lowest.
    pub ring: u16,
    /// Nanoseconds from [`Points::start`].
    pub time_offset: u32,
    /// 1 for the nearer or only return of a shot, 2 for the farther one.
    pub return_number: u8,
}

impl Points {
    /// Bytes of memory per point.
    pub(crate) const BYTES: usize = 4 * 4 + 4 + 1 + 2;

    /// No points.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The zero of the points' times, in nanoseconds on the clock of the packets.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// x in metres.
    pub fn x(&self) -> &[f32] {
        &self.x
    }

    /// y in metres.
    pub fn y(&self) -> &[f32] {
        &self.y
    }

    /// z in metres.
    pub fn z(&self) -> &[f32] {
        &self.z
    }

    /// Intensities.
    pub fn intensity(&self) -> &[f32] {
        &self.intensity
    }

    /// Rings, 0 for the lowest.
    pub fn ring(&self) -> &[u16] {
        &self.ring
    }

    /// Nanoseconds from [`start`](Self::start).
    pub fn time_offset(&self) -> &[u32] {
        &self.time_offset
    }

    /// 1 for the nearer or only return of a shot, 2 for the farther one.
    pub fn return_number(&self) -> &[u8] {
        &self.return_number
    }

    /// Iterates over the points.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        let xyz = self.x.iter().zip(&self.y).zip(&self.z);
        let rest = self.intensity.iter().zip(&self.ring).zip(&self.time_offset).zip(&self.return_number);
        xyz.zip(rest).map(|(((x, y), z), (((intensity, ring), time_offset), return_number))| Point {
            x: *x,
            y: *y,
            z: *z,
            intensity: *intensity,
            ring: *ring,
            time_offset: *time_offset,
            return_number: *return_number,
        })
    }

    /// Reserves memory for that many more points.
    pub(crate) fn reserve(&mut self, more: usize) {
        let Self { x, y, z, intensity, time_offset, return_number, ring, .. } = self;
        for column in [x, y, z, intensity] {
            column.reserve(more);
        }
        time_offset.reserve(more);
        return_number.reserve(more);
        ring.reserve(more);
    }

    /// Nanoseconds from the start to `time`; empty points start at `time`. Leaves room to add a firing time.
    pub(crate) fn base(&mut self, time: i64) -> u32 {
        const MOST: u32 = u32::MAX - 10_000_000;
        if self.is_empty() {
            self.start = time;
        }
        let since = time.saturating_sub(self.start).max(0);
        u32::try_from(since).unwrap_or(MOST).min(MOST)
    }

    /// Empties the columns, keeping their memory.
    pub fn clear(&mut self) {
        let Self { start, x, y, z, intensity, time_offset, return_number, ring } = self;
        *start = 0;
        for column in [x, y, z, intensity] {
            column.clear();
        }
        time_offset.clear();
        return_number.clear();
        ring.clear();
    }

    /// Moves the columns out as a cloud, leaving no points.
    pub fn take_cloud(&mut self) -> PointCloud {
        let Self { x, y, z, intensity, time_offset, return_number, ring, .. } = std::mem::take(self);
        PointCloud { x, y, z, intensity, time_offset, return_number, ring, ..PointCloud::default() }
    }
}
