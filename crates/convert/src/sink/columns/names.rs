//! Texts of which there are few, again and again.

use std::{collections::BTreeMap, sync::Arc};

/// Names in runs.
#[derive(Debug, Default)]
pub(in crate::sink) struct Names {
    pub(in crate::sink) list: Vec<Arc<str>>,
    index: BTreeMap<Arc<str>, usize>,
    /// Place in the list, and how often in a row.
    pub(in crate::sink) runs: Vec<(usize, usize)>,
}

impl Names {
    pub(super) fn push(&mut self, name: &str, count: usize) {
        let is = |place: usize| self.list.get(place).is_some_and(|known| **known == *name);
        let mut last = 0_usize;
        if let Some((place, n)) = self.runs.last_mut() {
            if is(*place) {
                *n += count;
                return;
            }
            last = *place;
        }
        // Names come in turns, as of the actors in each frame.
        let likely = [last + 1, 0].into_iter().find(|place| is(*place));
        let place = likely.or_else(|| self.index.get(name).copied()).unwrap_or_else(|| {
            let (name, place) = (Arc::<str>::from(name), self.list.len());
            self.list.push(Arc::clone(&name));
            self.index.insert(name, place);
            place
        });
        self.runs.push((place, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_in_the_order_in_which_they_came() {
        let order = ["a", "b", "c", "a", "b", "c", "c", "b", "a", "d", "b", "a", "c", "d", "a"];
        let mut names = Names::default();
        for name in order {
            names.push(name, 2);
        }
        assert_eq!(names.list.len(), 4);
        let back = names.runs.iter().flat_map(|(place, n)| std::iter::repeat_n(&*names.list[*place], *n));
        assert!(back.eq(order.into_iter().flat_map(|name| [name; 2])));
    }
}
