//! Samples that are in memory, read as a recording is.

use std::vec;

use robolog_core::Sample;

use super::{Outlet, Reading, Steps};
use crate::{Report, Result};

/// Samples that are there already.
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
    fn step(&mut self, outlet: &mut dyn Outlet) -> Result<bool> {
        let Some(mut sample) = self.samples.next() else { return Ok(false) };
        self.reading.offer(&mut sample, outlet)?;
        Ok(true)
    }

    fn end(self: Box<Self>) -> Report {
        self.reading.end()
    }
}
