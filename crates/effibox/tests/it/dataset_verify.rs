//! Findings of `verify` in a generated drive, with known constants and a path integrated by other means.

use std::{fmt::Write as _, fs, path::Path};

use effibox::{
    dataset::{Dataset, Verification},
    motion::{Integration, Model, RawReading, Sign, Signal, SteeringAt, Verdict},
};

const CAN: &str = "Bus_InterfaceCan_can0";

/// Constants of a generated drive.
struct Made {
    kspeed: f64,
    metres: f64,
    kangle: f64,
    angle_offset: f64,
    /// Whether Acc raw values are unsigned, or signed.
    signed_acc: bool,
    moves: bool,
}

const ESTIMATED: Made = Made {
    kspeed: 1095.0,
    metres: 0.001_095,
    kangle: 31_060.0,
    angle_offset: -0.004,
    signed_acc: false,
    moves: true,
};

/// A minute at 50 Hz: ahead with turns, a rest, and back. Poses are integrated with Euler steps for the first file and
/// on arcs for the second, by separate formulas: on a circle about the point where the axles meet.
fn drive(made: &Made) -> [(String, String); 7] {
    let mut files: [String; 7] = Default::default();
    let [motor, steering, wheels, acc, gyro, poses, poses2] = &mut files;
    let (mut x, mut y, mut theta) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut cx, mut cy, mut ct) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut odom, mut last) = (0.0_f64, None::<(i64, f64)>);
    let length = 1.21;
    for i in 0..3000_i64 {
        let rtime = 14_816 + i * 20_003;
        let at = i as f64 * 0.02;
        let raw_angle = (9000.0 * (at / 3.0).sin()) as i64;
        let angle = raw_angle as f64 / made.kangle + made.angle_offset;
        let (direction, pace) = match i {
            _ if !made.moves => (0, 0.0),
            0..1800 => (1, 1.5 + 0.3 * (at / 5.0).sin()),
            1800..2000 => (0, 0.0),
            _ => (2, 0.8),
        };
        let raw_speed = (pace * made.kspeed).round() as i64;
        let velocity = raw_speed as f64 / made.kspeed;
        let sign = if direction == 2 { -1.0 } else { 1.0 };
        odom += sign * (pace * 0.02 / made.metres).round();
        let distance = odom * made.metres;
        if let Some((before, distance_before)) = last {
            let dt = (rtime - before) as f64 * 1e-6;
            let v = sign * velocity;
            // With Euler steps.
            (x, y) = (x + v * dt * theta.cos(), y + v * dt * theta.sin());
            theta += v * dt * angle.tan() / length;
            // About the centre of the circle, left of the rear axle.
            let moved = distance - distance_before;
            let radius = length / angle.tan();
            let (mx, my) = (cx - radius * ct.sin(), cy + radius * ct.cos());
            ct += moved / radius;
            (cx, cy) = (mx + radius * ct.sin(), my - radius * ct.cos());
        }
        last = Some((rtime, distance));
        writeln!(
            motor,
            "{rtime} 20003 {velocity} {distance} {direction} {raw_speed} {}",
            odom as i64 + 40_000
        )
        .unwrap();
        writeln!(steering, "{rtime} {angle} {raw_angle}").unwrap();
        let wheel = (pace * 1000.0).round();
        let turned = i * 3;
        let metres = turned as f64 * (std::f64::consts::PI * 0.49 / 128.0);
        writeln!(
            wheels,
            "{rtime} 20003 {} {metres} 20003 {} {metres} {wheel} {turned} {wheel} {turned}",
            wheel / 245.0,
            wheel / 200.0
        )
        .unwrap();
        let counts = (3000.0 * (at * 1.7).sin()) as i64;
        let raw = |counts: i64| if made.signed_acc { counts.rem_euclid(65_536) } else { counts + 32_768 };
        let value = |counts: i64, k: f64, offset: f64| counts as f64 / k + offset;
        let [a1, a2, a3] = [
            value(counts, 1610.0, 0.935),
            value(counts / 2, 1622.4, -0.767),
            value(counts + 9, 1610.6, 1.876),
        ];
        let [r1, r2, r3] = [counts, counts / 2, counts + 9].map(raw);
        writeln!(acc, "{rtime} {a1} {a2} {a3} {a1} {a2} {a3} {r1} {r2} {r3}").unwrap();
        let raw_wz = 32_768 + counts;
        let wz = (raw_wz as f64 * 187.5 / 65_536.0 - 93.75).to_radians();
        writeln!(gyro, "{rtime} {wz:.9} {} {raw_wz} {}", 33_000.0 / 131.072 - 225.0, 33_000).unwrap();
        writeln!(poses, "{rtime} {x} {y} {theta}").unwrap();
        writeln!(poses2, "{rtime} {cx} {cy} {ct}").unwrap();
    }
    let names = ["Motor", "Steering", "Wheels", "Acc", "Gyro", "DeadReckoned_Poses", "DeadReckoned_Poses2"];
    let mut all = names.map(|name| (format!("{CAN}_{name}.txt"), String::new()));
    for (slot, text) in all.iter_mut().zip(files) {
        slot.1 = text;
    }
    all
}

