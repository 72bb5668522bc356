//! CARLA simulator recordings: one actor per trajectory.

use std::{
    collections::{HashMap, HashSet},
    io::Write,
    sync::Arc,
};

use ::carla_rec::{ActorKind, Header, NewActor, Recorder, Release};
use robolog_core::{Clock, Odometry, Pose, Sample, Timestamp, Twist, Value};

pub use super::CarlaOptions;
use super::{Holds, Lacks, TargetSpec, takes};
use crate::{Advice, Error, Outcome, Result, Sink};

/// CARLA simulator recordings.
pub static CARLA_REC: TargetSpec = TargetSpec {
    name: "carla-rec",
    extensions: &["log"],
    about: "a recording of the CARLA simulator: an actor for each trajectory",
    holds: Holds::Trajectories,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::timed_poses,
    instead: takes::no_advice,
    open: |out, opening| Ok(Box::new(CarlaRec::new(out, opening.options.carla.clone()))),
};

/// Writes the poses of each channel as a vehicle, in the format of CARLA 0.9.15.
///
/// Right-handed metres become Unreal's centimetres and degrees in single precision; beyond 100 km this loses some
/// centimetres. A frame holds the poses of one time; an actor appears in the frame of its first pose, with the channel
/// as its `role_name`. Channels `actor_N/...` keep their numbers. A finite linear velocity in odometry is written too,
/// rotated into the world axes, with 0 for unknown rates.
///
/// The recording's date is Unix time in whole seconds, at or before the first pose; 1970 for other clocks. Poses
/// without a time, earlier than the current frame, on another clock than the first, repeated by a channel within a
/// frame, or with numbers that are not finite are left out, as are other kinds. Up to 65 535 actors are written.
#[derive(Debug)]
pub struct CarlaRec<W: Write> {
    state: State<W>,
    options: CarlaOptions,
    actors: HashMap<Arc<str>, Actor>,
    numbers: HashSet<u32>,
    next: u32,
    advice: Option<Advice>,
}

#[derive(Debug)]
enum State<W: Write> {
    Waiting(Option<W>),
    Open { recorder: Box<Recorder<W>>, zero: Timestamp, elapsed: Option<f64> },
}

#[derive(Debug, Clone, Copy)]
struct Actor {
    id: u32,
    /// Time of the frame with its last pose, seconds.
    elapsed: f64,
}

/// Maximum number of actors.
const ACTORS: usize = 65_535;

impl<W: Write> CarlaRec<W> {
    /// Creates a recording on `out`.
    pub fn new(out: W, options: CarlaOptions) -> Self {
        Self {
            state: State::Waiting(Some(out)),
            options,
            actors: HashMap::new(),
            numbers: HashSet::new(),
            next: 1,
            advice: None,
        }
    }

    /// Completes the recording and returns the target; `None` after a failure.
    pub fn into_inner(self) -> Result<Option<W>> {
        match self.state {
            State::Waiting(out) => Ok(out),
            State::Open { recorder, .. } => recorder.finish().map(Some).map_err(Error::written),
        }
    }

    /// Starts the recording at the first pose.
    fn open(&mut self, time: Timestamp, frame_id: &str) -> Result<()> {
        let State::Waiting(out) = &mut self.state else { return Ok(()) };
        let Some(out) = out.take() else { return Ok(()) };
        let (seconds, _) = if time.clock() == Clock::Unix { time.secs_and_nanos() } else { (0, 0) };
        let zero = Timestamp::new(seconds.saturating_mul(1_000_000_000), time.clock());
        let map = self.options.map.clone().unwrap_or_else(|| frame_id.to_owned());
        let recorder =
            Recorder::new(out, &Header::new(map, zero, Release::V0_9_15)).map_err(Error::written)?;
        self.state = State::Open { recorder: Box::new(recorder), zero, elapsed: None };
        Ok(())
    }

    /// Returns the number in the channel's name, or the next free one.
    fn number(&mut self, channel: &str) -> u32 {
        let own = channel.strip_prefix("actor_").and_then(|rest| rest.split('/').next()?.parse().ok());
        if let Some(own) = own.filter(|own| self.numbers.insert(*own)) {
            return own;
        }
        while !self.numbers.insert(self.next) {
            self.next = self.next.wrapping_add(1);
        }
        self.next
    }
}

impl<W: Write> Sink for CarlaRec<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time else { return Ok(Outcome::LeftOut) };
        let (pose, twist) = match &sample.value {
            Value::Pose(pose) => (pose, None),
            Value::Odometry(odometry) => (&odometry.pose, velocity(odometry)),
            _ => return Ok(Outcome::LeftOut),
        };
        let is_known = self.actors.contains_key(&sample.channel);
        if !is_finite(pose) || !is_known && self.actors.len() >= ACTORS {
            return Ok(Outcome::LeftOut);
        }
        self.open(time, &sample.frame_id)?;
        let State::Open { zero, elapsed, .. } = &self.state else { return Ok(Outcome::LeftOut) };
        let Some(since) = time.since(*zero) else { return Ok(Outcome::LeftOut) };
        let now = Timestamp::new(since, Clock::Relative).as_secs();
        let last = self.actors.get(&sample.channel).map(|actor| actor.elapsed);
        let is_new = elapsed.is_none_or(|elapsed| now > elapsed);
        if now < 0.0 || elapsed.is_some_and(|elapsed| now < elapsed) || last.is_some_and(|last| now <= last) {
            self.advice = Some(Advice::Other("it takes poses in order of time alone"));
            return Ok(Outcome::LeftOut);
        }
        let known = self.actors.get(&sample.channel).map(|actor| actor.id);
        let id = known.unwrap_or_else(|| self.number(&sample.channel));
        self.actors.insert(Arc::clone(&sample.channel), Actor { id, elapsed: now });
        let State::Open { recorder, elapsed, .. } = &mut self.state else { return Ok(Outcome::LeftOut) };
        *elapsed = Some(now);
        let mut record = || {
            if is_new {
                recorder.begin_frame(now)?;
            }
            if known.is_none() {
                let actor = NewActor::new(id, ActorKind::VEHICLE, &*self.options.blueprint).at(pose);
                let actor = actor.attribute("role_name", &*sample.channel).attribute("number_of_wheels", "4");
                recorder.add(&actor)?;
            }
            recorder.pose(id, pose)?;
            twist.as_ref().map_or(Ok(()), |twist| recorder.velocity(id, twist))
        };
        record().map_err(Error::written)?;
        Ok(Outcome::Written)
    }

    fn advice(&self) -> Option<Advice> {
        self.advice
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// Velocity in world axes.
fn velocity(odometry: &Odometry) -> Option<Twist> {
    let twist = odometry.twist.filter(|twist| twist.linear.iter().all(|v| v.is_finite()))?;
    let angular = twist.angular.map(|v| if v.is_finite() { v } else { 0.0 });
    let turn = odometry.pose.orientation;
    Some(Twist { linear: turn.transform_vector(&twist.linear), angular: turn.transform_vector(&angular) })
}

fn is_finite(pose: &Pose) -> bool {
    pose.position.iter().chain(pose.orientation.coords.iter()).all(|v| v.is_finite())
}
