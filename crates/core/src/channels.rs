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
    /// Those seen last, which are found without a search.
    recent: Vec<Option<Arc<str>>>,
    most: usize,
}

impl ChannelNames {
    /// Remembers up to `most` names: a log may invent one on every line.
    pub fn new(most: usize) -> Self {
        Self { names: HashMap::new(), recent: Vec::new(), most }
    }

    /// The shared name. Invalid UTF-8 becomes U+FFFD.
    pub fn share(&mut self, name: &[u8]) -> Arc<str> {
        let slot = slot(name);
        if let Some(Some(known)) = self.recent.get(slot)
            && known.as_bytes() == name
        {
            return Arc::clone(known);
        }
        let shared = self.search(name);
        self.recent.resize(RECENT, None);
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = Some(Arc::clone(&shared));
        }
        shared
    }

    fn search(&mut self, name: &[u8]) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        if self.names.len() >= self.most {
            self.names.clear();
            self.recent.clear();
        }
        let shared: Arc<str> = String::from_utf8_lossy(name).into();
        self.names.insert(name.to_vec(), Arc::clone(&shared));
        shared
    }
}

/// Number of names seen last.
pub(crate) const RECENT: usize = 256;

/// A number below [`RECENT`] from the ends of a name: of channels, the beginning or the end differs.
#[inline]
pub(crate) fn slot(name: &[u8]) -> usize {
    let [head, tail] = match (name.first_chunk(), name.last_chunk()) {
        (Some(head), Some(tail)) => [head, tail].map(|chunk| u64::from_le_bytes(*chunk)),
        _ => [name.iter().fold(0, |ends, byte| ends << 8 | u64::from(*byte)); 2],
    };
    let ends = head ^ tail.rotate_left(29) ^ name.len() as u64;
    let [.., high] = ends.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    high.into()
}
