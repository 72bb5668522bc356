//! Contacts and near misses of actors.

use std::collections::BTreeMap;

use nalgebra::Vector2;
use robolog_core::{Row, Timestamp};

use crate::{
    Context, Event, Kind, Thresholds,
    actors::{Actor, Actors},
    bodies::Placed,
    names::{Names, at},
    rectangle::Rectangle,
    seconds,
};

/// Compares the boxes of all actors at the time of each frame.
#[derive(Debug)]
pub(crate) struct Contacts {
    limits: Thresholds,
    context: Context,
    actors: Actors,
    /// Poses of the frame that is being read, and its time.
    frame: Vec<Placed>,
    stamp: Option<Timestamp>,
    /// Time and place of each body in the frame before.
    before: Vec<Option<(Timestamp, Vector2<f64>)>>,
    /// Outline and height of each body in the frame before.
    outlines: Vec<Option<(Rectangle, f64)>>,
    /// Time of the frame before: that of the poses, where they are late.
    last: Option<Timestamp>,
    /// The actors of the frame from west to east: hardly another order than in the frame before.
    order: Vec<(f64, usize)>,
    /// Pairs that touch, or nearly.
    pairs: BTreeMap<(usize, usize), Pair>,
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
    body: usize,
    actor: &'a Actor,
    outline: Rectangle,
    radius: f64,
    height: f64,
    velocity: Option<Vector2<f64>>,
    speed: f64,
}

