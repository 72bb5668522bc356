//! Ticks to coordinates, 32 lasers at a time.

use crate::{
    Axes, Bank, Block, Calibration, Model, Options, Points, Profile,
    packet::{RETURNS, ROTATION_STEPS},
    timing::TURN,
};

type Row<T> = [T; RETURNS];

/// What the formulas need of the lasers, in columns.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    banks: Vec<BankTable>,
    rings: Vec<Row<u16>>,
}

/// The lasers of a bank.
#[derive(Debug, Clone)]
pub(crate) struct BankTable {
    resolution: f64,
    /// Least and greatest ticks that are given; a lane without laser has none.
    least: Row<u16>,
    greatest: u16,
    /// Cosine of the elevation times cosine and sine of the rotational correction.
    cos_cos: Row<f64>,
    cos_sin: Row<f64>,
    /// Horizontal offset times the same.
    offset_cos: Row<f64>,
    offset_sin: Row<f64>,
    /// What is to be taken off the horizontal distance, times the same; all zero but for two profiles.
    lean_cos: Row<f64>,
    lean_sin: Row<f64>,
    sin_elevation: Row<f64>,
    height: Row<f64>,
    correction: Row<f64>,
    near_x: Row<f64>,
    near_y: Row<f64>,
    near: Near,
    focal: Option<Box<Focal>>,
    axes: Axes,
}

/// Where the two-point correction applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    Never,
    /// Below the far point; z takes the mean.
    Below,
    /// Everywhere; z takes that of y.
    Always,
}

#[derive(Debug, Clone)]
struct Focal {
    slope: Row<f32>,
    offset: Row<f32>,
    min: Row<f32>,
    max: Row<f32>,
}

/// Metres at which the manufacturer measures the corrections.
const FAR: f64 = 25.04;
const NEAR_X: f64 = 2.40;
const NEAR_Y: f64 = 1.93;

impl Tables {
    pub(crate) fn new(model: Model, calibration: &Calibration, options: Options) -> Self {
        let all = calibration.rings();
        let banks = model.lasers().div_ceil(RETURNS).max(1);
        let mut tables = Self { banks: Vec::with_capacity(banks), rings: Vec::with_capacity(banks) };
        for bank in 0..banks {
            let mut rings = [0; RETURNS];
            let table = BankTable::new(model, calibration, options, bank);
            for (lane, ring) in rings.iter_mut().enumerate() {
                *ring = all.get(laser_of(model, bank, lane)).copied().unwrap_or(0);
            }
            tables.banks.push(table);
            tables.rings.push(rings);
        }
        tables
    }

    /// The lasers of a block; `None` for a block that this sensor cannot have sent.
    pub(crate) fn bank(&self, block: Block<'_>) -> Option<&BankTable> {
        self.banks.get(block.bank()?.first_laser().wrapping_div(RETURNS))
    }

    pub(crate) fn ring(&self, block: Block<'_>) -> &Row<u16> {
        const NONE: Row<u16> = [0; RETURNS];
        let bank = block.bank().map_or(0, |bank: Bank| bank.first_laser().wrapping_div(RETURNS));
        self.rings.get(bank).unwrap_or(&NONE)
    }
}

/// The laser of a lane: sensors with 16 fire twice in a block.
fn laser_of(model: Model, bank: usize, lane: usize) -> usize {
    if model.lasers() == 16 { lane & 15 } else { bank.wrapping_mul(RETURNS).wrapping_add(lane) }
}

