//! Keeps every n-th point.

use std::num::NonZeroUsize;

use robolog_core::Sample;

use super::{Step, cloud};
use crate::Result;

/// Keeps the first point of each cloud and every n-th after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Every(pub NonZeroUsize);

impl Step for Every {
    fn name(&self) -> &'static str {
        "every"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if let Some(cloud) = cloud(sample) {
            cloud.retain(|i| i.is_multiple_of(self.0.get()));
        }
        Ok(true)
    }
}