fn verify(at: &Path, made: &Made) -> Verification {
    for (name, text) in drive(made) {
        fs::write(at.join(name), text).unwrap();
    }
    let mut found = Dataset::open(at).unwrap().verify().unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn constants_that_hold_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let found = verify(dir.path(), &ESTIMATED);
    assert_eq!((found.interface.as_str(), found.odd_rows), (CAN, 0));
    let of = |signal| found.signals.iter().find(|s| s.signal == signal).unwrap();
    let holding = |signal| of(signal).holding().map(|c| c.published.source).collect::<Vec<_>>();
    assert_eq!(holding(Signal::Velocity), ["estimated"]);
    assert_eq!(holding(Signal::Distance), ["calibrated, 1.095 mm a count"]);
    assert_eq!(holding(Signal::Steering), ["estimated"]);
    assert_eq!(holding(Signal::SpeedRight), ["rad/s, wheel of 49 cm"]);
    assert_eq!(holding(Signal::SpeedLeft), ["rad/s, wheel of 40 cm"]);
    assert_eq!(holding(Signal::DistanceLeft), ["wheel of 49 cm, 128 counts a turn"]);
    for signal in [Signal::Acc1, Signal::Acc2, Signal::Acc3] {
        assert_eq!(holding(signal), ["estimated"], "{signal:?}");
    }
    assert_eq!(holding(Signal::Wz), ["data sheet"]);
    // It never changes: nothing can be determined.
    assert_eq!(of(Signal::Temperature).fitted, None);
    assert!(holding(Signal::Temperature).is_empty());
    let steering = of(Signal::Steering).fitted.unwrap();
    assert!((steering.k - 31_060.0).abs() < 1e-3 && (steering.offset.unwrap() + 0.004).abs() < 1e-9);
    assert_eq!(of(Signal::Acc1).reading, RawReading::AsWritten);
    assert_eq!(found.unexplained().count(), 0);
}

#[test]
fn values_by_their_sign_and_constants_of_nobody_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let made = Made { signed_acc: true, kspeed: 1093.0, kangle: 30_000.0, ..ESTIMATED };
    let found = verify(dir.path(), &made);
    let of = |signal| found.signals.iter().find(|s| s.signal == signal).unwrap();
    assert_eq!(of(Signal::Acc2).reading, RawReading::Signed);
    assert_eq!(of(Signal::Acc2).holding().map(|c| c.published.source).collect::<Vec<_>>(), ["estimated"]);
    let velocity = of(Signal::Velocity);
    assert!((velocity.fitted.unwrap().k - 1093.0).abs() < 1e-3);
    let best = &velocity.candidates[0];
    assert_eq!((best.published.source, best.verdict), ("estimated", Verdict::Near));
    assert_eq!(found.unexplained().map(|s| s.signal).collect::<Vec<_>>(), [Signal::Steering]);
}

#[test]
fn the_variant_that_made_the_poses_is_the_nearest() {
    let dir = tempfile::tempdir().unwrap();
    let found = verify(dir.path(), &ESTIMATED);
    let [velocity, distance] = &found.poses[..] else { panic!("{:?}", found.poses.len()) };
    assert_eq!((velocity.reckoning.model, velocity.reckoning.residuals.len()), (Model::Velocity, 32));
    let best = velocity.reckoning.best().unwrap();
    println!("{best:?}");
    assert_eq!((best.variant.integration, best.variant.sign), (Integration::Euler, Sign::FromDirection));
    assert!(best.rms_m < 1e-9 && best.rms_rad < 1e-9);
    let second =
        velocity.reckoning.residuals.iter().find(|r| r.variant.integration != Integration::Euler).unwrap();
    assert!(second.rms_m > 1e-4, "{second:?}");
    assert_eq!((distance.reckoning.poses, distance.reckoning.residuals.len()), (3000, 16));
    let best = distance.reckoning.best().unwrap();
    println!("{best:?}");
    assert_eq!((best.variant.integration, best.variant.sign), (Integration::Arc, Sign::AsWritten));
    assert!(best.rms_m < 1e-9 && distance.reckoning.extent_m > 1.0);
    // Steering and motor are read at the same times here: both ways to join them are equal.
    let latest =
        distance.reckoning.residuals.iter().find(|r| r.variant.steering == SteeringAt::Latest).unwrap();
    assert!((latest.rms_m - best.rms_m).abs() < 1e-12);
}

#[test]
fn a_vehicle_at_rest_tells_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let found = verify(dir.path(), &Made { moves: false, ..ESTIMATED });
    assert!(found.poses.iter().all(|p| p.reckoning.best().is_none() && p.reckoning.poses == 3000));
    let velocity = found.signals.iter().find(|s| s.signal == Signal::Velocity).unwrap();
    assert_eq!((velocity.fitted, velocity.holding().count()), (None, 0));
    // The raw speed is 0 throughout, and any constant gives 0.
    assert!(velocity.candidates.iter().all(|c| c.verdict == Verdict::CannotTell), "{velocity:?}");
    let Some(published) = testkit::data_dir("effibox/ipds") else { return };
    // The published poses have no motor rows.
    assert!(Dataset::open(published).unwrap().verify().unwrap().is_empty());
}
