//! What every sink does.

use robolog_core::{Pose, Sample, Timestamp, columns::Column};

use crate::{Advice, Note, Origin, Result};

/// Takes samples and makes a file of them.
///
/// ```
/// use robolog_convert::{Feed, Input, Result, Sink, Outcome, convert};
/// use robolog_core::{Sample, Value};
///
/// /// Counts points.
/// struct Points(usize);
///
/// impl Sink for Points {
///     fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
///         let Value::PointCloud(cloud) = &sample.value else { return Ok(Outcome::LeftOut) };
///         self.0 += cloud.len();
///         Ok(Outcome::Written)
///     }
///
///     fn finish(self: Box<Self>) -> Result<()> {
///         Ok(())
///     }
/// }
///
/// let mut points = Points(0);
/// convert(vec![Feed::new(Input::open("examples/room.lvx")?)], &mut points, &mut |_| {})?;
/// assert_eq!(points.0, 15360);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub trait Sink {
    /// Takes each recording that samples come from, before its first sample: targets with a place for that keep it.
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        let _ = origin;
        Ok(())
    }

    /// Takes, before the end, what went wrong with the recordings: targets with a place for that keep it.
    fn warn(&mut self, warning: &str) {
        let _ = warning;
    }

    /// Says when the recording begins, before a sample: what counts seconds counts them from there.
    fn begin_at(&mut self, start: Timestamp) {
        let _ = start;
    }

    /// Takes, before a sample, where its frame was in a trajectory, if a step of the plan knows it: see
    /// [`Step::pose`](crate::op::Step::pose).
    fn pose(&mut self, pose: Option<Pose>) {
        let _ = pose;
    }

    /// Takes one sample, or says that the target cannot hold it. The value may be taken out of the sample.
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome>;

    /// What the caller could do to have a place for what was left out, if anything.
    fn advice(&self) -> Option<Advice> {
        None
    }

    /// What a user should know of the file: samples that are missing in rows, points that no recording has, why samples were
    /// left out. Called when no sample is left.
    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(Vec::new())
    }

    /// The columns of the table, where the target's file does not hold their units. Called when no sample is
    /// left, before [`finish`](Self::finish).
    fn columns(&mut self) -> Result<Vec<Column>> {
        Ok(Vec::new())
    }

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What became of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the target.
    Written,
    /// It is in the target but for this many of its values, which are removed from the sample; at least one is left.
    Partly {
        /// Values without a place in the target: points of a cloud.
        left_out: u64,
    },
    /// The target has no place for it.
    LeftOut,
}

/// A sink that hands each sample to `write`, for programs that look at samples and make no file.
///
/// ```
/// use robolog_convert::{Feed, Input, Outcome, convert, sink};
/// # let file = lvx::doc::recording();
/// let input = Input::new("memory", Box::new(std::io::Cursor::new(file)))?;
/// let mut channels = std::collections::BTreeSet::new();
/// let mut list = sink::from_fn(|sample| {
///     channels.insert(sample.channel.clone());
///     Ok(Outcome::Written)
/// });
/// convert(vec![Feed::new(input)], &mut list, &mut |_| {})?;
/// drop(list);
/// assert_eq!(channels.len(), 1);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn from_fn<F: FnMut(&mut Sample) -> Result<Outcome>>(write: F) -> FromFn<F> {
    FromFn(write)
}

/// What [`from_fn`] makes.
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

impl<F: FnMut(&mut Sample) -> Result<Outcome>> Sink for FromFn<F> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        (self.0)(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

impl<F> std::fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FromFn").finish_non_exhaustive()
    }
}
