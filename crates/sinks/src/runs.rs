//! Values that repeat from row to row.

/// Values in runs: each with how many rows repeat it.
///
/// The last run is not in the list: a row that repeats it writes nothing to the heap.
#[derive(Debug, Clone)]
pub(crate) struct Runs<T> {
    ended: Vec<(T, usize)>,
    last: Option<(T, usize)>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { ended: Vec::new(), last: None }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Repeats a value `count` times.
    #[inline]
    pub(crate) fn push(&mut self, value: T, count: usize) {
        match &mut self.last {
            Some((last, rows)) if *last == value => *rows += count,
            last => self.ended.extend(last.replace((value, count))),
        }
    }

    /// Number of runs.
    pub(crate) fn len(&self) -> usize {
        self.ended.len() + usize::from(self.last.is_some())
    }

    pub(crate) fn get(&self, number: usize) -> Option<(T, usize)> {
        self.ended.get(number).copied().or(self.last.filter(|_| number == self.ended.len()))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (T, usize)> + Clone {
        self.ended.iter().copied().chain(self.last)
    }

    pub(crate) fn clear(&mut self) {
        self.ended.clear();
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_run() {
        let mut runs = Runs::default();
        assert_eq!((runs.len(), runs.get(0), runs.iter().next()), (0, None, None));
        for (value, count) in [('a', 1), ('a', 2), ('b', 5), ('a', 1), ('a', 1)] {
            runs.push(value, count);
        }
        let all = [('a', 3), ('b', 5), ('a', 2)];
        assert_eq!(runs.iter().collect::<Vec<_>>(), all);
        assert_eq!((0..4).map_while(|number| runs.get(number)).collect::<Vec<_>>(), all);
        assert_eq!(runs.len(), 3);
        runs.clear();
        assert_eq!(runs.iter().count(), 0);
    }
}
