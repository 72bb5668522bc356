//! The interface of all sinks.

use robolog_core::{Pose, Sample, Timestamp, columns::Column};

use crate::{Advice, Note, Origin, Result};

/// Writes samples to a file.
///
/// ```
/// use robolog_core::{Sample, Value};
/// use robolog_sinks::{Outcome, Result, Sink};
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
/// let value = Value::PointCloud([robolog_core::Point::new(1.0, 2.0, 3.0)].into_iter().collect());
/// let mut sample = Sample::new("points", value).with_frame("lidar");
/// assert_eq!(points.write(&mut sample)?, Outcome::Written);
/// assert_eq!(points.0, 1);
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
pub trait Sink {
    /// Receives the origin of each recording before its first sample. Formats that can store it do.
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        let _ = origin;
        Ok(())
    }

    /// Receives a problem found in the recordings, before the end. Formats that can store it do.
    fn warn(&mut self, warning: &str) {
        let _ = warning;
    }

    /// Sets the start of the recording, before the first sample. Relative times count from it.
    fn begin_at(&mut self, start: Timestamp) {
        let _ = start;
    }

    /// Takes, before a sample, where its frame was in a trajectory, if the caller knows it.
    fn pose(&mut self, pose: Option<Pose>) {
        let _ = pose;
    }

    /// Writes a sample, or reports that the target cannot hold it. May take the value out of the sample.
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome>;

    /// Advice for keeping what was left out, if any.
    fn advice(&self) -> Option<Advice> {
        None
    }

    /// Notes for the user: samples missing in rows, points added as filling, why samples were left out. Called after
    /// the last sample.
    fn notes(&mut self) -> Result<Vec<Note>> {
        Ok(Vec::new())
    }

    /// Columns of the table, if the file does not store their units. Called after the last sample, before
    /// [`finish`](Self::finish).
    fn columns(&mut self) -> Result<Vec<Column>> {
        Ok(Vec::new())
    }

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The result of writing a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Written in full.
    Written,
    /// Written in part. Values left out are removed from the sample; at least one remains.
    Partly {
        /// Number of values left out, such as points of a cloud.
        left_out: u64,
    },
    /// Not written: the target cannot hold it.
    LeftOut,
}

/// Returns a sink that passes each sample to `write`, for programs that inspect samples and write no file.
///
/// ```
/// use robolog_core::{Sample, Value};
/// use robolog_sinks::{Outcome, Sink, from_fn};
/// let mut channels = std::collections::BTreeSet::new();
/// let mut list = from_fn(|sample| {
///     channels.insert(sample.channel.clone());
///     Ok(Outcome::Written)
/// });
/// let value = Value::Scalar(12.5);
/// list.write(&mut Sample::new("DEPTH", value))?;
/// drop(list);
/// assert_eq!(channels.len(), 1);
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
pub fn from_fn<F: FnMut(&mut Sample) -> Result<Outcome>>(write: F) -> FromFn<F> {
    FromFn(write)
}

/// The sink returned by [`from_fn`].
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
