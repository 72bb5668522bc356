//! The published constants and models that a recording obeys.

use robolog_core::slices::{InRange as _, Part as _};

use super::{
    Fit, Linear, Model, Moments, Published, Reckoner, Sign, Signal, SteeringAt, Variant, VelocityAt,
};
use crate::table::{Acc, DeadReckoned, Direction, Gyro, Motor, Steering, Wheels};

/// Interpretation of the 16 bits of a raw value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RawReading {
    /// Unsigned, as in the file.
    #[default]
    AsWritten,
    /// Signed: 65536 less from 32768 on.
    Signed,
}

/// Whether a published constant holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Verdict {
    /// It reproduces the file's values to their last digits.
    Holds,
    /// The fitted constants are within one part in a hundred: it is a rounded form of those in use.
    Near,
    /// It does not hold.
    #[default]
    Fails,
    /// The raw value never changes, as while the vehicle stands still, and the constant agrees with its one value, as
    /// any slope would.
    CannotTell,
}

/// Residuals of a published constant.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidate {
    /// The constant.
    pub published: Published,
    /// Root mean square of its residuals, in the unit of the signal.
    pub rms: f64,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Results for one signal.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SignalReport {
    /// The signal.
    pub signal: Signal,
    /// Number of rows.
    pub rows: u64,
    /// The fitted `k` and offset; `None` if the raw value never changes.
    pub fitted: Option<Linear>,
    /// Root mean square of the fit's residuals.
    pub rms: Option<f64>,
    /// Interpretation of the raw value.
    pub reading: RawReading,
    /// The published constants, the best one first.
    pub candidates: Vec<Candidate>,
}

impl SignalReport {
    /// The published constants that hold; more than one if the data do not decide.
    pub fn holding(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|c| c.verdict == Verdict::Holds)
    }
}

/// Collects raw and converted columns, in one pass and constant memory.
#[derive(Debug, Clone, Default)]
pub struct Calibration {
    moments: [[Moments; 2]; Signal::ALL.len()],
}

impl Calibration {
    /// Adds a pair of a signal.
    pub fn push(&mut self, signal: Signal, raw: i64, value: f64) {
        #[expect(clippy::cast_precision_loss, reason = "raw values have 16 bits, counters 32")]
        let of = |raw: i64| raw as f64;
        let signed = if (32_768..65_536).contains(&raw) { raw.minus(65_536) } else { raw };
        let place = Signal::ALL.iter().position(|s| *s == signal).unwrap_or_default();
        if let Some([as_written, as_signed]) = self.moments.get_mut(place) {
            as_written.push(of(raw), value);
            as_signed.push(of(signed), value);
        }
    }

    /// Adds a row of `_Motor.txt`.
    pub fn motor(&mut self, row: &Motor) {
        self.push(Signal::Velocity, row.raw_speed, row.velocity);
        self.push(Signal::Distance, row.raw_odom, row.distance);
    }

    /// Adds a row of `_Steering.txt`.
    pub fn steering(&mut self, row: &Steering) {
        self.push(Signal::Steering, row.raw_angle, row.angle);
    }

    /// Adds a row of `_Wheels.txt`.
    pub fn wheels(&mut self, row: &Wheels) {
        self.push(Signal::SpeedRight, row.raw_speed_right, row.speed_right);
        self.push(Signal::SpeedLeft, row.raw_speed_left, row.speed_left);
        self.push(Signal::DistanceRight, row.raw_odo_right, row.distance_right);
        self.push(Signal::DistanceLeft, row.raw_odo_left, row.distance_left);
    }

    /// Adds a row of `_Acc.txt`.
    pub fn acc(&mut self, row: &Acc) {
        self.push(Signal::Acc1, row.raw1, row.acc1);
        self.push(Signal::Acc2, row.raw2, row.acc2);
        self.push(Signal::Acc3, row.raw3, row.acc3);
    }

    /// Adds a row of `_Gyro.txt`.
    pub fn gyro(&mut self, row: &Gyro) {
        self.push(Signal::Wz, row.raw_wz, row.wz);
        self.push(Signal::Temperature, row.raw_temperature, row.temperature);
    }

    /// The result for each signal with rows.
    pub fn report(&self) -> Vec<SignalReport> {
        let signals = Signal::ALL.iter().zip(&self.moments);
        signals.filter(|(_, m)| m.iter().any(|m| m.count() > 0)).map(|(s, m)| report(*s, m)).collect()
    }
}

/// Half the range of 16 bits.
const MIDDLE: f64 = 32_768.0;