impl BankTable {
    #[expect(clippy::indexing_slicing, reason = "lanes run to the length of the rows")]
    fn new(model: Model, calibration: &Calibration, options: Options, bank: usize) -> Self {
        let resolution = calibration.distance_resolution;
        let zero = [0.0; RETURNS];
        let (lean, near) = match options.profile {
            Profile::VeloView => (false, Near::Never),
            Profile::TwoPoint | Profile::VelodyneDecoder => (false, Near::Below),
            Profile::Simple5 => (true, Near::Never),
            Profile::Ros => (true, Near::Always),
        };
        let mut table = Self {
            resolution,
            least: [u16::MAX; RETURNS],
            greatest: ticks((f64::from(options.max_range) / resolution).floor()),
            cos_cos: zero,
            cos_sin: zero,
            offset_cos: zero,
            offset_sin: zero,
            lean_cos: zero,
            lean_sin: zero,
            sin_elevation: zero,
            height: zero,
            correction: zero,
            near_x: zero,
            near_y: zero,
            near: Near::Never,
            focal: None,
            axes: options.axes,
        };
        let mut focal = Focal {
            slope: [0.0; RETURNS],
            offset: [0.0; RETURNS],
            min: [0.0; RETURNS],
            max: [255.0; RETURNS],
        };
        let mut corrects = false;
        for lane in 0..RETURNS {
            let Some(laser) = calibration.lasers.get(laser_of(model, bank, lane)) else { continue };
            table.least[lane] = ticks((f64::from(options.min_range) / resolution).ceil()).max(1);
            let (sin, cos) = laser.vert_correction.sin_cos();
            let (rot_sin, rot_cos) = laser.rot_correction.sin_cos();
            table.cos_cos[lane] = cos * rot_cos;
            table.cos_sin[lane] = cos * rot_sin;
            table.offset_cos[lane] = laser.horiz_offset * rot_cos;
            table.offset_sin[lane] = laser.horiz_offset * rot_sin;
            table.sin_elevation[lane] = sin;
            table.height[lane] = laser.vert_offset;
            if lean {
                table.height[lane] *= cos;
                table.lean_cos[lane] = laser.vert_offset * sin * rot_cos;
                table.lean_sin[lane] = laser.vert_offset * sin * rot_sin;
            }
            table.correction[lane] = laser.dist_correction;
            (table.near_x[lane], table.near_y[lane]) = (laser.dist_correction, laser.dist_correction);
            // Some files say that there are corrections for near points and have zeros for them.
            if laser.dist_correction_x != 0.0 && laser.dist_correction_y != 0.0 {
                (table.near_x[lane], table.near_y[lane]) = (laser.dist_correction_x, laser.dist_correction_y);
                table.near = near;
            }
            // The manufacturer's formula counts in centimetres.
            let focus = 1.0 - laser.focal_distance * 100.0 / 13_100.0;
            focal.slope[lane] = narrow(laser.focal_slope * 256.0);
            focal.offset[lane] = narrow(focus * focus);
            focal.min[lane] = narrow(laser.min_intensity);
            focal.max[lane] = narrow(laser.max_intensity);
            corrects |= laser.focal_slope != 0.0 || laser.min_intensity > 0.0 || laser.max_intensity < 255.0;
        }
        table.focal = (corrects && options.correct_intensity).then(|| Box::new(focal));
        table
    }
}

/// The points of a block, kept or not.
#[derive(Debug, Clone)]
pub(crate) struct Lanes {
    ticks: Row<u16>,
    keep: Row<bool>,
    sin: Row<f64>,
    cos: Row<f64>,
    x: Row<f32>,
    y: Row<f32>,
    z: Row<f32>,
    intensity: Row<f32>,
    nanos: Row<u32>,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            ticks: [0; RETURNS],
            keep: [false; RETURNS],
            sin: [0.0; RETURNS],
            cos: [0.0; RETURNS],
            x: [0.0; RETURNS],
            y: [0.0; RETURNS],
            z: [0.0; RETURNS],
            intensity: [0.0; RETURNS],
            nanos: [0; RETURNS],
        }
    }
}

impl Lanes {
    /// Computes all lanes of a block, also those that are not kept: a branch for each would cost more.
    #[inline]
    pub(crate) fn compute(
        &mut self,
        bank: &BankTable,
        block: Block<'_>,
        turned: Option<&Row<f32>>,
        nanos: &Row<u32>,
    ) {
        self.compute_at(bank, block, block.rotation(), turned, nanos);
    }

    pub(crate) fn compute_at(
        &mut self,
        bank: &BankTable,
        block: Block<'_>,
        rotation: u16,
        turned: Option<&Row<f32>>,
        nanos: &Row<u32>,
    ) {
        let rotation = rotation % ROTATION_STEPS;
        self.nanos = *nanos;
        self.unpack(bank, block);
        match turned {
            Some(turned) => self.turn(rotation, turned),
            None => {
                let [sin, cos] = turn_of(usize::from(rotation));
                (self.sin, self.cos) = ([sin; RETURNS], [cos; RETURNS]);
            }
        }
        if bank.near == Near::Never {
            self.one_point(bank)
        } else {
            self.two_points(bank)
        }
        if let Some(focal) = &bank.focal {
            self.focus(focal);
        }
        if bank.axes == Axes::Ros {
            for (x, y) in self.x.iter_mut().zip(&mut self.y) {
                (*x, *y) = (*y, -*x);
            }
        }
    }

