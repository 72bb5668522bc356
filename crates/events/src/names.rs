//! Numbers for names.

use std::{collections::HashMap, sync::Arc};

use crate::FOLLOWED;

/// Names by number, in order of appearance, so that what is known of each is a vector.
#[derive(Debug, Default)]
pub(crate) struct Names {
    list: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, usize>,
    /// The latest names by address: readers share the name of a channel.
    latest: Vec<Option<(Arc<str>, usize)>>,
}

/// Number of names found by address.
const LATEST: usize = 4096;

impl Names {
    /// The number of a shared name; `None` if there are too many.
    #[inline]
    pub(crate) fn of_shared(&mut self, name: &Arc<str>) -> Option<usize> {
        let slot = (Arc::as_ptr(name).cast::<u8>().addr() >> 4) % LATEST;
        if let Some(Some((known, number))) = self.latest.get(slot)
            && Arc::ptr_eq(known, name)
        {
            return Some(*number);
        }
        let number = self.of(name)?;
        self.latest.resize(LATEST, None);
        if let Some(latest) = self.latest.get_mut(slot) {
            *latest = Some((Arc::clone(name), number));
        }
        Some(number)
    }

    /// The number of a name; `None` if there are too many.
    pub(crate) fn of(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let number = self.list.len();
        if number >= FOLLOWED {
            return None;
        }
        let name: Arc<str> = name.into();
        self.list.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        Some(number)
    }

    /// The name with this number.
    pub(crate) fn get(&self, number: usize) -> &str {
        self.list.get(number).map_or("", |name| name)
    }

    /// All numbers, in order of their names.
    pub(crate) fn sorted(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.list.len()).collect();
        numbers.sort_by_key(|number| self.get(*number));
        numbers
    }
}

/// What is known of a number, made on first use.
pub(crate) fn at<T: Default>(known: &mut Vec<T>, number: usize) -> &mut T {
    if known.len() <= number {
        known.resize_with(number + 1, T::default);
    }
    #[expect(clippy::indexing_slicing, reason = "the vector is longer than that")]
    &mut known[number]
}

#[test]
fn names_are_found_by_text_and_by_address() {
    let mut names = Names::default();
    let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
    assert_eq!((names.of_shared(&b), names.of_shared(&a), names.of_shared(&b)), (Some(0), Some(1), Some(0)));
    assert_eq!((names.of("a"), names.of_shared(&"b".into()), names.of("c")), (Some(1), Some(0), Some(2)));
    assert_eq!((names.get(1), names.sorted()), ("a", vec![1, 0, 2]));
}
