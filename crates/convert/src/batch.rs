//! Samples that were read and are not written yet.

use robolog_core::{PointCloud, Sample, Timestamp, Value};
use robolog_sinks::weight;

use crate::{Origin, Result};

/// Maximum bytes of the clouds that a batch keeps for reuse.
const SPARE: usize = 1 << 20;

/// Samples of one recording, in its order. A reader fills the batch, and the plan and the sink work on its samples in place.
///
/// Batches are reused with their clouds: fresh memory costs more than filling it.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Each sample, with the start of its recording as far as known when it was read.
    pub(crate) samples: Vec<(Sample, Option<Timestamp>)>,
    /// Position of the reader in the input, bytes.
    pub(crate) position: u64,
    /// The recording; only in its first batch.
    pub(crate) origin: Option<Origin>,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Cleared clouds for the next samples.
    spare: Vec<PointCloud>,
}

/// Takes a sample that is lent, with the start of its recording as far as known: moves it into the batch, or writes it at
/// once. Returns the error of the consumer.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&mut Batch, &mut Sample, Option<Timestamp>) -> Result<()>;

impl Batch {
    /// Moves a sample that is lent into the batch. In place of a cloud it leaves a spare one, if any.
    pub(crate) fn push(&mut self, lent: &mut Sample, start: Option<Timestamp>) {
        let spare = if matches!(lent.value, Value::PointCloud(_)) { self.spare.pop() } else { None };
        self.weight = self.weight.saturating_add(weight::of_value(&lent.value));
        self.samples.push((lent.take(), start));
        if let Some(cloud) = spare {
            lent.value = Value::PointCloud(cloud);
        }
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all samples, and keeps clouds that the sink has not taken.
    pub(crate) fn clear(&mut self) {
        let mut held: usize = self.spare.iter().map(weight::of_cloud).sum();
        for (sample, _) in self.samples.drain(..) {
            let Value::PointCloud(mut cloud) = sample.value else { continue };
            let weight = weight::of_cloud(&cloud);
            if weight > 0 && held.saturating_add(weight) <= SPARE {
                held = held.saturating_add(weight);
                cloud.clear();
                self.spare.push(cloud);
            }
        }
        self.weight = 0;
        self.origin = None;
    }
}
