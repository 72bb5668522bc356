//! Whether frames have the states of the traffic lights.

use crate::{ActorKind, Addition, by_id::ById};

/// The traffic lights that exist, and whether the current frame has their states.
#[derive(Debug, Default)]
pub(super) struct Lights {
    there: ById<()>,
    has_states: bool,
}

impl Lights {
    pub(super) fn begin_frame(&mut self) {
        self.has_states = false;
    }

    pub(super) fn add(&mut self, addition: &Addition<'_>) {
        if addition.kind == ActorKind::TRAFFIC_LIGHT {
            self.there.get_or_insert_with(addition.id, || ());
        } else {
            self.there.remove(addition.id);
        }
    }

    pub(super) fn remove(&mut self, id: u32) {
        self.there.remove(id);
    }

    pub(super) fn take_states(&mut self) {
        self.has_states = true;
    }

    /// Whether there are lights, but no states.
    pub(super) fn are_missing(&self) -> bool {
        !self.has_states && self.there.len() > 0
    }
}
