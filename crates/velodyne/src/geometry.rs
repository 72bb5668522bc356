//! Converts ticks to coordinates, 32 lasers at a time.

mod append;

pub(crate) use self::append::{Numbers, number};

use robolog_core::slices::value_at;

use crate::{
    Axes, Block, Calibration, Model, Options, Profile,
    packet::{RETURNS, ROTATION_STEPS},
    timing::{TURN, TURN_PEER, TURN_SINGLE},
};

pub(crate) type Row<T> = [T; RETURNS];

/// The laser data used by the formulas, in columns.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    banks: Vec<BankTable>,
    rings: Vec<Row<u16>>,
}

/// The lasers of a bank.
#[derive(Debug, Clone)]
pub(crate) struct BankTable {
    resolution: f64,
    /// Minimum and maximum ticks of a valid return; a lane without a laser accepts none.
    least: Row<u16>,
    greatest: Row<u16>,
    /// Cosine of the elevation times cosine and sine of the rotational correction.
    cos_cos: Row<f64>,
    cos_sin: Row<f64>,
    /// Offsets subtracted along and across the beam's heading, multiplied by the same: the horizontal offset, and in
    /// two profiles part of the vertical one.
    off_along: Row<f64>,
    off_across: Row<f64>,
    sin_elevation: Row<f64>,
    height: Row<f64>,
    correction: Row<f64>,
    /// Correction at zero distance along each axis, and its increase per metre.
    near_x: Row<f64>,
    near_y: Row<f64>,
    slope_x: Row<f64>,
    slope_y: Row<f64>,
    near: Near,
    /// For sensors without offsets and corrections, in single precision.
    plain: Option<Box<Plain>>,
    focal: Option<Box<Focal>>,
    axes: Axes,
}

/// Where the two-point correction applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    Never,
    /// Below the far point; z uses the mean.
    Below,
    /// Everywhere; z uses that of y.
    Always,
}

#[derive(Debug, Clone)]
struct Plain {
    number: usize,
    resolution: f32,
    cos_cos: Row<f32>,
    cos_sin: Row<f32>,
    sin_elevation: Row<f32>,
    height: Row<f32>,
}

#[derive(Debug, Clone)]
struct Focal {
    slope: Row<f32>,
    offset: Row<f32>,
    min: Row<f32>,
    max: Row<f32>,
}

/// Distance in metres at which the manufacturer measures the corrections.
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

    /// The lasers of a block and their rings; `None` for a block that this sensor cannot have sent.
    pub(crate) fn bank(&self, block: Block<'_>) -> Option<(&BankTable, &Row<u16>)> {
        let bank = block.bank()?.first_laser().wrapping_div(RETURNS);
        Some((self.banks.get(bank)?, self.rings.get(bank)?))
    }
}

