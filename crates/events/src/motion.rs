//! Braking, acceleration, turns, stops and starts of whatever has poses.

use std::collections::{BTreeMap, VecDeque};

use nalgebra::Vector2;
use robolog_core::{Pose, Sample, Timestamp, Value};

use crate::{Context, Detector, Event, FOLLOWED, Kind, Thresholds, seconds};

/// Follows each body.
#[derive(Debug)]
pub(crate) struct Motions {
    limits: Thresholds,
    context: Context,
    bodies: BTreeMap<String, Body>,
}

/// What is known of a body.
#[derive(Debug, Default)]
struct Body {
    first: Option<Timestamp>,
    /// Stamp of the sample before: the time of a late pose.
    stamp: Option<Timestamp>,
    before: Option<(Timestamp, Pose)>,
    /// The last three speeds, and their medians over the window of the slope.
    raw: VecDeque<f64>,
    speeds: VecDeque<(Timestamp, f64)>,
    /// No speed is trusted up to then.
    distrusted: Option<Timestamp>,
    spells: [Spells; 3],
    rest: Rest,
}

/// Spells of one kind: those that last, joined.
#[derive(Debug, Default)]
struct Spells {
    /// The one that goes on.
    running: Option<Spell>,
    /// The one that lasted.
    kept: Option<Spell>,
}

/// Start, end and greatest value.
#[derive(Debug, Clone, Copy)]
struct Spell {
    start: Timestamp,
    end: Timestamp,
    peak: f64,
}

#[derive(Debug, Default, Clone, Copy)]
enum Rest {
    #[default]
    Unknown,
    Moving,
    /// Slow since then; whether it moved before.
    Slow(Timestamp, bool),
    Still,
}

impl Thresholds {
    /// Kind, limit and least duration of the spells of a body.
    const fn of(&self, spells: usize) -> (Kind, f64, f64) {
        match spells {
            0 => (Kind::HardBraking, self.acceleration, self.acceleration_lasts),
            1 => (Kind::HardAcceleration, self.acceleration, self.acceleration_lasts),
            _ => (Kind::HardTurn, self.turn, self.turn_lasts),
        }
    }
}

impl Motions {
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self { limits: limits.clone(), context, bodies: BTreeMap::new() }
    }
}

impl Detector for Motions {
    fn push(&mut self, sample: &Sample, found: &mut Vec<Event>) {
        let (Value::Odometry(odometry), Some(stamp)) = (&sample.value, sample.time) else { return };
        let name = &odometry.child_frame_id;
        if !self.bodies.contains_key(name) {
            if self.bodies.len() >= FOLLOWED {
                return;
            }
            self.bodies.insert(name.clone(), Body::default());
        }
        let Some(body) = self.bodies.get_mut(name) else { return };
        let before = body.stamp.replace(stamp);
        let time = if self.context.late_poses { before } else { Some(stamp) };
        let Some(time) = time else { return };
        body.moves(name, time, odometry.pose, &self.limits, self.context, found);
    }

    fn finish(&mut self, found: &mut Vec<Event>) {
        for (name, body) in &mut self.bodies {
            for (i, spells) in body.spells.iter_mut().enumerate() {
                let (kind, _, lasts) = self.limits.of(i);
                let over = [spells.stop(lasts, self.limits.acceleration_join), spells.kept.take()];
                found.extend(over.into_iter().flatten().map(|spell| event(name, kind, spell)));
            }
        }
    }
}

impl Body {
    fn moves(
        &mut self,
        name: &str,
        time: Timestamp,
        pose: Pose,
        limits: &Thresholds,
        context: Context,
        found: &mut Vec<Event>,
    ) {
        let first = *self.first.get_or_insert(time);
        let Some((then, before)) = self.before.replace((time, pose)) else { return };
        let dt = seconds(then, time);
        // The clock of the vessels' world runs faster than the stamps under a time warp.
        let dt = dt * context.warp;
        if dt <= 0.0 {
            self.forget(time, limits);
            return;
        }
        let is_long = dt > limits.long_frame;
        let (speed, rate) = speeds(&before, &pose, dt);
        // A long frame of a simulator moves its actors by less than its length: no speed comes of it.
        if !is_long || context.vessels {
            self.rests(name, time, speed, limits, context, found);
        }
        if is_long {
            self.forget(time, limits);
            return;
        }
        let is_trusted = self.distrusted.is_none_or(|until| seconds(until, time) > limits.long_frame_apart);
        if seconds(first, time) < limits.settled || !is_trusted {
            return;
        }
        self.raw.push_back(speed);
        if self.raw.len() > 3 {
            self.raw.pop_front();
        }
        let mut sorted: Vec<f64> = self.raw.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let [_, median, _] = sorted.as_slice() else { return };
        self.speeds.push_back((time, *median));
        while self.speeds.front().is_some_and(|(then, _)| seconds(*then, time) > limits.acceleration_window) {
            self.speeds.pop_front();
        }
        let slope = slope(&self.speeds).unwrap_or_default() / context.warp;
        // Deceleration makes the speed less, whichever way the body moves.
        let gain = if *median < 0.0 { -slope } else { slope };
        let values = [-gain, gain, (median * rate).abs()];
        let Some(at) = middle(&self.speeds) else { return };
        for (i, (spells, value)) in self.spells.iter_mut().zip(values).enumerate() {
            let (kind, wanted, lasts) = limits.of(i);
            let over = spells.add(at, value, value > wanted, lasts, limits.acceleration_join);
            found.extend(over.map(|spell| event(name, kind, spell)));
        }
    }

