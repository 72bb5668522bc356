//! Interned channel names.

use std::{collections::HashMap, sync::Arc};

/// The channel names a sampler has seen. All samples of a channel share one allocation.
///
/// ```
/// let mut names = robolog_core::format::ChannelNames::new(1000);
/// let (first, second) = (names.share(b"NAV_X"), names.share(b"NAV_X"));
/// assert!(std::sync::Arc::ptr_eq(&first, &second));
/// ```
#[derive(Debug, Clone)]
pub struct ChannelNames {
    names: HashMap<Vec<u8>, Arc<str>>,
    most: usize,
}

impl ChannelNames {
    /// Remembers up to `most` names: a log may invent one on every line.
    pub fn new(most: usize) -> Self {
        Self { names: HashMap::new(), most }
    }

    /// The shared name. Invalid UTF-8 becomes U+FFFD.
    pub fn share(&mut self, name: &[u8]) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        if self.names.len() >= self.most {
            self.names.clear();
        }
        let shared: Arc<str> = String::from_utf8_lossy(name).into();
        self.names.insert(name.to_vec(), Arc::clone(&shared));
        shared
    }
}
