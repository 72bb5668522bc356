//! Contacts and near misses of actors.

use std::collections::{BTreeMap, HashMap};

use nalgebra::Vector2;
use robolog_core::{Pose, Sample, Timestamp, Value};

use crate::{
    Context, Detector, Event, FOLLOWED, Kind, Thresholds,
    actors::{Actor, Actors},
    rectangle::Rectangle,
    seconds,
};

/// Compares the boxes of all actors at the time of each frame.
#[derive(Debug)]
pub(crate) struct Contacts {
    limits: Thresholds,
    context: Context,
    actors: Actors,
    /// Poses of the frame that is being read.
    frame: Option<(Timestamp, Vec<(String, Pose)>)>,
    /// Time and pose of each actor in the frame before.
    before: HashMap<String, (Timestamp, Pose)>,
    /// Time of the frame before: that of the poses, where they are late.
    last: Option<Timestamp>,
    /// Pairs that touch, or nearly.
    pairs: BTreeMap<(String, String), Pair>,
    /// Near misses that a contact may explain.
    missed: Vec<Event>,
    /// When pairs touched.
    touched: Vec<Event>,
}

#[derive(Debug, Default)]
struct Pair {
    contact: Option<Spell>,
    near: Option<Spell>,
}

#[derive(Debug, Clone)]
struct Spell {
    start: Timestamp,
    end: Timestamp,
    /// The deepest overlap, or the least gap.
    value: f64,
    text: String,
}

/// Maximum number of actors in a frame: each is compared with those near it.
const MOST: usize = 2000;

/// An actor in a frame.
struct Moving<'a> {
    name: &'a str,
    actor: &'a Actor,
    outline: Rectangle,
    height: f64,
    velocity: Option<Vector2<f64>>,
}

impl Contacts {
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self {
            limits: limits.clone(),
            context,
            actors: Actors::default(),
            frame: None,
            before: HashMap::new(),
            last: None,
            pairs: BTreeMap::new(),
            missed: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Compares the actors of the frame that is complete.
    fn complete(&mut self) {
        let Some((stamp, poses)) = self.frame.take() else { return };
        let last = self.last.replace(stamp);
        let time = if self.context.late_poses { last } else { Some(stamp) };
        let Some(time) = time else { return };
        let mut moving: Vec<Moving<'_>> = Vec::new();
        for (name, pose) in &poses {
            let Some(actor) = self.actors.get(name) else { continue };
            let Some((outline, height)) = actor.outline(pose) else { continue };
            let velocity = self.before.get(name).and_then(|(then, before)| {
                let dt = seconds(*then, time);
                let shift = pose.position.xy() - before.position.xy();
                (dt > 0.0 && dt <= self.limits.long_frame).then(|| shift / dt)
            });
            moving.push(Moving { name, actor, outline, height, velocity });
        }
        moving.sort_by(|a, b| a.outline.centre.x.total_cmp(&b.outline.centre.x));
        let fastest = moving.iter().map(Moving::speed).fold(0.0, f64::max);
        let widest = moving.iter().map(|one| one.outline.radius()).fold(0.0, f64::max);
        // How far two can lie apart that matter to each other.
        let reach = 2.0 * widest + self.limits.near_gap.max(2.0 * fastest * self.limits.near_time);
        let mut rest = moving.as_slice();
        while let Some((a, others)) = rest.split_first() {
            rest = others;
            for b in others.iter().take_while(|b| b.outline.centre.x - a.outline.centre.x < reach) {
                compare(&self.limits, &mut self.pairs, a, b, time);
            }
        }
        for (name, pose) in poses {
            self.before.insert(name, (time, pose));
        }
        self.settle(Some(time));
    }

    /// Ends the spells that are over at this time; all without one.
    fn settle(&mut self, now: Option<Timestamp>) {
        let is_over =
            |spell: &Spell| now.is_none_or(|now| seconds(spell.end, now) > self.limits.contact_join);
        self.pairs.retain(|(a, b), pair| {
            if let Some(spell) = pair.contact.take_if(|spell| is_over(spell)) {
                self.touched.push(spell.event(Kind::Contact, a, b));
            }
            if let Some(spell) = pair.near.take_if(|spell| is_over(spell)) {
                self.missed.push(spell.event(Kind::NearMiss, a, b));
            }
            pair.contact.is_some() || pair.near.is_some()
        });
    }
}

fn compare(
    limits: &Thresholds,
    pairs: &mut BTreeMap<(String, String), Pair>,
    a: &Moving<'_>,
    b: &Moving<'_>,
    time: Timestamp,
) {
    let are_walkers = a.actor.is_walker && b.actor.is_walker;
    if are_walkers || a.is_attached_to(b) || (a.height - b.height).abs() > limits.contact_height {
        return;
    }
    let mut note = |of: fn(&mut Pair) -> &mut Option<Spell>, value: f64, better: fn(f64, f64) -> f64| {
        let (first, second) = if a.name <= b.name { (a, b) } else { (b, a) };
        let pair = pairs.entry((first.name.to_owned(), second.name.to_owned())).or_default();
        let spell =
            of(pair).get_or_insert_with(|| Spell { start: time, end: time, value, text: first.with(second) });
        (spell.end, spell.value) = (time, better(spell.value, value));
    };
    let depth = a.outline.overlap(&b.outline);
    if depth > limits.contact_depth {
        note(|pair| &mut pair.contact, depth, f64::max);
    }
    if depth > 0.0 || a.speed().max(b.speed()) <= limits.near_speed {
        return;
    }
    let gap = a.outline.gap(&b.outline);
    let touches_soon = || {
        let velocity = b.velocity? - a.velocity?;
        a.outline.time_to_touch(&b.outline, &velocity).filter(|time| *time < limits.near_time)
    };
    if gap < limits.near_gap || touches_soon().is_some() {
        note(|pair| &mut pair.near, gap, f64::min);
    }
}

impl Moving<'_> {
    fn speed(&self) -> f64 {
        self.velocity.map_or(0.0, |velocity| velocity.norm())
    }

