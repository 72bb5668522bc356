//! Trajectories in recordings: a file of one trajectory holds one of them.

use std::collections::BTreeMap;

use robolog_core::Limits;
use robolog_sinks::{
    op::{Collected, Poses},
    trajectories::{Counter, Trajectory, pose},
};

use crate::{Feed, Outcome, Report, Result, convert, deliver, sink};

/// Returns all trajectories of `feeds`, the longest first. Reads the feeds to their end.
///
/// Returns an error if there is none.
///
/// ```
/// use robolog_convert::{Feed, Input, trajectories};
/// let input = Input::open("examples/v0_9_15.log")?;
/// for trajectory in trajectories(vec![Feed::new(input)], &mut |_| {})? {
///     println!("{}: {} poses, {:.1} m", trajectory.channel, trajectory.poses, trajectory.length);
/// }
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn trajectories(feeds: Vec<Feed>, progress: &mut dyn FnMut(u64)) -> Result<Vec<Trajectory>> {
    let mut counter = Counter::default();
    {
        let mut count = sink::from_fn(|sample| {
            let Some(pose) = pose(sample) else { return Ok(Outcome::LeftOut) };
            counter.push(&sample.channel, pose);
            Ok(Outcome::Written)
        });
        convert(feeds, &mut count, progress)?;
    }
    Ok(counter.into_trajectories())
}

/// Takes the poses and odometry of one channel, and reads the recordings to their end. The report has the damage, and
/// the poses left out because they have no time or are not finite; it does not count other samples.
///
/// Returns an error if there are no poses, poses of several channels or clocks, or too many, as
/// [`Poses::from_tum`] does.
pub fn poses(feeds: Vec<Feed>, limits: Limits) -> Result<(Poses, Report)> {
    let mut collected = Collected::new(limits);
    let read = deliver(feeds, &mut collected, &mut |_| {})?;
    let (poses, left_out) = collected.into_poses()?;
    let mut report = Report { left_out: BTreeMap::new(), left_out_of: BTreeMap::new(), ..read };
    if let Some(note) = left_out {
        report.note(note);
    }
    Ok((poses, report))
}
