//! Channel names with a prefix.

use std::{collections::HashMap, sync::Arc};

/// Channel names with a prefix.
#[derive(Debug)]
pub(super) struct Names {
    below: Option<String>,
    known: HashMap<Arc<str>, Arc<str>>,
}

impl Names {
    /// Prefixes channels with this name and a slash; `None` leaves them.
    pub(super) fn new(below: Option<String>) -> Self {
        Self { below, known: HashMap::new() }
    }

    /// Whether no channel gets another name.
    pub(super) const fn is_empty(&self) -> bool {
        self.below.is_none()
    }

    /// New name of a channel, if it changes.
    pub(super) fn new_name(&mut self, channel: &Arc<str>) -> Option<Arc<str>> {
        let below = self.below.as_ref()?;
        if let Some(name) = self.known.get(channel) {
            return Some(Arc::clone(name));
        }
        let name: Arc<str> = format!("{below}/{channel}").into();
        self.known.insert(Arc::clone(channel), Arc::clone(&name));
        Some(name)
    }
}
