//! Files of one trajectory, a pose per line.

use std::{io::Write, sync::Arc};

#[cfg(any(feature = "to-kitti", feature = "to-tum"))]
use robolog_core::{Clock, Timestamp};
use robolog_core::{Pose, Sample};

use super::text::Put;
use crate::{
    Error, Outcome, Result, Sink,
    trajectories::{self, Counter},
};

/// Writes the poses of one channel, one per line; `F` is the form of a line.
#[derive(Debug)]
pub struct Poses<W, F> {
    out: W,
    form: F,
    line: Vec<u8>,
    /// The first channel with a pose.
    channel: Option<Arc<str>>,
    trajectories: Counter,
}

/// Form of a line.
pub trait Form: Default {
    /// Separates numbers.
    const SEPARATOR: u8 = b' ';

    /// Start of a line; `None` leaves the sample out.
    fn start(sample: &Sample) -> Option<String>;

    /// Numbers after the start.
    fn numbers(&mut self, sample: &Sample, pose: &Pose) -> impl IntoIterator<Item = f64>;

    /// Lines before the first pose, called after its numbers.
    fn header(&self) -> String {
        String::new()
    }
}

impl<W: Write, F: Form> Poses<W, F> {
    /// Creates a trajectory on `out`.
    pub fn new(out: W) -> Self {
        let (line, trajectories) = (Vec::new(), Counter::default());
        Self { out, form: F::default(), line, channel: None, trajectories }
    }

    /// Completes the file and returns the target. Returns an error if several channels have poses: the file cannot
    /// choose one.
    pub fn into_inner(mut self) -> Result<W> {
        self.trajectories.single().map_err(Error::SeveralTrajectories)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write, F: Form> Sink for Poses<W, F> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(pose) = trajectories::pose(sample) else { return Ok(Outcome::LeftOut) };
        let Some(start) = F::start(sample) else { return Ok(Outcome::LeftOut) };
        self.trajectories.push(&sample.channel, pose);
        let is_first = self.channel.is_none();
        if *self.channel.get_or_insert_with(|| Arc::clone(&sample.channel)) != sample.channel {
            return Ok(Outcome::LeftOut);
        }
        self.line.clear();
        self.line.extend_from_slice(start.as_bytes());
        for (i, number) in self.form.numbers(sample, pose).into_iter().enumerate() {
            if i > 0 || !start.is_empty() {
                self.line.push(F::SEPARATOR);
            }
            number.put(&mut self.line);
        }
        self.line.push(b'\n');
        if is_first {
            self.out.write_all(self.form.header().as_bytes())?;
        }
        self.out.write_all(&self.line)?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

/// Nanoseconds as decimal seconds, exact.
#[cfg(any(feature = "to-kitti", feature = "to-tum"))]
pub(super) fn seconds(nanos: i64) -> String {
    Timestamp::new(nanos, Clock::Relative).to_string()
}

#[cfg(all(test, any(feature = "to-kitti", feature = "to-tum")))]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let want = [
            (0, "0.000000000"),
            (-1, "-0.000000001"),
            (-1_500_000_000, "-1.500000000"),
            (1_700_000_000_123_456_789, "1700000000.123456789"),
            (i64::MIN, "-9223372036.854775808"),
        ];
        for (nanos, text) in want {
            assert_eq!(seconds(nanos), text);
        }
    }
}
