//! State on which the next messages depend, to write them again from there.

use robolog_core::PointCloud;

use super::{
    Container, Messages, encoder::Encoder, scene::Scene, stamp::Times, topics::Topics, waiting::Waiting,
};

/// State on which the next messages depend, beside topics and frames.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    times: Times,
    scene: Scene,
    is_waiting_over: bool,
}

impl Progress {
    /// Approximate memory, as a number of small values.
    pub(crate) fn weight(&self) -> usize {
        self.scene.len() + 1
    }
}

impl<C: Container> Messages<C> {
    /// Returns the state; `None` while samples wait for a time.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let progress = Progress {
            times: self.times.clone(),
            scene: self.scene.clone(),
            is_waiting_over: self.waiting.is_over(),
        };
        self.waiting.is_empty().then_some(progress)
    }

    /// Continues from `progress` with a new `encoder`, and the same topics and frames.
    pub(crate) fn resumed(&self, progress: &Progress, encoder: Box<dyn Encoder>) -> Self
    where
        C: Clone,
    {
        let Progress { times, scene, is_waiting_over } = progress.clone();
        Self {
            topics: Topics::clone(&self.topics),
            encoder,
            origins: Vec::new(),
            warnings: Vec::new(),
            has_scan_points: self.has_scan_points,
            times,
            scene,
            points: PointCloud::default(),
            frames: self.frames.clone(),
            waiting: Waiting::none(is_waiting_over),
            lost: 0,
            advice: None,
        }
    }

    pub(crate) fn file(&self) -> &C {
        self.topics.file()
    }

    pub(crate) fn file_mut(&mut self) -> &mut C {
        self.topics.file_mut()
    }
}