    /// Forgets the speeds, and what was found shortly before `time`.
    fn forget(&mut self, time: Timestamp, limits: &Thresholds) {
        self.raw.clear();
        self.speeds.clear();
        self.distrusted = Some(time);
        for spells in &mut self.spells {
            spells.running = None;
            spells.kept.take_if(|kept| seconds(kept.end, time) <= limits.long_frame_apart);
        }
    }

    fn rests(
        &mut self,
        name: &str,
        time: Timestamp,
        speed: f64,
        limits: &Thresholds,
        context: Context,
        found: &mut Vec<Event>,
    ) {
        let lasts = if context.vessels { limits.rest_lasts_vessel } else { limits.rest_lasts };
        let is_slow = speed.abs() < limits.rest_speed;
        self.rest = match self.rest {
            Rest::Unknown if is_slow => Rest::Slow(time, false),
            Rest::Moving if is_slow => Rest::Slow(time, true),
            Rest::Slow(since, moved) if is_slow && seconds(since, time) >= lasts => {
                if moved {
                    found.push(Event::at(since, Kind::Stop, name, "comes to rest".to_owned()));
                }
                Rest::Still
            }
            Rest::Still if speed.abs() > limits.start_speed => {
                found.push(Event::at(time, Kind::Start, name, "sets off".to_owned()));
                Rest::Moving
            }
            Rest::Unknown => Rest::Moving,
            Rest::Slow(_, moved) if !is_slow && (moved || speed.abs() > limits.start_speed) => Rest::Moving,
            Rest::Slow(..) if !is_slow => Rest::Unknown,
            other => other,
        };
    }
}

impl Spells {
    /// Adds a value, which exceeds the limit or not, and returns a spell that is over.
    fn add(&mut self, time: Timestamp, value: f64, exceeds: bool, lasts: f64, join: f64) -> Option<Spell> {
        if exceeds {
            let spell = self.running.get_or_insert(Spell { start: time, end: time, peak: value });
            (spell.end, spell.peak) = (time, spell.peak.max(value));
            return None;
        }
        let over = self.stop(lasts, join);
        over.or_else(|| self.kept.take_if(|kept| seconds(kept.end, time) > join))
    }

    /// Ends what goes on, and returns the spell before if the two are not one.
    fn stop(&mut self, lasts: f64, join: f64) -> Option<Spell> {
        let run = self.running.take().filter(|run| seconds(run.start, run.end) >= lasts)?;
        match &mut self.kept {
            Some(kept) if seconds(kept.end, run.start) <= join => {
                (kept.end, kept.peak) = (run.end, kept.peak.max(run.peak));
                None
            }
            kept => kept.replace(run),
        }
    }
}

/// Speed along the heading, and the yaw rate.
fn speeds(before: &Pose, pose: &Pose, dt: f64) -> (f64, f64) {
    let (yaw, then) = (pose.orientation.euler_angles().2, before.orientation.euler_angles().2);
    let turned = (yaw - then).sin().atan2((yaw - then).cos());
    let heading = then + turned / 2.0;
    let shift = (pose.position - before.position).xy();
    (shift.dot(&Vector2::new(heading.cos(), heading.sin())) / dt, turned / dt)
}

/// The slope of a line through the speeds by least squares.
fn slope(speeds: &VecDeque<(Timestamp, f64)>) -> Option<f64> {
    let (first, last) = (speeds.front()?.0, speeds.back()?.0);
    if speeds.len() < 4 || seconds(first, last) < 0.1 {
        return None;
    }
    let n = speeds.len() as f64;
    let points = || speeds.iter().map(|(time, speed)| (seconds(first, *time), *speed));
    let (t, v) = points().fold((0.0, 0.0), |(t, v), (a, b)| (t + a / n, v + b / n));
    let (over, under) =
        points().fold((0.0, 0.0), |(o, u), (a, b)| (o + (a - t) * (b - v), u + (a - t) * (a - t)));
    (under > 0.0).then(|| over / under)
}

/// The middle of the window, to which its slope belongs.
fn middle(speeds: &VecDeque<(Timestamp, f64)>) -> Option<Timestamp> {
    let (first, last) = (speeds.front()?.0, speeds.back()?.0);
    first.checked_add(last.since(first)? / 2)
}

fn event(name: &str, kind: Kind, spell: Spell) -> Event {
    let verb = match kind {
        Kind::HardBraking => "brakes",
        Kind::HardAcceleration => "accelerates",
        _ => "turns",
    };
    let text = format!("{verb} with {:.1} m/s^2", spell.peak);
    Event::at(spell.start, kind, name, text).with_value(spell.peak).until(spell.end)
}