fn report(signal: Signal, [as_written, as_signed]: &[Moments; 2]) -> SignalReport {
    let rms = |fit: &Option<Fit>| fit.map_or(f64::INFINITY, |fit| fit.rms);
    let (plain, signed) = (as_written.fit(), as_signed.fit());
    let close = tolerance(as_written);
    // The other interpretation is used only if it fits better.
    let better = rms(&signed) + close < rms(&plain);
    let (reading, fit) = if better { (RawReading::Signed, signed) } else { (RawReading::AsWritten, plain) };
    let moments = if better { as_signed } else { as_written };
    let mut candidates: Vec<Candidate> = signal
        .published()
        .map(|published| candidate(published, [as_written, as_signed], fit, better))
        .collect();
    candidates.sort_by(|a, b| a.rms.total_cmp(&b.rms));
    SignalReport {
        signal,
        rows: moments.count(),
        fitted: fit.map(|fit| Linear { k: 1.0 / fit.slope, offset: Some(fit.intercept) }),
        rms: fit.map(|fit| fit.rms),
        reading,
        candidates,
    }
}

/// Error from printing six digits, and from the sums.
fn tolerance(moments: &Moments) -> f64 {
    1e-6 * moments.largest() + 1e-9
}

fn candidate(
    published: &'static Published,
    [as_written, as_signed]: [&Moments; 2],
    fit: Option<Fit>,
    signed_fit: bool,
) -> Candidate {
    let Linear { k, offset } = published.linear;
    let slope = 1.0 / k;
    let all = [(false, as_written, offset), (true, as_signed, offset)];
    let centred = [(false, as_written, offset.map(|o| o - MIDDLE / k)), (true, as_signed, offset)];
    let is_acc = matches!(published.signal, Signal::Acc1 | Signal::Acc2 | Signal::Acc3);
    let readings: &[(bool, &Moments, Option<f64>)] = match published.centred {
        // From the middle of the 16 bits, or signed: both are centred.
        true => &centred,
        false if is_acc => all.part_or_empty(..1),
        false => &all,
    };
    let rms = readings.iter().map(|(_, moments, at)| moments.rms(slope, *at)).fold(f64::INFINITY, f64::min);
    let near = |got: f64, want: f64, scale: f64| (got - want).abs() <= 0.01 * scale.abs();
    let is_near = fit.is_some_and(|fit| {
        near(fit.slope, slope, slope)
            && readings.iter().filter(|(signed, ..)| *signed == signed_fit).all(|(_, moments, at)| {
                at.is_none_or(|at| near(fit.intercept, at, at.abs().max(moments.largest())))
            })
    });
    let verdict = match fit {
        Some(_) if rms <= tolerance(as_written) => Verdict::Holds,
        // Any slope fits a raw value that never changes.
        None if rms <= tolerance(as_written) => Verdict::CannotTell,
        Some(_) if is_near => Verdict::Near,
        _ => Verdict::Fails,
    };
    Candidate { published: *published, rms, verdict }
}

/// Distance of one variant of dead reckoning from the poses in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Residual {
    /// The variant.
    pub variant: Variant,
    /// Root mean square of the distance, metres.
    pub rms_m: f64,
    /// The largest distance, metres.
    pub max_m: f64,
    /// The distance at the last pose, metres.
    pub final_m: f64,
    /// Root mean square of the difference in heading, radians.
    pub rms_rad: f64,
}

/// Results for one file of poses.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reckoning {
    /// The quantity its poses are integrated from.
    pub model: Model,
    /// Wheelbase, metres.
    pub wheelbase: f64,
    /// Number of poses compared.
    pub poses: u64,
    /// Metres from the first pose to the farthest; 0 decides for no variant.
    pub extent_m: f64,
    /// Readings at which the distance jumps by more than ten metres, as when a counter restarts: no step is taken
    /// there.
    pub jumps: u64,
    /// All variants, the nearest first.
    pub residuals: Vec<Residual>,
}

impl Reckoning {
    /// The nearest variant; `None` if the vehicle did not move, so that all are equal.
    pub fn best(&self) -> Option<&Residual> {
        self.residuals.first().filter(|_| self.extent_m > 0.0)
    }
}

/// A running variant and its sums.
struct Runner {
    reckoner: Reckoner,
    square_m: f64,
    square_rad: f64,
    max_m: f64,
    final_m: f64,
}

/// Maximum plausible distance between two readings, metres.
const JUMP: f64 = 10.0;