impl Contacts {
    pub(crate) fn new(context: Context, limits: &Thresholds) -> Self {
        Self {
            limits: limits.clone(),
            context,
            actors: Actors::default(),
            frame: Vec::new(),
            stamp: None,
            before: Vec::new(),
            outlines: Vec::new(),
            last: None,
            order: Vec::new(),
            pairs: BTreeMap::new(),
            missed: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Learns who an actor is.
    pub(crate) fn introduce(&mut self, row: &Row, names: &mut Names) {
        let body = self.actors.introduce(row, names);
        self.forget(body);
    }

    /// Learns how large an actor is.
    pub(crate) fn measure(&mut self, row: &Row, names: &mut Names) {
        let body = self.actors.measure(row, names);
        self.forget(body);
    }

    fn forget(&mut self, body: Option<usize>) {
        if let Some(outline) = body.and_then(|body| self.outlines.get_mut(body)) {
            *outline = None;
        }
    }

    pub(crate) fn push(&mut self, placed: Placed, names: &Names, time: Timestamp) {
        if self.stamp.is_some_and(|of| of != time) {
            self.complete(names);
        }
        self.stamp = Some(time);
        if self.frame.len() < MOST {
            self.frame.push(placed);
        } else {
            // The next pose may be the same as this one.
            self.forget(Some(placed.body));
        }
    }

    pub(crate) fn finish(&mut self, names: &Names, found: &mut Vec<Event>) {
        self.complete(names);
        self.settle(None, names);
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

impl Contacts {
    /// Compares the actors of the frame that is complete.
    fn complete(&mut self, names: &Names) {
        let Some(stamp) = self.stamp.take() else { return };
        let last = self.last.replace(stamp);
        let time = if self.context.late_poses { last } else { Some(stamp) };
        let mut frame = std::mem::take(&mut self.frame);
        if let Some(time) = time {
            self.compare(&frame, time, names);
            for placed in &frame {
                *at(&mut self.before, placed.body) = Some((time, placed.position.xy()));
            }
            self.settle(Some(time), names);
        }
        frame.clear();
        self.frame = frame;
    }

    /// Compares the actors of a frame with these poses.
    fn compare(&mut self, frame: &[Placed], time: Timestamp, names: &Names) {
        let Self { limits, actors, before, outlines, order, pairs, .. } = self;
        let mut moving: Vec<Moving<'_>> = Vec::with_capacity(frame.len());
        for placed in frame {
            let Some(actor) = actors.get(placed.body) else { continue };
            let known = at(outlines, placed.body);
            if known.is_none() || !placed.is_still {
                *known = actor.outline(placed);
            }
            let Some((outline, height)) = *known else { continue };
            let velocity = before.get(placed.body).copied().flatten().and_then(|(then, place)| {
                let dt = seconds(then, time);
                (dt > 0.0 && dt <= limits.long_frame).then(|| (placed.position.xy() - place) / dt)
            });
            let speed = velocity.map_or(0.0, |velocity| velocity.norm());
            let radius = outline.radius();
            moving.push(Moving { body: placed.body, actor, outline, radius, height, velocity, speed });
        }
        sort(order, &moving);
        let fastest = moving.iter().map(|one| one.speed).fold(0.0, f64::max);
        let widest = moving.iter().map(|one| one.radius).fold(0.0, f64::max);
        // How far two can lie apart that matter to each other.
        let reach = 2.0 * widest + limits.near_gap.max(2.0 * fastest * limits.near_time);
        let mut rest = order.as_slice();
        while let Some(((west, a), others)) = rest.split_first() {
            rest = others;
            let Some(a) = moving.get(*a) else { continue };
            for (_, b) in others.iter().take_while(|(x, _)| x - west < reach) {
                if let Some(b) = moving.get(*b).filter(|b| a.may_meet(b, limits)) {
                    compare(limits, pairs, a, b, time, names);
                }
            }
        }
    }

    /// Ends the spells that are over at this time; all without one.
    fn settle(&mut self, now: Option<Timestamp>, names: &Names) {
        let Self { limits, pairs, missed, touched, .. } = self;
        let is_over = |spell: &Spell| now.is_none_or(|now| seconds(spell.end, now) > limits.contact_join);
        let mut over = Vec::new();
        pairs.retain(|pair, Pair { contact, near }| {
            let contact_over = contact.take_if(|spell| is_over(spell));
            let near_over = near.take_if(|spell| is_over(spell));
            if contact_over.is_some() || near_over.is_some() {
                over.push((*pair, contact_over, near_over));
            }
            contact.is_some() || near.is_some()
        });
        over.sort_by_key(|((a, b), ..)| (names.get(*a), names.get(*b)));
        for ((a, b), contact, near) in over {
            let (a, b) = (names.get(a), names.get(b));
            touched.extend(contact.map(|spell| spell.event(Kind::Contact, a, b)));
            missed.extend(near.map(|spell| spell.event(Kind::NearMiss, a, b)));
        }
    }
}

/// Sorts actors from west to east.
fn sort(order: &mut Vec<(f64, usize)>, moving: &[Moving<'_>]) {
    if order.len() != moving.len() {
        order.clear();
        order.extend((0..moving.len()).map(|number| (0.0, number)));
    }
    for (x, number) in order.iter_mut() {
        *x = moving.get(*number).map_or(0.0, |one| one.outline.centre.x);
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
}

fn compare(
    limits: &Thresholds,
    pairs: &mut BTreeMap<(usize, usize), Pair>,
    a: &Moving<'_>,
    b: &Moving<'_>,
    time: Timestamp,
    names: &Names,
) {
    let are_walkers = a.actor.is_walker && b.actor.is_walker;
    if are_walkers || a.is_attached_to(b) || (a.height - b.height).abs() > limits.contact_height {
        return;
    }
    let mut note = |of: fn(&mut Pair) -> &mut Option<Spell>, value: f64, better: fn(f64, f64) -> f64| {
        let (first, second) = if names.get(a.body) <= names.get(b.body) { (a, b) } else { (b, a) };
        let pair = pairs.entry((first.body, second.body)).or_default();
        let spell =
            of(pair).get_or_insert_with(|| Spell { start: time, end: time, value, text: first.with(second) });
        (spell.end, spell.value) = (time, better(spell.value, value));
    };
    let depth = a.outline.overlap(&b.outline);
    if depth > limits.contact_depth {
        note(|pair| &mut pair.contact, depth, f64::max);
    }
    if depth > 0.0 || a.speed.max(b.speed) <= limits.near_speed {
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
    /// Whether the circles around two boxes are so near that the boxes may touch, or soon: a cheap question, which
    /// nearly all pairs fail.
    fn may_meet(&self, other: &Self, limits: &Thresholds) -> bool {
        let apart = other.outline.centre - self.outline.centre;
        let way = limits.near_gap.max((self.speed + other.speed) * limits.near_time).max(0.0);
        // Rounding moves nothing by a millimetre.
        let reach = self.radius + other.radius + way + 0.001;
        apart.norm_squared() <= reach * reach || !apart.norm_squared().is_finite()
    }

    fn is_attached_to(&self, other: &Self) -> bool {
        self.actor.parent == Some(other.body) || other.actor.parent == Some(self.body)
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