/// The laser of a lane: sensors with 16 lasers fire twice per block.
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
            greatest: [0; RETURNS],
            cos_cos: zero,
            cos_sin: zero,
            off_along: zero,
            off_across: zero,
            sin_elevation: zero,
            height: zero,
            correction: zero,
            near_x: zero,
            near_y: zero,
            slope_x: zero,
            slope_y: zero,
            near: Near::Never,
            plain: None,
            focal: None,
            axes: options.axes,
        };
        let mut focal = Focal {
            slope: [0.0; RETURNS],
            offset: [0.0; RETURNS],
            min: [0.0; RETURNS],
            max: [255.0; RETURNS],
        };
        let (mut corrects, mut offset) = (false, false);
        for lane in 0..RETURNS {
            let Some(laser) = calibration.lasers.get(laser_of(model, bank, lane)) else { continue };
            let limit = |metres: f32| (f64::from(metres) - laser.dist_correction) / resolution;
            table.least[lane] = ticks(limit(options.min_range).ceil()).max(1);
            table.greatest[lane] = ticks(limit(options.max_range).floor());
            let (sin, cos) = laser.vert_correction.sin_cos();
            let (rot_sin, rot_cos) = laser.rot_correction.sin_cos();
            table.cos_cos[lane] = cos * rot_cos;
            table.cos_sin[lane] = cos * rot_sin;
            table.off_along[lane] = laser.horiz_offset * rot_sin;
            table.off_across[lane] = -laser.horiz_offset * rot_cos;
            table.sin_elevation[lane] = sin;
            table.height[lane] = laser.vert_offset;
            if lean {
                table.height[lane] *= cos;
                table.off_along[lane] += laser.vert_offset * sin * rot_cos;
                table.off_across[lane] += laser.vert_offset * sin * rot_sin;
            }
            let far = laser.dist_correction;
            table.correction[lane] = far;
            (table.near_x[lane], table.near_y[lane]) = (far, far);
            // Some files claim corrections for near points, but have zeros for them.
            if laser.dist_correction_x != 0.0 && laser.dist_correction_y != 0.0 {
                table.slope_x[lane] = (far - laser.dist_correction_x) / (FAR - NEAR_X);
                table.slope_y[lane] = (far - laser.dist_correction_y) / (FAR - NEAR_Y);
                table.near_x[lane] = laser.dist_correction_x - table.slope_x[lane] * NEAR_X;
                table.near_y[lane] = laser.dist_correction_y - table.slope_y[lane] * NEAR_Y;
                table.near = near;
            }
            offset |= laser.horiz_offset != 0.0 || far != 0.0 || lean;
            // The manufacturer's formula is in centimetres.
            let focus = 1.0 - laser.focal_distance * 100.0 / 13_100.0;
            focal.slope[lane] = narrow(laser.focal_slope * 256.0);
            focal.offset[lane] = narrow(focus * focus);
            focal.min[lane] = narrow(laser.min_intensity);
            focal.max[lane] = narrow(laser.max_intensity);
            corrects |= laser.focal_slope != 0.0 || laser.min_intensity > 0.0 || laser.max_intensity < 255.0;
        }
        // Like that package, rounds each rotation itself, rather than the turn since the block's.
        offset |= options.profile == Profile::VelodyneDecoder;
        table.plain = (!offset && table.near == Near::Never).then(|| {
            Box::new(Plain {
                number: bank,
                resolution: narrow(resolution),
                cos_cos: table.cos_cos.map(narrow),
                cos_sin: table.cos_sin.map(narrow),
                sin_elevation: table.sin_elevation.map(narrow),
                height: table.height.map(narrow),
            })
        });
        table.focal = (corrects && options.correct_intensity).then(|| Box::new(focal));
        table
    }
}

/// Rotation of the head at each shot of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turned<'a> {
    /// Not requested.
    Still,
    /// Hundredths of a degree per second, and seconds since the block's rotation.
    By(f32, &'a Row<f32>),
}

/// The points of a block, kept or not.
#[derive(Debug, Clone)]
pub(crate) struct Lanes {
    ticks: Row<u16>,
    /// 1 or 0.
    keep: Row<u8>,
    x: Row<f32>,
    y: Row<f32>,
    z: Row<f32>,
    intensity: Row<f32>,
    swept: [Swept; 4],
    turn: &'static [[f64; 2]],
    turn_single: &'static [[f32; 2]],
}

impl Lanes {
    /// Buffers for points of this profile.
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            ticks: [0; RETURNS],
            keep: [0; RETURNS],
            x: [0.0; RETURNS],
            y: [0.0; RETURNS],
            z: [0.0; RETURNS],
            intensity: [0.0; RETURNS],
            swept: [Swept::default(); 4],
            turn: if profile == Profile::VelodyneDecoder { &TURN_PEER } else { &TURN },
            turn_single: &TURN_SINGLE,
        }
    }
}

/// The horizontal columns of a [`Plain`], rotated by the turn at each shot: the same for all blocks of a packet.
#[derive(Debug, Clone, Copy, Default)]
struct Swept {
    rate: f32,
    since: f32,
    known: bool,
    cos_cos: Row<f32>,
    cos_sin: Row<f32>,
}

