//! Groups of sentences in TAG blocks: the first one has the time of all.

use crate::prefix::Prefix;

/// The groups whose last sentence is still to come.
#[derive(Debug, Default)]
pub(super) struct Groups {
    open: Vec<(Vec<u8>, i64)>,
}

/// Maximum number of groups, and of bytes of an identifier.
const GROUPS: usize = 8;
const ID: usize = 32;

impl Groups {
    /// The time of a sentence: its own, or that of its group.
    pub(super) fn time(&mut self, own: Option<i64>, prefix: Option<Prefix<'_>>) -> Option<i64> {
        let Some(group) = prefix.and_then(|prefix| prefix.group).filter(|group| group.id.len() <= ID) else {
            return own;
        };
        let known = self.open.iter().position(|(id, _)| id == group.id);
        let time = own.or_else(|| self.open.get(known?).map(|(_, time)| *time));
        if let Some(at) = known {
            self.open.remove(at);
        }
        if let Some(time) = time.filter(|_| !group.is_last) {
            // The oldest one is never completed.
            if self.open.len() >= GROUPS {
                self.open.remove(0);
            }
            self.open.push((group.id.to_vec(), time));
        }
        time
    }

    /// Whether a group goes on.
    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }
}
