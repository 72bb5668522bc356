//! Numbers for channels: formats that store points cannot store names per point.

use std::{collections::HashMap, sync::Arc};

/// Channels of points, numbered from 1 in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Devices {
    numbers: HashMap<Arc<str>, u16>,
    names: Vec<Arc<str>>,
}

impl Devices {
    /// Returns the number of a channel; `None` once all 65 535 are used.
    pub(super) fn number(&mut self, channel: &Arc<str>) -> Option<u16> {
        if let Some(number) = self.numbers.get(channel) {
            return Some(*number);
        }
        let number = u16::try_from(self.names.len().checked_add(1)?).ok()?;
        self.numbers.insert(Arc::clone(channel), number);
        self.names.push(Arc::clone(channel));
        Some(number)
    }

    /// Numbers and names, in order.
    pub(super) fn list(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.names.iter().map(|name| &**name))
    }
}
