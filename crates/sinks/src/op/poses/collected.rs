//! Poses of recordings, collected as their samples come.

use std::sync::Arc;

use robolog_core::{Clock, Limits, Pose, Sample, Value};

use super::{Found, Poses, invalid};
use crate::{
    Note, Outcome, Result, Sink,
    trajectories::{self, Counter, pose},
};

/// Collects the poses and odometry of one channel, as a sink.
///
/// Returns an error for times of several clocks, and for more poses than fit, as [`Poses::from_tum`] does.
#[derive(Debug)]
pub struct Collected {
    found: Found,
    counter: Counter,
    fixes: u64,
    unfit: u64,
    clock: Option<Clock>,
    frame_id: Option<Arc<str>>,
    body: Option<String>,
}

impl Collected {
    /// Collects as many poses as fit into the maximum size of a record in `limits`.
    pub fn new(limits: Limits) -> Self {
        let found = Found::new(limits);
        Self {
            found,
            counter: Counter::default(),
            fixes: 0,
            unfit: 0,
            clock: None,
            frame_id: None,
            body: None,
        }
    }

    /// The poses, and a note on those left out because they have no time or are not finite.
    ///
    /// Returns an error if there are no poses, or poses of several channels.
    pub fn into_poses(self) -> Result<(Poses, Option<Note>)> {
        let Self { found, counter, fixes, unfit, clock, frame_id, body } = self;
        let all = counter.into_trajectories();
        if all.len() > 1 {
            return Err(invalid(format!(
                "several channels have poses; name one:{}",
                trajectories::list(&all)
            )));
        }
        if all.is_empty() && fixes > 0 {
            let why = "it has GNSS fixes only: these say where the sensor was, and not how it was turned";
            return Err(invalid(why.into()));
        }
        let frame_id = frame_id.filter(|frame| !frame.is_empty()).unwrap_or_else(|| "map".into());
        let poses = Poses::of(found.list, clock, frame_id, body.filter(|body| !body.is_empty()))?;
        Ok((poses, Note::unfit(unfit, "pose", "no time, or numbers that are not finite")))
    }
}

impl Sink for Collected {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.fixes += u64::from(matches!(sample.value, Value::GnssFix(_)));
        let Some(pose) = pose(sample) else { return Ok(Outcome::LeftOut) };
        self.counter.push(&sample.channel, pose);
        let Pose { position, orientation } = pose;
        let is_finite = position.iter().chain(orientation.coords.iter()).all(|v| v.is_finite());
        let Some(time) = sample.time.filter(|_| is_finite) else {
            self.unfit += 1;
            return Ok(Outcome::LeftOut);
        };
        if *self.clock.get_or_insert(time.clock()) != time.clock() {
            return Err(invalid("its times are of several clocks".into()));
        }
        self.frame_id.get_or_insert_with(|| Arc::clone(&sample.frame_id));
        if let Value::Odometry(odometry) = &sample.value {
            self.body.get_or_insert_with(|| odometry.child_frame_id.clone());
        }
        self.found.push(time.nanos(), pose.isometry())?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
