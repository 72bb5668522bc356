//! Trajectories in recordings: a file of one trajectory holds one of them.

use crate::{
    Feed, Outcome, Result, convert, sink,
    trajectory::{Counter, Trajectory, pose},
};

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
