//! Events of motions whose truth is known, because they are drawn here.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests of small numbers"
)]

mod real;

use std::{f64::consts::FRAC_PI_2, sync::Arc};

use robolog_core::{Cell, Clock, Field, FieldKind, Odometry, Pose, Row, Sample, Timestamp, Value};
use robolog_events::{Context, Detectors, Event, Kind, Thresholds};

fn time(seconds: f64) -> Timestamp {
    Timestamp::from_secs(seconds, Clock::Unix).unwrap()
}

fn sample(seconds: f64, channel: &str, value: Value) -> Sample {
    Sample::new(channel, value).with_time(time(seconds)).with_frame("map")
}

fn pose(seconds: f64, name: &str, x: f64, y: f64, yaw: f64) -> Sample {
    let pose = Pose::from_euler([x, y, 0.0], 0.0, 0.0, yaw);
    let odometry = Odometry::new(name.to_owned(), pose);
    sample(seconds, &format!("{name}/poses"), Value::Odometry(odometry))
}

fn row(seconds: f64, channel: &str, cells: &[(&'static str, Cell)]) -> Sample {
    let field = |cell: &Cell| match cell {
        Cell::Int(_) => FieldKind::Int,
        Cell::Float(_) => FieldKind::Float,
        _ => FieldKind::Text,
    };
    let fields: Arc<[Field]> = cells.iter().map(|(name, cell)| Field::new(name, field(cell))).collect();
    sample(
        seconds,
        channel,
        Value::Row(Row::new(fields, cells.iter().map(|(_, cell)| cell.clone()).collect())),
    )
}

/// An actor with a box of 4 by 2 metres.
fn actor(id: i64) -> [Sample; 2] {
    let extent = |name| (name, Cell::Float(if name == "extent_x" { 2.0 } else { 1.0 }));
    let zero = |name| (name, Cell::Float(0.0));
    [
        row(
            0.0,
            "events",
            &[("event", "create".into()), ("actor", id.into()), ("type_id", "vehicle.a".into())],
        ),
        row(
            0.0,
            &format!("actor_{id}/bounding_boxes"),
            &[
                ("actor", id.into()),
                zero("x"),
                zero("y"),
                zero("z"),
                extent("extent_x"),
                extent("extent_y"),
                extent("extent_z"),
            ],
        ),
    ]
}

fn found(context: Context, samples: impl IntoIterator<Item = Sample>) -> Vec<Event> {
    let mut detectors = Detectors::new(context, &Thresholds::default());
    for sample in samples {
        detectors.push(&sample);
    }
    detectors.finish()
}

fn kinds(events: &[Event]) -> Vec<Kind> {
    events.iter().map(|event| event.kind).collect()
}

fn seconds(time: Timestamp) -> f64 {
    time.as_secs()
}

#[test]
fn boxes_that_cross_touch_as_long_and_as_deep_as_drawn() {
    // One stands along x; the other comes from the south with 10 m/s, and stops 0.4 m deep in it for half a second.
    let mut samples: Vec<Sample> = actor(1).into_iter().chain(actor(2)).collect();
    for frame in 0..100 {
        let t = f64::from(frame) * 0.05;
        let nose = (-10.0 + 10.0 * t).min(-1.0 + 0.4);
        let y = if t < 2.0 { nose - 2.0 } else { -1.0 + 0.4 - 2.0 - 10.0 * (t - 2.0) };
        samples.push(pose(t, "actor_1", 0.0, 0.0, 0.0));
        samples.push(pose(t, "actor_2", 0.0, y, FRAC_PI_2));
    }
    let events = found(Context::default(), samples);
    let contact = events.iter().find(|event| event.kind == Kind::Contact).unwrap();
    assert!((seconds(contact.time) - 0.95).abs() < 0.051, "{contact:?}");
    assert!((seconds(contact.end) - 2.0).abs() < 0.051, "{contact:?}");
    assert!((contact.value.unwrap() - 0.4).abs() < 1e-6, "{contact:?}");
    assert_eq!((contact.subject.as_str(), contact.other.as_deref()), ("actor_1", Some("actor_2")));
    assert!(!kinds(&events).contains(&Kind::NearMiss), "a part of the contact: {events:?}");
}

#[test]
fn a_pass_at_half_a_metre_is_a_near_miss_and_one_at_two_metres_is_none() {
    for (beside, expected) in [(2.5, vec![Kind::NearMiss]), (4.0, vec![])] {
        let mut samples: Vec<Sample> = actor(1).into_iter().chain(actor(2)).collect();
        for frame in 0..100 {
            let t = f64::from(frame) * 0.05;
            samples.push(pose(t, "actor_1", 0.0, 0.0, 0.0));
            samples.push(pose(t, "actor_2", -20.0 + 8.0 * t, beside, 0.0));
        }
        let events = found(Context::default(), samples);
        assert_eq!(kinds(&events), expected);
        for event in events {
            assert!((event.value.unwrap() - 0.5).abs() < 1e-9, "{event:?}");
        }
    }
}

/// Positions of a car that drives 20 m/s, brakes with 8 m/s² from 3 s to 4 s and drives on with 12 m/s.
fn braking(t: f64) -> f64 {
    let brakes = (t - 3.0).clamp(0.0, 1.0);
    20.0 * t - 4.0 * brakes * brakes - 8.0 * (t - 4.0).max(0.0)
}

#[test]
fn braking_has_its_start_its_end_and_its_strength() {
    let frames = (0..200).map(|frame| f64::from(frame) * 0.033);
    let events = found(Context::default(), frames.map(|t| pose(t, "actor_1", braking(t), 0.0, 0.0)));
    assert_eq!(kinds(&events), [Kind::HardBraking]);
    let event = &events[0];
    assert!((seconds(event.time) - 3.0).abs() < 0.15 && (seconds(event.end) - 4.0).abs() < 0.15, "{event:?}");
    assert!((event.value.unwrap() - 8.0).abs() < 0.2, "{event:?}");
}

#[test]
fn late_poses_brake_a_frame_earlier() {
    // Frames of two lengths: a late pose is that of the stamp before.
    let stamps: Vec<f64> = (0..200).map(|i| f64::from(i / 2) * 0.07 + f64::from(i % 2) * 0.02).collect();
    let late = stamps.windows(2).map(|pair| pose(pair[1], "actor_1", braking(pair[0]), 0.0, 0.0));
    let mut context = Context::default();
    context.late_poses = true;
    let events = found(context, late);
    assert_eq!(kinds(&events), [Kind::HardBraking]);
    assert!((seconds(events[0].time) - 3.0).abs() < 0.15, "{events:?}");
    assert!((events[0].value.unwrap() - 8.0).abs() < 0.3, "{events:?}");
}

#[test]
fn one_wrong_sample_and_one_slow_frame_are_no_braking() {
    let steady = |t: f64| 20.0 * t;
    let spike = (0..200).map(|frame| {
        let t = f64::from(frame) * 0.033;
        pose(t, "actor_1", steady(t) + if frame == 100 { 3.0 } else { 0.0 }, 0.0, 0.0)
    });
    assert_eq!(kinds(&found(Context::default(), spike)), []);
    // The simulator moves its actors by 0.1 s in a frame of 0.4 s.
    let slow = (0..200).map(|frame| {
        let clock = f64::from(frame) * 0.033 + if frame >= 100 { 0.367 } else { 0.0 };
        let moved = f64::from(frame) * 0.033 + if frame >= 100 { 0.067 } else { 0.0 };
        pose(clock, "actor_1", steady(moved), 0.0, 0.0)
    });
    assert_eq!(kinds(&found(Context::default(), slow)), [Kind::Gap], "time passes, and no speed comes of it");
}

#[test]
fn a_vehicle_stops_and_starts_once() {
    let position = |t: f64| if t < 2.0 { 3.0 * t } else { 6.0 + 3.0 * (t - 5.0).max(0.0) };
    let frames = (0..300).map(|frame| f64::from(frame) * 0.033);
    let events = found(Context::default(), frames.map(|t| pose(t, "actor_1", position(t), 0.0, 0.0)));
    let kept: Vec<_> = events.iter().filter(|e| matches!(e.kind, Kind::Stop | Kind::Start)).collect();
    assert_eq!(kept.iter().map(|event| event.kind).collect::<Vec<_>>(), [Kind::Stop, Kind::Start]);
    assert!((seconds(kept[0].time) - 2.0).abs() < 0.07 && (seconds(kept[1].time) - 5.0).abs() < 0.07);
}

#[test]
fn a_turn_is_hard_by_speed_times_yaw_rate() {
    // A circle of 20 m: 10 m/s are 5 m/s², 8 m/s are 3.2.
    for (speed, expected) in [(10.0, vec![Kind::HardTurn]), (8.0, vec![])] {
        let frames = (0..150).map(|frame| f64::from(frame) * 0.04);
        let circle = frames.map(|t| {
            let angle = speed * t / 20.0;
            pose(t, "actor_1", 20.0 * angle.sin(), -20.0 * angle.cos(), angle)
        });
        let events = found(Context::default(), circle);
        assert_eq!(kinds(&events), expected);
        assert!(events.iter().all(|event| (event.value.unwrap() - 5.0).abs() < 0.05), "{events:?}");
    }
}

#[test]
fn gaps_of_even_channels_are_found_and_pauses_of_several_are_one() {
    let mut samples = Vec::new();
    for step in 0..100 {
        let t = f64::from(step) * 0.1 + if step >= 50 { 2.0 } else { 0.0 };
        for channel in ["a", "b", "c"] {
            samples.push(sample(t, channel, Value::Scalar(0.0)));
        }
        // Now and then: no rhythm, no gap.
        if step % 17 == 0 || step % 13 == 0 {
            samples.push(sample(t, "d", Value::Scalar(0.0)));
        }
    }
    let events = found(Context::default(), samples);
    assert_eq!(kinds(&events), [Kind::Gap]);
    assert!((events[0].value.unwrap() - 2.1).abs() < 1e-6);
    assert_eq!(events[0].other.as_deref(), Some("2 more channels pause with it"));
}

#[test]
fn vessels_meet_between_their_reports() {
    // Both report every 2 s, at different times, and pass at 10 m at second 25.
    let mut samples = Vec::new();
    for step in 0..25 {
        let t = f64::from(step) * 2.0;
        samples.push(pose(t, "alpha", 2.0 * t, 0.0, 0.0));
        samples.push(pose(t + 0.7, "bravo", 100.0 - 2.0 * (t + 0.7), 10.0, 0.0));
    }
    let mut context = Context::default();
    context.vessels = true;
    let events = found(context, samples);
    let nearest = events.iter().find(|event| event.kind == Kind::ClosestApproach).unwrap();
    // The least distance of the two tracks at the times of their reports.
    assert!((nearest.value.unwrap() - 10.0).abs() < 0.4, "{nearest:?}");
    assert!((seconds(nearest.time) - 25.0).abs() <= 1.0, "{nearest:?}");
}

#[test]
fn one_stale_stamp_is_no_jump_and_a_clock_that_goes_on_from_there_is() {
    let stale = (0..50).map(|step| if step == 20 { 0.2 } else { f64::from(step) * 0.5 });
    let back = (0..50).map(|step| f64::from(step) * 0.5 - if step >= 20 { 8.0 } else { 0.0 });
    let of = |times: &mut dyn Iterator<Item = f64>| {
        found(
            Context::default(),
            times.map(|t| sample(100.0 + t, "a", Value::Scalar(0.0))).collect::<Vec<_>>(),
        )
    };
    assert_eq!(kinds(&of(&mut stale.into_iter())), []);
    let events = of(&mut back.into_iter());
    assert_eq!(kinds(&events), [Kind::ClockJump]);
    assert!((events[0].value.unwrap() + 7.5).abs() < 1e-6, "{events:?}");
}

#[test]
fn under_a_warp_accelerations_are_those_of_the_mission() {
    // Five times as fast by the stamps: 5 m/s² for two seconds look like 125.
    let place = |t: f64| 20.0 * t - 2.5 * (t - 3.0).clamp(0.0, 2.0).powi(2) - 10.0 * (t - 5.0).max(0.0);
    let mut context = Context::default();
    context.warp = 5.0;
    let frames = (0..200).map(|frame| f64::from(frame) * 0.033);
    let fast = frames.map(|t| pose(t / 5.0, "actor_1", place(t), 0.0, 0.0));
    assert_eq!(kinds(&found(context, fast)), []);
}

#[test]
fn logs_of_two_vessels_are_told_apart_by_their_vehicles() {
    let mut context = Context::default();
    (context.vessels, context.several) = (true, true);
    let of = |vehicle: &str, sample: Sample| {
        sample.with_attributes([("vehicle", vehicle.to_owned())].into_iter().collect())
    };
    let mode = |t: f64, word: &str| sample(t, "DEPLOY", Value::Text(word.into()));
    // Alpha goes north along x = 0, bravo south along x = 30; they pass at 10 s.
    let all = (0..=40).flat_map(|step| {
        let t = f64::from(step) * 0.5;
        [
            of("alpha", pose(t, "base_link", 0.0, 2.0 * t, 0.0)),
            of("bravo", pose(t + 0.1, "base_link", 30.0, 40.0 - 2.0 * (t + 0.1), 0.0)),
            of("alpha", mode(t, "true")),
            of("bravo", mode(t + 0.1, if step < 20 { "true" } else { "false" })),
        ]
    });
    let events = found(context, all);
    let told: Vec<_> = events
        .iter()
        .filter(|event| matches!(event.kind, Kind::Mode | Kind::ClosestApproach))
        .map(|event| (event.kind, &*event.subject, event.other.as_deref(), event.value.map(f64::round)))
        .collect();
    let expected = [
        (Kind::ClosestApproach, "alpha", Some("bravo"), Some(30.0)),
        (Kind::Mode, "bravo/DEPLOY", None, None),
    ];
    assert_eq!(told, expected);
}

#[test]
fn the_guide_lists_the_thresholds() {
    let guide = include_str!("../../../guide/src/events.md");
    for threshold in Thresholds::TABLE {
        let (option, unit) = (threshold.name.replace('_', "-"), threshold.unit);
        let default = format!("{} {unit}", threshold.default);
        let row = format!("| `--{option}` | {} | {} |", default.trim(), threshold.about);
        assert!(guide.contains(&row), "{row}");
    }
    for kind in Kind::ALL {
        assert!(guide.contains(&format!("`{}`", kind.name())), "{}", kind.name());
    }
}