    #[inline]
    fn unpack(&mut self, bank: &BankTable, block: Block<'_>) {
        let lanes = self.ticks.iter_mut().zip(&mut self.intensity).zip(&mut self.keep).zip(&bank.least);
        for ((((ticks, intensity), keep), least), &[low, high, value]) in lanes.zip(block.raw_returns()) {
            *ticks = u16::from_le_bytes([low, high]);
            *intensity = f32::from(value);
            *keep = *ticks >= *least && *ticks <= bank.greatest;
        }
    }

    /// Rotations rounded to the sensor's steps, as every decoder of these packets does.
    #[inline]
    fn turn(&mut self, rotation: u16, turned: &Row<f32>) {
        /// Adding it leaves the whole part in the lowest bits.
        const WHOLE: f64 = 4_503_599_627_370_496.0;
        let steps = u32::from(ROTATION_STEPS);
        let start = f32::from(rotation);
        let mut index = [0_u32; RETURNS];
        for (index, turned) in index.iter_mut().zip(turned) {
            // Halves go up: single precision has steps of 1/256 here at the finest, so that 1/1000 moves nothing else.
            let azimuth = f64::from(start + turned + 36_000.0) + 0.001;
            #[expect(clippy::cast_possible_truncation, reason = "the lowest bits are what is wanted")]
            let whole = ((azimuth + WHOLE).to_bits() as u32).wrapping_sub(steps);
            let once = whole.min(whole.wrapping_sub(steps));
            *index = once.min(once.wrapping_sub(steps));
        }
        for ((sin, cos), index) in self.sin.iter_mut().zip(&mut self.cos).zip(index) {
            [*sin, *cos] = turn_of(index as usize);
        }
    }

