//! State of each channel, with fast lookup.

use std::{collections::HashMap, sync::Arc};

/// One item per channel, by name.
#[derive(Debug)]
pub(super) struct Known<T> {
    items: Vec<T>,
    by_name: HashMap<Arc<str>, usize>,
    /// Recent names by address: a reader uses one name for all samples of a channel. Holding the name keeps its
    /// address unique.
    lately: Vec<Option<(Arc<str>, usize)>>,
    most: usize,
}

/// Number of names cached by address.
const LATELY: usize = 4096;

impl<T> Known<T> {
    /// Creates a map for at most `most` channels.
    pub(super) fn new(most: usize) -> Self {
        Self { items: Vec::new(), by_name: HashMap::new(), lately: vec![None; LATELY], most }
    }

    /// The item of a channel, created on first use; `None` beyond the maximum.
    pub(super) fn get_or_insert_with(&mut self, name: &Arc<str>, make: impl FnOnce() -> T) -> Option<&mut T> {
        // Addresses of small allocations are multiples of 16.
        let place = (Arc::as_ptr(name).cast::<u8>().addr() >> 4) % LATELY;
        let lately = self.lately.get_mut(place)?;
        let at = match lately {
            Some((known, at)) if Arc::ptr_eq(known, name) => *at,
            _ => {
                let at = match self.by_name.get(name) {
                    Some(at) => *at,
                    None if self.items.len() >= self.most => return None,
                    None => {
                        self.items.push(make());
                        self.by_name.insert(Arc::clone(name), self.items.len() - 1);
                        self.items.len() - 1
                    }
                };
                *lately = Some((Arc::clone(name), at));
                at
            }
        };
        self.items.get_mut(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_is_found_by_its_name_wherever_that_lies() {
        let mut known = Known::new(2);
        for round in 0..3 {
            for (n, name) in ["a", "b", "c"].into_iter().enumerate() {
                // Another address each time.
                let found = known.get_or_insert_with(&Arc::from(name), || n).copied();
                assert_eq!(found, (n < 2).then_some(n), "round {round}");
            }
        }
    }

    #[test]
    fn many_names_do_not_shadow_each_other() {
        let mut known = Known::new(20_000);
        let names: Vec<Arc<str>> = (0..20_000).map(|n| Arc::from(n.to_string())).collect();
        for _ in 0..2 {
            for (n, name) in names.iter().enumerate() {
                assert_eq!(known.get_or_insert_with(name, || n), Some(&mut { n }));
            }
        }
    }
}