impl Swept {
    #[expect(clippy::float_cmp, reason = "the very same numbers")]
    fn update(&mut self, plain: &Plain, rate: f32, since: &Row<f32>, turn: &[[f32; 2]]) {
        if self.known && self.rate == rate && self.since == since[0] {
            return;
        }
        (self.rate, self.since, self.known) = (rate, since[0], true);
        let angles = indices(0, rate, since).map(|index| angle(turn, index));
        let columns = self.cos_cos.iter_mut().zip(&mut self.cos_sin).zip(&plain.cos_cos).zip(&plain.cos_sin);
        for ((((swept_cos, swept_sin), cos), sin), [turn_sin, turn_cos]) in columns.zip(angles) {
            *swept_cos = cos * turn_cos + sin * turn_sin;
            *swept_sin = sin * turn_cos - cos * turn_sin;
        }
    }
}

impl Lanes {
    /// Computes all lanes of a block with the head at `rotation`, including those not kept, as a branch for each would
    /// cost more.
    pub(crate) fn compute(&mut self, bank: &BankTable, block: Block<'_>, rotation: u16, turned: Turned<'_>) {
        let rotation = rotation % ROTATION_STEPS;
        self.unpack(bank, block);
        let (turn, turn_single) = (self.turn, self.turn_single);
        match (turned, &bank.plain) {
            (Turned::Still, Some(plain)) => {
                let angle = angle(turn_single, u32::from(rotation));
                self.plain(plain, &plain.cos_cos, &plain.cos_sin, |_| angle);
            }
            (Turned::By(rate, since), Some(plain)) => {
                let angle = angle(turn_single, u32::from(rotation));
                if let Some(swept) = self.swept.get_mut(plain.number) {
                    swept.update(plain, rate, since, turn_single);
                    let (cos_cos, cos_sin) = (swept.cos_cos, swept.cos_sin);
                    self.plain(plain, &cos_cos, &cos_sin, |_| angle);
                }
            }
            (Turned::Still, None) => {
                let angle = angle(turn, u32::from(rotation));
                self.exact(bank, |_| angle);
            }
            (Turned::By(rate, since), None) => {
                let angles = indices(rotation, rate, since).map(|index| angle(turn, index));
                self.exact(bank, lane_of(&angles));
            }
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
        let lanes = self.ticks.iter_mut().zip(&mut self.intensity);
        for ((ticks, intensity), one) in lanes.zip(block.returns()) {
            *ticks = one.distance;
            *intensity = f32::from(one.intensity);
        }
        let bounds = bank.least.iter().zip(&bank.greatest);
        for ((keep, ticks), (least, greatest)) in self.keep.iter_mut().zip(&self.ticks).zip(bounds) {
            *keep = u8::from(*ticks >= *least) & u8::from(*ticks <= *greatest);
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "rows of one length: this becomes vectors")]
    fn plain(
        &mut self,
        table: &Plain,
        cos_cos: &Row<f32>,
        cos_sin: &Row<f32>,
        angle: impl Fn(usize) -> [f32; 2],
    ) {
        for i in 0..RETURNS {
            let distance = f32::from(self.ticks[i]) * table.resolution;
            let [sin, cos] = angle(i);
            let (along, across) = (distance * cos_cos[i], distance * cos_sin[i]);
            self.x[i] = sin * along - cos * across;
            self.y[i] = cos * along + sin * across;
            self.z[i] = distance * table.sin_elevation[i] + table.height[i];
        }
    }

    #[inline]
    fn exact(&mut self, bank: &BankTable, angle: impl Fn(usize) -> [f64; 2]) {
        if bank.near == Near::Never { self.one_point(bank, angle) } else { self.two_points(bank, angle) }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "rows of one length: this becomes vectors")]
    fn one_point(&mut self, bank: &BankTable, angle: impl Fn(usize) -> [f64; 2]) {
        for i in 0..RETURNS {
            let distance = f64::from(self.ticks[i]) * bank.resolution + bank.correction[i];
            let [sin, cos] = angle(i);
            // Along and across the beam's heading, which includes the rotational correction.
            let along = distance * bank.cos_cos[i] - bank.off_along[i];
            let across = distance * bank.cos_sin[i] - bank.off_across[i];
            self.x[i] = narrow(sin * along - cos * across);
            self.y[i] = narrow(cos * along + sin * across);
            self.z[i] = narrow(distance * bank.sin_elevation[i] + bank.height[i]);
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "rows of one length: this becomes vectors")]
    fn two_points(&mut self, bank: &BankTable, angle: impl Fn(usize) -> [f64; 2]) {
        let everywhere = bank.near == Near::Always;
        // The near-point formula ignores the offsets in a point's range.
        let share = if everywhere { 1.0 } else { 0.0 };
        for i in 0..RETURNS {
            let measured = f64::from(self.ticks[i]) * bank.resolution;
            let [sin, cos] = angle(i);
            let far = bank.correction[i];
            let (along, across) = ((measured + far) * bank.cos_cos[i], (measured + far) * bank.cos_sin[i]);
            let (reach, aside) = (along - share * bank.off_along[i], across - share * bank.off_across[i]);
            let near_x = bank.near_x[i] + bank.slope_x[i] * (sin * reach - cos * aside).abs();
            let near_y = bank.near_y[i] + bank.slope_y[i] * (cos * reach + sin * aside).abs();
            let applies = everywhere || measured < FAR;
            let more_x = if applies { near_x } else { far };
            let more_y = if applies { near_y } else { far };
            let more_z = if everywhere { more_y } else { (more_x + more_y) * 0.5 };
            let (x, y) = (measured + more_x, measured + more_y);
            let (off_along, off_across) = (bank.off_along[i], bank.off_across[i]);
            self.x[i] =
                narrow(sin * (x * bank.cos_cos[i] - off_along) - cos * (x * bank.cos_sin[i] - off_across));
            self.y[i] =
                narrow(cos * (y * bank.cos_cos[i] - off_along) + sin * (y * bank.cos_sin[i] - off_across));
            self.z[i] = narrow((measured + more_z) * bank.sin_elevation[i] + bank.height[i]);
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "rows of one length: this becomes vectors")]
    fn focus(&mut self, focal: &Focal) {
        for i in 0..RETURNS {
            let range = 1.0 - f32::from(self.ticks[i]) * (1.0 / 65_535.0);
            let value = self.intensity[i] + focal.slope[i] * (focal.offset[i] - range * range).abs();
            // Comparisons instead of `max` and `min`: there are no NaNs here, and these are single instructions.
            let value = if value < focal.min[i] { focal.min[i] } else { value };
            self.intensity[i] = if value > focal.max[i] { focal.max[i] } else { value };
        }
    }
}

