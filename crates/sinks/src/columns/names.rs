//! Row names, in runs.

use std::sync::Arc;

use crate::{numbered::Numbered, runs::Runs};

/// Names in runs.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) names: Numbered,
    /// The number of the name of each row.
    pub(crate) runs: Runs<usize>,
}

impl Names {
    /// Adds a name to `count` rows; `shared` makes the stored copy of a new one.
    pub(super) fn push(&mut self, name: &str, shared: impl FnOnce() -> Arc<str>, count: usize) {
        self.runs.push(self.names.number(name, shared), count);
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
            names.push(name, || name.into(), 2);
        }
        let list = &names.names.list;
        assert_eq!(list.len(), 4);
        let back = names.runs.iter().flat_map(|(place, n)| std::iter::repeat_n(&*list[place], n));
        assert!(back.eq(order.into_iter().flat_map(|name| [name; 2])));
    }
}
