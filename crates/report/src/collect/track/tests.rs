//! Tests of tracks.

use super::*;
use robolog_core::{Clock, Timestamp};

fn axis(seconds: i64) -> Axis {
    let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
    Axis::new(Some((at(0), at(seconds))))
}

/// Adds a position without a recorded speed.
fn add(track: &mut Track, t: Option<f64>, x: f64, y: f64, axis: &Axis) {
    let mut position = Position::of_pose(&robolog_core::Pose::identity());
    (position.ground, position.x, position.y) = (track.ground(), x, y);
    track.add(t, &position, axis);
}

#[test]
fn a_circle_of_a_hundred_thousand_positions_keeps_its_shape() {
    let axis = axis(1000);
    let mut track = Track::new("a".into(), Ground::Local);
    for n in 0..100_000 {
        let t = f64::from(n) / 100.0;
        let (y, x) = (t / 100.0).sin_cos();
        add(&mut track, Some(t), 50.0 * x, 50.0 * y, &axis);
    }
    track.finish();
    assert!(track.spots.len() < KEPT && track.spots.len() > 300, "{}", track.spots.len());
    assert!((track.length() - 500.0).abs() < 0.1, "{}", track.length());
    assert!(track.spots.iter().all(|spot| (spot.speed - 0.5).abs() < 0.01));
}

#[test]
fn a_way_without_times_is_thinned_by_distance() {
    let axis = Axis::new(None);
    let mut track = Track::new("a".into(), Ground::Local);
    for n in 0..200_000 {
        add(&mut track, None, f64::from(n % 1000), f64::from(n / 1000), &axis);
    }
    track.finish();
    assert!(track.spots.len() <= KEPT && track.count() == 200_000, "{}", track.spots.len());
    assert!(!track.is_timed() && track.spots.iter().all(|spot| spot.speed.is_nan()), "no time, no speed");
}

#[test]
fn positions_across_the_date_line_are_near() {
    let axis = axis(10);
    let mut track = Track::new("a".into(), Ground::Earth);
    add(&mut track, Some(0.0), 179.9999, 0.0, &axis);
    add(&mut track, Some(1.0), -179.9999, 0.0, &axis);
    add(&mut track, Some(1.0), 0.0, 0.0, &axis);
    add(&mut track, Some(2.0), f64::NAN, 0.0, &axis);
    assert!((track.length() - 22.26).abs() < 0.1 && track.count() == 2, "{}", track.length());
    let bounds = Bounds { south: 0.0, west: -179.9999, north: 0.0, east: 179.9999 };
    assert_eq!(track.bounds, Some(bounds), "also of what is left out");
}

#[test]
fn speeds_are_those_of_the_interval_in_which_the_way_was_driven() {
    // 12.8 m/s in uneven steps; each position belongs to the previous time.
    let times: Vec<f64> = (0..200)
        .scan(0.0, |t, n| Some(std::mem::replace(t, *t + 0.03 + 0.04 * f64::from(n * 7 % 5))))
        .collect();
    let axis = axis(30);
    let mut track = Track::new("a".into(), Ground::Local).with_late_places(true);
    for (n, t) in times.iter().enumerate() {
        add(&mut track, Some(*t), 12.8 * times[n.saturating_sub(1)], 0.0, &axis);
    }
    track.finish();
    assert!(track.spots.iter().skip(20).all(|spot| (spot.speed - 12.8).abs() < 1e-6), "{:?}", track.spots);
}

#[test]
fn a_crash_is_not_smoothed_and_one_late_stamp_is() {
    // Thirty positions per second; 12 m/s until the crash at 3 s, then 2 m/s. One timestamp is late.
    let axis = axis(6);
    let mut track = Track::new("a".into(), Ground::Local);
    let mut x = 0.0;
    for n in 0..180 {
        let t = f64::from(n) / 30.0;
        add(&mut track, Some(if n == 45 { t + 0.02 } else { t }), x, 0.0, &axis);
        x += if n < 90 { 12.0 } else { 2.0 } / 30.0;
    }
    track.finish();
    let within = |from: f64, to: f64| track.spots.iter().filter(move |s| s.t >= from && s.t < to);
    assert!(within(0.5, 3.01).all(|spot| (spot.speed - 12.0).abs() < 0.5), "{:?}", track.spots);
    assert!(within(3.09, 6.0).all(|spot| (spot.speed - 2.0).abs() < 0.5), "{:?}", track.spots);
}

#[test]
fn a_start_from_standing_is_even() {
    // 10 m/s² from 1 s on, thirty positions per second.
    let axis = axis(3);
    let mut track = Track::new("a".into(), Ground::Local);
    for n in 0..90 {
        let t = f64::from(n) / 30.0;
        add(&mut track, Some(t), 5.0 * (t - 1.0).max(0.0).powi(2), 0.0, &axis);
    }
    track.finish();
    let wrong = |spot: &&Spot| (spot.speed - 10.0 * (spot.t - 1.0).max(0.0)).abs() > 0.6;
    assert_eq!(track.spots.iter().find(wrong), None);
}

#[test]
fn speeds_of_noisy_positions_are_over_half_a_second() {
    // Fixes with an alternating error of 0.3 m, ten per second, at 1.5 m/s.
    let axis = axis(10);
    let mut track = Track::new("a".into(), Ground::Local);
    for n in 0..100 {
        let error = if n % 2 == 0 { 0.15 } else { -0.15 };
        add(&mut track, Some(f64::from(n) / 10.0), f64::from(n) * 0.15 + error, 0.0, &axis);
    }
    track.finish();
    assert!(track.spots.iter().skip(6).all(|spot| (spot.speed - 1.5).abs() <= 0.7), "{:?}", track.spots);
}

#[test]
fn speeds_of_a_warped_simulation_are_by_its_own_clock() {
    let axis = axis(10).with_warp(15.0);
    let mut track = Track::new("a".into(), Ground::Local);
    for n in 0..100 {
        add(&mut track, Some(f64::from(n) / 10.0), f64::from(n) * 3.0, 0.0, &axis);
    }
    track.finish();
    assert!(track.spots.iter().all(|spot| (spot.speed - 2.0).abs() < 1e-9));
}
