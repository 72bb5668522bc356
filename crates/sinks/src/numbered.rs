//! Numbers for texts that repeat often.

use std::{collections::HashMap, sync::Arc};

/// Names, numbered from 0 in order of appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbered {
    /// By number.
    pub(super) list: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, usize>,
    last: usize,
}

impl Numbered {
    /// Returns the number of a name; `shared` makes the stored copy of a new one.
    pub(super) fn number(&mut self, name: &str, shared: impl FnOnce() -> Arc<str>) -> usize {
        self.find(name).unwrap_or_else(|| {
            let (name, number) = (shared(), self.list.len());
            self.list.push(Arc::clone(&name));
            self.numbers.insert(name, number);
            self.last = number;
            number
        })
    }

    /// Returns the number of a name, if it has one.
    pub(super) fn find(&mut self, name: &str) -> Option<usize> {
        // Names often repeat in order, such as those of actors in each frame.
        let likely = [self.last, self.last + 1, 0];
        let mut likely = likely.into_iter().filter_map(|number| Some((number, self.list.get(number)?)));
        // Samples of a channel share its name.
        let shared = likely.clone().find(|(_, known)| std::ptr::eq(&raw const ***known, name));
        let likely =
            shared.or_else(|| likely.find(|(_, known)| is_same(known, name))).map(|(number, _)| number);
        self.last = likely.or_else(|| self.numbers.get(name).copied())?;
        Some(self.last)
    }
}

/// Whether two names are the same. Most that are not differ in the last letter.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.as_bytes().last() == b.as_bytes().last() && a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_numbers() {
        let mut names = Numbered::default();
        let order = ["a", "b", "c", "a", "b", "c", "c", "b", "a", "d", "b", "a"];
        let numbers = order.map(|name| names.number(name, || name.into()));
        assert_eq!(numbers, [0, 1, 2, 0, 1, 2, 2, 1, 0, 3, 1, 0]);
        assert_eq!(names.list.iter().map(|name| &**name).collect::<String>(), "abcd");
    }
}
