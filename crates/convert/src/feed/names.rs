//! The names of channels below another name.

use std::{collections::HashMap, sync::Arc};

/// The names of channels below another name.
#[derive(Debug)]
pub(super) struct Names {
    below: Option<String>,
    known: HashMap<Arc<str>, Arc<str>>,
}

impl Names {
    /// Below this name, or as they are.
    pub(super) fn new(below: Option<String>) -> Self {
        Self { below, known: HashMap::new() }
    }

    /// The new name of a channel, where it has one.
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