/// The rotation at each shot, rounded to the sensor's steps as in every decoder of these packets.
#[inline]
fn indices(rotation: u16, rate: f32, since: &Row<f32>) -> Row<u32> {
    let steps = u32::from(ROTATION_STEPS);
    let start = f32::from(rotation);
    let mut indices = [0; RETURNS];
    for (index, since) in indices.iter_mut().zip(since) {
        // Adds a turn to keep it non-negative; halves round up. All within a hundredth of a step of the exact value.
        let azimuth = start + rate * since + 36_000.0;
        #[expect(clippy::cast_possible_truncation, reason = "less than three turns; `as` saturates")]
        let whole = ((azimuth + 0.5) as i32).cast_unsigned().wrapping_sub(steps);
        let once = whole.min(whole.wrapping_sub(steps));
        *index = once.min(once.wrapping_sub(steps));
    }
    indices
}

/// Sine and cosine of a rotation.
#[inline]
fn angle<T: Copy + Default>(turn: &[[T; 2]], index: u32) -> [T; 2] {
    value_at(turn, index as usize)
}

#[expect(clippy::indexing_slicing, reason = "asked for lanes only")]
fn lane_of<T: Copy>(angles: &Row<[T; 2]>) -> impl Fn(usize) -> [T; 2] {
    |lane| angles[lane]
}

#[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as it should")]
fn ticks(value: f64) -> u16 {
    value as u16
}
