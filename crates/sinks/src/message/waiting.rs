//! Samples without a time before the first time.

use std::{collections::HashMap, mem};

use robolog_core::{Sample, Value};

use crate::weight;

/// Samples waiting for a time. Stamped 1970, they would make a recording of minutes span decades.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    samples: Vec<Sample>,
    weight: usize,
    is_over: bool,
}

/// Maximum bytes of waiting samples. A recording without times then starts at time 0.
const MOST: usize = 16 << 20;

impl Waiting {
    /// Starts empty; if `is_over`, no sample will wait.
    pub(super) fn none(is_over: bool) -> Self {
        Self { is_over, ..Self::default() }
    }

    /// Whether no sample waits.
    pub(super) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Whether samples no longer wait.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Keeps a sample; returns `false`, without keeping it, once there are too many.
    pub(super) fn take(&mut self, sample: &Sample) -> bool {
        if self.is_over {
            return false;
        }
        self.weight += weight::of_value(&sample.value);
        self.is_over = self.weight > MOST;
        if !self.is_over {
            self.samples.push(sample.clone());
        }
        !self.is_over
    }

    /// Returns all samples in order. Of several transforms that place a frame, only the last remains: the user's come
    /// after the recording's and replace them.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Sample> + use<> {
        self.is_over = true;
        let samples = mem::take(&mut self.samples);
        let mut last = HashMap::new();
        for (i, sample) in samples.iter().enumerate() {
            if let Value::Transform(transform) = &sample.value {
                last.insert(transform.child_frame_id.clone(), i);
            }
        }
        samples.into_iter().enumerate().filter_map(move |(i, sample)| {
            let Value::Transform(transform) = &sample.value else { return Some(sample) };
            let child = &transform.child_frame_id;
            if last.get(child) == Some(&i) {
                return Some(sample);
            }
            tracing::info!(frame = child, parent = &*sample.frame_id, "replaced by a later transform");
            None
        })
    }
}
