//! Samples in memory, read like a recording.

use std::vec;

use robolog_core::Sample;

use super::{Reading, Steps};
use crate::{
    Report, Result,
    batch::{Batch, Take},
};

/// Samples in memory.
pub(super) struct Given {
    samples: vec::IntoIter<Sample>,
    reading: Reading,
}

impl Given {
    pub(super) fn new(samples: Vec<Sample>, reading: Reading) -> Self {
        Self { samples: samples.into_iter(), reading }
    }
}

impl Steps for Given {
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool> {
        let Some(mut sample) = self.samples.next() else { return Ok(false) };
        self.reading.put(&mut sample, batch, take)?;
        Ok(true)
    }

    fn end(self: Box<Self>) -> Report {
        self.reading.end()
    }
}