    fn is_attached_to(&self, other: &Self) -> bool {
        self.actor.parent.as_deref() == Some(other.name) || other.actor.parent.as_deref() == Some(self.name)
    }

    /// The two in words.
    fn with(&self, other: &Self) -> String {
        let boxes =
            if self.actor.is_measured && other.actor.is_measured { "" } else { "; boxes by blueprint" };
        format!("{} and {}{boxes}", self.actor.type_id, other.actor.type_id)
    }
}

impl Spell {
    fn event(self, kind: Kind, a: &str, b: &str) -> Event {
        let mut event = Event::at(self.start, kind, a, self.text).with_value(self.value).until(self.end);
        event.other = Some(b.to_owned());
        event
    }
}

impl Detector for Contacts {
    fn push(&mut self, sample: &Sample, _: &mut Vec<Event>) {
        self.actors.learn(sample);
        let (Value::Odometry(odometry), Some(time)) = (&sample.value, sample.time) else { return };
        if self.frame.as_ref().is_some_and(|(of, _)| *of != time) {
            self.complete();
        }
        let (_, poses) = self.frame.get_or_insert_with(|| (time, Vec::new()));
        let is_known = self.before.contains_key(&odometry.child_frame_id);
        if poses.len() >= MOST || !is_known && self.before.len() >= FOLLOWED {
            return;
        }
        poses.push((odometry.child_frame_id.clone(), odometry.pose));
    }

    fn finish(&mut self, found: &mut Vec<Event>) {
        self.complete();
        self.settle(None);
        let apart = self.limits.near_apart;
        let is_alone = |near: &Event| {
            !self.touched.iter().any(|contact| {
                contact.is_of(&near.subject, near.other.as_deref())
                    && seconds(near.end, contact.time) < apart
                    && seconds(contact.end, near.time) < apart
            })
        };
        self.missed.retain(is_alone);
        found.append(&mut self.missed);
        found.append(&mut self.touched);
    }
}
