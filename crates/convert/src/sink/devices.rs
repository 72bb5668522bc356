//! Numbers for the channels of points: files of points have no place for names in a point.

use std::{collections::HashMap, sync::Arc};

/// The channels that points came from, numbered from 1 on in the order of their first points.
#[derive(Debug, Default)]
pub(super) struct Devices {
    numbers: HashMap<Arc<str>, u16>,
    names: Vec<Arc<str>>,
}

impl Devices {
    /// The number of a channel, which is a new one if there is any left of the 65 535.
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
