//! Samples that were read and are not written yet.

use std::mem;

use robolog_core::{PointCloud, Sample, Timestamp, Value};

use crate::{Origin, Result, weight};

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
    /// Whether the samples were written at once, so that their values can go back to the sampler.
    pub(crate) is_written: bool,
    /// Bytes of memory that the samples take.
    weight: usize,
    /// Cleared clouds for the next samples.
    spare: Vec<PointCloud>,
}

/// Empties a batch that is full. Returns the error of the consumer.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&mut Batch) -> Result<()>;

impl Batch {
    pub(crate) fn push(&mut self, sample: Sample, start: Option<Timestamp>) {
        self.weight = self.weight.saturating_add(weight::of_value(&sample.value));
        self.samples.push((sample, start));
    }

    /// Takes a sample that is lent. In place of a cloud it leaves a spare one, if any.
    pub(crate) fn take(&mut self, sample: &mut Sample) -> Sample {
        let spare = if matches!(sample.value, Value::PointCloud(_)) { self.spare.pop() } else { None };
        let taken = sample.take();
        if let Some(cloud) = spare {
            sample.value = Value::PointCloud(cloud);
        }
        taken
    }

    /// Bytes of memory that the samples take.
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Returns the value of a sample that was written at once, so that the sampler reuses its memory.
    pub(crate) fn give_back(&mut self, value: &mut Value) {
        if !mem::take(&mut self.is_written) {
            return;
        }
        if let Some((sample, _)) = self.samples.pop() {
            *value = sample.value;
        }
        self.clear();
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