    #[inline]
    #[expect(
        clippy::indexing_slicing,
        clippy::needless_range_loop,
        reason = "rows of one length: this becomes vectors"
    )]
    fn one_point(&mut self, bank: &BankTable) {
        for i in 0..RETURNS {
            let distance = f64::from(self.ticks[i]) * bank.resolution + bank.correction[i];
            let (sin, cos) = (self.sin[i], self.cos[i]);
            // The horizontal distance along each axis, of which the rotational correction is already part.
            let along = distance * bank.cos_cos[i] - bank.lean_cos[i];
            let across = distance * bank.cos_sin[i] - bank.lean_sin[i];
            let (offset_cos, offset_sin) = (bank.offset_cos[i], bank.offset_sin[i]);
            let x = sin * (along - offset_sin) - cos * (across + offset_cos);
            let y = cos * (along - offset_sin) + sin * (across + offset_cos);
            let z = distance * bank.sin_elevation[i] + bank.height[i];
            (self.x[i], self.y[i], self.z[i]) = (narrow(x), narrow(y), narrow(z));
        }
    }

    #[inline]
    #[expect(
        clippy::indexing_slicing,
        clippy::needless_range_loop,
        reason = "rows of one length: this becomes vectors"
    )]
    fn two_points(&mut self, bank: &BankTable) {
        let everywhere = bank.near == Near::Always;
        for i in 0..RETURNS {
            let measured = f64::from(self.ticks[i]) * bank.resolution;
            let (sin, cos) = (self.sin[i], self.cos[i]);
            let (offset_cos, offset_sin) = (bank.offset_cos[i], bank.offset_sin[i]);
            let far = bank.correction[i];
            let place = |distance: f64| {
                let along = distance * bank.cos_cos[i] - bank.lean_cos[i] - offset_sin;
                let across = distance * bank.cos_sin[i] - bank.lean_sin[i] + offset_cos;
                (sin * along - cos * across, cos * along + sin * across)
            };
            // How far out the point lies decides how much of each correction it gets; of the two formulas one leaves the
            // offset of the laser out of that.
            let (reach_x, reach_y) = if everywhere {
                place(measured + far)
            } else {
                let (along, across) =
                    ((measured + far) * bank.cos_cos[i], (measured + far) * bank.cos_sin[i]);
                (sin * along - cos * across, cos * along + sin * across)
            };
            let near_x = bank.near_x[i] + (far - bank.near_x[i]) * (reach_x.abs() - NEAR_X) / (FAR - NEAR_X);
            let near_y = bank.near_y[i] + (far - bank.near_y[i]) * (reach_y.abs() - NEAR_Y) / (FAR - NEAR_Y);
            let applies = everywhere || measured < FAR;
            let (correct_x, correct_y) = if applies { (near_x, near_y) } else { (far, far) };
            let correct_z = if everywhere { correct_y } else { f64::midpoint(correct_x, correct_y) };
            self.x[i] = narrow(place(measured + correct_x).0);
            self.y[i] = narrow(place(measured + correct_y).1);
            self.z[i] = narrow((measured + correct_z) * bank.sin_elevation[i] + bank.height[i]);
        }
    }

    #[inline]
    #[expect(
        clippy::indexing_slicing,
        clippy::needless_range_loop,
        reason = "rows of one length: this becomes vectors"
    )]
    fn focus(&mut self, focal: &Focal) {
        for i in 0..RETURNS {
            let range = 1.0 - f32::from(self.ticks[i]) / 65_535.0;
            let value = self.intensity[i] + focal.slope[i] * (focal.offset[i] - range * range).abs();
            self.intensity[i] = value.max(focal.min[i]).min(focal.max[i]);
        }
    }

    /// Appends the lanes that are kept.
    #[inline]
    pub(crate) fn append(&self, number: u8, rings: &Row<u16>, time: i64, points: &mut Points) {
        let base = points.base(time);
        if self.keep == [true; RETURNS] {
            points.x.extend_from_slice(&self.x);
            points.y.extend_from_slice(&self.y);
            points.z.extend_from_slice(&self.z);
            points.intensity.extend_from_slice(&self.intensity);
            points.ring.extend_from_slice(rings);
            points.time_offset.extend(self.nanos.iter().map(|nanos| base.wrapping_add(*nanos)));
            points.return_number.extend_from_slice(&[number; RETURNS]);
            return;
        }
        let mut kept = [0_u8; RETURNS];
        let mut n = 0_usize;
        for (lane, keep) in (0_u8..).zip(self.keep) {
            if let Some(slot) = kept.get_mut(n) {
                *slot = lane;
            }
            n = n.wrapping_add(usize::from(keep));
        }
        let kept = kept.get(..n).unwrap_or(&kept);
        fn pick<T: Copy>(row: &Row<T>, lane: u8) -> T {
            let [first, ..] = row;
            *row.get(usize::from(lane & 31)).unwrap_or(first)
        }
        points.x.extend(kept.iter().map(|lane| pick(&self.x, *lane)));
        points.y.extend(kept.iter().map(|lane| pick(&self.y, *lane)));
        points.z.extend(kept.iter().map(|lane| pick(&self.z, *lane)));
        points.intensity.extend(kept.iter().map(|lane| pick(&self.intensity, *lane)));
        points.ring.extend(kept.iter().map(|lane| pick(rings, *lane)));
        points.time_offset.extend(kept.iter().map(|lane| base.wrapping_add(pick(&self.nanos, *lane))));
        points.return_number.extend(kept.iter().map(|_| number));
    }

    /// Appends the two returns of each shot side by side, one where both are the same.
    pub(crate) fn append_merged(
        last: &mut Self,
        strongest: &mut Self,
        rings: &Row<u16>,
        time: i64,
        points: &mut Points,
    ) {
        let base = points.base(time);
        for (lane, ring) in rings.iter().enumerate() {
            let same = last.ticks.get(lane) == strongest.ticks.get(lane);
            for (lanes, number) in [(&*last, 2), (&*strongest, 1)] {
                if number == 2 && same || lanes.keep.get(lane) != Some(&true) {
                    continue;
                }
                let at = |row: &Row<f32>| row.get(lane).copied().unwrap_or(0.0);
                points.x.push(at(&lanes.x));
                points.y.push(at(&lanes.y));
                points.z.push(at(&lanes.z));
                points.intensity.push(at(&lanes.intensity));
                points.ring.push(*ring);
                points.time_offset.push(base.wrapping_add(lanes.nanos.get(lane).copied().unwrap_or(0)));
                points.return_number.push(number);
            }
        }
    }
}

#[inline]
fn turn_of(index: usize) -> [f64; 2] {
    TURN.get(index).copied().unwrap_or([0.0, 1.0])
}

#[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as it should")]
fn ticks(value: f64) -> u16 {
    value as u16
}