/// Runs every variant over the readings and compares each with the poses. All three are in order of time; rows out of
/// order are skipped. Constant memory.
///
/// All variants start at the first pose with a reading of the motor at or before it.
pub fn compare(
    model: Model,
    wheelbase: f64,
    motor: impl IntoIterator<Item = Motor>,
    steering: impl IntoIterator<Item = Steering>,
    poses: impl IntoIterator<Item = DeadReckoned>,
) -> Reckoning {
    let mut runners: Vec<Runner> = Variant::all(model)
        .into_iter()
        .map(|variant| Runner {
            reckoner: Reckoner::new(variant, wheelbase),
            square_m: 0.0,
            square_rad: 0.0,
            max_m: 0.0,
            final_m: 0.0,
        })
        .collect();
    let mut steering = steering.into_iter().peekable();
    let mut motor = motor.into_iter().peekable();
    let (mut angle, mut last): (Option<Steering>, Option<Motor>) = (None, None);
    let (mut count, mut extent_m, mut jumps) = (0_u64, 0.0_f64, 0_u64);
    let mut origin: Option<DeadReckoned> = None;
    for pose in poses {
        while let Some(reading) = motor.next_if(|m| m.rtime <= pose.rtime) {
            while let Some(next) = steering.next_if(|s| s.rtime <= reading.rtime) {
                angle = Some(next);
            }
            if last.is_some_and(|last| reading.rtime <= last.rtime) {
                continue;
            }
            let between = angles(angle, steering.peek(), reading.rtime);
            if let Some(last) = last.replace(reading)
                && origin.is_some()
            {
                let jumped = (reading.distance - last.distance).abs() > JUMP;
                jumps = jumps.plus(u64::from(jumped && model == Model::Distance));
                for runner in &mut runners {
                    let variant = runner.reckoner.variant();
                    let [latest, interpolated] = between;
                    let steer = if variant.steering == SteeringAt::Latest { latest } else { interpolated };
                    runner.reckoner.advance(step(variant, &last, &reading), steer);
                }
            }
        }
        if last.is_none() {
            continue;
        }
        let from = origin.get_or_insert_with(|| {
            for runner in &mut runners {
                runner.reckoner.set_pose(pose);
            }
            pose
        });
        count = count.plus(1);
        extent_m = extent_m.max((pose.x - from.x).hypot(pose.y - from.y));
        for runner in &mut runners {
            runner.look(&pose);
        }
    }
    let mut residuals: Vec<Residual> = runners.iter().map(|runner| runner.residual(count)).collect();
    residuals.sort_by(|a, b| (a.rms_m + a.rms_rad).total_cmp(&(b.rms_m + b.rms_rad)));
    Reckoning { model, wheelbase, poses: count, extent_m, jumps, residuals }
}

/// The steering angle at `rtime`: the latest, and interpolated between the neighbours.
fn angles(latest: Option<Steering>, next: Option<&Steering>, rtime: i64) -> [f64; 2] {
    let Some(latest) = latest else {
        let ahead = next.map_or(0.0, |next| next.angle);
        return [ahead; 2];
    };
    let Some(next) = next else { return [latest.angle; 2] };
    let span = seconds(next.rtime.saturating_sub(latest.rtime));
    let part = if span > 0.0 { seconds(rtime.saturating_sub(latest.rtime)) / span } else { 0.0 };
    [latest.angle, latest.angle + part * (next.angle - latest.angle)]
}

#[expect(clippy::cast_precision_loss, reason = "differences of neighbours")]
fn seconds(micros: i64) -> f64 {
    micros as f64 * 1e-6
}

/// Metres between two readings, negative backward.
fn step(variant: Variant, last: &Motor, now: &Motor) -> f64 {
    let distance = match variant.model {
        Model::Velocity => {
            let velocity = if variant.velocity == VelocityAt::End { now.velocity } else { last.velocity };
            velocity * seconds(now.rtime.saturating_sub(last.rtime))
        }
        Model::Distance => now.distance - last.distance,
    };
    if !distance.is_finite() || (variant.model == Model::Distance && distance.abs() > JUMP) {
        return 0.0;
    }
    let at = if variant.velocity == VelocityAt::End { now } else { last };
    let backward = variant.sign == Sign::FromDirection && at.direction() == Some(Direction::Backward);
    if backward { -distance.abs() } else { distance }
}

impl Runner {
    fn look(&mut self, pose: &DeadReckoned) {
        let own = self.reckoner.pose();
        let apart = (own.x - pose.x).hypot(own.y - pose.y);
        let (sin, cos) = (own.theta - pose.theta).sin_cos();
        let turned = sin.atan2(cos);
        self.square_m += apart * apart;
        self.square_rad += turned * turned;
        self.max_m = self.max_m.max(apart);
        self.final_m = apart;
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of poses")]
    fn residual(&self, count: u64) -> Residual {
        let n = count.max(1) as f64;
        Residual {
            variant: self.reckoner.variant(),
            rms_m: (self.square_m / n).sqrt(),
            max_m: self.max_m,
            final_m: self.final_m,
            rms_rad: (self.square_rad / n).sqrt(),
        }
    }
}
