//! Braking, acceleration, turns, stops and starts of whatever has poses.

use std::collections::VecDeque;

use nalgebra::Vector2;
use robolog_core::Timestamp;

use crate::{
    Context, Event, Kind, Thresholds,
    bodies::Placed,
    names::{Names, at},
    seconds,
};

/// Follows each body.
#[derive(Debug)]
pub(crate) struct Motions {
    limits: Thresholds,
    context: Context,
    /// By number.
    bodies: Vec<Body>,
}

/// What is known of a body.
#[derive(Debug, Default)]
struct Body {
    first: Option<Timestamp>,
    /// Stamp of the sample before: the time of a late pose.
    stamp: Option<Timestamp>,
    before: Option<(Timestamp, Placed)>,
    /// The last three speeds, and their medians over the window of the slope.
    raw: VecDeque<f64>,
    speeds: VecDeque<(Timestamp, f64)>,
    /// Number of these that are not zero.
    moving: usize,
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
    /// Whether a body that stands still exceeds none of them.
    fn are_positive(&self) -> bool {
        self.acceleration >= 0.0 && self.turn >= 0.0
    }

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
        Self { limits: limits.clone(), context, bodies: Vec::new() }
    }

    pub(crate) fn push(&mut self, placed: Placed, names: &Names, stamp: Timestamp, found: &mut Vec<Event>) {
        let body = at(&mut self.bodies, placed.body);
        let before = body.stamp.replace(stamp);
        let time = if self.context.late_poses { before } else { Some(stamp) };
        let Some(time) = time else { return };
        body.moves(names.get(placed.body), time, placed, &self.limits, self.context, found);
    }

    pub(crate) fn finish(&mut self, names: &Names, found: &mut Vec<Event>) {
        for (number, body) in self.bodies.iter_mut().enumerate() {
            for (i, spells) in body.spells.iter_mut().enumerate() {
                let (kind, _, lasts) = self.limits.of(i);
                let over = [spells.stop(lasts, self.limits.acceleration_join), spells.kept.take()];
                found.extend(over.into_iter().flatten().map(|spell| event(names.get(number), kind, spell)));
            }
        }
    }
}

impl Body {
    fn moves(
        &mut self,
        name: &str,
        time: Timestamp,
        pose: Placed,
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
        let Some(median) = median(&self.raw) else { return };
        self.push_speed(time, median, limits);
        // Most bodies of a simulation stand still.
        if self.moving == 0 && self.spells.iter().all(Spells::is_idle) && limits.are_positive() {
            return;
        }
        let slope = slope(&self.speeds).unwrap_or_default() / context.warp;
        // Deceleration makes the speed less, whichever way the body moves.
        let gain = if median < 0.0 { -slope } else { slope };
        let values = [-gain, gain, (median * rate).abs()];
        let Some(at) = middle(&self.speeds) else { return };
        for (i, (spells, value)) in self.spells.iter_mut().zip(values).enumerate() {
            let (kind, wanted, lasts) = limits.of(i);
            let over = spells.add(at, value, value > wanted, lasts, limits.acceleration_join);
            found.extend(over.map(|spell| event(name, kind, spell)));
        }
    }

    /// Adds a speed, and drops those before the window of the slope.
    fn push_speed(&mut self, time: Timestamp, speed: f64, limits: &Thresholds) {
        self.speeds.push_back((time, speed));
        self.moving += usize::from(speed != 0.0);
        let is_over = |(then, _): &(Timestamp, f64)| seconds(*then, time) > limits.acceleration_window;
        while self.speeds.front().is_some_and(is_over) {
            let old = self.speeds.pop_front();
            self.moving -= usize::from(old.is_some_and(|(_, speed)| speed != 0.0));
        }
    }

    /// Forgets the speeds, and what was found shortly before `time`.
    fn forget(&mut self, time: Timestamp, limits: &Thresholds) {
        self.raw.clear();
        self.speeds.clear();
        self.moving = 0;
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
        if is_slow && matches!(self.rest, Rest::Still) {
            return;
        }
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
    fn is_idle(&self) -> bool {
        self.running.is_none() && self.kept.is_none()
    }

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
fn speeds(before: &Placed, now: &Placed, dt: f64) -> (f64, f64) {
    if now.is_still {
        return (0.0, 0.0);
    }
    let (yaw, then) = (now.yaw, before.yaw);
    let turned = (yaw - then).sin().atan2((yaw - then).cos());
    let heading = then + turned / 2.0;
    let shift = (now.position - before.position).xy();
    (shift.dot(&Vector2::new(heading.cos(), heading.sin())) / dt, turned / dt)
}

/// The median of three speeds.
fn median(speeds: &VecDeque<f64>) -> Option<f64> {
    let mut all = [*speeds.front()?, *speeds.get(1)?, *speeds.get(2)?];
    all.sort_unstable_by(f64::total_cmp);
    let [_, median, _] = all;
    Some(median)
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
