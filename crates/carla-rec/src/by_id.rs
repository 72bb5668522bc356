//! Values by actor id, for millions of lookups.

use robolog_core::slices::InRange as _;
use std::collections::HashMap;

/// A map. Small ids, which are nearly all, need no search.
#[derive(Debug, Clone)]
pub(crate) struct ById<T> {
    /// Boxed, as a single record can create all of them.
    near: Vec<Option<Box<T>>>,
    far: HashMap<u32, T>,
    len: usize,
}

const NEAR: usize = 1 << 14;

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self { near: Vec::new(), far: HashMap::new(), len: 0 }
    }
}

impl<T> ById<T> {
    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        match place(id) {
            Some(place) => self.near.get(place)?.as_deref(),
            None => self.far.get(&id),
        }
    }

    pub(crate) fn get_or_insert_with(&mut self, id: u32, value: impl FnOnce() -> T) -> &mut T {
        if let Some(place) = place(id)
            && self.near.len() <= place
        {
            self.near.resize_with(place.plus(1), || None);
        }
        let len = &mut self.len;
        let value = || {
            *len = len.plus(1);
            value()
        };
        match place(id).and_then(|place| self.near.get_mut(place)) {
            Some(slot) => slot.get_or_insert_with(|| Box::new(value())),
            None => self.far.entry(id).or_insert_with(value),
        }
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<T> {
        let removed = match place(id) {
            Some(place) => self.near.get_mut(place)?.take().map(|value| *value),
            None => self.far.remove(&id),
        };
        self.len = self.len.minus(usize::from(removed.is_some()));
        removed
    }

    /// Removes the values for which `keep` returns false.
    pub(crate) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for slot in &mut self.near {
            slot.take_if(|value| !keep(value));
        }
        self.far.retain(|_, value| keep(value));
        self.len = self.near.iter().flatten().count().plus(self.far.len());
    }

    /// Values in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let near = (0..).zip(&self.near).filter_map(|(id, value)| Some((id, value.as_deref()?)));
        near.chain(self.far.iter().map(|(id, value)| (*id, value)))
    }
}

/// Index of a small id.
fn place(id: u32) -> Option<usize> {
    usize::try_from(id).ok().filter(|place| *place < NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_numbers_are_found_and_forgotten() {
        let mut map = ById::default();
        for id in [7, 16_383, 16_384, u32::MAX] {
            assert_eq!(map.get(id), None);
            *map.get_or_insert_with(id, || 1) += id / 2;
            assert_eq!(*map.get_or_insert_with(id, || 0), 1 + id / 2);
        }
        let mut all: Vec<_> = map.iter().map(|(id, value)| (id, *value)).collect();
        all.sort_unstable();
        assert_eq!(all, [(7, 4), (16_383, 8192), (16_384, 8193), (u32::MAX, 1 << 31)]);
        assert_eq!((map.remove(7), map.remove(16_384), map.remove(8)), (Some(4), Some(8193), None));
        assert_eq!((map.iter().count(), map.len()), (2, 2));
        map.retain(|value| *value > 8192);
        assert_eq!((map.get(16_383), map.get(u32::MAX), map.len()), (None, Some(&(1 << 31)), 1));
    }
}
